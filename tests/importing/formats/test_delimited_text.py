"""CSV and its cousins, as programs of many countries write it: what comes out is what was meant."""

import csv
import io
from pathlib import Path

import pytest

from app.importing.formats.delimited import lines_in, read_rows
from app.importing.formats.encodings import decode, is_sure
from app.importing.reading import SourceKind, UnreadableList, read_content, read_file
from tests.counted import lines_run


def read(tmp_path: Path, text: str, encoding: str = "utf-8") -> list[tuple[str, ...]]:
    file = tmp_path / "list"
    file.write_bytes(text.encode(encoding))
    return [row.cells for row in read_file(file).rows]


def test_a_plain_csv_file_is_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text('Name,Email\n"Lovelace, Ada",ada@x.org\nBob\n', "utf-8")
    table = read_file(file)
    assert (table.name, table.kind) == ("people.csv", SourceKind.CSV)
    assert [(row.line, row.cells) for row in table.rows] == [
        (1, ("Name", "Email")),
        (2, ("Lovelace, Ada", "ada@x.org")),
        (3, ("Bob", "")),
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path: Path, separator: str) -> None:
    rows = [("Name", "Email", "Group"), ("Ada Lovelace", "ada@x.org", "Choir")]
    rows.append(("Bob Ray", "bob@x.org", "Youth"))
    assert read(tmp_path, "".join(separator.join(row) + "\r\n" for row in rows)) == rows


def test_a_separator_that_the_file_names_is_taken(tmp_path: Path) -> None:
    assert read(tmp_path, "sep=;\r\nName;Email, work\r\nAda, L;a@x.org\r\n") == [
        ("Name", "Email, work"),
        ("Ada, L", "a@x.org"),
    ]


def test_a_comma_in_numbers_and_names_does_not_divide_what_a_semicolon_does(tmp_path: Path) -> None:
    assert read(tmp_path, "Name;Gift;Email\nKing, Ada;1,50;a@x.org\nRay, Bob;2,75;b@x.org\n") == [
        ("Name", "Gift", "Email"),
        ("King, Ada", "1,50", "a@x.org"),
        ("Ray, Bob", "2,75", "b@x.org"),
    ]


def test_a_quoted_cell_keeps_its_lines_and_quotation_marks(tmp_path: Path) -> None:
    assert read(tmp_path, 'Name,Note\n"Ada","two\nlines, and ""one"" more"\nBob,x\n') == [
        ("Name", "Note"),
        ("Ada", 'two\nlines, and "one" more'),
        ("Bob", "x"),
    ]


def test_two_emails_in_one_quoted_cell_stay_in_it_beside_one_that_is_mistyped(
    tmp_path: Path,
) -> None:
    text = (
        "Name;E-Mail;Telefon\n"
        'Franz Weiß;"franz@example.de; weiss@example.de";\n'
        "Anna Heide;a.heide@example,de;\nAda Lovelace;ada@example.de;0171\n"
    )
    rows = read(tmp_path, text)
    assert rows[1] == ("Franz Weiß", "franz@example.de; weiss@example.de", "")


def test_a_quotation_mark_that_is_never_closed_costs_no_row(tmp_path: Path) -> None:
    rest = "".join(f"Person{n},p{n}@x.org\n" for n in range(300))
    cells = read(tmp_path, f'Name,Email\n"Lost Quote,lost@x.org\n{rest}"Last,last@x.org\n')
    assert len(cells) == 303
    assert cells[1] == ('"Lost Quote', "lost@x.org")
    assert cells[-1] == ('"Last', "last@x.org")


def test_marks_in_a_name_that_quote_nothing_stay_in_it(tmp_path: Path) -> None:
    assert read(tmp_path, "Ada O'Neil,a@x.org\nSix\" Bob,b@x.org\n'Eve',e@x.org\n") == [
        ("Ada O'Neil", "a@x.org"),
        ('Six" Bob', "b@x.org"),
        ("'Eve'", "e@x.org"),
    ]


def test_rows_of_different_lengths_are_made_even(tmp_path: Path) -> None:
    assert read(tmp_path, "Name,Email,,\nAda,a@x.org,,\nBob\nEve,e@x.org,x,,\n\n,,\n") == [
        ("Name", "Email", ""),
        ("Ada", "a@x.org", ""),
        ("Bob", "", ""),
        ("Eve", "e@x.org", "x"),
    ]


TRAILED = [
    "Last name,First name,Email\nLovelace,Ada,ada@x.org\nHopper,Grace,\nTuring,Alan,alan@z.org",
    "First name,Last name,Email\nAda,Lovelace,ada@x.org\nAlan,Turing,alan@z.org",
    "Name,Email\nAda Lovelace,ada@x.org\nAlan Turing,alan@z.org",
    "Name,Email,Phone\nAda Lovelace,ada@x.org,\nAlan Turing,alan@z.org,",
    "Group,First name,Last name,Email\nChoir,Ada,Lovelace,ada@x.org\nYouth,Alan,Turing,t@z.org",
    "Email\nada@x.org\nalan@z.org",
    "Ada,Lovelace,ada@x.org\nAlan,Turing,alan@z.org",
    "Ada,Lovelace,ada@x.org,a@y.org\nAlan,Turing,alan@z.org,",
    "Ada,Lovelace,ada@x.org\nHopper,Grace,\nAlan,Turing,alan@z.org",
    'Name,Email\n"Lovelace, Ada",ada@x.org\n"Turing, Alan",alan@z.org',
    '"Name","Email"\n"Lovelace, Ada","ada@x.org"\n"Turing, Alan","alan@z.org"',
]


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("empty", [1, 7, 1_400])
@pytest.mark.parametrize("text", TRAILED)
def test_empty_columns_at_the_end_change_nothing(
    tmp_path: Path, text: str, empty: int, separator: str
) -> None:
    plain = [tuple(row) for row in csv.reader(text.split("\n"))]
    width = max(map(len, plain)) - sum(not any(column) for column in zip(*plain, strict=True))
    file = io.StringIO(newline="")
    all_quoted = text.startswith('"')
    csv.writer(
        file, delimiter=separator, quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    ).writerows([*row, *[""] * empty] for row in plain)
    assert read(tmp_path, file.getvalue()) == [row[:width] for row in plain]


def test_rows_that_are_set_in_are_no_line_of_addresses(tmp_path: Path) -> None:
    assert read(tmp_path, "Name,Email\n Ada King,ada@x.org\n Alan Ray,alan@z.org") == [
        ("Name", "Email"),
        ("Ada King", "ada@x.org"),
        ("Alan Ray", "alan@z.org"),
    ]


def test_a_table_whose_first_cells_are_empty_is_no_line_of_addresses(tmp_path: Path) -> None:
    rows = [
        ("Member", "Name", "Email", "Note"),
        ("", "Ada King", "ada@x.org", "tea, coffee"),
        ("", "Alan Ray", "alan@z.org", ""),
    ]
    assert read(tmp_path, "\n".join(map("\t".join, rows))) == rows


def test_more_columns_than_are_taken_are_said_and_empty_ones_are_none(tmp_path: Path) -> None:
    rows = [["Name", "Email"], ["Ada", "a@x.org"], ["Bob", "b@x.org"]]
    empty = "\n".join(",".join([*row, *[" "] * 1_400]) for row in rows)
    assert read(tmp_path, empty) == [tuple(row) for row in rows]
    filled = [[*row, *["x"] * 1_400] for row in rows]
    cells = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}</tr>" for row in filled)
    for text in ("\n".join(map(",".join, filled)), f"<table>{cells}</table>"):
        with pytest.raises(UnreadableList, match="more than 1,000 columns"):
            read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "Tim Smith\nPaula Proxy\nNora Neu nora@neu.example\n",
            ["Tim Smith", "Paula Proxy", "Nora Neu nora@neu.example"],
        ),
        (
            "Anna Alpha anna@a.example\nTim\nBen Beta\nSue\n",
            ["Anna Alpha anna@a.example", "Tim", "Ben Beta", "Sue"],
        ),
        (
            "Tim Smith t@x.org\nPaula Proxy\nBen Beta\n\nSue Sand s@x.org\nTom Tiger",
            ["Tim Smith t@x.org", "Paula Proxy", "Ben Beta", "Sue Sand s@x.org", "Tom Tiger"],
        ),
        ("Tim Smith\nHead of Music\nt@x.org", ["Tim Smith t@x.org Head of Music"]),
        (
            "Tim Smith\nAcme Widgets\nNorth Dallas\nt@x.org\n\nBen Beta\nBig Firm\nb@x.org",
            ["Tim Smith t@x.org Acme Widgets North Dallas", "Ben Beta b@x.org Big Firm"],
        ),
    ],
)
def test_names_below_each_other_are_people_and_the_lines_of_a_contact_are_one(
    tmp_path: Path, text: str, people: list[str]
) -> None:
    assert read(tmp_path, text) == [(person,) for person in people]


@pytest.mark.parametrize(
    ("separator", "text"),
    [
        (",", "First name,Last name,Phone,Note\nAda,King,01234 567890,\nBob,Ray,,meet @ 5pm"),
        (",", "First name,Last name,Note\nAda,King,\nBob,Ray,see @bob"),
        (",", "First name,Last name,Note\nAda,King,her mother is mary@x.org or ring\nBob,Ray,"),
        (",", "First name,Last name,Email\nAda,King,ada@\nBob,Ray,"),
        (",", "Name,Instagram\nAda King,@ada\nBob Ray,@bob"),
        (";", "Vorname;Nachname;Instagram\nAda;King;@ada\nBob;Ray;@bob"),
        (",", "First name,Last name,Note\nAda,King,ok; fine @ 5\nBob,Ray,ok; fine"),
        (",", "First name,Last name,Note\nAda,King,ok; ada@x.org\nBob,Ray,ok; fine"),
        (",", "Choir 2026,,\nFirst name,Last name,Note\nAda,King,@ 5\nBob,Ray,"),
        (", ", "First name, Last name\nAda, King\nBob, Ray"),
    ],
)
def test_rows_below_headings_are_a_table_though_no_email_has_a_cell_to_itself(
    tmp_path: Path, separator: str, text: str
) -> None:
    assert read(tmp_path, text) == [tuple(line.split(separator)) for line in text.split("\n")]


@pytest.mark.parametrize(
    "lines",
    [
        ["Ada Lovelace ada@x.org", "Bob Ray bob@x.org"],
        ["Lovelace, Ada ada@x.org", "Ray, Bob bob@x.org"],
        ["Lovelace, Ada", "Ray, Bob"],
        ["Lovelace, Ada <ada@x.org>", "Ray, Bob <bob@x.org>"],
        ["Name, Email", "Lovelace, Ada ada@x.org", "Ray, Bob bob@x.org"],
        ["Ada", "Bob"],
        ["ada@x.org", "bob@x.org"],
        ["Ada Lovelace - ada@x.org - 0171 1234", "Bob Ray - bob@x.org - 0172 1234"],
    ],
)
def test_lines_as_people_type_them_stay_whole(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "list.csv").write_text("\n".join(lines), "utf-8")
    table = read_file(tmp_path / "list.csv")
    assert (table.kind, [row.cells for row in table.rows]) == (
        SourceKind.LINES,
        [(line,) for line in lines],
    )


@pytest.mark.parametrize(
    ("separator", "text"),
    [
        (",", "Ada,Lovelace,ada@x.org"),
        (",", "Name,Email\nAda,a@x.org"),
        (";", "Vorname;Nachname\nAda;Lovelace"),
        (",", "First Name,Last Name\nAda,Lovelace"),
        ("\t", "Name\tEmail\nAda\ta@x.org"),
    ],
)
def test_a_very_small_list_is_read_too(tmp_path: Path, separator: str, text: str) -> None:
    assert read(tmp_path, text) == [tuple(line.split(separator)) for line in text.splitlines()]


LETTERS = {
    "cp1252": [
        "Müller,José,Núñez",
        "François;Lefèvre",
        "Søren Ærø",
        "MÜLLER,Zoë",
        "JOÃO,Conceição,Simões",
        "O’Brien",
    ],
    "utf-16": ["Name;Email\nZoë;z@x.org"],
    "utf-8": ["Zoë", "王小明"],
    "utf-8-sig": ["Zoë", "Name;Email\nZoë;z@x.org"],
    "utf-32": ["Name;Email\nZoë;z@x.org"],
}
GUESSED = {
    "cp1250": ["Jiří Dvořák", "Łukasz Wiśniewski", "Szűcs Győző"],
    "cp850": ["Förnamn;Efternamn\nÅsa;Öberg", "François;Lefèvre"],
    "cp1251": ["Имя;Фамилия\nИван;Иванов", "Київ,Їжак"],
    "cp932": ["氏名,メール\n佐藤花子,a@x.jp"],
    "gb18030": ["姓名,邮箱\n王小明,a@x.cn\n李娜,b@x.cn"],
}
MISTAKEN = {
    "mac_roman": ["José,Núñez", "João,Conceição"],
    "cp1253": ["Γιώργος Παπαδόπουλος"],
    "cp1254": ["Ayşe Yılmaz"],
    "cp1255": ["משה כהן"],
    "cp1256": ["محمد علي"],
    "cp1257": ["Jānis Bērziņš"],
}


def texts(tables: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(encoding, text) for encoding, texts in tables.items() for text in texts]


@pytest.mark.parametrize(("encoding", "text"), texts(LETTERS | GUESSED))
def test_letters_come_out_as_they_went_in(encoding: str, text: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert decoded[0] == text
    assert is_sure(decoded[1]) is (encoding in LETTERS)


@pytest.mark.parametrize(("encoding", "text"), texts(MISTAKEN))
def test_letters_that_may_be_mistaken_are_never_sure(encoding: str, text: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert not is_sure(decoded[1])


@pytest.mark.parametrize("content", ["山田太郎,ヤマダ".encode("iso2022_jp"), b"Zo\0e,z@x.org"])
def test_what_no_keyboard_writes_is_no_text(content: bytes) -> None:
    assert decode(content) is None


def test_what_old_and_careless_programs_leave_in_a_file_is_in_no_cell(tmp_path: Path) -> None:
    joined = "\ufeffName,Email\nZoë,z@x.org\n\ufeffAda,a@x.org\n\x1a"
    wanted = [("Name", "Email"), ("Zoë", "z@x.org"), ("Ada", "a@x.org")]
    assert read(tmp_path, joined) == wanted
    file = tmp_path / "list"
    file.write_bytes(joined.encode("utf-16-le") + b"\n")
    assert [row.cells for row in read_file(file).rows] == wanted


def test_what_is_blank_behind_as_many_rows_as_are_taken_is_not_read_line_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Name,Email\nAda,a@x.org\n" + "\n" * 500 + ",,\n" * 500

    def read_text() -> None:
        assert len(read_rows(text, ",")) == 2

    whole = lines_run(read_text)
    monkeypatch.setattr("app.importing.formats.delimited.MOST_ROWS", 10)
    assert lines_run(read_text) < whole / 5
    with pytest.raises(UnreadableList, match="more than"):
        read_rows(text + "Bob,b@x.org\n", ",")


MANY_LINES = b'First,Last,Email\nAda,"' + b"x\n" * 100_000 + b'",a@x.org\n'


def test_the_lines_of_a_text_are_bounded_while_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.importing.formats.delimited.MOST_LINES", 1_000)
    with pytest.raises(UnreadableList):
        read_content(MANY_LINES, "list.csv")
    assert len(read_content(b"Ada Lovelace\n" + b"\n" * 5_000, "list.csv").rows) == 1


def test_lines_end_where_python_ends_them() -> None:
    text = "a\r\nb\rc\n\n\x0bd\x0c\x1c\x85e\u2028\u2029f\r\n"
    assert [line for _, line in lines_in(text)] == text.splitlines()
