"""Signing in with mouse and keys in the real browser, on the demo account's real pages."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import AuthorisationRequest, Grant, OneTimeCode, WebAuthorisationRequest
from app.demo.server import DemoAccess, DemoServer
from app.runtime.secrets import redact
from app.views.sign_in.browser import BrowserProfile, authorise

Run = Callable[[Coroutine[Any, Any, Any]], Any]

# The platform without a screen says so for every window that has a smallest size.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints", extend=True)


class Visitor:
    """Somebody at the computer: looks at the page, clicks into it and types."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    @property
    def dialog(self) -> QDialog:
        dialog = self._window.findChild(QDialog)
        assert dialog is not None
        return dialog

    @property
    def view(self) -> QWebEngineView:
        view = self.dialog.findChild(QWebEngineView)
        assert view is not None
        return view

    async def asks(self, script: str) -> Any:
        """What a script in the page gives, as data."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.view.page().runJavaScript(f"JSON.stringify({script})", answer.set_result)
        text = await asyncio.wait_for(answer, 60)
        return json.loads(text) if text else None

    async def sees(self, text: str) -> None:
        """Wait until the page says `text` on the screen: before it is painted it takes no click."""
        words = "document.body ? document.body.innerText : ''"
        painted = "performance.getEntriesByType('paint').length > 0"
        async with asyncio.timeout(60):
            while text not in str(await self.asks(f"{painted} ? {words} : ''")):  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.02)

    async def clicks(self, selector: str) -> None:
        """Press the mouse in the middle of an element, scrolled to where it can be seen."""
        find = f"document.querySelector({json.dumps(selector)})"
        await self.asks(f"{find}.scrollIntoView()")
        box = await self.asks(f"{find}.getBoundingClientRect()")
        factor = self.view.zoomFactor()
        spot = QPoint(
            round((box["x"] + box["width"] / 2) * factor),
            round((box["y"] + box["height"] / 2) * factor),
        )
        QTest.mouseClick(self.keyboard, Qt.MouseButton.LeftButton, pos=spot)

    def types(self, text: str) -> None:
        QTest.keyClicks(self.keyboard, text)

    def presses(self, key: Qt.Key) -> None:
        QTest.keyClick(self.keyboard, key)

    @property
    def keyboard(self) -> QWidget:
        """The widget that has mouse and keys while the page is used."""
        proxy = self.view.focusProxy()
        assert proxy is not None
        return proxy

    async def signs_in(self, access: DemoAccess, password: str | None = None) -> None:
        await self.sees("Password")
        await self.clicks("#user")
        self.types(access.user)
        self.presses(Qt.Key.Key_Tab)
        self.types(password or access.password)
        await self.clicks("button[type=submit]")


@pytest.fixture
def demo() -> Iterator[DemoAccess]:
    server = DemoServer()
    yield server.start()
    server.stop()


def request_for(demo: DemoAccess) -> AuthorisationRequest:
    return AuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)


def start(window: QWidget, demo: DemoAccess, profile: BrowserProfile) -> "asyncio.Task[Any]":
    return asyncio.ensure_future(authorise(window, request_for(demo), profile))


async def begun(window: QWidget) -> Visitor:
    await asyncio.sleep(0)
    return Visitor(window)


def test_user_password_and_allow_give_access_and_again_without_a_password_until_forgotten(
    run: Run, window: QWidget, demo: DemoAccess, profile: BrowserProfile
) -> None:
    async def story() -> list[Any]:
        task = start(window, demo, profile)
        visitor = await begun(window)
        await visitor.signs_in(demo)
        await visitor.sees("Allow Front Desk")
        assert "127.0.0.1" in visitor.dialog.accessibleDescription()
        assert "On this computer" in visitor.dialog.accessibleDescription()
        await visitor.clicks("button[value=allow]")
        first = await task
        assert window.findChild(QDialog) is None
        task = start(window, demo, profile)
        visitor = await begun(window)
        await visitor.sees("Allow Front Desk")
        await visitor.clicks("button[value=allow]")
        second = await task
        profile.forget()
        task = start(window, demo, profile)
        visitor = await begun(window)
        await visitor.sees("Password")
        visitor.dialog.close()
        return [first, second, await task]

    first, second, third = run(story())
    assert isinstance(first, Grant)
    assert first.access_token
    assert first.access_token not in redact(f"x {first.access_token} y")
    assert first.access_token not in repr(first)
    assert isinstance(second, Grant)
    assert third is None


def test_the_keyboard_alone_is_enough_and_a_wrong_password_can_be_tried_again(
    run: Run, window: QWidget, demo: DemoAccess, profile: BrowserProfile
) -> None:
    async def story() -> Any:
        task = start(window, demo, profile)
        visitor = await begun(window)
        await visitor.sees("Password")
        assert QApplication.focusWidget() is visitor.keyboard
        visitor.types(demo.user)
        visitor.presses(Qt.Key.Key_Tab)
        visitor.types("not-the-password")
        visitor.presses(Qt.Key.Key_Return)
        await visitor.sees("do not belong together")
        assert not task.done()
        visitor.types(demo.password)
        visitor.presses(Qt.Key.Key_Return)
        await visitor.sees("Allow Front Desk")
        while await visitor.asks("document.activeElement.value") != "allow":
            visitor.presses(Qt.Key.Key_Tab)
            await asyncio.sleep(0.02)
        visitor.presses(Qt.Key.Key_Space)
        return await task

    assert isinstance(run(story()), Grant)


Make = Callable[[DemoAccess], AuthorisationRequest | WebAuthorisationRequest]


async def decides(
    window: QWidget,
    demo: DemoAccess,
    profile: BrowserProfile,
    button: str,
    make: Make | None = None,
    *,
    signed_in: bool = False,
) -> Any:
    """Press one of the page's buttons, having signed in unless the browser knows who it is."""
    task = asyncio.ensure_future(authorise(window, (make or request_for)(demo), profile))
    visitor = await begun(window)
    if not signed_in:
        await visitor.signs_in(demo)
    await visitor.sees("Allow Front Desk")
    await visitor.clicks(f"button[value={button}]")
    return await task


def for_a_code(demo: DemoAccess) -> WebAuthorisationRequest:
    """For a program that has a client secret."""
    return WebAuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)


def test_with_a_client_secret_the_page_gives_a_code_and_refusing_ends_with_a_sentence_too(
    run: Run, window: QWidget, demo: DemoAccess, profile: BrowserProfile
) -> None:
    async def story() -> tuple[Any, AuthorisationFailed]:
        given = await decides(window, demo, profile, "allow", for_a_code)
        assert window.findChild(QDialog) is None
        with pytest.raises(AuthorisationFailed, match="refused") as caught:
            await decides(window, demo, profile, "refuse", for_a_code, signed_in=True)
        return given, caught.value

    # Nothing listens at the redirect address: had the browser gone there, no code had come.
    code, refused = run(story())
    assert isinstance(code, OneTimeCode)
    assert code.redirect_uri == demo.redirect_uri
    assert code.code not in redact(f"x {code.code} y")
    assert refused.value == "access_denied"


def test_refusing_ends_with_a_sentence_and_closing_the_window_half_way_gives_nothing(
    run: Run, window: QWidget, demo: DemoAccess, profile: BrowserProfile
) -> None:
    def escape(visitor: Visitor) -> None:
        visitor.presses(Qt.Key.Key_Escape)

    def cancel(visitor: Visitor) -> None:
        buttons = visitor.dialog.findChildren(QPushButton)
        button = next(button for button in buttons if button.text() == "Cancel")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def close(visitor: Visitor) -> None:
        visitor.dialog.close()

    async def story() -> None:
        with pytest.raises(AuthorisationFailed, match="refused") as caught:
            await decides(window, demo, profile, "refuse")
        assert caught.value.value == "access_denied"
        assert window.findChild(QDialog) is None
        for leave in (escape, cancel, close):
            task = start(window, demo, profile)
            visitor = await begun(window)
            await visitor.sees("Allow Front Desk")
            leave(visitor)
            assert await task is None, leave
            assert window.findChild(QDialog) is None, leave

    run(story())


def test_an_unknown_application_is_explained_by_the_page_itself(
    run: Run, window: QWidget, demo: DemoAccess, profile: BrowserProfile
) -> None:
    async def story() -> Any:
        request = AuthorisationRequest(demo.base_url, "somebody-else", demo.redirect_uri)
        task = asyncio.ensure_future(authorise(window, request, profile))
        visitor = await begun(window)
        await visitor.sees("unknown_client")
        assert not task.done()
        visitor.presses(Qt.Key.Key_Escape)
        return await task

    assert run(story()) is None
