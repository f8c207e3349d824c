"""The rows of a list that was added: what each cell says of a row, and the same for a file."""

from collections.abc import Sequence
from enum import Enum, IntEnum

from app.model.outbox import Batch
from app.model.verdict import Verdict, verdict_words
from app.outbox.batches import BatchResultRow, Outcome
from app.runtime.words import tr, with_own_digits
from app.viewmodels.cell_table import Cell, CellTable
from app.viewmodels.formatting import number


class ResultKind(Enum):
    """What rows are told apart by, in the order in which they are offered."""

    REFUSED = "refused"
    NOT_SURE = "not sure"
    ADDED = "added"
    UNDER_WAY = "under way"
    WAS_HERE = "was here"
    LEFT_OUT = "left out"
    NOT_SENT = "not sent"


def kind_of(row: BatchResultRow) -> ResultKind:
    """The kind that a row is of."""
    if row.outcome is Outcome.LEFT_OUT:
        here = row.reason == Verdict.ALREADY_HERE
        return ResultKind.WAS_HERE if here else ResultKind.LEFT_OUT
    return _KINDS[row.outcome]


_KINDS = {
    Outcome.WAITING: ResultKind.UNDER_WAY,
    Outcome.SENDING: ResultKind.UNDER_WAY,
    Outcome.ADDED: ResultKind.ADDED,
    Outcome.REFUSED: ResultKind.REFUSED,
    Outcome.NOT_SURE: ResultKind.NOT_SURE,
    Outcome.NOT_SENT: ResultKind.NOT_SENT,
}


def kind_words(kind: ResultKind) -> str:
    """What a kind is called."""
    return {
        ResultKind.ADDED: tr("Added"),
        ResultKind.REFUSED: tr("Refused"),
        ResultKind.NOT_SURE: tr("Not sure"),
        ResultKind.UNDER_WAY: tr("On their way"),
        ResultKind.WAS_HERE: tr("Was here already"),
        ResultKind.LEFT_OUT: tr("Left out"),
        ResultKind.NOT_SENT: tr("Not sent"),
    }[kind]


def outcome_words(row: BatchResultRow) -> str:
    """What became of a row, in a few words, without the reason."""
    if row.outcome in {Outcome.WAITING, Outcome.SENDING}:
        return tr("Waiting") if row.outcome is Outcome.WAITING else tr("Sending")
    return kind_words(kind_of(row))


def reason_words(row: BatchResultRow) -> str:
    """Why: the service's sentence, or what was said of a row that was left out; else blank."""
    if row.outcome is not Outcome.LEFT_OUT:
        return row.reason
    if row.reason not in _VERDICTS:
        return row.reason
    verdict = Verdict(row.reason)
    match verdict:
        case Verdict.ALREADY_HERE:
            return row.other
        case Verdict.READY:
            return ""
        case Verdict.TWICE if row.other:
            return tr("twice in this list, line {line}", line=with_own_digits(row.other))
    return verdict_words(verdict)


_VERDICTS = frozenset(Verdict)


class ResultColumn(IntEnum):
    """The columns, in the order they are shown."""

    LINE = 0
    NAME = 1
    EMAIL = 2
    OUTCOME = 3


def column_words(column: ResultColumn) -> str:
    """A column's name."""
    return {
        ResultColumn.LINE: tr("Row"),
        ResultColumn.NAME: tr("Name"),
        ResultColumn.EMAIL: tr("Email"),
        ResultColumn.OUTCOME: tr("What became of it"),
    }[column]


_INKS = {ResultKind.ADDED: "accent", ResultKind.REFUSED: "amber", ResultKind.NOT_SURE: "amber"}


def cells_of(row: BatchResultRow) -> tuple[Cell, ...]:
    """A row, cell by cell; one that names nobody shows what its source has."""
    person = row.new_person
    whole = _with_reason(row, reason_words(row))
    # There is room for the service's own words, if not for what leads up to them.
    said = _with_reason(row, row.service_words) if row.service_words else whole
    # Lists kept before do not say whom they left out.
    name = person.full_name if person is not None else ", ".join(filter(None, row.cells))
    return (
        Cell(number(row.line), is_number=True),
        Cell(name, is_given=person is not None),
        Cell(person.email if person is not None else ""),
        Cell(said, ink=_INKS.get(kind_of(row), "soft"), whole=whole if whole != said else ""),
    )


def _with_reason(row: BatchResultRow, reason: str) -> str:
    outcome = outcome_words(row)
    return tr("{outcome}: {reason}", outcome=outcome, reason=reason) if reason else outcome


def copied_headings() -> list[str]:
    """What the columns of copied rows are called."""
    return [column_words(column) for column in ResultColumn]


def copied_cells(row: BatchResultRow) -> list[str]:
    """The row as it is copied: what is painted, and all there is to be said of it."""
    return [cell.whole or cell.text for cell in cells_of(row)]


def file_headings(batch: Batch, width: int) -> list[str]:
    """Those of the list itself, `width` of them, and behind them those of the outcome."""
    own = [*batch.headings[:width], *("" for _ in range(width - len(batch.headings)))]
    named = [heading or tr("Column {number}", number=at) for at, heading in enumerate(own, 1)]
    ours = (tr("What became of it"), tr("Reason"), tr("Added name"), tr("Added email"))
    return [*named, *(f"{each} (Front Desk)" if each in own else each for each in ours)]


def file_row(row: BatchResultRow, width: int) -> list[str]:
    """The cells for these, as they are: what writes the file keeps formulas from running."""
    person = row.new_person if row.outcome is Outcome.ADDED else None
    return [
        *row.cells[:width],
        *("" for _ in range(width - len(row.cells))),
        outcome_words(row),
        reason_words(row),
        person.full_name if person is not None else "",
        person.email if person is not None else "",
    ]


class ResultTable(CellTable):
    """One row for each of the list, or for each of one kind."""

    columns = ResultColumn

    def __init__(self) -> None:
        """No rows."""
        super().__init__()
        self._rows: Sequence[BatchResultRow] = ()

    @property
    def rows(self) -> Sequence[BatchResultRow]:
        """Those that are shown, from the top."""
        return self._rows

    def show_rows(self, rows: Sequence[BatchResultRow]) -> None:
        """Show these from now on; the same rows that are only other than they were stay in place,
        and so does what is chosen.
        """
        positions = [row.line for row in self._rows]
        if positions and positions == [row.line for row in rows]:
            self._have(rows)
            last = self.index(len(rows) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._have(rows)
        self.endResetModel()

    def rows_shown(self) -> int:
        """Those of the list, or of one kind."""
        return len(self._rows)

    def heading(self, column: int, *, spoken: bool) -> str:
        """The column's name."""
        return column_words(ResultColumn(column))

    def key_at(self, position: int) -> str | None:
        """The id of the row's entry; None where it has none."""
        return self._rows[position].entry_id

    def make_cells(self, position: int) -> tuple[Cell, ...]:
        """The cells of the row."""
        return cells_of(self._rows[position])

    def _have(self, rows: Sequence[BatchResultRow]) -> None:
        self._rows = rows
        self._cells.clear()
