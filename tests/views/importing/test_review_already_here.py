"""Who may be here already, below the cell that is typed into."""

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.model.person import Person
from app.tour.screen_reader import named, text_on_screen, visible
from app.viewmodels.importing.review_table import Part
from app.views.widgets.already_here import AlreadyHere

if TYPE_CHECKING:
    from app.viewmodels.already_here import DuplicateHint
from tests.views.importing.review_window import ALT, CTRL, ReviewPageFixture, Run, with_review
from tests.views.moment import Moment


def panel() -> AlreadyHere | None:
    return next((each for each in visible(AlreadyHere) if isinstance(each, AlreadyHere)), None)


def place_in(page: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(page, QPoint()), widget.size())


def test_whoever_is_here_stands_below_the_cell_that_is_typed_into(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(3, Part.EMAIL)
        subject.press(Qt.Key.Key_F2)
        subject.press(Qt.Key.Key_A, CTRL)
        stood = [place_in(subject.page, each) for each in subject.page.findChildren(QPushButton)]
        QTest.keyClicks(subject.keyboard, "ada@x.org")
        here = panel()
        assert here is not None
        for words in ("Already here?", "Ada Lovelace", "ada@x.org", "same email", "Alt+1"):
            assert words in text_on_screen()
        cell = place_in(subject.page, subject.keyboard)
        assert 0 < here.geometry().top() - cell.bottom() < 10
        assert "same email" in subject.keyboard.accessibleDescription()
        buttons = subject.page.findChildren(QPushButton)
        mine = [each for each in buttons if not here.isAncestorOf(each)]
        assert [place_in(subject.page, each) for each in mine] == stood, "nothing moves"
        subject.press(Qt.Key.Key_Escape)
        assert panel() is None

    with_review(run, work)


def test_one_who_is_here_stands_below_where_there_is_room_for_three(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.window.resize(900, 420)
        subject.go_to(2, Part.EMAIL)
        subject.type("ada@x.org")
        here = panel()
        assert here is not None
        row = here.buttons[0].parentWidget()
        assert isinstance(row, QWidget)
        cell, viewport = place_in(subject.page, subject.keyboard), subject.page.list.viewport()
        three = here.height() + 2 * (row.height() + 6)
        assert place_in(subject.page, viewport).bottom() - cell.bottom() > three + 5
        assert here.geometry().top() > cell.bottom()

    with_review(run, work)


def test_whoever_is_here_covers_no_button_below_and_not_the_cell(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        three = [Person(id=each, firstname="Mary", lastname="Quimby", email=None) for each in "bcd"]
        await subject.account.list_people(*three)
        await subject.account.settle_duplicates()
        sides = set()
        for row in (0, 2, 4, 6, 39):
            subject.go_to(row, Part.LASTNAME)
            subject.type("Quimby")
            here = panel()
            assert here is not None
            await asyncio.sleep(0.01)
            for words in filter(QLabel.isVisible, here.findChildren(QLabel)):
                assert here.rect().contains(place_in(here, words)), words.text()
            assert len([each for each in here.buttons if each.isVisible()]) == len(three)
            assert subject.page.rect().contains(here.geometry())
            cell = place_in(subject.page, subject.keyboard)
            sides.add(here.geometry().top() > cell.bottom())
            for each in (subject.page.add_button, subject.button("Discard"), subject.keyboard):
                assert not here.geometry().intersects(place_in(subject.page, each))
            subject.page.list.verticalScrollBar().setValue(0 if row == 39 else 10**6)
            assert panel() is None, "the cell is out of sight"
            subject.press(Qt.Key.Key_Escape)
        assert sides == {True, False}

    with_review(run, work, "First name\tLast name\n" + "Mary\tNobody\n" * 40)


def test_alt_and_a_number_open_that_person_and_the_cell_keeps_its_text(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        opened: list[tuple[DuplicateHint, object]] = []
        subject.page.person_wanted.connect(lambda *told: opened.append(told))
        subject.go_to(3, Part.EMAIL)
        subject.press(Qt.Key.Key_1, ALT)
        subject.press(Qt.Key.Key_A, CTRL)
        subject.type("ada@x.org")
        subject.press(Qt.Key.Key_2, ALT)
        assert opened == []
        subject.press(Qt.Key.Key_1, ALT)
        ((hint, screen),) = opened
        assert (hint.name, screen) == ("Ada Lovelace", subject.screen)
        assert panel() is None
        assert subject.cell(3, Part.EMAIL) == "ada@x.org"
        subject.page.hide()
        subject.page.show()
        line = subject.keyboard
        assert isinstance(line, QLineEdit)
        assert (line.text(), line.selectedText()) == ("ada@x.org", "")
        assert panel() is not None
        subject.type(".au")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert subject.cell(3, Part.EMAIL) == "ada@x.org.au"
        subject.page.hide()
        subject.page.show()
        assert not isinstance(subject.keyboard, QLineEdit), "once only"

    with_review(run, work)


def test_a_click_opens_somebody_who_has_stood_there_for_a_moment(moment: Moment, run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        opened: list[DuplicateHint] = []
        subject.page.person_wanted.connect(lambda hint, _screen: opened.append(hint))
        subject.go_to(3, Part.EMAIL)
        subject.type("ada@x.org")
        way = named("Open Ada Lovelace", QPushButton)
        assert way is not None
        QTest.mouseClick(way, Qt.MouseButton.LeftButton)
        assert opened == [], "somebody else may have stood there"
        assert isinstance(subject.keyboard, QLineEdit), "the cell keeps the keyboard"
        moment.passes()
        QTest.mouseClick(way, Qt.MouseButton.LeftButton)
        assert [hint.name for hint in opened] == ["Ada Lovelace"]

    with_review(run, work)


def test_who_may_be_here_is_read_out_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def announce(_widget: object, sentence: str) -> None:
        heard.append(sentence)

    monkeypatch.setattr("app.views.importing.review_page.announce", announce)

    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(3, Part.EMAIL)
        subject.type("ada@x.org")
        said = "Already here? Ada Lovelace, ada@x.org, same email"
        assert [words for words in heard if words.startswith(said)] == heard[-1:]
        before = len(heard)
        subject.type(" ")
        assert len(heard) == before

    with_review(run, work)
