"""Rows of a list that was added, made a list again to be looked over: who was not sent, and who was
left out.
"""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.model.outbox import Batch, BatchRow, NewPerson
from app.runtime.words import tr
from app.viewmodels.importing.list_import import ReturnedList

# As the review calls them, which no start has to wait for.
_READY, _EMPTY = "ready", "empty"


def returned_list(batch: Batch, rows: Sequence[BatchRow]) -> ReturnedList:
    """These rows of `batch` as a list: as corrected last, or as they were read, and beside that
    all that is kept and not sent, in the source's own columns as far as it has them. Who was left
    out or taken in by somebody is so again; all else is left to the verdicts, which are made anew.
    """
    # No start has to wait for what lists are read with.
    from app.importing.column_guess import guess_columns  # noqa: PLC0415 - see above
    from app.importing.columns import ColumnField  # noqa: PLC0415 - as above
    from app.importing.people_in_rows import (  # noqa: PLC0415 - as above
        RowReader,
        heading_of,
        new_person,
    )

    source = SourceTable(
        batch.name,
        SourceKind.CSV,
        tuple(SourceRow(row.line, row.cells) for row in rows),
        headings=batch.headings,
    )
    columns = guess_columns(source)
    reader = RowReader(columns)
    people: list[NewPerson] = []
    for row, read in zip(rows, source.rows, strict=True):
        person = row.new_person or row.as_read
        if person is None and row.left_out != _EMPTY:
            # Lists kept before say only their cells.
            found = reader.people(read)[0]
            person = new_person(found.firstname, found.lastname, found.email, found.other)
        people.append(person or NewPerson())
    headings = [heading_of(columns, position) for position in range(len(columns.headings))]
    kept = [_Kept.of(person, headings, row.cells) for person, row in zip(people, rows, strict=True)]
    beside = [
        position
        for position, field in enumerate(columns.fields)
        if any(position in each.positions for each in kept)
        or (field is ColumnField.OTHER and not any(map(partial(_is_sent, position), people, rows)))
    ]
    more = list(dict.fromkeys(heading for each in kept for heading, _ in each.more))
    shown = list(dict.fromkeys([*(headings[position] for position in beside), *more]))
    table = SourceTable(
        batch.name,
        SourceKind.CSV,
        tuple(
            SourceRow(
                row.line,
                (
                    person.firstname,
                    person.lastname,
                    person.email,
                    *_cells_below(shown, headings, beside, row, each),
                ),
            )
            for row, person, each in zip(rows, people, kept, strict=True)
        ),
        headings=(tr("First name"), tr("Last name"), tr("Email"), *shown),
        sheet=batch.sheet or None,
        sheets=batch.sheets,
        title=batch.title,
    )
    return ReturnedList(
        table,
        Path(os.fsdecode(batch.file)) if batch.file else None,
        left_out=tuple(at for at, row in enumerate(rows) if row.left_out == _READY),
        taken_in=tuple(at for at, row in enumerate(rows) if row.anyway),
    )


class _Kept(msgspec.Struct, frozen=True):
    """What is kept beside a person: the positions of the cells that say it, and what no cell says,
    each with its heading.
    """

    positions: frozenset[int]
    more: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, person: NewPerson, headings: Sequence[str], cells: Sequence[str]) -> "_Kept":
        """Taken apart as `people_in_rows.new_person` has put it together."""
        phone, left = person.phone, f"{_BETWEEN}{person.leftover}{_BETWEEN}"
        positions = set()
        for position, (heading, cell) in enumerate(zip(headings, map(_tidy, cells), strict=False)):
            piece = f"{_BETWEEN}{heading}: {cell}{_BETWEEN}"
            if cell and cell == phone:
                positions.add(position)
                phone = ""
            elif cell and (cell == person.phone or piece in left):
                positions.add(position)
                left = left.replace(piece, _BETWEEN, 1)
        more = [(tr("Phone"), phone)] if phone else []
        for piece in filter(None, left.split(_BETWEEN)):
            heading, colon, value = piece.partition(": ")
            named = colon and heading in {
                tr("Phone"),
                tr("Other email"),
                tr("Not part of the name"),
            }
            more.append((heading, value) if named else (tr("Notes"), piece))
        return cls(frozenset(positions), tuple(more))


_BETWEEN = "; "


def _tidy(cell: str) -> str:
    return " ".join(cell.split())


def _is_sent(position: int, person: NewPerson, row: BatchRow) -> bool:
    """Whether a cell is what somebody is called, or their address."""
    cell = _tidy(row.cells[position]) if position < len(row.cells) else ""
    return bool(cell) and cell in {
        person.firstname, person.lastname, person.full_name, person.email,
    }  # fmt: skip


def _cells_below(
    shown: Sequence[str],
    headings: Sequence[str],
    beside: Sequence[int],
    row: BatchRow,
    kept: _Kept,
) -> list[str]:
    """What stands in a row below each of the headings; what stands there twice is one cell."""
    said: dict[str, list[str]] = {heading: [] for heading in shown}
    if row.left_out != _EMPTY:
        for position in beside:
            if position < len(row.cells) and row.cells[position].strip():
                said[headings[position]].append(row.cells[position])
        for heading, value in kept.more:
            said[heading].append(value)
    return [_BETWEEN.join(dict.fromkeys(said[heading])) for heading in shown]
