"""How a mail gets to people: who has an address, who is left out, and what a mail program reads."""

from email import message_from_string
from email.policy import SMTPUTF8
from email.utils import getaddresses
from urllib.parse import parse_qs, urlsplit

import pytest

from app.exporting.mail_list import SEMICOLON, MailList, addresses_in, mail_link, mail_list
from app.exporting.spreadsheet import spreadsheet_cell
from app.model.person import Person


def person(name: str = "Ada", email: str | None = "ada@x.org", **more: object) -> Person:
    first, _, last = name.partition(" ")
    return Person(id=name, firstname=first, lastname=last, email=email, **more)  # type: ignore[arg-type]  # any field


NAMES = [
    "Ada Lovelace",
    "Lovelace, Ada",
    'Ada "the first" Lovelace',
    "back\\slash Ada",
    "Zoë Łuk",
    "小明 王",
    "عمر خان",
    "O'Neil Jo",
    "Dr. Ada",
    "ada@home Lovelace",
    "Ada (ours) Lovelace",
    "Ada\r\nBcc: eve@x.org",
]


def test_a_mail_program_reads_each_name_and_address_back() -> None:
    people = [person(name, f"p{n}@x.org") for n, name in enumerate(NAMES)]
    text = mail_list(people).text()
    # The library reads both ways a message is written: one header, and one list.
    message = message_from_string(f"To: {text}\n\n", policy=SMTPUTF8)
    read = [(each.display_name, each.addr_spec) for each in message["To"].addresses]
    meant = [(" ".join(each.full_name.split()), f"p{n}@x.org") for n, each in enumerate(people)]
    assert read == meant
    assert getaddresses([text]) == meant
    assert "\n" not in text


def test_outlook_gets_semicolons() -> None:
    two = mail_list([person(), person("Lovelace, Bob", "bob@x.org")])
    assert two.text() == 'Ada <ada@x.org>, "Lovelace, Bob" <bob@x.org>'
    assert two.text(SEMICOLON) == 'Ada <ada@x.org>; "Lovelace, Bob" <bob@x.org>'


def test_who_cannot_be_written_to_is_named_and_nobody_is_written_to_twice() -> None:
    found = mail_list(
        [
            person(),
            person("Bob Øst", ""),
            person("Eve", None),
            person("Twin", "ADA@x.org"),
            person("Odd", "no address"),
            Person(id="1"),
        ]
    )
    assert [each.email for each in found.addresses] == ["ada@x.org"]
    assert found.without_email == ("Bob Øst", "Eve", "Odd", "(no name)")


def test_who_is_archived_is_left_out_only_where_they_come_with_something() -> None:
    people = [person(), person("Old", "old@x.org", archived=True)]
    kept = mail_list(people)
    assert (len(kept.addresses), kept.archived, kept.archived_among_them) == (2, (), ("Old",))
    left = mail_list(people, archived_too=False)
    assert ([each.name for each in left.addresses], left.archived) == (["Ada"], ("Old",))


@pytest.mark.parametrize(
    ("field", "addresses"),
    [
        (" ada@x.org ", ("ada@x.org",)),
        ("Ada <ada@x.org>", ("ada@x.org",)),
        ("ada@x.org; bob@x.org, ada@x.org", ("ada@x.org", "bob@x.org")),
        ("mailto:ada@x.org", ("ada@x.org",)),
        ('"a, b"@x.org', ('"a, b"@x.org',)),
        ("zoë@bücher.example", ("zoë@bücher.example",)),
        ("ada@x.org\r\nBcc:eve@y.org", ("ada@x.org", "Bcc:eve@y.org")),
        ("ada", ()),
        ("@x.org", ()),
        ("", ()),
    ],
)
def test_an_email_field_may_hold_several_addresses_or_none(
    field: str, addresses: tuple[str, ...]
) -> None:
    assert addresses_in(field) == addresses


def test_who_has_died_is_left_out_unless_chosen_one_by_one() -> None:
    people = [person(), person("Gone", "gone@x.org", deceased=True)]
    left = mail_list(people)
    assert ([each.name for each in left.addresses], left.deceased) == (["Ada"], ("Gone",))
    meant = mail_list(people, one_by_one={"Gone"})
    assert ([each.name for each in meant.addresses], meant.deceased) == (["Ada", "Gone"], ())


def test_nothing_in_a_mail_list_is_calculated_by_a_spreadsheet() -> None:
    hostile = ["=1+1", "+1", "-1", "@x", "a;=1", '"=1', "＝1", "a,\t=2"]
    text = mail_list([person(name, f"p{n}@x.org") for n, name in enumerate(hostile)]).text()
    assert spreadsheet_cell(text) == text
    assert mail_list([person("=1", "=1@x.org")]).text() == "<=1@x.org>"


def test_a_link_holds_every_address_hidden_from_the_others_and_no_other_field() -> None:
    odd = ["zoe+1@x.org", '"a,b"@x.org', "zoë@x.org", "a?cc=b&body=c@x.org", "a\r\nCc:b@x.org"]
    link = mail_link(odd)
    assert list(parse_qs(urlsplit(link).query, keep_blank_values=True)) == ["bcc"]
    assert link.isascii()
    assert link.count(",") == len(odd) - 1
    assert mail_link(["ada@x.org"]) == "mailto:ada@x.org"


def test_more_addresses_than_a_link_holds_make_none() -> None:
    many = mail_list([person(f"P{n}", f"somebody{n}@example.org") for n in range(200)])
    assert (many.link, len(many.addresses)) == ("", 200)
    assert MailList().link == ""


def test_half_a_letter_in_an_address_ends_nothing() -> None:
    halves = ("a\ud800@x.org", "a@x\udfff.org", '"a\ud800 b"@x.org')
    lost = [person(f"Ada {n}", each) for n, each in enumerate(halves)]
    found = mail_list([*lost, person("Bob", "bob@x.org")])
    assert found.without_email == ("Ada 0", "Ada 1", "Ada 2")
    assert found.link == "mailto:bob@x.org"
    assert mail_link([halves[0]]) == ""
