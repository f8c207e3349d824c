"""The statements on the people table; what goes in and comes out is known to `people_table`."""
# ruff: noqa: S608 - only names of columns are put together here, every value is a parameter

from enum import IntFlag

from app.store.ordering import KEY_COLUMNS, SortKey, order_by
from app.store.search_keys import SEPARATOR


class PersonFlags(IntFlag):
    """What a person can be filtered by; a flag that was not given is not set."""

    ADMIN = 1
    ARCHIVED = 2
    VOLUNTEER = 4
    WITHOUT_EMAIL = 8
    """The email was given, and blank."""


_FIELDS = (
    "firstname, lastname, email, phone, mobile, date_added, date_modified, "
    "admin, archived, volunteer"
)
_KEYS = ", ".join(KEY_COLUMNS)
_VALUES = ", ".join("?" for _ in f"{_FIELDS}, {_KEYS}".split(", "))
_JOINED_KEY = f" || char({ord(SEPARATOR)}) || ".join(KEY_COLUMNS)
_FLAGS = " | ".join(
    f"coalesce({condition}, 0) * {flag.value}"
    for condition, flag in {
        "admin": PersonFlags.ADMIN,
        "archived": PersonFlags.ARCHIVED,
        "volunteer": PersonFlags.VOLUNTEER,
        "(email = '')": PersonFlags.WITHOUT_EMAIL,
    }.items()
)
# One parameter for any number of values: a JSON array.
_OF_THESE = "IN (SELECT value FROM json_each(?))"

INSERT = f"INSERT INTO people (row, id, {_FIELDS}, {_KEYS}) VALUES (?, ?, {_VALUES})"
UPDATE = f"UPDATE people SET ({_FIELDS}, {_KEYS}) = ({_VALUES}) WHERE row = ?"
DELETE = "DELETE FROM people WHERE row = ?"
LAST_ROW = "SELECT max(seq) FROM sqlite_sequence"
ALL_ROWS = "SELECT row FROM people"
ROW_OF_ID = "SELECT row FROM people WHERE id = ?"
# The whole answer in one step: with a step a row, the thread that paints would stand in line for
# the interpreter at each of them while a save is under way.
PEOPLE_OF_ROWS = (
    f"SELECT json_group_array(json_array(row, id, {_FIELDS})) FROM people WHERE row {_OF_THESE}"
)
PEOPLE_OF_IDS = f"SELECT row, id, {_FIELDS} FROM people WHERE id {_OF_THESE}"
_INDEX = f"SELECT row, {_JOINED_KEY}, {_FLAGS}, date_added FROM people"
INDEX_OF_ROWS = f"{_INDEX} WHERE row {_OF_THESE}"
INDEX_AFTER = f"{_INDEX} WHERE row > ? ORDER BY row LIMIT ?"


def sorted_rows(by: SortKey, *, descending: bool) -> str:
    """All rows in order."""
    return f"{ALL_ROWS} {order_by(by, descending=descending)}"
