"""Escape belongs to what comes before all else in a window, but for what lies over that."""

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from app.views.window.escape_first import EscapeFirst


class Over(QLineEdit):
    keeps_escape = True


def test_what_lies_over_the_window_has_escape_for_itself(qapp: QApplication) -> None:  # noqa: ARG001 - Qt must be there
    window = QWidget()
    field, over = QLineEdit(), Over()
    rows = QVBoxLayout(window)
    rows.addWidget(field)
    rows.addWidget(over)
    acted: list[bool] = []
    escape = EscapeFirst(window, lambda: True, lambda: acted.append(True))
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    field.setFocus()
    escape.follow()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert acted == [True]
    over.setFocus()
    QTest.keyClick(over, Qt.Key.Key_Escape)
    assert acted == [True]
    shiboken6.delete(window)
