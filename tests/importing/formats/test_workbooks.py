"""Workbooks, made here by the libraries that write them: cells come out as staff see them.

They are read in this process, for speed; the other one has its own tests.
"""

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter

from app.importing.formats.workbook import read_workbook
from app.importing.reading import SourceKind, UnreadableList, read_file
from tests.importing.formats.old_workbook import xls


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.importing.reading.read_workbook_apart", read_workbook)


def save_xlsx(file: Path, fill: Callable[[xlsxwriter.Workbook], None]) -> Path:
    book = xlsxwriter.Workbook(str(file), {"in_memory": True})
    fill(book)
    book.close()
    return file


_SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "".join(
    f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text")
)


def save_ods(file: Path, rows: str, manifest: str = "") -> Path:
    """A document as LibreOffice writes it, of one sheet with these rows."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", _SPREADSHEET)
        package.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
        package.writestr(
            "content.xml",
            f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{_NAMES}>'
            f'<office:body><office:spreadsheet><table:table table:name="Sheet1">{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return file


def cells(file: Path, sheet: str | None = None) -> list[tuple[str, ...]]:
    return [row.cells for row in read_file(file, sheet).rows]


def test_a_list_in_the_middle_of_a_sheet_is_read_as_it_is_seen(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet("People")
        sheet.write_row(3, 2, ["Name", "Phone", "Born", "Seen", "Postcode", "Here", "Part"])
        sheet.write_row(4, 2, ["Ada ", 491711234567])
        day = book.add_format({"num_format": "dd.mm.yyyy"})
        sheet.write_datetime(4, 4, datetime(1990, 5, 3, tzinfo=UTC).replace(tzinfo=None), day)
        sheet.write_datetime(4, 5, datetime(2026, 1, 2, 9, 5, tzinfo=UTC).replace(tzinfo=None), day)
        sheet.write_string(4, 6, "01234")
        sheet.write_boolean(4, 7, True)
        sheet.write_number(4, 8, 0.1 + 0.2)

    table = read_file(save_xlsx(tmp_path / "list.csv", fill))
    assert (table.kind, table.sheet, table.sheets) == (SourceKind.WORKBOOK, "People", ("People",))
    assert [(row.line, row.cells) for row in table.rows] == [
        (4, ("Name", "Phone", "Born", "Seen", "Postcode", "Here", "Part")),
        (5, ("Ada", "491711234567", "1990-05-03", "2026-01-02 09:05", "01234", "TRUE", "0.3")),
    ]


def test_another_sheet_can_be_chosen_and_hidden_ones_are_not_offered(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("Cover")
        book.add_worksheet("Adults").write(0, 0, "Ada")
        book.add_worksheet("Children").write(0, 0, "Bob")
        hidden = book.add_worksheet("Secret")
        hidden.write(0, 0, "Eve")
        hidden.hide()

    file = save_xlsx(tmp_path / "list.xlsx", fill)
    table = read_file(file)
    assert (table.sheet, table.sheets) == ("Adults", ("Cover", "Adults", "Children"))
    assert cells(file, "Children") == [("Bob",)]
    assert cells(file, "not there") == [("Ada",)]
    with pytest.raises(UnreadableList, match="nobody"):
        read_file(file, "Cover")


def test_a_cover_with_an_address_gives_way_to_the_sheet_with_most_people(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("Cover").write_row(0, 0, ["Questions", "office@x.org"])
        people = book.add_worksheet("People")
        for row in range(3):
            people.write_row(row, 0, [f"Ada{row}", f"ada{row}@x.org"])
        book.add_worksheet("More").write_row(0, 0, ["Bob", "bob@x.org"])

    file = save_xlsx(tmp_path / "list.xlsx", fill)
    assert read_file(file).sheet == "People"
    assert cells(file, "Cover") == [("Questions", "office@x.org")]


def test_where_nobody_has_an_email_the_sheet_with_most_rows_of_names_is_read(
    tmp_path: Path,
) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("Cover").write_column(0, 0, ["Choir", "of 2026", "by voice"])
        people = book.add_worksheet("People")
        for row in range(2):
            people.write_row(row, 0, [f"Ada{row}", "Lovelace"])

    assert read_file(save_xlsx(tmp_path / "list.xlsx", fill)).sheet == "People"


def test_a_sheet_with_emails_comes_before_one_that_explains(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("How to").write(0, 0, "Fill in the next sheet")
        book.add_worksheet("People").write_row(0, 0, ["Ada", "ada@x.org"])
        book.add_worksheet("More").write_row(0, 0, ["Bob", "bob@x.org"])

    file = save_xlsx(tmp_path / "list.xlsx", fill)
    assert read_file(file).sheet == "People"
    assert cells(file, "How to") == [("Fill in the next sheet",)]


def test_a_cell_merged_over_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.merge_range(0, 0, 1, 0, "Lovelace")
        sheet.write(0, 1, "Ada")
        sheet.write(1, 1, "Bob")

    assert cells(save_xlsx(tmp_path / "list.xlsx", fill)) == [
        ("Lovelace", "Ada"),
        ("Lovelace", "Bob"),
    ]


def test_an_open_document_with_the_empty_rest_of_its_sheet_is_its_rows(tmp_path: Path) -> None:
    text = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    number = (
        '<table:table-cell office:value-type="float" office:value="491711234567">'
        "<text:p>4,91711E+11</text:p></table:table-cell>"
    )
    rest = '<table:table-cell table:number-columns-repeated="16382"/>'
    file = save_ods(
        tmp_path / "list.ods",
        f"<table:table-row>{text.format('Zoë')}{number}{rest}</table:table-row>"
        f'<table:table-row table:number-rows-repeated="2">{text.format("Bob")}</table:table-row>'
        f'<table:table-row table:number-rows-repeated="1048573">{rest}</table:table-row>',
    )
    assert cells(file) == [("Zoë", "491711234567"), ("Bob", ""), ("Bob", "")]


def test_a_workbook_of_the_nineties_is_read(tmp_path: Path) -> None:
    file = tmp_path / "list.xls"
    file.write_bytes(xls([["Zoë", "Łucja"], ["Bob", 491711234567.0]], at=(2, 1)))
    table = read_file(file)
    assert table.sheets == ("People",)
    assert [(row.line, row.cells) for row in table.rows] == [
        (3, ("Zoë", "Łucja")),
        (4, ("Bob", "491711234567")),
    ]


def test_formulas_with_results_are_read(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.write_formula(0, 0, "=B1", None, "Ada")
        sheet.write_formula(1, 0, "=B2", None, "Bob")

    assert cells(save_xlsx(tmp_path / "list.xlsx", fill)) == [("Ada",), ("Bob",)]


class PanicException(BaseException):
    """As the library's own is called, which is no Exception and cannot be imported."""


def test_a_panic_in_the_library_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = save_xlsx(tmp_path / "list.xlsx", lambda book: book.add_worksheet().write(0, 0, "Ada"))

    def panic(_: object) -> None:
        raise PanicException

    monkeypatch.setattr("app.importing.formats.workbook.calamine.load_workbook", panic)
    with pytest.raises(UnreadableList, match="damaged"):
        read_file(file)


def test_locked_workbooks_are_told(tmp_path: Path) -> None:
    file = tmp_path / "list.xlsx"
    file.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(UnreadableList, match="password"):
        read_file(file)
    with pytest.raises(UnreadableList, match="password"):
        read_file(save_ods(tmp_path / "list.ods", "", "<encryption-data/>"))


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("Index/Tables/DataList.iwa", "Numbers"),
        ("xl/workbook.bin", "xlsb"),
        ("word/document.xml", "no list"),
    ],
)
def test_packages_of_other_programs_are_told_apart(
    tmp_path: Path, part: str, sentence: str
) -> None:
    with zipfile.ZipFile(tmp_path / "list.xlsx", "w") as package:
        package.writestr(part, "x")
    with pytest.raises(UnreadableList, match=sentence):
        read_file(tmp_path / "list.xlsx")
