"""Workbooks, made here by the libraries that write them: cells come out as staff see them.

They are read in this process, for speed and to reach the bounds; the other one has its own tests.
"""

import io
import struct
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter

from app.importing.formats.workbook import read_workbook
from app.importing.reading import MOST_ROWS, SourceKind, UnreadableList, read_file
from tests.importing.formats.old_workbook import record, xls


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


def test_a_cover_of_formulas_that_nobody_worked_out_keeps_nobody_from_the_list(
    tmp_path: Path,
) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("Cover").write_formula(0, 0, "=COUNTA(People!A:A)", None, "")
        book.add_worksheet("People").write_row(0, 0, ["Ada", "ada@x.org"])

    file = save_xlsx(tmp_path / "list.xlsx", fill)
    assert read_file(file).sheet == "People"
    with pytest.raises(UnreadableList, match="formulas without their results"):
        read_file(file, "Cover")


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


@pytest.mark.parametrize(("row", "column"), [(100_000, 3), (1_048_575, 16_383)])
def test_a_stray_cell_far_away_neither_ends_the_program_nor_fills_the_memory(
    tmp_path: Path, row: int, column: int
) -> None:
    """The library lays a sheet out as a rectangle: the last of these has 17,000 million cells."""

    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "Ada")
        sheet.write(row, column, "far")

    file = save_xlsx(tmp_path / "list.xlsx", fill)
    with pytest.raises(UnreadableList):
        read_file(file)


def test_nor_does_one_in_a_part_that_lies_elsewhere(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "Ada")
        sheet.write(1_048_575, 16_383, "far")

    usual = save_xlsx(tmp_path / "usual", fill)
    with (
        zipfile.ZipFile(usual) as package,
        zipfile.ZipFile(tmp_path / "list.xlsx", "w") as other,
    ):
        for name in package.namelist():
            content = package.read(name).replace(b"worksheets/sheet1.xml", b"elsewhere/one.xml")
            other.writestr(name.replace("worksheets/sheet1.xml", "elsewhere/one.xml"), content)
    with pytest.raises(UnreadableList, match="far from the others"):
        read_file(tmp_path / "list.xlsx")


def test_a_repeated_cell_does_not_end_the_program(tmp_path: Path) -> None:
    cell = (
        '<table:table-cell table:number-columns-repeated="4000000000"'
        ' office:value-type="string"><text:p>Ada</text:p></table:table-cell>'
    )
    file = save_ods(tmp_path / "list.ods", f"<table:table-row>{cell}</table:table-row>")
    with pytest.raises(UnreadableList, match="far from the others"):
        read_file(file)


def test_a_workbook_of_the_nineties_is_read(tmp_path: Path) -> None:
    file = tmp_path / "list.xls"
    file.write_bytes(xls([["Zoë", "Łucja"], ["Bob", 491711234567.0]], at=(2, 1)))
    table = read_file(file)
    assert table.sheets == ("People",)
    assert [(row.line, row.cells) for row in table.rows] == [
        (3, ("Zoë", "Łucja")),
        (4, ("Bob", "491711234567")),
    ]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (record(0x0203, struct.pack("<HHHd", 65_535, 65_535, 0, 1.0)), "far from the others"),
        (record(0x002F, bytes(54)), "password"),
    ],
)
def test_an_old_workbook_that_is_huge_or_locked_is_told(
    tmp_path: Path, more: bytes, sentence: str
) -> None:
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], more))
    with pytest.raises(UnreadableList, match=sentence):
        read_file(tmp_path / "list.xls")


def test_formulas_without_results_are_told(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.write_formula(0, 0, "=B1", None, "")
        sheet.write_formula(1, 0, "=B2", None, 0)

    with pytest.raises(UnreadableList, match="without their results"):
        read_file(save_xlsx(tmp_path / "list.xlsx", fill))


def test_formulas_with_results_are_read(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet()
        sheet.write_formula(0, 0, "=B1", None, "Ada")
        sheet.write_formula(1, 0, "=B2", None, "Bob")

    assert cells(save_xlsx(tmp_path / "list.xlsx", fill)) == [("Ada",), ("Bob",)]


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_an_entity_is_not_expanded(tmp_path: Path, part: str) -> None:
    plain = save_xlsx(tmp_path / "plain", lambda book: book.add_worksheet().write(0, 0, "Ada"))
    bomb = b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><a>&b;</a>'
    changed = io.BytesIO()
    with zipfile.ZipFile(plain) as package, zipfile.ZipFile(changed, "w") as other:
        for name in package.namelist():
            other.writestr(name, bomb if name == part else package.read(name))
    (tmp_path / "list.xlsx").write_bytes(changed.getvalue())
    with pytest.raises(UnreadableList, match="damaged"):
        read_file(tmp_path / "list.xlsx")


def test_what_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    file = save_xlsx(tmp_path / "list.xlsx", lambda book: book.add_worksheet().write(0, 0, "Ada"))
    with zipfile.ZipFile(file) as package:
        member = package.getinfo("xl/worksheets/sheet1.xml")
    size = member.file_size.to_bytes(4, "little")
    packed = file.read_bytes()
    assert packed.count(size) == 2
    file.write_bytes(packed.replace(size, (member.file_size - 100).to_bytes(4, "little")))
    with pytest.raises(UnreadableList, match="damaged"):
        read_file(file)


def test_a_bomb_of_zeros_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(
            tmp_path / "list.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1
        ) as package,
        package.open("xl/workbook.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(260):
            part.write(bytes(1 << 20))
    with pytest.raises(UnreadableList, match=f"{MOST_ROWS:,} rows"):
        read_file(tmp_path / "list.xlsx")


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


def shared_strings(file: Path, text: str, cells: str, *, announced: int = 1) -> Path:
    """A workbook whose one shared text is `text`; `cells` refer to it."""

    def fill(book: xlsxwriter.Workbook) -> None:
        book.add_worksheet("People").write(0, 0, "Ada")

    save_xlsx(file, fill)
    with zipfile.ZipFile(file) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    before, _, after = sheet.partition("<sheetData>")
    parts["xl/worksheets/sheet1.xml"] = (
        f"{before}<sheetData>{cells}{after[after.index('</sheetData>') :]}"
    )
    parts["xl/sharedStrings.xml"] = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        f'uniqueCount="{announced}"><si><t>{text}</t></si></sst>'
    )
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return file


@pytest.fixture
def few_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that a test can reach without gigabytes."""
    monkeypatch.setattr("app.importing.formats.workbook_limits.MOST_CHARACTERS", 10_000)


@pytest.mark.usefixtures("few_characters")
def test_a_text_that_many_cells_share_counts_for_each_of_them(tmp_path: Path) -> None:
    def save(count: int) -> Path:
        shared = "".join(
            f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, count)
        )
        return shared_strings(tmp_path / "list.xlsx", "Ada Lovelace " * 20, shared)

    assert len(cells(save(20))) == 19
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(save(200))


def test_room_is_not_made_for_more_texts_than_there_can_be(tmp_path: Path) -> None:
    row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(shared_strings(tmp_path / "list.xlsx", "Ada", row, announced=20_000_000))


_TWO_HUNDRED = 'table:number-columns-repeated="200"'


@pytest.mark.usefixtures("few_characters")
@pytest.mark.parametrize(
    "cell",
    [
        'office:value-type="string"><text:p>Ada<text:s text:c="20000"/>B</text:p>',
        f'{_TWO_HUNDRED} office:value-type="string"><text:p>{"Ada " * 20}</text:p>',
        f'{_TWO_HUNDRED} office:value-type="string">{"Ada " * 20}',
        f'{_TWO_HUNDRED} office:string-value="{"Ada " * 20}">',
        f'{_TWO_HUNDRED} table:formula="{"Ada " * 20}">',
    ],
)
def test_blanks_by_number_and_repeated_texts_count_as_characters(tmp_path: Path, cell: str) -> None:
    row = f"<table:table-row><table:table-cell {cell}</table:table-cell></table:table-row>"
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(save_ods(tmp_path / "list.ods", row))


@pytest.mark.parametrize(
    "kept",
    [
        'office:value-type="string">',
        'office:value-type="string">Ada',
        'office:time-value="PT1H">',
        'office:boolean-value="true">',
    ],
)
def test_repeated_cells_of_any_kind_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    monkeypatch.setattr("app.importing.formats.workbook_limits.MOST_CELLS", 1_000)
    cell = f'<table:table-cell table:number-columns-repeated="2000" {kept}</table:table-cell>'
    with pytest.raises(UnreadableList, match="far from the others"):
        read_file(save_ods(tmp_path / "list.ods", f"<table:table-row>{cell}</table:table-row>"))


def test_the_sheets_of_an_open_document_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are laid out at once, and so are those of one name."""
    monkeypatch.setattr("app.importing.formats.workbook_limits.MOST_CELLS", 1_000)
    text = '<table:table-cell office:value-type="string"{}><text:p>Ada</text:p></table:table-cell>'
    repeated = text.format(' table:number-columns-repeated="600"')
    row = f"<table:table-row>{repeated}</table:table-row>"
    two = f'{row}</table:table><table:table table:name="Sheet1">{row}'
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(save_ods(tmp_path / "list.ods", two))


def test_empty_cells_to_the_left_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.importing.formats.workbook_limits.MOST_CELLS", 1_000)
    empty = '<table:table-cell table:number-columns-repeated="600"/>'
    text = '<table:table-cell office:value-type="string"><text:p>Ada</text:p></table:table-cell>'
    row = f"<table:table-row>{empty}{text}</table:table-row>"
    with pytest.raises(UnreadableList, match="far from the others"):
        read_file(save_ods(tmp_path / "list.ods", row * 2))


def shared_texts(*texts: bytes) -> bytes:
    """The table of shared texts of an old workbook; the first is cut into two records."""
    body = b"".join(struct.pack("<HB", len(text), 0) + text for text in texts)
    head = struct.pack("<II", 0, len(texts))
    return record(0x00FC, head + body[:50]) + record(0x003C, b"\0" + body[50:])


@pytest.mark.usefixtures("few_characters")
def test_a_text_that_many_cells_of_an_old_workbook_share_counts_for_each(tmp_path: Path) -> None:
    def save(count: int, number: int) -> None:
        refer = (record(0x00FD, struct.pack("<HHHI", n, 0, 0, number)) for n in range(1, count))
        texts = shared_texts(b"Ada Lovelace " * 20, b"Bob")
        (tmp_path / "list.xls").write_bytes(xls([["Ada", "Lovelace"]], texts, *refer))

    for count, number in ((10, 0), (80, 1)):
        save(count, number)
        assert read_file(tmp_path / "list.xls").rows[0].cells[0] == "Ada"
    save(80, 0)
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(tmp_path / "list.xls")


def test_room_is_not_made_for_more_cells_than_a_sheet_has(tmp_path: Path) -> None:
    announced = record(0x0200, struct.pack("<IIHHH", 0, 4_000_000, 0, 0xFFFF, 0))
    (tmp_path / "list.xls").write_bytes(xls([["Ada", "Lovelace"]], announced))
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(tmp_path / "list.xls")
