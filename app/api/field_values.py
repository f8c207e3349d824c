"""Single values and collections as services really send them, read into plain Python.

A value that makes no sense is None: one bad field must not cost a whole list. Unknown keys are
never looked at. Every value is bounded here (`model.field_limits`): the document gives no limits.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from app.api.formats.tree import Tree
from app.model import field_limits

COUNTS = frozenset({"on_this_page", "page", "per_page", "total"})
"""What a page object tells beside its items (api-spec, Page object)."""
_YES = frozenset({"1", "true", "yes", "y"})
_NO = frozenset({"0", "false", "no", "n"})
_AS_DOCUMENTED = frozenset({"0", "1"})
_LONGEST_CREDENTIAL = 16_384
_MOST_BITS = 3_000
"""Of a number that is read as text; Python refuses to write longer ones out."""
_SECONDS_LONG = len("YYYY-MM-DD HH:MM:SS")


def text(value: Tree, most: int = field_limits.TEXT) -> str | None:
    """The text as sent, blank included; a number becomes its digits, anything else None.

    What is longer than `most` characters is cut, and ends with an ellipsis.
    """
    if value.__class__ is str and len(value) <= most:  # nearly all
        return value
    found = _as_sent(value)
    return None if found is None else field_limits.shortened(found, most)


def credential(value: Tree) -> str | None:
    """A token, whole; None where it is longer than any could be."""
    found = _as_sent(value)
    return found if found is not None and len(found) <= _LONGEST_CREDENTIAL else None


def _as_sent(value: Tree) -> str | None:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | list | dict):
        return None
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return None
    return str(value)


def identifier(value: Tree) -> str | None:
    """Text that names something: never blank, no fraction, never cut: it would name another."""
    if isinstance(value, float):
        return None
    found = (_as_sent(value) or "").strip()
    return found if found and len(found) <= field_limits.IDENTIFIER else None


def flag(value: Tree) -> bool | None:
    """`0` or `1`, as text, number or truth value (api-spec, Person; seen in the field)."""
    if value.__class__ is str and value in _AS_DOCUMENTED:
        return value == "1"
    if isinstance(value, bool):
        return value
    word = (text(value, field_limits.WORD) or "").strip().lower()
    if word in _YES:
        return True
    return False if word in _NO else None


def whole(value: Tree, most: int = field_limits.COUNT) -> int | None:
    """A count or code from 0 to `most`, sent as a number or as text; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    word = (text(value, field_limits.WORD) or "").strip()
    if not (word.isascii() and word.isdigit()):
        return None
    return found if (found := int(word)) <= most else None


def moment(value: Tree) -> datetime | None:
    """`YYYY-MM-DD HH:MM:SS`, in UTC since no zone is sent; blank and all zeros are None.

    So is a date that the calendar of some zone cannot hold, as 0001-01-01 or 9999-12-31.
    """
    if not isinstance(value, str) or len(value) > field_limits.WORD:
        return None
    try:
        if len(value) == _SECONDS_LONG:
            return field_limits.in_every_calendar(datetime.fromisoformat(f"{value}+00:00"))
        found = datetime.fromisoformat(value.strip())
        in_utc = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        return field_limits.in_every_calendar(in_utc)
    except (ValueError, OverflowError):
        return None


def collection(value: Tree, keys: Sequence[str] = ()) -> list[Tree]:
    """The items of a list in any of its shapes, in order.

    Seen in the field: a bare array, the array under one of `keys`, one bare object, a mapping by
    number, `""`, null, or nothing. A scalar, and a mapping without any of these, comes back as one
    item for the caller to judge.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return []
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or identifier(value.get("id")):
        return [value]
    for key in keys:
        if key in value:
            return collection(value[key])
    if all(key.isdigit() for key in value):
        return list(value.values())
    return [value]
