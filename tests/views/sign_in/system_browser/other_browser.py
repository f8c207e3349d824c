"""A browser beside the window, and the dialog that waits for it."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtTest import QTest
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from app.api.sign_in.oauth import (
    AuthorisationRequest,
    SignInRequest,
)
from app.demo.server import DemoAccess
from app.views.sign_in.browser import BrowserProfile, authorise

Answer = tuple[int, Mapping[str, str], str]
Serve = Callable[[Mapping[str, Answer]], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]

USE = "Use my own browser"
WAITING = "Finish signing in in your browser"
HASH = "#access_token=honest&expires_in=600"
STOLEN = "#access_token=stolen&expires_in=600"
REFUSED_THERE = "says that the sign-in did not succeed"


class QuietPage(QWebEnginePage):
    """What hostile pages complain of is nothing to hold against the code."""

    def javaScriptConsoleMessage(self, *_told: object) -> None:  # noqa: N802 - as Qt has it
        """Not said."""


class OtherBrowser(QObject):
    """The system's browser: it opens what the desktop is asked to open, and knows none of ours."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.opens = True
        self._profile = QWebEngineProfile()
        self.page = QuietPage(self._profile)

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.asked.append(bytes(url.toEncoded().data()).decode())
        if self.opens:
            self.page.load(url)

    def go(self, address: str) -> None:
        self.page.load(QUrl(address))

    async def says(self, script: str) -> Any:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.page.runJavaScript(f"JSON.stringify({script})", answer.set_result)
        text = await asyncio.wait_for(answer, 60)
        return json.loads(text) if text else None

    async def shows(self, words: str) -> None:
        async with asyncio.timeout(60):
            while words not in str(await self.says("document.body && document.body.innerText")):  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.02)

    async def becomes(self, address: str) -> None:
        async with asyncio.timeout(60):
            while await self.says("location.href") != address:  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.01)

    async def signs_in(self, demo: DemoAccess, choice: str = "allow") -> None:
        await self.shows("Password")
        await self.says(
            f"(document.querySelector('#user').value = {json.dumps(demo.user)},"
            f"document.querySelector('[type=password]').value = {json.dumps(demo.password)},"
            "document.querySelector('button[type=submit]').click(), 1)"
        )
        await self.shows("Allow Front Desk")
        await self.says(f"(document.querySelector('button[value={choice}]').click(), 1)")

    @property
    def visited(self) -> list[str]:
        return [item.url().toString() for item in self.page.history().items()]

    def close(self) -> None:
        shiboken6.delete(self.page)
        shiboken6.delete(self._profile)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def request_for(demo: DemoAccess) -> AuthorisationRequest:
    return AuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)


class SystemBrowserFixture:
    """The sign-in window as somebody uses it who goes to another browser."""

    def __init__(self, window: QWidget, profile: BrowserProfile, request: SignInRequest) -> None:
        self._window = window
        self._request = request
        self.ended: asyncio.Task[Any] = asyncio.ensure_future(authorise(window, request, profile))

    @property
    def dialog(self) -> QDialog:
        dialog = self._window.findChild(QDialog)
        assert dialog is not None
        return dialog

    @property
    def buttons(self) -> dict[str, QPushButton]:
        return {
            each.text(): each
            for each in self.dialog.findChildren(QPushButton)
            if each.isVisible() and each.isEnabled()
        }

    @property
    def words(self) -> str:
        return " ".join(
            each.text() for each in self.dialog.findChildren(QLabel) if each.isVisible()
        )

    async def offers(self, name: str) -> QPushButton:
        async with asyncio.timeout(60):
            while self.ended.done() or name not in self.buttons:
                assert not self.ended.done(), self.ended.exception()
                await asyncio.sleep(0.01)
        return self.buttons[name]

    async def presses(self, name: str) -> None:
        QTest.mouseClick(await self.offers(name), Qt.MouseButton.LeftButton)

    async def says(self, words: str) -> None:
        async with asyncio.timeout(60):
            while words not in self.words:  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.01)

    @property
    def _port(self) -> int:
        return int(self._request.redirect_uri.rpartition(":")[2].partition("/")[0])

    def listens(self) -> bool:
        with socket.socket() as tried:
            tried.settimeout(0.2)
            return tried.connect_ex(("127.0.0.1", self._port)) == 0

    def held(self, family: int = socket.AF_INET, number: str = "127.0.0.1") -> bool:
        """Whether nobody else could listen there."""
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((number, self._port))
            except OSError:
                return True
            return False


OpenDialog = Callable[[SignInRequest], Coroutine[Any, Any, SystemBrowserFixture]]


async def shows(page: QWebEnginePage, words: str) -> None:
    text = ""

    def take(found: object) -> None:
        nonlocal text
        text = str(found)

    async with asyncio.timeout(60):
        while words not in text:
            page.runJavaScript("document.body ? document.body.innerText : ''", take)
            await asyncio.sleep(0.02)
