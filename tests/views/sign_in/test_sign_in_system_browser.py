"""Signing in with the system's own browser: a second real browser, the real dialog, one answer."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile, QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QWidget

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import (
    AuthorisationRequest,
    Grant,
    OneTimeCode,
    SignInRequest,
    WebAuthorisationRequest,
)
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.model.errors import ExpectedError
from app.viewmodels.sign_in.authorisation import AttemptState, Authorisation
from app.viewmodels.sign_in.load_errors import LoadError
from app.viewmodels.sign_in.system_browser import BrowserStep, SystemBrowser
from app.views.sign_in import authorisation_dialog
from app.views.sign_in.browser import BrowserProfile, authorise
from app.views.widgets.banner import Banner
from tests.end_to_end.spoken import nameless

Answer = tuple[int, Mapping[str, str], str]
Serve = Callable[[Mapping[str, Answer]], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)

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
        text = await asyncio.wait_for(answer, 10)
        return json.loads(text) if text else None

    async def shows(self, words: str) -> None:
        async with asyncio.timeout(15):
            while words not in str(await self.says("document.body && document.body.innerText")):  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.02)

    async def becomes(self, address: str) -> None:
        async with asyncio.timeout(15):
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


@pytest.fixture
def browser(browser_engine: None) -> Iterator[OtherBrowser]:  # noqa: ARG001 - it has to run first
    made = OtherBrowser()
    QDesktopServices.setUrlHandler("http", made, "take")  # type: ignore[arg-type]  # takes no bytes
    yield made
    QDesktopServices.unsetUrlHandler("http")
    made.close()


@pytest.fixture
def redirect() -> str:
    return f"http://127.0.0.1:{free_port()}/signed-in"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def demo(redirect: str) -> Iterator[DemoAccess]:
    server = DemoServer(DemoOptions(redirect_uri=redirect))
    yield server.start()
    server.stop()


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
        async with asyncio.timeout(15):
            while self.ended.done() or name not in self.buttons:
                assert not self.ended.done(), self.ended.exception()
                await asyncio.sleep(0.01)
        return self.buttons[name]

    async def presses(self, name: str) -> None:
        QTest.mouseClick(await self.offers(name), Qt.MouseButton.LeftButton)

    async def says(self, words: str) -> None:
        async with asyncio.timeout(15):
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


@pytest.fixture
def open_dialog(window: QWidget, profile: BrowserProfile) -> OpenDialog:
    """Opens the sign-in window for a request."""

    async def opened(request: SignInRequest) -> SystemBrowserFixture:
        made = SystemBrowserFixture(window, profile, request)
        await asyncio.sleep(0)
        return made

    return opened


# The whole way


def test_access_is_taken_from_the_other_browser_once_somebody_says_that_it_was_them(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        assert not at.listens()
        await at.presses(USE)
        await at.says(WAITING)
        assert "What you type goes to your browser" in at.words
        assert "until 10 minutes after the page was last opened" in at.words
        assert at.listens()
        await browser.signs_in(demo)
        await at.says("Was that you?")
        await browser.shows("You can close this")
        assert not at.listens()
        assert at.held()
        assert at.dialog.focusWidget() is await at.offers("No, that was not me")
        assert nameless(at.dialog) == []
        await at.presses("Yes, sign in")
        return await at.ended

    grant = run(story())
    assert isinstance(grant, Grant)
    assert browser.asked == [request_for(demo).address]
    assert not [address for address in browser.visited if grant.access_token in address]


def test_a_code_needs_no_question_because_it_carries_the_state_of_its_attempt(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(
            WebAuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)
        )
        await at.presses(USE)
        await browser.signs_in(demo)
        code = await at.ended
        await browser.shows("You can close this")
        return code

    code = run(story())
    assert isinstance(code, OneTimeCode)
    assert not [address for address in browser.visited if code.code in address]


def test_refusing_there_ends_in_the_same_sentence_as_here_where_it_carries_the_state(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(
            WebAuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)
        )
        await at.presses(USE)
        await browser.signs_in(demo, "refuse")
        return await at.ended

    with pytest.raises(AuthorisationFailed, match="refused") as caught:
        run(story())
    assert caught.value.value == "access_denied"


def test_refusing_there_without_a_state_is_told_and_somebody_may_think_better_of_it(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await browser.signs_in(demo, "refuse")
        await browser.shows("cannot use this answer")
        await at.says(REFUSED_THERE)
        await at.presses("Open it again")
        await browser.shows("Allow Front Desk")
        await browser.says("(document.querySelector('button[value=allow]').click(), 1)")
        await at.presses("Yes, sign in")
        return await at.ended

    assert isinstance(run(story()), Grant)


@pytest.mark.parametrize("kind", [AuthorisationRequest, WebAuthorisationRequest])
def test_no_page_in_that_browser_ends_the_sign_in_or_speaks_for_the_account(
    run: Run,
    open_dialog: OpenDialog,
    demo: DemoAccess,
    browser: OtherBrowser,
    kind: type[AuthorisationRequest] | type[WebAuthorisationRequest],
) -> None:
    told = "error=x&error_description=Your+password+has+expired.+Call+0900"
    refused = "error=access_denied"

    async def story() -> Any:
        at = await open_dialog(kind(demo.base_url, demo.client_id, demo.redirect_uri))
        await at.presses(USE)
        await browser.shows("Password")
        for hostile in (
            *(f"{mark}{words}" for mark in "?#" for words in (told, refused)),
            *(f"{mark}{refused}&state=wrong" for mark in "?#"),
            f"?{refused}&state=",
            "?state=access_denied&why=access_denied",
            f"#{told}&access_token=stolen&expires_in=600",
        ):
            browser.go("about:blank")
            await browser.becomes("about:blank")
            browser.go(demo.redirect_uri + hostile)
            await browser.shows("cannot use this answer")
            await at.says(REFUSED_THERE)
            assert "0900" not in at.words
        assert at.listens()
        at.dialog.close()
        return await at.ended

    assert run(story()) is None


def test_access_that_somebody_else_sent_is_dropped_and_their_own_is_waited_for(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await browser.shows("Password")
        browser.go(demo.redirect_uri + STOLEN)
        await at.says("Was that you?")
        await at.presses("No, that was not me")
        await at.says("That answer was dropped")
        await at.presses("Open it again")
        await browser.signs_in(demo)
        await at.presses("Yes, sign in")
        return await at.ended

    grant = run(story())
    assert isinstance(grant, Grant)
    assert grant.access_token != "stolen"


def test_nobody_else_gets_the_port_while_it_is_asked_after_a_no_and_in_the_next_sign_in(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        for decoy in (STOLEN, f"{STOLEN}&again=1"):
            await browser.shows("Password")
            browser.go(demo.redirect_uri + decoy)
            await at.says("Was that you?")
            assert at.held()
            await browser.shows("You can close this")
            await at.presses("No, that was not me")
            await at.says("That answer was dropped")
            assert at.listens()
            await at.presses("Open it again")
        await at.presses("Back to this window")
        assert at.held()
        await at.presses(USE)
        await at.says(WAITING)
        await browser.signs_in(demo)
        await at.presses("Yes, sign in")
        first = await at.ended
        assert not at.held()
        following = await open_dialog(request_for(demo))
        assert following.held()
        following.dialog.close()
        await following.ended
        return first

    assert isinstance(run(story()), Grant)


def test_a_port_that_another_program_lets_go_of_is_held_from_then_on(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", int(demo.redirect_uri.rpartition(":")[2].partition("/")[0])))
            other.listen()
            at = await open_dialog(request_for(demo))
        async with asyncio.timeout(10):
            while not at.held():  # noqa: ASYNC110 - the system tells nobody
                await asyncio.sleep(0.01)
        at.dialog.close()
        await at.ended

    run(story())
    assert browser.asked == []


def test_junk_at_the_redirect_address_is_told_and_ends_nothing(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await browser.shows("Password")
        browser.go(f"{demo.redirect_uri}#junk")
        await browser.shows("cannot use this answer")
        await at.says("no answer")
        browser.go(demo.redirect_uri)
        await browser.shows("Nothing to hand over")
        await at.presses("Open it again")
        await browser.signs_in(demo)
        await at.presses("Yes, sign in")
        return await at.ended

    assert isinstance(run(story()), Grant)


def test_without_scripts_the_page_says_what_it_needs(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    browser.page.settings().setAttribute(QWebEngineSettings.WebAttribute.JavascriptEnabled, False)

    async def story() -> str:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await at.says(WAITING)
        loaded = asyncio.Event()
        browser.page.loadFinished.connect(lambda _done: loaded.set())
        browser.go(demo.redirect_uri + HASH)
        await asyncio.wait_for(loaded.wait(), 10)
        text: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        browser.page.toPlainText(text.set_result)
        said = await text
        at.dialog.close()
        await at.ended
        return said

    browser.opens = False
    said = run(story())
    assert "This page needs scripts" in said
    assert "You can close this" not in said


# Back, out, and what does not go


def test_somebody_can_come_back_and_finish_here(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    browser.opens = False

    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        view = at.dialog.findChild(QWebEngineView)
        assert view is not None
        await shows(view.page(), "Password")
        await at.presses(USE)
        await at.says(WAITING)
        assert not view.isVisible()
        # What stands there from before is not the page that comes again.
        view.page().runJavaScript("document.body.innerText = 'gone'")
        await shows(view.page(), "gone")
        await at.presses("Back to this window")
        assert view.isVisible()
        assert not at.listens()
        assert at.held()
        await shows(view.page(), "Password")
        view.page().runJavaScript(
            f"document.querySelector('#user').value = {json.dumps(demo.user)};"
            f"document.querySelector('[type=password]').value = {json.dumps(demo.password)};"
            "document.querySelector('button[type=submit]').click()"
        )
        await shows(view.page(), "Allow Front Desk")
        view.page().runJavaScript("document.querySelector('button[value=allow]').click()")
        return await at.ended

    assert isinstance(run(story()), Grant)


async def shows(page: QWebEnginePage, words: str) -> None:
    text = ""

    def take(found: object) -> None:
        nonlocal text
        text = str(found)

    async with asyncio.timeout(15):
        while words not in text:
            page.runJavaScript("document.body ? document.body.innerText : ''", take)
            await asyncio.sleep(0.02)


def test_the_page_here_is_not_loaded_any_further(
    run: Run, open_dialog: OpenDialog, redirect: str, serve: Serve, browser: OtherBrowser
) -> None:
    browser.opens = False
    site, asked = serve({"/oauth": (0, {}, "")})

    async def story() -> Any:
        at = await open_dialog(AuthorisationRequest(site, "client", redirect))
        view = at.dialog.findChild(QWebEngineView)
        assert view is not None
        async with asyncio.timeout(10):
            while not asked:  # noqa: ASYNC110 - a thread apart
                await asyncio.sleep(0.01)
        assert view.page().isLoading()
        await at.presses(USE)
        await at.says(WAITING)
        async with asyncio.timeout(10):
            while view.page().isLoading():  # noqa: ASYNC110 - a process apart
                await asyncio.sleep(0.01)
        at.dialog.close()
        return await at.ended

    assert run(story()) is None


def test_the_window_comes_to_the_front_when_the_answer_is_here(
    run: Run,
    open_dialog: OpenDialog,
    demo: DemoAccess,
    browser: OtherBrowser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marked: list[QWidget] = []
    read_out: list[str] = []
    monkeypatch.setattr(QApplication, "alert", marked.append)
    monkeypatch.setattr(
        authorisation_dialog, "announce", lambda _widget, words, **_how: read_out.append(words)
    )

    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await browser.shows("Password")
        assert marked == []
        assert read_out[-1].startswith(f"{WAITING}. The page of 127.0.0.1")
        browser.go(demo.redirect_uri + HASH)
        await at.says("Was that you?")
        assert marked == [at.dialog]
        assert read_out[-1].startswith("Was that you?")
        at.dialog.close()
        return await at.ended

    assert run(story()) is None


@pytest.mark.parametrize("way", ["escape", "cancel", "close", "forget", "task"])
def test_however_it_ends_nobody_listens_any_more(
    run: Run,
    open_dialog: OpenDialog,
    demo: DemoAccess,
    profile: BrowserProfile,
    *,
    browser: OtherBrowser,
    way: str,
) -> None:
    browser.opens = False

    async def story() -> Any:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await at.says(WAITING)
        if way == "task":
            at.ended.cancel()
            with pytest.raises(asyncio.CancelledError):
                await at.ended
            assert not at.listens()
            return None
        if way == "escape":
            focused = at.dialog.focusWidget()
            assert focused is await at.offers("Open it again")
            QTest.keyClick(focused, Qt.Key.Key_Escape)
        elif way == "cancel":
            await at.presses("Cancel")
        elif way == "close":
            at.dialog.close()
        else:
            profile.forget()
        ended = await at.ended
        assert not at.listens()
        return ended

    assert run(story()) is None


def test_a_page_that_wants_a_passkey_gets_none_and_leads_to_the_other_browser(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    class Wish:
        cancelled = 0

        def cancel(self) -> None:
            self.cancelled += 1

    async def story() -> int:
        at, wish = await open_dialog(request_for(demo)), Wish()
        view = at.dialog.findChild(QWebEngineView)
        assert view is not None
        await shows(view.page(), "Password")
        # There is no key to touch here, and without one Chromium does not ask.
        view.page()._passkey(wish)  # type: ignore[attr-defined]  # it is our page
        await at.says("asks for a passkey")
        banner = at.dialog.findChild(Banner)
        assert banner is not None
        QTest.mouseClick(banner.controls[0], Qt.MouseButton.LeftButton)
        await browser.shows("Password")
        at.dialog.close()
        await at.ended
        return wish.cancelled

    assert run(story()) == 1


def test_a_port_that_another_program_has_is_said_and_the_page_stays(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", int(demo.redirect_uri.rpartition(":")[2].partition("/")[0])))
            other.listen()
            at = await open_dialog(request_for(demo))
            await at.presses(USE)
            await at.says("Another program on this computer uses port")
            assert USE in at.buttons
            assert at.held(socket.AF_INET6, "::1")
            at.dialog.close()
            await at.ended

    run(story())
    assert browser.asked == []


def test_a_redirect_address_elsewhere_is_explained(
    run: Run, open_dialog: OpenDialog, demo: DemoAccess, browser: OtherBrowser
) -> None:
    async def story() -> None:
        at = await open_dialog(
            AuthorisationRequest(demo.base_url, demo.client_id, "https://desk.example/in")
        )
        await at.presses(USE)
        await at.says("only give its answer at a redirect address of this computer")
        at.dialog.close()
        await at.ended

    run(story())
    assert browser.asked == []


def test_a_browser_that_does_not_open_leaves_the_address_to_copy(
    run: Run,
    open_dialog: OpenDialog,
    demo: DemoAccess,
    browser: OtherBrowser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)

    async def story() -> None:
        at = await open_dialog(request_for(demo))
        await at.presses(USE)
        await at.says("could not be opened. Copy the address")
        assert "opens in your own browser" not in at.words
        await at.presses("Copy the address")
        assert QGuiApplication.clipboard().text() == request_for(demo).address
        assert nameless(at.dialog) == []
        at.dialog.close()
        await at.ended

    run(story())
    assert browser.asked == []


def test_the_page_in_the_window_finishes_nothing_meanwhile(browser_engine: None) -> None:  # noqa: ARG001 - Qt has to run
    request = AuthorisationRequest("https://a.example", "client", "http://127.0.0.1:38973/in")
    attempt = Authorisation(request)
    attempt.leave_page()
    assert not attempt.allows(f"http://127.0.0.1:38973/in{STOLEN}", main_frame=True)
    assert not attempt.may_fetch("https://a.example/picture")
    attempt.browser_died()
    attempt.load_failed(LoadError.CONNECTION, "https://a.example")
    assert attempt.state.step is AttemptState.ELSEWHERE
    assert attempt.state.note is None
    attempt.close()


@pytest.mark.parametrize("place", ["elsewhere", "taken"])
def test_beside_the_question_of_the_window_it_is_said_why_the_other_browser_cannot_be_used(
    run: Run, place: str
) -> None:
    async def story() -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            taken = f"http://127.0.0.1:{other.getsockname()[1]}/signed-in"
            to = taken if place == "taken" else "https://desk.example/in"
            request = AuthorisationRequest("https://a.example", "client", to)
            attempt = Authorisation(request)
            attempt.begin()
            attempt.content_shown()
            assert not attempt.allows(to + HASH, main_frame=True, page="https://b.example/x")
            assert attempt.state.note is not None
            question = attempt.state.note.sentence
            subject = SystemBrowser(attempt, request)
            for _ in range(2):
                subject.use()
                async with asyncio.timeout(10):
                    while attempt.state.note.sentence == question:  # noqa: ASYNC110 - a socket's
                        await asyncio.sleep(0.01)
                assert attempt.state.note.sentence.endswith(question)
                assert attempt.state.note.sentence.count(question) == 1
                assert attempt.state.note.take
            assert ("Another program" in attempt.state.note.sentence) is (place == "taken")
            attempt.close()
            await subject.close()

    run(story())


def test_a_sign_in_that_nobody_finishes_ends_with_a_sentence(run: Run, redirect: str) -> None:
    async def story() -> object:
        attempt = Authorisation(AuthorisationRequest("https://a.example", "client", redirect))
        subject = SystemBrowser(
            attempt,
            AuthorisationRequest("https://a.example", "client", redirect),
            wait_seconds=0.05,
        )
        ended: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        attempt.ended.connect(ended.set_result)
        subject.use()
        outcome = await asyncio.wait_for(ended, 10)
        assert subject.state.step is BrowserStep.UNUSED
        await subject.close()
        return outcome

    outcome = run(story())
    assert isinstance(outcome, ExpectedError)
    assert "not finished" in outcome.message


# Other pages in that browser


IN_THE_PAGE: dict[str, Callable[[str], str]] = {
    "a frame": lambda to: f"<iframe src='{to}'></iframe>",
    "an object": lambda to: f"<object data='{to}'></object>",
    "an embedded page": lambda to: f"<embed src='{to}'>",
    "a picture": lambda to: f"<img src='{to}'>",
    "a script": lambda to: f"<script src='{to}'></script>",
    "a style": lambda to: f"<link rel=stylesheet href='{to}'>",
    "a prefetch": lambda to: f"<link rel=prefetch href='{to}'>",
    "a request": lambda to: f"<script>fetch({json.dumps(to)}, {{mode: 'no-cors'}})</script>",
    "a worker": lambda to: f"<script>new Worker({json.dumps(to)})</script>",
    "a socket": lambda to: f"<script>new WebSocket({json.dumps(to)})</script>",
    "a beacon": lambda to: f"<script>navigator.sendBeacon({json.dumps(to)}, 'x')</script>",
    "a form": lambda to: (
        f"<form method=post enctype=text/plain action='{to}'><input name=a value=b></form>"
        "<script>document.forms[0].submit()</script>"
    ),
    "a form in a frame": lambda to: (
        f"<iframe name=f></iframe><form method=post target=f action='{to}'><input name=a></form>"
        "<script>document.forms[0].submit()</script>"
    ),
    "a request with a preflight": lambda to: (
        f"<script>fetch({json.dumps(to)}, {{method: 'POST', "
        "headers: {'Content-Type': 'application/json'}, "
        'body: \'{"once":"x","query":"","hash":"#access_token=stolen"}\'})</script>'
    ),
}


def test_no_part_of_another_page_hands_anything_over(
    run: Run,
    open_dialog: OpenDialog,
    demo: DemoAccess,
    serve: Serve,
    browser: OtherBrowser,
) -> None:
    to = f"{demo.redirect_uri}?code=stolen{STOLEN}"
    marked = "<script>onload = () => setTimeout(() => { document.title = 'done' }, 100)</script>"
    site, asked = serve(
        {
            f"/{number}": (200, {}, f"<body>{kind(to)}{marked}")
            for number, kind in enumerate(IN_THE_PAGE.values())
        }
    )

    async def story() -> Any:
        at = await open_dialog(
            WebAuthorisationRequest(demo.base_url, demo.client_id, demo.redirect_uri)
        )
        await at.presses(USE)
        await browser.shows("Password")
        for number in range(len(IN_THE_PAGE)):
            browser.go(f"{site}/{number}")
            async with asyncio.timeout(10):
                while await browser.says("document.title") != "done":
                    if "form" in list(IN_THE_PAGE)[number] and f"GET /{number}" in asked:
                        break
                    await asyncio.sleep(0.02)
        assert at.listens()
        await at.presses("Open it again")
        await browser.signs_in(demo)
        return await at.ended

    code = run(story())
    assert isinstance(code, OneTimeCode)
    assert code.code != "stolen"
