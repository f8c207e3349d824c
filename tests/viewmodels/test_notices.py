"""What the sentences across the window say."""

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.viewmodels.notices import (
    Notice,
    NoticeAction,
    closing_words,
    given_people_wait,
    named_in,
    needs_person,
    signing_out_words,
)
from tests.store.outbox_entries import entry


def refused(number: int, reason: str = "") -> OutboxEntry:
    person = NewPerson(firstname="Ada", lastname=f"L{number}")
    return entry(number, EntryState.REFUSED, new_person=person, reason=reason)


def test_one_refusal_says_who_and_why_and_several_are_counted() -> None:
    one = needs_person((refused(1, "Too long."),), 1, 1)
    assert one == Notice("Ada L1 was not added. Too long.", NoticeAction.SHOW_NEEDED)
    three = tuple(refused(at) for at in range(3))
    many = needs_person(three, 12, 12)
    assert many is not None
    assert many.sentence.startswith(
        "12 people were not added: Ada L0, Ada L1, Ada L2 and 9 more. Beside each"
    )
    alike = needs_person((refused(1, "Too long."), refused(2, "Too long.")), 2, 2)
    assert alike is not None
    assert alike.sentence == "2 people were not added: Ada L1, Ada L2. Too long."
    unlike = needs_person((refused(1, "Too long."), refused(2, "Blank.")), 2, 2)
    assert unlike is not None
    assert "Too long." not in unlike.sentence
    mixed = needs_person(three, 4, 3)
    assert mixed is not None
    assert mixed.sentence == "4 people need you: Ada L0, Ada L1, Ada L2 and 1 more."
    assert needs_person((), 0, 0) is None


def test_leaving_names_the_half_typed_line_and_everybody_who_is_not_sent() -> None:
    """Where nothing is kept, as on a disk that is full: both would be lost."""
    closing = closing_words(half_typed=True, undecided=0, unsent=5)
    signing_out = signing_out_words(half_typed=True, unsent=5, kept=False)
    for words in (closing, signing_out):
        assert words.startswith("The line for adding a person is not empty, and 5 people are not ")
    # Who is in the file of the account is not.
    assert "lost" not in signing_out_words(half_typed=True, unsent=5, kept=True)


@pytest.mark.parametrize("in_demo", [False, True])
def test_of_several_from_outside_the_first_is_named_and_the_others_are_counted(
    *, in_demo: bool
) -> None:
    ada = "Ada Lovelace ada@x.example"
    for texts, named in (
        ([ada], f"“{ada}” can"),
        ([f"{ada}\n\nBob"], f"“{ada}” and 1 other can"),
        ([ada, "Bob\nEve", ada], f"“{ada}” and 3 others can"),
    ):
        sentence = given_people_wait(texts, in_demo=in_demo, lasts=True).sentence
        assert sentence.startswith(f"{named} be added once you are signed in")
        assert ("your own account" in sentence) is in_demo


def test_of_very_many_from_outside_the_first_few_are_named_and_the_others_counted() -> None:
    long = f"{'Lovelace ' * 9}ada@x.example"
    assert named_in(["Ada\n\nBob"]) == "Ada, Bob"
    assert named_in(["Ada\nBob\nEve\nJo", long]) == "Ada, Bob, Eve and 2 more"
    assert named_in([f"{long}\nBob"]) == f"{long[:40]}…, Bob"
    assert named_in([" \n"]) == ""
