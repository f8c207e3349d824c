"""Everything that goes wrong on a line ends in one clear error, in time."""

import asyncio
import gzip
import json
import socket
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    NotEncrypted,
    NotPermitted,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
    was_never_sent,
)
from app.api.requests import Limits

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

QUICK = Limits(first_pause=0.001, deadline=0.4, silence=5.0)
LIST = b'{"status": "ok", "people": {"total": 1, "person": [{"id": "1", "firstname": "Ada"}]}}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(LIST)


async def read_error(client: ServiceClient) -> ApiError:
    """What a read ends in."""
    async with client:
        with pytest.raises(ApiError) as caught:
            await client.check()
    assert not caught.value.outcome_unknown
    return caught.value


async def create_error(client: ServiceClient) -> ApiError:
    """What a create ends in."""
    async with client:
        with pytest.raises(ApiError) as caught:
            await client.create_person("Ada", "Lovelace", "")
    return caught.value


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port nobody listens on, held so that nobody takes it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


async def test_nobody_there_is_unreachable_and_a_create_certainly_stayed(free_port: int) -> None:
    address = f"http://127.0.0.1:{free_port}"
    error = await read_error(ServiceClient(address, ApiKey("k"), limits=QUICK))
    assert type(error) is Unreachable
    assert "127.0.0.1" in error.message
    error = await create_error(ServiceClient(address, ApiKey("k"), limits=QUICK))
    assert type(error) is Unreachable
    assert not error.outcome_unknown
    assert "may or may not" not in error.message


async def cancelled_create(client: ServiceClient, when: Callable[[], bool]) -> bool:
    """Whether a create that is cancelled then was never sent, as it says itself."""
    said: list[bool] = []

    async def create() -> None:
        try:
            await client.create_person("Ada", "", "")
        except asyncio.CancelledError as cancelled:
            said.append(was_never_sent(cancelled))
            raise

    async with client, asyncio.timeout(20):
        task = asyncio.create_task(create())
        await asyncio.sleep(0.05)
        while not when():  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.wait({task})
    return said == [True]


async def test_a_create_that_is_cancelled_tells_whether_it_had_left(
    service: "ScriptedService", free_port: int
) -> None:
    address = f"http://127.0.0.1:{free_port}"
    pausing = ServiceClient(address, ApiKey("k"), limits=Limits(first_pause=30.0))
    assert await cancelled_create(pausing, lambda: True)
    service.answers(service.silence())
    assert not await cancelled_create(service.client(), lambda: bool(service.asked))


async def test_a_name_that_is_not_known_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    monkeypatch.setenv("NO_PROXY", "*")
    client = ServiceClient("https://no-such-church.example", ApiKey("k"), limits=QUICK)
    error = await create_error(client)
    assert type(error) is Unreachable
    assert "could not find no-such-church.example" in error.message
    assert not error.outcome_unknown


@pytest.mark.parametrize("host", ["xn--zzzzzzz99999", "-", "a" * 64 + ".example"])
async def test_a_name_that_cannot_be_one_is_said(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    monkeypatch.setenv("NO_PROXY", "*")
    error = await read_error(ServiceClient(f"https://{host}", ApiKey("k"), limits=QUICK))
    assert type(error) is Unreachable
    assert "could not find" in error.message


async def test_a_reset_leaves_a_create_in_doubt(service: "ScriptedService") -> None:
    service.answers(service.reset())
    assert type(await read_error(service.client())) is Unreachable
    error = await create_error(service.client())
    assert (type(error), error.outcome_unknown, error.status) == (Unreachable, True, None)
    assert len(service.asked) == 3 + 1


async def test_a_lost_reply_leaves_a_create_in_doubt(service: "ScriptedService") -> None:
    service.answers(service.raw(close=True))
    error = await create_error(service.client())
    assert (type(error), error.outcome_unknown) == (Unreachable, True)
    assert len(service.asked) == 1


@pytest.mark.parametrize("length", [0, 1, len(LIST) - 1])
async def test_an_answer_cut_off_is_unreadable(service: "ScriptedService", length: int) -> None:
    service.answers(service.raw(HEAD + LIST[:length], close=True))
    error = await read_error(service.client())
    assert (type(error), error.status) == (UnreadableAnswer, 200)
    assert "broke off" in error.message
    error = await create_error(service.client())
    assert (type(error), error.outcome_unknown) == (UnreadableAnswer, True)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (b"401 Unauthorized", NotAuthorised),
        (b"429 Too Many Requests", TooManyRequests),
        (b"403 Forbidden", NotPermitted),
        (b"400 Bad Request", InputRefused),
    ],
)
@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 99\r\n\r\n" + LIST[:9],
        b"Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n" + gzip.compress(LIST)[:9],
        b"Content-Encoding: br\r\nContent-Length: 9\r\n\r\n" + LIST[:9],
        b"Content-Length: 999999999\r\n\r\n",
    ],
    ids=["broke off", "packing without an end", "unknown packing", "too large"],
)
async def test_a_refusal_that_cannot_be_read_is_what_its_status_says(
    service: "ScriptedService", status: bytes, kind: type[ApiError], rest: bytes
) -> None:
    head = b"HTTP/1.1 " + status + b"\r\nRetry-After: 7\r\n"
    service.answers(service.raw(head + rest, close=True))
    error = await create_error(service.client())
    assert (type(error), error.status) == (kind, int(status[:3]))
    assert not error.outcome_unknown
    assert error.retry_after == 7.0
    assert len(service.asked) == 1


async def test_an_answer_cut_off_without_a_length_is_unreadable(
    service: "ScriptedService",
) -> None:
    service.answers(service.raw(b"HTTP/1.1 200 OK\r\n\r\n" + LIST[:-3], close=True))
    assert type(await read_error(service.client())) is UnreadableAnswer


async def test_a_cut_off_answer_is_read_when_it_comes_whole(service: "ScriptedService") -> None:
    service.answers(service.raw(HEAD + LIST[:9], close=True), service.raw(HEAD + LIST))
    async with service.client() as client:
        await client.check()


async def test_a_slow_drip_does_not_outlive_the_deadline(service: "ScriptedService") -> None:
    drops = [bytes([byte]) for byte in HEAD + LIST]
    service.answers(service.raw(*drops, pause=0.05))
    assert type(await read_error(service.client(QUICK))) is TooSlow
    error = await create_error(service.client(QUICK))
    assert (type(error), error.outcome_unknown) == (TooSlow, True)


async def test_silence_ends_in_time_and_leaves_a_create_in_doubt(
    service: "ScriptedService",
) -> None:
    service.answers(service.silence())
    assert type(await read_error(service.client(QUICK))) is TooSlow
    error = await create_error(service.client(QUICK))
    assert (type(error), error.outcome_unknown) == (TooSlow, True)
    assert "may or may not" in error.message


async def test_a_refusal_that_never_ends_leaves_no_doubt(service: "ScriptedService") -> None:
    service.answers(service.raw(b"HTTP/1.1 400 Bad\r\nContent-Length: 9\r\n\r\n", pause=9))
    error = await create_error(service.client(QUICK))
    assert (type(error), error.outcome_unknown) == (TooSlow, False)


async def test_an_answer_that_comes_slowly_but_in_time_is_read(service: "ScriptedService") -> None:
    service.answers(service.raw(HEAD, LIST[:20], LIST[20:], pause=0.02))
    async with service.client() as client:
        await client.check()


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH_9.2\r\n\r\n", b"\x00\x01\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n"]
)
async def test_something_that_is_no_web_server_is_named(
    service: "ScriptedService", answer: bytes
) -> None:
    service.answers(service.raw(answer, close=True))
    error = await create_error(service.client())
    assert (type(error), error.outcome_unknown) == (UnreadableAnswer, True)
    assert "not the way your account's service does" in error.message


async def test_no_redirect_is_followed(service: "ScriptedService") -> None:
    service.answers(service.body(b"", 302, Location=f"{service.base_url}/elsewhere"))
    error = await read_error(service.client())
    assert (type(error), error.status) == (UnreadableAnswer, 302)
    assert len(service.asked) == 1


async def test_json_may_be_sent_as_a_web_page_and_packed(service: "ScriptedService") -> None:
    packed = gzip.compress(LIST)
    service.answers(service.body(packed, media="text/html", Content_Encoding="gzip"))
    async with service.client() as client:
        assert [person.firstname async for person in client.people()] == ["Ada"]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(LIST)[:-9], "gzip"),
        (gzip.compress(LIST) + b"more", "gzip"),
        (LIST, "gzip"),
        (zlib.compress(LIST), "br"),
        (b"", "gzip"),
    ],
)
async def test_damaged_packing_is_unreadable(
    service: "ScriptedService", body: bytes, encoding: str
) -> None:
    service.answers(service.body(body, Content_Encoding=encoding))
    error = await create_error(service.client())
    assert (type(error), error.outcome_unknown) == (UnreadableAnswer, True)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, Compress"])
async def test_a_packing_that_is_not_known_is_named(
    service: "ScriptedService", encoding: str
) -> None:
    service.answers(service.body(LIST, Content_Encoding=encoding))
    error = await read_error(service.client())
    assert f"({encoding.rpartition(' ')[2].lower()})" in error.message
    assert "does not know" in error.message


@pytest.mark.parametrize("body", [LIST, gzip.compress(LIST) + b"more"])
async def test_what_cannot_be_unpacked_is_no_matter_of_the_address(
    service: "ScriptedService", body: bytes
) -> None:
    service.answers(service.body(body, Content_Encoding="gzip"))
    error = await read_error(service.client())
    assert "address" not in error.message
    assert "unpack" in error.message


SMALL = Limits(answer=100_000, first_pause=0.001)


async def test_an_answer_too_heavy_is_not_read_to_its_end(service: "ScriptedService") -> None:
    endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    service.answers(service.raw(endless, *[chunk] * 50))
    error = await read_error(service.client(SMALL))
    assert type(error) is UnreadableAnswer
    assert "more than Front Desk can take" in error.message


async def test_an_answer_that_announces_too_much_is_refused_at_once(
    service: "ScriptedService",
) -> None:
    service.answers(service.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n"))
    assert "more than Front Desk" in (await read_error(service.client(SMALL))).message


async def test_a_small_body_that_grows_without_measure_is_refused(
    service: "ScriptedService",
) -> None:
    bomb = gzip.compress(json.dumps(" " * 10_000_000).encode())
    assert len(bomb) < SMALL.answer
    service.answers(service.body(bomb, Content_Encoding="gzip"))
    assert "more than Front Desk" in (await read_error(service.client(SMALL))).message


async def test_loopback_ignores_proxies(
    service: "ScriptedService", free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port}")
    service.answers(service.people("1", total=1))
    async with service.client() as client:
        await client.check()


async def test_a_proxy_that_refuses_is_named_and_nothing_left(
    service: "ScriptedService", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", service.base_url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    service.answers(service.body(b"", 407))
    error = await create_error(ServiceClient("https://church.example", ApiKey("k"), limits=QUICK))
    assert (type(error), error.outcome_unknown) == (Unreachable, False)
    assert "Your network did not let Front Desk through" in error.message
    assert [asked.method for asked in service.asked] == ["CONNECT"]
    assert "authorization" not in service.asked[0].headers


async def test_a_proxy_that_never_answers_has_not_let_a_create_leave(
    service: "ScriptedService", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", service.base_url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    service.answers(service.silence())
    error = await create_error(ServiceClient("https://church.example", ApiKey("k"), limits=QUICK))
    assert not error.outcome_unknown
    assert {asked.method for asked in service.asked} == {"CONNECT"}


async def test_a_proxy_that_makes_no_sense_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "gopher://nowhere:1")
    monkeypatch.setenv("NO_PROXY", "")
    error = await read_error(ServiceClient("https://church.example", ApiKey("k"), limits=QUICK))
    assert type(error) is Unreachable
    assert "Your network" in error.message


async def test_https_to_a_plain_server_sends_nothing(service: "ScriptedService") -> None:
    service.blurts(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    address = service.base_url.replace("http:", "https:")
    error = await create_error(ServiceClient(address, ApiKey("k"), limits=QUICK))
    assert (type(error), error.outcome_unknown) == (NotEncrypted, False)
    assert "safe connection" in error.message


async def test_https_to_a_silent_server_ends_in_time_and_sends_nothing(
    service: "ScriptedService",
) -> None:
    address = service.base_url.replace("http:", "https:")
    error = await create_error(ServiceClient(address, ApiKey("k"), limits=QUICK))
    assert type(error) in {Unreachable, TooSlow}
    assert not error.outcome_unknown
    assert service.asked == []


async def test_a_certificate_nobody_vouches_for_sends_nothing(
    untrusted_service: "ScriptedService",
) -> None:
    untrusted_service.answers(untrusted_service.people("1", total=1))
    error = await create_error(untrusted_service.client())
    assert (type(error), error.outcome_unknown) == (Unreachable, False)
    assert "could not make sure that it is talking to 127.0.0.1" in error.message
    assert untrusted_service.asked == []
    assert untrusted_service.connections <= 1


async def test_closing_the_client_ends_what_is_under_way(service: "ScriptedService") -> None:
    service.answers(service.silence())
    client = service.client()
    create = asyncio.create_task(client.create_person("Ada", "", ""))
    await service.is_asked()
    await client.aclose()
    with pytest.raises(ApiError) as caught:
        await create
    assert caught.value.outcome_unknown


async def test_a_cancelled_call_leaves_nothing_open(service: "ScriptedService") -> None:
    service.answers(service.silence())
    outcomes: list[Exception | None] = []
    async with service.client(on_outcome=outcomes.append) as client:
        reading = asyncio.create_task(client.check())
        await service.is_asked()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    assert outcomes == []


def test_the_network_library_stays_in_its_two_places() -> None:
    room = Path(__file__).parents[2] / "app" / "api"
    users = {path.name for path in room.rglob("*.py") if "import httpx" in path.read_text("utf-8")}
    assert users == {"transport.py", "auth.py"}


ENCRYPTED = """
import sys
from app.main import loaded_at_once

with loaded_at_once():
    from app.application import run_window

    before = "ssl" in sys.modules
    import asyncio, httpx, ssl

async def ask(url):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with httpx.AsyncClient(verify=context) as client:
        return (await client.get(url)).status_code

print(before, asyncio.run(ask(sys.argv[1])))
"""


async def test_a_window_that_was_loaded_without_encryption_asks_an_encrypted_service(
    untrusted_service: "ScriptedService",
) -> None:
    untrusted_service.answers(untrusted_service.tree({}))
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", ENCRYPTED, untrusted_service.base_url],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["False", "200"]
