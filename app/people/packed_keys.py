"""What everybody is searched by, in one piece of memory: an object for each would take as much
again. How the keys are looked through is left to `search`.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import lt
from typing import NamedTuple, Self

from app.store.ordering import Rows
from app.store.search_keys import SEPARATOR

END = "\n"
"""Stands behind each key: as the separator, below every character that a key can have."""
_END = END.encode()
_SEPARATOR = SEPARATOR.encode()
_GONE = 0
"""Where a key of nothing stands."""
_UNREAD = 0xFFFFFFFF
_NOBODY = frozenset({_GONE, _UNREAD})
# Whatever the copy gives has to be held, and found again by the same letters.
_ERRORS = "surrogatepass"


class KeyText(NamedTuple):
    """Keys of some rows side by side, in the order of the rows."""

    packed: bytes | bytearray
    start: int
    end: int

    @classmethod
    def of(cls, keys: Iterable[str]) -> Self:
        """These keys."""
        text = END.join(keys).encode(errors=_ERRORS)
        return cls(text, 0, len(text))

    def often(self, word: str, part: int) -> int:
        """How often a word stands in the first of so many parts of them."""
        end = self.start + (self.end - self.start) // part
        return self.packed.count(word.encode(errors=_ERRORS), self.start, end)

    def read(self) -> str:
        """All of them, with `END` between two."""
        return self.packed[self.start : self.end].decode(errors=_ERRORS)


class PackedKeys:
    """Keys by row number, each where it was put last; what it was before lies there until all are
    packed.
    """

    def __init__(self, unread: int = 0) -> None:
        """So many rows are there, and still to be read."""
        self._text = bytearray(_END)
        self._starts = array("I", [_UNREAD]) * unread

    def __len__(self) -> int:
        """How many rows there is room for."""
        return len(self._starts)

    def __getitem__(self, row: int, /) -> str:
        """Blank for somebody who is gone or has not been read."""
        start, text = self._starts[row], self._text
        return text[start : text.find(_END, start)].decode(errors=_ERRORS)

    def encoded(self, field: int = 0) -> Callable[[int], bytearray]:
        """What gives the key of a row in UTF-8, which sorts as its letters do, in half the time;
        until they are packed. Another field than the first is put in front of the whole key, and
        LookupError is raised for a row whose key has none.
        """
        starts, text, find = self._starts, self._text, self._text.find

        def key_of(row: int) -> bytearray:
            start = starts[row]
            return text[start : find(b"\n", start)]

        def by_field(row: int) -> bytearray:
            start = starts[row]
            key = text[start : find(b"\n", start)]
            return key.split(_SEPARATOR, field + 1)[field] + _SEPARATOR + key

        return by_field if field else key_of

    def make_room(self, rows: int) -> None:
        """Have room for so many rows."""
        missing = rows - len(self._starts)
        if missing > 0:
            self._starts.extend([_GONE] * missing)

    def put(self, rows: Iterable[int], keys: Iterable[str]) -> None:
        """These rows have these keys."""
        starts, at = self._starts, len(self._text)
        encoded = [key.encode(errors=_ERRORS) for key in keys]
        together = _END.join(encoded)
        if encoded and together.count(_END) >= len(encoded):  # in a damaged copy
            encoded = [key.replace(_END, b"") for key in encoded]
            together = _END.join(encoded)
        for row, key in zip(rows, encoded, strict=True):
            starts[row] = at if key else _GONE
            at += len(key) + 1
        if encoded:
            self._text += together
            self._text += _END

    def discard(self, rows: Iterable[int]) -> None:
        """Whoever had these rows is gone."""
        for row in rows:
            self._starts[row] = _GONE

    def unread_of(self, rows: Iterable[int]) -> list[int]:
        """Those of these who have not been read."""
        starts = self._starts
        return [row for row in rows if starts[row] == _UNREAD]

    def there(self, rows: slice) -> list[bool]:
        """Whether each of these rows is of somebody who was read and is there."""
        return [start not in _NOBODY for start in self._starts[rows]]

    def text_of(self, rows: Sequence[int]) -> KeyText:
        """The keys of these rows. Where they lie side by side already, nothing is copied."""
        text, starts = self._text, array("I", map(self._starts.__getitem__, rows))
        # One that was not read begins nowhere, and could only be the last of rising ones.
        if starts and starts[-1] != _UNREAD and all(map(lt, starts, starts[1:])):
            first, end = starts[0], text.find(_END, starts[-1])
            # As many keys as rows, and each row at one of them: these and no others.
            if text.count(_END, first, end) == len(starts) - 1:
                return KeyText(text, first, end)
        find = text.find
        together = _END.join([text[start : find(_END, start)] for start in starts])
        return KeyText(together, 0, len(together))

    def packing(self, rows: Rows, slice_size: int) -> Iterator[None]:
        """Have them lie in the order of `rows`, which are everybody's, once this has come to its
        end, slice by slice; for a moment they are there twice.

        Whoever asks meanwhile is answered as before. Nobody may come, change or go: who lets it run
        on gives it up where the order of the rows is another by then.
        """
        text, starts = bytearray(_END), array("I", [_GONE]) * len(self._starts)
        for first in range(0, len(rows), slice_size):
            part = rows[first : first + slice_size]
            keys, at = self.text_of(part), len(text)
            together = keys.packed[keys.start : keys.end]
            for row, key in zip(part, together.split(_END), strict=True):
                starts[row] = at if key else _GONE
                at += len(key) + 1
            text += together
            text += _END
            yield
        self._text, self._starts = text, starts
