"""Who in the list is taken for the person whose reply was lost, as a table of cases."""

from datetime import UTC, datetime

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.person_matching import identity, judge, same_email

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
LATER = NOON.replace(hour=14)


def lost(email: str = "ada@x.org", *known: str, knew_all: bool = True) -> OutboxEntry:
    return OutboxEntry(
        id="e",
        typed="Ada Lovelace",
        new_person=NewPerson(firstname="Ada", lastname="Lovelace", email=email),
        state=EntryState.NOT_SURE,
        typed_at=NOON,
        send_at=NOON,
        known_ids=known,
        knew_all=knew_all,
    )


def listed(person_id: str, email: str | None = "ada@x.org", at: datetime | None = None) -> Person:
    return Person(id=person_id, firstname="Ada", lastname="Lovelace", email=email, date_added=at)


CASES = {
    "nobody of the name": (lost(), [], set(), None, False),
    "one new with the same email": (lost(), [listed("n")], set(), "n", True),
    "letters large and small": (lost(), [listed("n", "ADA@X.org")], set(), "n", True),
    "an email with entities": (
        lost("o'b&co@x.org"),
        [listed("n", "o&#039;b&amp;co@x.org")],
        set(),
        "n",
        True,
    ),
    "only one known before": (lost("ada@x.org", "k"), [listed("k")], set(), None, False),
    "one known, one new": (lost("ada@x.org", "k"), [listed("k"), listed("n")], set(), "n", True),
    "one that another entry added": (lost(), [listed("c")], {"c"}, None, False),
    "another email": (lost(), [listed("n", "ada@y.org")], set(), None, False),
    "the list was not whole": (lost(knew_all=False), [listed("n")], set(), "n", False),
    "two new alike": (lost(), [listed("n", at=NOON), listed("m", at=LATER)], set(), "m", False),
    "no email typed": (lost(""), [listed("n", "")], set(), "n", False),
    "no email typed, one in the list": (lost(""), [listed("n")], set(), "n", False),
    "no email in the list": (lost(), [listed("n", "")], set(), "n", False),
    "an email that was not told": (lost(), [listed("n", None)], set(), "n", False),
    "one sure, one without": (lost(), [listed("n"), listed("m", "", LATER)], set(), "n", True),
    "the newest without an email": (
        lost(""),
        [listed("n", "", NOON), listed("m", ""), listed("o", "", LATER)],
        set(),
        "o",
        False,
    ),
}


@pytest.mark.parametrize(
    ("entry", "namesakes", "claimed", "person_id", "sure"), CASES.values(), ids=CASES.keys()
)
def test_who_is_taken_for_the_one(
    entry: OutboxEntry,
    namesakes: list[Person],
    claimed: set[str],
    person_id: str | None,
    sure: bool,
) -> None:
    likeness = judge(entry, namesakes, claimed)
    assert (likeness.person.id if likeness.person else None) == person_id
    assert likeness.sure is sure


def test_two_entries_are_alike_by_name_and_email_however_they_are_written() -> None:
    ada = NewPerson(firstname="Ada", lastname="O'Brien", email="ada@x.org")
    same = NewPerson(firstname="ADA", lastname="Obrien", email=" Ada@x.org")
    assert identity(ada) == identity(same)
    assert identity(ada) != identity(NewPerson(firstname="Ada", lastname="O'Brien"))
    assert identity(ada) != identity(
        NewPerson(firstname="Obrien", lastname="Ada", email="ada@x.org")
    )
    assert same_email(None, " ")
