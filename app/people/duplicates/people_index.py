"""Everybody by name and email, in arrays: what each is found by, as people come and go.

It knows numbers of names and rows of people; who resembles whom is worked out in `scoring`.
"""

from array import array
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Protocol

from app.people.duplicates.names import compared, compared_email
from app.people.duplicates.postings import Chains, Postings
from app.people.duplicates.vocabulary import FIRST, LAST, Vocabulary


class PersonLike(Protocol):
    """Somebody of the list, or an entry that is on its way into it."""

    @property
    def id(self) -> Hashable:
        """Tells them from everybody else."""

    @property
    def firstname(self) -> str | None:
        """As it is written; None and blank are the same."""

    @property
    def lastname(self) -> str | None:
        """The same."""

    @property
    def email(self) -> str | None:
        """The same."""


_NOBODY = 0xFFFFFFFF
_FREE, _ELSEWHERE = 0xFFFFFFFF, 0xFFFFFFFE
_LARGEST = _ELSEWHERE - 1
_PAGE = 256
"""Numbers of a list side by side, whose rows are kept in one piece: they follow on one another."""
_MOST_LOOKED_AT = 50
"""People of one name or one email: more are never shown. An email of more is an office's."""


class PeopleIndex:
    """A row for each person, a number for each name; a name of nobody is kept, and may come back.

    All of one name are chained, and all of one email, so that a list of namesakes, or of an office
    whose people have one email, costs no more than another.
    """

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self.halves = (array("I"), array("I"))
        """First and last name in the vocabulary, by the number of the whole name."""
        self.many = array("I")
        """How many people have the name, by its number."""
        self.name_of = array("I")
        self.mailbox_of = array("q")
        """By row; 0 where there is no email."""
        # By the number of the name: those without an email, and those with one.
        self._newest = (array("I"), array("I"))
        self._next = array("I")
        self._previous = array("I")
        self._names = Postings()
        self._names_by_letters = Postings()
        # The newest by the number of its half, for first and last names, and the one before each.
        self._newest_with = (array("I"), array("I"))
        self._next_with = (array("I"), array("I"))
        self._at_mailbox = Chains(self.mailbox_of.__getitem__)
        self._of_first_name = Chains(self._mailbox_and_first)
        self._rows_by_number: dict[int, array[int]] = {}
        self._rows_by_other: dict[Hashable, int] = {}
        self._ids = array("I")
        """By row: a number of the list itself, or what tells that the id stands elsewhere, or that
        nobody has the row.
        """
        self._other_ids: dict[int, Hashable] = {}
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._ids) - len(self._free)

    @property
    def rows(self) -> int:
        """Rows there are, those that nobody has among them."""
        return len(self._ids)

    def has(self, row: int) -> bool:
        """Whether somebody has that row."""
        return self._ids[row] != _FREE

    def half(self, role: int, name: int) -> str:
        """The first or the last name of a whole one, as compared."""
        return self.vocabulary.names[self.halves[role][name]]

    def names_of(self, first: int, last: int) -> Iterator[int]:
        """The whole name of these two halves, where somebody has it."""
        firsts, lasts = self.halves
        for name in self._names.get((first, last)):
            if firsts[name] == first and lasts[name] == last and self.many[name]:
                yield name

    def names_with(self, role: int, half: int) -> Iterator[int]:
        """Names with that first or last name, which somebody has."""
        newest, after = self._newest_with[role], self._next_with[role]
        name = newest[half] if half < len(newest) else _NOBODY
        while name != _NOBODY:
            if self.many[name]:
                yield name
            name = after[name]

    def names_of_letters(self, letters: str) -> Iterator[int]:
        """Names that are these letters, wherever one half ends, and whichever stands first."""
        for name in self._names_by_letters.get(_in_any_order(letters)):
            first, last = self.half(FIRST, name), self.half(LAST, name)
            if self.many[name] and letters in {first + last, last + first}:
                yield name

    def rows_of(self, name: int) -> Iterator[int]:
        """Some people of a name: those without an email first, of both the newest first."""
        for newest in self._newest:
            row = newest[name]
            for _ in range(_MOST_LOOKED_AT):
                if row == _NOBODY:
                    break
                yield row
                row = self._next[row]

    def rows_at(self, mailbox: int) -> Iterator[int]:
        """Some people whose email reaches that mailbox, the newest first."""
        return islice(self._at_mailbox.get(mailbox), _MOST_LOOKED_AT if mailbox else 0)

    def shares_mailbox(self, row: int) -> bool:
        """Whether the email of somebody who is there reaches another's mailbox as well."""
        return self.mailbox_of[row] != 0 and self._at_mailbox.has_others(row)

    def is_of_many(self, mailbox: int) -> bool:
        """Whether an email says little of who somebody is: so many have it."""
        behind = islice(self._at_mailbox.get(mailbox), _MOST_LOOKED_AT, None)
        return bool(mailbox) and next(behind, None) is not None

    def rows_of_first_name(self, mailbox: int, first: str) -> Iterator[int]:
        """The same, of a mailbox that `is_of_many` and a first name as compared."""
        number = self.vocabulary.number(first)
        if mailbox and number is not None:
            yield from islice(self._of_first_name.get((mailbox, number)), _MOST_LOOKED_AT)

    def id_of(self, row: int) -> Hashable:
        """Whose row it is."""
        number = self._ids[row]
        return number if number <= _LARGEST else self._other_ids.get(row)

    def row_of(self, person_id: Hashable) -> int | None:
        """The row of a person; None for somebody unknown."""
        number = _number(person_id)
        if number is None:
            return self._rows_by_other.get(person_id)
        page = self._rows_by_number.get(number // _PAGE)
        row = _NOBODY if page is None else page[number % _PAGE]
        return None if row == _NOBODY else row

    def add(self, person: PersonLike) -> int:
        """Take in somebody whose id is unknown; gives the row."""
        row = self._new_row()
        self._note_id(row, person.id)
        number = self.mailbox_of[row] = mailbox(person.email)
        self._join(row, self._take_name(person.firstname, person.lastname))
        if number:
            self._come_to(number, row)
        return row

    def discard(self, person_id: Hashable) -> int | None:
        """Forget somebody; gives the row that was theirs, or None."""
        row = self.row_of(person_id)
        if row is None:
            return None
        if self.mailbox_of[row]:
            self._go_from(self.mailbox_of[row], row)
        self._leave(row)
        number = _number(person_id)
        if number is None:
            del self._rows_by_other[person_id]
        else:
            self._rows_by_number[number // _PAGE][number % _PAGE] = _NOBODY
        self._ids[row] = _FREE
        self._other_ids.pop(row, None)
        self._free.append(row)
        return row

    def _come_to(self, mailbox: int, row: int) -> None:
        was_of_many = self.is_of_many(mailbox)
        self._at_mailbox.add(row)
        if was_of_many:
            self._of_first_name.add(row)
        elif self.is_of_many(mailbox):
            for each in self._at_mailbox.get(mailbox):
                self._of_first_name.add(each)

    def _go_from(self, mailbox: int, row: int) -> None:
        was_of_many = self.is_of_many(mailbox)
        if was_of_many:
            self._of_first_name.discard(row)
        self._at_mailbox.discard(row)
        if was_of_many and not self.is_of_many(mailbox):
            for each in self._at_mailbox.get(mailbox):
                self._of_first_name.discard(each)

    def _note_id(self, row: int, person_id: Hashable) -> None:
        # An object of its own for each number of the list would take four times the memory.
        number = _number(person_id)
        if number is None:
            self._ids[row], self._other_ids[row] = _ELSEWHERE, person_id
            self._rows_by_other[person_id] = row
            return
        self._ids[row] = number
        page = self._rows_by_number.get(number // _PAGE)
        if page is None:
            page = self._rows_by_number[number // _PAGE] = array("I", [_NOBODY]) * _PAGE
        page[number % _PAGE] = row

    def _new_row(self) -> int:
        if self._free:
            return self._free.pop()
        self._ids.append(_FREE)
        self.mailbox_of.append(0)
        for numbers in (self.name_of, self._next, self._previous):
            numbers.append(_NOBODY)
        return len(self._ids) - 1

    def _take_name(self, firstname: str | None, lastname: str | None) -> int:
        first, last = compared(firstname), compared(lastname)
        number = self.vocabulary.take(first, firstname), self.vocabulary.take(last, lastname)
        for name in self._names.get(number):
            if (self.halves[FIRST][name], self.halves[LAST][name]) == number:
                return name
        name = len(self.many)
        self._names.add(number, name)
        for role, half in enumerate(number):
            self.halves[role].append(half)
            newest = self._newest_with[role]
            newest.extend([_NOBODY] * (half + 1 - len(newest)))
            self._next_with[role].append(newest[half])
            newest[half] = name
        if first or last:
            self._names_by_letters.add(_in_any_order(first + last), name)
        for newest in self._newest:
            newest.append(_NOBODY)
        self.many.append(0)
        return name

    def _join(self, row: int, name: int) -> None:
        newest = self._newest_like(row)
        before = newest[name]
        self.name_of[row], self._next[row], self._previous[row] = name, before, _NOBODY
        if before != _NOBODY:
            self._previous[before] = row
        newest[name] = row
        self._count(name, 1)

    def _leave(self, row: int) -> None:
        name, after, before = self.name_of[row], self._next[row], self._previous[row]
        if before == _NOBODY:
            self._newest_like(row)[name] = after
        else:
            self._next[before] = after
        if after != _NOBODY:
            self._previous[after] = before
        self._count(name, -1)

    def _newest_like(self, row: int) -> "array[int]":
        return self._newest[self.mailbox_of[row] != 0]

    def _mailbox_and_first(self, row: int) -> tuple[int, int]:
        return self.mailbox_of[row], self.halves[FIRST][self.name_of[row]]

    def _count(self, name: int, more: int) -> None:
        self.many[name] += more
        for role, halves in enumerate(self.halves):
            self.vocabulary.counts[role][halves[name]] += more


def _number(person_id: Hashable) -> int | None:
    """The id where it is a number of a list."""
    if isinstance(person_id, int) and 0 <= person_id <= _LARGEST:
        return person_id
    return None


def _in_any_order(letters: str) -> str:
    """The same for both ways round in which two halves may stand, and for few others."""
    return "".join(sorted(letters))


def mailbox(email: str | None) -> int:
    """The mailbox an email reaches, as a number of this run that fits an array; 0 for none."""
    reached = compared_email(email)
    return hash(reached) or 1 if reached else 0
