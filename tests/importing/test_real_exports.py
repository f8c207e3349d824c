"""Exports with the headings that programs really write, and lists as offices really have them: who
is in them, by the whole way from the file to the review.
"""

import csv
import io
from pathlib import Path

import pytest

from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField
from app.importing.reading import SourceTable, read_clipboard, read_file
from app.importing.review import Review
from app.model.verdict import Verdict

Person = tuple[str, str, str]
ADA: Person = ("Ada", "Lovelace", "ada@x.org")
BOB: Person = ("Bob", "Ray", "bob@x.org")
UMLAUTS: Person = ("Jürgen", "Müller", "j@x.org")
BOTH = [ADA, BOB]


def people(table: SourceTable) -> list[Person]:
    rows = Review(table, guess_columns(table)).rows
    return [(row.firstname, row.lastname, row.email) for row in rows]


def read(tmp_path: Path, content: bytes) -> list[Person]:
    (tmp_path / "list.csv").write_bytes(content)
    return people(read_file(tmp_path / "list.csv"))


GOOGLE = (
    "First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,"
    "Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,"
    "Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,"
    "E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,"
    "Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Postal Code"
)
OLD_GOOGLE = (
    "Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Additional Name Yomi,"
    "Family Name Yomi,Name Prefix,Name Suffix,Initials,Nickname,Short Name,Maiden Name,Birthday,"
    "Gender,Location,Billing Information,Directory Server,Mileage,Occupation,Hobby,Sensitivity,"
    "Priority,Subject,Notes,Language,Photo,Group Membership,E-mail 1 - Type,E-mail 1 - Value"
)
OUTLOOK = (
    "First Name,Middle Name,Last Name,Title,Suffix,Initials,Web Page,Gender,Birthday,Anniversary,"
    "Location,Language,Internet Free Busy,Notes,E-mail Address,E-mail 2 Address,E-mail 3 Address,"
    "Primary Phone,Home Phone,Mobile Phone,Home Street,Home City,Spouse,Children,Manager's Name,"
    "Assistant's Name,Company Main Phone,Business Phone,Company,Job Title,Department,Categories"
)
OUTLOOK_DE = (
    "Anrede,Vorname,Weitere Vornamen,Nachname,Suffix,Firma,Abteilung,Position,"
    "Straße geschäftlich,Ort geschäftlich,Telefon geschäftlich,Mobiltelefon,E-Mail-Adresse,"
    "E-Mail-Typ,E-Mail: Angezeigter Name,E-Mail 2: Adresse,Geburtstag,Geschlecht,Notizen"
)
OUTLOOK_FR = (
    "Titre,Prénom,Deuxième prénom,Nom,Suffixe,Société,Service,Rue (bureau),Ville (bureau),"
    "Téléphone (bureau),Tél. mobile,Adresse de messagerie,Type de messagerie,"
    "Nom complet de l'adresse de messagerie,Notes"
)


def export(headings: str, *rows: dict[str, str]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, headings.split(","), restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_google_contacts_of_today_and_before(tmp_path: Path) -> None:
    today = export(
        GOOGLE,
        {
            "First Name": "Ada",
            "Last Name": "Lovelace",
            "Labels": "* myContacts",
            "E-mail 1 - Label": "* Home",
            "E-mail 1 - Value": "ada@x.org ::: ada2@x.org",
            "Phone 1 - Value": "+49 171 1 ::: +49 30 2",
            "Address 1 - Formatted": "1 High St\nTown",
        },
        {"First Name": "Bob", "Last Name": "Ray", "E-mail 1 - Value": "bob@x.org"},
    )
    assert read(tmp_path, today.encode()) == BOTH
    before = export(
        OLD_GOOGLE,
        {
            "Name": "Ada Lovelace",
            "Given Name": "Ada",
            "Family Name": "Lovelace",
            "E-mail 1 - Type": "* Home",
            "E-mail 1 - Value": "ada@x.org",
        },
        {"Name": "Bob Ray", "Given Name": "Bob", "Family Name": "Ray"}
        | {"E-mail 1 - Value": "bob@x.org"},
    )
    assert read(tmp_path, before.encode("utf-16")) == BOTH


def test_outlook_in_three_languages(tmp_path: Path) -> None:
    english = export(
        OUTLOOK,
        {"First Name": "Ada", "Last Name": "Lovelace", "E-mail Address": "ada@x.org"}
        | {"Manager's Name": "Tom King"},
        {"First Name": "Bob", "Last Name": "Ray", "E-mail Address": "bob@x.org", "Spouse": "Eve"},
    )
    assert read(tmp_path, english.encode("cp1252")) == BOTH
    german = export(
        OUTLOOK_DE,
        {"Anrede": "Herr", "Vorname": "Jürgen", "Nachname": "Müller", "Geburtstag": "0.0.00"}
        | {"E-Mail-Adresse": "j@x.org", "E-Mail-Typ": "SMTP"}
        | {"E-Mail: Angezeigter Name": "Jürgen Müller (j@x.org)"},
        {"Vorname": "Bob", "Nachname": "Ray", "E-Mail-Adresse": "bob@x.org", "E-Mail-Typ": "SMTP"},
    )
    assert read(tmp_path, german.encode("cp1252")) == [UMLAUTS, BOB]
    french = export(
        OUTLOOK_FR,
        {"Prénom": "Éloïse", "Nom": "Lefèvre", "Adresse de messagerie": "e@x.org"}
        | {"Nom complet de l'adresse de messagerie": "Éloïse Lefèvre (e@x.org)"},
    )
    assert read(tmp_path, french.encode("cp1252")) == [("Éloïse", "Lefèvre", "e@x.org")]


# First, middle and last name, the name an email is shown with, the email, the second, the spouse.
OUTLOOK_EVERYWHERE = """
Nombre,Segundo nombre,Apellidos,Nombre de pantalla de correo electrónico,\
Dirección de correo electrónico,Dirección del correo electrónico 2,Cónyuge
Nome,Secondo nome,Cognome,Nome visualizzato posta elettronica,\
Indirizzo posta elettronica,Indirizzo posta elettronica 2,Coniuge
Voornaam,Middelste naam,Achternaam,Weergavenaam e-mail,E-mailadres,E-mailadres 2,Echtgenote
Nome,Segundo Nome,Sobrenome,Nome para Exibição do Email,\
Endereço de Email,Endereço de Email 2,Cônjuge
Prénom,Deuxième prénom,Nom,Nom complet de l'adresse de messagerie,\
Adresse de messagerie,Adresse de messagerie 2,Conjoint(e)
Vorname,Weitere Vornamen,Nachname,E-Mail: Angezeigter Name,E-Mail-Adresse,E-Mail 2: Adresse,Partner
"""


@pytest.mark.parametrize("headings", OUTLOOK_EVERYWHERE.split("\n")[1:-1])
def test_outlook_says_in_every_language_which_column_is_which(
    tmp_path: Path, headings: str
) -> None:
    """The name that an email is shown with says the email as well, and an older one at times."""
    row = "Zoë,Ann,Müller,Zoë Müller (old@x.org),zoe@x.org,z@x.org,Eve"
    file = tmp_path / "contacts.csv"
    file.write_bytes(f"{headings}\r\n{row}\r\n{row}\r\n".encode("cp1252"))
    fields = guess_columns(read_file(file)).fields
    assert [field.value for field in fields] == [
        "firstname", "firstname", "lastname", "other", "email", "email", "other",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("encoding", "text", "wanted"),
    [
        (
            "cp1252",
            "Nombre;Apellidos;Correo electrónico\r\nJosé María;Núñez Peña;jose@x.org\r\n",
            [("José María", "Núñez Peña", "jose@x.org")],
        ),
        (
            "cp1256",
            "الاسم الأول,اسم العائلة,البريد الإلكتروني\r\nمحمد,علي,m@x.org\r\n",
            [("محمد", "علي", "m@x.org")],
        ),
        (
            "utf-16",
            "الاسم الأول\tاسم العائلة\tالبريد الإلكتروني\r\nمحمد\tعلي\tm@x.org\r\n",
            [("محمد", "علي", "m@x.org")],
        ),
        (
            "cp1252",
            (
                "Lfd. Nr.;Name;Vorname;Straße;PLZ;E-Mail\r\n1;Müller;Jürgen;Weg 5;01067;j@x.org\r\n"
                "2;Ray;Bob;;;bob@x.org\r\n"
            ),
            [UMLAUTS, BOB],
        ),
        (
            "cp850",
            "Nom;Prénom;Courriel\r\nLefèvre;Éloïse;e@x.org\r\nRay;Bob;bob@x.org\r\n",
            [("Éloïse", "Lefèvre", "e@x.org"), BOB],
        ),
        (
            "cp1250",
            "Imię;Nazwisko;E-mail\nŁukasz;Wiśniewski;l@x.org\n",
            [("Łukasz", "Wiśniewski", "l@x.org")],
        ),
        (
            "cp1251",
            "Фамилия;Имя;Отчество;Эл. почта\nИванов;Иван;Петрович;i@x.org\n",
            [("Иван Петрович", "Иванов", "i@x.org")],
        ),
        (
            "gb18030",
            "姓名,邮箱,电话\n王小明,wang@x.org,13800000000\n李娜,li@x.org,\n",
            [("小明", "王", "wang@x.org"), ("娜", "李", "li@x.org")],
        ),
        (
            "cp932",
            "氏名,フリガナ,メールアドレス\n山田 太郎,ヤマダ タロウ,y@x.org\n",
            [("太郎", "山田", "y@x.org")],
        ),
        (
            "cp932",
            (
                "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=SHIFT_JIS:山田;太郎;;;\n"
                "SOUND;X-IRMC-N;CHARSET=SHIFT_JIS:ﾔﾏﾀﾞ;ﾀﾛｳ;;;\nEMAIL:y@x.org\nEND:VCARD\n"
            ),
            [("太郎", "山田", "y@x.org")],
        ),
        (
            "utf-8",
            (
                "BEGIN:VCARD\nVERSION:2.1\nN;LANGUAGE=de;CHARSET=Windows-1252;"
                "ENCODING=QUOTED-PRINTABLE:M=FCller;J=FCrgen\n"
                "LABEL;WORK;PREF;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:Stra=DFe 1=0D=0A=\n"
                "80331 M=FCnchen\nX-MS-CARDPICTURE;TYPE=JPEG;ENCODING=BASE64:\n /9j/4AAQSkZJ\n\n"
                "EMAIL;PREF;INTERNET:j@x.org\nEND:VCARD\n"
            ),
            [UMLAUTS],
        ),
    ],
)
def test_headings_and_letters_of_many_countries(
    tmp_path: Path, encoding: str, text: str, wanted: list[Person]
) -> None:
    assert read(tmp_path, text.encode(encoding)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        (
            '"Email Address","First Name","Last Name",Address,MEMBER_RATING,CONFIRM_TIME,LEID\n'
            'ada@x.org,Ada,Lovelace,,2,"2020-01-01 10:00:00",1\nbob@x.org,Bob,Ray,,2,,2\n'
        ),
        (
            '"Timestamp","Email Address","Your full name","How many adults?","Dietary needs"\n'
            '"2026/05/03 2:02:09 PM GMT+2","ada@x.org","Ada Lovelace","2","none"\n'
            '"2026/05/03 2:03:09 PM GMT+2","bob@x.org","Bob Ray","1",""\n'
        ),
        (
            "Order #,First Name,Surname,Email,Quantity,Buyer Surname,Buyer First Name,Buyer Email\n"
            "1,Ada,Lovelace,ada@x.org,1,King,Tom,tom@x.org\n2,Bob,Ray,bob@x.org,1,King,Tom,tom@x.org\n"
        ),
        "Lovelace\tAda\t0171 123\tada.lovelace@x.org\nRay\tBob\t0172 456\tbob.ray@x.org\n",
        "Ada Lovelace   ada@x.org\nBob Ray        bob@x.org\n",
        "Name            Email\nAda Lovelace    ada@x.org\nBob Ray         bob@x.org\n",
        "1. Ada Lovelace ada@x.org\n2. Bob Ray bob@x.org\n",
        "• Ada Lovelace – ada@x.org\n• Bob Ray – bob@x.org\n",
        '"Lovelace, Ada" <ada@x.org>; Bob Ray <bob@x.org>;',
        "Name,Email\r\nAda Lovelace,ada@x.org\rBob Ray,bob@x.org\n",
        (
            '"First Name" , "Last Name" , "Email"\n"Ada" , "Lovelace" , "ada@x.org"\n'
            '"Bob" , "Ray" , "bob@x.org"\n'
        ),
        'Name,Phone,Email\nAda Lovelace,"=""0171""",ada@x.org\nBob Ray,"=""0172""",bob@x.org\n',
        "Family,Email\nAda Lovelace,ada@x.org\nBob Ray,bob@x.org\n",
        (
            "Members for group choir\nEmail address,Nickname,Posting permissions,Time zone\n"
            "ada@x.org,Ada Lovelace,allowed,Pacific\nbob@x.org,Bob Ray,allowed,Pacific\n"
        ),
        "Ada Lovelace\nada@x.org\n\nBob Ray\nbob@x.org\n",
        "Ada Lovelace\nada@x.org\nBob Ray\nEmail: bob@x.org\n",
        "Ada Lovelace\n0171 1234\nada@x.org\n\nBob Ray\nbob@x.org\n",
    ],
)
def test_lists_as_they_come(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text.encode())
    assert [(first, last) for first, last, _ in found] == [("Ada", "Lovelace"), ("Bob", "Ray")]
    assert [email[:3] for _, _, email in found] == ["ada", "bob"]


GUESTS = "Ada Lovelace <ada@x.org>", "Bob Ray - bob@x.org", "Grace Hopper (vegetarian)"


def test_a_numbered_list_is_somebody_in_each_line_however_little_is_said(tmp_path: Path) -> None:
    for mark in (". ", ") ", "."):
        numbered = [f"{at}{mark}{line}" for at, line in enumerate(("Ada Lovelace", *GUESTS[1:]), 1)]
        table = read_clipboard("\n".join(numbered))
        assert people(table) == [("Ada", "Lovelace", ""), BOB, ("Grace", "Hopper", "")]
        rows = Review(table, guess_columns(table)).rows
        assert [row.detail for row in rows[:2]] == ["", ""]
    # A signature is one person still.
    assert read(tmp_path, b"Ada Lovelace\nada@x.org\n1 Long Road\n") == [ADA]


def test_sentences_above_the_headings_are_no_headings(tmp_path: Path) -> None:
    notes = (
        'Notes:\n"When exporting your connection data, you may notice that some of the email '
        'addresses are missing. You will only see those of people who have allowed it."\n\n'
    )
    listed = "First Name,Last Name,URL,Email Address,Company\nAda,Lovelace,https://x.org/ada,"
    assert read(tmp_path, f"{notes}{listed}ada@x.org,Engines\n".encode()) == [ADA]


@pytest.mark.parametrize(
    "heading", ["Teilnehmer", "Gäste", "Mitglied", "Participantes", "Invités", "Partecipanti"]
)
def test_who_takes_part_is_named_below_that_in_other_languages_too(
    tmp_path: Path, heading: str
) -> None:
    text = f'{heading};Mail\n"Lovelace, Ada";ada@x.org\n"Ray, Bob";\n'
    assert read(tmp_path, text.encode()) == [ADA, ("Bob", "Ray", "")]


def test_whole_names_without_a_blank_are_read_below_what_may_be_a_first_name(
    tmp_path: Path,
) -> None:
    korean = "이름,이메일\n김민준,kim@x.org\n이서연,\n"
    assert read(tmp_path, korean.encode()) == [("민준", "김", "kim@x.org"), ("서연", "이", "")]
    chinese = "名字,邮箱\n王小明,wang@x.org\n欧阳娜娜,\n"
    assert read(tmp_path, chinese.encode()) == [("小明", "王", "wang@x.org"), ("娜娜", "欧阳", "")]
    halves = "姓,名字,邮箱\n王,小明,wang@x.org\n李,娜,\n"
    assert read(tmp_path, halves.encode()) == [("小明", "王", "wang@x.org"), ("娜", "李", "")]


def test_first_names_that_are_known_tell_which_of_two_columns_is_which(tmp_path: Path) -> None:
    first, last = ("Robert", "Liz", "Käthe", "Hans"), ("Hopper", "Ray", "Groß", "Maß")
    expected = [(one, two, "") for one, two in zip(first, last, strict=True)]
    for one, two in ((first, last), (last, first)):
        rows = (f"{left};{right};x\n" for left, right in zip(one, two, strict=True))
        assert read(tmp_path, "".join(rows).encode()) == expected


def test_a_card_of_a_firm_is_nobody_by_name(tmp_path: Path) -> None:
    card = "BEGIN:VCARD\nVERSION:4.0\nKIND:org\nFN:Bakery Ltd\nEMAIL:b@x.org\nEND:VCARD\n"
    assert read(tmp_path, card.encode()) == [("", "", "b@x.org")]


def test_the_headings_of_a_report_stand_below_what_it_says_of_the_meeting(tmp_path: Path) -> None:
    teams = (
        "1. Zusammenfassung\nTitel\tBesprechung\nTeilnehmer\t2\n\n2. Teilnehmer\n"
        "Name\tErster Beitritt\tE-Mail\tRolle\n"
        "Ada Lovelace\t1\tada@x.org\tOrganisator\nBob Ray\t1\t\tReferent\n"
    )
    assert read(tmp_path, teams.encode("utf-16")) == [ADA, ("Bob", "Ray", "")]
    zoom = (
        "Meeting ID,Topic,Start Time\n123,Prayer,09/12/2026\n\n"
        "Name (Original Name),User Email,Join Time,Guest\n"
        "Ada Lovelace,ada@x.org,1,Yes\nBob Ray,bob@x.org,2,Yes\n"
    )
    assert read(tmp_path, zoom.encode()) == BOTH


@pytest.mark.parametrize(
    ("heading", "ada", "bob"),
    [
        ("Nom et prénom", "de La Fontaine Jean-Luc", "Dupont Éloïse"),
        ("Nazwisko i imię", "de La Fontaine Jean-Luc", "Dupont Éloïse"),
        ("Prénom et nom", "Jean-Luc de La Fontaine", "Éloïse Dupont"),
        ("Vor- und Nachname", "Jean-Luc de La Fontaine", "Éloïse Dupont"),
    ],
)
def test_a_heading_says_in_which_order_the_names_below_it_stand(
    tmp_path: Path, heading: str, ada: str, bob: str
) -> None:
    text = f"{heading};Chœur\n{ada};alto\n{bob};basse\n"
    assert read(tmp_path, text.encode()) == [
        ("Jean-Luc", "de La Fontaine", ""),
        ("Éloïse", "Dupont", ""),
    ]


def test_a_particle_in_a_column_of_its_own_begins_the_last_name_wherever_it_stands(
    tmp_path: Path,
) -> None:
    text = "Vorname;Nachname;Namenszusatz;E-Mail\nAnna;Berg;von der;a@x.org\nBob;Ray;;bob@x.org\n"
    assert read(tmp_path, text.encode()) == [("Anna", "von der Berg", "a@x.org"), BOB]


def test_texts_written_as_formulas_are_as_they_were_meant(tmp_path: Path) -> None:
    formulas = 'First Name,Last Name,Phone,Email\n="Ada",="Lovelace",="0410",ada@x.org\n'
    assert read(tmp_path, formulas.encode()) == [ADA]
    right = "Nome,Sobrenome,E-mail\nJOÃO,CONCEIÇÃO,j@x.org\n"
    assert read(tmp_path, right.encode()) == [("JOÃO", "CONCEIÇÃO", "j@x.org")]


def test_a_role_between_the_name_and_the_email_of_a_card_is_no_last_name(tmp_path: Path) -> None:
    cards = "Ada Lovelace\nElder\nada@x.org\n\nBob Ray\nDeacon\nbob@x.org\n"
    assert read(tmp_path, cards.encode()) == BOTH


def test_who_is_one_of_a_household_is_named_in_a_column_of_their_own(tmp_path: Path) -> None:
    text = (
        "Household Name,Individual Name,Individual ID,Email\n"
        '"Lovelace, Ada and Bob",Ada Lovelace,1,ada@x.org\n'
        '"Lovelace, Ada and Bob",Bob Lovelace,2,\n'
    )
    assert read(tmp_path, text.encode()) == [ADA, ("Bob", "Lovelace", "")]


@pytest.mark.parametrize(
    "rota",
    [
        "Leader: Ada King\nHelper: Bob Ost\nLeader: Cy Dee\nHelper: Eve Fay\n",
        "Smith: Ann\nJones: Bob\nSmith: Carl\nJones: Dora\n",
        "Guest: Ada King\nMember: Bob Ost\nGuest: Cy Dee\nMember: Eve Fay\n",
        "Parent: Ada King\nChild: Bob Ost\nParent: Cy Dee\nChild: Eve Fay\n",
    ],
)
def test_everybody_of_a_rota_keeps_a_row(tmp_path: Path, rota: str) -> None:
    said = [" ".join(each) for each in read(tmp_path, rota.encode())]
    assert len(said) == len(rota.splitlines())
    for name in (line.split(": ")[1] for line in rota.splitlines()):
        assert sum(set(name.split()).issubset(line.split()) for line in said) == 1, said


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u202e", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u200c"]
)
def test_marks_that_nobody_sees_are_in_no_name_and_no_email(tmp_path: Path, mark: str) -> None:
    again = f"{mark}A{mark}da,Love{mark}lace,ada{mark}@x.org{mark}\n"
    text = f"First name,Last name,Email\n{','.join(ADA)}\n{again}"
    (tmp_path / "list.csv").write_text(text)
    table = read_file(tmp_path / "list.csv")
    review = Review(table, guess_columns(table))
    assert people(table) == [ADA, ADA]
    assert review.rows[1].verdict is Verdict.TWICE
    review.edit(1, ColumnField.EMAIL, f"{mark}other@x.org{mark}")
    assert review.rows[1].email == "other@x.org"


def test_a_joiner_inside_a_persian_name_is_spelling(tmp_path: Path) -> None:
    persian = ("علی\u200cرضا", "\u0645\u06cc\u200c\u0631", "a@x.org")
    text = f"First name,Last name,Email\n{','.join(persian)}\n{','.join(BOB)}\n"
    assert read(tmp_path, text.encode()) == [persian, BOB]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada <a@x.org>; Tim Ray; Bob <b@x.org>;", ["Ada", "Tim Ray", "Bob"]),
        ("Ada <a@x.org>; Bob <b@x.org>; Tim <", ["Ada", "Bob", "Tim"]),
        ("Ada <a@x.org>, Bob <b@x.org>, Tim Ray", ["Ada", "Bob", "Tim Ray"]),
        (
            'Ada <a@x.org>; "Babbage, Bob" <b@x.org>, Eve <e@x.org>;;; Tim <',
            ["Ada", "Bob Babbage", "Eve", "Tim"],
        ),
    ],
)
def test_who_stands_in_a_to_line_without_an_address_is_somebody_of_their_own(
    line: str, names: list[str]
) -> None:
    found = people(read_clipboard(line))
    assert [f"{first} {last}".strip() for first, last, _ in found] == names
    assert all(email[:1] in {"", first[:1].lower()} for first, _, email in found)


@pytest.mark.parametrize(
    "cell",
    ["Ada King, Bob Ost, Cy Dee", "Ada King, Bob Ost and Cy Dee", "Ada King, Bob Ost, & Cy Dee"],
)
def test_several_whole_names_in_a_cell_are_somebody_each(tmp_path: Path, cell: str) -> None:
    text = f'Name,Phone\n"{cell}",555 0100\n"García Márquez, Gabriel José",555 0101\n'
    names = [("Ada", "King"), ("Bob", "Ost"), ("Cy", "Dee"), ("Gabriel José", "García Márquez")]
    assert [each[:2] for each in read(tmp_path, text.encode())] == names


def test_a_first_name_is_what_somebody_is_called_beside_a_given_one(tmp_path: Path) -> None:
    headings = "Given Name,First Name,Last Name,Email\n"
    both = "Augusta,Ada,Lovelace,ada@x.org\n,Bob,Ray,bob@x.org\n"
    assert read(tmp_path, (headings + both).encode()) == BOTH
    given = "Ada,,Lovelace,ada@x.org\nBob,,Ray,bob@x.org\n"
    assert read(tmp_path, (headings + given).encode()) == BOTH


def test_all_first_names_of_a_family_are_people(tmp_path: Path) -> None:
    text = 'Last Name,First Name(s),Email\nLovelace,"Ada, Bob, Cy and Di",\nRay,Bob,bob@x.org\n'
    ones = [(first, "Lovelace", "") for first in ("Ada", "Bob", "Cy", "Di")]
    assert read(tmp_path, text.encode()) == [*ones, BOB]


def test_of_headings_in_two_rows_those_right_above_the_people_count(tmp_path: Path) -> None:
    text = "Name,,Contact,\nFirst,Last,Email,Phone\nAda,Lovelace,ada@x.org,1\nBob,Ray,bob@x.org,2\n"
    assert read(tmp_path, text.encode()) == BOTH


def test_hungarian_names_begin_with_the_last_as_their_addresses_do(tmp_path: Path) -> None:
    text = "Név,E-mail cím\nNagy László,nagy.laszlo@x.org\nKovács Éva,kovacs.eva@x.org\n"
    assert read(tmp_path, text.encode()) == [
        ("László", "Nagy", "nagy.laszlo@x.org"),
        ("Éva", "Kovács", "kovacs.eva@x.org"),
    ]


@pytest.mark.parametrize(
    ("cell", "last"),
    [
        ("Marie Curie (2 children)", "Curie"),
        ("Henry Ford 3rd", "Ford 3rd"),
        ("King Family of 4", "of"),
        ("John Paul 2nd", "Paul 2nd"),
        ("Ada Page 12/9/1984", "Page"),
        ("Page Turner 2", "Turner"),
        ("Ada Lovelace + 2", "+"),
    ],
)
def test_somebody_with_a_number_beside_their_name_alone_in_a_row_is_somebody(
    tmp_path: Path, cell: str, last: str
) -> None:
    between = f"Name,Email,Phone\nAda Lovelace,ada@x.org,1\n{cell},,\nBob Ray,bob@x.org,2\n"
    assert read(tmp_path, between.encode())[1][1] == last
    below = f"Name,Email,Phone\nAda Lovelace,ada@x.org,1\n{cell},,\n"
    assert read(tmp_path, below.encode())[1][1] == last


def test_nothing_behind_a_comma_of_a_card_is_lost(tmp_path: Path) -> None:
    card = (
        "BEGIN:VCARD\nVERSION:{}\nFN:Lovelace, Ada\nN:;;;;\nEMAIL:ada@x.org\nORG:Ada, Bob;Sales"
        "\nNOTE{}:plays, well\\, and sings\nEND:VCARD\n"
    )
    encoded = ";ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8"
    for version, parameters in (("3.0", ""), ("2.1", ""), ("2.1", encoded)):
        (tmp_path / "a.vcf").write_text(card.format(version, parameters))
        table = read_file(tmp_path / "a.vcf")
        assert people(table) == [ADA]
        assert table.rows[0].cells[-2:] == ("Ada, Bob, Sales", "plays, well, and sings")


def test_a_web_table_with_the_addresses_behind_its_links() -> None:
    page = (
        "<h2>Team</h2><table><thead><tr><th>#</th><th>Name</th><th>Role</th><th>Contact</th></tr>"
        "</thead><tr><td>1</td><td><b>Ada</b> Lovelace</td><td>Choir</td>"
        "<td><a href='mailto:ada@x.org'>write</a></td></tr><tr><td>2</td><td>Bob&nbsp;Ray</td>"
        "<td>Youth</td><td><a href='mailto:bob@x.org'>write</a></td></tr></table>"
    )
    assert people(read_clipboard("", page)) == BOTH


def test_cells_of_google_sheets_and_one_column_of_excel() -> None:
    sheets = (
        '<meta charset="utf-8"><google-sheets-html-origin><style type="text/css"><!--td {border: '
        '1px solid #cccccc;}--></style><table><tbody><tr><td data-sheets-value="{&quot;1&quot;:2}">'
        'Ada</td><td>Lovelace</td><td><a href="mailto:ada@x.org">ada@x.org</a></td></tr><tr><td>'
        "Bob</td><td>Ray</td><td>bob@x.org</td></tr></tbody></table>"
    )
    assert people(read_clipboard("Ada\tLovelace\tada@x.org\nBob\tRay\tbob@x.org", sheets)) == BOTH
    excel = "<table><tr><td>Ada Lovelace</td></tr><tr><td>Bob Ray</td></tr></table>"
    wanted = [("Ada", "Lovelace", ""), ("Bob", "Ray", "")]
    assert people(read_clipboard("Ada Lovelace\nBob Ray\n", excel)) == wanted
