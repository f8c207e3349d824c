"""A mail's To line: several addresses in one text, with or without names.

How a name is to be read is left to `app.people.parsing`.
"""

import re
from itertools import pairwise

_SIGN = re.compile(r'"(?:\\.|[^"\\])*"|<[^<>]*>|\([^()]*\)|[;,\n]|[^;,\n"<(]+|.', re.DOTALL)
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"]+@[^\s@<>()\[\],;:\"]+\.?[^\s@<>()\[\],;:\".]")
_LABEL = re.compile(r"^\s*(?:to|cc|bcc|an|para|à|al?|von|from)\s*:\s*(?=\S)", re.IGNORECASE)
_QUOTED = re.compile(r"\\(.)")
_SEVERAL = 2
LONGEST = 1_000_000
"""Characters of a text that is looked at."""


def read_addresses(text: str) -> list[tuple[str, str]] | None:
    """Name and email of each address in `text`; None where it is no such line.

    "Lovelace, Ada <a@x.org>; Bob <b@x.org>" and "a@x.org, Bob <b@x.org>" are, a line for each
    person is not.
    """
    if len(text) > LONGEST or text.count("@") < _SEVERAL or not _is_one_line(text.strip()):
        return None
    pieces = _pieces(_LABEL.sub("", text.strip()))
    found = [_read(piece) for piece in pieces]
    if len(found) < _SEVERAL or any(each is None for each in found):
        return None
    return [each for each in found if each is not None]


def _is_one_line(text: str) -> bool:
    """As mail programs break a long line: behind a separator, or with a blank before the rest."""
    lines = text.splitlines()
    return all(
        line.rstrip().endswith((",", ";")) or following[:1] in {" ", "\t"}
        for line, following in pairwise(lines)
    )


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
    pieces = [""]
    for sign in _SIGN.findall(text):
        if sign == separator:
            pieces.append("")
        else:
            pieces[-1] += " " if sign == "\n" else sign
    return [piece.strip() for piece in pieces if piece.strip()]


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
