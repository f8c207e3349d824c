"""An inverted index in arrays: numbers by key, about ten bytes each, with no order to keep up; and
rows by key in chains, for keys that very many may have.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator
from itertools import islice

_TAG = 0xFFFFFFFF
_NUMBER_BITS = 32
_FILLED = 32
"""Numbers in a bucket on average: a few more cost a lookup nothing, many fewer cost memory."""


class Postings:
    """Numbers (32 bits) by key. Very rarely one of another key is among them: compare again.

    It grows by one bucket at a time (linear hashing), so that no addition takes long.
    """

    def __init__(self) -> None:
        self._buckets = [array("Q")]
        self._many = 0
        self._low = 1
        """A power of two: the buckets there were when the last round of splitting began."""

    def add(self, key: Hashable, number: int) -> None:
        """Note a number under a key; it may have several, and the same one twice."""
        tag = hash(key) & _TAG
        self._bucket(tag).append(tag << _NUMBER_BITS | number)
        self._many += 1
        if self._many > _FILLED * len(self._buckets):
            self._split()

    def discard(self, key: Hashable, number: int) -> None:
        """Forget a number of a key, once."""
        tag = hash(key) & _TAG
        packed = tag << _NUMBER_BITS | number
        bucket = self._bucket(tag)
        if packed in bucket:
            bucket.remove(packed)
            self._many -= 1

    def get(self, key: Hashable, most: int | None = None) -> list[int]:
        """The numbers of a key, in no order; with `most`, no more than that are looked for."""
        tag = hash(key) & _TAG
        bucket = self._bucket(tag)
        if most is None or len(bucket) <= most:  # a list at once takes half the time
            return [each & _TAG for each in bucket if each >> _NUMBER_BITS == tag]
        return list(islice((each & _TAG for each in bucket if each >> _NUMBER_BITS == tag), most))

    def has(self, key: Hashable, number: int) -> bool:
        """Whether a number was noted under a key."""
        tag = hash(key) & _TAG
        return (tag << _NUMBER_BITS | number) in self._bucket(tag)

    def _bucket(self, tag: int) -> "array[int]":
        position = tag & (2 * self._low - 1)
        return self._buckets[position if position < len(self._buckets) else position - self._low]

    def _split(self) -> None:
        old = len(self._buckets) - self._low
        bit = self._low << _NUMBER_BITS
        everything = self._buckets[old]
        self._buckets[old] = array("Q", [each for each in everything if not each & bit])
        self._buckets.append(array("Q", [each for each in everything if each & bit]))
        if len(self._buckets) == 2 * self._low:
            self._low *= 2


_NONE = 0xFFFFFFFF


class Chains:
    """Rows by key, the newest first: taking one in or out costs the same however many it has."""

    def __init__(self, key_of: Callable[[int], Hashable]) -> None:
        """`key_of` gives the key of a row as long as the row is in one of the chains."""
        self._key_of = key_of
        self._newest = Postings()
        self._next = array("I")
        self._previous = array("I")

    def add(self, row: int) -> None:
        """Put a row at the beginning of the chain of its key."""
        missing = row + 1 - len(self._next)
        if missing > 0:
            self._next.extend([_NONE] * missing)
            self._previous.extend([_NONE] * missing)
        key = self._key_of(row)
        before = self._first(key)
        self._next[row], self._previous[row] = before, _NONE
        if before != _NONE:
            self._previous[before] = row
            self._newest.discard(key, before)
        self._newest.add(key, row)

    def discard(self, row: int) -> None:
        """Take out a row that was put in and still has its key."""
        key = self._key_of(row)
        after, before = self._next[row], self._previous[row]
        if after != _NONE:
            self._previous[after] = before
        if before != _NONE:
            self._next[before] = after
            return
        self._newest.discard(key, row)
        if after != _NONE:
            self._newest.add(key, after)

    def get(self, key: Hashable) -> Iterator[int]:
        """The rows of a key, the newest first."""
        row = self._first(key)
        while row != _NONE:
            yield row
            row = self._next[row]

    def has_others(self, row: int) -> bool:
        """Whether the key of a row that was put in has other rows, too."""
        return self._next[row] != _NONE or self._previous[row] != _NONE

    def _first(self, key: Hashable) -> int:
        return next((row for row in self._newest.get(key) if self._key_of(row) == key), _NONE)
