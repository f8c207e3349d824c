"""Run as a program: does something with an outbox and is killed (-9) before its n-th step: each n
from the third argument on, as far apart as the fourth says.

A step is a statement of SQL or something done to a file; what lives in memory alone is none, such
as a trigger of the connection. For each n one line of JSON says what had
been acknowledged by then and what a program started afterwards finds. It knows one scenario per
name in `SCENARIOS`; what must hold is said by the tests.
"""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from app.model.outbox import Batch, BatchRow, EntryState
from app.store.outbox.outbox import OutboxStore
from app.store.outbox.reviews import KeptReview
from tests.store.outbox_entries import NOON, entry

FILE_STEPS = {"os.rename", "os.remove", "os.mkdir", "os.chmod", "shutil.copyfile", "open"}
LIST = "c" * 32
HERE, THERE = "one https://a.example.org", "one https://b.example.org"
Tell = Callable[..., None]


class Steps:
    """Counts what is done from now on, and dies before one of it."""

    def __init__(self, last: int) -> None:
        self._left = last

    def watch(self) -> None:
        connect = sqlite3.connect

        def connected(*arguments: Any, **more: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **more)
            connection.set_trace_callback(self._step)
            return connection

        sqlite3.connect = connected  # type: ignore[assignment]  # the same, but watched
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in FILE_STEPS and "outbox" in str(arguments[0]):
            self._step(event)

    def _step(self, what: str) -> None:
        self._left -= not what.lstrip().startswith("CREATE TEMP ")
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


async def first_days(file: Path, tell: Tell) -> None:
    """An outbox is made; entries are typed, changed, sent and taken off; it is closed."""
    store = OutboxStore.open(file)
    for number in (1, 2, 3):
        store.keep_draft(f"draft of {number}")
        store.write(entry(number), clear_draft=True)
        tell(number, "waiting")
    sending = entry(1, EntryState.SENDING)
    await store.save(sending)
    tell(1, "sending")
    await store.save(msgspec.structs.replace(sending, state=EntryState.ADDED, person_id="p"))
    tell(1, "added")
    store.write(entry(2, taken_off=entry(2).typed_at))
    tell(2, "taken off")
    await store.close()


async def rescuing(file: Path, tell: Tell) -> None:
    """A damaged outbox with two entries is opened."""
    for number in (1, 2):
        tell(number, "waiting")
    await OutboxStore.open(file).close()


async def there_and_back(file: Path, tell: Tell) -> None:
    """An account with two entries, one that is done and a line has another address for a while."""
    for number in (1, 2):
        tell(number, "waiting")
    await OutboxStore.open(file, THERE).close()
    await OutboxStore.open(file, HERE).close()


async def looking_over(file: Path, tell: Tell) -> None:
    """A list is looked over, changed, and its one person taken."""
    store = OutboxStore.open(file)
    await store.keep_review(KeptReview(LIST, "fresh"), b"the list")
    tell("list", "fresh")
    await store.keep_review(KeptReview(LIST, "changed"))
    tell("list", "changed")
    batch = Batch(id="b" * 32, name="list", headings=(), taken_at=NOON, rows=1, total=1)
    person = entry(1, batch=batch.id, row=0)
    await store.take_batch(batch, [BatchRow(1, ("?",), person.new_person)], [person], LIST)
    tell("list", "taken")
    await store.close()


SCENARIOS = {
    "first_days": first_days,
    "rescuing": rescuing,
    "there_and_back": there_and_back,
    "looking_over": looking_over,
}


def _make_ours(file: Path) -> None:
    store = OutboxStore.open(file, HERE)
    store.write(entry(1), entry(2), entry(3, EntryState.ADDED, person_id="p"))
    store.keep_draft("draft of 4")
    asyncio.run(store.keep_review(KeptReview(LIST, "changed"), b"the list"))
    store.close_now()


def _make_damaged(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    store.write(entry(2))
    store.close_now()
    file.write_bytes(bytes(100) + file.read_bytes()[100:])


async def _found(file: Path, account: str) -> dict[str, Any]:
    store = OutboxStore.open(file, account)
    try:
        return {
            "open": {int(one.id, 16): one.state.value for one in store.entries()},
            "done": {
                int(one.id, 16): one.state.value if one.taken_off is None else "taken off"
                for one in await store.history()
            },
            "draft": store.draft(),
            "lists": [
                [review.text, (await store.review_source(review.id)).decode()]
                for review in store.reviews()
            ],
            "rescued": None if store.rescue is None else store.rescue.entries,
            "aside": sum("damaged" in name for name in os.listdir(file.parent)),  # noqa: PTH208
            "others": sorted(one.name for one in file.parent.parent.glob("outbox*")),
            "left": sorted(
                name
                for name in os.listdir(file.parent)  # noqa: PTH208
                if name.endswith((".new", ".look", ".rescued"))
            ),
        }
    finally:
        await store.close()


def _killed(scenario: str, file: Path, step: int) -> tuple[list[Any], bool]:
    """What was told before the kill, and whether it came to its end without one."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:

        def tell(*what: object) -> None:
            os.write(write_end, json.dumps(what).encode() + b"\n")

        try:
            Steps(step).watch()
            asyncio.run(SCENARIOS[scenario](file, tell))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as told:
        lines = told.read().splitlines()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"step {step} failed by itself")
    return [json.loads(line) for line in lines], os.WIFEXITED(status)


def main(scenario: str, folder: Path, every: int) -> None:
    """Every so manieth step of the scenario, each from a fresh start."""
    begun = folder / "begun"
    if scenario == "rescuing":
        _make_damaged(begun / "outbox.sqlite3")
    if scenario == "there_and_back":
        _make_ours(begun / "one" / "outbox.sqlite3")
    step, ended = 1 - every, False
    while not ended:
        step += every
        place = folder / str(step)
        if begun.exists():
            shutil.copytree(begun, place)
        file, account = place / "outbox.sqlite3", ""
        if scenario == "there_and_back":
            file, account = place / "one" / "outbox.sqlite3", HERE
        told, ended = _killed(scenario, file, step)
        found = asyncio.run(_found(file, account))
        again = asyncio.run(_found(file, account))
        one = {"step": step, "told": told, "found": found, "again": again}
        sys.stdout.write(json.dumps(one) + "\n")
        shutil.rmtree(place)


if __name__ == "__main__":
    sqlite3.enable_callback_tracebacks(True)
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
