"""Who of all the people there are is likely one person, in groups.

It looks at everybody once, in turns short enough that others get theirs; who is read and shown,
and what is done about a group, is known to others.
"""

from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import combinations, islice, product
from math import prod
from time import sleep
from typing import NamedTuple

from app.people.duplicates.people_index import PeopleIndex
from app.people.duplicates.scoring import (
    OTHER_WAY_ROUND,
    NamesAlike,
    alike_at_one_mailbox,
    alike_at_the_mailbox,
    asked_of,
)
from app.people.duplicates.vocabulary import FIRST, LAST, Chance, Likeness
from app.runtime.turns import found_at_once

_LEAST = 0.3
"""Odds from which two are shown as one; measured by `dev.py bench --only febrl`."""
_OTHER_EMAIL = 0.1
_SURE = 1e9
_MOST_OF_A_NAME = 8
"""People of one name who are compared with one another; how many more there are is counted."""
_MOST_FIRST_NAMES = 16
"""Those at one mailbox which are compared with one another."""
_MOST_IN_A_GROUP = 12
_MOST_PAIRS = 50_000
_MOST_READINGS = 8
_ROWS_AT_ONCE = 64
_MOST_CHANCES = 2_000
_LIKENESS = tuple(Likeness)
_TURN_SECONDS = 0.002
_REST_SECONDS = 0.0005


class AlikePair(NamedTuple):
    """Two who are likely one person, by their ids, and what speaks for it."""

    odds: float
    one: Hashable
    other: Hashable
    names: NamesAlike
    same_email: bool
    other_email: bool
    more: int = 0
    """Others who are as likely the same, and are in no pair because there are so many of them."""


def pairs(people: PeopleIndex) -> Iterator[AlikePair | None]:
    """Pairs that are likely one person; None now and then, when others may have their turn."""
    yield from _at_one_mailbox(people)
    readings = _Readings(people)
    for name in range(len(people.many)):
        yield None
        if people.many[name]:
            yield from _of_one_name(people, readings, name)
            for other, alike in _names_like(people, readings, name):
                yield from _of_two_names(people, name, other, alike)


class AlikePeople(NamedTuple):
    """The ids of people who are likely one, the pairs among them, and how many more there are."""

    ids: tuple[Hashable, ...]
    pairs: list[AlikePair]
    more: int


def grouped(
    found: Iterable[AlikePair], apart: Collection[frozenset[Hashable]]
) -> list[AlikePeople]:
    """Pairs put together, the surest first; no group holds two who are apart."""
    members: dict[Hashable, list[Hashable]] = {}
    held: dict[frozenset[Hashable], AlikePair] = {}
    left: list[AlikePair] = []
    for pair in sorted(found, key=lambda each: each.odds, reverse=True):
        one = members.get(pair.one, [pair.one])
        other = members.get(pair.other, [pair.other])
        if one is not other:
            if _any_apart(one, other, apart):
                continue
            if len(one) + len(other) > _MOST_IN_A_GROUP:
                left.append(pair)
                continue
            one += other
            members.update(dict.fromkeys(one, one))
        held.setdefault(frozenset((pair.one, pair.other)), pair)
    groups: dict[int, list[AlikePair]] = {}
    for pair in held.values():
        groups.setdefault(id(members[pair.one]), []).append(pair)
    # Whoever came too late for a full group, and is in no other.
    late: dict[int, set[Hashable]] = {}
    for pair in left:
        for inside, outside in ((pair.one, pair.other), (pair.other, pair.one)):
            if inside in members and outside not in members:
                late.setdefault(id(members[inside]), set()).add(outside)
    return [
        AlikePeople(
            tuple(members[several[0].one]),
            several,
            max(pair.more for pair in several) + len(late.get(group, ())),
        )
        for group, several in groups.items()
    ]


def _any_apart(
    some: Iterable[Hashable], others: Iterable[Hashable], apart: Collection[frozenset[Hashable]]
) -> bool:
    return bool(apart) and any(frozenset(two) in apart for two in product(some, others))


class _Readings:
    """What each first and last name may have become, worked out once.

    Kept in arrays, number and evidence and likeness in turn: of a hundred thousand small objects
    the collector of cycles would take a tenth of a second, wherever it comes to run.
    """

    def __init__(self, people: PeopleIndex) -> None:
        self._people = people
        self._known: tuple[dict[int, array[float]], dict[int, array[float]]] = ({}, {})
        self._chances: dict[int, list[Chance]] = {}

    def _work_out(self, half: int, role: int) -> Iterator[float]:
        vocabulary = self._people.vocabulary
        chances = self._chances.pop(half, None)
        if chances is None:
            # The other role will ask as well: each is worked out once, and let go of.
            chances = vocabulary.chances(vocabulary.names[half], self._least_chance(half))
            if len(self._chances) < _MOST_CHANCES:
                self._chances[half] = chances
        readings = vocabulary.readings(chances, role, len(self._people))[:_MOST_READINGS]
        least = self._least_evidence(1.0)
        for reading in readings:
            if reading.evidence >= least:
                yield from (reading.number, reading.evidence, reading.likeness)

    def _least_chance(self, half: int) -> float:
        """For both roles: in one that nobody has it in, it is thought of the other way round."""
        vocabulary, everybody = self._people.vocabulary, len(self._people)
        befores = (1.0 if counts[half] else OTHER_WAY_ROUND for counts in vocabulary.counts)
        return min(
            vocabulary.least_chance(half, role, everybody, self._least_evidence(before))
            for role, before in enumerate(befores)
        )

    def _least_evidence(self, before: float) -> float:
        """No other half is so rare that less could be enough."""
        everybody = len(self._people)
        return _LEAST / before * everybody / self._people.vocabulary.most_evidence(everybody)

    def alike(self, first: int, last: int) -> Iterator[tuple[int, NamesAlike]]:
        """Whole names that one of these halves may have become, by number."""
        everybody = len(self._people)
        for before, halves in ((1.0, (first, last)), (OTHER_WAY_ROUND, (last, first))):
            firsts, lasts = self._of(halves[FIRST], FIRST), self._of(halves[LAST], LAST)
            least = _LEAST * everybody / before
            turned = before is OTHER_WAY_ROUND
            for one, other in _worth_a_look(firsts, lasts, least):
                for name in self._people.names_of(int(firsts[one]), int(lasts[other])):
                    odds = before * firsts[one + 1] * lasts[other + 1] / everybody
                    how = _LIKENESS[int(firsts[one + 2])], _LIKENESS[int(lasts[other + 2])]
                    yield name, NamesAlike(odds, *how, turned)

    def _of(self, half: int, role: int) -> "array[float]":
        """The likeliest of them, that half itself among them, the likeliest first."""
        if not half:
            return _BLANK
        known = self._known[role].get(half)
        if known is None:
            known = self._known[role][half] = array("d", self._work_out(half, role))
        return known


_BLANK = array("d", (0, 1.0, Likeness.SAME))
"""Of a name that has only one half: so has the other."""


def _worth_a_look(
    firsts: "array[float]", lasts: "array[float]", least: float
) -> Iterator[tuple[int, int]]:
    """Where in both are two that are likely enough together; both have the likeliest first."""
    for one in range(0, len(firsts), 3):
        for other in range(0, len(lasts), 3):
            if firsts[one + 1] * lasts[other + 1] < least:
                break
            yield one, other


def pairs_of(people: PeopleIndex, rows: Iterable[int]) -> Iterator[AlikePair]:
    """Pairs that one of these rows is in."""
    readings = _Readings(people)
    for row in rows:
        for other, alike in alike_at_the_mailbox(people, asked_of(people, row)):
            if other != row:
                yield _pair(people, _SURE, (row, other), alike, same_email=True)
        name = people.name_of[row]
        alike_names = (*_itself(people, readings, name), *_names_like(people, readings, name))
        for each, alike in alike_names:
            some, more = _some(people, each)
            others = [(row, other) for other in some if other != row]
            yield from _likely(people, alike, others, more)


def _at_one_mailbox(people: PeopleIndex) -> Iterator[AlikePair | None]:
    shared: dict[int, array[int]] = {}
    for row in range(people.rows):
        # Nearly all have one of their own: together they would take as much as the whole index.
        if people.has(row) and people.shares_mailbox(row):
            shared.setdefault(people.mailbox_of[row], array("I")).append(row)
        if not row % _ROWS_AT_ONCE:
            yield None
    for mailbox, several in shared.items():
        if len(several) > 1:
            yield from _of_one_mailbox(people, mailbox, several)
        yield None


def _of_one_mailbox(
    people: PeopleIndex, mailbox: int, rows: Sequence[int]
) -> Iterator[AlikePair | None]:
    by_first: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        # They may have gone, or have another, since they were gathered.
        if people.has(row) and people.mailbox_of[row] == mailbox:
            by_first.setdefault(people.halves[FIRST][people.name_of[row]], []).append(row)
        if not at % _ROWS_AT_ONCE:
            yield None
    of_many = people.is_of_many(mailbox)
    for first, several in by_first.items():
        shown = several[-_MOST_OF_A_NAME:] if first or not of_many else ()
        more = len(several) - len(shown)
        yield from _at_once(people, combinations(shown, 2), more)
        yield None
    newest = [] if of_many else [several[-1] for several in by_first.values()]
    for at, row in enumerate(newest[:_MOST_FIRST_NAMES]):
        yield from _at_once(people, ((row, other) for other in newest[:at]), 0)
        yield None


def _at_once(
    people: PeopleIndex, rows: Iterable[tuple[int, int]], more: int
) -> Iterator[AlikePair]:
    for one, other in rows:
        if people.has(one) and people.has(other):
            alike = alike_at_one_mailbox(people, asked_of(people, one), other)
            if alike is not None:
                yield _pair(people, _SURE, (one, other), alike, same_email=True, more=more)


def _of_one_name(people: PeopleIndex, readings: _Readings, name: int) -> Iterator[AlikePair]:
    if people.many[name] > 1:
        some, more = _some(people, name)
        for _, alike in _itself(people, readings, name):
            yield from _likely(people, alike, combinations(some, 2), more)


def _itself(
    people: PeopleIndex, readings: _Readings, name: int
) -> Iterator[tuple[int, NamesAlike]]:
    odds = _odds_of(people, readings, name)
    yield name, NamesAlike(odds, Likeness.SAME, Likeness.SAME, same=True)


def _odds_of(people: PeopleIndex, readings: _Readings, name: int) -> float:
    """That two of this name are one person: the rarer it is, the more they are.

    How common its halves are is told by others: of a name that many have, and hardly anybody one
    half of it, so many did not come together by chance.
    """
    halves = people.halves[FIRST][name], people.halves[LAST][name]
    odds = next((alike.odds for each, alike in readings.alike(*halves) if each == name), None)
    counts = [people.vocabulary.counts[role][half] for role, half in enumerate(halves) if half]
    besides = people.many[name] - 1
    if odds is None:
        # Too common to have been looked at.
        odds = len(people) / prod(counts)
    return odds * prod(many / max(1, many - besides) for many in counts)


def _of_two_names(
    people: PeopleIndex, name: int, other: int, alike: NamesAlike
) -> Iterator[AlikePair]:
    (ones, more), (others, more_others) = _some(people, name), _some(people, other)
    yield from _likely(people, alike, product(ones, others), more + more_others)


def _names_like(
    people: PeopleIndex, readings: _Readings, name: int
) -> Iterator[tuple[int, NamesAlike]]:
    first, last = people.halves[FIRST][name], people.halves[LAST][name]
    for other, alike in readings.alike(first, last):
        if other != name:
            yield other, alike
    letters = people.half(FIRST, name) + people.half(LAST, name)
    for other in people.names_of_letters(letters) if letters else ():
        if other != name and not (first and last and _turned(people, other, letters)):
            odds = _odds_of(people, readings, other)
            yield other, NamesAlike(odds, Likeness.SAME, Likeness.SAME, same=True)


def _turned(people: PeopleIndex, name: int, letters: str) -> bool:
    first, last = people.half(FIRST, name), people.half(LAST, name)
    return bool(first and last) and first + last != letters


def _some(people: PeopleIndex, name: int) -> tuple[list[int], int]:
    """The likeliest of a name, those whom no email tells apart, and how many more have it."""
    some = list(islice(people.rows_of(name), _MOST_OF_A_NAME))
    return some, people.many[name] - len(some)


def _likely(
    people: PeopleIndex, alike: NamesAlike, rows: Iterable[tuple[int, int]], more: int
) -> Iterator[AlikePair]:
    for one, other in rows:
        first, second = people.mailbox_of[one], people.mailbox_of[other]
        same = first == second != 0
        differ = bool(first and second and not same)
        odds = _SURE if same else alike.odds * _OTHER_EMAIL if differ else alike.odds
        if odds >= _LEAST:
            told_by = {"same_email": same, "other_email": differ}
            yield _pair(people, odds, (one, other), alike, more=more, **told_by)


def _pair(
    people: PeopleIndex,
    odds: float,
    rows: tuple[int, int],
    alike: NamesAlike,
    *,
    same_email: bool,
    other_email: bool = False,
    more: int = 0,
) -> AlikePair:
    one, other = map(people.id_of, rows)
    return AlikePair(
        odds, one, other, alike, same_email=same_email, other_email=other_email, more=more
    )


def found_under_lock(
    work: Iterator[AlikePair | None],
    lock: AbstractContextManager[object],
    going_on: Callable[[], bool],
) -> list[AlikePair]:
    """What the work finds: a few milliseconds at a time under the lock, and a rest in between, so
    that the thread of the window is never waited for. Ends early when it is not `going_on`.
    """
    found: list[AlikePair] = []
    slices = (() if pair is None else (pair,) for pair in work)
    is_more = True
    while is_more and len(found) < _MOST_PAIRS and going_on():
        with lock:
            some, is_more = found_at_once(slices, _TURN_SECONDS)
        found += some
        if is_more:
            sleep(_REST_SECONDS)
    return found
