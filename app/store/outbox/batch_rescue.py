"""Batches out of a file that is damaged: what is gone of them made anew of the people who were
taken with them.

How the rest of them was found, and what is told of it, is left to `rescue`.
"""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from app.model.outbox import Batch, BatchRow, EntryState, OutboxEntry
from app.runtime.words import tr
from app.store.outbox import batches
from app.store.outbox.batches import decode_batch, decode_rows
from app.store.outbox.rows import KeptText, unsigned

_MOST_ROWS = 1_000_000
"""More than any list has."""
_People = Mapping[int, OutboxEntry]
_Rows = Mapping[int, BatchRow]


class Mended(NamedTuple):
    """Batches that are whole again, with all else that was kept beside them, and the names of those
    of which something could not be read. `people` stand in their rows, and nowhere else any more.
    """

    texts: list[KeptText]
    incomplete: tuple[str, ...]
    people: tuple[OutboxEntry, ...]


def mended(found: Iterable[KeptText], entries: Iterable[OutboxEntry]) -> Mended:
    """What was `found` of a damaged file, and what is missing made anew of its entries: how they
    are counted and in which row each stands, not what else stood in the row.
    """
    people: dict[str, dict[int, OutboxEntry]] = defaultdict(dict)
    for entry in entries:
        if entry.batch is not None and 0 <= entry.row < _MOST_ROWS:
            people[entry.batch][entry.row] = entry
    known: list[Batch] = []
    rows: dict[str, dict[int, BatchRow]] = defaultdict(dict)
    result: list[KeptText] = []
    for one in found:
        # A file that somebody made may hold anything.
        with contextlib.suppress(msgspec.DecodeError, ValueError):
            if one.table == "batches":
                known.append(decode_batch(unsigned(one.text)))
            elif one.table == "batch_rows":
                batch_id, _, first = one.id.rpartition("/")
                part = decode_rows(unsigned(one.text))
                # Its id is not signed with it: one bit of that may have it stand among others.
                if int(first) in range(0, _MOST_ROWS, batches.TOGETHER):
                    rows[batch_id].update(enumerate(part, int(first)))
            else:
                result.append(one)
    gone = _without_head(known, people, rows)
    made = [_head_of(one, people[one], rows[one]) for one in gone]
    incomplete = [batch.name for batch in made]
    for batch in sorted((*known, *made), key=lambda each: each.taken_at):
        theirs = rows[batch.id]
        if batch in known and any(number not in theirs for number in _numbers(batch)):
            incomplete.append(batch.name)
        result += batches.texts(batch, list(_all_rows(batch, people[batch.id], theirs)))
    lost = [one for batch in known for one in _lost(batch, people[batch.id], rows[batch.id])]
    return Mended(result, tuple(incomplete), tuple(lost))


def _lost(batch: Batch, people: _People, rows: _Rows) -> Iterator[OutboxEntry]:
    """Whoever was taken with it and is nowhere else: also those who are done are kept with it."""
    for number, row in rows.items():
        new = row.new_person
        is_of_it = number < batch.rows and batch.end is None
        if new is not None and number not in people and is_of_it:
            yield OutboxEntry(
                id=batch.entry_id(number),
                typed=" ".join(filter(None, (new.full_name, new.email))),
                new_person=new,
                state=EntryState.WAITING,
                typed_at=batch.taken_at,
                send_at=batch.taken_at,
                batch=batch.id,
                row=number,
            )


def _without_head(
    known: Iterable[Batch], people: Mapping[str, _People], rows: Mapping[str, _Rows]
) -> list[str]:
    """Batches that somebody was in; not those that were forgotten for being older than others."""
    heads = {batch.id: batch.taken_at for batch in known}
    oldest = min(heads.values(), default=None)
    return [
        batch_id
        for batch_id, entries in people.items()
        if batch_id not in heads
        and (
            batch_id in rows
            or oldest is None
            or any(not entry.done or entry.typed_at >= oldest for entry in entries.values())
        )
    ]


def _head_of(batch_id: str, people: _People, rows: _Rows) -> Batch:
    sent = {number for number, row in rows.items() if row.new_person is not None}
    width = max((len(row.cells) for row in rows.values()), default=0)
    return Batch(
        id=batch_id,
        name=tr("List from a damaged file"),
        headings=("",) * width,
        taken_at=min(entry.typed_at for entry in people.values()),
        rows=max((*people, *rows)) + 1,
        total=len(sent.union(people)),
    )


def _numbers(batch: Batch) -> range:
    return range(min(batch.rows, _MOST_ROWS))


def _all_rows(batch: Batch, people: _People, rows: _Rows) -> Iterator[BatchRow]:
    """Those that were read, and the others made anew."""
    before = next((row.line - number for number, row in rows.items()), 1)
    blank = ("",) * len(batch.headings)
    for number in _numbers(batch):
        if number in rows:
            yield rows[number]
            continue
        entry = people.get(number)
        gone = tr("not readable in the damaged file") if entry is None else ""
        person = None if entry is None else entry.new_person
        yield BatchRow(number + before, blank, person, gone)
