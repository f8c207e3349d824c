"""The rows of a list as they go on from the page: to the outbox, with what was left out and why, or
to a file.

By itself: it asks nothing of the page, and is done in a thread of its own.
"""

from collections.abc import Hashable, Mapping

from app.importing.columns import ColumnField
from app.importing.people_in_rows import by_heading, heading_of
from app.importing.review import Review
from app.importing.verdicts import ReviewRow
from app.model.outbox import BatchRow
from app.model.verdict import Verdict, verdict_words
from app.runtime.words import tr


def batch_rows(review: Review, here: Mapping[Hashable, str]) -> list[BatchRow]:
    """Everybody of a list as the outbox takes them, those who are left out with the reason, and
    with who is `here` already, in words.
    """
    return [_batch_row(row, here) for row in review.rows]


def _batch_row(row: ReviewRow, here: Mapping[Hashable, str]) -> BatchRow:
    if not row.left_out:
        anyway = row.verdict is not Verdict.READY or row.is_total
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


def list_of(review: Review) -> tuple[list[str], list[list[str]]]:
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
