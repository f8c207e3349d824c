"""Contacts as phones write them, what spreadsheets and pages put on the clipboard, To lines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.importing.column_guess import guess_columns
from app.importing.formats.vcard import read_vcards
from app.importing.reading import (
    SourceKind,
    SourceTable,
    UnreadableList,
    looks_like_many,
    read_clipboard,
    read_file,
)
from app.runtime.paths import resource
from app.runtime.words import languages, use_language

ANDROID = """BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen =
M=C3=BCller
TEL;CELL:+49 171 123
EMAIL;HOME:private@x.org
EMAIL;PREF;INTERNET:work@x.org
PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/
 AAAA=

END:VCARD
"""
IPHONE = """BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//iPhone OS 17.0//EN
N:Lovelace;Ada;Augusta;;
FN:Ada Augusta Lovelace
ORG:Analytical Engines;
item1.EMAIL;type=INTERNET:ada@home.example
item2.EMAIL;type=INTERNET;type=pref:ada@x.org
item1.X-ABLabel:_$!<Home>!$_
TEL;type=CELL;type=VOICE;type=pref:0171 1
ADR;type=HOME:;;1 High St;Town;;12345;UK
NOTE:likes\\, sums\\nand tea
END:VCARD
"""
GOOGLE = """BEGIN:VCARD
VERSION:4.0
FN:Zoë Quist
EMAIL;PREF=2:second@x.org
EMAIL;PREF=1:first@x.org
END:VCARD
"""
SHOP = "BEGIN:VCARD\nVERSION:3.0\nFN:The Shop\nORG:The Shop\nTEL:1\nEND:VCARD\n"
GROUP = "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Choir\nEND:VCARD\n"
BROKEN = "BEGIN:VCARD\nVERSION:3.0\nFN:Bob Ray\nno property at all\nEMAIL:bob@x.org\n"


def contacts_table(tmp_path: Path, *cards: str) -> SourceTable:
    (tmp_path / "all.vcf").write_bytes("".join(cards).replace("\n", "\r\n").encode())
    table = read_file(tmp_path / "all.vcf")
    assert table.kind is SourceKind.VCARD
    return table


def contacts(tmp_path: Path, *cards: str) -> list[dict[str, str]]:
    table = contacts_table(tmp_path, *cards)
    assert table.headings is not None
    return [
        {heading: cell for heading, cell in zip(table.headings, row.cells, strict=True) if cell}
        for row in table.rows
    ]


def test_cards_of_every_version_are_people(tmp_path: Path) -> None:
    assert contacts(tmp_path, ANDROID, IPHONE, GOOGLE) == [
        {
            "First name": "Jürgen",
            "Last name": "Müller",
            "Email": "work@x.org",
            "Other email": "private@x.org",
            "Phone": "+49 171 123",
        },
        {
            "First name": "Ada Augusta",
            "Last name": "Lovelace",
            "Email": "ada@x.org",
            "Other email": "ada@home.example",
            "Phone": "0171 1",
            "Address": "1 High St, Town, 12345, UK",
            "Organisation": "Analytical Engines",
            "Note": "likes, sums\nand tea",
        },
        {"Name": "Zoë Quist", "Email": "first@x.org", "Other email": "second@x.org"},
    ]


@pytest.fixture
def speak() -> Iterator[Callable[[str], None]]:
    """Speaks one of the languages that there are; English again afterwards."""
    yield lambda code: use_language(resource("translations"), [code])
    use_language(resource("translations"), [])


@pytest.mark.parametrize("code", languages(resource("translations")))
def test_contacts_are_the_same_people_in_every_language(
    tmp_path: Path, speak: Callable[[str], None], code: str
) -> None:
    english = guess_columns(contacts_table(tmp_path, IPHONE, GOOGLE)).fields
    speak(code)
    assert guess_columns(contacts_table(tmp_path, IPHONE, GOOGLE)).fields == english


def test_a_shop_is_no_person_and_a_group_no_row(tmp_path: Path) -> None:
    assert contacts(tmp_path, SHOP, GROUP) == [{"Phone": "1", "Organisation": "The Shop"}]


def test_a_broken_card_is_read_as_far_as_it_goes_and_spoils_no_other(tmp_path: Path) -> None:
    people = contacts(tmp_path, BROKEN, GOOGLE, "BEGIN:VCARD\nrubbish\nEND:VCARD\n", IPHONE)
    assert [person.get("Email", "") for person in people] == [
        "bob@x.org",
        "first@x.org",
        "",
        "ada@x.org",
    ]
    assert people[0]["Name"] == "Bob Ray"
    assert people[2] == {"Note": "rubbish"}


@pytest.mark.parametrize("cut", ["BEGIN:VCARD\nVERSION:3.0\nN:Bool", ""])
def test_a_card_behind_one_that_was_cut_within_a_line_is_a_card(tmp_path: Path, cut: str) -> None:
    whole = "BEGIN:VCARD\nVERSION:3.0\nN:Lovelace;Ada\nEND:VCARD"
    (tmp_path / "list.vcf").write_text(f"{whole}\n{cut}{whole}{whole}\n", "utf-8")
    names = [" ".join(row.cells).strip() for row in read_file(tmp_path / "list.vcf").rows]
    assert names == ["Ada Lovelace", *(["Bool"] if cut else []), "Ada Lovelace", "Ada Lovelace"]


def test_a_line_of_many_parameters_is_not_pondered_for_ever(tmp_path: Path) -> None:
    endless = "N" + ";ENCODING=8" * 200 + "\n"
    card = GOOGLE.replace("EMAIL;PREF=2", f"{endless}EMAIL;PREF=2")
    assert contacts(tmp_path, card)[0]["Email"] == "first@x.org"


EXCEL = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<style><!--table {mso-displayed-decimal-separator:"\\,";} td {color:black;}--></style></head><body>
<table border=0 cellpadding=0 cellspacing=0 width=192>
<!--StartFragment--><col width=64 span=3>
 <tr height=20><td height=20 class=xl65 width=64>Name</td><td>Email</td></tr>
 <tr height=20><td rowspan=2>Lovelace</td><td>ada@x.org<br>second line</td></tr>
 <tr height=20><td>O&#039;Neil &amp; Co</td></tr>
<!--EndFragment--></table></body></html>"""
SHEETS = (
    '<meta charset="utf-8"><google-sheets-html-origin><style>td{border:1px}</style>'
    "<table><tbody><tr><td>Zoë</td><td>z@x.org</td></tr><tr><td>Bob</td>"
    '<td><a href="mailto:bob@x.org?subject=x">write</a></td></tr></tbody></table>'
)


def rows(table: SourceTable) -> list[tuple[str, ...]]:
    assert table.kind is SourceKind.CLIPBOARD
    return [row.cells for row in table.rows]


def test_rows_copied_from_a_spreadsheet_or_page_are_its_cells() -> None:
    assert rows(read_clipboard("", EXCEL)) == [
        ("Name", "Email"),
        ("Lovelace", "ada@x.org\nsecond line"),
        ("Lovelace", "O'Neil & Co"),
    ]
    assert rows(read_clipboard("", SHEETS)) == [("Zoë", "z@x.org"), ("Bob", "write <bob@x.org>")]


@pytest.mark.parametrize(
    ("bound", "spans", "text"),
    [("CELLS", 'rowspan="90" colspan="90"', "Ada"), ("CHARACTERS", 'rowspan="90"', "Ada " * 90)],
)
def test_merged_cells_count_in_each_of_their_rows(
    monkeypatch: pytest.MonkeyPatch, bound: str, spans: str, text: str
) -> None:
    page = f"<table><tr><td {spans}>{text}</td><td>b</td></tr>{'<tr></tr>' * 80}</table>"
    assert len(rows(read_clipboard("", page))) == 81
    monkeypatch.setattr(f"app.importing.formats.html_table._MOST_{bound}", 5_000, raising=False)
    with pytest.raises(UnreadableList, match="much too large"):
        read_clipboard("", page)


def test_without_a_table_the_text_is_taken_with_its_tabs() -> None:
    text = 'Name\tNote\n"Ada ""A"" L"\t"two\nlines"\nBob\tx, y\n'
    wanted = [("Name", "Note"), ('Ada "A" L', "two\nlines"), ("Bob", "x, y")]
    assert rows(read_clipboard(text, "<p>Name Note</p>")) == wanted
    assert rows(read_clipboard(text)) == wanted


def test_a_table_that_only_lays_a_page_out_gives_way_to_the_list_within() -> None:
    page = (
        "<table><tr><td>Menu</td><td><table><tr><td>Ada</td><td>a@x.org</td></tr>"
        "<tr><td>Bob</td><td>b@x.org</td></tr></table></td></tr></table>"
    )
    assert rows(read_clipboard("", page)) == [("Ada", "a@x.org"), ("Bob", "b@x.org")]


def test_a_saved_page_is_a_list_too(tmp_path: Path) -> None:
    (tmp_path / "export.xls").write_text(SHEETS, "utf-8")
    assert rows(read_file(tmp_path / "export.xls")) == [
        ("Zoë", "z@x.org"),
        ("Bob", "write <bob@x.org>"),
    ]


@pytest.mark.parametrize(
    ("line", "people"),
    [
        (
            'Ada <a@x.org>; "Lovelace, Bob" <b@x.org>',
            [("Ada", "a@x.org"), ("Lovelace, Bob", "b@x.org")],
        ),
        (
            "King, Ada <a@x.org>, Ray, Bob <b@x.org>, c@x.org",
            [("King, Ada", "a@x.org"), ("Ray, Bob", "b@x.org"), ("", "c@x.org")],
        ),
        (
            "To: a@x.org,\n b@x.org;\n'Eve' <e@x.org>;",
            [("", "a@x.org"), ("", "b@x.org"), ("Eve", "e@x.org")],
        ),
        (
            "Ada L <a@x.org>, Ray, Bob <b@x.org>,\nc@x.org,\nEve <e@x.org>",
            [("Ada L", "a@x.org"), ("Ray, Bob", "b@x.org"), ("", "c@x.org"), ("Eve", "e@x.org")],
        ),
        (
            "King, Ada <a@x.org>, Ray,\n Bob <b@x.org>",
            [("King, Ada", "a@x.org"), ("Ray, Bob", "b@x.org")],
        ),
        ("To: Ada, a@x.org,\nBob, b@x.org", [("Ada,", "a@x.org"), ("Bob,", "b@x.org")]),
        (
            "Ada, a@x.org, Bob, b@x.org,\nEve, e@x.org",
            [("Ada,", "a@x.org"), ("Bob,", "b@x.org"), ("Eve,", "e@x.org")],
        ),
        (
            "Team: a@x.org, Bob <b@x.org>;",
            [("", "a@x.org"), ("Bob", "b@x.org")],
        ),
        (
            "a@x.org (Ada L); Bob [b@x.org]; b2@x.org <mailto:b2@x.org>",
            [("Ada L", "a@x.org"), ("Bob", "b@x.org"), ("", "b2@x.org")],
        ),
    ],
)
def test_a_line_of_addresses_is_its_people(line: str, people: list[tuple[str, str]]) -> None:
    table = read_clipboard(line)
    assert (table.kind, table.headings) == (SourceKind.ADDRESSES, ("Name", "Email"))
    assert [row.cells for row in table.rows] == people


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("Ada Lovelace ada@x.org", False),
        ("Lovelace, Ada <ada@x.org>", False),
        ("Ada Lovelace\nada@x.org\n+49 171 1234", False),
        ("Ada a@x.org\nBob b@x.org", True),
        ("Ada\tLovelace\nBob\tRay", True),
        ("a@x.org; b@x.org", True),
        (GOOGLE, True),
    ],
)
def test_several_people_are_told_from_one(text: str, many: bool) -> None:
    assert looks_like_many(text) is many


@pytest.mark.parametrize(
    ("lines", "cells"),
    [
        ("N:King;Ada;Augusta;Dr.;\nEMAIL;TYPE=home,pref:b@x.org\nEMAIL:a@x.org",
         ("Ada Augusta", "King", "b@x.org", "a@x.org")),
        ("N:Lovelace\\; jr;Ada\\, A.\nNOTE:a\\nb", ("Ada, A.", "Lovelace; jr", "a\nb")),
        ("FN: Grace Hopper ,\nTEL:1\nTEL:1\nTEL: tel:2", ("Grace Hopper", "1; 2")),
        ("NICKNAME:Gracie\nEMAIL:mailto:g@x.org", ("Gracie", "g@x.org")),
        ("N;CHARSET=x-none;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;=\nJ=C3=B6rg", ("Jörg", "Müller")),
        ("N:Lo\n ve;A\n\tda", ("Ada", "Love")),
        ('N;X="a:b;c":Love;Ada', ("Ada", "Love")),
    ],
)  # fmt: skip
def test_a_property_is_read_with_its_lines_and_signs(lines: str, cells: tuple[str, ...]) -> None:
    (row,) = read_vcards(f"BEGIN:VCARD\nVERSION:3.0\n{lines}\nEND:VCARD\n", "x", None).rows
    assert row.cells == cells
