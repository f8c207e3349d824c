"""What the dialog goes on saying after a page has tried something, and the ways to close it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QWidget

from app.api.sign_in.oauth import Grant
from tests.views.conftest import REDIRECT

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]
DialogAt = Callable[[str], Any]

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)

FILE = {"Content-Type": "application/octet-stream"}
PAINTED = (
    "<script>requestAnimationFrame(() => setTimeout(() => { document.title = 'shown' }))</script>"
)


@pytest.mark.parametrize("file", ["<a id=a href=/file>", "<a id=a download=x href=/file>"])
def test_after_a_refused_file_the_dialog_goes_on_speaking_and_signing_in_goes_on(
    run: Run, dialog_at: DialogAt, serve: Serve, file: str
) -> None:
    html = f"{file}x</a>{PAINTED}"
    base_url, _ = serve(
        {
            "/oauth": (200, {}, html),
            "/file": (200, FILE, "x"),
            "/honest": (302, {"Location": f"{REDIRECT}#access_token=a&expires_in=60"}, ""),
        }
    )
    subject = dialog_at(base_url)

    async def story() -> object:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        page = subject.view.page()
        for _ in range(2):
            page.runJavaScript("a.click()")
            await subject.says("does not save files")
            page.runJavaScript("alert('and on')")
            await subject.says("and on")
        page.runJavaScript("location = '/honest'")
        return await task

    assert isinstance(run(story()), Grant)


LOUD = "\u202eevil\u2066\x00\x07\x1b[31m" + "line\n" * 200 + "x" * 100_000


def test_what_a_page_says_is_a_line_or_two_without_signs_that_turn_others(
    run: Run, dialog_at: DialogAt, serve: Serve
) -> None:
    signs = "".join(f"\\u{ord(sign):04x}" for sign in LOUD[:12])
    script = f"alert('{signs}' + 'line\\n'.repeat(200) + 'x'.repeat(100000))"
    base_url, _ = serve({"/oauth": (200, {}, f"hello<script>{script}</script>{PAINTED}")})
    subject = dialog_at(base_url)

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        await subject.says("The page says: evil [31")
        (said,) = [each for each in subject.sentences() if each.startswith("The page says")]
        assert said.isprintable()
        assert len(said) < 200
        cancel = next(
            each for each in subject.dialog.findChildren(QPushButton) if each.text() == "Cancel"
        )
        corner = cancel.mapTo(subject.dialog, QPoint(cancel.width(), cancel.height()))
        assert subject.dialog.rect().contains(corner)
        QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)

    run(story())


class Below(QMainWindow):
    """The program's window: it asks for an orderly end before it closes."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        self.asked += 1
        event.ignore()


@pytest.fixture
def window(browser_engine: None) -> Any:  # noqa: ARG001 - it has to run first
    below = Below()
    below.resize(900, 900)
    below.setCentralWidget(QPushButton("below"))
    below.show()
    yield below
    shiboken6.delete(below)


def closed_by_the_system(_subject: Any, below: Below) -> None:
    """As a click on the frame's cross arrives: Qt drops it where a dialog is modal."""
    assert QApplication.activeModalWidget() is None
    frame = below.windowHandle()
    assert frame is not None
    QApplication.sendEvent(frame, QCloseEvent())


def closed_by_its_keys(subject: Any, _below: Below) -> None:
    QTest.keyClick(subject.keyboard, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("close", [closed_by_the_system, closed_by_its_keys])
def test_closing_the_window_below_closes_both(
    run: Run, dialog_at: DialogAt, serve: Serve, window: Below, close: Callable[[Any, Below], None]
) -> None:
    base_url, _ = serve({"/oauth": (200, {}, f"hello{PAINTED}")})
    subject = dialog_at(base_url)

    async def story() -> object:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        close(subject, window)
        return await asyncio.wait_for(task, 5)

    assert run(story()) is None
    assert window.asked == 1


def test_the_window_below_takes_nothing_in_meanwhile(
    run: Run, dialog_at: DialogAt, serve: Serve, window: Below
) -> None:
    base_url, _ = serve({"/oauth": (200, {}, f"hello{PAINTED}")})
    subject = dialog_at(base_url)
    pressed: list[None] = []
    below: QWidget | None = window.centralWidget()
    assert isinstance(below, QPushButton)
    below.clicked.connect(lambda: pressed.append(None))

    def press() -> None:
        frame = window.windowHandle()
        assert frame is not None
        QTest.mouseClick(frame, Qt.MouseButton.LeftButton, pos=QPoint(400, 400))

    async def story() -> None:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        press()
        assert pressed == []
        subject.dialog.close()
        await task
        press()

    run(story())
    assert len(pressed) == 1
