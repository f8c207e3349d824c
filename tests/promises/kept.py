"""What an account's outbox file says at the end, read without the program that wrote it."""

import asyncio
from collections.abc import Collection
from pathlib import Path

from app.model.outbox import EntryState, OutboxEntry
from app.store.outbox.outbox import OutboxStore
from tests.promises.tally import Kept

_EVERYTHING = 1_000_000


def kept_in(path: Path, undone: Collection[int]) -> dict[int, Kept]:
    """Every entry by its number, but those who were `undone`."""
    kept = map(_kept, asyncio.run(_all_entries(path)))
    return {one.number: one for one in kept if one.number not in undone}


def number_of(entry: OutboxEntry) -> int:
    """What the plan calls whoever it is."""
    return int(entry.new_person.leftover or entry.typed)


async def _all_entries(path: Path) -> tuple[OutboxEntry, ...]:
    store = OutboxStore.open(path)
    try:
        return (*store.entries(), *await store.history(limit=_EVERYTHING))
    finally:
        await store.close()


def _kept(entry: OutboxEntry) -> Kept:
    taken_off = entry.taken_off is not None and entry.state is EntryState.WAITING
    return Kept(number_of(entry), entry.person_id, open=not entry.done, taken_off=taken_off)
