"""The people flows in the database, one row each, and the few facts kept beside the tables.

It knows SQL and the text a flow is kept as; what a flow means is read elsewhere.
"""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from app.model.flow import PeopleFlow
from app.store.database import transaction
from app.store.errors import damaged

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PeopleFlow).decode


def save(connection: sqlite3.Connection, flows: Iterable[PeopleFlow]) -> None:
    """Put `flows`, in their order, in the place of those that were there."""
    rows = ((place, _encode(flow).decode()) for place, flow in enumerate(flows))
    with transaction(connection):
        connection.execute("DELETE FROM flows")
        connection.executemany("INSERT INTO flows (place, flow) VALUES (?, ?)", rows)


def read(connection: sqlite3.Connection) -> tuple[PeopleFlow, ...]:
    """All flows in their order. Raises StoreDamaged."""
    try:
        found = connection.execute("SELECT flow FROM flows ORDER BY place")
        return tuple(_decode(flow) for (flow,) in found)
    except msgspec.DecodeError as error:
        raise damaged(str(error)) from error


def remember(connection: sqlite3.Connection, name: str, value: str | int) -> None:
    """Keep a fact under `name`."""
    connection.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def recall(connection: sqlite3.Connection, name: str) -> str | int | None:
    """The fact under `name`; None when there is none."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else found[0]


def recall_time(connection: sqlite3.Connection, name: str) -> datetime | None:
    """The fact under `name` as a time."""
    seconds = recall(connection, name)
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) else None
