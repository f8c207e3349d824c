"""Every way a sign-in in the real browser ends without access, and what a page is not given."""

import asyncio
import os
import signal
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.api.errors import AuthorisationFailed
from app.model.errors import ExpectedError
from app.views.sign_in.browser import BrowserProfile
from tests.views.sign_in.web_pages import DialogAt, OpenDialog, Run, page

# The platform without a screen says so for every window with a smallest size and for each list.
pytestmark = pytest.mark.qt_log_ignore(
    r"plugin does not support (propagateSizeHints|raise|grabbing the keyboard)", extend=True
)

REDIRECT = "http://127.0.0.1:38973/signed-in"


def ending(run: Run, open_dialog: Any, seconds: float = 20) -> ExpectedError:
    """The sentence an attempt ends with; the dialog must be gone by then."""

    async def story() -> None:
        await open_dialog.start(seconds)

    with pytest.raises(ExpectedError) as caught:
        run(story())
    assert open_dialog.dialog is None
    return caught.value


@pytest.mark.parametrize("value", ["server_error", "access_denied"])
def test_each_error_in_the_redirect_ends_with_its_sentence(
    run: Run, open_dialog: OpenDialog, value: str
) -> None:
    subject, _ = open_dialog({"/oauth": (302, {"Location": f"{REDIRECT}#error={value}"}, "")})
    error = ending(run, subject)
    assert isinstance(error, AuthorisationFailed)
    assert error.value == value


def test_nobody_at_the_address(run: Run, dialog_at: DialogAt) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    subject = dialog_at(f"http://127.0.0.1:{port}")
    assert f"No connection to 127.0.0.1:{port}." in ending(run, subject).message


def test_a_port_the_browser_never_asks_is_one_at_which_nobody_answers(
    run: Run, dialog_at: DialogAt
) -> None:
    assert "Nobody answers at 127.0.0.1:9." in ending(run, dialog_at("http://127.0.0.1:9")).message


def test_a_name_nobody_knows(run: Run, dialog_at: DialogAt) -> None:
    subject = dialog_at("https://account.invalid")
    message = ending(run, subject).message
    assert "account.invalid" in message
    assert "oauth" not in message


def test_a_page_that_never_comes(run: Run, open_dialog: OpenDialog) -> None:
    subject, _ = open_dialog({"/oauth": (0, {}, "")})
    assert "in time" in ending(run, subject, seconds=0.5).message


def test_a_page_without_a_page(run: Run, open_dialog: OpenDialog) -> None:
    subject, _ = open_dialog({"/oauth": (204, {}, "")})
    assert "could not be loaded" in ending(run, subject).message


def test_a_file_instead_of_a_page(run: Run, open_dialog: OpenDialog) -> None:
    subject, _ = open_dialog({"/oauth": (200, {"Content-Type": "application/octet-stream"}, "x")})
    assert "leads to a file" in ending(run, subject).message


@pytest.mark.parametrize(
    "address", ["frontdesk:signed-in#access_token=stolen", "mailto:a@b.example"]
)
def test_an_address_for_another_program(run: Run, open_dialog: OpenDialog, address: str) -> None:
    subject, _ = open_dialog({"/oauth": (302, {"Location": address}, "")})
    assert "outside the browser" in ending(run, subject).message


def test_a_password_box_of_the_server_is_not_shown_and_not_asked_for_ever(
    run: Run, open_dialog: OpenDialog
) -> None:
    subject, asked = open_dialog({"/oauth": (401, {"WWW-Authenticate": "Basic realm=x"}, "")})
    assert "asks for a password" in ending(run, subject).message
    assert len(asked) < 4


@pytest.fixture
def untrusted() -> Iterator[str]:
    """The address of a server whose certificate nobody vouches for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("self_signed.pem"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        over = threading.Event()

        def accept() -> None:
            while not over.is_set():
                try:
                    with context.wrap_socket(listener.accept()[0], server_side=True) as line:
                        line.recv(1)
                except OSError:
                    continue

        thread = threading.Thread(target=accept)
        thread.start()
        yield f"https://127.0.0.1:{listener.getsockname()[1]}"
        over.set()
        thread.join()


def test_a_certificate_nobody_vouches_for(run: Run, dialog_at: DialogAt, untrusted: str) -> None:
    message = ending(run, dialog_at(untrusted)).message
    assert "could not prove who it is" in message


def test_the_process_behind_the_page_is_killed(run: Run, open_dialog: OpenDialog) -> None:
    subject, _ = open_dialog({"/oauth": page("hello")})

    async def story() -> None:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        os.kill(subject.view.page().renderProcessPid(), signal.SIGKILL)
        await task

    with pytest.raises(ExpectedError, match="stopped working"):
        run(story())
    assert subject.dialog is None


@pytest.mark.parametrize("when", ["at once", "while it loads", "later"])
def test_the_program_ends_while_the_page_is_open(
    run: Run, open_dialog: OpenDialog, when: str
) -> None:
    answer = page("hello") if when == "later" else (0, {}, "")
    subject, asked = open_dialog({"/oauth": answer})

    async def story() -> None:
        task = subject.start()
        if when != "at once":
            await asyncio.sleep(0)
            await subject.until(lambda: asked)
        if when == "later":
            await subject.titled("shown")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert subject.dialog is None

    run(story())


def test_forgetting_closes_what_is_open(
    run: Run, open_dialog: OpenDialog, profile: BrowserProfile
) -> None:
    subject, _ = open_dialog({"/oauth": page("hello")})

    async def story() -> Any:
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        profile.forget()
        assert subject.dialog is None
        return await task

    assert run(story()) is None
