"""Everybody the service knows: people written by hand, invented ones, those added since the start.

Places in the list are computed: a page at the end of a million costs what the first page costs.
"""

import csv
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from importlib import resources

from app.demo.data_generator import (
    ARCHIVED_AT,
    ARCHIVED_EVERY,
    Person,
    identity,
    invent,
    modified_after,
    timestamp,
)


@cache
def written() -> tuple[Person, ...]:
    """The hand-written people, in the order of their file."""
    text = resources.files("app.demo").joinpath("people.csv").read_text("utf-8")
    return tuple(
        _written(number, row) for number, row in enumerate(csv.DictReader(text.splitlines()))
    )


class People:
    """The list of people: read by place, added to at the end; the order never changes."""

    def __init__(self, count: int) -> None:
        self._written = written()[:count]
        self._invented = max(0, count - len(written()))
        self._added: list[Person] = []

    def total(self, *, archived: bool | None = None) -> int:
        """How many there are; with `archived`, how many of that kind."""
        first, last = self._ends(archived=archived)
        return len(first) + self._many(archived=archived) + len(last)

    def page(self, start: int, size: int, *, archived: bool | None = None) -> list[Person]:
        """The people from place `start` (from 0) on, `size` at the most."""
        stop = min(start + size, self.total(archived=archived))
        return list(self._between(start, stop, archived=archived))

    def add(self, firstname: str, lastname: str, email: str) -> Person:
        """Add somebody, even somebody who is there already: the service does not compare."""
        now = timestamp(datetime.now(UTC))
        person = {
            "id": str(uuid.uuid4()),
            "date_added": now,
            "date_modified": now,
            "firstname": firstname,
            "lastname": lastname,
            "email": email,
            "phone": "",
            "mobile": "",
            "admin": "0",
            "archived": "0",
            "volunteer": "0",
        }
        self._added.append(person)
        return person

    def _ends(self, *, archived: bool | None) -> tuple[Sequence[Person], Sequence[Person]]:
        if archived is None:
            return self._written, self._added
        flag = "1" if archived else "0"
        first = [person for person in self._written if person["archived"] == flag]
        return first, ([] if archived else self._added)

    def _many(self, *, archived: bool | None) -> int:
        if archived is None:
            return self._invented
        hidden = max(0, (self._invented - 1 - ARCHIVED_AT) // ARCHIVED_EVERY + 1)
        return hidden if archived else self._invented - hidden

    def _between(self, start: int, stop: int, *, archived: bool | None) -> Iterator[Person]:
        first, last = self._ends(archived=archived)
        many = self._many(archived=archived)
        for place in range(start, stop):
            if place < len(first):
                yield first[place]
            elif place < len(first) + many:
                yield invent(_number(place - len(first), archived=archived))
            else:
                yield last[place - len(first) - many]


def _number(place: int, *, archived: bool | None) -> int:
    """Which invented person stands at `place` among those of the kind."""
    if archived is None:
        return place
    if archived:
        return place * ARCHIVED_EVERY + ARCHIVED_AT
    block, offset = divmod(place, ARCHIVED_EVERY - 1)
    return block * ARCHIVED_EVERY + offset + (1 if offset >= ARCHIVED_AT else 0)


def _written(number: int, row: dict[str, str]) -> Person:
    flags = row["flags"].split()
    added = datetime.strptime(row["added"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    return {
        "id": identity("person", number),
        "date_added": row["added"],
        "date_modified": modified_after(added, blake2b(row["added"].encode()).digest()),
        "firstname": row["firstname"],
        "lastname": row["lastname"],
        "email": row["email"],
        "phone": row["phone"],
        "mobile": row["mobile"],
        "admin": str(int("admin" in flags)),
        "archived": str(int("archived" in flags)),
        "volunteer": str(int("volunteer" in flags)),
    }
