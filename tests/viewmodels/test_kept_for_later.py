"""Who is kept while nobody is in: said by name, however many they are and whatever is in a name."""

from datetime import UTC, datetime

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.viewmodels.notices import kept_for_later


def waiting(*names: str) -> list[OutboxEntry]:
    moment = datetime(2026, 5, 3, tzinfo=UTC)
    return [
        OutboxEntry(
            id=str(number),
            typed=name,
            new_person=NewPerson(firstname=name),
            state=EntryState.WAITING,
            typed_at=moment,
            send_at=moment,
        )
        for number, name in enumerate(names)
    ]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ada"], "Ada is not sent yet and stays"),
        (["Ada", "Bo"], "Ada, Bo are not sent yet and stay"),
        (["Ada", "Bo", "Cy", "Di"], "Ada, Bo, Cy and 1 more are not sent yet"),
        (["Ada"] * 5000, "Ada, Ada, Ada and 4997 more are not sent yet"),
    ],
)
def test_the_first_few_are_named_and_the_others_counted(names: list[str], said: str) -> None:
    sentence = kept_for_later(waiting(*names), "Riverside").sentence
    assert sentence.startswith(said)
    assert "for Riverside" in sentence


def test_no_name_makes_the_sentence_long_or_breaks_its_line() -> None:
    long = kept_for_later(waiting("A\nB\tC" + "x" * 5000, "{odd}"), "R" * 5000).sentence
    assert len(long) < 300
    assert "A B C" in long
    assert "{odd}" in long


def test_somebody_without_a_name_is_named_by_what_was_typed() -> None:
    (entry,) = waiting("")
    assert kept_for_later([entry], "").sentence.strip()
