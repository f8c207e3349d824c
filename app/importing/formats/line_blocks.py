"""Lines that say people: one in each line, or one in each block of lines, as pages show contacts.

How a person is read from them is left to `app.people.parsing`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from app.importing.formats.delimited import lines_in
from app.people.parsing.entry_parser import first_of, numbers_before, read_entry

_EMAIL_ALONE = re.compile(r"(?:e-?mail\s*:\s*)?<?[^\s@<>,;]+@[^\s@<>,;]+>?", re.IGNORECASE)
_MOST_IN_A_BLOCK = 8
_NEARLY_ALL = 0.8

Line = tuple[int, str]
"""With its number in the text, from 1."""


def people_in_lines(text: str) -> Iterator[Line]:
    """A line for each person; the lines of a block are joined by blanks."""
    lines: list[Line] = []
    for number, line in lines_in(text):
        # One blank line ends a block as well as a thousand do.
        if (filled := line.strip()) or (lines and lines[-1][1]):
            lines.append((number, filled))
    said = [line for line in lines if line[1]]
    if numbers := numbers_before(line for _, line in said):
        yield from ((number, line[at:]) for (number, line), at in zip(said, numbers, strict=True))
        return
    blocks = _pairs(lines) or _paragraphs(lines)
    if blocks is None:
        yield from lines
        return
    for block in blocks:
        yield block[0][0], " ".join(_name_and_email_first([line for _, line in block]))


def _name_and_email_first(lines: Sequence[str]) -> Sequence[str]:
    """What stands between a whole name and the email, such as a role, is no part of the name."""
    email = next((line for line in lines if _EMAIL_ALONE.fullmatch(line)), None)
    if email is None or " " not in lines[0]:
        return lines
    return [lines[0], email, *(line for line in lines[1:] if line is not email)]


def _pairs(lines: Sequence[Line]) -> list[Sequence[Line]] | None:
    """Name, email, name, email: each pair is one person."""
    filled = [line for line in lines if line[1]]
    if len(filled) < len(("name", "email")) or len(filled) % 2:
        return None
    names, emails = filled[::2], filled[1::2]
    alone = all(_EMAIL_ALONE.fullmatch(line) for _, line in emails)
    if not alone or any("@" in line for _, line in names):
        return None
    return [list(pair) for pair in zip(names, emails, strict=True)]


def _paragraphs(lines: Sequence[Line]) -> list[Sequence[Line]] | None:
    """Blocks between blank lines, where nearly each says one email and some have several lines.

    A block that is a list of names, of whom one has an email, is a block for each of its lines.
    """
    groups = groupby(lines, key=lambda line: bool(line[1]))
    blocks = [list(block) for filled, block in groups if filled]
    longest = max(map(len, blocks), default=0)
    if longest == 1 or longest > _MOST_IN_A_BLOCK:
        return None
    one_email = sum(sum(line.count("@") for _, line in block) == 1 for block in blocks)
    if one_email < _NEARLY_ALL * len(blocks):
        return None
    people: list[Sequence[Line]] = []
    for block in blocks:
        # Among other blocks, one with its email in a line of its own, or without one, is a person.
        may_be_list = len(blocks) == 1 or any(
            "@" in line and not _EMAIL_ALONE.fullmatch(line) for _, line in block
        )
        text = "\n".join(line for _, line in block)
        several = may_be_list and first_of(text, read_entry)[1]
        people += [[line] for line in block] if several else [block]
    return people
