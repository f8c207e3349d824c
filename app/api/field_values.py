"""Single values and collections as services really send them, read into plain Python.

A value that makes no sense is None: one bad field must not cost a whole list. Unknown keys are
never looked at. Every value is bounded here (`model.field_limits`): the document gives no limits.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from app.api.formats.tree import Tree, Unreadable
from app.model import field_limits

COUNTS = frozenset({"on_this_page", "page", "per_page", "total"})
"""What a page object tells beside its items (api-spec, Page object)."""
ADDRESSES = frozenset({"href", "link", "url", "uri"})
"""What tells where something stands, and never what it is or who somebody is."""
_YES = frozenset({"1", "true", "yes", "y"})
_NO = frozenset({"0", "false", "no", "n"})
_AS_DOCUMENTED = frozenset({"0", "1"})
_IDS = ("id", "person_id")
_DESCRIBES = COUNTS | {"type", "count", "nil"}
_KINDS_OF_LIST = frozenset({"", "array", "list", "collection", "set"})
_NUMBERED = re.compile(r"(item|key|row|entry|element|node|index|step|admin)[_-]?[0-9]{1,4}")
_BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_SEVERAL = "s"
_NAMES_OF_LISTS = frozenset(
    {
        *("admin", "administrator", "person", "people", "user", "member", "leader", "manager"),
        *("owner", "contact", "staff", "volunteer", "step", "flow", "item", "entry", "entrie"),
        *("element", "row", "record", "node", "object", "list", "array", "collection", "data"),
        *("result", "value", "id", "uid", "uuid", "guid"),
    }
)
"""In the singular, the last word of a wrapper's name; seen in the field, and cousins of those."""
_NAMES_OF_FAILURES = frozenset({"error", "warning", "fault", "exception", "message", "reason"})
_DEEPEST_WRAPPER = 3
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
    number, `""`, null, or nothing. A scalar comes back as one item for the caller to judge.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return []
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or isinstance(value, Unreadable):
        return [value]
    for key in keys:
        if key in value:
            return collection(value[key])
    if all(key.isdigit() for key in value):
        return list(value.values())
    return [value]


def unwrapped(value: Tree) -> list[Tree] | None:
    """The same whatever the wrapper is called: None for a mapping that is no list in any shape.

    A mapping with an id is a record and stands for itself. Any other wraps a list where it has one
    key beside what only describes the list, or says where it stands (seen in the field: `item`, the
    list's own name again, the name of its records, or several ids), where its keys are numbered,
    and where each of them has a record. Under a name that no list has, only records are a list:
    none there would be a lie, and what is bare is no more an id than a word of an error.
    """
    if isinstance(value, Unreadable):
        return None
    if not isinstance(value, dict) or _is_record(value):
        return collection(value)
    if all(key.isdigit() for key in value):
        found = list(value.values())
        # The numbers that do not begin a list may be ids, and are somebody with nothing beside.
        return None if value and "0" not in value and all(map(is_blank, found)) else found
    return _wrapped(value)


def _wrapped(value: dict[str, Tree]) -> list[Tree] | None:
    names = [key for key in value if key not in _DESCRIBES]
    held = [key for key in names if key not in ADDRESSES]
    if len(held) == 1 and isinstance(value[held[0]], dict | list):
        return in_wrapper(held[0], unwrapped(value[held[0]]))
    if len(names) > 1:
        wrapped = [value[key] for key in names]
        several = all(map(_NUMBERED.fullmatch, names)) or (
            all(map(_is_record, wrapped)) and not any(map(_names_a_failure, names))
        )
        return wrapped if several else None
    if not names:
        return [] if _describes_a_list(value) else None
    (name,) = names
    if is_blank(value[name]) and name in _IDS:
        return None  # somebody who is not named, rather than nobody
    return in_wrapper(name, unwrapped(value[name]))


def in_wrapper(name: str, found: list[Tree] | None) -> list[Tree] | None:
    """What was `found` under a `name`, None where that cannot be the items of a list."""
    if found is None or _names_a_list(name):
        return found
    told = [each for each in found if not is_blank(each)]
    records = bool(told) and all(isinstance(each, dict) for each in told)
    return found if records and not _names_a_failure(name) else None


@lru_cache(maxsize=256)
def _names_a_list(name: str) -> bool:
    if _names_a_failure(name):
        return False
    last = _words(name)[-1]
    known = last in _NAMES_OF_LISTS or last.removesuffix(_SEVERAL) in _NAMES_OF_LISTS
    return known or _NUMBERED.fullmatch(name) is not None


def _names_a_failure(name: str) -> bool:
    return any(word.removesuffix(_SEVERAL) in _NAMES_OF_FAILURES for word in _words(name))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _BETWEEN_WORDS.split(name[: field_limits.WORD])]


def _describes_a_list(value: dict[str, Tree]) -> bool:
    """Whether a mapping that has nothing else describes a list, as XML does one of none."""
    kind = (text(value.get("type", "")) or "").strip().lower()
    return kind in _KINDS_OF_LIST and flag(value.get("nil", True)) is True


def is_blank(value: Tree) -> bool:
    """Whether nothing is meant; PHP says false where there is none."""
    return value is None or value is False or (isinstance(value, str) and not value.strip())


def counted(value: Tree, depth: int = 0) -> int:
    """How many items a list says that it has, wherever in its wrappers; 0 where it does not say."""
    if not isinstance(value, dict) or _is_record(value) or depth > _DEEPEST_WRAPPER:
        return 0
    own = max(whole(value.get(name)) or 0 for name in ("total", "on_this_page", "count"))
    inside = [each for key, each in value.items() if key not in _DESCRIBES]
    return max(own, counted(inside[0], depth + 1)) if len(inside) == 1 else own


def is_keyed_by_id(value: dict[str, Tree]) -> bool:
    """Whether one text stands under what is rather an id than the name of a wrapper."""
    names = [key for key in value if key not in _DESCRIBES]
    if len(names) != 1 or isinstance(value[names[0]], dict | list):
        return False
    (name,) = names
    numbered = name.isdigit() or _NUMBERED.fullmatch(name)
    return not numbered and any(map(str.isdigit, name))


def _is_record(value: Tree) -> bool:
    return isinstance(value, dict) and any(identifier(value.get(key)) for key in _IDS)
