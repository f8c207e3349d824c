"""Every first and last name there is, once each, and which of them one that is typed may be.

A typed name is taken for a message that came through a noisy line: how often what stands in the
list arrives as what was typed, against how often it arrives when somebody else is meant.
"""

from array import array
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache
from operator import itemgetter
from typing import NamedTuple, Protocol

from app.people.duplicates.names import compared, is_of_whole_words, words_of
from app.people.duplicates.nicknames import long_forms, short_forms, siblings
from app.people.duplicates.postings import Postings

FIRST, LAST = 0, 1


class Likeness(IntEnum):
    """How one name may have become the other, the likeliest first."""

    SAME = 0
    LETTER = 1
    LETTERS = 2
    SHORT = 3
    PART = 4
    INITIAL = 5


class Chance(NamedTuple):
    """A name of the list, and how often it arrives as the typed one."""

    number: int
    chance: float
    likeness: Likeness


class Reading(NamedTuple):
    """A name of the list that a typed one may be: how, and by how much that is likelier than that
    somebody else is meant.
    """

    number: int
    evidence: float
    likeness: Likeness


_OF_FIRST_NAMES = frozenset({Likeness.SHORT, Likeness.INITIAL})
_evidence = itemgetter(1)

_SAME = 0.8
_ONE_LETTER = 0.08
_TWO_LETTERS = 0.02
_THREE_LETTERS = 0.01
_SHORT = 0.03
_SIBLING = 0.006
_PART = 0.01
_INITIAL = 0.01
_FIRST_LETTER = 0.03
"""How often a slip is in the first letter, against how often it would be if all were alike."""
_SOUNDS = {letter: alike[0] for alike in ("ck", "fvw", "ijy", "sz") for letter in alike}
"""First letters that are written for one another: Catherine and Katherine."""
_SLIPS = 10
"""Other ways, for each letter, in which one slip might have gone."""
_UNKNOWN = 1e-6
"""How often a name is one that nobody in the list has, however it is spelled."""
_UNSEEN_PEOPLE = 500
"""As if so many others were known as well: a short list says little of how common a name is."""
_SLIPS_OF = (0, 0, 1, 1, 2, 2, 2, 3)
"""How many slips are thought of in a name of so many letters; in a longer one, as many as last."""
_IN_BLOCKS = _SLIPS_OF.index(2)
"""Letters of a name that may be two slips from another."""
_SHORTEST_UNSPACED = 4
_INDEXED = 24
_BLOCK = 3
_MOST_IN_BLOCK = 500
_SHORT_NAME = 6
"""Letters: of two short names that are two slips apart neither end need be the same."""
_MOST_READINGS = 24
_SHORTEST_PART = 3


class Vocabulary:
    """Names by number; 0 is the blank one. What there once was stays, for it may come back."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self.names: list[str] = [""]
        self.counts = (array("I", (0,)), array("I", (0,)))
        """How many people have it as their first and as their last name."""
        self._near = Postings()
        self._parts = Postings()

    def number(self, name: str) -> int | None:
        """The number of a compared name, None where nobody has or had it."""
        return self._numbers.get(name)

    def take(self, name: str, written: str | None) -> int:
        """The number of a compared name, new where it has to be."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
            for counts in self.counts:
                counts.append(0)
            for key in _keys(name):
                self._near.add(key, number)
            words = words_of(written)
            if len(words) > 1:
                for word in _telling(words):
                    self._parts.add(word, number)
        return number

    def chances(self, written: str, least: float = 0.0) -> list[Chance]:
        """Which names there are may have arrived as the typed one, and how often each would.

        Slips that come about less often than the `least` are not looked for.
        """
        name = compared(written)
        if not name:
            return []
        likeliest: dict[int, Chance] = {}
        for each in self._chances(name, written, least):
            before = likeliest.get(each.number)
            if before is None or each.chance > before.chance:
                likeliest[each.number] = each
        return list(likeliest.values())

    def likeness(self, one: str, other: str, written: str = "") -> Likeness | None:
        """How one of two compared names may have become the other; None where it has not.

        The same as in `chances`, however many other names there are. `written` is `one` as it was
        typed, where nobody may have it.
        """
        if one == other:
            return Likeness.SAME
        if not one or not other:
            return None
        if other in short_forms(one) or other in long_forms(one) or other in siblings(one):
            return Likeness.SHORT
        if self._is_part(one, other) or self._is_part(other, one, written):
            return Likeness.PART
        if one[0] == other[0] and 1 in (len(one), len(other)):
            return Likeness.INITIAL
        most = min(_most_slips(one), _most_slips(other))
        slips = _distance()(one, other, score_cutoff=most) if most else 1
        return _SLIP_LIKENESS[slips] if slips <= most and _digits(one) == _digits(other) else None

    def readings(self, chances: Iterable[Chance], role: int, people: int) -> list[Reading]:
        """What was typed as a first or last name may be among `people`, the likeliest first."""
        counts = self.counts[role]
        possible = [
            each
            for each in chances
            if counts[each.number] and (role == FIRST or each.likeness not in _OF_FIRST_NAMES)
        ]
        everybody = people + _UNSEEN_PEOPLE
        typed = _UNKNOWN + sum(counts[each.number] * each.chance for each in possible) / everybody
        found = [Reading(each.number, each.chance / typed, each.likeness) for each in possible]
        found.sort(key=_evidence, reverse=True)
        return found[:_MOST_READINGS]

    def least_chance(self, number: int, role: int, people: int, evidence: float) -> float:
        """How often another name has to arrive as this one of the list to be worth so much."""
        there = self.counts[role][number] * _SAME / (people + _UNSEEN_PEOPLE)
        return evidence * (_UNKNOWN + there)

    def most_evidence(self, people: int) -> float:
        """More does not speak for any reading: that of a name which one person has."""
        return people + _UNSEEN_PEOPLE

    def _chances(self, name: str, written: str, least: float) -> Iterator[Chance]:
        for number in self._known((name,)):
            yield Chance(number, _SAME, Likeness.SAME)
        yield from self._with_slips(name, least)
        for number in self._known((*short_forms(name), *long_forms(name))):
            yield Chance(number, _SHORT, Likeness.SHORT)
        for number in self._known(siblings(name)):
            yield Chance(number, _SIBLING, Likeness.SHORT)
        for number in self._known((name[0],)):
            yield Chance(number, _INITIAL, Likeness.INITIAL)
        for number in self._parts.get(name, _MOST_READINGS):
            if name in self.names[number]:
                yield Chance(number, _PART, Likeness.PART)
        words = words_of(written)
        if len(words) > 1:
            for number in self._known(_telling(words)):
                yield Chance(number, _PART, Likeness.PART)

    def _is_part(self, part: str, name: str, written: str = "") -> bool:
        if part not in name:
            return False
        number = self._numbers.get(name)
        if number is not None and self._parts.has(part, number):
            return True
        words = words_of(written)
        return len(words) > 1 and part in _telling(words)

    def _known(self, names: Iterable[str]) -> Iterator[int]:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                yield number

    def _with_slips(self, name: str, least: float) -> Iterator[Chance]:
        most = _most_slips(name)
        while most and _slip_chance(most, _fewest_letters(name, most)) < least:
            most -= 1
        if not most:
            return
        near: set[int] = set()
        for key in _keys(name, most):
            found = self._near.get(key, _MOST_IN_BLOCK + 1)
            if len(found) <= _MOST_IN_BLOCK:
                near.update(found)
        numbers = list(near)
        names = [self.names[number] for number in numbers]
        digits, sound = _digits(name), _sound(name)
        from rapidfuzz import process  # noqa: PLC0415 - as in `_distance`

        for other, slips, place in process.extract(
            name, names, scorer=_distance(), score_cutoff=most, limit=None
        ):
            if 0 < slips <= _most_slips(other) and _digits(other) == digits:
                chance = _slip_chance(slips, len(other))
                if _sound(other) != sound:
                    chance *= _FIRST_LETTER
                if chance >= least:
                    yield Chance(numbers[place], chance, _SLIP_LIKENESS[slips])


class _Distance(Protocol):
    def __call__(self, one: str, other: str, /, *, score_cutoff: int | None = None) -> int:
        """How many slips they are apart; one more than `score_cutoff` where that is more."""


@cache
def load_comparison() -> None:
    """Have ready what compares names, for which the first to be compared would wait otherwise."""
    from rapidfuzz import process  # noqa: F401, PLC0415 - as in `_distance`

    _distance()
    short_forms("")


@cache
def _distance() -> _Distance:
    """Loaded with the first two names that are compared: no start has to wait for it."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - see above

    return OSA.distance


_SLIP_LIKENESS = (Likeness.SAME, Likeness.LETTER, Likeness.LETTERS, Likeness.LETTERS)


def _slip_chance(slips: int, letters: int) -> float:
    ways = _SLIPS * letters
    if slips == 1:
        return _ONE_LETTER / ways
    if slips == 2:  # noqa: PLR2004
        return _TWO_LETTERS * 2 / ways**2
    return _THREE_LETTERS * 6 / ways**3


def _sound(name: str) -> str:
    """The first letter, one for all that are written for it."""
    first = name[0]
    return _SOUNDS.get(first, first)


def _most_slips(name: str) -> int:
    """Where each letter is a word of its own, another letter is another name."""
    letters = len(name)
    if letters >= len(_SLIPS_OF):
        return _SLIPS_OF[-1]
    if letters < _SHORTEST_UNSPACED and is_of_whole_words(name):
        return 0
    return _SLIPS_OF[letters]


def _fewest_letters(name: str, slips: int) -> int:
    """Of another that is so many slips away."""
    return max(len(name) - slips, _SLIPS_OF.index(slips))


def _digits(name: str) -> str:
    """People who are told apart by a number are told apart."""
    return "" if name.isalpha() else "".join(filter(str.isdecimal, name))


def _keys(name: str, slips: int = _SLIPS_OF[-1]) -> set[object]:
    """What two names have in common that are one slip apart, and nearly all that are more apart.

    Digits stay with each: where everybody has a number, few have that one.
    """
    digits = _digits(name)
    seen = ("".join(each for each in name if not each.isdecimal()) if digits else name)[:_INDEXED]
    fewer = _with_one_less(seen)
    keys: set[object] = {seen + digits, *(each + digits for each in fewer)}
    if slips > 1 and len(seen) >= _IN_BLOCKS:
        keys |= {(FIRST, seen[:_BLOCK], digits), (LAST, _sound(name) + seen[-_BLOCK:], digits)}
        if len(seen) <= _SHORT_NAME:
            keys.update(each + digits for one in fewer for each in _with_one_less(one))
    return keys


def _with_one_less(letters: str) -> set[str]:
    return {letters[:at] + letters[at + 1 :] for at in range(len(letters))}


def _telling(words: Iterable[str]) -> Iterator[str]:
    """Words that a name may be known by alone: not `de`, not `y`."""
    return (word for word in words if len(word) >= _SHORTEST_PART or is_of_whole_words(word))
