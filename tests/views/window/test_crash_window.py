"""The window for errors nobody expected is put away by the keys that put any dialog away."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.crash import CrashReporter
from app.views.window.crash import CrashReports


@pytest.fixture
def typing(qtbot: QtBot) -> Iterator[QLineEdit]:
    """A window in which somebody types."""
    made = QLineEdit()
    made.resize(900, 600)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.hasFocus)
    yield made
    shiboken6.delete(made)


@pytest.mark.logs_errors
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape])
@pytest.mark.parametrize("reads", [False, True])
def test_enter_and_escape_put_it_away(
    qtbot: QtBot,
    typing: QLineEdit,
    monkeypatch: pytest.MonkeyPatch,
    key: Qt.Key,
    *,
    reads: bool,
) -> None:
    monkeypatch.setattr("app.views.window.crash._UNSEEN_MS", 0)
    crashes = CrashReporter("test")
    reports = CrashReports(crashes)
    reports.stand_beside(typing)
    for told in ("the first", "the second"):
        crashes.report(RuntimeError(told), "here")
        qtbot.waitUntil(lambda: typing.findChild(QDialog) is not None)
        window = typing.findChild(QDialog)
        assert isinstance(window, QDialog)
        qtbot.waitUntil(window.isActiveWindow)
        focus: QWidget | None = QApplication.focusWidget()
        assert isinstance(focus, QPushButton)
        assert (focus.text(), focus.isDefault()) == ("Close", True)
        if reads:
            for _control in ("Copy details", "Details"):
                QTest.keyClick(focus, Qt.Key.Key_Backtab)
                focus = QApplication.focusWidget()
                assert focus is not None
            assert focus.accessibleName() == "Details"
        QTest.keyClick(focus, key)
        assert not window.isVisible()
        qtbot.waitUntil(typing.hasFocus)
    reports.close()


@pytest.mark.logs_errors
def test_what_was_typed_as_it_came_does_not_put_it_away(
    qtbot: QtBot, typing: QLineEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.views.window.crash._UNSEEN_MS", 60_000)
    crashes = CrashReporter("test")
    reports = CrashReports(crashes)
    reports.stand_beside(typing)
    crashes.report(RuntimeError("unseen"), "here")
    qtbot.waitUntil(lambda: typing.findChild(QDialog) is not None)
    window = typing.findChild(QDialog)
    assert isinstance(window, QDialog)
    qtbot.waitUntil(window.isActiveWindow)
    focus = QApplication.focusWidget()
    assert focus is not None
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        QTest.keyClick(focus, key)
        assert window.isVisible()
    reports.close()
    assert not window.isVisible()
