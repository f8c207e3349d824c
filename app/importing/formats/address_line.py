"""A mail's To line: several addresses in one text, with or without names.

How a name is to be read is left to `app.people.parsing`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.importing.cell_kinds import could_be_name
from app.importing.formats.reading_stop import reading_stop

_UNQUOTED = r"<[^<>]*>|\([^()]*\)|[;,\n]|[^;,\n\"<(]+|."
_SIGN = re.compile(rf'"(?:\\.|[^"\\])*"|{_UNQUOTED}', re.DOTALL)
_SIGN_UNQUOTED = re.compile(_UNQUOTED, re.DOTALL)
_IN_ADDRESS = r"[^\s@<>()\[\],;:\"]"
_ADDRESS = re.compile(rf"(?<!{_IN_ADDRESS}){_IN_ADDRESS}+@{_IN_ADDRESS}+\.?[^\s@<>()\[\],;:\".]")
_ALONE = re.compile(rf"[<\"']*{_ADDRESS.pattern}[>\"']*")
_LABEL = re.compile(r"^\s*(?:to|cc|bcc|an|para|à|al?|von|from)\s*:\s*(?=\S)", re.IGNORECASE)
_QUOTED = re.compile(r"\\(.)")
_SEVERAL = 2
LONGEST = 8_000_000
"""Characters of a text that is looked at: as many addresses as a list has, and their names."""


def read_addresses(text: str) -> list[tuple[str, str]] | None:
    """Name and email of each address in `text`; None where it is no such line.

    "Lovelace, Ada <a@x.org>; Bob <b@x.org>" and "a@x.org, Bob <b@x.org>" are, a line for each
    person is not. Whoever stands among addresses in brackets without one is somebody, too.
    """
    if len(text) > LONGEST or text.count("@") < _SEVERAL or not _is_one_line(text.strip()):
        return None
    pieces = _pieces(_LABEL.sub("", text.strip()))
    with_address = [piece for piece in pieces if "@" in piece]
    names_too = 2 * len(with_address) > len(pieces) and all("<" in each for each in with_address)
    found = [
        _name_alone(piece) if names_too and "@" not in piece else _read(piece) for piece in pieces
    ]
    if len(with_address) < _SEVERAL or any(each is None for each in found):
        return None
    return [each for each in found if each is not None and any(each)]


def _name_alone(piece: str) -> tuple[str, str] | None:
    name = piece.strip(" <>\"';,")
    return (name, "") if not name or could_be_name(name) else None


def _is_one_line(text: str) -> bool:
    """As mail programs break a long line: behind an address, or with a blank before the rest; tabs
    within are those of a table, whose first cells may be empty.
    """
    lines = text.splitlines()
    if len(lines) > 1 and any("\t" in line.strip() for line in lines):
        return False
    broken = all(
        following[:1] in {" ", "\t"} or ("@" in line and line.rstrip().endswith((",", ";")))
        for line, following in pairwise(lines)
    )
    return broken and (_LABEL.match(text) is not None or not _are_rows(lines))


def _are_rows(lines: Sequence[str]) -> bool:
    """Whether a name and its address have cells of their own, in the same place of each line: a
    table whose last column is empty ends its rows in commas too.
    """
    if len(lines) < _SEVERAL:
        return False
    separator = max(";,", key=lines[0].count)
    places: set[int] = set()
    named = False
    for line in lines:
        cells = _cells(line, separator)
        alone = [place for place, cell in enumerate(cells) if _ALONE.fullmatch(cell)]
        behind = [n for n in alone if n and cells[n - 1] and "@" not in cells[n - 1]]
        if len(behind) > 1 or (not alone and "@" in line):
            return False
        places.update(alone[:1])
        named = named or bool(behind)
    return named and len(places) == 1


def _pieces(text: str) -> list[str]:
    """The text of each address: semicolons divide before commas do."""
    cut = _cut(text, ";")
    return [whole for piece in cut for whole in _at_commas(piece)]


def _at_commas(text: str) -> list[str]:
    """Cut at commas, but not inside "Lovelace, Ada <a@x.org>"."""
    whole: list[str] = []
    before: list[str] = []
    for piece in _cut(text, ","):
        before.append(piece)
        if "@" in piece:
            whole.append(", ".join(before))
            before = []
    return [*whole, *before]


def _cut(text: str, separator: str) -> list[str]:
    return [piece for piece in _cells(text, separator) if piece]


def _cells(text: str, separator: str) -> list[str]:
    pieces: list[list[str]] = [[]]
    for sign in _signs(text):
        if sign == separator:
            pieces.append([])
        else:
            pieces[-1].append(" " if sign == "\n" else sign)
    return ["".join(signs).strip() for signs in pieces]


def _signs(text: str) -> Iterator[str]:
    """A quotation mark that nothing closes means itself, and so does every one behind it: none of
    them is looked for to the end of the text again.
    """
    stop = reading_stop()
    for sign in _SIGN.finditer(text):
        if sign[0] == '"':
            yield from _SIGN_UNQUOTED.findall(text, sign.start())
            return
        stop.check()
        yield sign[0]


def _read(piece: str) -> tuple[str, str] | None:
    found = _ADDRESS.findall(piece)
    if len(set(found)) != 1:
        return None
    name = piece
    for mark in (f"<{found[0]}>", f"[{found[0]}]", f"<mailto:{found[0]}>", found[0]):
        name = name.replace(mark, " ")
    name = " ".join(name.split()).strip("<>").strip()
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        name = _QUOTED.sub(r"\1", name[1:-1])
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1]
    if name.endswith(":"):  # of the group, not of the first in it
        name = ""
    return name.strip(" '"), found[0]
