"""Rows for the clipboard, as the list reader of the program and a spreadsheet take them."""

from app.exporting.spreadsheet import copied_rows, spreadsheet_cell
from app.importing.reading import read_clipboard

HEADINGS = ["Name", "Phone"]
ROWS = [["Ada <b>&", "0123"], ["=1+1", "+61 400"], ["tab\there", "two\nlines"]]


def test_both_ways_say_the_same_and_nothing_is_calculated() -> None:
    copied = copied_rows(HEADINGS, ROWS)
    cells = [[spreadsheet_cell(cell) for cell in row] for row in [HEADINGS, *ROWS]]
    assert [line.split("\t") for line in copied.text.split("\n")] == cells
    read = read_clipboard("", copied.html)
    assert [list(row.cells) for row in read.rows] == cells
    assert "<b>" not in copied.html
