"""What each column of a list is taken for, by its heading and by what is in it."""

from collections.abc import Sequence

import pytest

from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField, title_of
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.headings import key_of
from app.people.parsing.names import NameOrder

FIELDS = {
    "f": ColumnField.FIRSTNAME,
    "l": ColumnField.LASTNAME,
    "n": ColumnField.NAME,
    "e": ColumnField.EMAIL,
}
ADA = ("Ada", "Lovelace", "ada@example.org")
BOB = ("Bob", "Byron", "bob@example.org")


def listed(*rows: Sequence[str], headings: tuple[str, ...] | None = None) -> SourceTable:
    width = max(len(row) for row in rows)
    cells = [(*row, *[""] * (width - len(row))) for row in rows]
    return SourceTable(
        "list.csv",
        SourceKind.CSV,
        [SourceRow(line, each) for line, each in enumerate(cells, start=1)],
        headings=headings,
    )


def taken(table: SourceTable, order: NameOrder = NameOrder.FIRST_LAST) -> str:
    """The fields as one letter each: f, l, n, e, and - for what is not sent."""
    letters = {field: letter for letter, field in FIELDS.items()}
    return "".join(letters.get(each, "-") for each in guess_columns(table, order=order).fields)


PEOPLE = {
    "f": ("Ada", "Bob", "Grace"),
    "l": ("Lovelace", "Byron", "Hopper"),
    "n": ("Ada Lovelace", "Bob Byron", "Grace Hopper"),
    "e": ("ada@example.org", "bob@example.org", "grace@example.org"),
    "-": ("x1", "x2", "x3"),
}


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("First Name,Last Name,Email", "fle"),
        ("First,Last,E-mail,Mobile", "fle-"),
        ("first_name,last_name,email_address,phone", "fle-"),
        ("FirstName,LastName,EmailAddress,Id", "fle-"),
        ("Surname,Forename,Mail", "lfe"),
        ("Name,Surname,Email", "fle"),
        ("Name,Email,Phone", "ne-"),
        ("Timestamp,Your name,Email Address,Dietary needs", "-ne-"),
        ("What is your first name?,What is your surname?,Email (required)", "fle"),
        # Google Contacts, the old headings and the new
        ("Name,Given Name,Additional Name,Family Name,E-mail 1 - Type,E-mail 1 - Value", "nffl-e"),
        ("First Name,Middle Name,Last Name,Phonetic First Name,Nickname,File As", "ffl--n"),
        ("Labels,Organization Name,First Name,E-mail 1 - Label,E-mail 1 - Value", "--f-e"),
        # Outlook, in five languages
        (
            "Title,First Name,Middle Name,Last Name,Company,E-mail Address,E-mail Display Name",
            "-ffl-e-",
        ),
        ("Anrede,Vorname,Weitere Vornamen,Nachname,E-Mail-Adresse,E-Mail-Typ", "-ffle-"),
        ("Titre,Prénom,Nom,Société,Adresse de messagerie,Type de messagerie", "-fl-e-"),
        ("Tratamiento,Nombre,Apellidos,Dirección de correo electrónico", "-fle"),
        ("Título,Nome,Sobrenome,Endereço de email,Telemóvel", "-fle-"),
        # Church systems
        ("Person ID,First Name,Given Name,Last Name,Home Email,Mobile Phone Number", "-f-le-"),
        (
            "Breeze ID,First Name,Last Name,Middle Name,Nickname,Maiden Name,Mobile,Email",
            "-flf---e",
        ),
        ("NickName,LastName,FirstName,Email,Campus", "-lfe-"),
        ("Anrede,Vorname,Name,Straße,PLZ,Ort,E-Mail", "-fl---e"),
        ("Family Name,First Name,Emergency Contact Name,Emergency Email,Email", "lf--e"),
        # Others
        ("Voornaam,Tussenvoegsel,Achternaam,E-mailadres", "flle"),
        ("Nombres,Apellido paterno,Apellido materno,Correo", "flle"),
        ("Förnamn,Efternamn,E-post", "fle"),
        ("Etunimi,Sukunimi,Sähköposti", "fle"),
        ("Imię,Nazwisko,Adres e-mail", "fle"),
        ("Фамилия,Имя,Отчество,Эл. почта", "lffe"),
        ("الاسم الأول,اسم العائلة,البريد الإلكتروني,الهاتف", "fle-"),
        ("الاسم الكامل,البريد الإلكتروني", "ne"),
        ("姓,名,メールアドレス", "lfe"),
        ("姓名,邮箱,手机", "ne-"),
        ("이름,이메일", "ne"),
        ("Nome,Cognome,E-mail", "fle"),
        ("Buyer First Name,Buyer Last Name,Buyer Email,First Name,Last Name,Email", "---fle"),
        ("Apelido,Nome próprio,Correio eletrónico", "lfe"),
    ],
)
def test_headings_say_what_is_below_them(headings: str, expected: str) -> None:
    names = tuple(headings.split(","))
    rows = [tuple(PEOPLE[letter][at] for letter in expected) for at in range(3)]
    columns = guess_columns(listed(names, *rows))
    assert columns.first_row_is_headings
    assert columns.headings == names
    assert taken(listed(names, *rows)) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([ADA, BOB], "fle"),
        ([("Ada Lovelace", "ada@example.org"), ("Bob Byron", "bob@example.org")], "ne"),
        ([("ada@example.org", "Ada"), ("bob@example.org", "Bob")], "en"),
        ([("0410 220 118", "Ada Lovelace"), ("0410 220 119", "Bob Byron")], "-n"),
        # The addresses say which of the two is the first name.
        ([("Lovelace", "Ada", "ada.lovelace@x.org"), ("Byron", "Bob", "bbyron@x.org")], "lfe"),
        ([("Ada Lovelace <ada@x.org>",), ("Bob Byron <bob@x.org>",)], "n"),
        ([("Ada Lovelace", "write <ada@x.org>"), ("Bob Byron", "write <b@x.org>")], "ne"),
        # Choices repeat themselves; names hardly do.
        (
            [
                (name, "yes" if at % 2 else "no", f"{name}@x.org")
                for at, name in enumerate(("Ada", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Ida"))
            ],
            "n-e",
        ),
    ],
)
def test_without_headings_the_cells_say_it(rows: list[Sequence[str]], expected: str) -> None:
    assert not guess_columns(listed(*rows)).first_row_is_headings
    assert taken(listed(*rows)) == expected


def test_two_columns_of_names_are_taken_in_the_order_that_was_chosen() -> None:
    rows = [("Ada", "Lovelace"), ("Bob", "Byron")]
    assert taken(listed(*rows)) == "fl"
    assert taken(listed(*rows), NameOrder.LAST_FIRST) == "lf"


def test_the_addresses_tell_in_which_order_whole_names_stand() -> None:
    rows = [("Lovelace Ada", "ada.lovelace@x.org"), ("Byron Bob", "b.byron@x.org")]
    assert guess_columns(listed(*rows)).name_order is NameOrder.LAST_FIRST


@pytest.mark.parametrize(
    "first",
    [("Grace", "Last", "g@x.org"), ("Will", "Given", ""), ("Guest", "Major", "")],
)
def test_somebody_called_like_a_heading_is_somebody(first: Sequence[str]) -> None:
    assert not guess_columns(listed(first, ADA, BOB)).first_row_is_headings


def test_headings_nobody_knows_are_told_by_what_stands_below_them() -> None:
    table = listed(("Wer", "Wohin damit"), ("Ada Lovelace", "ada@x.org"), ("Bob B", "bob@x.org"))
    columns = guess_columns(table)
    assert columns.first_row_is_headings
    assert taken(table) == "ne"


def test_a_title_above_the_headings_is_nobody() -> None:
    table = listed(("Sunday lunch",), ("",), ("First name", "Last name", "Email"), ADA, BOB)
    columns = guess_columns(table)
    assert columns.headings == ("First name", "Last name", "Email")
    assert columns.first_person == 3


VOICES = (
    ("Ada", "Lovelace", "Alt", "ada@x.org"),
    ("Bob", "Stone", "Bass", "bob@x.org"),
    ("Cleo", "Wood", "Sopran", "cleo@x.org"),
    ("Dan", "Reed", "Bass", "dan@x.org"),
)


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ([("Chor 2026",), ()], "Chor 2026"),
        ([("Unser Chor",), ("Stand März",), (), ()], "Unser Chor, Stand März"),
        ([("Choir, May 2026",)], "Choir, May 2026"),
        ([("Grace Hopper",)], ""),
        ([("grace@x.org",), ()], ""),
        ([("Grace", "Hopper"), ()], ""),
    ],
)
def test_a_title_above_people_without_headings_is_nobody(
    above: list[tuple[str, ...]], title: str
) -> None:
    table = listed(*above, *VOICES)
    columns = guess_columns(table)
    assert columns.titles == (len(above) if title else 0)
    assert title_of(table, columns) == title
    assert not columns.first_row_is_headings
    if title:
        assert taken(table) == "fl-e"


def test_a_title_above_plain_lines_is_nobody() -> None:
    lines = SourceTable(
        "pasted",
        SourceKind.LINES,
        [
            SourceRow(1, ("Chor",)),
            SourceRow(3, ("Ada Lovelace ada@x.org",)),
            SourceRow(4, ("Bob Byron bob@x.org",)),
        ],
    )
    assert guess_columns(lines).titles == 1
    people = [SourceRow(line, row.cells) for line, row in enumerate(lines.rows)]
    assert guess_columns(SourceTable("pasted", SourceKind.LINES, people)).titles == 0


@pytest.mark.parametrize(
    ("places", "expected"),
    [((2, 0, 1), "-fl"), ((0, 2, 3), "n-e"), ((2, 0, 3), "-ne"), ((0, 1, 2), "fl-")],
)
def test_the_voices_of_a_choir_are_nobodys_name(places: Sequence[int], expected: str) -> None:
    assert taken(listed(*([row[place] for place in places] for row in VOICES))) == expected
    numbered = [[row[0], f"{row[2]} {n % 2 + 1}"] for n, row in enumerate(VOICES)]
    assert taken(listed(*numbered)) == "n-"


@pytest.mark.parametrize(
    ("headings", "row", "expected"),
    [
        (
            "First Name,Last Name,Email,Spouse First Name,Spouse Last Name,Spouse Email",
            ("Bob", "Stone", "b@x.org", "Eve", "Hill", "e@x.org"),
            "fle---",
        ),
        ("Name,Guest 1,Guest 2", ("Bob Stone", "Eve", "Dan"), "n--"),
        ("Adult 1,Adult 2,Spouse Email", ("Bob Stone", "Eve Hill", "e@x.org"), "---"),
        ("Nachname,Vorname,Vorname Ehepartner,Mail", ("Stone", "Bob", "Eve", "b@x.org"), "lf-e"),
        ("Name,Father's Name,Spouse", ("Bob Stone", "Dan Stone", "Eve"), "n--"),
        ("First Name 1,First Name 2,Last Name", ("Bob", "Jo", "Stone"), "f-l"),
        ("Nombre,Apellido 1,Apellido 2", ("Bob", "Stone", "Hill"), "fll"),
    ],
)
def test_the_columns_of_others_in_a_row_are_kept_beside(
    headings: str, row: Sequence[str], expected: str
) -> None:
    assert taken(listed(headings.split(","), row, row)) == expected


def test_a_column_called_email_without_an_address_in_it_is_none() -> None:
    table = listed(
        ("Name", "Mail", "Contact"), ("Ada", "yes", "ada@x.org"), ("Bob", "no", "b@x.org")
    )
    assert taken(table) == "n-e"


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("Vorname,Familie,Mail", "fle"),
        ("Given,Family,Mail address", "fle"),
        ("Vorname,Sippe,Mail", "f-e"),
        ("Ruf,Nachname,Mail", "-le"),
        ("Prénom,Nom d'usage,Mail", "fle"),
        # Known for something else, or already there.
        ("Vorname,Stadt,Mail", "f-e"),
        ("Vorname,Gruppe,Mail", "f-e"),
        ("Vorname,Nachname,Familie", "fl-"),
        ("Name,Sippe,Mail", "n-e"),
    ],
)
def test_the_other_half_of_a_name_is_found_by_its_heading(headings: str, expected: str) -> None:
    names = tuple(headings.split(","))
    below = {**PEOPLE, "-": ("Lovelace", "Byron", "Hopper")}
    if "n" in expected:
        below["-"] = ("Oslo", "Rome", "Paris")
    rows = [tuple(below[letter][at] for letter in expected) for at in range(3)]
    assert taken(listed(names, *rows)) == expected


def test_forms_of_address_before_the_names_are_none_of_them() -> None:
    assert taken(listed(("Mr", "John", "Smith", "j@x.org"))) == "-fle"
    rows = [("Mrs", "Ada", "Lovelace", "a@x.org"), ("Mr.", "Bob", "Byron", "b@x.org")]
    assert taken(listed(*rows)) == "-fle"


def test_a_family_of_few_in_columns_without_headings_has_its_name() -> None:
    rows = [("Ada", "Lovelace", "a@x.org"), ("Byron", "Lovelace", "b@x.org")]
    assert taken(listed(*rows)) == "fle"


def test_a_name_of_one_word_beside_a_family_is_the_first_name() -> None:
    rows = [("Ada", "Lovelace", "a@x.org"), ("Bob", "Byron", "b@x.org")]
    assert taken(listed(("Name", "Familie", "Mail"), *rows)) == "fle"
    assert taken(listed(("Name", "Sippe", "Mail"), *rows)) == "n-e"


def test_a_family_of_many_with_one_name_has_it() -> None:
    head = ("Vorname", "Familie")
    rows = [(f"{letter}da", "Lovelace" if letter < "H" else "Byron") for letter in "ABCDEFGHIJ"]
    assert taken(listed(head, *rows)) == "fl"


def test_numbers_below_a_heading_are_no_names() -> None:
    table = listed(("Attendee #", "First name", "Email"), ("11", "Ada", "a@x.org"))
    assert taken(table) == "-fe"


def test_a_word_above_plain_lines_that_says_what_they_are_is_nobody() -> None:
    def lines(*texts: str) -> SourceTable:
        rows = [SourceRow(line, (text,)) for line, text in enumerate(texts, start=1)]
        return SourceTable("copied", SourceKind.LINES, rows)

    emails = guess_columns(lines("Email", "ada@x.org", "bob@x.org"))
    assert (emails.first_person, emails.fields) == (1, (ColumnField.EMAIL,))
    assert guess_columns(lines("Namen der Kinder", "Ada L", "Bob B")).first_person == 0
    assert guess_columns(lines("Guest", "Ada L", "Bob B")).first_person == 0


def test_headings_of_which_none_is_sent_are_headings_too() -> None:
    table = listed(("Mobile phone", "Postal address", "Kontakt"), ("1", "Weg 2", "Ada Lovelace"))
    assert guess_columns(table).first_row_is_headings
    assert taken(table) == "--n"


def test_headings_of_the_format_itself_cost_no_row() -> None:
    columns = guess_columns(listed(ADA, BOB, headings=("First name", "Last name", "Email")))
    assert (columns.first_person, columns.first_row_is_headings) == (0, False)
    assert columns.fields == (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.EMAIL)


def test_what_was_chosen_for_such_headings_is_taken_again() -> None:
    table = listed(("First name", "Last name", "Home group"), ("Ada", "Lovelace", "Byron"))
    chosen = {
        key_of(("first NAME", " last name", "Home Group")): ("firstname", "other", "lastname")
    }
    columns = guess_columns(table, chosen)
    assert columns.fields == (ColumnField.FIRSTNAME, ColumnField.OTHER, ColumnField.LASTNAME)


@pytest.mark.parametrize("broken", [("firstname",), ("firstname", "lastname", "nonsense")])
def test_a_memory_that_fits_no_more_is_not_followed(broken: tuple[str, ...]) -> None:
    table = listed(("First name", "Last name", "Email"), ADA)
    columns = guess_columns(table, {key_of(("First name", "Last name", "Email")): broken})
    assert columns.fields == (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.EMAIL)


@pytest.mark.parametrize(
    ("heading", "cells", "expected"),
    [
        ("Email", ("ada@", ""), "e"),
        ("Email", ("ada @x.org", ""), "e"),
        ("Email", ("yes", "no"), "-"),
        ("Note", ("see @bob", "see @eve"), "-"),
        ("Remarks of theirs", ("meet @ 5pm", "at 7 @ the hall"), "-"),
        ("Instagram", ("@ada", "@bob"), "-"),
        ("Note", ("her mother is mary@x.org or ring", ""), "-"),
        ("Note", ("ring her or bob@x.org", "Mother: mary@x.org"), "-"),
        ("Note", ("Ada <ada@x.org>", "bob@x.org"), "-"),
        ("Reach", ("ada@x.org", "@bob"), "e"),
    ],
)
def test_a_sign_of_addresses_makes_an_email_only_below_such_a_heading(
    heading: str, cells: tuple[str, str], expected: str
) -> None:
    rows = [(*person[:2], cell) for person, cell in zip((ADA, BOB), cells, strict=True)]
    assert taken(listed(("First name", "Last name", heading), *rows)) == f"fl{expected}"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("Member,Name,First name/yes,Garcia,Dora/no,Turing,Carl", "-lf"),
        ("Member,Nom,Prénom/yes,Garcia,Dora/,Turing,Carl", "-lf"),
        ("Member,Name,First name/yes,Garcia,Dora", "-lf"),
        ("Member,Name,First name/✓,Garcia,Dora/,Turing,Carl", "-lf"),
        ("Member,Name,First name/Active,Garcia,Dora/Lapsed,Turing,Carl", "-lf"),
        ("Attendee,Name,Email/Yes,Dora Garcia,d@x.org/No,Carl Turing,c@x.org", "-ne"),
        ("Guest,First name,Last name/no,Dora,Garcia/no,Carl,Turing", "-fl"),
        ("Participant,First name,Email/ja,Dora,d@x.org/nein,Carl,c@x.org", "-fe"),
        ("Member,First name,Email/active,Dora,d@x.org/lapsed,Carl,c@x.org", "-fe"),
        ("Member,Email/yes,d@x.org/no,c@x.org", "-e"),
        ("Member,Email/Dora Garcia,d@x.org/Carl Turing,c@x.org", "ne"),
        ("Member,First name/Garcia,Dora/Turing,Carl", "lf"),
    ],
)
def test_whether_somebody_is_a_member_is_nobodys_name(rows: str, expected: str) -> None:
    assert taken(listed(*(row.split(",") for row in rows.split("/")))) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("Prénom,Nom,Email/Jon,Jones,j@x.org", "fle"),
        ("Nom,Prénom/Martinez,Marti/Rodriguez,Rod", "lf"),
        ("First name,Name/Jon,Jon Jones/Ada,King Ada", "fn"),
        ("名,Name/小明,王小明/娜,李娜", "fn"),
    ],
)
def test_a_first_name_that_a_last_one_begins_with_is_no_half_of_it(
    rows: str, expected: str
) -> None:
    assert taken(listed(*(row.split(",") for row in rows.split("/")))) == expected
