"""Saved tables, read back by other libraries: what was said, and nothing that is calculated."""

import csv
import io
import os
import stat
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
import python_calamine

from app.exporting.table import write_csv, write_table, write_xlsx

Write = Callable[[Path, Sequence[str], Iterable[Sequence[str]]], None]
HEADINGS = ["Name", "Phone"]
FORMULAS = ["=1+1", "+49 171 1234", "-2", "@x", "\t=1", "\r=1", ' "=1"', "＝1"]


def workbook(path: Path) -> list[list[object]]:
    sheet = python_calamine.load_workbook(path).get_sheet_by_index(0)
    return [list(row) for row in sheet.to_python()]


def test_accents_lines_and_leading_zeros_come_back(tmp_path: Path) -> None:
    rows = [["Zoë “Z” Łuk, jr; 李", "0123"], ["two\nlines", ""], ["half \ud800", "007"]]
    write_xlsx(tmp_path / "a.xlsx", HEADINGS, rows)
    assert workbook(tmp_path / "a.xlsx") == [HEADINGS, *rows[:2], ["half ?", "007"]]
    write_csv(tmp_path / "a.csv", HEADINGS, rows[:1])
    content = (tmp_path / "a.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(content.decode("utf-8-sig")))) == [HEADINGS, rows[0]]


@pytest.mark.parametrize("cell", FORMULAS)
def test_no_cell_and_no_heading_is_calculated(tmp_path: Path, cell: str) -> None:
    write_csv(tmp_path / "a.csv", [cell], [[cell]])
    for row in csv.reader(io.StringIO((tmp_path / "a.csv").read_text("utf-8-sig"))):
        assert row[0].lstrip().startswith("'")
    write_xlsx(tmp_path / "a.xlsx", [cell], [[cell]])
    with zipfile.ZipFile(tmp_path / "a.xlsx") as package:
        assert b"<f>" not in package.read("xl/worksheets/sheet1.xml")
    assert str(workbook(tmp_path / "a.xlsx")[1][0]).strip() == cell.strip()


def test_no_cell_has_the_marks_of_direction_of_a_sentence(tmp_path: Path) -> None:
    rows = [["\u200eمحمد\u200e came", "1"], ["\u200fAda،\u200f", "2"]]
    write_xlsx(tmp_path / "a.xlsx", HEADINGS, rows)
    assert workbook(tmp_path / "a.xlsx")[1:] == [["محمد came", "1"], ["Ada،", "2"]]


def test_the_name_says_which_kind_it_is(tmp_path: Path) -> None:
    write_table(tmp_path / "a.XLSX", HEADINGS, [["Ada", "1"]])
    write_table(tmp_path / "a.csv", HEADINGS, [["Ada", "1"]])
    assert workbook(tmp_path / "a.XLSX") == [HEADINGS, ["Ada", "1"]]
    with zipfile.ZipFile(tmp_path / "a.XLSX") as package:
        # The headings stay in view.
        assert b'<pane ySplit="1"' in package.read("xl/worksheets/sheet1.xml")
    assert (tmp_path / "a.csv").read_text("utf-8-sig").splitlines() == ["Name,Phone", "Ada,1"]


def test_a_cell_longer_than_a_workbook_takes_is_cut_and_none_is_lost(tmp_path: Path) -> None:
    write_xlsx(tmp_path / "a.xlsx", HEADINGS, [["x" * 40_000, "1"]], sheet="a/b: [" + "c" * 40)
    assert [len(str(cell)) for cell in workbook(tmp_path / "a.xlsx")[1]] == [32_767, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="the rights of a file are a folder's there")
@pytest.mark.parametrize("write", [write_csv, write_xlsx])
def test_what_was_there_stays_where_the_file_cannot_be_written(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.file"
    path.write_bytes(b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write(path, HEADINGS, [["Ada", "1"]])
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"before"]
    path.unlink()
    write(path, HEADINGS, [["Ada", "1"]])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
