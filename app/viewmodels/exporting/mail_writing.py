"""A mail to several people: opened in the mail program where that can be done, else copied; and in
one sentence who does not get it.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QObject, Signal

from app.exporting.mail_list import COMMA, MailList, mail_list
from app.flows.administrators import short_id
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.flows.sentences import unknown_names_words
from app.viewmodels.formatting import list_names
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.screen import ActionFeedback

OpenMail = Callable[[str], bool]
"""Has the computer's mail program begin the mail of a link; False where there is none."""
_AT_ONCE = 500
"""People who are looked through before the next turn of the event loop; more in a thread."""
_NAMED = 3


class MailWriting(GuardedOverrides, QObject):
    """For one account."""

    copied = Signal(object)
    """Carries a text for the clipboard."""

    def __init__(
        self, directory: PeopleDirectory, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        """Addresses stand apart by a comma until `separator` says otherwise."""
        super().__init__(parent)
        self._directory = directory
        self.separator = COMMA
        self.feedback = ActionFeedback(self)
        """Says what became of the last mail, and who does not get it."""
        self._writing = Action(
            scope, self._write_slowly, second="replace", on_error=self.feedback.say_error
        )
        self._finding = Action(
            scope, self._find, second="replace", on_error=self.feedback.say_error
        )

    def write(
        self, people: Sequence[Person], open_mail: OpenMail, one_by_one: Collection[str] = ()
    ) -> None:
        """Write to these; of those who have died to those alone who were chosen `one_by_one`."""
        self._finding.cancel()
        self._writing.cancel()
        self.feedback.say("")
        if len(people) > _AT_ONCE:
            self._writing(people, open_mail, one_by_one)
        else:
            self._hand_over(mail_list(people, one_by_one=one_by_one), open_mail)

    def write_to(
        self, person_ids: Collection[str], open_mail: OpenMail, *, alone: bool = False
    ) -> None:
        """Write to those who come with something, such as a flow they run: not to archived ones.

        `alone`: each of them was chosen, and is written to in any case.
        """
        self._writing.cancel()
        self._finding(tuple(person_ids), open_mail, alone=alone)

    async def _find(self, person_ids: Sequence[str], open_mail: OpenMail, *, alone: bool) -> None:
        self.feedback.say("")
        people = await self._directory.people_by_id(person_ids)
        # In the order in which they are asked for; who is not in the list has no address either.
        there = [people[one] for one in dict.fromkeys(person_ids) if one in people]
        meant = person_ids if alone else ()
        found = await asyncio.to_thread(mail_list, there, one_by_one=meant, archived_too=alone)
        unknown = [one for one in dict.fromkeys(person_ids) if one not in people]
        self._hand_over(found, open_mail, unknown)

    async def _write_slowly(
        self, people: Sequence[Person], open_mail: OpenMail, one_by_one: Collection[str]
    ) -> None:
        found = await asyncio.to_thread(mail_list, people, one_by_one=one_by_one)
        self._hand_over(found, open_mail)

    def _hand_over(self, found: MailList, open_mail: OpenMail, unknown: Sequence[str] = ()) -> None:
        # Before the people have been read nobody can say who is not among them.
        doubt = [unknown_names_words(self._directory)] if unknown else []
        unknown = unknown if self._directory.as_of is not None else ()
        left_out = [*left_out_words(found, unknown), *filter(None, doubt)]
        everybody = [*left_out_words(found, unknown, most_named=None), *filter(None, doubt)]
        details = "\n".join(everybody) if everybody != left_out else ""
        if not found.addresses:
            nobody = tr("There is nobody to write to.")
            self.feedback.say(" ".join([nobody, *left_out]), is_error=True, details=details)
            return
        link = found.link
        opened = bool(link) and open_mail(link)
        if not opened:
            self.copied.emit(found.text(self.separator))
            what = _no_program_words if link else _too_many_words
            left_out = [what(len(found.addresses)), *left_out]
        self.feedback.say(" ".join(left_out), details=details)


def _too_many_words(many: int) -> str:
    return trn(
        "{n} address is more than a new mail can be begun with. It is copied instead: paste "
        "it into the Bcc line of a mail.",
        "{n} addresses are more than a new mail can be begun with. They are copied instead: "
        "paste them into the Bcc line of a mail.",
        many,
    )


def _no_program_words(many: int) -> str:
    return trn(
        "Front Desk found no mail program on this computer. The address is copied instead.",
        "Front Desk found no mail program on this computer. The {n} addresses are copied "
        "instead: paste them into the Bcc line of a mail.",
        many,
    )


def left_out_words(
    found: MailList, unknown: Sequence[str] = (), most_named: int | None = _NAMED
) -> list[str]:
    """A sentence for each reason why somebody is left out; the ids `unknown` are in no list.

    Of each at most as many are named, the others are counted; None names all.
    """

    def named(names: Sequence[str]) -> str:
        return some_names(names, most_named)

    said = []
    if found.without_email:
        said.append(tr("Without an email: {names}.", names=named(found.without_email)))
    if found.deceased:
        said.append(tr("Left out, as they have died: {names}.", names=named(found.deceased)))
    if found.archived:
        said.append(tr("Left out, as they are archived: {names}.", names=named(found.archived)))
    if found.addresses[1:] and found.archived_among_them:
        names = named(found.archived_among_them)
        said.append(tr("Archived, and among them: {names}.", names=names))
    if unknown:
        ends = [tr("…{end}", end=short_id(each)) for each in unknown]
        said.append(tr("Not in your list: {ids}.", ids=named(ends)))
    return said


def some_names(names: Sequence[str], most: int | None = _NAMED) -> str:
    """The first few of these names, and how many more there are; without `most` all of them."""
    return list_names(names[:most], 0 if most is None else len(names) - most)
