"""Parts of the real program that end it with signal 9 at the stage they are told to.

What they do otherwise is what the program does; `Careless` names ways to do it wrongly, to show
that the trial would notice.
"""

import contextlib
import json
import os
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from app.api.client import ServiceClient
from app.model.outbox import Batch, BatchRow, EntryState, OutboxEntry
from app.model.person import Person
from app.store.outbox.outbox import OutboxStore


class Careless(StrEnum):
    """A program that breaks the promise, each in one place."""

    NOT_AT_ALL = "not at all"
    SENDING_UNWRITTEN = "sending unwritten"
    """That somebody is about to leave is known to nobody but memory."""
    ACKNOWLEDGED_UNWRITTEN = "acknowledged unwritten"
    """The line clears before the person is written."""
    RESENDS = "resends"
    """A lost reply is taken for a create that did not happen."""


class Death:
    """Comes once, at one stage, the n-th time it is reached; or between two statements there."""

    def __init__(self) -> None:
        self._stage = ""
        self._left = 0
        self._counting = False

    def await_(self, stage: str, left: int) -> None:
        """Come at `stage`."""
        self._stage, self._left = stage, left

    def reached(self, stage: str) -> None:
        """The program is there now."""
        if stage and stage == self._stage:
            self._step()

    @contextlib.contextmanager
    def among_statements(self, stage: str) -> Iterator[None]:
        """Each statement of SQL counts, and the end."""
        self._counting = bool(stage) and stage == self._stage
        yield
        if self._counting:
            self._left = 0
            self._step()

    def watch(self) -> None:
        """See every statement for the outbox from now on."""
        connect = sqlite3.connect

        def connected(path: Any, *arguments: Any, **more: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(path, *arguments, **more)
            if "outbox" in str(path):
                connection.set_trace_callback(self._stated)
            return connection

        sqlite3.connect = connected  # type: ignore[assignment]  # the same, but watched

    def _stated(self, _statement: str) -> None:
        if self._counting:
            self._step()

    def _step(self) -> None:
        self._left -= 1
        if self._left <= 0:
            say(dying=self._stage)
            os.kill(os.getpid(), signal.SIGKILL)


def say(**what: object) -> None:
    """One line to whoever started this; it is out when this returns."""
    os.write(1, json.dumps(what).encode() + b"\n")


DEATH = Death()


class WatchedStore(OutboxStore):
    """The precious file, before and after each of its writes."""

    careless = Careless.NOT_AT_ALL

    @classmethod
    def open(cls, path: Path | None, account: str = "") -> "WatchedStore":
        """As it is opened."""
        with DEATH.among_statements("while opening"):
            store = super().open(path, account)
        assert isinstance(store, WatchedStore)
        return store

    def write(self, *entries: OutboxEntry, clear_draft: bool = False) -> None:
        """What a person asked for."""
        new = clear_draft
        if new and self.careless is Careless.ACKNOWLEDGED_UNWRITTEN:
            return
        DEATH.reached("before the write" if new else "before a decision")
        with DEATH.among_statements("while writing" if new else ""):
            super().write(*entries, clear_draft=clear_draft)
        if new:
            DEATH.reached("written, not told")

    def set_metadata(self, name: str, value: str | None) -> None:
        """That nobody leaves before they are compared, and that they may."""
        of_the_hold = name == "held until compared"
        if of_the_hold:
            DEATH.reached("before they are held" if value else "before they are let go")
        super().set_metadata(name, value)
        if of_the_hold:
            DEATH.reached("held until compared" if value else "let go")

    async def save(self, *entries: OutboxEntry) -> None:
        """What the sender did; of what is done together it is at the stage of the last."""
        state = entries[-1].state
        word = state.name.replace("_", " ")
        if state is EntryState.SENDING and self.careless is Careless.SENDING_UNWRITTEN:
            return
        DEATH.reached("before one is set aside" if state is EntryState.REFUSED else "")
        DEATH.reached(f"before {word}")
        with DEATH.among_statements(f"while {word} is written"):
            await super().save(*entries)
        DEATH.reached(f"{word} written")

    async def take_batch(
        self,
        batch: Batch,
        batch_rows: Sequence[BatchRow],
        entries: Sequence[OutboxEntry],
        review: str = "",
    ) -> None:
        """Many at once."""
        if self.careless is Careless.ACKNOWLEDGED_UNWRITTEN:
            return
        DEATH.reached("before the batch")
        with DEATH.among_statements("while the batch is written"):
            await super().take_batch(batch, batch_rows, entries, review)
        DEATH.reached("batch written, not told")

    def write_batch(self, batch: Batch) -> None:
        """What a person asked for of many at once."""
        DEATH.reached("before it is paused or stopped")
        super().write_batch(batch)
        DEATH.reached("paused or stopped")


class WatchedClient(ServiceClient):
    """The client, before a create and after its reply."""

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        """As it is asked for."""
        DEATH.reached("before the request")
        person = await super().create_person(firstname, lastname, email)
        DEATH.reached("reply read")
        return person
