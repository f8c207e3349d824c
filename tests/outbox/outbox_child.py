"""Run as a program: types two people before a service in a file, and is killed (-9) at one stage.

The service is a file of lines of JSON, one per person it has; `FileService` adds to it.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.outbox.events import EntriesChanged
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.outbox.outbox import OutboxStore
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from app.api.service import Service

STAGES = ("typed", "leaving", "asked", "taken", "answered", "settled")


class FileService:
    """Keeps people in a file, and dies where it is told to."""

    def __init__(self, file: Path, stage: str = "") -> None:
        self._file = file
        self._stage = stage

    def listed(self) -> list[Person]:
        if not self._file.exists():
            return []
        return msgspec.json.Decoder(Person).decode_lines(self._file.read_bytes())

    async def check(self) -> None:
        """It answers."""

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        self.reached("asked")
        number = f"p{len(self.listed())}"
        person = Person(id=number, firstname=firstname, lastname=lastname, email=email)
        with self._file.open("ab") as file:
            file.write(msgspec.json.encode(person) + b"\n")
        self.reached("taken")
        return person

    def reached(self, stage: str) -> None:
        """Die, if this is where."""
        if stage == self._stage:
            os.kill(os.getpid(), signal.SIGKILL)


class FilePeople:
    """What is known of the people in the file: those of the last reading."""

    whole = True

    def __init__(self, service: FileService) -> None:
        self._service = service
        self._known = service.listed()

    async def namesakes(self, new: NewPerson) -> tuple[Person, ...]:
        return tuple(person for person in self._known if person.firstname == new.firstname)

    def person(self, person_id: str) -> Person | None:
        return next((person for person in self._known if person.id == person_id), None)

    async def read_again(self) -> bool:
        self._known = self._service.listed()
        return True


async def main(folder: Path, stage: str) -> None:
    """Type Ada and Bob and send them."""
    service = FileService(folder / "people.jsonl", stage)
    events = EventBus(_fail)
    scope = TaskScope("child", _fail, ExpectedError)
    store = OutboxStore.open(folder / "one" / "outbox.sqlite3")
    outbox = Outbox(
        events,
        scope,
        SignedInTo(cast("Service", service)),
        store=store,
        people=FilePeople(service),
        hold_seconds=0.0,
    )
    stages = {EntryState.SENDING: "leaving", EntryState.ADDED: "answered"}

    def changed(event: EntriesChanged) -> None:
        for entry in event.changed:
            service.reached(stages.get(entry.state, ""))

    events.subscribe(EntriesChanged, changed, scope)
    for name in ("Ada", "Bob"):
        new = NewPerson(firstname=name, lastname="Lovelace", email=f"{name}@x.org")
        outbox.add(name, new)
    service.reached("typed")
    while scope.busy:  # noqa: ASYNC110 - as a test looks, from outside
        await asyncio.sleep(0.001)
    service.reached("settled")


def _fail(error: BaseException) -> None:
    raise SystemExit(str(error))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
