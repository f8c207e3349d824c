"""Listens on this computer for the one answer a browser brings to the redirect address.

A server never sees what stands behind the # of an address: the page it shows has a script that
hands it over. Who waits for the answer, and what it is worth, is known to others.
"""

import asyncio
import errno
import hmac
import os
import secrets
import socket
import struct
from collections.abc import Callable, Mapping
from html import escape
from http import HTTPStatus
from typing import cast

import h11
import msgspec

from app.api.addresses import WebAddress, parse_address
from app.api.errors import AddressRefused
from app.api.sign_in.redirect_port import listen
from app.model.errors import ExpectedError
from app.runtime.words import language, tr

_MARK_BYTES = 18

# Nothing in it comes from outside: the one-time value and the words stand beside it as data.
_SCRIPT = """
"use strict";
const once = document.body.dataset.once;
const say = (name) => {
  for (const part of document.querySelectorAll("main > p")) part.hidden = part.id !== name;
};
const answer = {once, query: location.search, hash: location.hash};
// Neither the address bar nor the way back keeps what came.
history.replaceState(null, "", location.pathname);
if (document.body.dataset.says) {
  say(document.body.dataset.says);
} else if (answer.query.length + answer.hash.length < 2) {
  say("nothing");
} else {
  say("handing");
  fetch(location.pathname, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(answer),
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  }).then((reply) => say(reply.ok ? "taken" : "unusable"), () => say("late"));
}
"""
_STYLE = """
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { display: grid; place-items: center; min-height: 90vh; margin: 0; padding: 1rem;
  background: light-dark(#f6f5f2, #1d2022); color: light-dark(#22262a, #eceae6) }
main { max-width: 30rem }
h1 { font-size: 1.3rem }
"""


def hand_over_page(once: str) -> tuple[bytes, str]:
    """The page that sends query and hash back with the one-time value `once`, and its policy."""
    return _page(f'data-once="{escape(once)}"', shown="unscripted")


def taken_page() -> tuple[bytes, str]:
    """The page for an answer that arrived in the query and was taken, and its policy."""
    return _page('data-says="taken"', shown="taken")


def _page(data: str, *, shown: str) -> tuple[bytes, str]:
    mark = secrets.token_urlsafe(_MARK_BYTES)
    words = {
        "unscripted": tr(
            "This page needs scripts, and your browser has them switched off. Allow them for this "
            "page and load it again, or go back to Front Desk and sign in there."
        ),
        "handing": tr("Telling Front Desk…"),
        "taken": tr("Front Desk has the answer. You can close this and go back to Front Desk."),
        "unusable": tr(
            "Front Desk cannot use this answer and waits for another. Go back to its window."
        ),
        "nothing": tr("Nothing to hand over came with this address. Go back to Front Desk."),
        "late": tr(
            "Front Desk does not wait for an answer any more. You can close this; its window says "
            "how the sign-in went."
        ),
    }
    told = "".join(
        f'<p id="{name}" dir="auto" role="status"{"" if name == shown else " hidden"}>'
        f"{escape(text)}</p>"
        for name, text in words.items()
    )
    html = (
        f'<!doctype html><html lang="{escape(language().replace("_", "-"))}"><head>'
        '<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        # Without it a browser asks for an icon.
        f'<link rel="icon" href="data:,"><title>Front Desk</title><style nonce="{mark}">{_STYLE}'
        f"</style></head><body {data}><main><h1>Front Desk</h1>{told}</main>"
        f'<script nonce="{mark}">{_SCRIPT}</script></body></html>'
    )
    policy = (
        f"default-src 'none'; script-src 'nonce-{mark}'; style-src 'nonce-{mark}'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return html.encode(), policy


Take = Callable[[str], bool]
"""Gets a whole redirect, hash included; says whether it was an answer, which ends the listening."""

_ADDRESSES_OF_HOST: dict[str, tuple[str, ...]] = {
    "127.0.0.1": ("127.0.0.1",),
    "::1": ("::1",),
    # A browser may try either number first.
    "localhost": ("127.0.0.1", "::1"),
}
# Windows says "no access" where somebody else holds a port for himself alone.
_TAKEN = frozenset({errno.EADDRINUSE, errno.EACCES if os.name == "nt" else errno.EADDRINUSE})
_ONE_TIME_BYTES = 32
# An answer is at most 16 KiB (`redirect_response`). A browser adds the cookies of every program on
# this computer that has a page, and in the body each mark may be escaped.
_LARGEST_HEAD = 64 * 1024
_LARGEST_BODY = 48 * 1024
_NEVER_ASKED = frozenset(
    # Said of a page that is fetched before anybody wants it, and of what is no page.
    {b"sec-purpose", b"purpose", b"x-purpose", b"x-moz", b"upgrade", b"transfer-encoding"}
)
_VISIT_SECONDS = 10.0
_HANG_UP_SECONDS = 2.0
"""What a browser that has its answer is given to hang up, once nothing is waited for any more."""
_NO_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
_MOST_VISITS = 16

_JSON = b"application/json"
_KEEP_OUT = (
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)


class PortNotFree(ExpectedError):
    """Front Desk cannot listen at the redirect address."""


class _HandedOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page sends: query and hash as the browser has them, "" or with their ? and #."""

    once: str
    query: str
    hash: str


def can_listen_at(redirect_uri: str) -> bool:
    """Whether a browser that is sent there reaches this computer, by the names meant for that."""
    place = _loopback(redirect_uri)
    return place is not None and place.host in _ADDRESSES_OF_HOST


class RedirectListener:
    """Listens at the redirect address until one answer was taken or `close`.

    Everybody on this computer can connect, and any web page can send a browser here. So only what
    a browser asks for when it is led here gets the page, and only that page, by its origin and by a
    value made for this attempt, can hand anything over. All else is refused, and the listening goes
    on. A program on this computer that acts as a browser does cannot be told from one.
    """

    def __init__(
        self,
        redirect_uri: str,
        take: Take,
        *,
        in_query: bool,
        visit_seconds: float = _VISIT_SECONDS,
    ) -> None:
        """`in_query`: the web flow, whose code arrives in the query and carries a state.

        `visit_seconds` is how long one connection may last.
        """
        place = _loopback(redirect_uri)
        if place is None or place.host not in _ADDRESSES_OF_HOST:
            raise ValueError("no redirect address of this computer")
        self._place = place
        self._redirect_uri = redirect_uri
        self._take = take
        self._in_query = in_query
        self._once = secrets.token_urlsafe(_ONE_TIME_BYTES)
        self._origin = place.origin.encode()
        self._host = place.origin.partition("://")[2].encode()
        self._path = (place.path or "/").encode()
        self._servers: list[asyncio.Server] = []
        self._visits: dict[_Visit, None] = {}
        self._closed = False
        self._everybody_left = asyncio.Event()
        self.visit_seconds = visit_seconds

    async def open(self) -> None:
        """Begin to listen, on the numbers the redirect address names and nowhere else.

        Raises PortNotFree with a sentence where another program has the port.
        """
        doors: list[socket.socket] = []
        try:
            for number in _ADDRESSES_OF_HOST[self._place.host]:
                doors += _doors(number, self._place.port)
            _insist_on(doors, self._place.port)
            loop = asyncio.get_running_loop()
            while doors:
                server = await loop.create_server(
                    lambda: _Visit(self), sock=doors[0], backlog=_MOST_VISITS
                )
                del doors[0]
                self._servers.append(server)
        except BaseException:
            self.close()
            raise
        finally:
            for door in doors:
                door.close()
        if self._closed:
            self.close()

    def close(self) -> None:
        """End listening and every connection; who has got an answer hangs up, soon if not at once.

        From here on the port is free to be held, see `redirect_port`.
        """
        self._closed = True
        while self._servers:
            self._servers.pop().close()
        for visit in tuple(self._visits):
            visit.end()
        self._note_who_left()

    async def wait_closed(self) -> None:
        """Return when every connection is gone, seconds after `close` at the latest."""
        try:
            await self._everybody_left.wait()
        except asyncio.CancelledError:
            for visit in tuple(self._visits):
                visit.abort()
            raise

    # What the visits ask

    @property
    def closed(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._closed

    def came(self, visit: "_Visit") -> None:
        """A connection was made. The oldest one makes room: a newer may be the browser's."""
        self._visits[visit] = None
        if self._closed:
            visit.end()
        elif len(self._visits) > _MOST_VISITS:
            next(iter(self._visits)).abort()

    def went(self, visit: "_Visit") -> None:
        """A connection is gone."""
        self._visits.pop(visit, None)
        self._note_who_left()

    def _note_who_left(self) -> None:
        if self._closed and not self._visits:
            self._everybody_left.set()

    def refusal(self, request: h11.Request) -> HTTPStatus | None:
        """Why nothing is to be had for this request, whatever its body says; None for no reason."""
        headers = dict(request.headers)
        return _first(
            (HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, request.http_version != b"1.1"),
            # Also for a name that somebody else's server points at this computer.
            (HTTPStatus.MISDIRECTED_REQUEST, headers.get(b"host") != self._host),
            (HTTPStatus.NOT_FOUND, request.target.partition(b"?")[0] != self._path),
            (HTTPStatus.METHOD_NOT_ALLOWED, request.method not in {b"GET", b"POST"}),
            (HTTPStatus.BAD_REQUEST, len(headers) != len(request.headers)),
            (HTTPStatus.BAD_REQUEST, bool(headers.keys() & _NEVER_ASKED)),
        ) or (
            self._refusal_of_asking(headers)
            if request.method == b"GET"
            else self._refusal_of_handing_over(headers)
        )

    def answer(self, request: h11.Request, body: bytes) -> "_Reply":
        """What a request gets that nothing is held against; an answer in it is taken."""
        if request.method == b"GET":
            query = request.target.partition(b"?")[2].decode("ascii")
            if self._in_query and query and self._taken(f"?{query}"):
                return _Reply(HTTPStatus.OK, *taken_page())
            return _Reply(HTTPStatus.OK, *hand_over_page(self._once))
        try:
            came = msgspec.json.decode(body, type=_HandedOver)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _Reply(HTTPStatus.BAD_REQUEST)
        if not hmac.compare_digest(came.once.encode("utf-8", "replace"), self._once.encode()):
            return _Reply(HTTPStatus.FORBIDDEN)
        if not (_is_part(came.query, "?") and _is_part(came.hash, "#") and "#" not in came.query):
            return _Reply(HTTPStatus.BAD_REQUEST)
        taken = self._taken(came.query + came.hash)
        return _Reply(HTTPStatus.NO_CONTENT if taken else HTTPStatus.UNPROCESSABLE_ENTITY)

    def _taken(self, rest: str) -> bool:
        if self._closed or not self._take(self._redirect_uri + rest):
            return False
        self.close()
        return True

    def _refusal_of_asking(self, headers: Mapping[bytes, bytes]) -> HTTPStatus | None:
        """Only a page of its own is shown, no part of another; older browsers do not say which."""
        return _first(
            (HTTPStatus.FORBIDDEN, headers.get(b"sec-fetch-mode", b"navigate") != b"navigate"),
            (HTTPStatus.FORBIDDEN, headers.get(b"sec-fetch-dest", b"document") != b"document"),
            (HTTPStatus.FORBIDDEN, headers.get(b"origin", self._origin) != self._origin),
            (HTTPStatus.BAD_REQUEST, headers.get(b"content-length", b"0") != b"0"),
        )

    def _refusal_of_handing_over(self, headers: Mapping[bytes, bytes]) -> HTTPStatus | None:
        site = headers.get(b"sec-fetch-site", b"same-origin")
        return _first(
            (HTTPStatus.FORBIDDEN, headers.get(b"origin") != self._origin),
            (HTTPStatus.FORBIDDEN, site != b"same-origin"),
            (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, headers.get(b"content-type") != _JSON),
            # h11 has seen to it that this is one number.
            (
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                int(headers.get(b"content-length", b"0")) > _LARGEST_BODY,
            ),
        )


def _first(*refusals: tuple[HTTPStatus, bool]) -> HTTPStatus | None:
    return next((status for status, holds in refusals if holds), None)


class _Reply:
    """One whole answer; it says that the connection ends with it, and allows nothing to anybody."""

    def __init__(
        self, status: HTTPStatus, body: bytes = b"", policy: str = "default-src 'none'"
    ) -> None:
        lines = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            *(f"{name}: {value}" for name, value in _KEEP_OUT),
            f"Content-Security-Policy: {policy}",
        ]
        if body:
            lines.append("Content-Type: text/html; charset=utf-8")
        if status is not HTTPStatus.NO_CONTENT:
            lines.append(f"Content-Length: {len(body)}")
        self.written = "\r\n".join([*lines, "", ""]).encode() + body


class _Visit(asyncio.Protocol):
    """One connection: one request, one answer, and no longer than its time."""

    def __init__(self, listener: RedirectListener) -> None:
        self._listener = listener
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._answering = False
        self._answered = False
        self._leaving = False
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is here: from now on time runs."""
        self._transport = cast(asyncio.Transport, transport)
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._listener.visit_seconds, self.abort)
        self._listener.came(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """The connection is gone, from either side."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._listener.went(self)

    def data_received(self, data: bytes) -> None:
        """Some of the request. What comes behind its end is not looked at."""
        if self._answered:
            return
        try:
            self._http.receive_data(data)
            self._read()
        except h11.RemoteProtocolError as error:
            self._say(_Reply(HTTPStatus(error.error_status_hint)))

    def end(self) -> None:
        """End the connection; who was given an answer may read it and hang up."""
        if self._answering or self._leaving:
            return
        if not self._answered:
            self.abort()
            return
        self._leaving = True
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = asyncio.get_running_loop().call_later(_HANG_UP_SECONDS, self.abort)

    def abort(self) -> None:
        """Hang up at once, so that nothing of the connection is left.

        Who hangs up first in the usual way keeps the port busy for a minute.
        """
        if self._transport is None or self._transport.is_closing():
            return
        connection: socket.socket = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._transport.abort()

    def _read(self) -> None:
        while not self._answered:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._request = event
                refused = self._listener.refusal(event)
                if refused is not None:
                    self._say(_Reply(refused))
            elif isinstance(event, h11.Data):
                self._body += event.data
            elif isinstance(event, h11.EndOfMessage) and self._request is not None:
                self._answering = True
                self._say(self._listener.answer(self._request, bytes(self._body)))
            else:
                return

    def _say(self, response: _Reply) -> None:
        """Answer, and let the browser hang up, see `abort`."""
        self._answered, self._answering = True, False
        if self._transport is not None:
            self._transport.write(response.written)
            if self._listener.closed:
                self.end()


def _loopback(redirect_uri: str) -> WebAddress | None:
    try:
        place = parse_address(redirect_uri)
    except AddressRefused:
        return None
    return place if place.scheme == "http" else None


def _doors(number: str, port: int) -> list[socket.socket]:
    """A listening socket; none on a computer that knows no such number. Raises PortNotFree."""
    try:
        door = listen(number, port, _MOST_VISITS)
    except OSError as error:
        raise _not_free(port, taken=error.errno in _TAKEN) from error
    return [] if door is None else [door]


def _insist_on(doors: list[socket.socket], port: int) -> None:
    if not doors:
        raise _not_free(port, taken=False)


def _is_part(text: str, mark: str) -> bool:
    """Whether `text` is a query or a hash as browsers write it: ASCII, nothing that ends a line."""
    return not text or (text.startswith(mark) and text.isascii() and text.isprintable())


def _not_free(port: int, *, taken: bool) -> PortNotFree:
    title = tr("Not in your own browser")
    number = str(port)
    if taken:
        return PortNotFree(
            title,
            tr(
                "Another program on this computer uses port {number}, where the answer of your "
                "browser would arrive. Sign in in this window, or close that program.",
                number=number,
            ),
        )
    return PortNotFree(
        title,
        tr(
            "This computer does not let Front Desk wait at port {number}, where the answer of your "
            "browser would arrive. Sign in in this window.",
            number=number,
        ),
    )
