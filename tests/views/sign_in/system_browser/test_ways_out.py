"""Back from the other browser, out of it, and what does not go there."""

import asyncio
import json
import socket
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from app.api.sign_in.oauth import (
    AuthorisationRequest,
    Grant,
)
from app.demo.server import DemoAccess
from app.model.errors import ExpectedError
from app.viewmodels.sign_in.authorisation import AttemptState, Authorisation
from app.viewmodels.sign_in.load_errors import LoadError
from app.viewmodels.sign_in.system_browser import BrowserStep, SystemBrowser
from app.views.sign_in import authorisation_dialog
from app.views.sign_in.browser import BrowserProfile
from app.views.widgets.banner import Banner
from tests.end_to_end.spoken import nameless
from tests.views.sign_in.system_browser.other_browser import (
    HASH,
    STOLEN,
    USE,
    WAITING,
    OpenDialog,
    OtherBrowser,
    Run,
    Serve,
    request_for,
    shows,
)

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)


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


def test_the_page_here_is_not_loaded_any_further(
    run: Run, open_dialog: OpenDialog, redirect: str, serve: Serve, browser: OtherBrowser
) -> None:
    browser.opens = False
    site, asked = serve({"/oauth": (0, {}, "")})

    async def story() -> Any:
        at = await open_dialog(AuthorisationRequest(site, "client", redirect))
        view = at.dialog.findChild(QWebEngineView)
        assert view is not None
        async with asyncio.timeout(60):
            while not asked:  # noqa: ASYNC110 - a thread apart
                await asyncio.sleep(0.01)
        assert view.page().isLoading()
        await at.presses(USE)
        await at.says(WAITING)
        async with asyncio.timeout(60):
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
                async with asyncio.timeout(60):
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
        outcome = await asyncio.wait_for(ended, 60)
        assert subject.state.step is BrowserStep.UNUSED
        await subject.close()
        return outcome

    outcome = run(story())
    assert isinstance(outcome, ExpectedError)
    assert "not finished" in outcome.message
