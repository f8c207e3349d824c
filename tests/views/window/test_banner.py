"""The sentence across the window: read out once, and gone without taking the keyboard along."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.banner import Banner

Said = list[tuple[str, QAccessible.AnnouncementPoliteness]]


class BannerFixture:
    """A line to type in, below a banner."""

    def __init__(self) -> None:
        self.window = QWidget()
        self.closed = 0
        self.banner = Banner()
        self.banner.closed.connect(self.close)
        self.line = QLineEdit()
        rows = QVBoxLayout(self.window)
        rows.addWidget(self.banner)
        rows.addWidget(self.line)

    def close(self) -> None:
        self.closed += 1
        self.banner.hide()

    def button(self, words: str) -> QPushButton:
        buttons = self.banner.findChildren(QPushButton)
        return next(each for each in buttons if each.text() == words and each.isVisible())


@pytest.fixture
def subject(qtbot: QtBot) -> Iterator[BannerFixture]:
    subject = BannerFixture()
    subject.window.show()
    subject.window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is subject.window)
    subject.line.setFocus()
    yield subject
    shiboken6.delete(subject.window)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """What a screen reader is told, and how pressingly."""
    heard: Said = []

    def hear(event: object) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        heard.append((event.message(), event.politeness()))

    monkeypatch.setattr("PySide6.QtGui.QAccessible.updateAccessibility", hear)
    return heard


def test_it_is_read_out_once_and_a_problem_more_pressingly(
    subject: BannerFixture, said: Said
) -> None:
    politeness = QAccessible.AnnouncementPoliteness
    subject.banner.say("All is well.", calm=True)
    subject.banner.say("All is well.", calm=True)
    subject.banner.say("No connection.", "Copy details", lambda: None)
    subject.banner.say("No connection.", "Copied", lambda: None)
    assert said == [
        ("All is well.", politeness.Polite),
        ("No connection.", politeness.Assertive),
    ]


def test_the_same_words_are_read_out_again_when_they_had_gone(
    subject: BannerFixture, said: Said
) -> None:
    subject.banner.say("No connection.")
    subject.banner.hide()
    subject.banner.say("No connection.")
    assert len(said) == 2


def test_the_keyboard_comes_to_the_action_first_then_the_second_then_close(
    subject: BannerFixture,
) -> None:
    done: list[str] = []
    subject.banner.say(
        "Locked.",
        "Sign in again",
        lambda: done.append("sign in"),
        also=("Try again", lambda: done.append("try")),
    )
    assert QApplication.focusWidget() is subject.line
    assert subject.banner.enter()
    for words in ("Sign in again", "Try again", "Close"):
        focus = QApplication.focusWidget()
        assert focus is subject.button(words)
        QTest.keyClick(focus, Qt.Key.Key_Return)
        if words != "Close":
            QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert done == ["sign in", "try"]
    assert subject.closed == 1
    assert QApplication.focusWidget() is subject.line


def test_the_button_that_puts_it_away_says_what_that_means(subject: BannerFixture) -> None:
    subject.banner.say("Close all the same?", "Close Front Desk", lambda: None, close="Stay")
    subject.button("Stay").click()
    assert subject.closed == 1
    subject.banner.say("No connection.")
    assert subject.button("Close").isVisible()


def test_what_is_still_true_stands_below_with_its_own_action(
    subject: BannerFixture, said: Said, qtbot: QtBot
) -> None:
    done: list[str] = []
    subject.banner.say("No connection.", "Copy details", lambda: None)
    low = subject.banner.sizeHint().height()
    subject.banner.say_beside("2 people need you.", "Show", lambda: done.append("shown"))
    qtbot.waitUntil(lambda: subject.banner.sizeHint().height() > low)
    subject.banner.enter()
    for words in ("Copy details", "Close", "Show"):
        focus = QApplication.focusWidget()
        assert focus is subject.button(words)
        QTest.keyClick(focus, Qt.Key.Key_Return if words == "Show" else Qt.Key.Key_Tab)
    assert done == ["shown"]
    assert [words for words, _ in said] == ["No connection.", "2 people need you."]
    subject.banner.say_beside("")
    assert QApplication.focusWidget() is subject.line
    qtbot.waitUntil(lambda: subject.banner.sizeHint().height() == low)


def test_an_action_that_goes_gives_the_keyboard_back(subject: BannerFixture) -> None:
    subject.banner.say("No connection.", "Copy details", lambda: None)
    subject.banner.enter()
    subject.banner.say("Something else.", calm=True)
    assert QApplication.focusWidget() is subject.line


def test_no_key_answers_a_question_that_was_not_there(subject: BannerFixture) -> None:
    answered: list[bool] = []
    subject.banner.say("Your sign-in has ended.", "Sign in again", lambda: None)
    subject.banner.enter()
    subject.banner.say("Is it the same account?", "Yes", lambda: answered.append(True))
    focus = QApplication.focusWidget()
    assert focus is subject.line
    QTest.keyClick(focus, Qt.Key.Key_Return)
    QTest.keyClick(focus, Qt.Key.Key_Space)
    assert answered == []


def test_nor_one_that_came_up_behind_a_dialog(subject: BannerFixture, qtbot: QtBot) -> None:
    subject.banner.say("Your sign-in has ended.", "Sign in again", lambda: None)
    subject.banner.enter()
    dialog = QDialog(subject.window)
    QLineEdit(dialog).setFocus()
    dialog.open()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    subject.banner.say("Is it the same account?", "Yes", lambda: None)
    dialog.close()
    assert subject.window.focusWidget() is subject.line


def test_an_action_whose_words_alone_are_others_keeps_the_keyboard(subject: BannerFixture) -> None:
    subject.banner.say("No connection.", "Copy details", lambda: None)
    subject.banner.enter()
    subject.banner.say("No connection.", "Copied", lambda: None)
    assert QApplication.focusWidget() is subject.button("Copied")


def test_there_is_nothing_to_go_to_while_nothing_is_said(subject: BannerFixture) -> None:
    assert not subject.banner.enter()
    assert not subject.banner.leave()
    assert QApplication.focusWidget() is subject.line
