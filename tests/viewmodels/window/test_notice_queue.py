"""Which sentence stands across the window, of several that want to."""

import pytest

from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.window.notice_queue import NoticeQueue

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
