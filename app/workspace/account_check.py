"""Which account somebody signed in to, and whether what waits may leave with it: nobody goes to an
organisation they were not typed for. How lists are compared is left to
`app.outbox.account_matching`.

`AccountRecognition` decides before anything is shown or kept: two organisations may share one
address, each with its own key. `AccountCheck` is for a key that was given at the start, with which
the lists are shown before anybody is asked, and for what is still held.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import msgspec

from app.accounts.account import Account, new_account_id
from app.accounts.registry import of_one_place
from app.accounts.session import Session
from app.api.errors import ApiError
from app.outbox.account_matching import AccountMatch, recognise_service
from app.outbox.events import PauseReason
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.store.errors import StoreError
from app.viewmodels.notices import not_the_same, of_its_own, say_first, say_soon, which_account
from app.viewmodels.window.notice_queue import FailureNotice
from app.viewmodels.window.session import SessionScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.api.service import Service
    from app.model.person import Person
    from app.viewmodels.notices import Notice


class KnownAccount(msgspec.Struct, frozen=True):
    """An account of this computer and whom it is recognised by: `known` people, by their ids.

    `unsent` people wait for it; `may_be_more`: whom nobody can
    count now, because their file cannot be read or is set aside.
    """

    is_known: Callable[[str], bool]
    known: int
    unsent: int
    half_typed: bool
    may_be_more: bool = False
    kept: Callable[[str], "Person | None"] = lambda _id: None
    """The person whom it has under an id."""

    @property
    def at_stake(self) -> bool:
        """Whether something typed for it could go to another organisation."""
        return bool(self.unsent) or self.half_typed or self.may_be_more


class AccountRecognition:
    """Decides for a proven credential, and asks a person where the people do not tell."""

    def __init__(
        self,
        screen: SessionScreen,
        accounts: Callable[[], "Sequence[Account]"],
        known: Callable[[Account], AbstractAsyncContextManager[KnownAccount]],
    ) -> None:
        """`accounts` are those this computer knows; `known` looks at what it has of one."""
        self._screen = screen
        self._accounts = accounts
        self._known = known

    async def which(self, account: Account, service: "Service") -> Account | None:
        """The one that this is: `account`, another known one of its address, or a new one; None
        where the person did not say. Raises ApiError.
        """
        earlier = next((one for one in self._accounts() if one.id == account.id), account)
        async with self._known(earlier) as first:
            match = await recognise_service(service, first.is_known, first.known, first.kept)
            unsent, at_stake = first.unsent, first.at_stake
        compared = match is not AccountMatch.NOTHING_TO_COMPARE
        if match is AccountMatch.SAME or not (compared or at_stake):
            return account
        other = await self._of_the_others(account, service)
        if other is not None:
            return other
        nobody_known = match is AccountMatch.NOBODY_KNOWN
        if at_stake or match is AccountMatch.NOBODY_LISTED:
            question = which_account(earlier.name, unsent, compared=nobody_known)
            same = await self._screen.ask(question)
            if same is not False:
                return account if same else None
        new = self._new(account, earlier)
        self._screen.say_until_read(
            of_its_own(earlier.name, new.name, unsent, compared=nobody_known)
        )
        return new

    async def _of_the_others(self, account: Account, service: "Service") -> Account | None:
        for one in of_one_place(account, self._accounts()):
            if one.id == account.id:
                continue
            async with self._known(one) as known:
                match = await recognise_service(service, known.is_known, known.known, known.kept)
            if match is AccountMatch.SAME:
                return msgspec.structs.replace(account, id=one.id, name=one.name)
        return None

    def _new(self, account: Account, earlier: Account) -> Account:
        taken = {earlier.name, *(one.name for one in self._accounts())}
        name = next(name for name in _names(account.name) if name not in taken)
        return msgspec.structs.replace(account, id=new_account_id(), name=name)


def _names(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} {number}"
        number += 1


def _is_empty(outbox: Outbox) -> bool:
    """Whether nothing in it was typed before: all that comes is for the account being opened."""
    try:
        return not (outbox.unsent_count or outbox.store.draft().strip() or outbox.store.reviews())
    except StoreError:
        return False


class AccountCheck:
    """Holds the outbox from a new sign-in on until its account is recognised or confirmed."""

    def __init__(
        self,
        outbox: Outbox,
        directory: PeopleDirectory,
        session: Session,
        screen: SessionScreen,
        scope: TaskScope,
        *,
        go_on: Callable[[], None],
        on_change: Callable[[], None],
    ) -> None:
        """`go_on` is called once nothing is in doubt; `on_change`: looking began or ended."""
        self._outbox = outbox
        self._directory = directory
        self._session = session
        self._screen = screen
        self._go_on = go_on
        self._seen: object = None
        self._typed_for: object = session.service if _is_empty(outbox) else None
        """The service whom everybody waiting was typed for, where nobody waited before."""
        self._asked: Notice | None = None
        self._failure = FailureNotice(screen.report, screen.take_back)
        self._looking = Action(
            scope, self._look, second="drop", on_error=self._failure.failed, on_change=on_change
        )

    @property
    def in_doubt(self) -> bool:
        """Whether nobody may leave, and the list may not be read, before it is certain."""
        return self._outbox.pause_reason is PauseReason.OTHER_ORGANISATION

    @property
    def looking(self) -> bool:
        """Whether the list is being compared now."""
        return self._looking.running

    @property
    def failed(self) -> bool:
        """Whether the list could not be had the last time it was to be compared."""
        return self._looking.failed

    @property
    def asking(self) -> bool:
        """Whether a person has to say."""
        return self._asked is not None

    def signed_in(self) -> None:
        """Somebody may have come in anew: what waits is held until that is certain."""
        service = self._session.service
        if service is None or service is self._seen:
            return
        self._seen = service
        self._withdraw()
        if not self._session.entered:
            return
        try:
            if self._session.recognised:
                self._outbox.recognised()
            elif self._at_stake(service) or self._known():
                self._outbox.hold_until_recognised()
                self._outbox.take_nobody(say_soon())
        except StoreError as error:
            self._screen.report(error)

    def look(self) -> None:
        """Compare the people known here with the account's list, unless that is under way."""
        self._looking()

    def close(self) -> None:
        """The account is left: nobody is asked about it any more."""
        self._withdraw()

    async def _look(self) -> None:
        service = self._session.service
        if service is None:
            return
        sample, known = frozenset(self._outbox.known_people), self._known()
        if self.in_doubt:
            self._outbox.take_nobody(say_soon())
        try:
            found = await recognise_service(
                service,
                lambda one: one in sample or self._is_known(one),
                known,
                self._directory.person,
            )
        except ApiError:
            # Without a connection people are typed all the same, and held.
            self._outbox.take_nobody("")
            raise
        self._failure.succeeded()
        if service is not self._session.service:
            return
        self._withdraw()
        # Nobody waits, and nobody here could be taken for somebody there.
        nothing = found is AccountMatch.NOTHING_TO_COMPARE and not self._at_stake(service)
        if nothing or found is AccountMatch.SAME:
            self._certain()
            return
        compared = found is not AccountMatch.NOTHING_TO_COMPARE
        self._asked = not_the_same(self._outbox.unsent_count, compared=compared)
        self._outbox.take_nobody(say_first())
        self._screen.say_until_read(self._asked, self._put_away, self._certain)

    def _at_stake(self, service: "Service") -> bool:
        """Whether somebody waits who may have been typed for another organisation."""
        return bool(self._outbox.unsent_count) and service is not self._typed_for

    def _known(self) -> int:
        return self._directory.count() + len(self._outbox.known_people)

    def _is_known(self, person_id: str) -> bool:
        return self._directory.row_of(person_id) is not None

    def _put_away(self) -> None:
        """It was not answered: nobody leaves, and reading the lists again asks again."""
        self._asked = None

    def _withdraw(self) -> None:
        asked, self._asked = self._asked, None
        if asked is not None:
            self._screen.take_back(asked)

    def _certain(self) -> None:
        self._asked = None
        try:
            self._outbox.recognised()
        except StoreError as error:
            self._screen.report(error)
        else:
            self._go_on()
