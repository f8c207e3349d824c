"""JSON, strictly: no NaN, no key twice, no half characters, no endless nesting.

A short page of plain records is decoded as what it is, at once: its length bounds what it costs,
and nothing of the budget is spent. Anything else is read in pieces: what ends within one is left to
the library's scanner, which lets nobody else have a turn meanwhile, and what does not is taken
apart here.
"""

import codecs
import json
import math
import re
from sys import getsizeof
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import msgspec

from app.api.errors import UnreadableAnswer
from app.api.formats.decoding_budget import (
    AT_ONCE,
    DEEPEST,
    LONGEST_TEXT,
    Budget,
    TooCostly,
    too_deep,
)
from app.api.formats.tree import Tree, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

_PIECE = 256 * 1024
_BLANKS = re.compile(r"[ \t\n\r]*")
_MOST_SHARED = 10_000
_REST_OF_A_NUMBER = len("e+")
"""What is left where the window ends inside a number."""
_SLOT = 8
_ROUNDING = 8
"""What memory for a value is larger than the value, on average."""
_ENTRY = 100
"""What an entry of a mapping weighs, at the most."""


def read(body: bytes, budget: Budget) -> Tree:
    """The tree in `body`, UTF-8 with or without a byte order mark; raises UnreadableAnswer."""
    plain = _plain_page(body, budget) if len(body) <= AT_ONCE else None
    return plain or _Reader(body, budget).document()


_Plain: TypeAlias = str | int | bool | None
_decode_plain = msgspec.json.Decoder(
    dict[str, _Plain | dict[str, _Plain | list[dict[str, _Plain]]]]
).decode
_BLANKS_BETWEEN = b" \t\n\r"


def _plain_page(body: bytes, budget: Budget) -> "dict[str, Tree] | None":
    """An object with a page of records in it whose fields are texts, whole numbers and truth
    values; None for anything else, and for what the library does not take or would pass over.
    """
    budget.check()
    try:
        found = cast("dict[str, Tree]", _decode_plain(body))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    keys = len(found)
    for page in found.values():
        if isinstance(page, dict):
            lists = [records for records in page.values() if isinstance(records, list)]
            keys += len(page) + sum(sum(map(len, cast("list[Sized]", each))) for each in lists)
    return found if each_key_stands_once(body, keys) else None


def each_key_stands_once(body: bytes, keys: int) -> bool:
    """Whether no key of a mapping stands twice, where msgspec has found so many `keys` in `body`;
    False also where that cannot be told so simply, and it has to be taken apart.

    Of a key that stands twice the library gives one: more quotes have a colon behind them then.
    Those inside of texts are counted as well.
    """
    return body.translate(None, _BLANKS_BETWEEN).count(b'":') == keys


class _Reader:
    """A window of text that moves over the document."""

    def __init__(self, body: bytes, budget: Budget) -> None:
        self._body = body
        self._budget = budget
        self._taken = len(codecs.BOM_UTF8) if body.startswith(codecs.BOM_UTF8) else 0
        self._utf_8 = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._place = 0
        self._passed = 0
        self._perhaps_broken = False
        self._names: dict[str, str] = {}
        self._found: Any = None
        decoder = json.JSONDecoder(
            object_pairs_hook=self._mapping,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=_constant,
        )
        self._scan: Callable[[str, int], tuple[Any, int]] = decoder.raw_decode

    def document(self) -> Tree:
        """The one value there is."""
        try:
            tree = self._value(DEEPEST)
            if self._next():
                raise self._unreadable("something is left over")
        finally:
            del self._scan  # which holds this, and with it the document
        return tree

    # The window

    @property
    def _at_end(self) -> bool:
        return self._taken >= len(self._body)

    def _fill(self, wanted: int) -> None:
        """Have `wanted` characters from here on, or all that are left."""
        parts = [self._text[self._place :]]
        many = len(parts[0])
        while many < wanted and not self._at_end:
            piece = self._body[self._taken : self._taken + _PIECE]
            self._taken += len(piece)
            parts.append(self._decoded(piece))
            many += len(parts[-1])
        self._passed += self._place
        self._text, self._place = "".join(parts), 0
        self._perhaps_broken = "\\ud" in self._text or "\\uD" in self._text

    def _decoded(self, piece: bytes) -> str:
        try:
            return self._utf_8.decode(piece, final=self._at_end)
        except UnicodeDecodeError:
            raise self._unreadable("text that is not UTF-8") from None

    def _next(self) -> str:
        """The next character that is not blank; none at the end."""
        while True:
            found = _BLANKS.match(self._text, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if self._at_end:
                return ""
            self._budget.check()
            self._fill(_PIECE)

    def _step_over(self, wanted: str) -> str:
        """Step over the next character, which is one of those `wanted`."""
        found = self._next()
        if not found or found not in wanted:
            raise self._unreadable(f"none of {wanted}")
        self._place += 1
        return found

    # Values

    def _value(self, levels: int) -> Tree:
        """The value that begins here; `levels` of nesting are left to it."""
        first = self._next()
        if not levels and first in {"{", "["}:
            raise too_deep()
        if self._scanned(_PIECE if first in "{[" else LONGEST_TEXT):
            return self._weighed(self._found, levels)
        if first == "{":
            return self._object(levels)
        if first == "[":
            return self._list(levels)
        raise self._unreadable("a text too long" if first == '"' else "no value")

    def _scanned(self, most: int) -> bool:
        """Find the value that begins here, if it ends within `most` characters, and is not nested
        deeper than the scanner goes.
        """
        while True:
            self._budget.check()
            many = len(self._text) - self._place
            try:
                self._found, end = self._scan(self._text, self._place)
            except json.JSONDecodeError:
                if self._at_end:
                    raise self._unreadable("no value") from None
            except RecursionError:
                return False
            except ValueError as error:
                raise self._unreadable(str(error)) from None
            else:
                if end + _REST_OF_A_NUMBER < len(self._text) or self._at_end:
                    self._place = end
                    return True
            if many >= most:
                return False
            self._fill(_PIECE if many < _PIECE else most)

    def _list(self, levels: int) -> Tree:
        self._place += 1
        self._budget.spend(getsizeof([]), containers=1)
        items: list[Tree] = []
        if self._next() == "]":
            self._place += 1
            return items
        together = True
        while True:
            many = self._several(levels) if together else []
            together = bool(many)
            items += many or [self._value(levels - 1)]
            self._budget.spend(_SLOT * (len(many) or 1), values=0)
            if self._step_over(",]") == "]":
                return items

    def _several(self, levels: int) -> list[Tree]:
        """All mappings of a list that end within a piece; none where that cannot be told at once.

        Where the text is cut inside of one it is no list, and then they are read one by one.
        """
        self._fill(_PIECE)
        cut = self._text.rfind("},", self._place, self._place + _PIECE) + 1
        if not cut:
            return []
        together = f"[{self._text[self._place : cut]}]"
        try:
            found, end = self._scan(together, 0)
        except (json.JSONDecodeError, RecursionError):
            return []
        except ValueError as error:
            raise self._unreadable(str(error)) from None
        if end < len(together):
            # This list ends before the piece does: what stands behind it is none of its own.
            return []
        many = self._weighed(found, levels)
        self._place = cut
        return many if isinstance(many, list) else []

    def _object(self, levels: int) -> Tree:
        self._place += 1
        self._budget.spend(getsizeof({}), containers=1)
        pairs: list[tuple[str, Tree]] = []
        if self._next() == "}":
            self._place += 1
            return {}
        while True:
            if self._next() != '"' or not self._scanned(LONGEST_TEXT):
                raise self._unreadable("no key")
            if len(pairs) == self._budget.names:
                raise TooCostly.of("too many keys")
            key = self._found
            self._check_characters(key)
            self._step_over(":")
            pairs.append((key, self._value(levels - 1)))
            self._budget.spend(_ENTRY + getsizeof(key), values=0)
            if self._step_over(",}") == "}":
                return self._mapping(pairs)

    def _mapping(self, pairs: list[tuple[str, Tree]]) -> Tree:
        """The mapping of `pairs`; the same names over and over are kept once."""
        names = self._names
        share = names.setdefault if len(names) < _MOST_SHARED else names.get
        found = {share(name, name): value for name, value in pairs}
        if len(found) < len(pairs):
            raise self._unreadable("a key that stands twice")
        return found

    def _weighed(self, tree: Tree, levels: int) -> Tree:
        self._budget.spend(getsizeof(tree))
        if tree.__class__ is dict or tree.__class__ is list:
            self._weigh(tree, levels)
        self._check_characters(tree)
        return tree

    def _weigh(self, tree: Tree, levels: int) -> None:
        if not levels:
            raise too_deep()
        inside = _inside(tree)
        weight = sum(map(getsizeof, inside)) + _ROUNDING * len(inside)
        if len(self._names) >= _MOST_SHARED and isinstance(tree, dict):
            weight += sum(map(getsizeof, tree))
        self._budget.spend(weight, values=len(inside), containers=1)
        for inner in inside:
            if inner.__class__ is dict or inner.__class__ is list:
                self._weigh(inner, levels - 1)

    # What cannot be read

    def _unreadable(self, reason: str) -> UnreadableAnswer:
        return unreadable(f"not JSON: {reason}, after {self._passed + self._place} characters")

    def _check_characters(self, tree: Tree) -> None:
        """Raises UnreadableAnswer where half a character is in it, which no file can hold."""
        if not self._perhaps_broken:
            return
        try:
            json.dumps(tree, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise self._unreadable("half a character") from None


def _inside(tree: Tree) -> list[Tree]:
    if isinstance(tree, dict):
        return list(tree.values())
    return tree if isinstance(tree, list) else []


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError("a number of too many digits") from None


def _decimal(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number too large")
    return value


def _constant(_name: str) -> NoReturn:
    raise ValueError("a number that is none")
