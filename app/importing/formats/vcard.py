"""Contacts (vCard 2.1, 3 and 4) as rows: each card by itself, a broken one as far as it goes.

Which columns are sent, and how a full name is read, is left to others.
"""

import quopri
import re
from collections.abc import Iterator

from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import (
    LONGEST_CELL,
    MOST_ROWS,
    SourceKind,
    SourceRow,
    SourceTable,
    nobody_in_it,
    too_many_rows,
)
from app.runtime.words import tr

_BEGIN = re.compile(
    r"(?:^[ \t]*BEGIN[ \t]*:[ \t]*VCARD[ \t]*$|BEGIN:VCARD[ \t]*\n(?=[ \t]*VERSION[ \t]*:))",
    re.IGNORECASE | re.MULTILINE,
)
"""With a line of its own, or where the card before was cut within a line or lacks its last end."""
_END = re.compile(r"^[ \t]*END[ \t]*:[ \t]*VCARD[ \t]*$", re.IGNORECASE | re.MULTILINE)
_PROPERTY = re.compile(
    r"(?:[\w-]+\.)?([\w-]+)((?:;(?:\"[^\"]*+\"|[^\":;])*+)*+):(.*)", re.DOTALL | re.ASCII
)
"""Name, parameters and value, with a group's name before them."""
_USED = frozenset(
    {"N", "FN", "NICKNAME", "ORG", "EMAIL", "TEL", "ADR", "NOTE", "KIND"}
    | {"X-ADDRESSBOOKSERVER-KIND"}
)
_KNOWN_AS = (
    *("First name", "Last name", "Name", "Email", "Other email"),
    *("Phone", "Address", "Organisation", "Note"),
)
_CHARSET = re.compile(r"CHARSET=\"?([\w-]+)", re.IGNORECASE)
_PREFERENCE = re.compile(r"\bPREF(?:=\"?(\d{1,3}))?(?!\w)", re.IGNORECASE)
_LEAST_PREFERRED = 101
_BETWEEN_PARTS = re.compile(r"(?<!\\);")
_ESCAPED = re.compile(r"\\([\\,;:nN])")
_LOOKED_AT = 2_000
_LONGEST_HEAD = 200
"""Characters among which a property says how its value is encoded."""
_LONGEST_CARD = 200_000
"""Characters of the properties that are used."""
_NOT_PEOPLE = frozenset({"group", "location"})


def is_vcard(text: str) -> bool:
    """Whether `text` begins as contacts do."""
    return _BEGIN.search(_lines_alike(text[:_LOOKED_AT])) is not None


def _lines_alike(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_vcards(text: str, name: str, encoding: str | None) -> SourceTable:
    """A row for each card in `text`; raises UnreadableList where there is none, or too many."""
    headings = (
        tr("First name"),
        tr("Last name"),
        tr("Name"),
        tr("Email"),
        tr("Other email"),
        tr("Phone"),
        tr("Address"),
        tr("Organisation"),
        tr("Note"),
    )
    rows: list[SourceRow] = []
    stop = reading_stop()
    for line, card in _cards(text):
        stop.check()
        if len(rows) >= MOST_ROWS:
            raise too_many_rows()
        cells = _cells(card)
        if cells is not None:
            rows.append(SourceRow(line, tuple(cell.strip()[:LONGEST_CELL] for cell in cells)))
    if not rows:
        raise nobody_in_it()
    kept = [n for n in range(len(headings)) if any(row.cells[n] for row in rows)] or [0]
    return SourceTable(
        name,
        SourceKind.VCARD,
        [SourceRow(row.line, tuple(row.cells[n] for n in kept)) for row in rows],
        tuple(headings[n] for n in kept),
        encoding=encoding,
        known_as=tuple(_KNOWN_AS[n] for n in kept),
    )


def _cards(text: str) -> Iterator[tuple[int, str]]:
    """The content of each card that has any, with the line it begins in; its end may be missing."""
    text = _lines_alike(text)
    begins = list(_BEGIN.finditer(text))
    line, counted = 1, 0
    for number, begin in enumerate(begins):
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        line += text.count("\n", counted, begin.start())
        counted = begin.start()
        card = _END.split(text[begin.end() : following], maxsplit=1)[0].strip("\n")
        if card.strip():
            yield line, card


def _properties(card: str) -> Iterator[str]:
    """The properties of a card, each with the lines that continue it."""
    held: list[str] = []
    for line in card.split("\n"):
        if held and held[-1].endswith("=") and "QUOTED" in held[0][:_LONGEST_HEAD].upper():
            held[-1] = held[-1][:-1]
            held.append(line)
        elif held and line.startswith((" ", "\t")):
            held.append(line[1:])
        else:
            yield "".join(held)
            held = [line]
    yield "".join(held)


def _cells(card: str) -> tuple[str, ...] | None:
    """The cells of one card; None for what is not a person."""
    said: dict[str, list[str]] = {name: [] for name in _USED}
    emails: list[tuple[int, str]] = []
    left = _LONGEST_CARD
    for line in _properties(card):
        found = _PROPERTY.match(line)
        if found is None or (name := found[1].upper()) not in _USED or len(line) > left:
            continue
        left -= len(line)
        value = _decoded(found[2], found[3])
        if name == "EMAIL":
            email = _text(value).removeprefix("mailto:")
            if email and email not in {known for _, known in emails}:
                emails.append((_preference(found[2]), email))
        elif value.strip("; ") and value not in said[name]:
            said[name].append(value)
    kinds = {kind.strip().lower() for kind in said["KIND"] + said["X-ADDRESSBOOKSERVER-KIND"]}
    if not kinds.isdisjoint(_NOT_PEOPLE):
        return None
    family, given, additional = [*map(_name, _parts(said["N"])), "", "", ""][:3]
    first = f"{given} {additional}".strip()
    full = "" if first or family else next(map(_text, [*said["FN"], *said["NICKNAME"]]), "")
    organisation = ", ".join(filter(None, map(_text, _parts(said["ORG"]))))
    if full and (full == organisation or "org" in kinds):
        organisation, full = organisation or full, ""
    ranked = [email for _, email in sorted(emails, key=lambda each: each[0])]
    phones = (_text(value).removeprefix("tel:") for value in said["TEL"])
    addresses = (", ".join(filter(None, map(_text, _parts([value])))) for value in said["ADR"])
    cells = (
        first,
        family,
        full,
        next(iter(ranked), ""),
        "; ".join(ranked[1:]),
        "; ".join(dict.fromkeys(phones)),
        "; ".join(addresses),
        organisation,
        "\n".join(map(_unescaped, said["NOTE"])),
    )
    return cells if any(cells) else (*cells[:-1], card.strip())


def _decoded(parameters: str, value: str) -> str:
    if "QUOTED-PRINTABLE" not in parameters.upper():
        return value
    body = quopri.decodestring(value.encode("utf-8", "replace"))
    charset = found[1] if (found := _CHARSET.search(parameters)) else "utf-8"
    try:
        return body.decode(charset, "replace")
    except (LookupError, UnicodeError):
        return body.decode("utf-8", "replace")


def _preference(parameters: str) -> int:
    """How much an address is preferred: 1 the most, as in version 4."""
    found = _PREFERENCE.search(parameters)
    return _LEAST_PREFERRED if found is None else int(found[1] or 1)


def _parts(values: list[str]) -> list[str]:
    """The parts of the first value, still escaped."""
    return _BETWEEN_PARTS.split(values[0]) if values else []


def _name(part: str) -> str:
    """A part of a name; several in it stand behind each other."""
    return _text(re.sub(r"(?<!\\),", " ", part))


def _text(value: str) -> str:
    """In one line."""
    lines = (" ".join(line.split()).strip(" ,") for line in _unescaped(value).splitlines())
    return ", ".join(filter(None, lines))


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda sign: "\n" if sign[1] in "nN" else sign[1], value)
