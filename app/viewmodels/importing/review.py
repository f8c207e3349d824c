"""One list as somebody looks it over before its people are added: what can be done there.

What the page shows of it is made in `review_state`, the verdicts in `importing/verdicts`; when a
change is made or undone is `changes_with_undo`'s, and where the list comes from `list_import`'s.
"""

import asyncio
import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal

from app.exporting.table import write_table
from app.importing.column_guess import with_headings, without_headings
from app.importing.columns import ColumnField, Columns, title_of
from app.importing.formats.source_table import SourceTable
from app.importing.headings import key_of
from app.importing.list_name import list_name, list_stem, name_of
from app.importing.people_in_rows import by_heading, heading_of
from app.importing.review import Review
from app.importing.verdicts import ReviewRow
from app.model.display_name import display_name
from app.model.outbox import BatchRow
from app.model.verdict import Verdict, verdict_words
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReading, UncomparedPeople
from app.people.parsing.entry_parser import NameOrder
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import TURN_SECONDS, found_at_once
from app.runtime.words import in_a_row, tr
from app.settings.column_choices import ColumnChoices
from app.viewmodels.exporting.saved_file import save_rows
from app.viewmodels.importing.autosave import ReviewAutosave
from app.viewmodels.importing.changes_with_undo import MANY_ROWS, RowChange, RowChanges
from app.viewmodels.importing.review_state import (
    BulkAction,
    Kind,
    OtherKind,
    ReviewState,
    RowAction,
    positions_of,
    review_state,
)
from app.viewmodels.importing.review_table import ReviewTable
from app.viewmodels.importing.row_details import RowDetails
from app.viewmodels.menu_items import Groups, MenuItem
from app.viewmodels.notices import shortened
from app.viewmodels.screen import ActionFeedback, Screen

_AT_ONCE = 50
_LOT = 5
"""Rows that are compared in one go."""
_BETWEEN_TURNS = 0.001
"""Seconds between two of these: nobody waits for it."""
_WHILE_CHANGED = 0.02
"""Seconds until it is asked again whether the rows are changed."""
_BETWEEN_LOOKS = 1.0
"""Seconds between two comparisons of the whole list with people who come and go."""


class PutAwayList(msgspec.Struct, frozen=True):
    """A list that gave way to another: what it is called, and where it is to be read again."""

    title: str
    source: Path | SourceTable
    sheet: str | None


class ReviewScreen(Screen[ReviewState]):
    """Bound to one list, until its people are added or it is discarded."""

    # They carry the screen: what is connected to its own signal and holds it would never be freed.
    ended = Signal(object)
    """It is added or discarded; carries this screen."""
    added = Signal(object)
    """Its people are taken, durably; carries the `Batch`."""
    sheet_wanted = Signal(object, object)
    """Carries the path of the workbook, and the name of another sheet of it."""
    back_wanted = Signal(object)
    """Carries the `PutAwayList` that somebody would rather look over."""
    renamed = Signal()
    """The list has another title."""
    verdict_told = Signal(object)
    """Carries what is to be said of a row since it was typed into."""
    hints_changed = Signal(object)
    """Carries a `DuplicateHint` for each who may be the person that is being typed."""

    def __init__(
        self,
        review: Review,
        outbox: Outbox,
        duplicates: DuplicateIndex,
        *,
        choices: ColumnChoices,
        scope: TaskScope,
        autosave: ReviewAutosave,
        path: Path | None = None,
        order: NameOrder = NameOrder.FIRST_LAST,
        uncompared: UncomparedPeople | None = None,
    ) -> None:
        """`path` is the file that the list came from, if it is one; `autosave` keeps changes;
        `uncompared` knows whether there is a list to compare with.
        """
        self.review = review
        self._shown: Kind | None = None
        self._put_away: PutAwayList | None = None
        self._uncompared = uncompared
        self._asked = False
        self._scope = scope
        self._feedback = ActionFeedback()
        reading = self._first_reading
        super().__init__(
            review_state(review, None, self._feedback, busy=False, first_reading=reading)
        )
        self.path = path
        self.autosave = autosave
        self._order = order
        self._outbox = outbox
        self._duplicates = duplicates
        self._choices = choices
        self._details = RowDetails(
            review,
            duplicates,
            scope,
            is_changing=self._is_changing,
            on_known=self._details_known,
        )
        self.table = ReviewTable(review, self._details.of)
        self.table.typed.connect(self._typed)
        self._feedback.changed.connect(self._tell)
        self._changes = RowChanges(review, scope, self, on_error=self._feedback.say_error)
        self._comparing = Action(scope, self._compare, second="drop", on_change=self._compared)
        self._of_crowds: list[int] = []
        self.by_itself = False
        """Whether what changes just now is nobody's doing."""
        self._compare_again = self._closed = False
        self._looked_at = True
        self._typed_person: tuple[str, str, str] | None = None
        """First name, last name and email of whoever is typed just now."""
        self._saving = Action(scope, self._save, second="drop", on_error=self._feedback.say_error)
        self._adding = Action(
            scope, self._add, second="drop", on_error=self._feedback.say_error,
            on_change=self._tell,
        )  # fmt: skip

    # What somebody does

    @property
    def title(self) -> str:
        """What the list is called."""
        return self.state.title

    @property
    def has_changes(self) -> bool:
        """Whether somebody has done anything here that they would have to do again, or asked for
        it.
        """
        return self.review.has_changes or self.is_being_changed

    @property
    def is_being_changed(self) -> bool:
        """Whether anything that somebody has asked for is not done yet."""
        return self._changes.asked_for

    async def changes_made(self) -> None:
        """Wait until all is done that somebody has asked for."""
        await self._changes.made()

    def look(self, *, on: bool) -> None:
        """Whether somebody looks at it: a list that waits is compared with nobody meanwhile."""
        self._looked_at = on
        self._details.look(on=on)
        self._compared()

    def show_only(self, kind: Kind | None) -> None:
        """Show the rows of one kind, or all."""
        if self._changes.running:
            show = partial(self._show_only, kind)
            self._changes.take(RowChange(lambda: (), lambda: 0, show, moves_rows=True))
        elif not self._adding.running:
            self._show_only(kind)

    def _show_only(self, kind: Kind | None) -> None:
        self._shown = kind
        self.table.show_anew(self._positions_shown())
        self._tell()

    def repair(self, positions: Sequence[int]) -> None:
        """Put the emails and names of these rows right, as far as it is known how."""
        review = self.review
        self._change(
            RowChange(lambda: review.repair(positions), lambda: review.repair_size(positions))
        )

    def leave_out_or_take_in(self, positions: Sequence[int]) -> None:
        """Leave these rows out; where all of them are, take them in."""
        rows = self.review.rows
        self._choose(positions, lambda: not all(rows[at].left_out for at in positions))

    def leave_out(self, positions: Sequence[int]) -> None:
        """Leave these rows out, those that are not."""
        self._choose(positions, lambda: True)

    def take_in(self, positions: Sequence[int]) -> None:
        """Take these rows in, those that are left out."""
        self._choose(positions, lambda: False)

    def _choose(self, positions: Sequence[int], leaves_out: Callable[[], bool]) -> None:
        rows, out = self.review.rows, False

        def choose() -> Sequence[int] | None:
            nonlocal out
            out = leaves_out()
            return self.review.leave_out(positions, out=out)

        def say() -> None:
            if not out and any(not rows[position].can_be_sent for position in positions):
                self._feedback.say(tr("Somebody without a name cannot be added."))

        self._change(RowChange(choose, lambda: len(positions), say))

    def row_menu(self, positions: Sequence[int]) -> Groups:
        """What can be done with these rows."""
        rows = [self.review.rows[position] for position in positions]
        if not rows:
            return ()
        mended = [row for row in rows if row.repaired is not None]
        repair = MenuItem(_repair_words(mended, rows), RowAction.REPAIR, keys="Alt+M")
        takes_in = all(row.left_out for row in rows)
        toggle = MenuItem(
            tr("Take in") if takes_in else tr("Leave out"),
            RowAction.TAKE_IN if takes_in else RowAction.LEAVE_OUT,
            keys="Ins" if takes_in else "Del",
            enabled=any(row.can_be_sent for row in rows),
        )
        return ((repair, toggle) if mended else (toggle,),)

    def act(self, action: BulkAction) -> None:
        """Do something with all rows of the kind that is shown."""
        if self._shown is None:
            return
        review = self.review

        def positions() -> Sequence[int]:
            return self._positions_shown() or ()

        if action is BulkAction.REPAIR:
            self._change(
                RowChange(
                    lambda: review.repair(positions()), lambda: review.repair_size(positions())
                )
            )
        else:
            out = action is BulkAction.LEAVE_OUT
            self._change(
                RowChange(lambda: review.leave_out(positions(), out=out), lambda: len(positions()))
            )

    def take_column(self, column: int, field: ColumnField) -> None:
        """Take a column for something else; that is remembered for headings like these."""
        self._take_columns(lambda: self.review.columns.taken_as(column, field))

    def take_first_row_for_headings(self, *, on: bool) -> None:
        """Whether the first row says what is in the columns, or is somebody."""
        table = self.review.table
        if on is not self.review.columns.first_row_is_headings:
            remembered = self._choices.all()
            self._take_columns(
                partial(with_headings, table, remembered, self._order)
                if on
                else partial(without_headings, table, self._order)
            )

    def undo(self) -> None:
        """Take back what was done last."""
        if (change := self._changes.undoing()) is not None:
            self._change(change)

    def redo(self) -> None:
        """Do again what was taken back."""
        if (change := self._changes.redoing()) is not None:
            self._change(change)

    def choose_sheet(self, sheet: str) -> None:
        """Look over another sheet; this one stays, if anything was changed in it."""
        if sheet != self.state.sheet and self.path is not None:
            self.sheet_wanted.emit(self.path, sheet)

    def typing(self, position: int, field: ColumnField, text: str) -> None:
        """Somebody types into a cell: tell who that may be."""
        row = self.review.rows[position]
        typed = {
            ColumnField.FIRSTNAME: row.firstname,
            ColumnField.LASTNAME: row.lastname,
            ColumnField.EMAIL: row.email,
        } | {field: text.strip()}
        self._typed_person = (
            typed[ColumnField.FIRSTNAME], typed[ColumnField.LASTNAME], typed[ColumnField.EMAIL]
        )  # fmt: skip
        self._tell_hints()

    def typing_ended(self) -> None:
        """Nobody types any more."""
        self._typed_person = None
        self._tell_hints()

    def add(self) -> None:
        """Hand everybody who is not left out to the outbox; where they can be compared with no
        list, not before it is there, or somebody says for the second time that it has to be.
        """
        # Closed, it is about to be shown anew, as in another language.
        if not self.state.can_add or self._busy or self._scope.closed:
            return
        asked, self._asked = self._asked, True
        reading = self._first_reading
        if reading is FirstReading.UNDER_WAY or (reading is FirstReading.MISSING and not asked):
            self._tell()
        else:
            self._adding(all_the_same=reading is FirstReading.MISSING)

    def close(self) -> None:
        """It is added, or discarded: who comes and goes is of no concern any more."""
        self._closed = True
        self._comparing.cancel()
        self._details.close()

    def discard(self) -> None:
        """Put the list away for good."""
        self.ended.emit(self)

    def save(self, path: str) -> None:
        """Write the list as it stands now to a file for a spreadsheet; says how that went."""
        self._saving(Path(path))

    @property
    def file_name(self) -> str:
        """A name for the file, without an ending, until a person chooses another."""
        return tr("{list}, looked over", list=list_stem(list_name(name_of(self.review))))

    def tell_put_away(self, put_away: PutAwayList) -> None:
        """Another list has given way to this one."""
        self._put_away = put_away
        self._tell()

    @property
    def put_away(self) -> PutAwayList | None:
        """The list that has, as long as that is told."""
        return self._put_away

    def bring_back(self) -> None:
        """Look over that list again; this one gives way to it, unless anything was changed here."""
        if self._put_away is not None:
            self.back_wanted.emit(self._put_away)

    def dismiss(self) -> None:
        """What was said has been read."""
        if not self._feedback.sentence:
            self._put_away = None
        self._feedback.say("")
        self._tell()

    # How it is done

    @property
    def _busy(self) -> bool:
        return self._changes.running or self._adding.running

    @property
    def _first_reading(self) -> FirstReading:
        uncompared = self._uncompared
        return FirstReading.DONE if uncompared is None else uncompared.first_reading

    def first_reading_changed(self) -> None:
        """There is a list to compare with now, or there will not be one so soon."""
        self._asked = False
        with self._unasked():
            self._tell()

    @contextmanager
    def _unasked(self) -> Iterator[None]:
        self.by_itself = True
        try:
            yield
        finally:
            self.by_itself = False

    def _typed(self, position: int, field: ColumnField, text: str) -> None:
        self._change(
            RowChange(
                lambda: self.review.edit(position, field, text),
                lambda: self.review.edit_size(position, field, text),
                partial(self._tell_verdict, position),
            )
        )

    def _tell_hints(self) -> None:
        typed = self._typed_person
        self.hints_changed.emit(() if typed is None else self._details.hints(*typed))

    def _tell_verdict(self, position: int) -> None:
        row = self.review.rows[position]
        said = (verdict_words(row.verdict, left_out=row.left_out), row.detail)
        self.verdict_told.emit(in_a_row(filter(None, said)))

    def _take_columns(self, wanted: Callable[[], Columns]) -> None:
        def take() -> Sequence[int] | None:
            columns = wanted()
            changed = self.review.take_columns(columns)
            if any(columns.headings):
                self._choices.keep(
                    key_of(columns.headings), [each.value for each in columns.fields]
                )
            return changed

        self._change(RowChange(take, lambda: len(self.review.rows), moves_rows=True))

    def _change(self, change: RowChange) -> None:
        """Make it, in its turn."""
        if not self._adding.running:
            self._feedback.say("")
            self._changes.take(change)

    def rows_changed(self, positions: Sequence[int] | None, *, by_itself: bool) -> None:
        """As in `ChangeFollower`."""
        with self._unasked() if by_itself else nullcontext():
            self._changed(positions)
            self.autosave.changed()

    def turn_changed(self) -> None:
        """As in `ChangeFollower`."""
        self._tell()

    def _changed(self, positions: Sequence[int] | None) -> None:
        self._details.forget(positions)
        if positions is None:
            if isinstance(self._shown, OtherKind):
                self._shown = None  # nobody knows yet which these are now
            self.table.show_anew(self._positions_shown())
        else:
            self.table.tell(positions)
        self._tell()

    def _is_changing(self) -> bool:
        return self._changes.running

    def _details_known(self, positions: Sequence[int]) -> None:
        if positions:
            self.table.tell(positions)
            return
        with self._unasked():
            self._tell()

    def _positions_shown(self) -> Sequence[int] | None:
        return positions_of(self.review, self._shown, self._details.likely)

    def _tell(self) -> None:
        self.table.takes_typing = not (self._changes.rows_will_move or self._adding.running)
        title = self.title
        self._set_state(
            review_state(
                self.review,
                self._shown,
                self._feedback,
                busy=self._busy,
                is_added=self._adding.running,
                put_away=self._put_away.title if self._put_away is not None else "",
                first_reading=self._first_reading,
                asked=self._asked,
                likely=self._details.likely,
            )
        )
        if self.title != title:
            self.renamed.emit()

    # Who comes and goes meanwhile

    def people_known(self) -> None:
        """Others are here than before: the list is compared with them anew."""
        if self._typed_person is not None:
            self._tell_hints()
        self._compare_again = not self._closed
        self._compared()

    def _compared(self) -> None:
        if self._compare_again and self._looked_at and not self._comparing.running:
            self._compare_again = False
            self._comparing()

    async def _compare(self) -> None:
        """The whole list with who is here by now, a few rows at a time."""
        self._details.forget_nobody()
        start = 0
        self._of_crowds = []
        while start < len(self.review.rows) or self._of_crowds:
            if self._busy:
                pass  # once that is done
            elif start < len(self.review.rows):
                compared, _ = found_at_once(self._compare_from(start), TURN_SECONDS)
                start += len(compared)
            else:
                self._look_at_crowds()
            await asyncio.sleep(_BETWEEN_TURNS)
        await asyncio.sleep(_BETWEEN_LOOKS)

    def _look_at_crowds(self) -> None:
        """Somebody of many is another: the others may be with them, which takes a while."""
        there = [position for position in self._of_crowds if position < len(self.review.rows)]
        self._of_crowds = []
        self._changes.change_by_itself(partial(self.review.look_again, there))

    def _compare_from(self, start: int) -> Iterator[range]:
        """A few rows after the other, from the one at `start` on: gives their positions."""
        while positions := range(start, min(start + _LOT, len(self.review.rows))):
            for position in self.review.others_by_now(positions):
                if self._of_crowds or self.review.look_size(position) > MANY_ROWS:
                    # All of a crowd may be others with it: that is done at the end, elsewhere, and
                    # with it whatever else is left.
                    self._of_crowds.append(position)
                else:
                    with self._unasked():
                        self._changed(self.review.look_again((position,)))
            yield positions
            start = positions.stop

    # Where it goes

    async def _add(self, *, all_the_same: bool = False) -> None:
        review = self.review
        while self._duplicates.busy:
            # Somebody may be here whom it does not know of yet.
            self._compare_again = True
            await asyncio.sleep(_WHILE_CHANGED)
        if self._compare_again or self._comparing.running:
            # Somebody has come since the whole list was compared: nobody is added twice for that.
            self._comparing.cancel()
            await asyncio.to_thread(review.look_again, range(len(review.rows)))
        here = await self._who_is_here()
        rows = await asyncio.to_thread(_batch_rows, review, here)
        columns = review.columns
        headings = [heading_of(columns, position) for position in range(len(columns.headings))]
        if all_the_same and self._uncompared is not None:
            self._uncompared.send_all_the_same()
        async with self.autosave.handed_over() as kept_as:
            batch = await self._outbox.batches.take(
                name_of(review),
                headings,
                rows,
                kept_as,
                sheet=review.table.sheet or "",
                title=shortened(title_of(review.table, columns)),
                sheets=review.table.sheets,
                file=b"" if self.path is None else os.fsencode(self.path),
            )
        self.ended.emit(self)
        self.added.emit(batch)

    async def _who_is_here(self) -> Mapping[Hashable, str]:
        """In words, everybody whose row is left out because they are here already."""
        rows = self.review.rows
        left_out = (row.here for row in rows if row.left_out and row.here is not None)
        keys = list(dict.fromkeys(left_out))
        said: dict[Hashable, str] = {}
        for first in range(0, len(keys), _AT_ONCE):
            found = self._duplicates.people(keys[first : first + _AT_ONCE])
            for key, person in found.items():
                name = display_name(person.firstname or "", person.lastname or "")
                said[key] = in_a_row(filter(None, (name, person.email)))
            await asyncio.sleep(0)
        return said

    async def _save(self, path: Path) -> None:
        headings, rows = _list_of(self.review)
        write = partial(write_table, path, headings, rows)
        await save_rows(path, write, len(rows), self._feedback)


def _repair_words(mended: Sequence[ReviewRow], rows: Sequence[ReviewRow]) -> str:
    """What putting those of the rows right that can be is called."""
    if len(mended) == len(rows) == 1:
        (row,) = mended
        if row.repair is None and row.halves is not None:
            first, last = row.halves
            return tr("Use first name {first}, last name {last}", first=first, last=last)
        return tr("Use {email}", email=row.repair)
    if any(row.repair is None for row in mended):
        return tr("Put these rows right")
    return tr("Put these emails right")


def _batch_rows(review: Review, here: Mapping[Hashable, str]) -> list[BatchRow]:
    """Everybody of a list as the outbox takes them, those who are left out with the reason, and
    with who is `here` already, in words.
    """
    return [_batch_row(row, here) for row in review.rows]


def _batch_row(row: ReviewRow, here: Mapping[Hashable, str]) -> BatchRow:
    if not row.left_out:
        anyway = row.verdict is not Verdict.READY
        return BatchRow(row.line, row.cells, row.new_person, anyway=anyway)
    other = here.get(row.here, "") if row.verdict is Verdict.ALREADY_HERE else str(row.twin or "")
    return BatchRow(
        row.line,
        row.cells,
        # Not as it is told: the result may be looked at in another language.
        left_out=row.verdict.value,
        as_read=None if row.verdict is Verdict.EMPTY else row.new_person,
        other=other,
    )


def _list_of(review: Review) -> tuple[list[str], list[list[str]]]:
    """The list as it stands: headings, and a row for everybody, with the verdict at its end."""
    columns = review.columns
    beside = [heading_of(columns, position) for position in columns.of(ColumnField.OTHER)]
    headings = [tr("First name"), tr("Last name"), tr("Email"), *beside, tr("Verdict")]
    rows = []
    for row in review.rows:
        kept = by_heading(row.other)
        verdict = verdict_words(row.verdict, left_out=row.left_out)
        rows.append(
            [row.firstname, row.lastname, row.email]
            + [kept.get(heading, "") for heading in beside]
            + [verdict]
        )
    return headings, rows
