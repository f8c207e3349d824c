"""How well a few typed letters fit what something is called: whole words, beginnings, slips."""

from collections.abc import Sequence
from functools import lru_cache

from app.store.search_keys import search_text

BEGINS = 100.0
"""Each typed word begins one of the name's."""
_BEGINS_FURTHER, _WITHIN, _SLIP, _LETTERS = 90.0, 80.0, 60.0, 40.0
_LEAST_FOR_SLIP = 4
"""Letters: with fewer, most words would be a slip of most others."""
_LEAST_TO_BEGIN = 5
"""Letters: with fewer, one slip in the beginning of a longer word leads to too many others."""
_LEAST_FOR_TWO_SLIPS = 8
_LEAST_FOR_LETTERS = 3

folded = lru_cache(4_096)(search_text)
"""Names as they are compared."""


def fits(wanted: Sequence[str], names: Sequence[tuple[str, str]]) -> list[float]:
    """For each of the `names` 0 where the folded `wanted` words do not lead to it, else 1 to 100.

    Each is told by its folded name and by folded words that others use for the same.
    """
    found = [_fit_of_words(wanted, *each) if wanted and each[0] else 0.0 for each in names]
    left = [at for at, well in enumerate(found) if not well and wanted and names[at][0]]
    slips = _fits_with_slips(wanted, [" ".join(names[at]) for at in left])
    letters = "".join(wanted)
    for at, well in zip(left, slips, strict=True):
        found[at] = well or fit_in_order(letters, names[at][0])
    return found


def _fit_of_words(wanted: Sequence[str], name: str, further: str) -> float:
    plain = fit_as_written(wanted, name)
    if plain < BEGINS and further:
        words = [*name.split(), *further.split()]
        if all(any(each.startswith(word) for each in words) for word in wanted):
            return BEGINS if set(wanted) <= set(words) else _BEGINS_FURTHER
    return plain


def fit_as_written(wanted: Sequence[str], name: str) -> float:
    """The same where nothing is forgiven: every word has to stand in the name as it was typed."""
    # Plain loops: with each key hundreds of names are looked at before the next frame.
    for word in wanted:
        if word not in name:
            return 0.0
    begun = f" {name}"
    for word in wanted:
        if f" {word}" not in begun:
            return _WITHIN
    return BEGINS


def fit_with_slips(wanted: Sequence[str], name: str) -> float:
    """The same where each word may be mistyped."""
    return _fit_of_slips([slip(word, name.split()) for word in wanted])


def _fit_of_slips(slips: Sequence[float]) -> float:
    return _SLIP * sum(slips) / len(slips) / 100 if all(slips) else 0.0


def _fits_with_slips(wanted: Sequence[str], names: Sequence[str]) -> list[float]:
    """The same for each of many names: what their words are compared with is gone through once."""
    words = tuple({word for name in names for word in name.split()})
    alike = [{each: well for well, each in words_like(word, words)} for word in wanted]

    def slips(name: str) -> list[float]:
        return [max((like.get(each, 0.0) for each in name.split()), default=0.0) for like in alike]

    return [_fit_of_slips(slips(name)) for name in names]


def fit_in_order(letters: str, name: str) -> float:
    """The same where a few letters were typed that stand in the name in their order."""
    if len(letters) >= _LEAST_FOR_LETTERS and _in_order(letters, name.split()):
        return _LETTERS
    return 0.0


def slip(word: str, words: Sequence[str]) -> float:
    """How like one of `words`, or the beginning of one, it is, as typed in a hurry; 0 for not
    alike. A slip is a letter too many, missing or another, or two that changed places.
    """
    if any(each.startswith(word) for each in words):
        return 100.0
    if len(word) < _LEAST_FOR_SLIP:
        return 0.0
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - no start needs it

    many = len(word)
    most = 2 if many >= _LEAST_FOR_TWO_SLIPS else 1
    fewest = most + 1
    for each in words:
        ends = (many - 1, many, many + 1) if many >= _LEAST_TO_BEGIN else (len(each),)
        for end in ends:
            fewest = min(fewest, OSA.distance(word, each[:end], score_cutoff=most))
    return 100.0 * (1 - fewest / many) if fewest <= most else 0.0


def words_like(word: str, words: Sequence[str]) -> list[tuple[float, str]]:
    """Those of `words` that `slip` gives anything for, with what it gives; of thousands at once."""
    found = {each for each in words if each.startswith(word)}
    many = len(word)
    if many >= _LEAST_FOR_SLIP:
        from rapidfuzz import process  # noqa: PLC0415 - as below
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - no start needs it

        ends = (many - 1, many, many + 1) if many >= _LEAST_TO_BEGIN else (None,)
        most = 2 if many >= _LEAST_FOR_TWO_SLIPS else 1
        for end in ends:
            heads = [each[:end] for each in words]
            alike = process.extract(word, heads, scorer=OSA.distance, score_cutoff=most, limit=None)
            found.update(words[at] for _, _, at in alike)
    return [(well, each) for each in sorted(found) if (well := slip(word, (each,)))]


def _in_order(typed: str, words: Sequence[str]) -> bool:
    """Whether the letters stand one behind the other in it, the first at the head of a word."""
    for at, word in enumerate(words):
        if word.startswith(typed[0]):
            rest = iter(" ".join(words[at:]))
            if all(letter in rest for letter in typed):
                return True
    return False
