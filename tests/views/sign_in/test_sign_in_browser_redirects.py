"""The redirect in the real browser: it is read and never followed, and nothing like it is taken."""

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple

import pytest
from PySide6.QtWidgets import QWidget

from app.api.sign_in.oauth import AuthorisationRequest, Grant
from app.model.errors import ExpectedError
from app.views.sign_in import browser
from app.views.sign_in.browser import BrowserProfile, authorise

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]


class Visit(NamedTuple):
    """What came of an attempt, what both hosts were asked, and where the browser says it was."""

    outcome: object
    asked_of_ours: list[str]
    asked_of_service: list[str]
    history: list[str]


SignIn = Callable[[Callable[[str], Pages]], Visit]

# The platform without a screen says so for every window that has a smallest size.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints", extend=True)

HASH = "#access_token=honest%2F1&expires_in=600"
STOLEN = "#access_token=stolen&expires_in=600"
GO_ON = "<script>setTimeout(() => { location = '/honest' }, 400)</script>"
SUBMIT = "<body onload='document.forms[0].submit()'><form method=post action=/go><input name=a>"


@pytest.fixture
def sign_in(
    run: Run,
    serve: Serve,
    window: QWidget,
    profile: BrowserProfile,
    monkeypatch: pytest.MonkeyPatch,
) -> SignIn:
    """Signs in at pages made for a redirect address."""

    def attempt(pages_for: Callable[[str], Pages]) -> Visit:
        redirect_host, asked = serve({})
        redirect = f"{redirect_host}/signed-in"
        base_url, asked_of_service = serve(pages_for(redirect))
        history: list[str] = []
        delete = browser._Window.delete

        def remember(self: browser._Window) -> None:
            history.extend(item.url().toString() for item in self._page.history().items())
            delete(self)

        monkeypatch.setattr(browser._Window, "delete", remember)

        async def story() -> object:
            request = AuthorisationRequest(base_url, "client", redirect)
            try:
                return await authorise(window, request, profile)
            except ExpectedError as error:
                return error

        return Visit(run(story()), asked, asked_of_service, history)

    return attempt


def found(address: str, status: int = 302) -> Answer:
    return status, {"Location": address}, ""


def page(html: str) -> Answer:
    return 200, {}, html


def quoted(text: str) -> str:
    return json.dumps(text)


KINDS: dict[str, Callable[[str], Pages]] = {
    "302": lambda to: {"/oauth": found(to)},
    "several hops": lambda to: {
        "/oauth": found("/a", 301),
        "/a": found("/b", 303),
        "/b": found(to, 308),
    },
    "a form, then 307": lambda to: {"/oauth": page(SUBMIT), "/go": found(to, 307)},
    "a refresh tag": lambda to: {
        "/oauth": page(f"<meta http-equiv=refresh content='0;url={to}'>hello")
    },
    "replace": lambda to: {"/oauth": page(f"<script>location.replace({quoted(to)})</script>")},
    "a frame's parent": lambda to: {
        "/oauth": page("<iframe src=/frame></iframe>"),
        "/frame": page(f"<script>top.location = {quoted(to)}</script>"),
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_redirect_is_read_and_none_is_followed(sign_in: SignIn, kind: str) -> None:
    outcome, asked, _, history = sign_in(lambda redirect: KINDS[kind](redirect + HASH))
    assert isinstance(outcome, Grant)
    assert outcome.access_token == "honest/1"
    assert asked == []
    assert not [address for address in history if "access_token" in address]


LOOK_ALIKES: dict[str, Callable[[str], str]] = {
    "a user name": lambda to: to.replace("://", "://front@"),
    "another number of this computer": lambda to: to.replace("127.0.0.1", "127.0.0.2"),
    "an escaped slash": lambda to: to.replace("/signed-in", "/%2Fsigned-in"),
    "another scheme": lambda to: to.replace("http:", "https:"),
    "a custom scheme": lambda to: to.replace("http:", "frontdesk:"),
    "a file": lambda _to: "file:///signed-in",
}


@pytest.mark.parametrize("kind", LOOK_ALIKES)
def test_an_address_that_only_looks_like_ours_is_neither_taken_nor_visited(
    sign_in: SignIn, kind: str
) -> None:
    outcome, asked, *_ = sign_in(
        lambda redirect: {"/oauth": found(LOOK_ALIKES[kind](redirect) + STOLEN)}
    )
    assert isinstance(outcome, ExpectedError)
    assert "stolen" not in outcome.message + outcome.details
    assert asked == []


Part = Callable[[str], str]
PAGES_IN_THE_PAGE: dict[str, Part] = {
    "frame": lambda to: f"<iframe src='{to}'></iframe>",
    "redirected": lambda _to: "<iframe src=/stolen></iframe>",
    "object": lambda to: f"<object data='{to}'></object>",
    "window": lambda to: f"<script>window.open({quoted(to)})</script>",
}
REQUESTS_OF_THE_PAGE: dict[str, Part] = {
    "picture": lambda to: f"<img src='{to}'>",
    "style": lambda to: f"<link rel=stylesheet href='{to}'>",
    "request": lambda to: f"<script>fetch({quoted(to)}, {{mode: 'no-cors'}})</script>",
    "beacon": lambda to: f"<script>navigator.sendBeacon({quoted(to)}, 'x')</script>",
    "socket": lambda to: f"<script>new WebSocket({quoted(to)})</script>",
    "guess": lambda to: (
        "<script type=speculationrules>"
        + json.dumps({"prefetch": [{"urls": [to, "/guessed"], "eagerness": "immediate"}]})
        + "</script>"
    ),
}


@pytest.mark.parametrize("parts", [PAGES_IN_THE_PAGE, REQUESTS_OF_THE_PAGE], ids=["pages", "rest"])
def test_what_a_page_loads_as_a_part_of_itself_is_no_answer_and_nothing_is_fetched_on_a_guess(
    sign_in: SignIn, parts: Mapping[str, Part]
) -> None:
    def pages(redirect: str) -> Pages:
        # Who was taken at its word says so in the access.
        stolen = {kind: f"{redirect}{STOLEN.replace('stolen', kind)}" for kind in parts}
        html = "".join(make(stolen[kind]) for kind, make in parts.items())
        return {
            "/oauth": page(html + GO_ON),
            "/stolen": found(redirect + STOLEN),
            "/guessed": found(redirect + STOLEN),
            "/honest": found(redirect + HASH),
        }

    outcome, asked, asked_of_service, _ = sign_in(pages)
    assert isinstance(outcome, Grant)
    assert outcome.access_token == "honest/1"
    assert asked == []
    assert "GET /guessed" not in asked_of_service


def test_only_the_first_answer_counts(sign_in: SignIn) -> None:
    outcome, asked, *_ = sign_in(
        lambda redirect: {
            "/oauth": page(
                f"<script>location = {quoted(redirect + HASH)};"
                f"setTimeout(() => {{ location = {quoted(redirect + STOLEN)} }}, 0)</script>"
            )
        }
    )
    assert isinstance(outcome, Grant)
    assert outcome.access_token == "honest/1"
    assert asked == []
