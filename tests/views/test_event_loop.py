"""The loop on which a test presses keys and the mouse."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def test_a_task_that_wakes_while_another_presses_or_waits_goes_on_afterwards(
    run: Callable[[Coroutine[Any, Any, Any]], Any],
) -> None:
    widget = QWidget()
    ways: list[Callable[[], object]] = [
        lambda: QTest.mouseMove(widget, QPoint(4, 4)),
        lambda: QTest.mouseClick(widget.windowHandle(), Qt.MouseButton.LeftButton),
        lambda: QTest.keyClick(widget.windowHandle(), Qt.Key.Key_A),
        lambda: QTest.qWait(5),
        QApplication.processEvents,
    ]
    turns: list[int] = []

    async def take_turns() -> None:
        while True:
            turns.append(len(turns))
            await asyncio.sleep(0)

    async def work() -> None:
        widget.show()
        other = asyncio.ensure_future(take_turns())
        for way in ways:
            await asyncio.sleep(0)
            before = len(turns)
            way()
            assert len(turns) == before
            await asyncio.sleep(0.01)
            assert len(turns) > before
        other.cancel()
        await asyncio.wait({other})
        shiboken6.delete(widget)

    run(work())
