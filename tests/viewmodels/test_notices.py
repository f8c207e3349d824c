"""Which sentence stands across the window, of several that want to."""

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.viewmodels.notices import Notice, NoticeAction, NoticeQueue, needs_person
from tests.store.outbox_entries import entry

RESCUED = Notice("A file was damaged.")
CALM = Notice("3 people were waiting: sending", calm=True)
TROUBLE = Notice("The service could not be reached.")


def shown(board: NoticeQueue) -> Notice | None:
    """The one that stands there now."""
    return board.shown


def beside(board: NoticeQueue) -> Notice | None:
    """What stands below it now."""
    return board.beside


def test_what_has_to_be_read_stands_before_what_is_calm_and_behind_trouble() -> None:
    board, read = NoticeQueue(), list[str]()
    board.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    board.said = CALM
    assert board.shown is RESCUED
    board.said = TROUBLE
    assert board.shown is TROUBLE
    board.read()
    assert (board.shown, read) == (RESCUED, [])
    board.read()
    assert (shown(board), read) == (None, ["read"])


def test_who_would_be_missed_stands_before_trouble_said_earlier_and_behind_trouble_said_later() -> (
    None
):
    board, read = NoticeQueue(), list[str]()
    missed, later = Notice("Ada is not sent.", first=True), Notice("The vault does not answer.")
    board.put_up(RESCUED, lambda: read.append("rescued"), lambda: None)
    board.said = TROUBLE
    board.put_up(missed, lambda: read.append("missed"), lambda: None)
    assert board.shown is missed
    board.said = later
    assert board.shown is later
    board.said = TROUBLE
    board.read()
    assert (board.shown, read) == (TROUBLE, ["missed"])
    board.read()
    assert (shown(board), read) == (RESCUED, ["missed"])


def test_what_is_to_be_dealt_with_stands_behind_trouble_and_before_calm_words() -> None:
    board, refused = NoticeQueue(), Notice("Ada Lovelace was not added.")
    board.said, board.standing = CALM, refused
    assert board.shown is refused
    board.said = TROUBLE
    assert board.shown is TROUBLE
    board.read()
    assert board.shown is refused
    board.put_up(RESCUED, lambda: None, lambda: None)
    assert board.shown is RESCUED
    board.read()
    board.read()
    assert shown(board) is None


def test_what_is_to_be_dealt_with_is_told_beside_all_that_stands_before_it() -> None:
    board, refused = NoticeQueue(), Notice("Ada Lovelace was not added.")
    board.standing = refused
    assert beside(board) is None
    board.said = TROUBLE
    assert beside(board) is refused
    board.question = Notice("Close all the same?", NoticeAction.CLOSE_ANYWAY)
    assert beside(board) is refused
    board.read()
    board.read()
    assert (shown(board), beside(board)) == (refused, None)
    board.put_up(RESCUED, lambda: None, lambda: None)
    assert (shown(board), beside(board)) == (RESCUED, refused)


@pytest.mark.parametrize("put_up", [False, True])
def test_what_somebody_asked_for_is_answered_below_what_stands_which_keeps_its_place(
    *, put_up: bool
) -> None:
    board, stands = NoticeQueue(), Notice("Ada Lovelace was not added.", NoticeAction.SHOW_NEEDED)
    if put_up:
        board.put_up(stands, lambda: None, lambda: None)
    else:
        board.standing = stands
    assert (shown(board), beside(board)) == (stands, None)
    board.said = Notice("gaps.xlsx is saved.", calm=True)
    assert (shown(board), beside(board)) == (stands, board.said)
    board.read()
    assert (shown(board), beside(board)) == (board.said, None)


def test_an_answer_is_told_also_where_two_others_stand() -> None:
    board = NoticeQueue()
    board.put_up(RESCUED, lambda: None, lambda: None)
    board.standing = Notice("Ada Lovelace was not added.", NoticeAction.SHOW_NEEDED)
    board.said = Notice("gaps.xlsx is saved.", calm=True)
    both = "gaps.xlsx is saved. Ada Lovelace was not added."
    assert beside(board) == Notice(both, NoticeAction.SHOW_NEEDED)
    board.said = None
    assert (shown(board), beside(board)) == (RESCUED, board.standing)


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
    board, read = NoticeQueue(), list[str]()
    board.agree()
    board.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    board.agree()
    assert (board.shown, read) == (None, ["yes"])


def test_saying_no_is_neither_yes_nor_putting_away() -> None:
    board, said = NoticeQueue(), list[str]()
    board.decline()
    board.put_up(
        RESCUED, lambda: said.append("read"), lambda: said.append("yes"), lambda: said.append("no")
    )
    board.decline()
    assert (board.shown, said) == (None, ["no"])


def test_what_is_no_longer_true_goes_unread() -> None:
    board, read = NoticeQueue(), list[str]()
    board.put_up(RESCUED, lambda: read.append("read"), lambda: read.append("yes"))
    board.said = CALM
    board.take_down(RESCUED)
    assert board.shown is CALM
    board.take_down(CALM)
    assert (shown(board), read) == (None, [])
