"""Looking for people by what is typed: each word anywhere, in slices that can be stopped.

It knows queries and keys; where the keys are kept, and when to give up, is decided by others.
"""

import re
from collections.abc import Iterator, Sequence

from app.store.folding import fold
from app.store.keys import digits_of, search_text

__all__ = ["SLICE", "fold", "matches", "search_slices", "words"]

SLICE = 4_000
"""Rows looked at before the caller gets its turn: well under a frame."""

# A word as phone numbers are written, and not just one sign of it.
_PHONE_LIKE = re.compile(r"[+(]*[0-9][0-9+()./-]*")


def words(query: str) -> tuple[str, ...]:
    """What each of must be found: the folded words of `query`, the longest (rarest) first.

    Words that stand together and look like parts of a phone number are one number, so that it is
    found however it was blanked.
    """
    found: list[str] = []
    number = ""
    for word in search_text(query).split():
        if _PHONE_LIKE.fullmatch(word):
            number += digits_of(word)
            continue
        found += [number, word]
        number = ""
    return tuple(sorted({*found, number} - {""}, key=lambda word: (-len(word), word)))


def matches(key: str, wanted: Sequence[str]) -> bool:
    """Whether every one of the wanted words stands somewhere in `key`."""
    return all(word in key for word in wanted)


def search_slices(
    rows: Sequence[int], keys: Sequence[str], wanted: Sequence[str], slice_size: int = SLICE
) -> Iterator[list[int]]:
    """The rows, in their order, whose key has every wanted word, slice by slice.

    `keys` is looked up by row number; a blank key is of somebody who is gone and never found. Each
    step gives what one slice of `rows` yields, often nothing, so that the caller can draw it, let
    the event loop run, or stop.
    """
    for start in range(0, len(rows), slice_size):
        found = [row for row in rows[start : start + slice_size] if keys[row]]
        for word in wanted:
            found = [row for row in found if word in keys[row]]
        yield found
