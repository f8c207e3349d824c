"""Taking back a waiting entry with the mouse, which nobody does by accident."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from app.model.outbox import EntryState
from app.viewmodels.people.table import Column
from tests.views.people.people_desk import NO, PeopleDesk, Run, crowd, with_desk

MANY = crowd(40)
LEFT = Qt.MouseButton.LeftButton


def target(desk: PeopleDesk) -> QRect:
    """Where the entry in the first row is taken back."""
    option = QStyleOptionViewItem()
    desk.view.initViewItemOption(option)
    option.rect = desk.view.visualRect(desk.index(0))
    place = desk.view._delegate.undo_place(option, desk.index(0))
    assert place is not None
    return place


def asked_to_undo(desk: PeopleDesk) -> list[object]:
    asked: list[object] = []
    desk.view.undo_clicked.connect(asked.append)
    return asked


@pytest.mark.parametrize("width", [400, 560, 1600])
def test_a_click_on_the_row_chooses_it_and_only_one_on_the_mark_takes_it_back(
    run: Run, width: int
) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.window.resize(width, 400)
        entry = desk.office.add("Bartholomew", "Longfellow")
        asked, mark = asked_to_undo(desk), target(desk)
        assert mark.width() <= 24
        assert mark.height() <= 24
        for x in range(2, desk.view.viewport().width() - 2, 5):
            if mark.left() <= x <= mark.right():
                continue
            desk.view.clearSelection()
            place = QPoint(x, mark.center().y())
            QTest.mouseClick(desk.view.viewport(), LEFT, NO, place)
            assert (desk.selected, asked) == (["Bartholomew Longfellow"], [])
        QTest.mouseClick(desk.view.viewport(), LEFT, NO, mark.center())
        assert asked == [entry.id]

    with_desk(run, work, *MANY)


def test_taking_back_chooses_nobody_else(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.click(3, Column.NAME)
        desk.office.add("Zora")
        asked = asked_to_undo(desk)
        QTest.mouseClick(desk.view.viewport(), LEFT, NO, target(desk).center())
        assert (desk.selected, len(asked)) == (["P003"], 1)

    with_desk(run, work, *MANY)


def test_who_lets_go_elsewhere_did_not_mean_it(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.office.add("Zora")
        asked, mark, view = asked_to_undo(desk), target(desk), desk.view.viewport()
        QTest.mousePress(view, LEFT, NO, mark.center())
        QTest.mouseRelease(view, LEFT, NO, mark.center() - QPoint(60, 0))
        QTest.mousePress(view, LEFT, NO, mark.center() - QPoint(60, 0))
        QTest.mouseRelease(view, LEFT, NO, mark.center())
        QTest.mouseClick(view, Qt.MouseButton.RightButton, NO, mark.center())
        assert asked == []

    with_desk(run, work, *MANY)


def test_what_is_no_longer_held_has_no_mark(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        entry = desk.office.add("Zora")
        mark, asked = target(desk), asked_to_undo(desk)
        await desk.office.sent(entry, EntryState.ADDED)
        QTest.mouseClick(desk.view.viewport(), LEFT, NO, mark.center())
        assert (asked, desk.selected) == ([], ["Zora"])

    with_desk(run, work, *MANY)
