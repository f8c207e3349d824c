"""Rows of text as a file that a spreadsheet opens; no cell of it is calculated, whatever it says.

It knows the two formats and that a file is replaced whole or not at all; what the rows say is left
to its callers.
"""

import csv
import io
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from app.exporting.spreadsheet import spreadsheet_cell
from app.runtime.files import save_as
from app.runtime.words import tr, without_direction_marks

XLSX = ".xlsx"
_MARK = "\ufeff"
"""Without it before the first letter, spreadsheets read accents as two letters each."""
_LONGEST_CELL = 32_767
"""Characters, by the format."""
_MOST_ROWS = 1_048_576
_WIDEST = 60
_NARROWEST = 8
_LONGEST_SHEET_NAME = 31
_NOT_IN_A_SHEET_NAME = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))


def write_table(path: Path, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """As a workbook where the name ends so, else as CSV; raises OSError."""
    write = write_xlsx if path.suffix.lower() == XLSX else write_csv
    write(path, headings, rows)


def write_csv(path: Path, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """As comma separated values, UTF-8 with a byte order mark, the headings first.

    Each cell is as `spreadsheet_cell` makes it: on one line, an apostrophe before what would be
    calculated. Raises OSError; what was there is there still then.
    """
    text = io.StringIO()
    lines = csv.writer(text)
    for row in chain([headings], rows):
        lines.writerow([spreadsheet_cell(cell) for cell in row])
    save_as(path, (_MARK + text.getvalue()).encode())


def write_xlsx(
    path: Path, headings: Sequence[str], rows: Iterable[Sequence[str]], sheet: str = ""
) -> None:
    """As a workbook of one sheet, every cell a text, the headings first and always in view.

    Raises as `write_csv`.
    """
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        # Row after row: a hundred thousand of them in memory cost 200 MB, and the window a pause.
        _fill(file, {"constant_memory": True, "tmpdir": folder}, chain([headings], rows), sheet)
    save_as(path, file.getvalue())


def _fill(
    file: io.BytesIO, options: Mapping[str, object], rows: Iterable[Sequence[str]], sheet: str
) -> None:
    import xlsxwriter  # noqa: PLC0415 - no start needs it

    book = xlsxwriter.Workbook(file, options)
    name = (sheet or tr("List")).translate(_NOT_IN_A_SHEET_NAME)[:_LONGEST_SHEET_NAME].strip()
    page = book.add_worksheet(name or None)
    bold = book.add_format({"bold": True})
    wide: dict[int, int] = {}
    for number, row in enumerate(rows):
        if number >= _MOST_ROWS:
            break
        for column, cell in enumerate(row):
            text = _plain(cell)
            if text:
                page.write_string(number, column, text, bold if number == 0 else None)
                longest = max(map(len, text.split("\n")))
                wide[column] = max(wide.get(column, _NARROWEST), min(longest + 2, _WIDEST))
    for column, width in wide.items():
        page.set_column(column, column, width)
    page.freeze_panes(1, 0)
    book.close()


def _plain(cell: str) -> str:
    """Without halves of letters, which nothing can write, and marks of direction, which sentences
    have on the screen.
    """
    text = without_direction_marks(cell).encode("utf-8", "replace").decode()
    return text.replace("\r\n", "\n").replace("\r", "\n")[:_LONGEST_CELL]
