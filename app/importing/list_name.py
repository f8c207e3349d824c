"""What a list is called: a file by its name, what is no file by the first in it.

The name is kept with the list in the words below, whatever language is spoken, and told in that
one.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from app.model import field_limits
from app.model.display_name import display_name
from app.runtime.words import tr

if TYPE_CHECKING:
    from app.importing.review import Review

COPIED = "what was copied"
"""The name of a list that has none of its own."""
GIVEN = "what was given"
"""The same of one that `frontdesk add` was given as text."""
_AND_OTHERS = " …)"
_LONGEST_PERSON = 40
"""Characters."""


def name_of(review: "Review") -> str:
    """The name to keep of a list as it stands now: several that are no file would all be called the
    same, so they have that of the first who is to be added.
    """
    name = review.table.name
    if name not in {COPIED, GIVEN} or not review.rows:
        return name
    first = review.rows[0]
    if review.taken_in:
        first = next(row for row in review.rows if not row.left_out)
    called = " ".join((display_name(first.firstname, first.lastname) or first.email).split())
    return named_by(name, field_limits.shortened(called, _LONGEST_PERSON)) if called else name


def named_by(source: str, person: str) -> str:
    """The name to keep of a list that is no file and is known again by the first in it; `source`
    is COPIED or GIVEN.
    """
    return f"{source} ({person}{_AND_OTHERS}"


def list_name(name: str) -> str:
    """What a list is called within a sentence, by the name that is kept of it."""
    if name == COPIED:
        return tr("what was copied")
    if name == GIVEN:
        return tr("what was given")
    for source in (COPIED, GIVEN):
        begins = f"{source} ("
        if name.startswith(begins) and name.endswith(_AND_OTHERS):
            person = name.removeprefix(begins).removesuffix(_AND_OTHERS)
            if source == COPIED:
                return tr("what was copied ({person} …)", person=person)
            return tr("what was given ({person} …)", person=person)
    return name


def list_title(name: str) -> str:
    """What it is called where a line begins with it: a file by its name; what has none begins as a
    sentence does.
    """
    said = list_name(name)
    for within, first in (
        (tr("what was copied"), tr("What was copied")),
        (tr("what was given"), tr("What was given")),
    ):
        if said.startswith(within):
            return first + said.removeprefix(within)
    return said


def list_stem(name: str) -> str:
    """A list's name without the end of a file's name; a full stop within it ends nothing."""
    path = Path(name.replace("/", " ").replace("\\", " "))
    return name if " " in path.suffix else path.stem
