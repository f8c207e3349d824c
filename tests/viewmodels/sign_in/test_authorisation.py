"""One attempt to sign in, without a browser: what is an answer, what is let through, its end."""

import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import AuthorisationRequest, Grant
from app.model.errors import ExpectedError
from app.viewmodels.sign_in.authorisation import (
    FIRST_PAGE_SECONDS,
    AttemptState,
    Authorisation,
)
from app.viewmodels.sign_in.load_errors import LoadError, load_error_of

SERVICE = "https://account.example.org"
REDIRECT = "http://127.0.0.1:38973/signed-in"
HASH = "#access_token=abcdef123&expires_in=3600"
NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PAGE = f"{SERVICE}/oauth"


begun: list[Authorisation] = []


@pytest.fixture(autouse=True)
def _every_attempt_ends() -> Iterator[None]:
    """As in the program: what an attempt holds is let go at its end."""
    yield
    while begun:
        begun.pop().close()


def attempt(
    base_url: str = SERVICE, redirect: str = REDIRECT, seconds: float = FIRST_PAGE_SECONDS
) -> tuple[Authorisation, list[object]]:
    """A fresh attempt that has begun, and the list its endings go to."""
    request = AuthorisationRequest(base_url, "client", redirect)
    made = Authorisation(request, first_page_seconds=seconds, now=lambda: NOW)
    begun.append(made)
    endings: list[object] = []
    made.ended.connect(endings.append)
    made.begin()
    return made, endings


def hostile_addresses() -> list[str]:
    """Everything around our redirect address that is not it."""
    schemes = ["https", "ftp", "ws", "frontdesk", "file", "javascript", "data", "blob", "about", ""]
    hosts = [
        "127.0.0.1.example.org",
        "127.0.0.2",
        "127.0.0.11",
        "0.0.0.0",  # noqa: S104 - an address to refuse
        "[::1]",
        "localhost",
        "example.org",
        "127.0.0.1@example.org",
        "example.org@127.0.0.1",
        ":@127.0.0.1",
        "user:word@127.0.0.1",
        "127.0.0.1%2eexample.org",
        "127.0.0.1\\@example.org",
        "127。0。0。1.example.org",
    ]
    ports = ["", ":80", ":38974", ":3897", ":389733", ":0", ":99999", ":x"]
    paths = [
        "",
        "/",
        "/signed-in/",
        "/signed-in/more",
        "/signed-in2",
        "/signed-i",
        "//signed-in",
        "/x/../signed-in2",
        "/Signed-in",
        "/SIGNED-IN",
        "/signed-in;v=1",
        "/signed%2Din2",
        "/%2Fsigned-in",
        "/signed-in%00",
        "/signed-in%20",
        "/signed-in\\",
        "/signed_in",
    ]
    found = [f"{scheme}://127.0.0.1:38973/signed-in" for scheme in schemes]
    found += [f"http://{host}:38973/signed-in" for host in hosts]
    found += [f"http://127.0.0.1{port}/signed-in" for port in ports]
    found += [f"http://127.0.0.1:38973{path}" for path in paths]
    found += [f"http://{host}{port}/signed-in" for host, port in product(hosts[:9], ports)]
    found += [f"http://{host}:38973{path}" for host, path in product(hosts[:6], paths)]
    found += [f"https://example.org/?to={REDIRECT}", f"https://example.org/#{REDIRECT}", "", "#"]
    return list(dict.fromkeys(found))


def test_two_hundred_addresses_around_ours_are_no_answer(qtbot: QtBot) -> None:  # noqa: ARG001
    addresses = hostile_addresses()
    assert len(addresses) >= 200
    for address in addresses:
        subject, endings = attempt()
        subject.content_shown()
        subject.allows(address + HASH, main_frame=True)
        subject.allows(address + "?access_token=abcdef123", main_frame=True)
        assert endings == [], address


def test_none_of_them_reaches_our_port_on_this_computer() -> None:
    for address in hostile_addresses():
        subject, _ = attempt()
        subject.content_shown()
        if ":38973/" in address and "@example.org" not in address and "example" not in address:
            assert not subject.allows(address + HASH, main_frame=True), address
            if address.startswith(("http", "ws", "ftp", "file", "frontdesk")):
                assert not subject.may_fetch(address + HASH), address


def test_no_part_of_a_page_is_fetched_from_the_port_of_the_redirect_address() -> None:
    subject, _ = attempt()
    assert not subject.may_fetch("http://127.0.0.1:38973/style.css")
    assert not subject.may_fetch("ws://localhost:38973/")
    assert subject.may_fetch("http://127.0.0.1:38974/style.css")


def test_the_answer_gives_access_and_is_not_followed() -> None:
    subject, endings = attempt()
    assert not subject.allows(REDIRECT + HASH, main_frame=True)
    (grant,) = endings
    assert isinstance(grant, Grant)
    assert grant.access_token == "abcdef123"
    assert (grant.expires_at - NOW).total_seconds() == 3600


def test_a_frame_inside_the_page_cannot_answer() -> None:
    subject, endings = attempt()
    assert not subject.allows(REDIRECT + HASH, main_frame=False)
    assert endings == []
    assert subject.state.step is AttemptState.LOADING


def test_after_the_end_nothing_more_is_visited_or_taken() -> None:
    subject, endings = attempt()
    subject.allows(REDIRECT + HASH, main_frame=True)
    assert not subject.allows(REDIRECT + HASH, main_frame=True)
    assert not subject.allows(PAGE, main_frame=True)
    assert not subject.may_fetch(PAGE)
    assert len(endings) == 1


def test_nobody_listens_at_the_redirect_address_while_the_page_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    subject, _ = attempt(redirect=f"http://127.0.0.1:{port}/signed-in")
    with pytest.raises(OSError, match="in use"):
        socket.create_server(("127.0.0.1", port))
    subject.close()
    socket.create_server(("127.0.0.1", port)).close()


def test_a_redirect_address_at_the_service_itself_keeps_the_service_open() -> None:
    redirect = f"{SERVICE}/desktop"
    subject, endings = attempt(redirect=redirect)
    assert subject.allows(f"{SERVICE}/elsewhere", main_frame=True)
    assert subject.may_fetch(f"{SERVICE}/style.css")
    assert not subject.may_fetch(redirect)
    assert not subject.allows(redirect + HASH, main_frame=True)
    assert isinstance(endings[0], Grant)


@pytest.mark.parametrize(
    "value",
    [
        "invalid_request",
        "unknown_client",
        "invalid_redirect_uri",
        "server_error",
        "unknown_scope",
        "access_denied",
        "something_new",
    ],
)
@pytest.mark.parametrize("mark", ["#", "?"])
def test_each_error_value_ends_with_a_sentence(value: str, mark: str) -> None:
    subject, endings = attempt()
    assert not subject.allows(f"{REDIRECT}{mark}error={value}", main_frame=True)
    (error,) = endings
    assert isinstance(error, AuthorisationFailed)
    assert error.value == value
    assert REDIRECT not in error.message


def test_an_answer_without_access_or_error_ends_with_a_sentence() -> None:
    subject, endings = attempt()
    subject.allows(REDIRECT, main_frame=True)
    assert isinstance(endings[0], AuthorisationFailed)


def test_a_fault_of_our_own_ends_the_attempt_and_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_args: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(AuthorisationRequest, "is_answer", broken)
    subject, endings = attempt()
    assert not subject.allows(PAGE, main_frame=True)
    assert isinstance(endings[0], ZeroDivisionError)


def test_a_first_page_that_never_comes_ends_with_a_sentence(qtbot: QtBot) -> None:
    subject, _ = attempt(seconds=0.02)
    with qtbot.waitSignal(subject.ended) as ending:
        subject.load_started()
    (error,) = ending.args
    assert isinstance(error, ExpectedError)
    assert "account.example.org" in error.message


def test_a_page_that_can_be_seen_is_not_taken_away_for_being_slow(qtbot: QtBot) -> None:
    subject, endings = attempt(seconds=0.02)
    subject.content_shown()
    subject.load_ended()
    subject.load_started()
    qtbot.waitUntil(lambda: subject.state.note is not None)
    assert subject.state.note is not None
    assert subject.state.note.reload
    assert endings == []


def test_a_picture_that_never_comes_is_not_spoken_of(qtbot: QtBot) -> None:
    subject, _ = attempt(seconds=0.02)
    subject.content_shown()
    qtbot.wait(60)
    assert subject.state.note is None


def test_a_password_box_on_a_later_page_is_said_in_the_window() -> None:
    subject, endings = attempt()
    subject.load_ended()
    subject.load_started()
    subject.asked_for_password()
    subject.load_stopped(PAGE, something_came=True)
    assert subject.state.note is not None
    assert "asks for a password" in subject.state.note.sentence
    assert endings == []


@pytest.mark.parametrize("why", LoadError)
def test_a_first_page_that_fails_ends_and_a_later_one_stays_with_a_way_on(why: LoadError) -> None:
    secret = f"{PAGE}?password=hidden"
    first, endings = attempt()
    first.load_failed(why, secret)
    (error,) = endings
    assert isinstance(error, ExpectedError)
    assert "account.example.org" in error.message
    assert "hidden" not in error.message + error.details
    later, endings = attempt()
    later.load_ended()
    later.load_failed(why, secret)
    assert endings == []
    assert later.state.note is not None
    assert later.state.note.reload
    assert "hidden" not in later.state.note.sentence


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (-105, LoadError.NAME),
        (-106, LoadError.CONNECTION),
        (-102, LoadError.CONNECTION),
        (-324, LoadError.CONNECTION),
        (-202, LoadError.NOT_SECURE),
        (-107, LoadError.NOT_SECURE),
        (-310, LoadError.OTHER),
    ],
)
def test_the_browser_s_numbers_are_told_apart(number: int, error: LoadError) -> None:
    assert load_error_of(number) is error


@pytest.mark.parametrize("scheme", ["file", "frontdesk", "mailto", "javascript", "data", "blob"])
def test_only_web_pages_fill_the_window(scheme: str) -> None:
    subject, _ = attempt()
    subject.content_shown()
    assert not subject.allows(f"{scheme}:///x", main_frame=True)
    assert subject.state.note is not None


def test_access_that_somebody_is_asked_about_is_dropped_with_the_page() -> None:
    subject, endings = attempt()
    subject.allows("https://evil.example/", main_frame=True)
    subject.allows(REDIRECT + HASH, main_frame=True)
    assert subject.state.step is AttemptState.ASKING
    assert endings == []
    subject.leave_page()
    subject.take()
    assert endings == []
    assert "abcdef123" not in str(vars(subject))


EVENTS: dict[str, Callable[[Authorisation], object]] = {
    "answer": lambda subject: subject.allows(REDIRECT + HASH, main_frame=True),
    "refusal": lambda subject: subject.allows(f"{REDIRECT}#error=access_denied", main_frame=True),
    "frame": lambda subject: subject.allows(REDIRECT + HASH, main_frame=False),
    "page": lambda subject: subject.allows(PAGE, main_frame=True),
    "stranger": lambda subject: subject.allows("https://evil.example/", main_frame=True),
    "look-alike": lambda subject: subject.allows(f"{REDIRECT}/{HASH}", main_frame=True),
    "taken": lambda subject: subject.take(),
    "file": lambda subject: subject.allows("file:///etc/passwd", main_frame=True),
    "started": lambda subject: subject.load_started(),
    "progress": lambda subject: subject.load_progressed(50),
    "shown": lambda subject: subject.content_shown(),
    "loaded": lambda subject: subject.load_ended(),
    "fault": lambda subject: subject.load_ended(503),
    "stopped": lambda subject: subject.load_stopped(PAGE, something_came=False),
    "failed": lambda subject: subject.load_failed(LoadError.CONNECTION, PAGE),
    "password box": lambda subject: subject.asked_for_password(),
    "download": lambda subject: subject.download_refused(),
    "remark": lambda subject: subject.page_said("hello"),
    "put away": lambda subject: subject.put_note_away(),
    "died": lambda subject: subject.browser_died(),
    "passkey": lambda subject: subject.asked_for_passkey(),
    "data": lambda subject: subject.load_ended(200, "application/json"),
    "left": lambda subject: subject.leave_page(),
    "back": lambda subject: subject.come_back(),
    "closed": lambda subject: subject.close(),
}
OF_THE_PERSON = {"left", "back", "closed"}


@pytest.mark.parametrize("name", sorted(EVENTS.keys() - OF_THE_PERSON))
@pytest.mark.parametrize("before", ["page", "loaded"])
def test_nothing_of_the_page_counts_while_the_person_is_in_another_browser(
    name: str, before: str
) -> None:
    subject, endings = attempt()
    EVENTS[before](subject)
    subject.leave_page()
    EVENTS[name](subject)
    assert (subject.state.step, subject.state.note, endings) == (AttemptState.ELSEWHERE, None, [])
    subject.close()


def test_a_page_that_asks_for_a_passkey_leads_to_the_other_browser() -> None:
    subject, endings = attempt()
    subject.load_ended()
    subject.asked_for_passkey()
    assert subject.state.note is not None
    assert subject.state.note.elsewhere
    assert "your own browser" in subject.state.note.sentence
    assert endings == []


@given(st.lists(st.sampled_from(sorted(EVENTS)), max_size=12))
def test_whatever_happens_in_whatever_order_there_is_exactly_one_ending(names: list[str]) -> None:
    subject, endings = attempt()
    for name in names:
        EVENTS[name](subject)
        assert len(endings) <= 1
        assert (subject.state.step is AttemptState.ENDED) == bool(endings)
    subject.close()
    assert len(endings) == 1
    assert endings[0] is None or isinstance(endings[0], Grant | ExpectedError)
