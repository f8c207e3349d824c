"""The rows of a list that is looked over, as a table that is edited in place."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import Enum, auto

import msgspec
from PySide6.QtCore import Qt, Signal

from app.importing.columns import ColumnField
from app.importing.people_in_rows import heading_of
from app.importing.review import Review
from app.importing.verdicts import ReviewRow, halves_words
from app.model.field_limits import shortened
from app.model.verdict import Verdict, verdict_words
from app.runtime.words import tr
from app.viewmodels.cell_table import DISPLAY, SPOKEN, FlatTable, Index
from app.viewmodels.formatting import number

MOST_BESIDE = 2
"""Columns of what is not sent that stand before the verdict; the others follow behind the rest."""
_TOLD_ONE_BY_ONE = 50
_LONGEST_HEADING = 20
"""Letters of a heading of the list's own, which may be a question in whole sentences."""


class Part(Enum):
    """What a column shows."""

    LINE = auto()
    FIRSTNAME = auto()
    LASTNAME = auto()
    EMAIL = auto()
    BESIDE = auto()
    """A column of the list that is kept and not sent."""
    VERDICT = auto()
    DETAIL = auto()


FIELD_OF = {
    Part.FIRSTNAME: ColumnField.FIRSTNAME,
    Part.LASTNAME: ColumnField.LASTNAME,
    Part.EMAIL: ColumnField.EMAIL,
}
"""What somebody may type into."""


class Tone(Enum):
    """In which ink a cell is painted."""

    PLAIN = auto()
    SOFT = auto()
    GOOD = auto()
    WRONG = auto()


class ReviewColumn(msgspec.Struct, frozen=True):
    """A column; `heading` is that of the source, where it shows one of its columns."""

    part: Part
    heading: str = ""


TONE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The `Tone` of a cell."""
REPAIR_ROLE = TONE_ROLE + 1
"""What was probably meant, in the column of details; blank where nothing better is known."""
BESIDE_REPAIR_ROLE = REPAIR_ROLE + 1
"""What else is to be said of a row beside that; blank for nothing."""
_EDIT = int(Qt.ItemDataRole.EditRole)
_ROLES = frozenset({DISPLAY, _EDIT, SPOKEN, TONE_ROLE, REPAIR_ROLE, BESIDE_REPAIR_ROLE})
_GOOD = frozenset({Verdict.READY})


class ReviewTable(FlatTable):
    """One row per person of the list, or of those with one verdict."""

    typed = Signal(object, object, object)
    """Carries the position of a row in the list, a `ColumnField`, and what somebody typed there."""
    columns: tuple[ReviewColumn, ...]
    """What is shown, from where a line begins."""

    def __init__(self, review: Review, detail: Callable[[int, ReviewRow], str]) -> None:
        """`detail` gives what is to be said of the row at a position, as far as it is known.

        The rows are those of `review` until `show_anew`, whatever is done to it meanwhile.
        """
        super().__init__()
        self._review = review
        self._detail = detail
        self._rows = review.rows
        self._shown: Sequence[int] | None = None
        self.takes_typing = True
        """Whether cells can be typed into; not where others are about to stand in the rows."""
        self.columns = _columns(review)

    # Which rows are shown

    def show_anew(self, positions: Sequence[int] | None) -> None:
        """Show what there is now: all rows, or those at these positions, in their order."""
        self.beginResetModel()
        self._rows = self._review.rows
        self._shown = positions
        self.columns = _columns(self._review)
        self.endResetModel()

    def position_of(self, row: int) -> int:
        """The position in the list of a row that is shown."""
        return row if self._shown is None else self._shown[row]

    def row_of(self, position: int) -> int | None:
        """Where a row of the list is shown, or None."""
        if self._shown is None:
            return position if 0 <= position < len(self._rows) else None
        row = bisect_left(self._shown, position)
        return row if row < len(self._shown) and self._shown[row] == position else None

    def column_of(self, part: Part) -> int:
        """The first column that shows this."""
        return next(at for at, column in enumerate(self.columns) if column.part is part)

    def tell(self, positions: Sequence[int]) -> None:
        """These rows of the list are others now. Rows stay where they are, whatever their verdict:
        nothing moves under whoever works on them.
        """
        if len(positions) > _TOLD_ONE_BY_ONE:
            if self.rowCount():
                self._tell(0, self.rowCount() - 1)
            return
        for position in positions:
            row = self.row_of(position)
            if row is not None:
                self._tell(row, row)

    def _tell(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    # The model

    def rows_shown(self) -> int:
        """Those of the kind that is shown."""
        return len(self._rows) if self._shown is None else len(self._shown)

    def heading(self, column: int, *, spoken: bool) -> str:
        """What the column is taken for, with the mark of a menu where it can be changed."""
        shown = self.columns[column]
        has_menu = shown.part in FIELD_OF or shown.part is Part.BESIDE
        words = column_words(shown)
        return f"{words} ▾" if has_menu and not spoken else words

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Names and emails can be typed."""
        plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        typed = self.takes_typing and index.isValid()
        if typed and self.columns[index.column()].part in FIELD_OF:
            return plain | Qt.ItemFlag.ItemIsEditable
        return plain

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The cell's text, the same spoken, or how it is painted."""
        if role not in _ROLES or not index.isValid():
            return None
        position, column = self.position_of(index.row()), self.columns[index.column()]
        row = self._rows[position]
        if role == TONE_ROLE:
            return _tone(row, column.part)
        if role in {REPAIR_ROLE, BESIDE_REPAIR_ROLE}:
            offer = self._offer(position, row) if column.part is Part.DETAIL else ("", "")
            return offer[role == BESIDE_REPAIR_ROLE]
        text = self._text(position, row, column)
        if role == SPOKEN and row.left_out and column.part is Part.VERDICT:
            return tr("{verdict}, left out", verdict=text)
        return text

    def _offer(self, position: int, row: ReviewRow) -> tuple[str, str]:
        """What was probably meant, and what else is to be said of the row."""
        if row.repair is not None or row.halves is None or row.repaired is None:
            return row.repair or "", ""
        first, last = row.halves
        asked, said = halves_words(first, last), self._detail(position, row)
        if not said.startswith(asked):
            return "", ""
        return tr("last name {text}", text=last), said.removeprefix(asked).lstrip(" ·")

    def part_to_mend(self, row: int) -> Part | None:
        """What can be put right of a row that is shown, as it was probably meant."""
        repaired = self._rows[self.position_of(row)].repaired
        if repaired is None:
            return None
        return Part.EMAIL if repaired[0] is None else Part.FIRSTNAME

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Somebody has typed into a cell."""
        field = FIELD_OF.get(self.columns[index.column()].part) if index.isValid() else None
        if role != _EDIT or field is None:
            return False
        self.typed.emit(self.position_of(index.row()), field, str(value))
        return True

    def _text(self, position: int, row: ReviewRow, column: ReviewColumn) -> str:
        part = column.part
        if part is Part.BESIDE:
            return "; ".join(value for heading, value in row.other if heading == column.heading)
        if part is Part.DETAIL:
            return self._detail(position, row)
        if part is Part.LINE:
            return number(row.line)
        if part is Part.VERDICT:
            return verdict_words(row.verdict, left_out=row.left_out)
        return {
            Part.FIRSTNAME: row.firstname,
            Part.LASTNAME: row.lastname,
            Part.EMAIL: row.email,
        }[part]


def column_words(column: ReviewColumn) -> str:
    """A column's name."""
    if column.part is Part.BESIDE:
        return tr("{heading}, not sent", heading=shortened(column.heading, _LONGEST_HEADING))
    return {
        Part.LINE: tr("Line"),
        Part.FIRSTNAME: tr("First name"),
        Part.LASTNAME: tr("Last name"),
        Part.EMAIL: tr("Email"),
        Part.VERDICT: tr("Verdict"),
        Part.DETAIL: tr("Details"),
    }[column.part]


def _columns(review: Review) -> tuple[ReviewColumn, ...]:
    columns, rows = review.columns, review.table.rows[review.columns.first_person :]
    beside = [
        ReviewColumn(Part.BESIDE, heading_of(columns, position))
        for position in columns.of(ColumnField.OTHER)
        if any(row.cell(position).strip() for row in rows)
    ]
    return (
        ReviewColumn(Part.LINE),
        ReviewColumn(Part.FIRSTNAME),
        ReviewColumn(Part.LASTNAME),
        ReviewColumn(Part.EMAIL),
        *beside[:MOST_BESIDE],
        ReviewColumn(Part.VERDICT),
        ReviewColumn(Part.DETAIL),
        *beside[MOST_BESIDE:],
    )


def _tone(row: ReviewRow, part: Part) -> Tone:
    if part is Part.VERDICT:
        if row.left_out and row.verdict in _GOOD:
            return Tone.SOFT
        return Tone.GOOD if row.verdict in _GOOD else Tone.WRONG
    soft = row.left_out or part in {Part.LINE, Part.DETAIL}
    # What can be put right is read as well as what is ready.
    mends = part in FIELD_OF and row.verdict in {Verdict.EMAIL_LOOKS_WRONG, Verdict.NEEDS_A_NAME}
    return Tone.SOFT if soft and not mends else Tone.PLAIN
