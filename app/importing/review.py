"""A list as somebody looks it over before it is added: what they change, with undo and redo.

It knows no window and sends nothing. Who stands in a row is read in `people_in_rows`, what is to
be said of each is decided in `verdicts`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from app.importing.columns import ColumnField, Columns
from app.importing.formats.encodings import is_sure
from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import SourceRow, SourceTable, headings_alone
from app.importing.people_in_rows import FoundPerson, NamesBeside, RowReader
from app.importing.total_rows import says_no_person
from app.importing.verdicts import UNTOUCHED, JudgedRows, PeopleHere, ReviewRow, RowKey, Typed
from app.model.field_limits import NAME, shortened
from app.model.verdict import Verdict
from app.people.parsing.tokenizer import clean
from app.runtime.words import trn

_MANY_TYPED = 300
"""Rows that are others at once: with more, all are looked over anew, which takes no longer."""
_EDITABLE = (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.EMAIL)


class ReviewStep(msgspec.Struct, frozen=True):
    """One thing that was done: each row of it, as it was before and is after."""

    typed: tuple[tuple[RowKey, Typed, Typed], ...] = ()
    chosen: tuple[tuple[RowKey, bool | None, bool | None], ...] = ()
    columns: tuple[Columns, Columns] | None = None


_MOST_KEPT = 1_000
"""Rows of steps that are kept over a restart, the newest first; a step counts as one more."""


class ReviewChanges(msgspec.Struct, frozen=True):
    """What differs from a list that nobody has touched. Names of rows are as in `Review`."""

    columns: Columns
    typed: tuple[tuple[RowKey, Typed], ...] = ()
    chosen: tuple[tuple[RowKey, bool], ...] = ()
    changed: bool = False
    """Whether somebody did anything: what the columns were taken for at first is not told."""
    done: tuple[ReviewStep, ...] = ()
    """The newest of what can be undone; the last is undone first."""


class Review:
    """The list. Whatever changes it gives the positions of the rows that are others now, or None
    where that may be all of them; `rows` has them at once.

    A change of the columns, and making it, take a while for a long list: both may run in a worker
    thread, as long as nobody asks anything else of it meanwhile. Where `reading_stop` says so, both
    raise ReadingStoppedError within a moment.
    """

    def __init__(
        self,
        table: SourceTable,
        columns: Columns,
        known: PeopleHere | None = None,
        changes: ReviewChanges | None = None,
    ) -> None:
        """Look over `table`, its columns taken as `columns` says; without `known`, nobody is here
        already. With `changes`, go on where somebody was: the verdicts are made anew.
        """
        self.table = table
        self._known = known
        self._typed: dict[RowKey, Typed] = dict(changes.typed) if changes else {}
        self._chosen: dict[RowKey, bool] = dict(changes.chosen) if changes else {}
        self._changed_before = changes is not None and changes.changed
        self._done: list[ReviewStep] = list(changes.done) if changes else []
        self._undone: list[ReviewStep] = []
        self._read(changes.columns if changes else columns)

    # What is in it

    @property
    def rows(self) -> Sequence[ReviewRow]:
        """Everybody, in the order of the source."""
        return self._judged.rows

    def check_somebody_is_in_it(self) -> None:
        """Raise UnreadableList where there are headings alone; in a workbook somebody may be on
        another sheet.
        """
        if not self.rows and len(self.table.sheets) <= 1:
            raise headings_alone()

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many rows have each verdict."""
        return self._judged.counts

    @property
    def taken_in(self) -> int:
        """How many are to be added."""
        return self._judged.taken_in

    @property
    def has_changes(self) -> bool:
        """Whether somebody has done anything to it that would be lost with it."""
        return bool(self._done) or self._changed_before

    def changes(self) -> ReviewChanges:
        """Those there are now, to go on with later; costs as much as there are."""
        return ReviewChanges(
            self.columns,
            tuple(self._typed.copy().items()),
            tuple(self._chosen.copy().items()),
            self.has_changes,
            _newest(self._done),
        )

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is anything to do again."""
        return bool(self._undone)

    @property
    def undo_size(self) -> int:
        """How many rows undoing looks at: what is many is better done in a worker thread."""
        return self._size(self._done)

    @property
    def redo_size(self) -> int:
        """The same for doing it again."""
        return self._size(self._undone)

    @property
    def undo_may_move_rows(self) -> bool:
        """Whether others may stand in the rows once some of what was done is undone."""
        return any(step.columns for step in self._done)

    @property
    def redo_may_move_rows(self) -> bool:
        """The same for doing it again."""
        return any(step.columns for step in self._undone)

    def _size(self, steps: Sequence[ReviewStep]) -> int:
        if not steps:
            return 0
        last = steps[-1]
        if last.columns or len(last.typed) > _MANY_TYPED:
            return len(self._judged.rows)
        typed = sum(self._beside(key, each) for key, *both in last.typed for each in both)
        return typed + len(last.chosen)

    def edit_size(self, position: int, field: ColumnField, text: str) -> int:
        """The same for what somebody typed: of very many who are written alike, or share an email,
        all may be others.
        """
        return self._typing_size(position, _typed_into(field, text))

    def _typing_size(self, position: int, wanted: Typed) -> int:
        before = self._typed.get(self._judged.keys[position], UNTOUCHED)
        typed = _over(before, wanted)
        return self._judged.how_many_beside(position) + self._judged.how_many_beside(
            position, typed
        )

    def look_size(self, position: int) -> int:
        """The same for comparing a row that is another by now."""
        return self._judged.how_many_beside(position)

    def repair_size(self, positions: Collection[int]) -> int:
        """The same for putting these rows right."""
        if len(positions) > _MANY_TYPED:
            return len(positions)
        repairs = ((position, self._judged.rows[position].repaired) for position in positions)
        return sum(
            self._typing_size(position, repaired)
            for position, repaired in repairs
            if repaired is not None
        )

    def _beside(self, key: RowKey, typed: Typed) -> int:
        position = self._judged.position_of(key)
        return 0 if position is None else self._judged.how_many_beside(position, typed)

    def positions_of(self, verdict: Verdict) -> list[int]:
        """The positions of the rows with this verdict."""
        return [
            position for position, row in enumerate(self._judged.rows) if row.verdict is verdict
        ]

    # What can be done

    def edit(self, position: int, field: ColumnField, text: str) -> Sequence[int] | None:
        """Have a first name, last name or email be what somebody typed."""
        return self._edit({position: _typed_into(field, clean(text))})

    def repair(self, positions: Collection[int] | None = None) -> Sequence[int] | None:
        """Put the emails and names of these rows, or of all, right where it is known how."""
        wanted = range(len(self._judged.rows)) if positions is None else positions
        mended = {
            position: repaired
            for position in wanted
            if (repaired := self._judged.rows[position].repaired) is not None
        }
        return self._edit(mended)

    def leave_out(self, positions: Iterable[int], *, out: bool = True) -> Sequence[int] | None:
        """Leave rows out, or take them in; what cannot be sent stays out."""
        chosen: list[tuple[RowKey, bool | None, bool | None]] = []
        for position in dict.fromkeys(positions):
            row, key = self._judged.rows[position], self._judged.keys[position]
            if row.left_out != out and (out or row.can_be_sent):
                chosen.append((key, self._chosen.get(key), not out))
        return self._do(ReviewStep(chosen=tuple(chosen))) if chosen else ()

    def take_columns(self, columns: Columns) -> Sequence[int] | None:
        """Take the columns for something else; what somebody typed stays where it is."""
        if columns == self.columns:
            return ()
        return self._do(ReviewStep(columns=(self.columns, columns)))

    def compare_with(self, known: PeopleHere) -> None:
        """Ask this from now on who is here; the verdicts follow as rows are looked at again."""
        self._known = self._judged.known = known

    def look_again(self, positions: Iterable[int]) -> Sequence[int]:
        """Compare rows with who is here by now; the other rows are others only where theirs are."""
        changed: set[int] = set()
        for position in self.others_by_now(positions):
            changed |= self._judged.look_again(self._judged.keys[position])
        return self._judged.judge(changed)

    def others_by_now(self, positions: Iterable[int]) -> Sequence[int]:
        """The rows of these that are others, compared with who is here by now."""
        rows, here_by_now = self._judged.rows, self._judged.here_by_now
        return [position for position in positions if rows[position].here != here_by_now(position)]

    def undo(self) -> Sequence[int] | None:
        """Take back what was done last."""
        if not self._done:
            return ()
        self._undone.append(self._done.pop())
        return self._apply(self._undone[-1], after=False)

    def redo(self) -> Sequence[int] | None:
        """Do again what was taken back last."""
        if not self._undone:
            return ()
        self._done.append(self._undone.pop())
        return self._apply(self._done[-1], after=True)

    # How it is done

    def _edit(self, wanted: Mapping[int, Typed]) -> Sequence[int] | None:
        typed: list[tuple[RowKey, Typed, Typed]] = []
        for position, (first, last, email) in wanted.items():
            row, key = self._judged.rows[position], self._judged.keys[position]
            before = self._typed.get(key, UNTOUCHED)
            others = (
                _other(first, row.firstname),
                _other(last, row.lastname),
                _other(email, row.email),
            )
            if others != UNTOUCHED:
                typed.append((key, before, _over(before, others)))
        return self._do(ReviewStep(typed=tuple(typed))) if typed else ()

    def _do(self, step: ReviewStep) -> Sequence[int] | None:
        self._done.append(step)
        self._undone.clear()
        return self._apply(step, after=True)

    def _apply(self, step: ReviewStep, *, after: bool) -> Sequence[int] | None:
        changed: set[int] = set()
        for key, *typed in step.typed:
            if typed[after] == UNTOUCHED:
                self._typed.pop(key, None)
            else:
                self._typed[key] = typed[after]
        if len(step.typed) > _MANY_TYPED:
            return self._judged.look_over()
        for key, *_ in step.typed:
            changed |= self._judged.look_again(key)
        for key, *chosen in step.chosen:
            now = chosen[after]
            if now is None:
                self._chosen.pop(key, None)
            else:
                self._chosen[key] = now
            if (position := self._judged.position_of(key)) is not None:
                changed.add(position)
        if step.columns is not None:
            self._read(step.columns[after])
            return None
        return self._judged.judge(changed)

    def _read(self, columns: Columns) -> None:
        """Everything anew: who stands in the rows is read by other columns."""
        self.columns = columns
        reader = RowReader(columns)
        headings = columns.headings if columns.first_row_is_headings else None
        people: list[tuple[RowKey, SourceRow, FoundPerson]] = []
        beside = NamesBeside(self.table, columns)
        stop = reading_stop()
        for key, row in enumerate(self.table.rows[columns.first_person :], columns.first_person):
            # What is typed stays with its row where the first is somebody, or no longer.
            stop.check()
            found = reader.people(row)
            if tuple(" ".join(cell.split()) for cell in row.cells) == headings or says_no_person(
                row.cells
            ):
                found = (msgspec.structs.replace(found[0], is_person=False),)
            else:
                beside.count(row, found)
            people += (((key, part), row, person) for part, person in enumerate(found))
        self.names_beside = beside.by_heading()
        names = {ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.NAME} & {*columns.fields}
        self._judged = JudgedRows(
            people,
            self._typed,
            self._chosen,
            self._known,
            columns.name_order,
            letters_are_sure=is_sure(self.table.encoding or "utf-8"),
            are_halves=names == {ColumnField.LASTNAME}
            or (names == {ColumnField.FIRSTNAME} and bool(self.names_beside)),
        )


def _typed_into(field: ColumnField, text: str) -> Typed:
    typed = [None if field is not each else text for each in _EDITABLE]
    return typed[0], typed[1], typed[2]


def _over(before: Typed, typed: Typed) -> Typed:
    """What stands there once something was `typed` where `before` stood."""
    one, two, three = (old if new is None else new for old, new in zip(before, typed, strict=True))
    return one, two, three


def _other(typed: str | None, said: str) -> str | None:
    """What is `typed`, where that is not what stands there."""
    plain = None if typed is None else " ".join(typed.split())
    return None if plain == said else plain


def _newest(steps: Sequence[ReviewStep]) -> tuple[ReviewStep, ...]:
    left, kept = _MOST_KEPT, len(steps)
    while (
        kept and (left := left - 1 - len(steps[kept - 1].typed) - len(steps[kept - 1].chosen)) >= 0
    ):
        kept -= 1
    return tuple(steps[kept:])


def names_beside_words(review: Review) -> str:
    """How many names of others stand in which columns; blank where there are none."""
    return " ".join(
        trn(
            "{n} name in “{heading}” is not added.",
            "{n} names in “{heading}” are not added.",
            many,
            heading=shortened(heading, NAME),
        )
        for heading, many in review.names_beside.items()
    )
