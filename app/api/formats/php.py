"""PHP serialization, read strictly: scalars, arrays and stdClass as plain mappings, nothing else.

No object is ever built and no reference followed; every length and count is checked against what
is left before anything is taken (api-spec, Common conventions: the structure of the JSON).
"""

import codecs
import math
import re
from sys import getsizeof

from app.api.errors import UnreadableAnswer
from app.api.formats.decoding_budget import (
    DEEPEST,
    LONGEST_TEXT,
    Budget,
    TooCostly,
    too_deep,
)
from app.api.formats.tree import Tree, unreadable

_VALUE = re.compile(
    rb"(?P<null>N);"
    rb"|b:(?P<truth>[01]);"
    rb"|i:(?P<whole>0|-?[1-9][0-9]{0,18});"
    rb"|d:(?P<decimal>-?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,4})?);"
    rb"|d:(?P<odd>-?INF|NAN);"
    rb'|s:(?P<text>0|[1-9][0-9]{0,9}):"'
    rb"|a:(?P<array>0|[1-9][0-9]{0,9}):\{"
    rb'|O:8:"stdClass":(?P<object>0|[1-9][0-9]{0,9}):\{'
)
_BLANKS = re.compile(rb"[ \t\r\n]{0,1024}")
_MOST_SHARED = 10_000
_SCALAR = getsizeof(2**63)
_WHOLE_RANGE = range(-(2**63), 2**63)
_SHORTEST_ENTRY = len("i:0;N;")


def read(body: bytes, budget: Budget) -> Tree:
    """The tree in `body`: an array numbered 0, 1, 2... is a list; raises UnreadableAnswer.

    Seen in the field: a byte order mark in front, or line ends around it, from the script's file.
    """
    cursor = _Cursor(body, budget)
    cursor.place = len(codecs.BOM_UTF8) if body.startswith(codecs.BOM_UTF8) else 0
    cursor.skip_blanks()
    tree = cursor.value(DEEPEST)
    cursor.skip_blanks()
    if cursor.place != len(body):
        raise cursor.unreadable("something is left over")
    return tree


class _Cursor:
    """The place in a document up to which it has been read."""

    def __init__(self, body: bytes, budget: Budget) -> None:
        self._body = body
        self._budget = budget
        self._names: dict[str, str] = {}
        self.place = 0

    def skip_blanks(self) -> None:
        """Go to what is no line end and no blank."""
        found = _BLANKS.match(self._body, self.place)
        self.place = found.end() if found else self.place

    def unreadable(self, reason: str) -> UnreadableAnswer:
        return unreadable(
            f"not PHP serialization: {reason}, at {self.place} of {len(self._body)} bytes"
        )

    def value(self, levels: int) -> Tree:
        """The value that begins here; `levels` of nesting are left to it."""
        kind, written = self._next()
        if kind == "text":
            text = self._text(int(written))
            self._budget.spend(getsizeof(text))
            return text
        if kind in {"array", "object"}:
            if not levels:
                raise too_deep()
            return self._entries(int(written), levels, as_object=kind == "object")
        self._budget.spend(_SCALAR)
        if kind == "whole":
            return self._whole(written)
        if kind in {"decimal", "odd"}:
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
        if size > LONGEST_TEXT:
            raise self.unreadable("text that is too long")
        self.place = end + 2
        try:
            return self._body[start:end].decode()
        except UnicodeError:
            raise self.unreadable("text that is not UTF-8") from None

    def _entries(self, count: int, levels: int, *, as_object: bool) -> Tree:
        """The entries up to the closing brace: a list where the keys of an array are 0, 1, 2..."""
        if count * _SHORTEST_ENTRY > len(self._body) - self.place:
            raise self.unreadable("more entries than there is room for")
        if count > self._budget.names:
            raise TooCostly.of("too many keys")
        self._budget.spend(0, containers=1)
        entries: dict[str, Tree] = {}
        numbered = not as_object
        for number in range(count):
            key = self._key()
            if key in entries:
                raise self.unreadable("a key that stands twice")
            if as_object and key.startswith("\0"):
                raise self.unreadable("a member that is not public")
            numbered = numbered and key == str(number)
            entries[key] = self.value(levels - 1)
        if self._body[self.place : self.place + 1] != b"}":
            raise self.unreadable("another number of entries")
        self.place += 1
        self._budget.spend(getsizeof(entries), values=0)
        return list(entries.values()) if numbered else entries

    def _key(self) -> str:
        kind, written = self._next()
        if kind == "text":
            return self._shared(self._text(int(written)))
        if kind == "whole":
            return self._shared(str(self._whole(written)))
        raise self.unreadable("a key that is neither text nor a number")

    def _shared(self, name: str) -> str:
        """The same names over and over are kept once."""
        if len(self._names) < _MOST_SHARED and not name.isdigit():
            return self._names.setdefault(name, name)
        known = self._names.get(name)
        if known is None:
            self._budget.spend(getsizeof(name), values=0)
        return known or name
