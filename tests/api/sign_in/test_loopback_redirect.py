"""The listener at the redirect address, over loopback: one answer, from its own page alone."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.api.sign_in.loopback_redirect import PortNotFree, RedirectListener, can_listen_at
from app.api.sign_in.redirect_port import RedirectPortReservation
from app.runtime.words import use_language
from tests.catalogues import write_catalogue

HASH = "#access_token=honest&expires_in=600"
STOLEN = "#access_token=stolen&expires_in=600"


@dataclass
class Door:
    """A listener at a free port, what it took, and the words a browser would use there."""

    port: int
    host: str = "127.0.0.1"
    name: str = "127.0.0.1"
    taken: list[str] = field(default_factory=list)
    usable: Callable[[str], bool] = lambda _url: True

    @property
    def redirect(self) -> str:
        return f"http://{self.name}:{self.port}/signed-in"

    @property
    def origin(self) -> str:
        return f"http://{self.name}:{self.port}"

    def take(self, url: str) -> bool:
        if self.usable(url):
            self.taken.append(url)
            return True
        return False

    def head(self, start: str, **headers: str | None) -> bytes:
        """A request as a browser writes it; a header that is None is left out."""
        told = {"Host": f"{self.name}:{self.port}"}
        told |= {name.replace("_", "-"): value for name, value in headers.items() if value}
        for name in [name for name, value in headers.items() if value is None]:
            told.pop(name, None)
        lines = [start, *(f"{name}: {value}" for name, value in told.items()), "", ""]
        return "\r\n".join(lines).encode("utf-8")

    def visit(self, rest: str = "") -> bytes:
        return self.head(
            f"GET /signed-in{rest} HTTP/1.1", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document"
        )

    def handing(
        self, body: object, *, start: str = "POST /signed-in HTTP/1.1", **headers: str | None
    ) -> bytes:
        written = body if isinstance(body, bytes) else json.dumps(body).encode()
        usual: dict[str, str | None] = {
            "Origin": self.origin,
            "Content_Type": "application/json",
            "Sec_Fetch_Site": "same-origin",
            "Content_Length": str(len(written)),
        }
        return self.head(start, **(usual | headers)) + written

    async def ask(self, request: bytes, *, hangs_up: bool = True) -> bytes:
        """The whole answer to what was sent; empty where there was none."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(request)
            if hangs_up:
                writer.write_eof()
            return await asyncio.wait_for(reader.read(), 10)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def once(self) -> str:
        return once_in(await self.ask(self.visit()))

    async def hands_over(self, rest: str = HASH, query: str = "") -> bytes:
        return await self.ask(
            self.handing({"once": await self.once(), "query": query, "hash": rest})
        )


def once_in(answer: bytes) -> str:
    found = re.search(rb'data-once="([^"]+)"', answer)
    assert found, answer
    return found[1].decode()


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


@asynccontextmanager
async def listening(
    door: Door, *, in_query: bool = False, visit_seconds: float = 10
) -> AsyncIterator[RedirectListener]:
    listener = RedirectListener(
        door.redirect, door.take, in_query=in_query, visit_seconds=visit_seconds
    )
    await listener.open()
    try:
        yield listener
    finally:
        listener.close()
        await listener.wait_closed()


@pytest.fixture
def door() -> Door:
    return Door(free_port())


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def refused_at(door: Door) -> bool:
    """Whether nobody listens there."""
    try:
        _, writer = await asyncio.open_connection(door.host, door.port)
    except OSError:
        return True
    writer.close()
    return False


# One answer, honestly given


async def test_the_page_hands_the_hash_over_and_the_listening_ends(door: Door) -> None:
    async with listening(door):
        answer = await door.hands_over()
    assert status_of(answer) == 204
    assert door.taken == [door.redirect + HASH]
    assert await refused_at(door)


async def test_an_error_in_the_query_is_handed_over_like_the_hash(door: Door) -> None:
    async with listening(door):
        await door.hands_over("", "?error=access_denied")
    assert door.taken == [f"{door.redirect}?error=access_denied"]


async def test_a_code_is_taken_from_the_query_at_once(door: Door) -> None:
    async with listening(door, in_query=True):
        answer = await door.ask(door.visit("?code=c&state=s"))
    assert status_of(answer) == 200
    assert b'data-says="taken"' in answer
    assert door.taken == [f"{door.redirect}?code=c&state=s"]
    assert await refused_at(door)


async def test_a_token_in_the_query_is_not_taken_without_the_page(door: Door) -> None:
    async with listening(door):
        await door.ask(door.visit("?access_token=stolen&expires_in=600"))
        await door.hands_over()
    assert door.taken == [door.redirect + HASH]


async def test_an_answer_that_cannot_be_used_does_not_end_the_listening(door: Door) -> None:
    door.usable = lambda url: "honest" in url
    async with listening(door):
        assert status_of(await door.hands_over("#junk")) == 422
        assert status_of(await door.hands_over()) == 204
    assert len(door.taken) == 1


async def test_a_code_with_another_state_does_not_end_the_listening(door: Door) -> None:
    door.usable = lambda url: "state=ours" in url
    async with listening(door, in_query=True):
        assert b"data-once" in await door.ask(door.visit("?code=stolen&state=theirs"))
        assert b"taken" in await door.ask(door.visit("?code=c&state=ours"))
    assert door.taken == [f"{door.redirect}?code=c&state=ours"]


async def test_an_answer_of_the_greatest_length_gets_through(door: Door) -> None:
    rest = f"#access_token={'%22' * 5_000}"
    async with listening(door):
        assert status_of(await door.hands_over(rest)) == 204


async def test_only_the_first_of_two_answers_counts(door: Door) -> None:
    async with listening(door):
        once = await door.once()
        bodies = [{"once": once, "query": "", "hash": f"#access_token={n}"} for n in range(5)]
        await asyncio.gather(*(try_at(door, door.handing(body)) for body in bodies))
    assert len(door.taken) == 1


async def try_at(door: Door, request: bytes) -> bytes:
    try:
        return await door.ask(request)
    except OSError:
        return b""


async def test_two_requests_in_one_breath_get_one_answer(door: Door) -> None:
    async with listening(door):
        once = await door.once()
        body = {"once": once, "query": "", "hash": HASH}
        answer = await door.ask(door.handing(body) + door.handing(body | {"hash": STOLEN}))
    assert answer.count(b"HTTP/1.1") == 1
    assert door.taken == [door.redirect + HASH]


async def test_each_attempt_has_a_value_of_its_own(door: Door) -> None:
    async with listening(door):
        before = await door.once()
    async with listening(door):
        late = {"once": before, "query": "", "hash": STOLEN}
        assert status_of(await door.ask(door.handing(late))) == 403
    assert door.taken == []


async def test_the_page_loads_nothing_is_kept_nowhere_and_is_shown_in_no_frame(door: Door) -> None:
    async with listening(door):
        answer = (await door.ask(door.visit())).decode()
    head, _, body = answer.partition("\r\n\r\n")
    for header in (
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "Connection: close",
    ):
        assert header in head
    assert "default-src 'none'" in head
    assert "frame-ancestors 'none'" in head
    assert "unsafe" not in head
    assert "access-control" not in answer.lower()
    assert "set-cookie" not in answer.lower()
    assert not re.findall(r"(?:src|href)=\"(?!data:,)", body)


async def test_the_page_speaks_the_person_s_language_letter_for_letter(
    door: Door, tmp_path: Path
) -> None:
    told = "Telling Front Desk…"
    write_catalogue(tmp_path, "de_CH", {told: "<b>Front Desk</b> erfährt's…"})
    use_language(tmp_path, ["de_CH"])
    try:
        async with listening(door):
            answer = (await door.ask(door.visit())).decode()
    finally:
        use_language(tmp_path, ["en"])
    assert '<html lang="de-CH">' in answer
    assert "&lt;b&gt;Front Desk&lt;/b&gt; erfährt" in answer


# Where it listens


@pytest.mark.parametrize(
    ("redirect", "can"),
    [
        ("http://127.0.0.1:38973/signed-in", True),
        ("http://localhost:38973/signed-in", True),
        ("http://[::1]:38973/signed-in", True),
        ("http://127.0.0.1", True),
        ("https://127.0.0.1:38973/signed-in", False),
        ("https://church.example/signed-in", False),
        ("http://church.example/signed-in", False),
        ("http://127.0.0.2:38973/signed-in", False),
        ("http://0.0.0.0:38973/signed-in", False),
        ("http://desk.localhost:38973/signed-in", False),
        ("frontdesk://signed-in", False),
        ("", False),
    ],
)
def test_only_an_address_of_this_computer_can_be_listened_at(redirect: str, can: bool) -> None:
    assert can_listen_at(redirect) is can


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as tried:
            tried.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "reached", "not_reached"),
    [
        ("127.0.0.1", ["127.0.0.1"], ["::1", "127.0.0.2"]),
        ("localhost", ["127.0.0.1", "::1"], ["127.0.0.2"]),
        ("[::1]", ["::1"], ["127.0.0.1"]),
    ],
)
async def test_it_listens_on_the_numbers_of_its_name_and_on_no_other(
    name: str, reached: list[str], not_reached: list[str]
) -> None:
    if not has_ipv6():
        pytest.skip("a computer without IPv6")
    port = free_port()
    door = Door(port, name=name)
    async with listening(door):
        for number in reached:
            assert not await refused_at(Door(port, host=number))
        for number in not_reached:
            assert await refused_at(Door(port, host=number))
        others = other_numbers()
        for number in others:
            assert await refused_at(Door(port, host=number))


def other_numbers() -> list[str]:
    """The numbers by which the network knows this computer."""
    found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found if not str(entry[4][0]).startswith("127.")]


@pytest.mark.parametrize("name", ["localhost", "[::1]"])
async def test_the_page_hands_over_at_every_name_of_this_computer(name: str) -> None:
    if not has_ipv6():
        pytest.skip("a computer without IPv6")
    door = Door(free_port(), host="::1", name=name)
    async with listening(door):
        await door.hands_over()
    assert door.taken == [door.redirect + HASH]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
async def test_a_port_that_another_program_has_is_said(name: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        door = Door(other.getsockname()[1], name=name)
        with pytest.raises(PortNotFree) as caught:
            await RedirectListener(door.redirect, door.take, in_query=False).open()
        assert str(door.port) in caught.value.message
        assert "Another program" in caught.value.message
    # Nothing is left of the half that could be had.
    async with listening(door):
        await door.ask(door.visit())


async def test_the_same_port_is_had_again_at_once(door: Door) -> None:
    for _ in range(3):
        async with listening(door):
            await door.hands_over()
    assert len(door.taken) == 3


async def test_nothing_of_a_connection_stays_at_the_port_whoever_it_was(door: Door) -> None:
    async with listening(door):
        silent = await asyncio.open_connection(door.host, door.port)
        staying = await asyncio.open_connection(door.host, door.port)
        staying[1].write(door.visit())
        await staying[0].readuntil(b"</html>")
        await door.hands_over()
    # As those do who share a port with nobody, not even with a connection that has just ended.
    with socket.socket() as strict:
        strict.bind((door.host, door.port))
    for _, writer in (silent, staying):
        writer.close()


async def test_once_it_is_closed_the_port_can_be_held_while_somebody_still_reads(
    door: Door,
) -> None:
    async with listening(door) as listener:
        reading = await asyncio.open_connection(door.host, door.port)
        reading[1].write(door.visit())
        await door.hands_over()
        listener.close()
        reservation = RedirectPortReservation(door.redirect)
        try:
            assert reservation.acquire()
            for shares in (False, True):
                assert not can_bind(door, shares=shares)
            # The page is not torn from who is reading it.
            assert b"data-once" in await reading[0].readuntil(b"</html>")
        finally:
            reservation.release()
            reading[1].close()


def can_bind(door: Door, *, shares: bool) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, shares)
        try:
            tried.bind((door.host, door.port))
        except OSError:
            return False
        return True


# Who is refused


def paths(door: Door) -> Iterator[bytes]:
    for path in (
        *("/", "//signed-in", "/signed-in/", "/signed-inx", "/Signed-In", "/SIGNED-IN"),
        *("/signed%2Din", "/%73igned-in", "/signed-in;x", "/a/../signed-in", "/./signed-in"),
        *("/signed-in%00", "/signed-in%23", "/signed-in%3Fa", "/favicon.ico", "/robots.txt"),
        *("/.well-known/security.txt", "/index.html", "/admin", "/wp-login.php", "/signed_in"),
        *("*", "signed-in", "\\signed-in", "/\\signed-in", "/signed-in/..", "/cgi-bin/test"),
        *(door.redirect, f"http://evil.example{door.redirect}", "evil.example:443"),
    ):
        yield door.head(f"GET {path} HTTP/1.1")
        yield door.head(f"GET {path}?access_token=stolen HTTP/1.1", Sec_Fetch_Mode="navigate")
        yield door.handing(STOLEN, start=f"POST {path} HTTP/1.1")


def methods(door: Door, once: str) -> Iterator[bytes]:
    good = {"once": once, "query": "", "hash": STOLEN}
    for method in (
        *("HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "get"),
        *("Post", "SEARCH", "LINK", "M-SEARCH", "PRI", "GETT", "_", "!"),
    ):
        yield door.head(f"{method} /signed-in HTTP/1.1")
        yield door.handing(good, start=f"{method} /signed-in HTTP/1.1")
        yield door.head(
            f"{method} /signed-in HTTP/1.1",
            Origin="http://evil.example",
            Access_Control_Request_Method="POST",
            Access_Control_Request_Headers="content-type",
            Access_Control_Request_Private_Network="true",
        )


def hosts(door: Door) -> Iterator[bytes]:
    port = door.port
    for host in (
        *("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"),
        *(f"localhost:{port}", f"[::1]:{port}", f"[::ffff:127.0.0.1]:{port}", "127.0.0.1"),
        *(f"127.0.0.1:{port + 1}", f"127.0.0.1.:{port}", f"127.1:{port}", f"0.0.0.0:{port}"),
        *(f"2130706433:{port}", f"0x7f000001:{port}", f"front@127.0.0.1:{port}", "localhost"),
        *(f"127.0.0.1:0{port}", f"127.0.0.1:{port}/", f"127.0.0.1:{port},evil.example", ":", "*"),
        *(f"http://127.0.0.1:{port}", f"１２７.0.0.1:{port}", f"127.0.0.1:{port} evil.example"),
    ):
        yield door.head("GET /signed-in HTTP/1.1", Host=host)
        yield door.handing(STOLEN, Host=host, Origin=f"http://{host}")
        yield door.handing(STOLEN, Host=host)
    yield door.head("GET /signed-in HTTP/1.1", Host=None)
    yield door.head("GET /signed-in HTTP/1.1", hOST="evil.example")
    yield door.head("GET /signed-in HTTP/1.1", X_Forwarded_Host="a", Host="evil.example")


def origins(door: Door, once: str) -> Iterator[bytes]:
    """Whoever knows the value and is another page: it cannot be known, and does not suffice."""
    good = {"once": once, "query": "", "hash": STOLEN}
    for origin in (
        *(None, "null", "http://evil.example", "https://evil.example", "file://", "about:blank"),
        *(f"https://127.0.0.1:{door.port}", f"http://localhost:{door.port}", "http://127.0.0.1"),
        *(f"http://127.0.0.1:{door.port + 1}", f"{door.origin}/", f"{door.origin}.evil.example"),
        *(f"{door.origin} http://evil.example", f"{door.origin}/signed-in", "chrome-extension://a"),
        *(door.origin.upper(), door.origin.replace("://", "://front@"), "moz-extension://a", "*"),
    ):
        yield door.handing(good, Origin=origin)
        yield door.handing(good, Origin=origin, Content_Type="text/plain")
        yield door.handing(good, Origin=origin, Referer=door.redirect)
    yield door.handing(good, Origin="http://evil.example", origin=door.origin)
    yield door.handing(good, Content_Type="text/plain", content_type="application/json")
    for site in ("cross-site", "same-site", "none", "", "SAME-ORIGIN"):
        yield door.handing(good, Sec_Fetch_Site=site or "?")
    for kind in (
        *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"),
        *("application/json; charset=utf-8", "application/jsonx", "text/json", None),
    ):
        yield door.handing(good, Content_Type=kind)


def bodies(door: Door, once: str) -> Iterator[bytes]:
    good = {"once": once, "query": "", "hash": STOLEN}
    wrong: dict[str, list[object]] = {
        "once": ["", "x", once[:-1], f"{once}x", once.swapcase(), None, 1, [once], {}, True, "é"],
        "hash": ["access_token=a", "?a", 1, None, [], "#a\r\nb", "#é", "#\0"],
        "query": ["a=b", "#a", "?a#b", 1, None, {}, "?a\nb", "?\x7f", "??#"],
        "more": ["x", None],
    }
    for name, values in wrong.items():
        for value in values:
            yield door.handing(good | {name: value})
    for body in (
        *(b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b"{}", b"[" * 40_000, b"\0" * 1000),
        *(b'{"once":"\\ud800","query":"","hash":"#a"}', f"once={once}&hash=a".encode(), b"NaN"),
        *(b'{"once":"' + b"x" * 40_000, b"x" * 60_000, json.dumps([good]).encode()),
    ):
        yield door.handing(body)
    whole = door.handing(good)
    yield whole[:-1]
    yield door.handing(good, Content_Length=None)
    written = json.dumps(good).encode()
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(written), written)
    yield door.handing(chunked, Transfer_Encoding="chunked", Content_Length=None)
    yield door.handing(chunked, Transfer_Encoding="chunked")
    yield door.handing(good | {"hash": f"#{'a' * 100_000}"})
    for length in ("-1", "1e3", "0x10", "٣", "9" * 30, "9" * 19, "1000000", "5, 5", "+5", " "):
        yield door.handing(good, Content_Length=length)
    yield door.handing(good, content_length="1")


def parts_of_other_pages(door: Door) -> Iterator[bytes]:
    for dest in (
        *("iframe", "frame", "object", "embed", "image", "script", "style", "font", "worker"),
        *(
            "sharedworker",
            "serviceworker",
            "empty",
            "audio",
            "video",
            "track",
            "manifest",
            "report",
        ),
        *("fencedframe", "xslt", "json", "webidentity", "paintworklet", "audioworklet", ""),
    ):
        for mode in ("navigate", "no-cors", "cors"):
            if dest or mode != "navigate":
                yield door.head(
                    "GET /signed-in?code=stolen&state=s HTTP/1.1",
                    Sec_Fetch_Dest=dest or "document",
                    Sec_Fetch_Mode=mode,
                )
    for name in ("Sec-Purpose", "Purpose", "X-Moz", "X-Purpose"):
        yield door.head("GET /signed-in HTTP/1.1", **{name: "prefetch"})
    yield door.head("GET /signed-in HTTP/1.1", Content_Length="5") + b"hello"
    yield door.head("GET /signed-in HTTP/1.1", X_Long="a" * 300_000)
    for origin in ("http://evil.example", "null"):
        yield door.head("GET /signed-in HTTP/1.1", Origin=origin)
    yield door.head(
        "GET /signed-in HTTP/1.1",
        Upgrade="websocket",
        Connection="Upgrade",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
    )
    yield door.head("GET /signed-in HTTP/1.1", Upgrade="h2c", Connection="Upgrade, HTTP2-Settings")
    yield door.head("GET /signed-in HTTP/1.1", Sec_Fetch_Mode="navigate", sec_fetch_mode="cors")


def junk(door: Door) -> Iterator[bytes]:
    yield from (
        *(b"", b"\r\n" * 10, b"\0" * 4096, b"\xff" * 4096, b"GET", b"GET /signed-in\r\n\r\n"),
        *(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 500, b"\x05\x01\x00"),
        *(
            b"EHLO evil.example\r\n",
            b"SSH-2.0-scan\r\n",
            b"USER anonymous\r\n",
            b"\x80\x2e\x01\x00",
        ),
        *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"OPTIONS sip:a SIP/2.0\r\n\r\n", b"{}\r\n\r\n"),
        *(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 40_000, b"GET /" + b"a" * 300_000),
        b"GET / HTTP/1.1\r\nx: " + b"a" * 300_000,
        b"<html>" * 1000,
    )
    for version in (
        "HTTP/0.9",
        "HTTP/1.0",
        "HTTP/2.0",
        "HTTP/9.9",
        "HTTP/1.11",
        "http/1.1",
        "HTP/1.1",
    ):
        yield door.head(f"GET /signed-in {version}")
    for start in (
        "GET  /signed-in HTTP/1.1",
        "GET /signed-in  HTTP/1.1",
        " GET /signed-in HTTP/1.1",
    ):
        yield door.head(start)
    for line in ("a b: c", ": c", "a\0: c", "a : c", "a: \0", "a", "\x01: b"):
        yield door.head(f"GET /signed-in HTTP/1.1\r\n{line}")


HOSTILE: dict[str, Callable[[Door, str], Iterable[bytes]]] = {
    "other paths": lambda door, _once: paths(door),
    "other methods": methods,
    "other hosts": lambda door, _once: hosts(door),
    "other origins": origins,
    "other bodies": bodies,
    "parts of other pages": lambda door, _once: parts_of_other_pages(door),
    "no HTTP": lambda door, _once: junk(door),
}


@pytest.mark.parametrize("in_query", [False, True])
@pytest.mark.parametrize("kind", HOSTILE)
async def test_whatever_else_knocks_is_refused_and_the_wait_goes_on(
    door: Door, kind: str, in_query: bool
) -> None:
    async with listening(door, in_query=in_query):
        once = await door.once()
        for request in HOSTILE[kind](door, once):
            answer = await door.ask(request)
            assert status_of(answer) not in {200, 204}, request[:300]
            assert once.encode() not in answer
            assert b"access-control" not in answer.lower()
        assert door.taken == []
        assert status_of(await door.hands_over()) == 204
    assert door.taken == [door.redirect + HASH]


async def test_who_says_nothing_or_dribbles_is_hung_up_on(door: Door) -> None:
    async with listening(door, visit_seconds=0.2):
        silent, silent_writer = await asyncio.open_connection(door.host, door.port)
        dribbling, dribbling_writer = await asyncio.open_connection(door.host, door.port)
        for mark in door.visit():
            if hung_up(dribbling):
                break
            dribbling_writer.write(bytes([mark]))
            await asyncio.sleep(0.02)
        assert hung_up(dribbling)
        assert await read_out(dribbling) == b""
        assert await read_out(silent) == b""
        silent_writer.close()
        dribbling_writer.close()
        await door.hands_over()
    assert len(door.taken) == 1


def hung_up(reader: asyncio.StreamReader) -> bool:
    return reader.at_eof() or isinstance(reader.exception(), ConnectionError)


async def read_out(reader: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""


async def test_who_takes_the_answer_and_stays_is_hung_up_on(door: Door) -> None:
    async with listening(door, visit_seconds=0.2):
        reader, writer = await asyncio.open_connection(door.host, door.port)
        writer.write(door.visit())
        assert b"data-once" in await reader.readuntil(b"</html>")
        assert await read_out(reader) == b""
        writer.close()


async def test_many_connections_keep_nobody_out(door: Door) -> None:
    async with listening(door) as listener:
        writers = [(await asyncio.open_connection(door.host, door.port))[1] for _ in range(200)]
        assert len(listener._visits) < 50
        await door.hands_over()
        for writer in writers:
            writer.close()
    assert len(door.taken) == 1


async def test_closing_hangs_up_on_everybody(door: Door) -> None:
    async with listening(door) as listener:
        reader, writer = await asyncio.open_connection(door.host, door.port)
        await door.once()
        listener.close()
        assert await read_out(reader) == b""
        writer.close()
        assert await refused_at(door)
    assert door.taken == []


async def test_closing_before_it_is_open_leaves_nothing_open(door: Door) -> None:
    listener = RedirectListener(door.redirect, door.take, in_query=False)
    listener.close()
    await listener.open()
    assert await refused_at(door)
