"""What people and entries become when they are copied: rows, addresses, names, a letter to write.

Where the text goes is left to others.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from urllib.parse import quote

from PySide6.QtCore import QObject, Signal

from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.spreadsheet import spreadsheet_cell
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.formatting import name_of, number
from app.viewmodels.guarded import Guarded
from app.viewmodels.people.selection import Selection
from app.viewmodels.people.table import Key, cells_of_entry, cells_of_person
from app.viewmodels.screen import ActionFeedback

_AT_ONCE = 500
"""Rows that are copied before the next turn of the event loop; more take a few turns."""
_LONGEST_LINK = 1_900
"""Letters. Windows cuts what it hands to a mail program a little above two thousand."""


class What(Enum):
    """What of a row is copied."""

    ROW = auto()
    EMAIL = auto()
    NAME = auto()


@dataclass(frozen=True, slots=True)
class Copied:
    """A text for the clipboard, and the sentence that says what it is."""

    text: str
    sentence: str


class Copying(Guarded, QObject):
    """Gathers the chosen rows, of which there may be very many, and hands over one text."""

    copied = Signal(object)
    """Carries a text for the clipboard."""

    def __init__(
        self,
        directory: PeopleDirectory,
        outbox: Outbox,
        scope: TaskScope,
        selection: Selection,
        feedback: ActionFeedback,
    ) -> None:
        """`feedback` says what was copied."""
        super().__init__(selection)
        self._directory = directory
        self._outbox = outbox
        self._selection = selection
        self._feedback = feedback
        self._gather = Action(scope, self._copy_slowly, second="replace")

    def copy(self, what: What) -> None:
        """Copy the chosen rows, at once where they are few; those gone meanwhile are left out."""
        keys = self._selection.seen
        if not keys:
            return
        self._gather.cancel()
        if len(keys) > _AT_ONCE:
            self._feedback.say(tr("Copying."))
            self._gather(keys, what)
        else:
            self._hand_over(_copied(self._lines(keys, what), what))

    @property
    def mail_link(self) -> str:
        """Opens a new mail to those who are chosen; blank where that cannot be done."""
        keys = self._selection.seen
        if len(keys) > _AT_ONCE:
            return ""
        return mail_link(_each_once(self._lines(keys, What.EMAIL)))

    def first_names(self, many: int) -> tuple[str, ...]:
        """The names of the first `many` who are chosen."""
        return tuple(self._lines(self._selection.seen[:many], What.NAME))

    def _people(self, keys: Sequence[Key]) -> Iterator[Person | OutboxEntry]:
        rows = self._directory.people([key for key in keys if isinstance(key, int)])
        for key in keys:
            found = rows.get(key) if isinstance(key, int) else self._outbox.entry(key)
            if found is not None:
                yield found

    async def _copy_slowly(self, keys: Sequence[Key], what: What) -> None:
        lines: list[str] = []
        for start in range(0, len(keys), _AT_ONCE):
            lines += self._lines(keys[start : start + _AT_ONCE], what)
            await asyncio.sleep(0)
        self._hand_over(_copied(lines, what))

    def _hand_over(self, copied: Copied) -> None:
        self._feedback.say(copied.sentence)
        self.copied.emit(copied.text)

    def _lines(self, keys: Sequence[Key], what: What) -> list[str]:
        return [_line(each, what) for each in self._people(keys)]


def mail_link(addresses: Sequence[str]) -> str:
    """A link that opens a new mail to one, or to several who do not see each other.

    Blank where there is nobody to write to, or more than a link can hold.
    """
    if not addresses:
        return ""
    to = ",".join(quote(address, safe="@") for address in addresses)
    link = f"mailto:?bcc={to}" if addresses[1:] else f"mailto:{to}"
    return link if len(link) <= _LONGEST_LINK else ""


def _line(either: Person | OutboxEntry, what: What) -> str:
    if what is What.NAME:
        return name_of(either) if isinstance(either, Person) else either.new_person.full_name
    if isinstance(either, Person):
        email, cells = either.email, cells_of_person(either, ())
    else:
        email, cells = either.new_person.email, cells_of_entry(either, ())
    if what is What.EMAIL:
        return (email or "").strip()
    return "\t".join(spreadsheet_cell(cell.text) if cell.is_given else "" for cell in cells)


def _copied(lines: Sequence[str], what: What) -> Copied:
    many = len(lines)
    if what is What.ROW:
        said = trn("{count} row copied.", "{count} rows copied.", many, count=number(many))
        return Copied("\n".join(lines), said)
    if what is What.NAME:
        said = trn("{count} name copied.", "{count} names copied.", many, count=number(many))
        return Copied("\n".join(map(spreadsheet_cell, lines)), said)
    addresses = _each_once(lines)
    text = ", ".join(map(_address, addresses))
    return Copied(text, _addresses_words(len(addresses), lines.count("")))


def _address(email: str) -> str:
    """One that a spreadsheet would calculate stands in angle brackets, as mail programs know it."""
    cell = spreadsheet_cell(email)
    return f"<{email}>" if cell == f"'{email}" else cell


def _addresses_words(copied: int, without: int) -> str:
    said = trn(
        "{count} email address copied.",
        "{count} email addresses copied.",
        copied,
        count=number(copied),
    )
    if without:
        said += " " + trn(
            "{count} person has none.",
            "{count} people have none.",
            without,
            count=number(without),
        )
    return said


def _each_once(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for line in lines if line))
