"""What became of each row of a list: shown by kind, decided about, and saved as a file.

What a cell of it says is `result_table`'s; how far a list is, `progress`'s.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal

from app.importing.list_name import list_stem, list_title
from app.model.errors import ExpectedError
from app.model.outbox import Batch, BatchRow, Doubt, EntryState, OutboxEntry
from app.outbox.batches import BatchResultRow, Outcome
from app.outbox.events import BatchesChanged
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import in_a_row, tr, trn
from app.viewmodels.exporting.copying import MOST_COPIED, copy_rows
from app.viewmodels.exporting.saved_file import save_rows
from app.viewmodels.formatting import moment_words, number
from app.viewmodels.importing.result_table import (
    ResultKind,
    ResultTable,
    cells_of,
    copied_cells,
    copied_headings,
    file_headings,
    file_row,
    kind_of,
    kind_words,
)
from app.viewmodels.importing.returned_list import returned_list
from app.viewmodels.notices import shortened
from app.viewmodels.screen import ActionFeedback, Screen

_EMPTY = "empty"
"""What the review calls a row without anybody."""
_BETWEEN_READINGS = 0.5
"""Seconds, while many are sent; every row is looked at in each."""


class ResultChip(msgspec.Struct, frozen=True):
    """One kind of rows, and how many there are."""

    text: str
    spoken: str
    kind: ResultKind | None
    """None: all of them."""


class KeptList(msgspec.Struct, frozen=True):
    """A list that was added here before, as it is offered to be looked at."""

    id: str
    words: str


class ResultFacts(msgspec.Struct, frozen=True):
    """What is known of the list that is shown."""

    batch: Batch | None = None
    counts: tuple[tuple[ResultKind, int], ...] = ()
    rows: int = 0
    kind: ResultKind | None = None
    read: bool = False
    """Whether its rows have been read."""
    can_look_over: bool = False
    said: str = ""
    trouble: bool = False


class ResultState(msgspec.Struct, frozen=True):
    """What a view shows besides the rows. What does not apply is blank."""

    title: str = ""
    when_words: str = ""
    chips: tuple[ResultChip, ...] = ()
    on: int = 0
    """The number of the chip that is on."""
    empty_words: str = ""
    can_save: bool = False
    can_look_over: bool = False
    """Whether anybody was left out or not sent."""
    said: str = ""
    trouble: bool = False


def result_state(facts: ResultFacts) -> ResultState:
    """What a view shows once these are the facts."""
    chips = _chips(facts)
    if facts.batch is None:
        return ResultState(chips=chips, empty_words=tr("This list is no longer kept."))
    return ResultState(
        title=list_title(facts.batch.name),
        when_words=tr("added {time}", time=moment_words(facts.batch.taken_at)),
        chips=chips,
        on=next((at for at, chip in enumerate(chips) if chip.kind is facts.kind), 0),
        empty_words=tr("No row is like that.") if facts.read and not facts.rows else "",
        can_save=facts.rows > 0,
        can_look_over=facts.can_look_over,
        said=facts.said,
        trouble=facts.trouble,
    )


def _chips(facts: ResultFacts) -> tuple[ResultChip, ...]:
    """All kinds, also those of which there is none: they stay where they are while people go."""
    counts = dict(facts.counts)
    everything = _chip(None, tr("All rows"), sum(counts.values()))
    kinds = (_chip(kind, kind_words(kind), counts.get(kind, 0)) for kind in ResultKind)
    return (everything, *kinds)


def _chip(kind: ResultKind | None, words: str, count: int) -> ResultChip:
    spoken = trn("{words}, {n} row", "{words}, {n} rows", count, words=words)
    return ResultChip(f"{words} {number(count)}", spoken, kind)


class ResultScreen(Screen[ResultState]):
    """Reads while it is open: between `open` and `close`, and whenever the list changes then."""

    copied = Signal(object)
    """Carries `CopiedRows`."""
    correction_wanted = Signal(object)
    """Carries the OutboxEntry that somebody wants to correct and send again."""
    entry_wanted = Signal(object)
    """Carries the OutboxEntry in doubt that somebody wants to see, with what can be answered."""
    look_over_wanted = Signal(object)
    """Carries a `ReturnedList` of rows that were left out or not sent."""

    def __init__(self, outbox: Outbox, events: EventBus, scope: TaskScope) -> None:
        """Closed, with no list in it."""
        super().__init__(result_state(ResultFacts()))
        self._outbox = outbox
        self._batches = outbox.batches
        self.table = ResultTable()
        self._batch_id: str | None = None
        self._kind: ResultKind | None = None
        self._rows: tuple[BatchResultRow, ...] = ()
        self._kinds: tuple[ResultKind, ...] = ()
        self._counts: tuple[tuple[ResultKind, int], ...] = ()
        self._read_already = False
        self._can_look_over = False
        self._feedback = ActionFeedback(self)
        self._feedback.changed.connect(self._tell)
        self._reading = Action(
            scope, self._read, second="replace", on_error=self._feedback.say_error
        )
        self._saving = Action(scope, self._save, second="drop", on_error=self._feedback.say_error)
        self._looking_over = Action(
            scope, self._look_over, second="drop", on_error=self._feedback.say_error
        )
        events.subscribe(BatchesChanged, self._batches_changed, scope)

    def kept_lists(self) -> tuple[KeptList, ...]:
        """Every list that was added here, the newest first."""
        return tuple(
            KeptList(
                batch.id,
                trn(
                    "{name}, {time}, {n} row",
                    "{name}, {time}, {n} rows",
                    batch.rows,
                    name=shortened(list_title(batch.name)),
                    time=moment_words(batch.taken_at),
                ),
            )
            for batch in self._batches.all()
        )

    def open(self, batch_id: str) -> None:
        """Somebody looks at this list: read all of its rows."""
        if batch_id != self._batch_id:
            self._kind = None
        self._batch_id = batch_id
        self._forget()
        self._feedback.say("")
        self._reading(batch_id)
        self._tell()

    def close(self) -> None:
        """Nobody looks any more: forget the rows, and read nothing."""
        self._reading.cancel()
        self._batch_id = None
        self._forget()

    def show_only(self, chip: int) -> None:
        """Show the rows of this chip alone."""
        self._kind = self.state.chips[chip].kind
        self._feedback.say("")
        self._show()

    def correct(self, position: int) -> bool:
        """Have whoever stands there corrected, to be sent again; False where that cannot be."""
        if not self.can_correct(position):
            return False
        row = self.table.rows[position]
        if _can_be_looked_over(row):
            self._looking_over([row])
        else:
            self.correction_wanted.emit(self._entry(position))
        return True

    def can_correct(self, position: int) -> bool:
        """Whether whoever stands there was refused, waits, was left out or was not sent."""
        rows = self.table.rows
        if 0 <= position < len(rows) and _can_be_looked_over(rows[position]):
            return True
        entry = self._entry(position)
        return entry is not None and entry.state in {EntryState.REFUSED, EntryState.WAITING}

    def can_show(self, position: int) -> bool:
        """Whether nobody is sure of whoever stands there: the answers are where they are shown."""
        entry = self._entry(position)
        return entry is not None and entry.state is EntryState.NOT_SURE

    def show(self, position: int) -> bool:
        """Have whoever stands there shown among the people; False where that answers nothing."""
        if not self.can_show(position):
            return False
        self.entry_wanted.emit(self._entry(position))
        return True

    def look_over_again(self) -> None:
        """Look over everybody who was left out or not sent, whatever is shown, as one list."""
        self._looking_over([row for row in self._rows if _can_be_looked_over(row)])

    def can_send_again(self, positions: Collection[int]) -> bool:
        """Whether any of these rows can be sent again as it is."""
        return any(_is_unsettled(self._entry(at)) for at in positions)

    def send_again(self, positions: Collection[int]) -> None:
        """Send those of these rows again, as they are, who were refused or not found."""
        entries = [entry for at in positions if _is_unsettled(entry := self._entry(at)) and entry]
        sent = 0
        for entry in entries:
            try:
                sent += self._outbox.send_again(entry.id) is not None
            except ExpectedError as error:
                self._feedback.say_error(error)
                return
        self._feedback.say(trn("{n} sent again.", "{n} sent again.", sent))

    def whole_words(self, position: int) -> str:
        """Who stands there and all that is said of them, as one line; blank for no row."""
        rows = self.table.rows
        if not 0 <= position < len(rows):
            return ""
        _, name, email, outcome = cells_of(rows[position])
        who = in_a_row(filter(None, (name.text, email.text)))
        said = outcome.whole or outcome.text
        return tr("{who}. {outcome}", who=who, outcome=said) if who else said

    def copy(self, positions: Collection[int]) -> None:
        """Copy whole rows, below their headings."""
        chosen = sorted(positions)
        if chosen:
            rows = [copied_cells(self.table.rows[at]) for at in chosen[:MOST_COPIED]]
            copied, said = copy_rows(copied_headings(), rows, len(chosen))
            self._feedback.say(said)
            self.copied.emit(copied)

    @property
    def file_name(self) -> str:
        """A name for the file, without its end, until a person chooses another."""
        return tr("{name} result", name=list_stem(self.state.title) or tr("List"))

    def save(self, path: str) -> None:
        """Write the rows that are shown to a file for a spreadsheet, with the list's own columns;
        an XLSX where the name ends so, else a CSV.
        """
        self._saving(Path(path))

    def dismiss(self) -> None:
        """What was said has been read."""
        self._feedback.say("")

    # How it is done

    async def _look_over(self, rows: Sequence[BatchResultRow]) -> None:
        batch = self._batch
        if batch is not None and rows:
            taken = [_as_taken(row) for row in rows]
            self.look_over_wanted.emit(await asyncio.to_thread(returned_list, batch, taken))

    @property
    def _batch(self) -> Batch | None:
        return next((one for one in self._batches.all() if one.id == self._batch_id), None)

    def _forget(self) -> None:
        self._rows, self._kinds, self._counts = (), (), ()
        self._read_already = self._can_look_over = False
        self.table.show_rows(())

    def _entry(self, position: int) -> OutboxEntry | None:
        rows = self.table.rows
        return (
            self._outbox.index.get(rows[position].entry_id) if 0 <= position < len(rows) else None
        )

    async def _read(self, batch_id: str) -> None:
        rows = await self._batches.result(batch_id)
        # For fifty thousand rows that takes longer than a turn of the loop may.
        kinds = await asyncio.to_thread(lambda: tuple(map(kind_of, rows)))
        self._rows, self._kinds = rows, kinds
        self._counts = tuple(Counter(kinds).items())
        self._can_look_over = any(_can_be_looked_over(row) for row in rows)
        self._read_already = True
        self._show()
        await asyncio.sleep(_BETWEEN_READINGS)

    def _batches_changed(self, event: BatchesChanged) -> None:
        if self._batch_id is not None and self._batch_id in event.ids:
            self._reading.again(self._batch_id)

    def _show(self) -> None:
        shown, rows = self._kind, self._rows
        if shown is not None:
            kinds = zip(rows, self._kinds, strict=True)
            rows = tuple(row for row, kind in kinds if kind is shown)
        self.table.show_rows(rows)
        self._tell()

    def _tell(self) -> None:
        self._set_state(
            result_state(
                ResultFacts(
                    batch=self._batch,
                    counts=self._counts,
                    rows=self.table.rowCount(),
                    kind=self._kind,
                    read=self._read_already,
                    can_look_over=self._can_look_over,
                    said=self._feedback.sentence,
                    trouble=self._feedback.is_error,
                )
            )
        )

    async def _save(self, path: Path) -> None:
        rows = tuple(self.table.rows)
        batch = self._batch
        if batch is None:
            return
        width = max((len(row.cells) for row in rows), default=0)
        await save_rows(path, partial(_write, path, batch, rows, width), len(rows), self._feedback)


def _write(path: Path, batch: Batch, rows: Sequence[BatchResultRow], width: int) -> None:
    from app.exporting.table import write_table  # noqa: PLC0415 - no start needs it

    write_table(path, file_headings(batch, width), [file_row(row, width) for row in rows])


def _can_be_looked_over(row: BatchResultRow) -> bool:
    return row.outcome is Outcome.NOT_SENT or (
        row.outcome is Outcome.LEFT_OUT and row.reason != _EMPTY
    )


def _as_taken(row: BatchResultRow) -> BatchRow:
    """The row as the list had it, as corrected last."""
    if row.outcome is Outcome.LEFT_OUT:
        return BatchRow(row.line, row.cells, left_out=row.reason, as_read=row.new_person)
    return BatchRow(row.line, row.cells, row.new_person, anyway=row.anyway)


def _is_unsettled(entry: OutboxEntry | None) -> bool:
    """Whether somebody can say that it is to be sent again."""
    if entry is None:
        return False
    absent = entry.state is EntryState.NOT_SURE and entry.doubt is Doubt.ABSENT
    return entry.state is EntryState.REFUSED or absent
