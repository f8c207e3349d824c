"""Workbooks made to end the program: small files that say something else to the library that reads
them than to who looks first. Each ends in one sentence.
"""

import struct
import zipfile
from pathlib import Path

import pytest

from app.importing.formats.workbook import read_workbook
from app.importing.reading import UnreadableList, read_file
from tests.importing.formats.old_workbook import record, xls
from tests.importing.formats.test_workbooks import save_ods

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_FIRST = '<row r="1"><c r="A1" t="inlineStr"><is><t>Ada</t></is></c></row>'


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks first has to find them, also where nothing bounds what the library takes."""
    monkeypatch.setattr("app.importing.reading.read_workbook_apart", read_workbook)


def save_xlsx(file: Path, *sheets: str) -> Path:
    """A workbook of these sheets, each given as what stands in its part."""
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r"'
        f' Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
        + "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in range(len(sheets)))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{_RELATIONS}/worksheet" Target="s{n}.xml"/>'
            for n in range(len(sheets))
        )
        + "</Relationships>",
    }
    parts |= {
        f"xl/s{n}.xml": f'<worksheet xmlns="{_MAIN}">{sheet}</worksheet>'
        for n, sheet in enumerate(sheets)
    }
    return save_package(file, parts)


def save_package(file: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return file


def sentence(file: Path) -> str:
    with pytest.raises(UnreadableList) as told:
        read_file(file)
    return told.value.message


@pytest.mark.parametrize(
    "cell",
    [
        't="str"><v></v>',
        't="str"><v/>',
        't="inlineStr"><is><t></t></is>',
        't="inlineStr"><is/>',
        't="d"><v></v>',
        't="str"><is/><v></v>',
        't="str"><v><y/></v>',
        't="str"><v xml:space="preserve"><!--x--></v>',
    ],
)
def test_a_text_of_no_characters_far_away_takes_its_place(tmp_path: Path, cell: str) -> None:
    far = f'<row r="1048576"><c r="XFD1048576" {cell}</c></row>'
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}{far}</sheetData>")
    assert "far from the others" in sentence(file)


_FAR = record(0x0203, struct.pack("<HHHd", 65_535, 65_535, 0, 1.0))
_ANNOUNCED = record(0x0200, struct.pack("<IIHHH", 0, 0xFFFF_FFFF, 0, 0xFFFF, 0))


def test_a_table_of_texts_that_breaks_off_hides_nobody(tmp_path: Path) -> None:
    broken_off = record(0x00FC, struct.pack("<IIHB", 1, 1, 10, 0) + b"abc")
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], before=broken_off))
    (row,) = read_file(tmp_path / "list.xls").rows
    assert row.cells == ("Ada",)


def test_a_folder_in_a_sector_that_is_not_there_is_damage(tmp_path: Path) -> None:
    content = bytearray(xls([["Ada"]]))
    struct.pack_into("<I", content, 48, 1_000)
    (tmp_path / "list.xls").write_bytes(content)
    assert "damaged" in sentence(tmp_path / "list.xls")


@pytest.mark.parametrize("length", [2_000, 65_000])
@pytest.mark.parametrize("more", [_FAR, _ANNOUNCED])
def test_a_sheet_within_another_record_is_looked_at(
    tmp_path: Path, length: int, more: bytes
) -> None:
    """One that ends behind it, and one that never ends."""
    hides = struct.pack("<HH", 0x00EC, length)
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], more, before=hides))
    assert sentence(tmp_path / "list.xls")


def test_room_is_announced_in_a_shorter_form_too(tmp_path: Path) -> None:
    announced = record(0x0200, struct.pack("<HHHHH", 0, 0xFFFF, 0, 0xFFFF, 0))
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], announced))
    assert "much too large" in sentence(tmp_path / "list.xls")


def test_a_second_table_of_texts_does_not_take_the_place_of_the_first(tmp_path: Path) -> None:
    short, long = (
        record(0x00FC, struct.pack("<IIHB", 1, 1, len(text), 0) + text)
        for text in (b"a", b"x" * 8_000)
    )
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], before=short + long))
    assert "damaged" in sentence(tmp_path / "list.xls")


@pytest.mark.parametrize("stub", ["xl/workbook.xml", "xl/workbook.bin", "XL\\workbook.xml"])
def test_a_workbook_is_of_one_kind(tmp_path: Path, stub: str) -> None:
    """Where the first does not open, the library tries the next, which nobody has looked at."""
    row = "<table:table-row><table:table-cell><text:p>Ada</text:p></table:table-cell>"
    save_ods(tmp_path / "other.ods", f"{row}</table:table-row>")
    with zipfile.ZipFile(tmp_path / "other.ods") as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    assert "damaged" in sentence(
        save_package(tmp_path / "list.xlsx", {stub: "<workbook/>"} | parts)
    )


@pytest.mark.parametrize(
    ("row", "cell", "said"),
    [
        ("", 'x:number-columns-repeated="1" table:number-columns-repeated="2000000000"', "far"),
        ('x:number-rows-repeated="1" table:number-rows-repeated="400000000"', "", "rows"),
    ],
)
def test_what_another_namespace_says_hides_nothing(
    tmp_path: Path, row: str, cell: str, said: str
) -> None:
    text = f'<table:table-cell office:value-type="string" {cell}><text:p>A</text:p>'
    file = save_ods(
        tmp_path / "list.ods",
        f'<table:table-row xmlns:x="urn:x" {row}>{text}</table:table-cell></table:table-row>',
    )
    assert said in sentence(file)


def test_merged_cells_are_counted(tmp_path: Path) -> None:
    merged = '<mergeCell ref="A1:A2"/>' * 250_000
    file = save_xlsx(
        tmp_path / "list.xlsx",
        f"<sheetData>{_FIRST}</sheetData><mergeCells>{merged}</mergeCells>",
    )
    assert "much too large" in sentence(file)


def test_sheets_are_looked_through_as_long_as_they_are_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emails in a sheet behind large ones are not looked for; it can be chosen."""
    monkeypatch.setattr("app.importing.formats.workbook._MOST_LOOKED_THROUGH", 100)
    large = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="GZ1"><v>1</v></c></row></sheetData>'
    people = f"<sheetData>{_FIRST.replace('Ada', 'ada@x.org')}</sheetData>"
    file = save_xlsx(tmp_path / "list.xlsx", large, people)
    assert read_file(file).sheet == "S0"
    assert read_file(file, "S1").rows[0].cells == ("ada@x.org",)
