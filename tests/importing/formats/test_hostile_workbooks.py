"""Workbooks made to end the program, read as the program reads them: each ends in one sentence."""

import struct
import sys
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
    "cell", ['t="str"><v></v>', 't="inlineStr"><is><t></t></is>', 's="1"><f>A1</f>', "><v>1</v>"]
)
def test_a_cell_far_away_is_told_with_its_row(tmp_path: Path, cell: str) -> None:
    far = f'<row r="1048576"><c r="XFD1048576" {cell}</c></row>'
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}{far}</sheetData>")
    assert "far from the others in the workbook, down to row 1,048,576" in sentence(file)


@pytest.mark.parametrize("empty", ['s="1"/>', 's="1"></c>'])
def test_an_empty_cell_far_away_is_nothing(tmp_path: Path, empty: str) -> None:
    far = f'<row r="1048576"><c r="XFD1048576" {empty}</row>'
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}{far}</sheetData>")
    assert [row.cells for row in read_file(file).rows] == [("Ada",)]


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds a process's memory")
@pytest.mark.parametrize("hidden", ["r='XFD1048576' t", 'r="&#88;FD1048576" t', "t"])
def test_one_that_is_hidden_ends_the_process_alone(tmp_path: Path, hidden: str) -> None:
    far = f'<row r="1048576">{"<c/>" * 16_383}<c {hidden}="str"><v>x</v></c></row>'
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}{far}</sheetData>")
    assert sentence(file)


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("", 'table:number-columns-repeated="2000000000"'),
        ('table:number-rows-repeated="40000000"', ""),
    ],
)
def test_repeated_cells_of_an_open_document_are_told(tmp_path: Path, row: str, cell: str) -> None:
    text = f'<table:table-cell office:value-type="string" {cell}><text:p>A</text:p>'
    rows = f"<table:table-row {row}>{text}</table:table-cell></table:table-row>"
    assert "far from the others" in sentence(save_ods(tmp_path / "list.ods", rows))


_FAR = record(0x0203, struct.pack("<HHHd", 65_535, 65_535, 0, 1.0))
_ANNOUNCED = record(0x0200, struct.pack("<IIHHH", 0, 0xFFFF_FFFF, 0, 0xFFFF, 0))


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds a process's memory")
@pytest.mark.parametrize("more", [_FAR, _ANNOUNCED])
def test_an_older_workbook_that_takes_all_memory_ends_the_process_alone(
    tmp_path: Path, more: bytes
) -> None:
    (tmp_path / "list.xls").write_bytes(xls([["Ada"]], more))
    assert "much too large" in sentence(tmp_path / "list.xls")


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/s0.xml"])
def test_an_entity_is_not_expanded(tmp_path: Path, part: str) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><a>&b;</a>'
    plain = save_xlsx(tmp_path / "plain", f"<sheetData>{_FIRST}</sheetData>")
    with zipfile.ZipFile(plain) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    assert sentence(save_package(tmp_path / "list.xlsx", parts | {part: bomb}))


def test_a_bomb_of_zeros_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(
            tmp_path / "list.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1
        ) as package,
        package.open("xl/workbook.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(260):
            part.write(bytes(1 << 20))
    assert "much too large" in sentence(tmp_path / "list.xlsx")


def test_a_long_text_that_all_cells_share_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.importing.formats.workbook_process._MOST_SAID", 1 << 20)
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 60))
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{cells}</sheetData>")
    with zipfile.ZipFile(file) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    parts["xl/_rels/workbook.xml.rels"] = parts["xl/_rels/workbook.xml.rels"].replace(
        "</Relationships>",
        f'<Relationship Id="s" Type="{_RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>'
        "</Relationships>",
    )
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{_MAIN}"><si><t>{"x" * 32_000}</t></si></sst>'
    assert "much too large" in sentence(save_package(file, parts))


def test_sheets_are_looked_through_as_long_as_they_are_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emails in a sheet behind large ones are not looked for; it can be chosen."""
    monkeypatch.setattr("app.importing.formats.workbook._MOST_LOOKED_THROUGH", 100)
    monkeypatch.setattr("app.importing.reading.read_workbook_apart", read_workbook)
    large = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="GZ1"><v>1</v></c></row></sheetData>'
    people = f"<sheetData>{_FIRST.replace('Ada', 'ada@x.org')}</sheetData>"
    file = save_xlsx(tmp_path / "list.xlsx", large, people)
    assert read_file(file).sheet == "S0"
    assert read_file(file, "S1").rows[0].cells == ("ada@x.org",)
