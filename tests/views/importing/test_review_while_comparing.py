"""The page while the rows of a long list are compared behind the scenes."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLineEdit,
)

from app.importing.columns import ColumnField
from app.importing.verdicts import JudgedRows, RowKey
from app.tour.screen_reader import text_on_screen
from app.viewmodels.importing.review_table import Part
from tests.views.importing.review_window import LIST, ReviewPageFixture, Run, with_review

CROWD = LIST.splitlines()[0] + "\n"
MANY = 40
CROWD += "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(MANY + 20))
"""Who stands for all others of one name at one email is another: all are compared anew."""


@pytest.fixture
def slow_comparing(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What is done behind the scenes, where rows are so many, ends when this is set."""
    for module in ("changes_with_undo", "review"):
        monkeypatch.setattr(f"app.viewmodels.importing.{module}.MANY_ROWS", MANY)
    go_on = threading.Event()
    look_again = JudgedRows.look_again

    def slowly(rows: JudgedRows, key: RowKey) -> set[int]:
        if threading.current_thread() is not threading.main_thread():
            go_on.wait(5)
            go_on.set()  # whoever failed meanwhile sets it no more
        return look_again(rows, key)

    monkeypatch.setattr(JudgedRows, "look_again", slowly)
    yield go_on
    go_on.set()


@pytest.mark.parametrize("begin", ["typed", "F2"])
def test_a_cell_is_typed_into_while_one_of_a_crowd_is_compared(
    run: Run, slow_comparing: threading.Event, begin: str
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.screen.look(on=True)
        subject.go_to(5, Part.FIRSTNAME)
        if begin == "F2":
            subject.press(Qt.Key.Key_F2)
        else:
            subject.type("Cyr")
        line = subject.keyboard
        assert isinstance(line, QLineEdit)
        subject.account.add("Bo", "Zz0", "office@x.org")
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is line
        subject.type("il")
        slow_comparing.set()
        await subject.account.until(lambda: subject.cell(0, Part.VERDICT) == "already here")
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is line
        subject.press(Qt.Key.Key_Return)
        name = "Bo" if begin == "F2" else "Cyr"
        await subject.account.until(lambda: subject.cell(5, Part.FIRSTNAME) == name + "il")
        assert subject.page.list.hasFocus()

    with_review(run, work, CROWD)


def test_behind_enter_the_keyboard_is_on_the_rows_and_what_is_typed_waits_its_turn(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        told: list[object] = []
        subject.screen.verdict_told.connect(told.append)
        subject.go_to(0, Part.FIRSTNAME)
        subject.type("Cy")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is subject.page.list
        subject.press(Qt.Key.Key_Right)
        subject.type("King")
        subject.press(Qt.Key.Key_Tab)
        subject.type("cy@x.org")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        subject.press(Qt.Key.Key_Delete)
        subject.go_to(1, Part.FIRSTNAME)
        subject.type("Di")
        line = subject.keyboard
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is line
        subject.press(Qt.Key.Key_Escape)
        row = [subject.cell(0, part) for part in (Part.FIRSTNAME, Part.LASTNAME, Part.EMAIL)]
        assert row == ["Cy", "King", "cy@x.org"]
        assert subject.cell(0, Part.VERDICT) == "left out"
        assert len(told) == 3
        # The last that was done is undone first.
        for _ in range(2):
            subject.page.undo()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert (subject.cell(0, Part.EMAIL), subject.cell(0, Part.LASTNAME)) == (
            "office@x.org",
            "King",
        )

    with_review(run, work, CROWD)


def test_nobody_is_added_while_rows_are_compared_and_that_is_said(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.screen.look(on=True)
        assert subject.keyboard is subject.page.add_button
        subject.account.add("Bo", "Zz0", "office@x.org")
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is subject.page.add_button
        assert "Nobody is added before that is done." in text_on_screen()
        subject.press(Qt.Key.Key_Return)
        await asyncio.sleep(0.05)
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert "Nobody is added before" not in text_on_screen()
        assert not subject.added
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: bool(subject.added))

    with_review(run, work, CROWD + "Grace\tHopper\tgrace@x.org\t\n")


def test_no_cell_is_opened_while_others_are_about_to_stand_in_the_rows(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(0, Part.FIRSTNAME)
        subject.type("Cy")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.screen.state.busy)
        subject.screen.take_column(0, ColumnField.LASTNAME)
        subject.screen.take_column(1, ColumnField.FIRSTNAME)
        for key in (Qt.Key.Key_F2, Qt.Key.Key_X, Qt.Key.Key_Delete):
            subject.press(key)
            assert subject.keyboard is subject.page.list
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is subject.page.list
        assert [subject.cell(1, part) for part in (Part.FIRSTNAME, Part.LASTNAME)] == ["Zz1", "Bo"]
        assert "left out" not in {subject.cell(row, Part.VERDICT) for row in range(MANY + 20)}

    with_review(run, work, CROWD)
