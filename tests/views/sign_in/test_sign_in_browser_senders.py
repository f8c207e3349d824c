"""From where the redirect may come, and to which address: else the dialog says what came."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.api.sign_in.oauth import AuthorisationRequest, Grant, OneTimeCode, WebAuthorisationRequest
from app.views.sign_in.browser import BrowserProfile, authorise
from tests.views.conftest import SignInDialogFixture

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)

VALUES = "#access_token=stolen&expires_in=600"


def page(html: str) -> Answer:
    return 200, {}, f"<!doctype html><body>{html}x"


PAINTED = page(
    "<script>requestAnimationFrame(() => setTimeout(() => { document.title = 'painted' }))</script>"
)


def led(address: str) -> Answer:
    return 302, {"Location": address}, ""


def leads(address: str) -> str:
    return f"<script>location = {json.dumps(address)}</script>"


DISGUISES: dict[str, Callable[[str], str]] = {
    "a slash": lambda to: f"{to}/",
    "another name": lambda to: to.replace("127.0.0.1", "localhost"),
    "encryption": lambda to: to.replace("http:", "https:"),
    "a longer path": lambda to: f"{to}-elsewhere",
    "a longer host": lambda to: to.replace("127.0.0.1", "127.0.0.1.example.org"),
    "a user": lambda to: to.replace("://", "://stolen:stolen@"),
    "another port": lambda to: re.sub(r":\d+/", ":9/", to),
    "another case": lambda to: to.replace("signed-in", "Signed-in"),
    "an escape": lambda to: to.replace("/signed-in", "/%73igned-in"),
    "another escape": lambda to: to.replace("-", "%2D"),
}


BOTH_WAYS = {"a user", "an escape", "another escape"}
"""Which a page and an answer write differently; of the others every second one comes each way."""


def test_another_redirect_address_than_agreed_on_is_said_with_both(
    run: Run, window: QWidget, profile: BrowserProfile, serve: Serve
) -> None:
    redirect_host, asked = serve({})
    redirect = f"{redirect_host}/signed-in"
    sent = {name: make(redirect) for name, make in DISGUISES.items()}
    pages = {f"/{n}": led(each + VALUES) for n, each in enumerate(sent.values())}
    base_url, _ = serve({"/oauth": PAINTED, **pages})
    subject: Any = SignInDialogFixture(window, profile, base_url)

    async def story() -> None:
        request = AuthorisationRequest(base_url, "client", redirect)
        task = asyncio.ensure_future(authorise(window, request, profile))
        await asyncio.sleep(0)
        await subject.titled("painted")
        ways = [
            (number, address, by_the_server)
            for by_the_server in (True, False)
            for number, (name, address) in enumerate(sent.items())
            if name in BOTH_WAYS or by_the_server is (number % 2 == 0)
        ]
        for number, address, by_the_server in ways:
            # What is said of the end of the one before would take the place of the sentence.
            await subject.until(lambda: not subject.dialog.findChild(QProgressBar).isVisible())
            there = f"/{number}" if by_the_server else address + VALUES
            subject.view.page().runJavaScript(f"location = {json.dumps(there)}")
            shown = address.replace("stolen:stolen@", "…@")
            if not by_the_server:
                shown = shown.replace("%", "%25")
            await subject.says(f"than the one agreed on: {shown} instead of {redirect}.")
            assert "stolen" not in " ".join(subject.sentences())
            assert not task.done()
        subject.dialog.close()
        assert await task is None

    run(story())
    assert asked == []


Made = Callable[[str, str, str], tuple[Pages, Pages]]
"""The account's pages and a stranger's, from the addresses of both and of the redirect."""

FROM_ELSEWHERE: dict[str, Made] = {
    "a page": lambda _us, them, to: (
        {"/oauth": page(leads(f"{them}/page"))},
        {"/page": page(leads(to))},
    ),
    "a hop": lambda _us, them, to: ({"/oauth": page(leads(f"{them}/hop"))}, {"/hop": led(to)}),
    "the very first hop": lambda _us, them, to: ({"/oauth": led(f"{them}/hop")}, {"/hop": led(to)}),
    "a page that lets the account answer": lambda us, them, to: (
        {"/oauth": page(leads(f"{them}/page")), "/answer": led(to)},
        {"/page": page(leads(f"{us}/answer"))},
    ),
    "a form": lambda us, them, to: (
        {"/oauth": page(leads(f"{them}/page")), "/answer": led(to)},
        {
            "/page": page(
                f"<form method=post action={us}/answer><input name=a></form>"
                "<script>document.forms[0].submit()</script>"
            )
        },
    ),
    "a page that first asks the account for nothing": lambda us, them, to: (
        {"/oauth": page(leads(f"{them}/page")), "/nothing": (204, {}, "")},
        {
            "/page": page(
                f"<script>location = '{us}/nothing';"
                f"setTimeout(() => {{ location = {json.dumps(to)} }}, 150)</script>"
            )
        },
    ),
}

FROM_THE_ACCOUNT: dict[str, Made] = {
    "its own page, after a stranger's": lambda us, them, to: (
        {"/oauth": page(leads(f"{them}/page")), "/back": page(leads(to))},
        {"/page": page(leads(f"{us}/back"))},
    ),
    "its own answer, with a hop elsewhere before": lambda us, them, to: (
        {"/oauth": page(leads(f"{them}/hop")), "/back": led(to)},
        {"/hop": led(f"{us}/back")},
    ),
}


class TwoHosts:
    """An account and a stranger at another host, and somebody who signs in."""

    def __init__(self, window: QWidget, profile: BrowserProfile, serve: Serve) -> None:
        self.window, self.profile = window, profile
        redirect_host, self.asked = serve({})
        self.redirect = f"{redirect_host}/signed-in"
        ours: dict[str, Answer] = {}
        theirs: dict[str, Answer] = {}
        self.account, _ = serve(ours)
        self.stranger = serve(theirs)[0].replace("127.0.0.1", "localhost")
        self._pages = ours, theirs
        self.subject = SignInDialogFixture(window, profile, self.account)

    def sign_in(self, made: Made, values: str = VALUES, *, web: bool = False) -> Any:
        kind = WebAuthorisationRequest if web else AuthorisationRequest
        request = kind(self.account, "client", self.redirect)
        if isinstance(request, WebAuthorisationRequest):
            values = f"?code=code&state={request.state}"
        made_pages = made(self.account, self.stranger, self.redirect + values)
        for pages, given in zip(self._pages, made_pages, strict=True):
            pages.update(given)
        return asyncio.ensure_future(authorise(self.window, request, self.profile))

    def press(self, words: str) -> None:
        assert self.subject.dialog is not None
        buttons = self.subject.dialog.findChildren(QPushButton)
        chosen = next(each for each in buttons if each.text() == words and each.isVisible())
        QTest.mouseClick(chosen, Qt.MouseButton.LeftButton)


@pytest.fixture
def hosts(window: QWidget, profile: BrowserProfile, serve: Serve) -> TwoHosts:
    return TwoHosts(window, profile, serve)


NOT_WANTED = {"a page that lets the account answer": "Cancel", "a hop": "Close"}
"""By which button it is dropped; what comes in the other ways is taken in the end."""


@pytest.mark.parametrize("way", [way for way in FROM_ELSEWHERE if way not in NOT_WANTED])
def test_access_from_elsewhere_is_taken_only_by_a_person(
    run: Run, hosts: TwoHosts, way: str
) -> None:
    async def story() -> object:
        task = hosts.sign_in(FROM_ELSEWHERE[way])
        await asyncio.sleep(0)
        host = hosts.stranger.removeprefix("http://")
        await hosts.subject.says(f"{host} finished the sign-in")
        await asyncio.sleep(0.1)
        assert not task.done()
        hosts.press("Sign in with it")
        return await task

    came = run(story())
    assert isinstance(came, Grant)
    assert came.access_token == "stolen"
    assert hosts.asked == []


@pytest.mark.parametrize(("way", "no"), NOT_WANTED.items())
def test_access_from_elsewhere_that_is_not_wanted_is_dropped(
    run: Run, hosts: TwoHosts, way: str, no: str
) -> None:
    async def story() -> object:
        task = hosts.sign_in(FROM_ELSEWHERE[way])
        await asyncio.sleep(0)
        host = hosts.stranger.removeprefix("http://")
        await hosts.subject.says(f"{host} finished the sign-in")
        assert not task.done()
        hosts.press(no)
        return await task

    assert run(story()) is None
    assert hosts.subject.dialog is None
    assert hosts.asked == []


@pytest.mark.parametrize("way", FROM_THE_ACCOUNT)
def test_access_from_the_account_itself_is_taken_without_a_question(
    run: Run, hosts: TwoHosts, way: str
) -> None:
    async def story() -> object:
        return await hosts.sign_in(FROM_THE_ACCOUNT[way])

    assert isinstance(run(story()), Grant)


def test_an_error_from_elsewhere_is_said_without_a_question(run: Run, hosts: TwoHosts) -> None:
    async def story() -> object:
        return await hosts.sign_in(FROM_ELSEWHERE["a page"], "#error=access_denied")

    with pytest.raises(Exception, match="refused"):
        run(story())


def test_a_code_has_its_state_and_needs_no_question(run: Run, hosts: TwoHosts) -> None:
    async def story() -> object:
        return await hosts.sign_in(FROM_ELSEWHERE["a page"], web=True)

    assert isinstance(run(story()), OneTimeCode)
