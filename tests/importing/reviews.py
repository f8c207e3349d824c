"""Lists that are looked over, made of their rows."""

from collections.abc import Sequence

from app.importing.column_guess import guess_columns
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.review import Review
from app.importing.verdicts import ReviewRow
from app.model.person import Person
from app.people.duplicates import Duplicates

HEAD = ("First name", "Last name", "Email", "Phone")


def review(
    *rows: Sequence[str], known: Duplicates[Person] | None = None, head: Sequence[str] = HEAD
) -> Review:
    cells = [tuple(head), *(tuple(row) for row in rows)]
    table = SourceTable(
        "list.csv",
        SourceKind.CSV,
        [
            SourceRow(line, (*each, *[""] * (len(head) - len(each))))
            for line, each in enumerate(cells, start=1)
        ],
    )
    return Review(table, guess_columns(table), known)


def plain_lines(*lines: str) -> Review:
    rows = [SourceRow(number, (line,)) for number, line in enumerate(lines, start=1)]
    table = SourceTable("copied", SourceKind.LINES, rows)
    return Review(table, guess_columns(table))


def person(row: ReviewRow) -> tuple[str, str, str]:
    return row.firstname, row.lastname, row.email


def verdicts(looked_over: Review) -> list[str]:
    return [row.verdict.value for row in looked_over.rows]
