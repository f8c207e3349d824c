"""The people flows in the database, one row each, and the few facts kept beside the tables.

It knows SQL and the text a flow is kept as; what a flow means is read elsewhere.
"""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from app.model import bounds
from app.model.flow import PeopleFlow, Step
from app.store.database import transaction
from app.store.errors import damaged

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PeopleFlow).decode
_LIGHT = 20_000
"""Characters: few flows are longer, and only those are looked through."""


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
        return tuple(_read(flow) for (flow,) in found)
    except msgspec.DecodeError as error:
        raise damaged(str(error)) from error


def _read(kept: str) -> PeopleFlow:
    flow = _decode(kept)
    return flow if len(kept) <= _LIGHT else _bounded(flow)


def _bounded(flow: PeopleFlow) -> PeopleFlow:
    """Within bounds: an older version kept what it was given."""
    return msgspec.structs.replace(
        flow,
        name=_text(flow.name, bounds.NAME),
        status=_text(flow.status, bounds.WORD),
        access=_text(flow.access, bounds.WORD),
        steps=_bounded_steps(flow.steps),
        admins=flow.admins[: bounds.ADMINS],
        # Of any shape; the next reading brings them again.
        locations=(),
        demographics=(),
    )


def _bounded_steps(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(
        msgspec.structs.replace(
            step,
            name=_text(step.name, bounds.NAME),
            status=_text(step.status, bounds.WORD),
            entry_point=_text(step.entry_point, bounds.WORD),
            steps=_bounded_steps(step.steps),
            admins=step.admins[: bounds.ADMINS],
        )
        for step in steps[: bounds.STEPS]
    )


def _text(value: str | None, most: int) -> str | None:
    return None if value is None else bounds.shortened(value, most)


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
    try:
        return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) else None
    except (ValueError, OverflowError, OSError):
        return None
