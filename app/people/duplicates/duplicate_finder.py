"""Who in the list may be the person that somebody is typing, who in it is there twice, and why that
is thought, as one sentence for the person who decides about it.

It keeps names and emails as they are compared; who is in the list, and what is done about a
likeness, is known to others.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar, assert_never

import msgspec

from app.people.duplicates.groups import AlikePair, found_under_lock, grouped, pairs, pairs_of
from app.people.duplicates.names import compared
from app.people.duplicates.nicknames import short_forms
from app.people.duplicates.people_index import PeopleIndex, PersonLike
from app.people.duplicates.scoring import (
    Asked,
    Candidate,
    NamesAlike,
    candidates,
    certain_candidate,
)
from app.people.duplicates.vocabulary import Likeness
from app.runtime.words import tr
from app.store.search_keys import as_typed

P = TypeVar("P", bound=PersonLike)
ReadPeople = Callable[[Sequence[Hashable]], Mapping[Hashable, P]]
"""Gives people by their ids; whoever is gone is not in the answer."""

_AT_ONCE = 200
"""People taken in before somebody else may ask: a few milliseconds."""
_IN_CASE_SOME_ARE_GONE = 3


class Match(msgspec.Struct, Generic[P], frozen=True):
    """Somebody who may be the same person.

    `reason` is a plain sentence; `certain` says that it is almost surely the same person.
    """

    person: P
    reason: str
    certain: bool


class DuplicateGroup(Generic[P]):
    """People who are likely one person; they are read when they are asked for."""

    def __init__(
        self,
        ids: tuple[Hashable, ...],
        alike: Sequence[AlikePair],
        read: ReadPeople[P],
        more: int = 0,
    ) -> None:
        """`ids` of all of them; each is in one of the pairs that are `alike`."""
        self.ids = ids
        self.more = more
        """How many more are as likely the same, and are not among them: the likeliest are."""
        self.pairs = alike
        """Why each is in it."""
        self._read = read

    def __eq__(self, other: object) -> bool:
        """Whether it is of the same people."""
        if not isinstance(other, DuplicateGroup):
            return False
        return (self.ids, self.more) == (other.ids, other.more)

    def __hash__(self) -> int:
        """As they are compared."""
        return hash(self.ids)

    @property
    def people(self) -> tuple[P, ...]:
        """Those of them who are still there."""
        return self.read()[0]

    def read(self) -> tuple[tuple[P, ...], tuple[str, ...]]:
        """People and reasons, both of one reading."""
        there = self._read(self.ids)
        reasons = (
            _reason_of_two(there[pair.one], there[pair.other], pair)
            for pair in self.pairs
            if pair.one in there and pair.other in there
        )
        return tuple(there[each] for each in self.ids if each in there), tuple(
            dict.fromkeys(reasons)
        )


class Duplicates(Generic[P]):
    """Everybody, archived people and entries of the outbox alike, to be asked at each key.

    It may be filled in one thread and asked in another. A list of 100,000 takes about a second to
    take in; in slices, by `add`, wherever that is too long.
    """

    def __init__(self, people: Iterable[P] = (), *, read: ReadPeople[P] | None = None) -> None:
        """With `read` only ids are kept and people are read when they are found; else people are.

        What `read` raises leaves `of`.
        """
        self._lock = threading.RLock()
        self._index = PeopleIndex()
        self._read = read
        self._kept: dict[Hashable, P] = {}
        self.add(people)

    def __len__(self) -> int:
        return len(self._index)

    def add(self, people: Iterable[P]) -> None:
        """Take people in; whoever is known by that id is replaced."""
        rest = iter(people)
        while part := tuple(islice(rest, _AT_ONCE)):
            with self._lock:
                for person in part:
                    self._index.discard(person.id)
                    self._index.add(person)
                    if self._read is None:
                        self._kept[person.id] = person

    def discard(self, ids: Iterable[Hashable]) -> None:
        """Forget people; an id that nobody has is no error."""
        rest = iter(ids)
        while part := tuple(islice(rest, _AT_ONCE)):
            with self._lock:
                for each in part:
                    self._index.discard(each)
                    self._kept.pop(each, None)

    def of(
        self, firstname: str | None, lastname: str | None, email: str | None, limit: int = 3
    ) -> Sequence[Match[P]]:
        """Who may be the person of these names and this email, the likeliest first.

        Names may be half typed: what they may become is not guessed at.
        """
        if limit <= 0:
            return ()
        asked = Asked.of(firstname or "", lastname or "", email)
        with self._lock:
            found = candidates(self._index, asked, limit + _IN_CASE_SOME_ARE_GONE)
            ids = [self._index.id_of(each.row) for each in found]
            people = self._people(ids)
        matches = (
            Match(people[one], _reason(each, asked, people[one].firstname), each.certain)
            for one, each in zip(ids, found, strict=True)
            if one in people
        )
        return tuple(islice(matches, limit))

    def certain(
        self, firstname: str | None, lastname: str | None, email: str | None
    ) -> Hashable | None:
        """The id of who is almost surely the person of these names and this email, or None.

        Quicker than `of`, and reads nobody: a whole list may be compared in a worker thread.
        """
        asked = Asked.of(firstname or "", lastname or "", email)
        with self._lock:
            found = certain_candidate(self._index, asked)
            return self._index.id_of(found.row) if found is not None else None

    def pairs(self, going_on: Callable[[], bool] = lambda: True) -> Sequence[AlikePair]:
        """The pairs of which the groups are made, of all the people; takes some seconds.

        Call it in a worker thread: it rests often, others may ask and change things meanwhile.
        It ends early when it is not `going_on` any more.
        """
        return found_under_lock(pairs(self._index), self._lock, going_on)

    def pairs_of(self, ids: Iterable[Hashable]) -> Sequence[AlikePair]:
        """Those that one of a few people is in, at once: milliseconds for each."""
        with self._lock:
            rows = (self._index.row_of(each) for each in ids)
            return tuple(pairs_of(self._index, [row for row in rows if row is not None]))

    def grouped(
        self, found: Iterable[AlikePair], not_same: Iterable[tuple[Hashable, Hashable]] = ()
    ) -> Sequence[DuplicateGroup[P]]:
        """Who is likely one person by these pairs, the surest first; nobody is read or looked for.

        `not_same` are ids of two who were said not to be the same person.
        """
        apart = {frozenset(two) for two in not_same}
        return tuple(
            DuplicateGroup(group.ids, group.pairs, self._people, group.more)
            for group in grouped(found, apart)
        )

    def _people(self, ids: Sequence[Hashable]) -> Mapping[Hashable, P]:
        if self._read is None:
            return {each: self._kept[each] for each in ids if each in self._kept}
        return self._read(ids) if ids else {}


def _reason(found: Candidate, asked: Asked, listed: str | None) -> str:
    """The sentence, in the person's language; `listed` is the first name in the list."""
    if found.same_email and found.certain:
        return tr("same email")
    if found.same_email:
        return tr("same email, other first name") if asked.first else tr("same email, other name")
    if found.names.turned:
        return tr("first and last name the other way round")
    if found.names.same:
        return tr("same name, other email") if found.other_email else tr("same name")
    if Likeness.SHORT in (found.names.first, found.names.last):
        return _short_for(asked.firstname.strip(), as_typed(listed or "").strip())
    return _what_differs(found.names)


def _reason_of_two(one: PersonLike, other: PersonLike, alike: AlikePair) -> str:
    """The same for two who are both in the list."""
    found = Candidate(
        certain=alike.same_email,
        odds=alike.odds,
        row=0,
        names=alike.names,
        same_email=alike.same_email,
        other_email=alike.other_email,
    )
    return _reason(found, Asked.of(one.firstname or "", one.lastname or "", None), other.firstname)


def _short_for(typed: str, listed: str) -> str:
    if compared(typed) in short_forms(compared(listed)):
        return tr("{short} is short for {name}", short=typed, name=listed)
    if compared(listed) in short_forms(compared(typed)):
        return tr("{short} is short for {name}", short=listed, name=typed)
    return tr("{one} and {other} are short for the same name", one=typed, other=listed)


def _what_differs(names: NamesAlike) -> str:
    kinds = [kind for kind in (names.first, names.last) if kind is not None]
    if names.first is None and names.last in {Likeness.LETTER, Likeness.LETTERS}:
        return tr("nearly the same last name")
    weakest = max(kinds, default=Likeness.SAME)
    match weakest:
        case Likeness.INITIAL:
            return tr("only an initial is there of the first name")
        case Likeness.PART:
            return tr("one name more")
        case Likeness.LETTERS:
            return tr("a few letters differ")
        case Likeness.LETTER:
            several = kinds.count(Likeness.LETTER) > 1
            return tr("a few letters differ") if several else tr("one letter differs")
        case Likeness.SAME | Likeness.SHORT:
            return tr("same last name") if names.first is None else tr("same first name")
    assert_never(weakest)
