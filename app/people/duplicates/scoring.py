"""How much speaks for it that somebody of the list is the one whose name and email were typed.

It weighs numbers of names against what was typed; how that is said is known to `duplicate_finder`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from app.people.duplicates.names import compared, is_unspaced
from app.people.duplicates.people_index import PeopleIndex, mailbox
from app.people.duplicates.vocabulary import FIRST, LAST, Likeness, Reading

_LEAST = 0.05
"""Odds from which somebody is worth a look; measured by `dev.py bench --only febrl`."""
_SURE = 1e12
OTHER_WAY_ROUND = 0.03
"""How often the two halves of a name are mixed up, against how often they are not."""
_BOTH_HALF = 3.0
_TYPED_HALF = 0.3
_LISTED_HALF = 0.03
_OTHER_FIRST = 0.6
"""How much a long last name that one person has says, with whatever first name: they may go by
another, or it was written down wrong.
"""
_LONG = 8
_OTHER_EMAIL = 0.3
_RARE = 1_000
"""One name alone says something where at most one of so many has it."""
_FEW = 5
_STARTS_ALIKE = 5.0
_MOST_BY_LAST_NAME = 50
_MOST_NAMES = 50
_MOST_CERTAIN = 200
"""More than there are of one name and one email."""


class Asked(NamedTuple):
    """What was typed: the names as they are written, and as they are compared."""

    firstname: str
    lastname: str
    first: str
    last: str
    mailbox: int

    @classmethod
    def of(cls, firstname: str, lastname: str, email: str | None) -> "Asked":
        """What was typed, made ready for comparing."""
        return cls(firstname, lastname, compared(firstname), compared(lastname), mailbox(email))

    @property
    def whole(self) -> bool:
        """Whether this is a whole name: many are called Ada, and few Ada Lovelace."""
        return bool(self.first and self.last) or is_unspaced(self.first or self.last)


class NamesAlike(NamedTuple):
    """How the name of somebody may have become the one that was typed."""

    odds: float
    first: Likeness | None
    """None where a first name is blank, or the two have nothing in common."""
    last: Likeness | None
    turned: bool = False
    same: bool = False


class Candidate(NamedTuple):
    """Somebody who was found; the more speaks for them, the greater."""

    certain: bool
    odds: float
    row: int
    names: NamesAlike
    same_email: bool
    other_email: bool


def candidates(people: PeopleIndex, asked: Asked, most: int) -> list[Candidate]:
    """At most so many who may be the one, the likeliest first."""
    return sorted(_likely(people, asked), reverse=True)[:most]


def certain_candidate(people: PeopleIndex, asked: Asked) -> Candidate | None:
    """Who is almost surely the one; so quickly that a whole list can be compared with everybody."""
    at_mailbox = alike_at_the_mailbox(people, asked)
    return max(_surely(people, asked, at_mailbox), default=None)


def certain_rows(people: PeopleIndex, asked: Asked) -> set[int]:
    """The rows of those who are almost surely the one: of names of the same letters, which may be
    divided in very many ways, only some. At a mailbox of many the whole name is asked for: who
    shares a first name there is known to whoever asks.
    """
    at_mailbox = () if people.is_of_many(asked.mailbox) else alike_at_the_mailbox(people, asked)
    return {each.row for each in islice(_surely(people, asked, at_mailbox), _MOST_CERTAIN)}


def _surely(
    people: PeopleIndex, asked: Asked, at_mailbox: Iterable[tuple[int, NamesAlike]]
) -> Iterator[Candidate]:
    names = dict(islice(_of_the_same_letters(people, asked), _MOST_NAMES))
    for row, alike in at_mailbox:
        alike_names = names.get(people.name_of[row]) or alike
        yield _certain(row, alike_names, _SURE + alike_names.odds, same_email=True)
    for name, alike in names.items():
        for row in people.rows_of(name):
            if people.mailbox_of[row] == asked.mailbox != 0:
                yield _certain(row, alike, _SURE + alike.odds, same_email=True)
            elif _is_enough(people, asked, row, alike):
                yield _certain(row, alike, _SURE, same_email=False)


def _is_enough(people: PeopleIndex, asked: Asked, row: int, alike: NamesAlike) -> bool:
    """Whether the same letters are the same person: not where both have an email, and of somebody
    with one name alone only where nothing else is known of either.
    """
    if asked.whole:
        return not alike.turned and 0 in (asked.mailbox, people.mailbox_of[row])
    name = people.name_of[row]
    both = people.half(FIRST, name) and people.half(LAST, name)
    return not both and asked.mailbox == people.mailbox_of[row] == 0


def _certain(row: int, alike: NamesAlike, odds: float, *, same_email: bool) -> Candidate:
    return Candidate(
        certain=True, odds=odds, row=row, names=alike, same_email=same_email, other_email=False
    )


def _likely(people: PeopleIndex, asked: Asked) -> Iterator[Candidate]:
    names = _names_alike(people, asked)
    seen: set[int] = set()
    for sure in _surely(people, asked, alike_at_the_mailbox(people, asked)):
        if sure.row not in seen:
            seen.add(sure.row)
            yield sure
    for row in people.rows_at(asked.mailbox):
        if row not in seen:
            seen.add(row)
            shown = names.get(people.name_of[row]) or NamesAlike(0.0, None, None)
            yield Candidate(
                certain=False,
                odds=_SURE + shown.odds,
                row=row,
                names=shown,
                same_email=True,
                other_email=False,
            )
    likeliest = sorted(names.items(), key=lambda each: each[1].odds, reverse=True)
    for name, alike in likeliest[:_MOST_NAMES]:
        for row in people.rows_of(name):
            if row in seen:
                continue
            other = asked.mailbox != people.mailbox_of[row] != 0 != asked.mailbox
            odds = alike.odds * _OTHER_EMAIL if other else alike.odds
            if odds >= _LEAST:
                certain = alike.same and _is_enough(people, asked, row, alike)
                yield Candidate(certain, odds, row, alike, same_email=False, other_email=other)


def asked_of(people: PeopleIndex, row: int) -> Asked:
    """Somebody of the list, as if their name and email had been typed."""
    name = people.name_of[row]
    first, last = people.half(FIRST, name), people.half(LAST, name)
    return Asked(first, last, first, last, people.mailbox_of[row])


def alike_at_the_mailbox(people: PeopleIndex, asked: Asked) -> Iterator[tuple[int, NamesAlike]]:
    """Those at the same mailbox whose names say enough beside it; at an office's, which very many
    have, only the same first name does.
    """
    if not people.is_of_many(asked.mailbox):
        for row in people.rows_at(asked.mailbox):
            alike = alike_at_one_mailbox(people, asked, row)
            if alike is not None:
                yield row, alike
    elif asked.first:
        for row in people.rows_of_first_name(asked.mailbox, asked.first):
            yield row, NamesAlike(0.0, Likeness.SAME, None)


def alike_at_one_mailbox(people: PeopleIndex, asked: Asked, row: int) -> NamesAlike | None:
    """Names that say little alone, but enough where the email is one; None for a relative."""
    name, likeness = people.name_of[row], people.vocabulary.likeness
    first, last = people.half(FIRST, name), people.half(LAST, name)
    if asked.first + asked.last in {first + last, last + first}:
        return NamesAlike(0.0, Likeness.SAME, Likeness.SAME)
    if not (asked.first and first):
        return _alike_by_one_half(people, asked, (first, last))
    found = likeness(asked.first, first, asked.firstname)
    if found is not None:
        return NamesAlike(0.0, found, None)
    # The other way round both have to be alike: a father's first name may be his son's last one.
    crossed = [(asked.first, last, asked.firstname), (asked.last, first, asked.lastname)]
    found_there = [likeness(*three) for three in crossed if all(three[:2])]
    if found_there and None not in found_there:
        return NamesAlike(0.0, Likeness.SAME, Likeness.SAME, turned=True)
    return None


def _alike_by_one_half(
    people: PeopleIndex, asked: Asked, halves: tuple[str, str]
) -> NamesAlike | None:
    """Nobody is told apart by a first name that nobody wrote."""
    first, last = halves
    if not (asked.last and last):
        return NamesAlike(0.0, None, Likeness.SAME)
    typed = (asked.last, asked.lastname)
    any_typed = (asked.first, asked.firstname) if asked.first else typed
    found = (
        people.vocabulary.likeness(one, listed, written)
        for (one, written), listed in ((typed, last), (any_typed, last), (typed, first or last))
    )
    alike = next((each for each in found if each is not None), None)
    return NamesAlike(0.0, None, alike) if alike is not None else None


def _names_alike(people: PeopleIndex, asked: Asked) -> dict[int, NamesAlike]:
    """The names that may be meant, by number, each with the most that speaks for it."""
    found: dict[int, NamesAlike] = {}
    for name, alike in _names_reached(people, asked):
        before = found.get(name)
        if alike.odds >= _LEAST and (before is None or alike.odds > before.odds):
            found[name] = alike
    return found


def _names_reached(people: PeopleIndex, asked: Asked) -> Iterator[tuple[int, NamesAlike]]:
    yield from _of_the_same_letters(people, asked)
    everybody = max(1, len(people))
    vocabulary = people.vocabulary
    typed = vocabulary.chances(asked.firstname), vocabulary.chances(asked.lastname)
    for turned, (first_half, last_half) in ((False, typed), (True, typed[::-1])):
        firsts = vocabulary.readings(first_half, FIRST, everybody)
        lasts = vocabulary.readings(last_half, LAST, everybody)
        before = (OTHER_WAY_ROUND if turned else 1.0) / everybody
        if asked.first and asked.last:
            reached = _with_both(people, firsts, lasts, _LEAST / before)
        else:
            reached = _with_one(people, firsts, lasts)
        for name, odds, first, last in reached:
            yield name, NamesAlike(before * odds * people.many[name], first, last, turned)
        if asked.first and asked.last and not turned:
            yield from _of_the_same_rare_name(people, asked, firsts, lasts)
    if len(asked.first) == 1:
        lasts = vocabulary.readings(typed[LAST], LAST, everybody)
        yield from _of_the_same_initial(people, asked.first, lasts)


def _of_the_same_letters(people: PeopleIndex, asked: Asked) -> Iterator[tuple[int, NamesAlike]]:
    typed = asked.first + asked.last
    for letters in {typed, asked.last + asked.first} - {""}:
        for name in people.names_of_letters(letters):
            first, last = people.half(FIRST, name), people.half(LAST, name)
            two_halves = bool(first and last and asked.first and asked.last)
            turned = two_halves and first + last != typed
            yield name, NamesAlike(_SURE, Likeness.SAME, Likeness.SAME, turned, same=True)


_Reached = tuple[int, float, Likeness | None, Likeness | None]


def _with_both(
    people: PeopleIndex, firsts: Sequence[Reading], lasts: Sequence[Reading], least: float
) -> Iterator[_Reached]:
    """Names of which so many people could be that their evidence comes to the `least`."""
    of_first, of_last = people.vocabulary.counts
    for first in firsts:
        for name in people.names_of(first.number, 0):
            yield name, first.evidence * _LISTED_HALF, first.likeness, None
        for last in lasts:
            both = first.evidence * last.evidence
            if both * min(of_first[first.number], of_last[last.number]) >= least:
                for name in people.names_of(first.number, last.number):
                    yield name, both, first.likeness, last.likeness
    for last in lasts:
        for name in people.names_of(0, last.number):
            yield name, last.evidence * _LISTED_HALF, None, last.likeness


def _with_one(
    people: PeopleIndex, firsts: Sequence[Reading], lasts: Sequence[Reading]
) -> Iterator[_Reached]:
    """Where only one half was typed: who has no other either, or is among very few to have it."""
    most = min(_FEW, len(people) // _RARE)
    for role, readings in ((FIRST, firsts), (LAST, lasts)):
        for half, evidence, likeness in readings:
            kinds = (likeness, None) if role == FIRST else (None, likeness)
            for name in people.names_of(*((half, 0) if role == FIRST else (0, half))):
                yield name, evidence * _BOTH_HALF, *kinds
            if people.vocabulary.counts[role][half] <= most:
                for name in people.names_with(role, half):
                    yield name, evidence * _TYPED_HALF, *kinds


def _of_the_same_rare_name(
    people: PeopleIndex, asked: Asked, firsts: Sequence[Reading], lasts: Sequence[Reading]
) -> Iterator[tuple[int, NamesAlike]]:
    """Whoever alone has a long last name, whatever the first one, unless their emails differ."""
    if len(people) < _RARE:
        return
    likeness_of = {first.number: first.likeness for first in firsts}
    names, counts = people.vocabulary.names, people.vocabulary.counts[LAST]
    for last in lasts:
        if (
            last.likeness <= Likeness.LETTER
            and counts[last.number] == 1
            and len(names[last.number]) >= _LONG
        ):
            odds = _OTHER_FIRST * last.evidence / len(people)
            for name in people.names_with(LAST, last.number):
                mailboxes = {people.mailbox_of[row] for row in people.rows_of(name)}
                if asked.mailbox == 0 or 0 in mailboxes:
                    first = likeness_of.get(people.halves[FIRST][name])
                    yield name, NamesAlike(odds, first, last.likeness)


def _of_the_same_initial(
    people: PeopleIndex, initial: str, lasts: Sequence[Reading]
) -> Iterator[tuple[int, NamesAlike]]:
    for last in lasts:
        if people.vocabulary.counts[LAST][last.number] <= _MOST_BY_LAST_NAME:
            for name in people.names_with(LAST, last.number):
                if people.half(FIRST, name).startswith(initial):
                    odds = _STARTS_ALIKE * last.evidence * people.many[name] / len(people)
                    yield name, NamesAlike(odds, Likeness.INITIAL, last.likeness)
