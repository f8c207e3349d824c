"""What the history says of an entry: when, who, and what became of it, cell by cell."""

from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum

from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.people.search import marked
from app.runtime.spreadsheet import spreadsheet_cell
from app.runtime.words import tr
from app.viewmodels.cells import Cell
from app.viewmodels.wording import moment_words


class HistoryColumn(IntEnum):
    """The columns, in the order they are shown."""

    WHEN = 0
    NAME = 1
    EMAIL = 2
    OUTCOME = 3


def column_words(column: HistoryColumn) -> str:
    """A column's name."""
    return {
        HistoryColumn.WHEN: tr("When"),
        HistoryColumn.NAME: tr("Name"),
        HistoryColumn.EMAIL: tr("Email"),
        HistoryColumn.OUTCOME: tr("What became of it"),
    }[column]


def cells_of(entry: OutboxEntry, wanted: Sequence[str]) -> tuple[Cell, ...]:
    """The row of an entry, cell by cell, with the `wanted` words (folded) marked."""
    name, email, outcome = entry.new_person.full_name, entry.new_person.email, whole_outcome(entry)
    return (
        Cell(moment_words(moment_of(entry))),
        Cell(name, marks=marked(name, wanted)),
        Cell(email, marks=marked(email, wanted)),
        Cell(outcome, marks=marked(outcome, wanted)),
    )


def line_of(entry: OutboxEntry) -> str:
    """The row as text with tabs between its cells."""
    return "\t".join(spreadsheet_cell(cell.text) for cell in cells_of(entry, ()))


def moment_of(entry: OutboxEntry) -> datetime:
    """When the last thing happened to it, as far as that is kept, UTC."""
    if entry.state is EntryState.ADDED and entry.ended_at is not None:
        return entry.ended_at
    return entry.taken_off or entry.ended_at or entry.typed_at


def whole_outcome(entry: OutboxEntry) -> str:
    """What became of it, with the reason where there is one."""
    outcome = outcome_words(entry)
    if entry.state is not EntryState.REFUSED or not entry.reason:
        return outcome
    return tr("{outcome}: {reason}", outcome=outcome, reason=entry.reason)


def outcome_words(entry: OutboxEntry) -> str:
    """What became of it, or where it stands, in a few words; and that it was sent again."""
    outcome = _outcome(entry)
    if not entry.sent_again:
        return outcome
    if entry.state is not EntryState.WAITING:
        return tr("{outcome}, sent again", outcome=outcome)
    # The first time it did leave, and may have arrived.
    if entry.taken_off is not None:
        return tr("Taken back before it was sent again")
    return tr("Waiting to be sent again")


def _outcome(entry: OutboxEntry) -> str:
    if entry.taken_off is not None and entry.state is not EntryState.ADDED:
        return {
            EntryState.REFUSED: tr("Refused, then taken off the list"),
            EntryState.NOT_SURE: tr("Not sure, taken off the list"),
        }.get(entry.state, tr("Taken back, not sent"))
    if entry.state is EntryState.NOT_SURE:
        return {
            Doubt.LOOKING: tr("Not sure, being looked for"),
            Doubt.LOOKS_LIKE: tr("Not sure, somebody looks like the one"),
            Doubt.ABSENT: tr("Not sure, not found in the list"),
        }[entry.doubt]
    return {
        EntryState.WAITING: tr("Waiting"),
        EntryState.SENDING: tr("Sending"),
        EntryState.ADDED: tr("Added"),
        EntryState.REFUSED: tr("Refused"),
    }[entry.state]
