"""PHP serialization, read strictly: scalars, arrays and stdClass as plain mappings, nothing else.

No object is ever built and no reference followed; every length and count is checked against what
is left before anything is taken (api-spec, Common conventions: the structure of the JSON).
"""

import math
import re

from app.api.errors import UnreadableAnswer
from app.api.formats.tree import DEEPEST, Tree, unreadable

_VALUE = re.compile(
    rb"(?P<null>N);"
    rb"|b:(?P<truth>[01]);"
    rb"|i:(?P<whole>0|-?[1-9][0-9]{0,18});"
    rb"|d:(?P<decimal>-?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,4})?);"
    rb'|s:(?P<text>0|[1-9][0-9]{0,9}):"'
    rb"|a:(?P<array>0|[1-9][0-9]{0,9}):\{"
    rb'|O:8:"stdClass":(?P<object>0|[1-9][0-9]{0,9}):\{'
)
_WHOLE_RANGE = range(-(2**63), 2**63)
_SHORTEST_ENTRY = len("i:0;N;")


def read(body: bytes) -> Tree:
    """The tree in `body`: an array numbered 0, 1, 2... is a list; raises UnreadableAnswer."""
    cursor = _Cursor(body)
    try:
        tree = cursor.value(DEEPEST)
    except RecursionError:
        raise cursor.unreadable("nested too deep") from None
    if cursor.place != len(body):
        raise cursor.unreadable("something is left over")
    return tree


class _Cursor:
    """The place in a document up to which it has been read."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.place = 0

    def unreadable(self, reason: str) -> UnreadableAnswer:
        return unreadable(
            f"not PHP serialization: {reason}, at {self.place} of {len(self._body)} bytes"
        )

    def value(self, levels: int) -> Tree:
        """The value that begins here; `levels` of nesting are left to it."""
        kind, written = self._next()
        if kind == "text":
            return self._text(int(written))
        if kind == "array":
            return self._array(int(written), levels)
        if kind == "object":
            return self._object(int(written), levels)
        if kind == "whole":
            return self._whole(written)
        if kind == "decimal":
            return self._decimal(written)
        return None if kind == "null" else written == b"1"

    def _next(self) -> tuple[str | None, bytes]:
        """What kind of value begins here, and its number or size as written."""
        found = _VALUE.match(self._body, self.place)
        if found is None:
            raise self.unreadable("no value that is known")
        self.place = found.end()
        return found.lastgroup, found[found.lastindex or 0]

    def _whole(self, written: bytes) -> int:
        value = int(written)
        if value not in _WHOLE_RANGE:
            raise self.unreadable("a number of too many digits")
        return value

    def _decimal(self, written: bytes) -> float:
        value = float(written)
        if not math.isfinite(value):
            raise self.unreadable("a number too large")
        return value

    def _text(self, size: int) -> str:
        start, end = self.place, self.place + size
        if self._body[end : end + 2] != b'";':
            raise self.unreadable("text of another length")
        self.place = end + 2
        try:
            return self._body[start:end].decode()
        except UnicodeError:
            raise self.unreadable("text that is not UTF-8") from None

    def _array(self, count: int, levels: int) -> Tree:
        entries, numbered = self._entries(count, levels)
        return list(entries.values()) if numbered else entries

    def _object(self, count: int, levels: int) -> Tree:
        entries, _ = self._entries(count, levels)
        if any(name.startswith("\0") for name in entries):
            raise self.unreadable("a member that is not public")
        return entries

    def _entries(self, count: int, levels: int) -> tuple[dict[str, Tree], bool]:
        """The entries up to the closing brace, and whether their keys are 0, 1, 2... in order."""
        if levels == 0:
            raise self.unreadable(f"nested deeper than {DEEPEST} levels")
        if count * _SHORTEST_ENTRY > len(self._body) - self.place:
            raise self.unreadable("more entries than there is room for")
        entries: dict[str, Tree] = {}
        numbered = True
        for number in range(count):
            key = self._key()
            if key in entries:
                raise self.unreadable("a key that stands twice")
            numbered = numbered and key == str(number)
            entries[key] = self.value(levels - 1)
        if self._body[self.place : self.place + 1] != b"}":
            raise self.unreadable("another number of entries")
        self.place += 1
        return entries, numbered

    def _key(self) -> str:
        kind, written = self._next()
        if kind == "text":
            return self._text(int(written))
        if kind == "whole":
            return str(self._whole(written))
        raise self.unreadable("a key that is neither text nor a number")
