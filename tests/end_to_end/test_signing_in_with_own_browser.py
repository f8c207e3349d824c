"""Signing in with the system's own browser, from the first page to the lists, and away from it."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, click
from tests.demo.scriptless import Browser
from tests.end_to_end.steps import Serve, Visit, open_account_page, the
from tests.loopback import NO_CERTIFICATES


class SystemBrowser(QObject):
    """Keeps what the desktop is asked to open, and goes there when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._work: threading.Thread | None = None

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.asked.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def sign_in(self) -> None:
        """Sign in, choose Allow and do what the script of the last page does."""
        self._work = threading.Thread(target=finish, args=(self.asked[-1],))
        self._work.start()

    def close(self) -> None:
        if self._work is not None:
            self._work.join(20)


def finish(address: str) -> None:
    asked = urlsplit(address)
    with httpx.Client(
        base_url=f"{asked.scheme}://{asked.netloc}", verify=NO_CERTIFICATES
    ) as client:
        browser = Browser(client)
        browser.open(**dict(httpx.QueryParams(asked.query)))
        browser.sign_in()
        led_to = browser.press("Allow").response.headers["Location"]
        redirect, _, fragment = led_to.partition("#")
        once = re.search('data-once="([^"]+)"', client.get(redirect).text)
        assert once is not None
        client.post(
            redirect,
            content=json.dumps({"once": once[1], "query": "", "hash": f"#{fragment}"}),
            headers={
                "Origin": redirect.removesuffix("/signed-in"),
                "Content-Type": "application/json",
            },
        )


@pytest.fixture
def browser() -> Iterator[SystemBrowser]:
    made = SystemBrowser()
    QDesktopServices.setUrlHandler("http", made, "take")  # type: ignore[arg-type]  # takes no bytes
    yield made
    QDesktopServices.unsetUrlHandler("http")
    made.close()


@pytest.fixture
def access(serve: Serve) -> DemoAccess:
    """A service whose redirect address no other test has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    return serve(redirect_uri=f"http://127.0.0.1:{port}/signed-in").start()


def listens(access: DemoAccess) -> bool:
    place = urlsplit(access.redirect_uri)
    with socket.socket() as tried:
        tried.settimeout(0.2)
        return tried.connect_ex((place.hostname, place.port)) == 0


def test_the_own_browser_leads_to_the_lists(
    visit: Visit, access: DemoAccess, browser: SystemBrowser
) -> None:
    def script(_container: Container) -> Script:
        yield from open_account_page(access)
        click(the("Use my own browser"))
        yield shown("Finish signing in in your browser")
        assert browser.asked
        browser.sign_in()
        yield shown("Was that you?")
        assert not listens(access)
        click(the("Yes, sign in"))
        yield shown("Signed in", "80 people")

    visit(script)


def test_quitting_meanwhile_ends_the_listening(
    visit: Visit, access: DemoAccess, browser: SystemBrowser
) -> None:
    def script(container: Container) -> Script:
        yield from open_account_page(access)
        click(the("Use my own browser"))
        yield shown("Finish signing in in your browser")
        assert listens(access)
        container.window.close()
        yield Until("the end", lambda: not listens(access))

    visit(script)
    assert not listens(access)
    assert len(browser.asked) == 1
