"""What a page of the account cannot do to the computer, however often it is clicked."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QClipboard, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]
DialogAt = Callable[[str], Any]

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)


@pytest.fixture
def clipboard(qapp: QApplication) -> Iterator[QClipboard]:
    """With something of the person's in it."""
    board = qapp.clipboard()
    board.setText("mine")
    yield board
    board.clear()


def page_of(tries: list[str]) -> Pages:
    """A page that tries the next one at every click."""
    listed = ",".join(f"() => {{ {each} }}" for each in tries)
    return {
        "/oauth": (
            200,
            {},
            (
                "<!doctype html><body><textarea id=field>theirs</textarea>"
                "<div id=cover style='position:fixed;inset:0'></div>"
                f"<script>const tries = [{listed}]; let done = 0;"
                "cover.onclick = () => { try { tries[done]() } catch {}"
                "setTimeout(() => { document.title = `done ${++done}` }, 40) };"
                "requestAnimationFrame(() => setTimeout(() => { document.title = 'painted' }))"
                "</script>"
            ),
        )
    }


SWAPPING = (
    "addEventListener('copy', event => { event.clipboardData.setData('text/plain', 'theirs');"
    "event.preventDefault() }, true)"
)
FILLING = [
    "field.select(); document.execCommand('copy')",
    "field.select(); document.execCommand('cut')",
    f"{SWAPPING}; document.execCommand('copy')",
    "navigator.clipboard.writeText('theirs').catch(() => 0)",
    (
        "navigator.clipboard.write([new ClipboardItem({'text/plain': new Blob(['theirs'])})])"
        ".catch(() => 0)"
    ),
    (
        "const frame = document.body.appendChild(document.createElement('iframe'));"
        "field.select(); frame.contentWindow.Document.prototype.execCommand.call(document, 'copy')"
    ),
]


def test_a_page_fills_no_clipboard(
    run: Run, dialog_at: DialogAt, serve: Serve, clipboard: QClipboard
) -> None:
    subject = dialog_at(serve(page_of(FILLING))[0])

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("painted")
        for number in range(len(FILLING)):
            subject.click()
            await subject.titled(f"done {number + 1}")
            assert clipboard.text() == "mine", FILLING[number]

    run(story())


@pytest.mark.parametrize("way", ["keys", "menu"])
def test_a_person_copies_what_is_selected_and_nothing_of_the_page_s_own(
    run: Run, dialog_at: DialogAt, serve: Serve, clipboard: QClipboard, way: str
) -> None:
    swaps = (
        "addEventListener('copy', event => { event.clipboardData.setData('text/plain', 'theirs')"
    )
    pages = page_of([f"{swaps}; event.preventDefault() }}); field.value = 'seen'; field.select()"])
    subject = dialog_at(serve(pages)[0])

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("painted")
        subject.click()
        await subject.titled("done 1")
        if way == "keys":
            QTest.keyClick(subject.keyboard, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        else:
            spot = QPoint(5, 5)
            subject.view.contextMenuEvent(
                QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, spot)
            )
            menu = subject.view.findChild(QMenu)
            next(each for each in menu.actions() if each.text() == "Copy").trigger()
            menu.close()
        await subject.until(lambda: clipboard.text() != "mine")
        assert clipboard.text() == "seen"

    run(story())


BOXES = [
    *(f"open_input({json.dumps(kind)}, {how})" for kind in ("color", "file") for how in (0, 1)),
    "showOpenFilePicker().catch(() => 0)",
    "showSaveFilePicker().catch(() => 0)",
    "showDirectoryPicker().catch(() => 0)",
    "print()",
    "navigator.mediaDevices.getDisplayMedia({video: true}).catch(() => 0)",
    "navigator.registerProtocolHandler('web+own', `${location.origin}/?%s`)",
    "document.documentElement.requestFullscreen().catch(() => 0)",
    (
        "navigator.credentials.create({publicKey: {rp: {name: 'x'}, user: {id: new Uint8Array(8), "
        "name: 'x', displayName: 'x'}, challenge: new Uint8Array(8), "
        "pubKeyCredParams: [{type: 'public-key', alg: -7}]}}).catch(() => 0)"
    ),
    "location = 'mailto:somebody@example.org'",
]
INPUT = (
    "const made = document.body.appendChild(document.createElement('input')); made.type = kind;"
    "how ? made.showPicker() : made.click()"
)


def test_a_page_opens_no_box_of_the_system(run: Run, dialog_at: DialogAt, serve: Serve) -> None:
    def open_windows() -> list[str]:
        shown = [each for each in QGuiApplication.allWindows() if each.isVisible()]
        return sorted(each.objectName() or each.title() for each in shown)

    status, headers, html = page_of(BOXES)["/oauth"]
    html += f"<script>function open_input(kind, how) {{ {INPUT} }}</script>"
    subject = dialog_at(serve({"/oauth": (status, headers, html)})[0])

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("painted")
        before = open_windows()
        for number in range(len(BOXES)):
            subject.click()
            await subject.titled(f"done {number + 1}")
            assert open_windows() == before, BOXES[number]
            assert not subject.dialog.isFullScreen()

    run(story())
