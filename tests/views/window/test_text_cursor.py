"""A field that is left alone is painted no more, and its cursor stays to be seen."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.views.window.text_cursor import TextCursorRest

Run = Callable[[Coroutine[Any, Any, Any]], Any]
REST_MS = 50


class Paintings(QObject):
    """Counts how often a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.many = 0
        widget.installEventFilter(self)

    async def within(self, seconds: float) -> int:
        """How many there are in that time, from now on."""
        before = self.many
        await asyncio.sleep(seconds)
        return self.many - before

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        self.many += event.type() is QEvent.Type.Paint
        return False


@pytest.fixture
def rest(qapp: QApplication) -> Iterator[TextCursorRest]:
    made = TextCursorRest(qapp, REST_MS)
    yield made
    shiboken6.delete(made)
    qapp.setCursorFlashTime(-1)


@pytest.mark.usefixtures("rest")
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_the_cursor_of_a_field_that_is_left_alone_stands_still(
    run: Run, qapp: QApplication, kind: type[QLineEdit | QPlainTextEdit]
) -> None:
    async def work() -> None:
        window = QWidget()
        field, other = kind(), QLineEdit()
        rows = QVBoxLayout(window)
        rows.addWidget(field)
        rows.addWidget(other)
        window.show()
        window.activateWindow()
        field.setFocus()
        async with asyncio.timeout(20):
            while qapp.cursorFlashTime() or qapp.focusWidget() is not field:  # noqa: ASYNC110 - looks on
                await asyncio.sleep(0.01)
        painted = field.viewport() if isinstance(field, QPlainTextEdit) else field
        paintings = Paintings(painted)
        async with asyncio.timeout(20):
            # What comes first may be the window's first picture. One that blinks, which is twice
            # in a second, never comes to a stretch in which nothing is painted.
            while await paintings.within(1.2):
                pass
        QTest.keyClick(field, Qt.Key.Key_A)
        assert qapp.cursorFlashTime() > 0
        await asyncio.sleep(3 * REST_MS / 1000)
        assert qapp.cursorFlashTime() == 0
        other.setFocus()
        assert qapp.cursorFlashTime() > 0
        shiboken6.delete(window)

    run(work())
