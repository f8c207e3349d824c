"""An inverted index in arrays: numbers by key, about ten bytes each, with no order to keep up."""

from array import array
from collections.abc import Hashable

_TAG = 0xFFFFFFFF
_NUMBER_BITS = 32
_FILLED = 16
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

    def get(self, key: Hashable) -> list[int]:
        """The numbers of a key, in no order."""
        tag = hash(key) & _TAG
        return [each & _TAG for each in self._bucket(tag) if each >> _NUMBER_BITS == tag]

    def _bucket(self, tag: int) -> "array[int]":
        place = tag & (2 * self._low - 1)
        return self._buckets[place if place < len(self._buckets) else place - self._low]

    def _split(self) -> None:
        old = len(self._buckets) - self._low
        bit = self._low << _NUMBER_BITS
        everything = self._buckets[old]
        self._buckets[old] = array("Q", [each for each in everything if not each & bit])
        self._buckets.append(array("Q", [each for each in everything if each & bit]))
        if len(self._buckets) == 2 * self._low:
            self._low *= 2
