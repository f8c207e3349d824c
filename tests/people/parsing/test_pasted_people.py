"""Several lines in one: a person spread over them is read whole, of several the first is."""

import pytest

from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import first_of, read_entry


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ada Lovelace ada@x.org",
        "Ada\tLovelace\tada@x.org\n",
        "Ada\nLovelace\nada@x.org",
        "Ada Lovelace\r\nada@x.org\r\n+44 20 7946 0000",
        "Ada Lovelace\nHead of Engines\nada@x.org",
        "Ada Lovelace\nHead of Engines\nBabbage House\nada@x.org",
        "Ada Lovelace <ada@x.org>\nBabbage House",
        "Ada Lovelace <ada@x.org>\nBabbage House\n12 High Street",
        "Ada Lovelace\n12 High Street\nLondon",
        "First name: Ada\nLast name: Lovelace\nEmail: ada@x.org",
        "ada@x.org\nada.lovelace@x.org",
        "Ada Lovelace ada@x.org\nAda Lovelace <ADA@x.org>",
        "Ada\nMaria\nLovelace\nada@x.org",
        "Lovelace\nAda",
        "Ada Lovelace ada@x.org\nSenior Pastor",
        "Ada Lovelace ada@x.org\nLondon",
        "Erika Mustermann erika@x.org\nHauptstraße 12\n10115 Berlin",
        "Erika Mustermann\nLange Straße\nBad Berka\nerika@x.org",
        "Ada Lovelace ada@x.org\nSt Mary's Church\nLondon",
        "Ada Lovelace <ada@x.org>\nLondon, UK",
        "Kind regards,\nAda Lovelace ada@x.org",
        "Ada Lovelace ada@x.org\nTel. 0410 220 118\nLondon",
    ],
)
def test_one_person_stays_whole(text: str) -> None:
    assert first_of(text, read_entry) == (text, False)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Ada Lovelace\nGrace Hopper", "Ada Lovelace"),
        ("Lovelace, Ada\r\nHopper, Grace\r\n", "Lovelace, Ada"),
        ("Ada ada@x.org\nGrace grace@x.org", "Ada ada@x.org"),
        ("Ada\tLovelace\tada@x.org\nGrace\tHopper\tgrace@x.org", "Ada\tLovelace\tada@x.org"),
        ("Ada\tLovelace\t\nGrace\tHopper\tgrace@x.org", "Ada\tLovelace\t"),
        ("Choir\nAda Lovelace ada@x.org\nGrace Hopper g@x.org", "Ada Lovelace ada@x.org"),
        ("Ada Lovelace\u2028Grace Hopper", "Ada Lovelace"),
        ("Ada Lovelace ada@x.org\nGrace Hopper\nMary Jackson", "Ada Lovelace ada@x.org"),
        ("Mary Jackson\nGrace Hopper\nAda Lovelace ada@x.org", "Mary Jackson"),
        ("Mary Jackson\nAda Lovelace ada@x.org", "Mary Jackson"),
        ("mary jackson\nada lovelace ada@x.org", "mary jackson"),
        ("Tim\nMary Jackson\nAda Lovelace ada@x.org", "Mary Jackson"),
        ("Tim\nMary Jackson\nThe Millers\nAda Lovelace ada@x.org", "Mary Jackson"),
        ("Ada Lovelace ada@x.org\nTim\nMary Jackson\nSue", "Ada Lovelace ada@x.org"),
        ("Ada ada@x.org\nTim\nSue", "Ada ada@x.org"),
        ("Tim\nPaula\nNora\nSimon\nRuth", "Tim"),
        ("Tim Smith\nMary Jackson\nGrace Hopper\nada@x.org", "Tim Smith"),
        ("Coffee for:\nTim Smith\nMary de Vries\nAda Lovelace ada@x.org", "Coffee for:"),
        ("Who comes:\nTim\nPaula\nNora\nSimon", "Who comes:"),
    ],
)
def test_of_several_people_the_first_is_given_on(text: str, first: str) -> None:
    assert first_of(text, read_entry) == (first, True)


def test_a_whole_spreadsheet_is_not_read_to_its_end() -> None:
    asked: list[str] = []

    def read(line: str) -> NewPerson:
        asked.append(line)
        return read_entry(line)

    rows = "\n".join(f"Ada\tLovelace\tada{n}@x.org" for n in range(5_000))
    assert first_of(rows, read) == ("Ada\tLovelace\tada0@x.org", True)
    assert len(asked) < 100
