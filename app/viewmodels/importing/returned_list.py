"""Rows of a list that was added, made a list again to be looked over: who was not sent, and who was
left out.
"""

from collections.abc import Sequence

from app.importing.source import SourceKind, SourceRow, SourceTable
from app.model.outbox import Batch, BatchRow, NewPerson
from app.runtime.words import tr
from app.viewmodels.importing.list_import import ReturnedList

# As the review calls them, which no start has to wait for.
_READY, _EMPTY = "ready", "empty"


def returned_list(batch: Batch, rows: Sequence[BatchRow]) -> ReturnedList:
    """These rows of `batch` as a list: as corrected last, or as they were read, and beside that
    what the source had and is not sent. Who was left out or taken in by somebody is so again; all
    else is left to the verdicts, which are made anew.
    """
    # No start has to wait for what lists are read with.
    from app.importing.columns import ColumnField, guess_columns  # noqa: PLC0415 - see above
    from app.importing.people_in_rows import RowReader  # noqa: PLC0415 - as above

    source = SourceTable(
        batch.name,
        SourceKind.CSV,
        tuple(SourceRow(row.line, row.cells) for row in rows),
        headings=batch.headings,
    )
    columns = guess_columns(source)
    beside = columns.of(ColumnField.OTHER)
    reader = RowReader(columns)
    people: list[NewPerson] = []
    cells: list[tuple[str, ...]] = []
    for row, read in zip(rows, source.rows, strict=True):
        person = row.new_person or row.as_read
        if person is None and row.left_out != _EMPTY:
            # Lists kept before say only their cells.
            found = reader.people(read)[0]
            person = NewPerson(
                firstname=found.firstname, lastname=found.lastname, email=found.email
            )
        people.append(person or NewPerson())
        kept = (row.cells[at] if at < len(row.cells) and person else "" for at in beside)
        cells.append(tuple(kept))
    # Read from plain lines, these are in no column of their own.
    phones = [
        person.phone if not any(person.phone in cell for cell in kept) else ""
        for person, kept in zip(people, cells, strict=True)
    ]
    notes = [person.leftover if not beside else "" for person in people]
    headings = [columns.headings[at] for at in beside]
    for heading, values in ((tr("Phone"), phones), (tr("Notes"), notes)):
        if any(values):
            headings.append(heading)
            cells = [(*kept, value) for kept, value in zip(cells, values, strict=True)]
    table = SourceTable(
        batch.name,
        SourceKind.CSV,
        tuple(
            SourceRow(row.line, (person.firstname, person.lastname, person.email, *kept))
            for row, person, kept in zip(rows, people, cells, strict=True)
        ),
        headings=(tr("First name"), tr("Last name"), tr("Email"), *headings),
    )
    return ReturnedList(
        table,
        left_out=tuple(at for at, row in enumerate(rows) if row.left_out == _READY),
        taken_in=tuple(at for at, row in enumerate(rows) if row.anyway),
    )
