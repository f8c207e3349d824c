"""Contacts (vCard 2.1, 3 and 4) as rows: each card by itself, a broken one as far as it goes.

Which columns are sent, and how a full name is read, is left to others.
"""

import quopri
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
_PARAMETER = r";[\w-]+(?:=(?:\"[^\"\n]*\"|[^\";:,\n]*)(?:,(?:\"[^\"\n]*\"|[^\";:,\n]*))*)?"
_PROPERTY = re.compile(rf"(?:[\w-]+\.)?([\w-]+)((?:{_PARAMETER}){{0,12}}):(.*)", re.DOTALL)
"""Stricter than the library, whose own expression takes for ever over a line of many parameters."""
_PLAIN = re.compile(
    r"(VERSION|FN|N|EMAIL|TEL|NOTE|ORG)((?:;TYPE=\w+(?:,\w+)*){0,4}):([^\\,\n]*)", re.IGNORECASE
)
"""As most are written by programs: nothing in it is escaped, encoded, or goes on."""
_TYPES = re.compile(r"=([\w,]+)")
_HALVES = 5
"""What a name in a card has at most: family, given, additional, and what stands around them."""
_GOES_ON = re.compile(r"\n[ \t]|=\n")
_USED = frozenset(
    {"VERSION", "N", "FN", "ORG", "EMAIL", "TEL", "ADR", "NOTE", "KIND", "X-ADDRESSBOOKSERVER-KIND"}
)
_ONE_TEXT = frozenset({"FN", "ORG", "EMAIL", "TEL", "NOTE"})
_COMMA = re.compile(r"(?<!\\),")
_ENCODED_COMMA = re.compile(r"(?<!\\)(?:,|=2C)")
_KNOWN_AS = (
    *("First name", "Last name", "Name", "Email", "Other email"),
    *("Phone", "Address", "Organisation", "Note"),
)
_LOOKED_AT = 2_000
_LONGEST_CARD = 200_000
_ESCAPED = re.compile(r"\\([\\,;:nN])")
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
        cells = _read(card)
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
    """What stands in each card, with the line it begins in; one may lack its end."""
    text = _lines_alike(text)
    begins = list(_BEGIN.finditer(text))
    line, counted = 1, 0
    for number, begin in enumerate(begins):
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        end = _END.search(text, begin.end(), following)
        line += text.count("\n", counted, begin.start())
        counted = begin.start()
        inside = text[begin.end() : end.start() if end else following]
        yield line, inside.strip("\n")


def _properties(lines: Sequence[str]) -> Iterator[str]:
    """Each property that is shown, with the lines it goes on in."""
    held: list[str] = []
    left = _LONGEST_CARD
    for line in [*lines, ""]:
        if held and (line[:1] in {" ", "\t"} or _is_soft_break(held)):
            held.append(line)
            continue
        whole = "\n".join(held)
        found = _PROPERTY.match(_GOES_ON.sub("", whole))
        if found is not None and found[1].upper() in _USED and len(whole) <= left:
            left -= len(whole)
            yield whole
        held = [line]


def _is_soft_break(held: Sequence[str]) -> bool:
    return held[-1].endswith("=") and "quoted-printable" in held[0].lower()


_Card = tuple[str, str, str, str, str, str, str, str, str]


def _read(card: str) -> _Card | None:
    """The cells of one card; None for what is nobody's."""
    lines = card.split("\n")
    if len(card) <= _LONGEST_CARD and (plain := _plainly_written(lines)) is not None:
        return _cells(plain)
    properties = list(_properties(lines))
    if not properties and not card.strip():
        return None
    if (plain := _plainly_written(properties)) is not None:
        return _cells(plain)
    import vobject  # noqa: PLC0415 - no start needs it, and hardly a list

    try:
        kept = map(_with_commas, properties)
        whole = "\n".join(["BEGIN:VCARD", *kept, "END:VCARD\n"])
        contents: dict[str, list[Any]] = vobject.readOne(whole, allowQP=True).contents
        cells = _cells(contents)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, somebody's name may be there
        cells = _broken(properties)
    if cells is None or any(cells):
        return cells
    return ("", "", "", "", "", "", "", "", card.strip())


def _with_commas(written: str) -> str:
    """A property that says one text, its commas marked as part of it: few programs do, and what
    stands behind one would be another value, and lost.
    """
    found = _PROPERTY.match(written)
    if found is None or found[1].upper() not in _ONE_TEXT:
        return written
    at = found.start(3)
    comma = _ENCODED_COMMA if "quoted-printable" in found[2].lower() else _COMMA
    return written[:at] + comma.sub(r"\\,", written[at:])


class _Name(NamedTuple):
    """A name as the library gives one."""

    family: str
    given: str
    additional: str


class _Line(NamedTuple):
    """A property as the library gives one."""

    value: str | list[str] | _Name
    params: dict[str, list[str]]
    singletonparams: tuple[str, ...] = ()


def _plainly_written(properties: Sequence[str]) -> dict[str, list[Any]] | None:
    """What the library makes of a card of version 3 where each of these properties is plain, a line
    each, without it: it takes ten times as long. None for any other card.
    """
    contents: dict[str, list[Any]] = {}
    for each in properties:
        found = _PLAIN.fullmatch(each)
        if found is None or not found[3].isprintable():
            return None
        name, value = found[1].lower(), found[3]
        taken: str | list[str] | _Name = value
        if name == "n":
            halves = value.split(";")
            if len(halves) > _HALVES or "n" in contents:
                return None
            taken = _Name(*[*halves, "", ""][:3])
        elif name == "org":
            if ";" in value:
                return None
            taken = [value]
        types = [one for several in _TYPES.findall(found[2]) for one in several.split(",")]
        contents.setdefault(name, []).append(_Line(taken, {"TYPE": types}))
    version = contents.get("version", ())
    return contents if [one.value for one in version] == ["3.0"] else None


def _cells(contents: dict[str, list[Any]]) -> _Card | None:
    said = _texts(contents, "kind") + _texts(contents, "x-addressbookserver-kind")
    kinds = {each.lower() for each in said}
    if not kinds.isdisjoint(_NOT_PEOPLE):
        return None
    first = last = ""
    for name in contents.get("n", ()):
        first = first or _joined(name.value.given, name.value.additional)
        last = last or _joined(name.value.family)
    full = "" if first or last else next(iter(_texts(contents, "fn")), "")
    organisation = next(iter(_texts(contents, "org")), "")
    if full and (full == organisation or "org" in kinds):
        organisation, full = organisation or full, ""
    emails = _emails(contents.get("email", ()))
    return (
        first,
        last,
        full,
        emails[0] if emails else "",
        "; ".join(emails[1:]),
        "; ".join(_texts(contents, "tel")),
        "; ".join(_texts(contents, "adr")),
        organisation,
        "\n".join(_texts(contents, "note")),
    )


def _joined(*values: str | list[str]) -> str:
    parts = [part for value in values for part in (value if isinstance(value, list) else [value])]
    return " ".join(part.strip() for part in parts if part.strip())


def _texts(contents: dict[str, list[Any]], name: str) -> list[str]:
    found = []
    for each in contents.get(name, ()):
        value = each.value
        if isinstance(value, list):
            text = ", ".join(str(part).strip() for part in value if str(part).strip())
        else:
            text = ", ".join(
                line.strip(" ,") for line in str(value).splitlines() if line.strip(" ,")
            )
        text = str(value).strip() if name == "note" else " ".join(text.split())
        text = text.removeprefix("tel:")
        if text and text not in found:
            found.append(text)
    return found


def _emails(lines: Sequence[Any]) -> list[str]:
    """The preferred one first."""
    ranked: list[tuple[int, str]] = []
    for each in lines:
        types = {str(t).lower() for types in each.params.get("TYPE", ()) for t in types.split(",")}
        types |= {str(t).lower() for single in each.singletonparams for t in [single]}
        rank = next(iter(each.params.get("PREF", ())), "")
        preferred = int(rank) if str(rank).isdecimal() else (1 if "pref" in types else 101)
        email = str(each.value).strip().removeprefix("mailto:")
        if email and email not in {known for _, known in ranked}:
            ranked.append((preferred, email))
    return [email for _, email in sorted(ranked, key=lambda one: one[0])]


def _broken(properties: Sequence[str]) -> _Card:
    """What can still be told of a card that does not keep to the rules."""
    found: dict[str, list[str]] = {}
    for line in properties:
        if (match := _PROPERTY.match(_GOES_ON.sub("", line))) is not None:
            value = match[3]
            if "QUOTED-PRINTABLE" in match[2].upper():
                value = quopri.decodestring(value.encode()).decode("utf-8", "replace")
            found.setdefault(match[1].upper(), []).append(value.strip())
    family, given = ([*next(iter(found.get("N", ())), "").split(";"), "", ""])[:2]
    emails = [each for each in found.get("EMAIL", ()) if each]
    full = next(iter(found.get("FN", ())), "")
    return (
        _plain(given),
        _plain(family),
        "" if family or given else _plain(full),
        emails[0] if emails else "",
        "; ".join(emails[1:]),
        "; ".join(found.get("TEL", ())),
        "",
        _plain(next(iter(found.get("ORG", ())), "")),
        "",
    )


def _plain(value: str) -> str:
    return _ESCAPED.sub(lambda sign: " " if sign[1] in "nN" else sign[1], value)
