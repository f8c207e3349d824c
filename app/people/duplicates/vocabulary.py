"""Every first and last name there is, once each, and which of them one that is typed may be.

A typed name is taken for a message that came through a noisy line: how often what stands in the
list arrives as what was typed, against how often it arrives when somebody else is meant.
"""

from array import array
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from rapidfuzz.distance import OSA

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


class Reading(NamedTuple):
    """A name of the list that a typed one may be: how, and by how much that is likelier than that
    somebody else is meant.
    """

    number: int
    evidence: float
    likeness: Likeness


_SAME = 0.8
_ONE_LETTER = 0.08
_TWO_LETTERS = 0.03
_THREE_LETTERS = 0.01
_SHORT = 0.03
_SIBLING = 0.006
_PART = 0.01
_INITIAL = 0.01
_SLIPS = 10
"""Other ways, for each letter, in which one slip might have gone."""
_UNKNOWN = 1e-6
"""How often a name is one that nobody in the list has, however it is spelled."""
_UNSEEN_PEOPLE = 500
"""As if so many others were known as well: a short list says little of how common a name is."""
_SHORTEST = (0, 2, 4, 7)
"""Letters a name needs so that none, one, two or three slips are thought of."""
_SHORTEST_UNSPACED = 4
_INDEXED = 24
_BLOCK = 4
_MOST_IN_BLOCK = 600
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

    def readings(self, written: str, role: int, people: int) -> list[Reading]:
        """What a typed first or last name may be among `people`, the likeliest first."""
        name = compared(written)
        if not name:
            return []
        counts = self.counts[role]
        noted: dict[int, tuple[float, Likeness]] = {}
        for number, chance, likeness in self._chances(name, written, role):
            if counts[number] and chance > noted.get(number, (0.0,))[0]:
                noted[number] = chance, likeness
        everybody = people + _UNSEEN_PEOPLE
        by_chance = _UNKNOWN + sum(
            counts[number] / everybody * chance for number, (chance, _) in noted.items()
        )
        found = [
            Reading(number, chance / by_chance, likeness)
            for number, (chance, likeness) in noted.items()
        ]
        found.sort(key=lambda reading: reading.evidence, reverse=True)
        return found[:_MOST_READINGS]

    def _chances(self, name: str, written: str, role: int) -> Iterator[tuple[int, float, Likeness]]:
        """Names there are, and how often each would arrive as the typed one."""
        exact = self._numbers.get(name)
        if exact is not None:
            yield exact, _SAME, Likeness.SAME
        yield from self._with_slips(name)
        if role == FIRST:
            for chance, forms in (
                (_SHORT, (*short_forms(name), *long_forms(name))),
                (_SIBLING, tuple(siblings(name))),
            ):
                for number in self._known(forms):
                    yield number, chance, Likeness.SHORT
            for number in self._known((name[0],)):
                yield number, _INITIAL, Likeness.INITIAL
        words = words_of(written)
        for number in self._parts.get(name)[:_MOST_READINGS]:
            yield number, _PART, Likeness.PART
        if len(words) > 1:
            for number in self._known(_telling(words)):
                yield number, _PART, Likeness.PART

    def _known(self, names: Iterable[str]) -> Iterator[int]:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                yield number

    def _with_slips(self, name: str) -> Iterator[tuple[int, float, Likeness]]:
        most = _most_slips(name)
        if not most:
            return
        digits = _digits(name)
        near: set[int] = set()
        for key in _keys(name):
            found = self._near.get(key)
            if len(found) <= _MOST_IN_BLOCK:
                near.update(found)
        names = self.names
        for number in near:
            other = names[number]
            slips = OSA.distance(name, other, score_cutoff=most)
            if 0 < slips <= min(most, _most_slips(other)) and _digits(other) == digits:
                yield number, _slip_chance(slips, len(other)), _SLIP_LIKENESS[slips]


_SLIP_LIKENESS = (Likeness.SAME, Likeness.LETTER, Likeness.LETTERS, Likeness.LETTERS)


def _slip_chance(slips: int, letters: int) -> float:
    ways = _SLIPS * letters
    if slips == 1:
        return _ONE_LETTER / ways
    if slips == 2:  # noqa: PLR2004
        return _TWO_LETTERS * 2 / ways**2
    return _THREE_LETTERS * 6 / ways**3


def _most_slips(name: str) -> int:
    """Where each letter is a word of its own, another letter is another name."""
    letters = len(name)
    if is_of_whole_words(name) and letters < _SHORTEST_UNSPACED:
        return 0
    return sum(letters >= shortest for shortest in _SHORTEST[1:])


def _digits(name: str) -> str:
    """People who are told apart by a number are told apart."""
    return "" if name.isalpha() else "".join(filter(str.isdecimal, name))


def _keys(name: str) -> set[object]:
    """What two names have in common that are one slip apart, and most that are two apart."""
    seen = name[:_INDEXED]
    keys: set[object] = {seen, *(seen[:at] + seen[at + 1 :] for at in range(len(seen)))}
    if len(name) >= _SHORTEST[2]:
        keys |= {(FIRST, name[:_BLOCK]), (LAST, name[-_BLOCK:])}
    return keys


def _telling(words: Iterable[str]) -> Iterator[str]:
    """Words that a name may be known by alone: not `de`, not `y`."""
    return (word for word in words if len(word) >= _SHORTEST_PART or is_of_whole_words(word))
