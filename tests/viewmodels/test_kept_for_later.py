"""Who is kept while nobody is in: said by name, however many they are and whatever is in a name."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.unsent_people import UnsentPeople
from app.store.outbox.outbox import Rescue
from app.viewmodels.notices import kept_for_later, rescued


def waiting(*names: str) -> tuple[OutboxEntry, ...]:
    moment = datetime(2026, 5, 3, tzinfo=UTC)
    return tuple(
        OutboxEntry(
            id=str(number),
            typed=name,
            new_person=NewPerson(firstname=name),
            state=EntryState.WAITING,
            typed_at=moment,
            send_at=moment,
        )
        for number, name in enumerate(names)
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ada"], "Ada is not sent yet and stays"),
        (["Ada", "Bo"], "Ada, Bo are not sent yet and stay"),
        (["Ada", "Bo", "Cy", "Di"], "Ada, Bo, Cy and 1 more are not sent yet"),
        (["Ada"] * 5000, "Ada, Ada, Ada and 4,997 more are not sent yet"),
    ],
)
def test_the_first_few_are_named_and_the_others_counted(names: list[str], said: str) -> None:
    sentence = kept_for_later(UnsentPeople(waiting(*names)), "Riverside").sentence
    assert sentence.startswith(said)
    assert "for Riverside" in sentence


def test_no_name_makes_the_sentence_long_or_breaks_its_line() -> None:
    kept = UnsentPeople(waiting("A\nB\tC" + "x" * 5000, "{odd}"))
    long = kept_for_later(kept, "R" * 5000).sentence
    assert len(long) < 300
    assert "A B C" in long
    assert "{odd}" in long
    elsewhere = kept_for_later(replace(kept, elsewhere="h" * 5000), "R" * 5000).sentence
    assert len(elsewhere) < 500


def test_somebody_without_a_name_is_named_by_what_was_typed() -> None:
    (entry,) = waiting("")
    assert kept_for_later(UnsentPeople((entry,)), "").sentence.strip()


def test_people_in_the_place_of_another_account_are_not_said_to_wait_for_it() -> None:
    kept = UnsentPeople(waiting("Ada"), elsewhere="https://riverside.example.org")
    notice = kept_for_later(kept, "Hillside")
    assert (
        "for another account or another address, https://riverside.example.org" in notice.sentence
    )
    assert "signing in to Hillside sends nobody" in notice.sentence
    assert "for Hillside, until" not in notice.sentence
    assert not notice.calm


def test_what_cannot_be_read_is_said_beside_those_who_could_be() -> None:
    unread = kept_for_later(UnsentPeople(unread="It is of a newer version."), "Hillside")
    assert unread.sentence == (
        "People for Hillside may be waiting on this computer whom Front Desk cannot read now. "
        "It is of a newer version."
    )
    rescue = Rescue("/aside", 1, may_miss=True)
    both = kept_for_later(UnsentPeople(waiting("Ada"), rescue=rescue), "Hillside")
    assert "was damaged. It is kept as /aside." in both.sentence
    assert "Ada is not sent yet and stays on this computer for Hillside" in both.sentence
    assert not unread.calm
    assert not both.calm


def test_who_was_set_aside_is_named_but_not_twice() -> None:
    kept = UnsentPeople(set_aside=waiting("Ada", "Bo"))
    assert kept_for_later(kept, "Hillside").sentence == (
        "Ada, Bo are not sent yet and were set aside on this computer, for Hillside at another "
        "address: they are here again once it is opened there."
    )
    told = Rescue("/aside", 2, may_miss=False, other_account=True, names=("Ada", "Bo"))
    assert kept_for_later(replace(kept, rescue=told), "Hillside").sentence.count("Ada, Bo") == 1
    damaged = Rescue("/aside", 2, may_miss=True)
    assert "Ada, Bo" in kept_for_later(replace(kept, rescue=damaged), "Hillside").sentence


def test_lists_that_could_not_be_read_whole_are_named() -> None:
    told = rescued(Rescue("/aside", 9, may_miss=True, lists=("choir.csv", "camp.xlsx"))).sentence
    assert "Not every row of the lists choir.csv, camp.xlsx could be read" in told
    assert "Not every row" not in rescued(Rescue("/aside", 9, may_miss=True)).sentence
