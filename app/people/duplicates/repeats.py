"""Which rows of one list say the same person, with no account to look in, by the rule that finds
who is in one already.

Which of them is kept is decided by whoever looks over the list: in `app.importing.verdicts`.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import TypeAlias, TypeVar

import msgspec

from app.people.duplicates.names import compared, compared_email, words_of
from app.people.duplicates.people_index import PeopleIndex, mailbox
from app.people.duplicates.scoring import Asked, certain_rows

_Words = tuple[str, ...]
_Key = TypeVar("_Key", str, tuple[str, str])
_MOST_COMPARED = 50
"""People of one first name at one email: of more, the first in the list stand for all."""


class _Somebody(msgspec.Struct, frozen=True, gc=False):
    """What is compared of a row: those who differ in nothing of it are one."""

    first: _Words
    last: _Words
    mailbox: str


class _Listed(msgspec.Struct, frozen=True, gc=False):
    """Somebody as they are written in one of their rows."""

    id: _Somebody
    firstname: str
    lastname: str
    email: str


# Most are alone: what is kept of them is nothing that the collector of cycles would go through.
_Group: TypeAlias = _Somebody | dict[_Somebody, None]
_Positions: TypeAlias = int | list[int]


class Repeats:
    """The people of a list by the positions of their rows, which come and go as somebody types.

    Rows that say the very same are held as one, so that ten thousand of them cost no more. Who
    shares neither the letters of the name nor the mailbox with anybody is nobody's double: most of
    a list, and not indexed.
    """

    def __init__(self) -> None:
        self._somebody: dict[int, _Somebody] = {}
        self._positions: dict[_Somebody, _Positions] = {}
        self._written: dict[_Somebody, _Listed] = {}
        self._everybody = PeopleIndex()
        """Those of whom one may be another."""
        self._indexed: set[_Somebody] = set()
        self._by_letters: dict[str, _Group] = {}
        """By those of the first and the last name, and the other way round."""
        self._by_mailbox: dict[str, _Group] = {}
        self._by_first: dict[tuple[str, str], _Positions] = {}
        """The first position of each who has that mailbox and that first name, in order."""
        self._alike: dict[_Somebody, tuple[_Somebody, ...]] = {}
        """Those among everybody; who shares a first name at one mailbox is looked up."""

    def add(self, position: int, firstname: str, lastname: str, email: str) -> None:
        """Take in who stands at a position that is free."""
        somebody = _Somebody(words_of(firstname), words_of(lastname), compared_email(email))
        if not (somebody.first or somebody.last):
            return
        self._somebody[position] = somebody
        positions = self._positions.get(somebody)
        if positions is not None:
            if isinstance(positions, int):
                positions = self._positions[somebody] = [positions]
            before = positions[0]
            insort(positions, position)
            self._move_first(somebody, before, positions[0])
            return
        self._positions[somebody] = position
        self._written[somebody] = listed = _Listed(somebody, firstname, lastname, email)
        for letters in _letters(listed):
            _join(self._by_letters, letters, somebody)
        if somebody.mailbox:
            _join(self._by_mailbox, somebody.mailbox, somebody)
            self._join_first(somebody, position)
        for each in self._not_indexed_beside(listed):
            self._index(each)
        self._forget_likes(somebody)

    def discard(self, position: int) -> None:
        """Nobody stands there any more."""
        somebody = self._somebody.get(position)
        if somebody is None:
            return
        positions = self._positions[somebody]
        if not isinstance(positions, int):
            before = positions[0]
            positions.remove(position)
            if positions:
                self._move_first(somebody, before, positions[0])
                del self._somebody[position]
                return
        self._forget_likes(somebody)
        del self._somebody[position]
        listed = self._written.pop(somebody)
        del self._positions[somebody]
        self._alike.pop(somebody, None)
        if somebody in self._indexed:
            self._indexed.remove(somebody)
            was_of_many = self._is_of_many(listed)
            self._everybody.discard(somebody)
            self._forget_all_if(was_of_many is not self._is_of_many(listed))
        for letters in _letters(listed):
            _leave(self._by_letters, letters, somebody)
        if somebody.mailbox:
            _leave(self._by_mailbox, somebody.mailbox, somebody)
            self._leave_first(somebody, position)

    def of(self, position: int) -> Iterator[Sequence[int]]:
        """The positions of those who are almost surely who stands there, themselves among them: one
        sequence for each way to write them, from the top of the list.

        Of very many who share an email and a first name only the first in the list are given.
        """
        somebody = self._somebody.get(position)
        if somebody is not None:
            yield self._positions_of(somebody)
            for other in self._likes(somebody):
                # Seldom only one of two is like the other, and is not told when that one goes.
                if other in self._positions:
                    yield self._positions_of(other)

    def dependent_on(self, position: int) -> Iterator[Sequence[int]]:
        """The same, and everybody else of whom who stands there is given."""
        yield from self.of(position)
        somebody = self._somebody.get(position)
        if somebody is not None and position in self._first_of_name(somebody):
            for other in self._of_first_name(somebody)[_MOST_COMPARED:]:
                yield self._positions_of(self._somebody[other])

    def how_many_beside(self, position: int, firstname: str, lastname: str, email: str) -> int:
        """About how many rows may be looked at anew once somebody like that comes to a position, or
        goes from there.
        """
        listed = _Listed(
            _Somebody(words_of(firstname), words_of(lastname), compared_email(email)),
            firstname,
            lastname,
            email,
        )
        some = (
            islice(_members(self._by_letters, each), _MOST_COMPARED) for each in _letters(listed)
        )
        written_alike = {listed.id, *chain.from_iterable(some)}
        rows = sum(
            len(self._positions_of(each)) for each in written_alike if each in self._positions
        )
        beside = self._of_first_name(listed.id)
        stands_for_all = position <= beside[: _MOST_COMPARED + 1][-1] if beside else False
        return rows + len(beside) * stands_for_all

    def at_the_same_email(self, position: int) -> Iterator[int]:
        """The first row of each of the others whose email reaches the same mailbox."""
        somebody = self._somebody.get(position)
        if somebody is None or not somebody.mailbox:
            return
        same = {somebody, *self._likes(somebody)}
        first = "".join(somebody.first)
        looked_at = len(same) + _MOST_COMPARED
        for other in islice(_members(self._by_mailbox, somebody.mailbox), looked_at):
            if other not in same and not (first and "".join(other.first) == first):
                yield self._positions_of(other)[0]

    def _positions_of(self, somebody: _Somebody) -> Sequence[int]:
        positions = self._positions[somebody]
        return (positions,) if isinstance(positions, int) else positions

    def _of_first_name(self, somebody: _Somebody) -> Sequence[int]:
        """The first positions of all who share the mailbox and the first name, in order."""
        if not (somebody.mailbox and somebody.first):
            return ()
        positions = self._by_first.get(_mailbox_and_first(somebody), ())
        return (positions,) if isinstance(positions, int) else positions

    def _first_of_name(self, somebody: _Somebody) -> Sequence[int]:
        return self._of_first_name(somebody)[:_MOST_COMPARED]

    def _join_first(self, somebody: _Somebody, position: int) -> None:
        key = _mailbox_and_first(somebody)
        there = self._by_first.get(key)
        if there is None:
            self._by_first[key] = position
        elif isinstance(there, int):
            self._by_first[key] = sorted((there, position))
        else:
            insort(there, position)

    def _leave_first(self, somebody: _Somebody, position: int) -> None:
        key = _mailbox_and_first(somebody)
        there = self._by_first[key]
        if isinstance(there, int) or len(there) == 1:
            del self._by_first[key]
        else:
            del there[bisect_left(there, position)]

    def _move_first(self, somebody: _Somebody, before: int, now: int) -> None:
        if somebody.mailbox and before != now:
            self._leave_first(somebody, before)
            self._join_first(somebody, now)

    def _not_indexed_beside(self, listed: _Listed) -> list[_Somebody]:
        """Who may be another since somebody has come, themselves among them."""
        groups = [_members(self._by_letters, letters) for letters in _letters(listed)]
        if listed.id.mailbox:
            groups.append(_members(self._by_mailbox, listed.id.mailbox))
        # As soon as there are two, all of a group are indexed: none is gone through twice.
        beside = {each for group in groups if len(group) > 1 for each in islice(group, 2)}
        return list({*beside, listed.id} - self._indexed) if beside else []

    def _index(self, somebody: _Somebody) -> None:
        self._indexed.add(somebody)
        listed = self._written[somebody]
        was_of_many = self._is_of_many(listed)
        self._everybody.add(listed)
        self._forget_all_if(was_of_many is not self._is_of_many(listed))

    def _is_of_many(self, listed: _Listed) -> bool:
        return self._everybody.is_of_many(mailbox(listed.email))

    def _forget_all_if(self, other_rule: bool) -> None:  # noqa: FBT001 - whether there is one now
        """An email has become an office's, or is one no longer: of all who have it, others are the
        same.
        """
        if other_rule:
            self._alike.clear()

    def _forget_likes(self, somebody: _Somebody) -> None:
        if self._alike and somebody in self._indexed:
            for other in self._likes(somebody):
                self._alike.pop(other, None)

    def _likes(self, somebody: _Somebody) -> Collection[_Somebody]:
        """Everybody else who is almost surely the same; of very many, the first in the list."""
        if somebody not in self._indexed:
            return ()
        known = self._alike.get(somebody)
        if known is None:
            written = self._written[somebody]
            asked = Asked.of(written.firstname, written.lastname, written.email)
            rows = certain_rows(self._everybody, asked)
            ids = (self._everybody.id_of(row) for row in rows)
            known = tuple(each for each in ids if isinstance(each, _Somebody))
            self._alike[somebody] = known
        same_first = (self._somebody[position] for position in self._first_of_name(somebody))
        return {*known, *same_first} - {somebody}


def _mailbox_and_first(somebody: _Somebody) -> tuple[str, str]:
    return somebody.mailbox, "".join(somebody.first)


def _letters(listed: _Listed) -> set[str]:
    first, last = compared(listed.firstname), compared(listed.lastname)
    return {first + last, last + first}


def _join(groups: dict[_Key, _Group], key: _Key, somebody: _Somebody) -> None:
    there = groups.get(key)
    if there is None:
        groups[key] = somebody
    elif isinstance(there, dict):
        there[somebody] = None
    else:
        groups[key] = {there: None, somebody: None}


def _leave(groups: dict[_Key, _Group], key: _Key, somebody: _Somebody) -> None:
    there = groups[key]
    if isinstance(there, dict) and len(there) > 1:
        del there[somebody]
    else:
        del groups[key]


def _members(groups: dict[_Key, _Group], key: _Key) -> Collection[_Somebody]:
    there = groups.get(key, {})
    return there if isinstance(there, dict) else (there,)
