"""How well a few typed letters fit what something is called: whole words, beginnings, slips."""

from collections.abc import Sequence
from functools import lru_cache

from app.store.search_keys import search_text

BEGINS = 100.0
"""Each typed word begins one of the name's."""
_WITHIN, _SLIP, _LETTERS = 80.0, 60.0, 40.0
_LEAST_FOR_SLIP = 4
"""Letters: with fewer, most words would be a slip of most others."""
_LEAST_FOR_LETTERS = 3
_ALIKE = 70.0
"""Out of 100: one letter of four may be another, or two that changed places."""

folded = lru_cache(4_096)(search_text)
"""Names as they are compared."""


def fit(wanted: Sequence[str], name: str) -> float:
    """0 where the folded `wanted` words do not lead to the folded `name`, else 1 to 100."""
    words = name.split()
    if not wanted or not words:
        return 0.0
    if plain := fit_as_written(wanted, name):
        return plain
    if slips := fit_with_slips(wanted, name):
        return slips
    return fit_in_order("".join(wanted), name)


def fit_as_written(wanted: Sequence[str], name: str) -> float:
    """The same where nothing is forgiven: every word has to stand in the name as it was typed."""
    words = name.split()
    if all(any(each.startswith(word) for each in words) for word in wanted):
        return BEGINS
    return _WITHIN if all(word in name for word in wanted) else 0.0


def fit_with_slips(wanted: Sequence[str], name: str) -> float:
    """The same where each word may be mistyped."""
    slips = [slip(word, name.split()) for word in wanted]
    return _SLIP * sum(slips) / len(slips) / 100 if all(slips) else 0.0


def fit_in_order(letters: str, name: str) -> float:
    """The same where a few letters were typed that stand in the name in their order."""
    if len(letters) >= _LEAST_FOR_LETTERS and _in_order(letters, name.split()):
        return _LETTERS
    return 0.0


def slip(word: str, words: Sequence[str]) -> float:
    """How like the beginning of one of `words` it is, as typed in a hurry; 0 for not alike."""
    if any(each.startswith(word) for each in words):
        return 100.0
    if len(word) < _LEAST_FOR_SLIP:
        return 0.0
    from rapidfuzz import fuzz  # noqa: PLC0415 - no start needs it

    best, many = 0.0, len(word)
    for each in words:
        for beginning in (each[:many], each[: many + 1]):
            best = max(best, fuzz.ratio(word, beginning, score_cutoff=_ALIKE))
    return best


def _in_order(typed: str, words: Sequence[str]) -> bool:
    """Whether the letters stand one behind the other in it, the first at the head of a word."""
    for at, word in enumerate(words):
        if word.startswith(typed[0]):
            rest = iter(" ".join(words[at:]))
            if all(letter in rest for letter in typed):
                return True
    return False
