"""Which sentence stands across the window, of several that want to."""

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.viewmodels.notices import (
    Notice,
    NoticeAction,
    NoticeQueue,
    closing_words,
    given_people_wait,
    named_in,
    needs_person,
    signing_out_words,
)
from tests.store.outbox_entries import entry

RESCUED = Notice("A file was damaged.")
CALM = Notice("3 people were waiting: sending", calm=True)
TROUBLE = Notice("The service could not be reached.")


def shown(queue: NoticeQueue) -> Notice | None:
    """The one that stands there now."""
    return queue.shown


def beside(queue: NoticeQueue) -> Notice | None:
    """What stands below it now."""
    return queue.beside


def test_what_has_to_be_read_stands_before_what_is_calm_and_behind_trouble() -> None:
    queue, read = NoticeQueue(), list[str]()
    queue.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    queue.said = CALM
    assert queue.shown is RESCUED
    queue.said = TROUBLE
    assert queue.shown is TROUBLE
    queue.read()
    assert (queue.shown, read) == (RESCUED, [])
    queue.read()
    assert (shown(queue), read) == (None, ["read"])


def test_who_would_be_missed_stands_before_trouble_said_earlier_and_behind_trouble_said_later() -> (
    None
):
    queue, read = NoticeQueue(), list[str]()
    missed, later = Notice("Ada is not sent.", first=True), Notice("The vault does not answer.")
    queue.put_up(RESCUED, lambda: read.append("rescued"), lambda: None)
    queue.said = TROUBLE
    queue.put_up(missed, lambda: read.append("missed"), lambda: None)
    assert queue.shown is missed
    queue.said = later
    assert queue.shown is later
    queue.said = TROUBLE
    queue.read()
    assert (queue.shown, read) == (TROUBLE, ["missed"])
    queue.read()
    assert (shown(queue), read) == (RESCUED, ["missed"])


def test_what_is_to_be_dealt_with_stands_behind_trouble_and_before_calm_words() -> None:
    queue, refused = NoticeQueue(), Notice("Ada Lovelace was not added.")
    queue.said, queue.pinned = CALM, refused
    assert queue.shown is refused
    queue.said = TROUBLE
    assert queue.shown is TROUBLE
    queue.read()
    assert queue.shown is refused
    queue.put_up(RESCUED, lambda: None, lambda: None)
    assert queue.shown is RESCUED
    queue.read()
    queue.read()
    assert shown(queue) is None


def test_what_is_to_be_dealt_with_is_told_beside_all_that_stands_before_it() -> None:
    queue, refused = NoticeQueue(), Notice("Ada Lovelace was not added.")
    queue.pinned = refused
    assert beside(queue) is None
    queue.said = TROUBLE
    assert beside(queue) is refused
    queue.question = Notice("Close all the same?", NoticeAction.CLOSE_ANYWAY)
    assert beside(queue) is refused
    queue.read()
    queue.read()
    assert (shown(queue), beside(queue)) == (refused, None)
    queue.put_up(RESCUED, lambda: None, lambda: None)
    assert (shown(queue), beside(queue)) == (RESCUED, refused)


@pytest.mark.parametrize("put_up", [False, True])
def test_what_somebody_asked_for_is_answered_below_what_stands_which_keeps_its_place(
    *, put_up: bool
) -> None:
    queue, stands = NoticeQueue(), Notice("Ada Lovelace was not added.", NoticeAction.SHOW_NEEDED)
    if put_up:
        queue.put_up(stands, lambda: None, lambda: None)
    else:
        queue.pinned = stands
    assert (shown(queue), beside(queue)) == (stands, None)
    queue.said = Notice("gaps.xlsx is saved.", calm=True)
    assert (shown(queue), beside(queue)) == (stands, queue.said)
    queue.read()
    assert (shown(queue), beside(queue)) == (queue.said, None)


def test_an_answer_is_told_also_where_two_others_stand() -> None:
    queue = NoticeQueue()
    queue.put_up(RESCUED, lambda: None, lambda: None)
    queue.pinned = Notice("Ada Lovelace was not added.", NoticeAction.SHOW_NEEDED)
    queue.said = Notice("gaps.xlsx is saved.", calm=True)
    both = "gaps.xlsx is saved. Ada Lovelace was not added."
    assert beside(queue) == Notice(both, NoticeAction.SHOW_NEEDED)
    queue.said = None
    assert (shown(queue), beside(queue)) == (RESCUED, queue.pinned)


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


def test_saying_yes_is_not_putting_away() -> None:
    queue, read = NoticeQueue(), list[str]()
    queue.agree()
    queue.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    queue.agree()
    assert (queue.shown, read) == (None, ["yes"])


def test_saying_no_is_neither_yes_nor_putting_away() -> None:
    queue, said = NoticeQueue(), list[str]()
    queue.decline()
    queue.put_up(
        RESCUED, lambda: said.append("read"), lambda: said.append("yes"), lambda: said.append("no")
    )
    queue.decline()
    assert (queue.shown, said) == (None, ["no"])


def test_what_is_no_longer_true_goes_unread() -> None:
    queue, read = NoticeQueue(), list[str]()
    queue.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    queue.said = CALM
    queue.take_down(RESCUED)
    assert queue.shown is CALM
    queue.take_down(CALM)
    assert (shown(queue), read) == (None, [])


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
