"""Which rows of one list say the same person, by the rule that finds who is in the account already.

Which of them is kept is decided by whoever looks over the list.
"""

from bisect import insort
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

import msgspec

from app.people.duplicates.likeness import Asked, certain_rows
from app.people.duplicates.names import compared, compared_email, words_of
from app.people.duplicates.people_index import PeopleIndex, mailbox

_Words = tuple[str, ...]
_Key = TypeVar("_Key", str, tuple[str, str])


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
_Places: TypeAlias = int | list[int]


class Repeats:
    """The people of a list by the places of their rows, which come and go as somebody types.

    Rows that say the very same are held as one, so that ten thousand of them cost no more. Who
    shares neither the letters of the name nor the mailbox with anybody is nobody's double: most of
    a list, and not indexed.
    """

    def __init__(self) -> None:
        self._somebody: dict[int, _Somebody] = {}
        self._places: dict[_Somebody, _Places] = {}
        self._written: dict[_Somebody, _Listed] = {}
        self._everybody = PeopleIndex()
        """Those of whom one may be another."""
        self._indexed: set[_Somebody] = set()
        self._by_letters: dict[str, _Group] = {}
        """By those of the first and the last name, and the other way round."""
        self._by_mailbox: dict[str, _Group] = {}
        self._by_first: dict[tuple[str, str], _Group] = {}
        self._alike: dict[_Somebody, tuple[_Somebody, ...]] = {}

    def add(self, place: int, firstname: str, lastname: str, email: str) -> None:
        """Take in who stands at a place that is free."""
        somebody = _Somebody(words_of(firstname), words_of(lastname), compared_email(email))
        if not (somebody.first or somebody.last):
            return
        self._somebody[place] = somebody
        places = self._places.get(somebody)
        if places is not None:
            if isinstance(places, int):
                places = self._places[somebody] = [places]
            insort(places, place)
            return
        self._places[somebody] = place
        self._written[somebody] = listed = _Listed(somebody, firstname, lastname, email)
        for letters in _letters(listed):
            _join(self._by_letters, letters, somebody)
        if somebody.mailbox:
            _join(self._by_mailbox, somebody.mailbox, somebody)
            first = (somebody.mailbox, "".join(somebody.first))
            _join(self._by_first, first, somebody)
        for each in self._not_indexed_beside(listed):
            self._index(each)
        self._forget_likes(somebody)

    def discard(self, place: int) -> None:
        """Nobody stands there any more."""
        somebody = self._somebody.pop(place, None)
        if somebody is None:
            return
        places = self._places[somebody]
        if not isinstance(places, int):
            places.remove(place)
            if places:
                return
        self._forget_likes(somebody)
        listed = self._written.pop(somebody)
        del self._places[somebody]
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
            _leave(self._by_first, (somebody.mailbox, "".join(somebody.first)), somebody)

    def of(self, place: int) -> Iterator[Sequence[int]]:
        """The places of those who are almost surely who stands there, themselves among them: one
        sequence for each way to write them, from the top of the list.
        """
        somebody = self._somebody.get(place)
        if somebody is not None:
            yield self._places_of(somebody)
            for other in self._likes(somebody):
                # Seldom only one of two is like the other, and is not told when that one goes.
                if other in self._places:
                    yield self._places_of(other)

    def at_the_same_email(self, place: int) -> Iterator[int]:
        """The first row of each of the others whose email reaches the same mailbox."""
        somebody = self._somebody.get(place)
        if somebody is None or not somebody.mailbox:
            return
        same = {somebody, *self._likes(somebody)}
        for other in _members(self._by_mailbox, somebody.mailbox):
            if other not in same:
                yield self._places_of(other)[0]

    def _places_of(self, somebody: _Somebody) -> Sequence[int]:
        places = self._places[somebody]
        return (places,) if isinstance(places, int) else places

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

    def _likes(self, somebody: _Somebody) -> tuple[_Somebody, ...]:
        """Everybody else who is almost surely the same."""
        if somebody not in self._indexed:
            return ()
        known = self._alike.get(somebody)
        if known is None:
            written = self._written[somebody]
            asked = Asked.of(written.firstname, written.lastname, written.email)
            rows = certain_rows(self._everybody, asked)
            ids = (self._everybody.id_of(row) for row in rows)
            found = {each for each in ids if isinstance(each, _Somebody)}
            first = (somebody.mailbox, "".join(somebody.first))
            same_first = _members(self._by_first, first) if somebody.first else ()
            known = tuple(found.union(same_first) - {somebody})
            self._alike[somebody] = known
        return known


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
