"""Tables as a program writes them: empty columns behind the others, notes with any signs and
quotation marks that nobody needed change nothing about who is in them.
"""

import csv
import io
import random

import pytest

from app.importing.column_guess import guess_columns
from app.importing.reading import read_content
from app.importing.review import Review

FIRST = ("Ada", "Grace", "Alan", "Dora", "Hugo", "Jon", "Mary-Ann", "Jean-Luc", "Zoë")
LAST = ("Lovelace", "Hopper", "Turing", "Garcia", "O'Brien", "Müller", "Jones", "King")
HEADINGS = {
    "first": ("First name", "Vorname", "Prénom", "Nombre"),
    "last": ("Last name", "Nachname", "Nom", "Apellidos"),
    "email": ("Email", "E-Mail", "Courriel", "Correo"),
    "member": ("Member", "Mitglied", "Membre", "Miembro"),
    "phone": ("Phone", "Telefon", "Téléphone", "Teléfono"),
    "note": ("Note", "Notiz", "Remarques", "Notas"),
    "handle": ("Instagram", "Instagram", "Instagram", "Instagram"),
}
SAID = {
    "member": ("yes", "no", ""),
    "phone": ("", "01234 56789", "+49 30 12345"),
    "note": (
        "", "call back", "likes tea, coffee", "see @bob", "meet @ 5pm; ring", "ok; fine", ";", "@",
        'the "tall" one', "two\nlines, or more", "her mother is mary@x.org or ring",
    ),
    "handle": ("@ada", "@x", ""),
}  # fmt: skip


def table(chance: random.Random) -> tuple[list[list[str]], set[tuple[str, str, str]]]:
    """The rows of a table, its headings first, and who is in them."""
    language = chance.randrange(4)
    others = chance.sample(sorted(SAID), chance.randrange(len(SAID) + 1))
    columns = ["first", "last", *(["email"] if chance.random() < 0.6 else []), *others]
    chance.shuffle(columns)
    names = chance.sample([(one, two) for one in FIRST for two in LAST], chance.randrange(2, 9))
    people: set[tuple[str, str, str]] = set()
    rows = [[HEADINGS[column][language] for column in columns]]
    for number, (first, last) in enumerate(names):
        has_email = "email" in columns and chance.random() < 0.8
        person = {"first": first, "last": last, "email": f"p{number}@x.org" if has_email else ""}
        people.add((first, last, person["email"]))
        rows.append([person[c] if c in person else chance.choice(SAID[c]) for c in columns])
    return rows, people


@pytest.mark.parametrize("seed", range(8))
def test_who_is_in_a_table_does_not_hang_on_how_it_is_written(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(25):
        rows, people = table(chance)
        file = io.StringIO(newline="")
        empty = [""] * chance.choice((0, 0, 1, 2, 40))
        csv.writer(
            file,
            delimiter=chance.choice(",,,;;\t"),
            quoting=csv.QUOTE_ALL if chance.random() < 0.3 else csv.QUOTE_MINIMAL,
            lineterminator=chance.choice(("\n", "\r\n")),
        ).writerows([*row, *empty] for row in rows)
        text = file.getvalue()
        read = read_content(text.encode(), "list.csv")
        review = Review(read, guess_columns(read))
        assert {(row.firstname, row.lastname, row.email) for row in review.rows} == people, text
