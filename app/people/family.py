"""A line typed while the last name of the person before is kept: families, one after the other.

The words of the line are read in `entry`; here is only what a kept last name changes.
"""

import re

import msgspec

from app.model.outbox import NewPerson
from app.people.name_words import is_generation
from app.people.search import fold

_BLANKS = re.compile(r"[\s\u200b-\u200f]*\Z")


def last_name_to_keep(new_person: NewPerson) -> str:
    """The last name for the next of the family; "Jr." was one person's own. Blank if none."""
    words = new_person.lastname.split()
    while len(words) > 1 and is_generation(words[-1]):
        words.pop()
    return " ".join(words)


def with_kept_last_name(read: NewPerson, typed: str, kept: str) -> NewPerson:
    """`read`, the reading of `typed`, for somebody whose last name is `kept` unless told otherwise.

    Kept means kept: words in a row are the first name, however many ("Mary Ann"). A line that sets
    the halves apart by a sign, as in "King, Ada" or in two cells, has a last name of its own. The
    kept name typed once more at the end is not taken twice.
    """
    if not kept:
        return read
    row = _row(read, typed)
    if row is None:
        return read
    return msgspec.structs.replace(read, firstname=_without_last(row, kept), lastname=kept)


def _row(read: NewPerson, typed: str) -> str | None:
    """First and last name in the order they were typed; None when a sign stands between them."""
    first, last = read.firstname, read.lastname
    if not (first and last):
        return first or last
    first_at, last_at = typed.find(first), typed.rfind(last)
    if first_at < 0 or last_at < 0:
        return f"{first} {last}"
    if first_at < last_at:
        between, row = typed[first_at + len(first) : last_at], f"{first} {last}"
    else:
        last_at = typed.find(last)
        between, row = typed[last_at + len(last) : first_at], f"{last} {first}"
    apart = "\t" in between or "\n" in between or not _BLANKS.match(between)
    return None if apart else row


def _without_last(row: str, kept: str) -> str:
    """`row` without the kept name at its end, unless nothing would be left of it."""
    words, ending = row.split(), kept.split()
    if len(words) > len(ending) and fold(" ".join(words[-len(ending) :])) == fold(kept):
        words = words[: -len(ending)]
    return " ".join(words)
