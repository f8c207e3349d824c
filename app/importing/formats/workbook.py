"""Workbooks (XLSX, XLS, ODS) as rows of text, as staff see their cells; loaded, with the library
for it, in the process apart alone.

`workbook_bounds.py` looks first at what opening one would cost; what the cells mean is left to
others.
"""

import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice

import python_calamine as calamine

from app.importing.formats.delimited import even
from app.importing.formats.source_table import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    SourceKind,
    SourceRow,
    SourceTable,
    UnreadableList,
    nobody_in_it,
    too_long_cell,
    too_many_columns,
    too_many_rows,
)
from app.importing.formats.workbook_bounds import check_workbook
from app.importing.formats.workbook_limits import damaged, locked

_WHOLE = 1e15
"""Numbers below are exact in a spreadsheet, and written without an exponent."""
_MERGED = 10_000
_MOST_SHEETS = 20
"""That are looked through for emails, where nobody says which one it is."""
_MOST_LOOKED_THROUGH = 2_000_000
"""Cells of them, empty ones too; the sheet that goes beyond is the last."""

_Value = int | float | str | bool | time | date | datetime | timedelta


def read_workbook(content: bytes, name: str, sheet: str | None) -> SourceTable:
    """The rows of `sheet`, or else of the one with the most people.

    Raises UnreadableList.
    """
    check_workbook(content)
    try:
        with calamine.load_workbook(io.BytesIO(content)) as book:
            sheets = _offered(book)
            chosen = [sheet] if sheet in sheets else sheets[:_MOST_SHEETS]
            found = _sheet_with_people(book, chosen)
    except calamine.PasswordError as error:
        raise locked() from error
    except UnreadableList:
        raise
    except Exception as error:
        raise damaged(f"{type(error).__name__}: {error}") from error
    except BaseException as error:
        # A panic of the library is no Exception, and nothing that anybody asked for.
        if type(error).__name__ != "PanicException":
            raise
        raise damaged(f"{type(error).__name__}: {error}") from error
    if found is None:
        raise nobody_in_it()
    name_of_sheet, rows = found
    return SourceTable(name, SourceKind.WORKBOOK, rows, sheet=name_of_sheet, sheets=sheets)


def _sheet_with_people(
    book: calamine.CalamineWorkbook, sheets: Sequence[str]
) -> tuple[str, list[SourceRow]] | None:
    """The sheet with the most rows that have an email, else with the most of several cells, else
    the first with anything; what cannot be read may follow. A cover has an address or two as well.
    """
    found: tuple[str, list[SourceRow]] | None = None
    most = (0, 0)
    cells = 0
    for name in sheets:
        if cells > _MOST_LOOKED_THROUGH:
            break
        try:
            sheet = book.get_sheet_by_name(name)
            cells += sheet.height * sheet.width
            rows = _rows(sheet)
        except UnreadableList:
            if found is None:
                raise
            continue
        emails = sum(any("@" in cell for cell in row.cells) for row in rows)
        several = sum(len(list(filter(None, row.cells))) > 1 for row in rows)
        if rows and (found is None or (emails, several) > most):
            found, most = (name, rows), (emails, several)
    return found


def _offered(book: calamine.CalamineWorkbook) -> tuple[str, ...]:
    """The sheets a person sees in the workbook; all of them where every one is hidden."""
    sheets = [each for each in book.sheets_metadata if each.typ == calamine.SheetTypeEnum.WorkSheet]
    seen = [each.name for each in sheets if each.visible == calamine.SheetVisibleEnum.Visible]
    return tuple(seen or [each.name for each in sheets])


def _rows(sheet: calamine.CalamineSheet) -> list[SourceRow]:
    start = sheet.start
    if start is None:
        return []
    if sheet.width > MOST_COLUMNS * 20:
        raise too_many_columns()
    merged = _merged_down(sheet.merged_cell_ranges or (), start)
    rows: list[SourceRow] = []
    # Row by row: the whole sheet at once would hold up the window for as long as that takes.
    for number, values in enumerate(islice(sheet.iter_rows(), start[0], None)):
        cells = ["" if value == "" else _text(value) for value in values]
        for column, above in merged.get(number, ()):
            if not cells[column] and above < len(rows):
                cells[column] = rows[above].cells[column]
        line = start[0] + number + 1
        if max(map(len, cells)) > LONGEST_CELL:
            raise too_long_cell(line)
        if number >= MOST_ROWS and any(cells):
            raise too_many_rows()
        if number < MOST_ROWS:
            rows.append(SourceRow(line, tuple(cells)))
    return _without_empty_columns(even(rows))


def _merged_down(
    ranges: Iterable[tuple[tuple[int, int], tuple[int, int]]], start: tuple[int, int]
) -> dict[int, list[tuple[int, int]]]:
    """Row to the columns that a cell above reaches into, with its row; counted from `start`."""
    reached: dict[int, list[tuple[int, int]]] = {}
    left = _MERGED
    for (top, column), (bottom, _) in ranges:
        for row in range(top + 1, min(bottom, top + left) + 1):
            left -= 1
            if column >= start[1] and top >= start[0]:
                reached.setdefault(row - start[0], []).append((column - start[1], top - start[0]))
    return reached


def _without_empty_columns(rows: Sequence[SourceRow]) -> list[SourceRow]:
    """Empty columns on the left are the margin somebody left."""
    if not rows:
        return []
    first = next(n for n in range(len(rows[0].cells)) if any(row.cells[n] for row in rows))
    if len(rows[0].cells) - first > MOST_COLUMNS:
        raise too_many_columns()
    return [SourceRow(row.line, row.cells[first:]) for row in rows] if first else list(rows)


def _text(value: _Value) -> str:
    """As it stands in the cell, as far as the file tells: a phone number has no ".0"."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("_x000D_", "").strip()
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes").removesuffix(" 00:00")
    return value.isoformat("minutes") if isinstance(value, time) else str(value)
