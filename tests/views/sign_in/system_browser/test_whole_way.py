"""From the button to access with a browser of somebody's own, whatever it sends."""

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWebEngineCore import QWebEngineSettings

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import (
    AuthorisationRequest,
    Grant,
    OneTimeCode,
    WebAuthorisationRequest,
)
from app.demo.server import DemoAccess
from tests.end_to_end.spoken import nameless
from tests.views.sign_in.system_browser.other_browser import (
    HASH,
    REFUSED_THERE,
    STOLEN,
    USE,
    WAITING,
    OpenDialog,
    OtherBrowser,
    Run,
    Serve,
    request_for,
)

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)


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
        async with asyncio.timeout(60):
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
            async with asyncio.timeout(60):
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
