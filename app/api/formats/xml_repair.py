"""XML that is none because of single characters, made such that only these are lost.

Seen in the field: control characters, half characters, `&` and HTML's entities in what people have
typed. Whether a document needs that, and what becomes of what is marked, is decided by the reader.
"""

import re

from app.api.formats.decoding_budget import Budget
from app.api.formats.tree import LONGEST_TEXT

MARK = "\ufdd0"
"""Stands for what is no character; no character itself, and yet allowed in XML."""

_MARK = MARK.encode()
_ODD = re.compile(
    rb"<!\[CDATA\[[^\x00-\x08\x0b\x0c\x0e-\x1f]*?\]\]>"
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1f]"
    rb"|&(?:#(?P<number>x[0-9A-Fa-f]{1,8}|[0-9]{1,9});|(?P<known>lt|gt|amp|quot|apos);)?"
)
_NOT_UTF_8 = re.compile("[\udc80-\udcff]+")
_ALLOWED = (range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000))
_BLANKS = frozenset({0x9, 0xA, 0xD})
_MOST = 10_000
"""More than that many in one document are not what people have typed."""


def repaired(document: bytes, budget: Budget) -> bytes | None:
    """`document`, whose text is UTF-8, with a mark for each character that XML does not have, and
    with each `&` that begins nothing as text; None where that would be too many.
    """
    parts: list[bytes] = []
    left, place = _MOST, 0

    def instead(found: re.Match[bytes]) -> bytes:
        nonlocal left
        there = _instead(found)
        left -= there is not found[0]
        return there if left >= 0 else b""

    while place < len(document) and left >= 0:
        # In pieces: nobody else has a turn while one is looked through.
        budget.check()
        end = len(document)
        if end - place > LONGEST_TEXT:
            end = max(document.rfind(b"<", place + 1, place + LONGEST_TEXT), place + 1)
        piece = document[place:end].decode("utf-8", "surrogateescape")
        parts.append(_ODD.sub(instead, _NOT_UTF_8.sub(MARK, piece).encode()))
        place = end
    return b"".join(parts) if left >= 0 else None


def _instead(found: re.Match[bytes]) -> bytes:
    whole = found[0]
    if whole[:1] == b"<" or found["known"]:
        return whole
    if whole[:1] != b"&":
        return _MARK
    if found["number"] is None:
        return b"&amp;"
    digits = found["number"].decode()
    number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
    allowed = number in _BLANKS or any(number in each for each in _ALLOWED)
    return whole if allowed else _MARK
