"""Rows of the People table as a test writes them, and as it reads them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.viewmodels.people.table import (
    Column,
    Key,
    PeopleTable,
)

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)


class People:
    """Gives the person of each row but of those gone, and keeps what it was asked for."""

    def __init__(self, *gone: int) -> None:
        self.gone = gone
        self.asked: list[list[int]] = []
        self.phone = "1"

    def __call__(self, rows: Sequence[int]) -> dict[int, Person]:
        self.asked.append(list(rows))
        return {row: self._person(row) for row in rows if row not in self.gone}

    def _person(self, row: int) -> Person:
        return Person(
            id=f"id-{row}",
            firstname="Person",
            lastname=str(row),
            email=f"{row}@x.org",
            phone=self.phone,
            mobile="2",
            date_added=NOON,
            volunteer=row % 2 == 0,
            admin=row % 4 == 0,
            archived=False,
        )


def entry(name: str, state: EntryState = EntryState.WAITING) -> OutboxEntry:
    new_person = NewPerson(firstname=name, lastname="Typed", email=f"{name}@y.org")
    return OutboxEntry(
        id=name, typed=name, new_person=new_person, state=state, typed_at=NOON, send_at=NOON
    )


def keys(table: PeopleTable) -> list[Key | None]:
    return [table.key_at(position) for position in range(table.rowCount())]


def cells(table: PeopleTable, position: int) -> list[object]:
    return [table.data(table.index(position, column)) for column in Column]
