"""What a page in the real browser may do to the window and the computer: little."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from tests.views.sign_in.web_pages import BIG, OpenDialog, Run, Serve, page

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)


def test_a_later_failure_stays_in_the_window_with_a_way_on(
    run: Run, open_dialog: OpenDialog
) -> None:
    subject, asked = open_dialog({"/oauth": page(f"<a href=http://account.invalid/ {BIG}>on</a>")})

    async def story() -> None:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        subject.click()
        await subject.says("account.invalid")
        buttons = subject.dialog.findChildren(QPushButton)
        again = next(button for button in buttons if button.text() == "Load it again")
        before = len(asked)
        QTest.mouseClick(again, Qt.MouseButton.LeftButton)
        await subject.until(lambda: len(asked) > before)
        await subject.until(lambda: not again.isVisible())
        assert not task.done()

    run(story())


def test_the_boxes_of_a_page_become_a_sentence_and_hold_nothing_up(
    run: Run, open_dialog: OpenDialog
) -> None:
    script = "document.title = [alert('hello'), confirm('sure?'), prompt('name?', 'x')].join()"
    subject, _ = open_dialog({"/oauth": (200, {}, f"<script>{script}</script>")})

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled(",false,")
        await subject.says("The page says: name?")

    run(story())


def test_a_link_to_a_new_window_opens_in_this_one_and_back_leads_back(
    run: Run, open_dialog: OpenDialog
) -> None:
    subject, _ = open_dialog(
        {"/oauth": page(f"<a href=/help target=_blank {BIG}>x</a>"), "/help": page("x", "help")}
    )

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        subject.click()
        await subject.titled("help")
        QTest.keyClick(subject.keyboard, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        await subject.titled("shown")

    run(story())


def test_a_page_is_not_told_where_the_computer_is_and_may_not_notify(
    run: Run, open_dialog: OpenDialog
) -> None:
    script = (
        "navigator.geolocation.getCurrentPosition(() => {}, async error => {"
        "document.title = error.code + await Notification.requestPermission() })"
    )
    subject, _ = open_dialog({"/oauth": (200, {}, f"<script>{script}</script>")})

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("1denied")

    run(story())


def test_what_a_page_writes_to_its_console_reaches_no_log(
    run: Run,
    open_dialog: OpenDialog,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = "console.error('access_token=canary'); document.title = 'written'"
    subject, _ = open_dialog({"/oauth": (200, {}, f"<script>{script}</script>")})

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("written")

    run(story())
    assert "canary" not in "".join(capfd.readouterr()) + caplog.text


def test_a_service_that_breaks_down_is_said_in_the_window(
    run: Run, open_dialog: OpenDialog
) -> None:
    subject, _ = open_dialog({"/oauth": (503, {}, "<title>broken</title>We are closed")})

    async def story() -> None:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.says("The service has a problem")
        assert not task.done()

    run(story())


def test_an_open_list_in_the_page_is_closed_by_escape_before_the_window(
    run: Run, open_dialog: OpenDialog
) -> None:
    choose = f"<select {BIG}><option>one<option>two</select>"
    subject, _ = open_dialog({"/oauth": page(choose)})

    async def story() -> None:
        def lists() -> int:
            shown = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
            return len(shown) - 2

        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        subject.click()
        await subject.until(lists)
        QTest.keyClick(subject.keyboard, Qt.Key.Key_Escape)
        await subject.until(lambda: not lists())
        assert not task.done()
        QTest.keyClick(subject.keyboard, Qt.Key.Key_Escape)
        assert await task is None

    run(story())


def test_the_host_above_the_page_is_that_of_the_page_one_sees(
    run: Run, open_dialog: OpenDialog, serve: Serve
) -> None:
    slow, slow_asked = serve({"/slow": (0, {}, "")})
    elsewhere = slow.replace("127.0.0.1", "localhost")
    subject, _ = open_dialog(
        {"/oauth": page(f"<a href={elsewhere}/slow target=_blank {BIG}>x</a>")}
    )

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        subject.click()
        await subject.until(lambda: slow_asked)
        assert "127.0.0.1" in subject.dialog.accessibleDescription()
        assert "localhost" not in subject.dialog.accessibleDescription()

    run(story())


def test_the_keys_make_the_page_larger_and_smaller(run: Run, open_dialog: OpenDialog) -> None:
    subject, _ = open_dialog({"/oauth": page("hello")})

    async def story() -> None:
        subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        for key, larger in ((Qt.Key.Key_Plus, True), (Qt.Key.Key_0, False)):
            QTest.keyClick(subject.keyboard, key, Qt.KeyboardModifier.ControlModifier)
            await subject.until(lambda wanted=larger: (subject.view.zoomFactor() > 1) == wanted)

    run(story())
