"""What of the chosen rows can be copied and written to: whole rows, emails, numbers, names."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal

from app.exporting.mail_list import left_out_as_dead, mail_list
from app.exporting.spreadsheet import spreadsheet_cell
from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.exporting.copying import MOST_COPIED, copy_rows, rows_copied_words
from app.viewmodels.exporting.mail_writing import (
    MailWriting,
    OpenMail,
    left_out_words,
    some_names,
)
from app.viewmodels.formatting import name_of, number
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.selection import Selection
from app.viewmodels.people.table import (
    Column,
    Key,
    cells_of_entry,
    cells_of_person,
    column_words,
)
from app.viewmodels.screen import ActionFeedback

_AT_ONCE = 500
"""Rows that are copied before the next turn of the event loop; more take a few turns."""
_NUMBER = re.compile(r"[\d\s+()./-]+")


class What(Enum):
    """What of a row is copied."""

    ROW = auto()
    EMAIL = auto()
    MAIL_LIST = auto()
    """Names with their addresses, as the To line of a mail takes them."""
    NAME = auto()
    PHONE = auto()
    MOBILE = auto()


_Either = Person | OutboxEntry


class Chosen:
    """Who stands in rows, as far as they have been gathered."""

    def __init__(self, one_by_one: frozenset[Key]) -> None:
        """Nobody yet; the rows with these keys were meant alone."""
        self._alone = one_by_one
        self.people: list[Person] = []
        """Whoever is on the way to the account as the person they will be."""
        self.rows: list[tuple[str, ...]] = []
        """Of each the cells as they are shown."""
        self.ids_alone: set[str] = set()

    def take(self, key: Key, either: _Either) -> None:
        """One more."""
        if isinstance(either, Person):
            person, cells = either, cells_of_person(either, ())
        else:
            person, cells = as_person(either), cells_of_entry(either, ())
        self.people.append(person)
        self.rows.append(tuple(cell.text if cell.is_given else "" for cell in cells))
        if key in self._alone:
            self.ids_alone.add(person.id)


class Copying(GuardedOverrides, QObject):
    """Gathers the chosen rows, of which there may be very many, and hands over one text."""

    copied = Signal(object)
    """Carries a text for the clipboard, or `CopiedRows`."""

    def __init__(
        self,
        directory: PeopleDirectory,
        outbox: Outbox,
        scope: TaskScope,
        selection: Selection,
        feedback: ActionFeedback,
        *,
        writing: MailWriting,
    ) -> None:
        """`feedback` says what was copied; `writing` has mails written, and says so itself."""
        super().__init__(selection)
        self._directory = directory
        self._outbox = outbox
        self._selection = selection
        self._feedback = feedback
        self._mails = writing
        self._gather = Action(scope, self._copy_slowly, second="replace")
        self._gather_to_write = Action(scope, self._write_slowly, second="replace")

    def copy(self, what: What) -> None:
        """Copy the chosen rows, at once where they are few; those gone meanwhile are left out."""
        keys = self._selection.seen
        if not keys:
            return
        self._gather.cancel()
        chosen = Chosen(self._selection.one_by_one)
        if len(keys) > _AT_ONCE:
            self._feedback.say(tr("Copying."))
            self._gather(keys, chosen, what)
        else:
            self._take(keys, chosen)
            self._hand_over(chosen, what, len(keys))

    def write(self, open_mail: OpenMail) -> None:
        """Write one mail to all who are chosen, who do not see each other."""
        keys = self._selection.seen
        self._gather_to_write.cancel()
        chosen = Chosen(self._selection.one_by_one)
        if len(keys) > _AT_ONCE:
            self._gather_to_write(keys, chosen, open_mail)
        elif keys:
            self._take(keys, chosen)
            self._mails.write(chosen.people, open_mail, chosen.ids_alone)

    def can_copy(self, what: What) -> bool:
        """Whether the one who is chosen has such a thing; of several somebody may."""
        keys = self._selection.seen
        return len(keys) > 1 or any(_value(person, what) for person in self._people(keys))

    def first_names(self, many: int) -> tuple[str, ...]:
        """The names of the first `many` who are chosen."""
        return tuple(map(name_of, self._people(self._selection.seen[:many])))

    def _people(self, keys: Sequence[Key]) -> list[Person]:
        chosen = Chosen(frozenset())
        self._take(keys, chosen)
        return chosen.people

    def _take(self, keys: Sequence[Key], chosen: Chosen) -> None:
        for key, either in self._found(keys):
            chosen.take(key, either)

    def _found(self, keys: Sequence[Key]) -> Iterator[tuple[Key, _Either]]:
        rows = self._directory.people([key for key in keys if isinstance(key, int)])
        for key in keys:
            found = rows.get(key) if isinstance(key, int) else self._outbox.index.get(key)
            if found is not None:
                yield key, found

    async def _copy_slowly(self, keys: Sequence[Key], chosen: Chosen, what: What) -> None:
        await self._take_slowly(keys[:MOST_COPIED], chosen)
        self._hand_over(chosen, what, len(keys))

    async def _write_slowly(self, keys: Sequence[Key], chosen: Chosen, open_mail: OpenMail) -> None:
        await self._take_slowly(keys, chosen)
        self._mails.write(chosen.people, open_mail, chosen.ids_alone)

    async def _take_slowly(self, keys: Sequence[Key], chosen: Chosen) -> None:
        for start in range(0, len(keys), _AT_ONCE):
            self._take(keys[start : start + _AT_ONCE], chosen)
            await asyncio.sleep(0)

    def _hand_over(self, chosen: Chosen, what: What, asked_for: int) -> None:
        copied, said = _copied(chosen, what, self._mails.separator, asked_for)
        self._feedback.say(said)
        if copied is not None:
            self.copied.emit(copied)


def as_person(entry: OutboxEntry) -> Person:
    """Who is on the way to the account, as the person they will be, by the id of the entry."""
    new = entry.new_person
    return Person(
        id=entry.id,
        firstname=new.firstname,
        lastname=new.lastname,
        email=new.email,
        phone=new.phone,
    )


def row_headings() -> list[str]:
    """What the columns of copied rows are called."""
    return [column_words(column) for column in Column]


def _copied(chosen: Chosen, what: What, separator: str, asked_for: int) -> tuple[object, str]:
    """What goes to the clipboard, and the sentences that say what it is.

    None where there is nothing: what is on the clipboard stays there. `asked_for`: how many rows
    somebody wants, of which the first may have been gathered alone.
    """
    copied, said = _copied_of(chosen, what, separator)
    if asked_for <= MOST_COPIED:
        return copied, said
    if copied is None:
        first = tr(
            "Only the first {count} of {all} rows were looked through.",
            count=number(MOST_COPIED),
            all=number(asked_for),
        )
        return None, f"{said} {first}"
    first = rows_copied_words(MOST_COPIED, asked_for)
    return copied, first if what is What.ROW else f"{first} {said}"


def _copied_of(chosen: Chosen, what: What, separator: str) -> tuple[object, str]:
    many = len(chosen.people)
    if what is What.ROW:
        return copy_rows(row_headings(), chosen.rows)
    if what is What.NAME:
        said = trn("{n} name copied.", "{n} names copied.", many)
        names = (name_of(person) for person in chosen.people)
        return "\n".join(map(spreadsheet_cell, names)), said
    if what is What.MAIL_LIST:
        found = mail_list(chosen.people, one_by_one=chosen.ids_alone)
        said = _addresses_words(len(found.addresses))
        return found.text(separator) or None, " ".join([said, *left_out_words(found)])
    if what is What.EMAIL:
        return _emails(chosen, separator)
    return _numbers(chosen, what)


def _emails(chosen: Chosen, separator: str) -> tuple[str | None, str]:
    """As the list has them, whatever they are."""
    dead = {one.id for one in chosen.people if left_out_as_dead(one, chosen.ids_alone)}
    alive = [one for one in chosen.people if one.id not in dead]
    addresses = _each_once([_value(one, What.EMAIL) for one in alive])
    said = [_addresses_words(len(addresses))]
    said += _without_words([one for one in alive if not _value(one, What.EMAIL)])
    if dead:
        names = some_names([name_of(one) for one in chosen.people if one.id in dead])
        said.append(tr("Left out, as they have died: {names}.", names=names))
    return separator.join(map(as_address, addresses)) or None, " ".join(said)


def _numbers(chosen: Chosen, what: What) -> tuple[str | None, str]:
    numbers = _each_once([_value(person, what) for person in chosen.people])
    many = len(numbers)
    copied = trn("{n} number copied.", "{n} numbers copied.", many)
    said = [copied if many else tr("There is no number to copy.")]
    said += _without_words([one for one in chosen.people if not _value(one, what)])
    return "\n".join(map(as_number, numbers)) or None, " ".join(said)


def _without_words(people: Sequence[Person]) -> list[str]:
    if not people:
        return []
    many = len(people)
    return [
        trn(
            "{n} person has none: {names}.",
            "{n} people have none: {names}.",
            many,
            names=some_names([name_of(one) for one in people]),
        )
    ]


def _value(person: Person, what: What) -> str:
    values = {What.EMAIL: person.email, What.PHONE: person.phone, What.MOBILE: person.mobile}
    return (values.get(what) or "").strip()


def as_address(email: str) -> str:
    """One that a spreadsheet would calculate stands in angle brackets, as mail programs know it."""
    cell = spreadsheet_cell(email)
    return f"<{email}>" if cell == f"'{email}" else cell


def as_number(text: str) -> str:
    """As a telephone takes it: calculated, a number is a number still."""
    return text if _NUMBER.fullmatch(text) else spreadsheet_cell(text)


def _addresses_words(copied: int) -> str:
    if not copied:
        return tr("There is no email address to copy.")
    return trn(
        "{n} email address copied.",
        "{n} email addresses copied.",
        copied,
    )


def _each_once(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
