"""The table of typed lines against the reader: what staff expect, in at least 97 of 100 lines."""

import re
from collections.abc import Iterator
from pathlib import Path

from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import NameOrder, read_entry

_TABLE = Path(__file__).with_name("entry_lines.txt")
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|([tnr\\]))")
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
_FIELDS = ("firstname", "lastname", "email", "phone", "leftover")


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SIGNS[m[2]], text)


def _lines() -> Iterator[tuple[str, NameOrder, NewPerson]]:
    order = NameOrder.FIRST_LAST
    for row in _TABLE.read_text(encoding="utf-8").split("\n"):
        if row == "[last name first]":
            order = NameOrder.LAST_FIRST
        typed, arrow, expected = row.partition(" => ")
        if row.startswith("#") or not arrow:
            continue
        values = [_plain(value.strip(" ")) for value in expected.split("|")]
        yield _plain(typed), order, NewPerson(**dict(zip(_FIELDS, values, strict=False)))


def test_the_table_holds_at_least_200_lines() -> None:
    assert len(list(_lines())) >= 200


def test_at_least_97_of_100_lines_are_read_as_staff_expect() -> None:
    lines = list(_lines())
    misses = [
        f"{typed!r} ({order}):\n  expected {expected}\n  read     {read}"
        for typed, order, expected in lines
        if (read := read_entry(typed, order)) != expected
    ]
    right = 1 - len(misses) / len(lines)
    print(f"{right:.1%} of {len(lines)} lines", *misses, sep="\n")  # noqa: T201 - shown on failure
    assert right >= 0.97, f"{right:.1%} right, {len(misses)} missed:\n" + "\n".join(misses)
