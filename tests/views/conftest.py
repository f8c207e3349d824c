"""What tests of real windows share: a loop on the application, small web sites, a real browser."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest
import shiboken6
from PySide6.QtCore import (
    QEvent,
    QObject,
    Qt,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget

from app.accounts.registry import AccountRegistry
from app.api.sign_in.oauth import AuthorisationRequest
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.conftest import (
    _reads_flows_again_at_once as _reads_flows_again_at_once,  # noqa: PLC0414 - a fixture here too
)
from tests.viewmodels.conftest import account as account  # noqa: PLC0414 - a fixture here too
from tests.views.moment import Moment

if TYPE_CHECKING:
    from app.views.sign_in.browser import BrowserProfile

Answer = tuple[int, Mapping[str, str], str]
"""Status, headers and body. The status 0 answers nothing at all until the site goes down."""
Pages = Mapping[str, Answer]
REDIRECT = "http://127.0.0.1:38973/signed-in"
Result = TypeVar("Result")


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    """Asked for before what is looked at."""
    return Moment(monkeypatch)


@pytest.fixture(autouse=True, scope="module")
def _begins_undressed(qapp: QApplication) -> None:
    """What another file dressed the application in fixes the sizes of every font."""
    qapp.setStyleSheet("")


@pytest.fixture
def run(qapp: QApplication) -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Runs a coroutine on Qt's event loop, as the program does, and closes that loop properly."""
    # qasync looks for the Qt binding that pytest-qt has chosen.
    from tests.views.event_loop import EventLoop  # noqa: PLC0415

    def run_on_qt(work: Coroutine[Any, Any, Result]) -> Result:
        with EventLoop(qapp) as loop:
            try:
                result: Result = loop.run_until_complete(asyncio.wait_for(work, 240))
            finally:
                loop.run_until_complete(_end_all_tasks())
        return result

    return run_on_qt


async def _end_all_tasks() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


class _Shown(Protocol):
    """A view of an account in a window of its own."""

    window: QWidget

    async def show(self) -> None: ...


@asynccontextmanager
async def shown(subject: _Shown, account: AccountFixture) -> AsyncIterator[None]:
    """Show it; at the end the window is gone, the account closed, and nothing has crashed."""
    try:
        await subject.show()
        yield
    finally:
        shiboken6.delete(subject.window)
        await account.close()
    assert account.crashes == []


@pytest.fixture
def profile(window: QWidget) -> Iterator["BrowserProfile"]:
    """The browser's memory for one test; no dialog may outlive it."""
    from app.views.sign_in.browser import BrowserProfile  # noqa: PLC0415 - slow

    kept = BrowserProfile(AccountRegistry(None))
    yield kept
    kept.forget()
    assert window.findChild(QDialog) is None


@pytest.fixture
def window(browser_engine: None) -> Iterator[QWidget]:  # noqa: ARG001 - it has to run first
    """A window to sign in over."""
    widget = QWidget()
    widget.resize(900, 900)
    widget.show()
    yield widget
    shiboken6.delete(widget)


@pytest.fixture
def dialog_at(window: QWidget, profile: "BrowserProfile") -> Callable[[str], "SignInDialogFixture"]:
    """Makes a window for one attempt at an address."""
    return lambda base_url: SignInDialogFixture(window, profile, base_url)


@pytest.fixture
def serve() -> Iterator[Callable[[Pages], tuple[str, list[str]]]]:
    """Serves pages on loopback; gives the address and the growing list of what was asked."""
    sites: list[_Site] = []

    def start(pages: Pages) -> tuple[str, list[str]]:
        site = _Site(pages)
        while _is_out_of_reach(site.server_port):
            site.server_close()
            site = _Site(pages)
        sites.append(site)
        threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{site.server_port}", site.asked

    yield start
    for site in sites:
        site.going_down.set()
        site.shutdown()
        site.server_close()


def _is_out_of_reach(port: int) -> bool:
    """The browser of this process is kept off the redirect ports of its first sign-in for good, and
    the system gives such a port out again.
    """
    return f":{port} ~NOTFOUND" in os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")


class _Site(ThreadingHTTPServer):
    """Knows a few pages, and writes down every request."""

    daemon_threads = True
    block_on_close = True

    def __init__(self, pages: Pages) -> None:
        super().__init__(("127.0.0.1", 0), _Visit)
        self.pages = pages
        self.asked: list[str] = []
        self.going_down = threading.Event()

    def handle_error(self, _request: object, _client_address: object) -> None:
        """A browser that hangs up half-way is nothing to report."""


class _Visit(BaseHTTPRequestHandler):
    server: _Site

    def answer(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers, body = self.server.pages.get(self.path.partition("?")[0], (404, {}, "?"))
        if not status:
            self.server.going_down.wait(30)
            return
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST = do_HEAD = do_OPTIONS = answer  # noqa: N815 - the base class looks for them

    def log_message(self, format: str, *_args: object) -> None:  # noqa: A002 - the base's name
        """Nothing on the terminal."""


class SignInDialogFixture:
    """A window with one attempt to sign in at `base_url` under way."""

    def __init__(self, window: QWidget, profile: "BrowserProfile", base_url: str) -> None:
        self.window = window
        self._profile = profile
        self._base_url = base_url

    def start(self, seconds: float = 20) -> "asyncio.Task[Any]":
        from app.views.sign_in.browser import authorise  # noqa: PLC0415 - slow

        request = AuthorisationRequest(self._base_url, "client", REDIRECT)
        return asyncio.ensure_future(
            authorise(self.window, request, self._profile, first_page_seconds=seconds)
        )

    @property
    def dialog(self) -> QDialog | None:
        return self.window.findChild(QDialog)

    @property
    def view(self) -> Any:
        assert self.dialog is not None
        from PySide6.QtWebEngineWidgets import QWebEngineView  # noqa: PLC0415 - slow

        return self.dialog.findChild(QWebEngineView)

    @property
    def keyboard(self) -> QWidget:
        """The widget that has mouse and keys while the page is used."""
        proxy: QWidget = self.view.focusProxy()
        return proxy

    async def until(self, what: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not what():  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.01)

    async def says(self, words: str) -> None:
        """Wait until the dialog itself, not the page, shows these words."""
        await self.until(lambda: words in " ".join(self.sentences()))

    def sentences(self) -> list[str]:
        assert self.dialog is not None
        return [label.text() for label in self.dialog.findChildren(QLabel) if label.isVisible()]

    async def titled(self, title: str) -> None:
        await self.until(lambda: self.view.title() == title)

    def click(self) -> None:
        """Press the mouse in the middle of the page."""
        QTest.mouseClick(self.keyboard, Qt.MouseButton.LeftButton)


class Paintings(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        self.times += event.type() is QEvent.Type.Paint
        return False
