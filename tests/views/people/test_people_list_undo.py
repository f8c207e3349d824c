"""Taking back a waiting entry with the mouse, which nobody does by accident."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from app.model.outbox import EntryState
from app.viewmodels.people.table import Column
from app.views.look.theme import tokens
from tests.views.people.people_tab_fixture import NO, PeopleTabFixture, Run, crowd, with_people_tab
from tests.views.pictures import colours

MANY = crowd(40)
LEFT = Qt.MouseButton.LeftButton


def target(subject: PeopleTabFixture) -> QRect:
    """Where the entry in the first row is taken back."""
    option = QStyleOptionViewItem()
    subject.view.initViewItemOption(option)
    for column in Column:
        option.rect = subject.view.visualRect(subject.index(0, column))
        place = subject.view._delegate.undo_rect(option, subject.index(0, column))
        if place is not None:
            return place
    raise AssertionError("nothing can be taken back there")


def asked_to_undo(subject: PeopleTabFixture) -> list[object]:
    asked: list[object] = []
    subject.view.undo_clicked.connect(asked.append)
    return asked


@pytest.mark.parametrize("width", [400, 1600])
def test_a_click_on_the_row_chooses_it_and_only_one_on_the_mark_takes_it_back(
    run: Run, width: int
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(width, 400)
        entry = subject.account.add("Bartholomew", "Longfellow")
        asked, mark = asked_to_undo(subject), target(subject)
        assert mark.width() <= 24
        assert mark.height() <= 24
        across = subject.view.viewport().width()
        # All along the row, and every few pixels around the mark.
        near = range(mark.left() - 12, mark.right() + 13, 4)
        for x in sorted({*range(2, across - 2, 40), *near} & set(range(2, across - 2))):
            if mark.left() <= x <= mark.right():
                continue
            subject.view.clearSelection()
            place = QPoint(x, mark.center().y())
            QTest.mouseClick(subject.view.viewport(), LEFT, NO, place)
            assert (subject.selected, asked) == (["Bartholomew Longfellow"], [])
        QTest.mouseClick(subject.view.viewport(), LEFT, NO, mark.center())
        assert asked == [entry.id]

    with_people_tab(run, work, *MANY)


def test_taking_back_chooses_nobody_else(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.click(3, Column.NAME)
        subject.account.add("Zora")
        asked = asked_to_undo(subject)
        QTest.mouseClick(subject.view.viewport(), LEFT, NO, target(subject).center())
        assert (subject.selected, len(asked)) == (["P003"], 1)

    with_people_tab(run, work, *MANY)


def test_who_lets_go_elsewhere_did_not_mean_it(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.account.add("Zora")
        asked, mark, view = asked_to_undo(subject), target(subject), subject.view.viewport()
        QTest.mousePress(view, LEFT, NO, mark.center())
        QTest.mouseRelease(view, LEFT, NO, mark.center() - QPoint(60, 0))
        QTest.mousePress(view, LEFT, NO, mark.center() - QPoint(60, 0))
        QTest.mouseRelease(view, LEFT, NO, mark.center())
        QTest.mouseClick(view, Qt.MouseButton.RightButton, NO, mark.center())
        assert asked == []

    with_people_tab(run, work, *MANY)


def test_the_mark_is_seen_until_the_entry_is_no_longer_held(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        entry = subject.account.add("Zora")
        mark, asked = target(subject), asked_to_undo(subject)
        accent, view = tokens().accent, subject.view.viewport()
        assert accent in colours(view.grab(mark).toImage())
        await subject.account.sent(entry, EntryState.ADDED)
        subject.view.clearSelection()
        assert accent not in colours(view.grab(mark).toImage())
        QTest.mouseClick(subject.view.viewport(), LEFT, NO, mark.center())
        assert (asked, subject.selected) == ([], ["Zora"])

    with_people_tab(run, work, *MANY)
