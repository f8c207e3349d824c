"""Which account of this computer somebody signs in to: two organisations may share one address,
each with its own key. It is recognised by its people, before anything of it is shown or kept.

How two lists are compared is left to `app.outbox.matching`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from app.accounts.account import Account, new_account_id
from app.outbox.matching import AccountMatch, recognise_service
from app.viewmodels.notices import of_its_own, which_account
from app.viewmodels.sign_in.form import of_one_place
from app.viewmodels.window.session import SessionScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.api.service import Service


@dataclass(frozen=True, slots=True)
class KnownAccount:
    """An account of this computer and whom it is recognised by: `known` people, by their ids.

    `unsent` people wait for it; `may_be_more`: whom nobody can
    count now, because their file cannot be read or is set aside.
    """

    account: Account
    is_known: Callable[[str], bool]
    known: int
    unsent: int
    half_typed: bool
    may_be_more: bool = False

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
            match = await recognise_service(service, first.is_known, first.known)
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
                match = await recognise_service(service, known.is_known, known.known)
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
