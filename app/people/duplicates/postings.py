"""An inverted index in arrays: numbers by key, eight bytes each, with no order to keep up."""

from array import array
from collections.abc import Hashable

_BITS = 14
_BUCKETS = 1 << _BITS
_TAG = 0xFFFFFFFF


class Postings:
    """Numbers (32 bits) by key. Very rarely one of another key is among them: compare again."""

    def __init__(self) -> None:
        self._buckets: list[array[int] | None] = [None] * _BUCKETS

    def add(self, key: Hashable, number: int) -> None:
        """Note a number under a key; it may have several, and the same one twice."""
        place, packed = _packed(key, number)
        bucket = self._buckets[place]
        if bucket is None:
            self._buckets[place] = array("Q", (packed,))
        else:
            bucket.append(packed)

    def discard(self, key: Hashable, number: int) -> None:
        """Forget a number of a key, once."""
        place, packed = _packed(key, number)
        bucket = self._buckets[place]
        if bucket is not None and packed in bucket:
            bucket.remove(packed)

    def get(self, key: Hashable) -> list[int]:
        """The numbers of a key, the oldest first."""
        mixed = hash(key)
        bucket = self._buckets[mixed % _BUCKETS]
        if bucket is None:
            return []
        tag = (mixed >> _BITS) & _TAG
        return [packed & _TAG for packed in bucket if packed >> 32 == tag]


def _packed(key: Hashable, number: int) -> tuple[int, int]:
    mixed = hash(key)
    return mixed % _BUCKETS, ((mixed >> _BITS) & _TAG) << 32 | number
