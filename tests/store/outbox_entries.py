"""Entries to put into an outbox."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from app.model.outbox import EntryState, NewPerson, OutboxEntry

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
NAMES = ("Ada", "Łucja", "山田", "O'Brien", "Zoë")


def entry(number: int, state: EntryState = EntryState.WAITING, **fields: Any) -> OutboxEntry:
    """An entry that differs from every other by its number."""
    first = NAMES[number % len(NAMES)]
    new = NewPerson(firstname=f"{first}{number}", lastname="Lovelace", email=f"a{number}@x.org")
    known: dict[str, Any] = {
        "id": f"{number:032x}",
        "typed": f'{new.full_name} "{new.email}"',
        "new_person": new,
        "typed_at": NOON.replace(minute=number % 60),
        "send_at": NOON,
        "state": state,
    }
    return OutboxEntry(**known | fields)


def ids(entries: Iterable[OutboxEntry]) -> list[str]:
    """What tells entries apart."""
    return [entry.id for entry in entries]
