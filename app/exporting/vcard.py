"""People as contact cards (vCard 3.0, RFC 2426), which every address book reads.

Written here, because the library that reads cards folds lines by letters where the format counts
bytes, and takes five times as long.
"""

import io
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.exporting.mail_list import addresses_in
from app.model.person import Person
from app.runtime.files import save_as
from app.runtime.words import tr

_LONGEST_LINE = 75
"""Bytes, the end of the line not counted."""
_NOT_PRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""What some programs end a line at is among them."""
_ESCAPED = str.maketrans({"\\": "\\\\", ",": "\\,", ";": "\\;", "\n": "\\n"})


def write_vcards(path: Path, people: Iterable[Person]) -> int:
    """A card for each, UTF-8 without a mark; gives how many. Raises OSError; what was there is
    there still then.
    """
    file, many = io.BytesIO(), 0
    for person in people:
        # One by one: all of them in one go would hold up the other threads.
        file.write(vcard(person).encode())
        many += 1
    save_as(path, file.getvalue())
    return many


def vcard(person: Person) -> str:
    """The card of one person; who has neither name nor address has a card all the same."""
    return "".join(map(_folded, ("BEGIN:VCARD", "VERSION:3.0", *_lines(person), "END:VCARD")))


def _lines(person: Person) -> Iterator[str]:
    first, last = _text(person.firstname), _text(person.lastname)
    email = _text(person.email)
    shown = _text(person.full_name) or email or _escaped(tr("(no name)"))
    yield f"N:{last};{first};;;"
    yield f"FN:{shown}"
    if called := _text(person.preferred_name):
        yield f"NICKNAME:{called}"
    for each in addresses_in(person.email or "") or ([person.email] if email else []):
        yield f"EMAIL;TYPE=INTERNET:{_text(each)}"
    if phone := _text(person.phone):
        yield f"TEL;TYPE=VOICE:{phone}"
    if mobile := _text(person.mobile):
        yield f"TEL;TYPE=CELL:{mobile}"


def _text(value: str | None) -> str:
    return _escaped(value or "").strip()


def _escaped(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    printed = (
        one if one == "\n" or unicodedata.category(one) not in _NOT_PRINTED else " "
        for one in lines
    )
    return "".join(printed).translate(_ESCAPED)


def _folded(line: str) -> str:
    """In lines of 75 bytes, none of which begins within a letter."""
    if len(line.encode()) <= _LONGEST_LINE:
        return f"{line}\r\n"
    parts: list[str] = []
    held, room = "", _LONGEST_LINE
    for letter in line:
        size = len(letter.encode())
        if size > room:
            parts.append(held)
            # The blank that marks what goes on counts as well.
            held, room = "", _LONGEST_LINE - 1
        held += letter
        room -= size
    return "\r\n ".join([*parts, held]) + "\r\n"
