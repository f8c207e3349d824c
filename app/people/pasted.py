"""Text of several lines in the quick-add line: one person spread over them, or several people.

The quick-add line takes one person at a time; where several came, the first is given on.
"""

import re
from collections.abc import Callable, Sequence

from app.model.outbox import NewPerson

_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_LOOKED_AT = 40
"""Lines that are read to find out; a whole spreadsheet would say no more."""


def first_of(text: str, read: Callable[[str], NewPerson]) -> tuple[str, bool]:
    """The part of `text` that says its first person, and whether it says more people than one.

    A signature, an address block or a name in stacked cells is one person: `text` whole. Several
    people are lines that could each stand alone: two emails, or two whole names in lines that have
    cells or where no line has an email.
    """
    lines = [line for line in _LINE_ENDS.split(text) if line.strip()]
    if len(lines) <= 1:
        return text, False
    readings = [read(line) for line in lines[:_LOOKED_AT]]
    if not _are_several(lines, readings):
        return text, False
    return next(line for line, one in zip(lines, readings, strict=False) if _whole(one)), True


def _are_several(lines: Sequence[str], readings: Sequence[NewPerson]) -> bool:
    whole = sum(_whole(one) for one in readings)
    rows = sum("\t" in line.strip() for line in lines[:_LOOKED_AT])
    emails = len({one.email.casefold() for one in readings if one.email and _named(one)})
    return emails > 1 or (whole > 1 and (rows > 1 or not any(one.email for one in readings)))


def _named(one: NewPerson) -> bool:
    return bool(one.firstname or one.lastname)


def _whole(one: NewPerson) -> bool:
    if one.email:
        return _named(one)
    # A number beside two words is a street far more often than somebody's name.
    street = any(sign.isdigit() for sign in one.leftover)
    return bool(one.firstname and one.lastname) and not street
