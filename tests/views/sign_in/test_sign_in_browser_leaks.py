"""Whatever the account's page tries, nobody is asked anything where the answer is to arrive."""

import json
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest
from PySide6.QtWidgets import QWidget

from app.api.sign_in.oauth import AuthorisationRequest, Grant
from app.views.sign_in.browser import BrowserProfile, authorise

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]

# The platform without a screen says so for every window that has a smallest size.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints", extend=True)

SCRIPT = {"Content-Type": "text/javascript"}
GO_ON = "<script>setTimeout(() => { location = '/honest' }, 500)</script>"
GO_ON_LATER = GO_ON.replace("500", "800")


class Eavesdropper:
    """Another program that waits where the answer is to arrive, for connections and datagrams."""

    def __init__(self, port: int) -> None:
        self.heard: list[str] = []
        """The first line of each connection, blank where nothing was said, and each datagram."""
        self._over = threading.Event()
        self._doors = [
            socket.create_server(("127.0.0.1", port)),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        ]
        self.port: int = self._doors[0].getsockname()[1]
        self._doors[1].bind(("127.0.0.1", self.port))
        for door in self._doors:
            door.settimeout(0.05)
        self._threads = [
            threading.Thread(target=wait) for wait in (self._connections, self._datagrams)
        ]
        for thread in self._threads:
            thread.start()

    def _connections(self) -> None:
        while not self._over.is_set():
            try:
                line, _ = self._doors[0].accept()
            except TimeoutError:
                continue
            with line:
                self.heard.append(self._first_line(line))

    @staticmethod
    def _first_line(line: socket.socket) -> str:
        line.settimeout(0.3)
        try:
            return line.recv(4096).partition(b"\r\n")[0].decode("latin-1")
        except OSError:
            return ""

    def _datagrams(self) -> None:
        while not self._over.is_set():
            try:
                self.heard.append(f"datagram {self._doors[1].recv(4096)[:16]!r}")
            except TimeoutError:
                continue

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        for door in self._doors:
            door.close()


@pytest.fixture
def eavesdropper() -> Iterator[Eavesdropper]:
    """At a redirect address about which Chromium knew nothing when it was started."""
    made = Eavesdropper(0)
    yield made
    made.stop()


@pytest.fixture(params=["first_redirect", "known_redirect"])
def known_eavesdropper(request: pytest.FixtureRequest) -> Iterator[Eavesdropper]:
    """At a redirect address that was known when Chromium was started."""
    made = Eavesdropper(urlsplit(request.getfixturevalue(request.param)).port or 0)
    yield made
    made.stop()


Visit = Callable[[Eavesdropper, Callable[[str], Pages]], None]


@pytest.fixture
def visit(run: Run, serve: Serve, window: QWidget, profile: BrowserProfile) -> Visit:
    """Signs in at pages made for a redirect address; they may try what they like before."""

    def attempt(listener: Eavesdropper, pages_for: Callable[[str], Pages]) -> None:
        redirect = f"http://127.0.0.1:{listener.port}/signed-in"
        base_url, _ = serve(
            {
                "/led": (307, {"Location": f"{redirect}?code=led"}, ""),
                "/honest": (302, {"Location": f"{redirect}#access_token=a&expires_in=600"}, ""),
                **pages_for(redirect),
            }
        )
        request = AuthorisationRequest(base_url, "client", redirect)
        assert isinstance(run(authorise(window, request, profile)), Grant)
        time.sleep(0.05)

    return attempt


def asks(to: str, way: str) -> str:
    """What a worker does to ask `to`, and what is led there, in every way it has."""
    there = f"{to}?code=stolen&by={way}"
    return (
        f"try {{ importScripts({json.dumps(f'{there}-import')}) }} catch {{}};"
        f"fetch({json.dumps(f'{there}-fetch')}, {{mode: 'no-cors'}});"
        f"new WebSocket({json.dumps(f'{there}-socket'.replace('http:', 'ws:'))});"
        f"fetch(new URL('/led', self.origin), {{mode: 'no-cors'}});"
    )


def blob(source: str) -> str:
    return f"URL.createObjectURL(new Blob([{json.dumps(source)}], {{type: 'text/javascript'}}))"


def pages_with_workers(to: str) -> Pages:
    """Every kind of worker, in the page and in a frame of it."""
    made = [f"new {kind}('/{kind}.js')" for kind in ("Worker", "SharedWorker")]
    made += [f"new {kind}({blob(asks(to, f'blob{kind}'))})" for kind in ("Worker", "SharedWorker")]
    made.append("navigator.serviceWorker.register('/ServiceWorker.js').catch(() => 0)")
    tries = "".join(f"try {{ {each} }} catch {{}};" for each in made)
    return {
        "/oauth": (200, {}, f"<script>{tries}</script><iframe src=/frame></iframe>"),
        "/frame": (200, {}, f"<script>{tries}</script>"),
        **{
            f"/{kind}.js": (200, SCRIPT, asks(to, kind))
            for kind in ("Worker", "SharedWorker", "ServiceWorker")
        },
    }


def pages_with_parts(to: str) -> Pages:
    """Every part of a page, and every request of a script, that asks there or is led there."""
    led = (
        "<img src=/led?{n}><script src=/led?{n}></script><link rel=stylesheet href=/led?{n}>"
        "<video src=/led?{n}></video><iframe src=/led?{n}></iframe><object data=/led?{n}></object>"
        "<script>fetch('/led?{n}', {{mode: 'no-cors'}});"
        "fetch('/led?{n}', {{mode: 'no-cors', keepalive: true}});"
        "navigator.sendBeacon('/led?{n}', 'x'); new EventSource('/led?{n}')</script>"
    )
    there = f"{to}?code=stolen&by="
    socket_to = there.replace("http:", "ws:")
    rules = {"prefetch": [{"urls": [f"{there}rules", "/led"], "eagerness": "immediate"}]}
    html = (
        "".join(led.format(n=number) for number in range(3))
        + f"<script type=speculationrules>{json.dumps(rules)}</script>"
        f"<link rel=prefetch href='{there}prefetch'><link rel=preload as=image href='{there}l'>"
        f"<link rel=manifest href='{there}manifest'><link rel=icon href='{there}icon'>"
        f"<iframe name=inside></iframe><form target=inside action='{to}'><input></form>"
        f"<iframe srcdoc=\"<img src='{there}srcdoc'><script>new WebSocket('{socket_to}srcdoc')"
        '</script>"></iframe><img src=/blocked>'
        f"<script>document.forms[0].submit(); new WebSocket('{socket_to}socket');"
        f"new EventSource('{there}events'); navigator.sendBeacon('{there}beacon', 'x');"
        f"fetch('{there}fetch', {{mode: 'no-cors', keepalive: true}});"
        f"fetch('{there}asked', {{headers: {{'x-a': '1'}}}}).catch(() => 0);"
        f"open('{there}window')</script><object data=/x></object>"
    )
    told = {"group": "g", "max_age": 600, "endpoints": [{"url": f"{there}report"}]}
    headers = {
        "Content-Security-Policy": f"object-src 'none'; report-uri {there}policy",
        "Report-To": json.dumps(told),
        "NEL": json.dumps({"report_to": "g", "max_age": 600, "success_fraction": 1}),
        "Link": f"<{there}header>; rel=preload; as=image",
    }
    return {"/oauth": (200, headers, html)}


CALLS = """
const to = PORT;
try {
    const call = new RTCPeerConnection({iceServers: [{urls: [`stun:127.0.0.1:${to}`,
        `turn:127.0.0.1:${to}?transport=udp`, `turn:127.0.0.1:${to}?transport=tcp`],
        username: "a", credential: "b"}]});
    call.createDataChannel("x");
    call.createOffer().then(offer => call.setLocalDescription(offer));
} catch {}
try { new WebTransport(`https://127.0.0.1:${to}/signed-in?code=stolen`) } catch {}
const provider = {configURL: `http://127.0.0.1:${to}/signed-in?code=stolen`, clientId: "1"};
try { navigator.credentials.get({identity: {providers: [provider]}}).catch(() => 0) } catch {}
"""


def in_a_fresh_frame(script: str) -> str:
    """A page that has it done by a frame into which nothing was loaded."""
    return (
        "<body><script>{ const frame = document.body.appendChild(document.createElement('iframe'));"
        f"frame.contentWindow.eval({json.dumps(script)}) }}</script>"
    )


def pages_with_calls(to: str) -> Pages:
    """What is no request: calls and datagrams, those also from a frame without a page."""
    port = urlsplit(to).port
    inside = f"new WebTransport('https://127.0.0.1:{port}/signed-in?code=stolen')"
    script = CALLS.replace("PORT", str(port))
    return {"/oauth": (200, {}, f"{in_a_fresh_frame(inside)}<script>{{{script}}}</script>")}


def pages_with_guesses(to: str) -> Pages:
    """Connections made on a guess, and every call from a frame without a page."""
    links = "".join(
        f"<link rel='{kind}' {how} href='{to}'>"
        for kind in ("preconnect", "dns-prefetch preconnect")
        for how in ("", "crossorigin")
    )
    script = CALLS.replace("PORT", str(urlsplit(to).port))
    return {"/oauth": (200, {}, f"{links}{in_a_fresh_frame(script)}")}


def then(pages: Pages, go_on: str) -> Pages:
    """The same, of which the first page goes on to the honest answer a moment later."""
    status, headers, html = pages["/oauth"]
    return {**pages, "/oauth": (status, headers, html + go_on)}


@pytest.mark.parametrize("made", [pages_with_workers, pages_with_parts, pages_with_calls])
def test_no_worker_no_part_of_a_page_and_no_call_gets_there(
    eavesdropper: Eavesdropper, visit: Visit, made: Callable[[str], Pages]
) -> None:
    visit(eavesdropper, lambda to: then(made(to), GO_ON))
    assert eavesdropper.heard == []


def test_of_all_that_nothing_gets_to_a_known_address_and_no_connection_is_made_on_a_guess(
    known_eavesdropper: Eavesdropper, visit: Visit
) -> None:
    def pages(to: str) -> Pages:
        tried = [
            made(to)
            for made in (pages_with_guesses, pages_with_workers, pages_with_parts, pages_with_calls)
        ]
        together = {path: answer for each in tried for path, answer in each.items()}
        headers = {name: value for each in tried for name, value in each["/oauth"][1].items()}
        html = "".join(each["/oauth"][2] for each in tried)
        return then({**together, "/oauth": (200, headers, html)}, GO_ON_LATER)

    visit(known_eavesdropper, pages)
    assert known_eavesdropper.heard == []


def test_a_page_is_as_it_would_be_and_loads_what_it_needs_but_no_worker_and_makes_no_call(
    run: Run, dialog_at: Callable[[str], Any], serve: Serve
) -> None:
    refused = (
        "const frame = document.body.appendChild(document.createElement('iframe'));"
        "const kept = [typeof RTCPeerConnection, typeof WebTransport];"
        "for (const each of [document, frame.contentDocument])"
        " each.addEventListener('securitypolicyviolation', told => {"
        "  kept.push(told.effectiveDirective); if (kept.length === 4) say(kept.sort().join()) });"
        "new Worker(URL.createObjectURL(new Blob(['0'])));"
        "new frame.contentWindow.WebTransport('https://127.0.0.1:9/').ready.catch(() => 0);"
    )
    highlights = (
        "document.title = [document.compatMode, document.documentElement.className,"
        "document.doctype.name, document.childNodes.length,"
        "document.querySelectorAll('meta, html').length, document.head.children.length,"
        "styled(), eval('1 + 1'), loaded, kept].join()"
    )
    html = (
        "<!doctype html><html class=own><head><link rel=stylesheet href=/style.css>"
        "<script src=/script.js></script></head><body onload='run()'><p id=p style='top:1px'>text"
        f"<script>function run() {{ {refused} }} function say(kept) {{ {highlights} }}</script>"
    )
    script = "let loaded = 'loaded'; const styled = () => getComputedStyle(p).color"
    base_url, _ = serve(
        {
            "/oauth": (200, {}, html),
            "/style.css": (200, {"Content-Type": "text/css"}, "p { color: rgb(1, 2, 3) }"),
            "/script.js": (200, SCRIPT, script),
        }
    )
    subject = dialog_at(base_url)

    async def story() -> None:
        subject.start()
        await subject.until(lambda: subject.dialog is not None)
        kept = "connect-src,undefined,undefined,worker-src"
        await subject.titled(f"CSS1Compat,own,html,2,1,2,rgb(1, 2, 3),2,loaded,{kept}")

    run(story())
