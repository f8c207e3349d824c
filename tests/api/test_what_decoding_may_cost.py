"""An answer costs no more than an answer can need, and never holds up whatever else goes on."""

import asyncio
import gc
import gzip
import json
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from app.api.errors import TooSlow, UnreadableAnswer
from app.api.formats import decode
from app.api.formats.decoding_budget import LONGEST_TEXT, Abandoned, Budget
from app.api.pagination.page_plan import PeoplePage
from app.api.requester import read_apart
from app.api.requests import Limits
from app.api.responses import read_body
from tests.api.conftest import ScriptedService
from tests.fuzz.documents import ENVELOPES, Data, as_json, as_php, as_xml

WRITERS: dict[str, Callable[[Any], bytes]] = {"json": as_json, "xml": as_xml, "php": as_php}
PIECE = 256 * 1024
LARGE = 100_000
"""More than is read at once."""


def numbered(many: int, entry: bytes) -> bytes:
    """A PHP array of `many` such entries."""
    return b"a:%d:{%b}" % (many, b"".join(b"i:%d;%b" % (place, entry) for place in range(many)))


BOMBS = {
    "json lists": ("json", b"[" + b"[]," * 700_000 + b"[]]"),
    "json mappings": ("json", b"[" + b"{}," * 700_000 + b"{}]"),
    "json numbers": ("json", b"[" + b"1," * 1_000_000 + b"1]"),
    "json fractions": ("json", b"[" + b"0.1," * 500_000 + b"1]"),
    "json texts": ("json", b"[" + b'"ab",' * 400_000 + b"1]"),
    "json nests": ("json", b"[" + (b"[" * 60 + b"]" * 60 + b",") * 20_000 + b"1]"),
    "json keys": ("json", b"{" + b",".join(b'"%d":1' % n for n in range(200_000)) + b"}"),
    "json keys of many": (
        "json",
        b"[" + b",".join(b'{"a%d":{"b%d":1}}' % (n, n) for n in range(100_000)) + b"]",
    ),
    "xml elements": ("xml", b"<rsp>" + b"<a/>" * 500_000 + b"</rsp>"),
    "xml mappings": ("xml", b"<rsp>" + b"<a b=''/>" * 200_000 + b"</rsp>"),
    "php arrays": ("php", numbered(200_000, b"a:0:{}")),
    "php numbers": ("php", numbered(200_000, b"i:5000;")),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_costs_too_much_is_refused(bomb: str) -> None:
    name, body = BOMBS[bomb]
    with pytest.raises(UnreadableAnswer):
        decode(body, name, budget=small_budget())


def small_budget() -> Budget:
    return Budget(memory=500_000, values=10_000, containers=2_500)


@pytest.mark.parametrize("name", WRITERS)
def test_a_hundred_thousand_people_in_one_page_cost_less(name: str) -> None:
    people: list[Data] = [
        {
            "id": f"5d1f0e0c-{place:04}-11e4-9c21-0cc47a6c1f6a",
            **dict.fromkeys(("date_added", "date_modified"), "2024-05-03 14:02:09"),
            **dict.fromkeys(("firstname", "lastname"), f"Žofie {place}"),
            "email": f"zofie{place}@example.org",
            **dict.fromkeys(("phone", "mobile"), f"0400 000 {place}"),
            **dict.fromkeys(("admin", "archived", "volunteer"), "0"),
        }
        for place in range(1000)
    ]
    envelope: dict[str, Data] = {
        "generated_in": "0.1",
        "status": "ok",
        "people": {"total": 100_000, "person": people},
    }
    whole = Budget()
    hundredth = Budget(*(part // 100 for part in (whole.memory, whole.values, whole.containers)))
    decode(WRITERS[name](envelope), name, budget=hundredth)


@pytest.mark.parametrize("name", ["json", "php"])
@pytest.mark.parametrize("envelope", ENVELOPES)
def test_a_large_document_is_the_same_tree_as_a_small_one(
    name: str, envelope: dict[str, Data]
) -> None:
    many: list[Data] = [envelope] * (500_000 // len(as_json(envelope)))
    assert decode(WRITERS[name]({"a": {"b": many}}), name) == {"a": {"b": many}}


@pytest.mark.parametrize(
    "value",
    ["0.1", "-1.5e-7", "12345678", '"a, b"', "true", "null", '"\\ud83d\\ude00"', '"é"', "[1, {}]"],
)
def test_where_a_piece_ends_makes_no_difference(value: str) -> None:
    """JSON is read in pieces; whatever stands on the seam is read as anywhere else."""
    alone = decode(value.encode(), "json")
    for shift in range(len(value) + 4):
        before, after = " " * (PIECE - shift), " " * PIECE
        body = f"[{before}{value},{value}{after}]".encode()
        assert decode(body, "json") == [alone] * 2


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("json", b'["%b"]' % (b"a" * 2 * LONGEST_TEXT)),
        ("json", b'["%b"]' % (b'\\"' * (LONGEST_TEXT + 1))),
        ("json", b'{"%b": 1}' % (b"a" * 2 * LONGEST_TEXT)),
        ("json", b"[" + b"9" * 1_000_000 + b"]"),
        ("xml", b"<rsp>" + b"a" * (LONGEST_TEXT + 2) + b"</rsp>"),
        ("xml", b"<rsp>" + b"a&lt;" * LONGEST_TEXT + b"</rsp>"),
        ("xml", b"<rsp><!--" + b"<" * (LONGEST_TEXT + 2) + b"--></rsp>"),
        ("xml", b"<rsp>" + b"<!---->" * 20_000 + b"</rsp>"),
        ("xml", b"<rsp><![CDATA[" + b"<" * (LONGEST_TEXT + 2) + b"]]></rsp>"),
        ("php", b's:%d:"%b";' % (LONGEST_TEXT + 1, b"a" * (LONGEST_TEXT + 1))),
    ],
)
def test_a_text_longer_than_any_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        decode(body, name)


async def test_the_loop_goes_on_while_a_bomb_is_read_a_piece_at_a_time(
    service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = gzip.compress(b'{"status":"ok","people":[' + b"[]," * 700_000 + b"[]]}")
    service.answers(service.body(bomb, Content_Encoding="gzip"))
    loop, scan, pieces = asyncio.get_running_loop(), json.JSONDecoder.raw_decode, list[int]()

    def scan_once_the_loop_had_a_turn(
        decoder: json.JSONDecoder, text: str, place: int = 0
    ) -> tuple[Any, int]:
        if len(pieces) < 10:
            turned = threading.Event()
            loop.call_soon_threadsafe(turned.set)
            assert turned.wait(30)
        found, end = scan(decoder, text, place)
        # Nobody else has a turn while the library reads this.
        pieces.append(end - place)
        return found, end

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", scan_once_the_loop_had_a_turn)
    monkeypatch.setattr("app.api.requester.Budget", small_budget)
    async with service.client() as client:
        with pytest.raises(UnreadableAnswer) as caught:
            await client.people_flows()
    assert caught.value.title == "Answer too large"
    assert len(pieces) > 10
    assert max(pieces) <= 2 * PIECE


async def test_a_large_page_is_put_together_where_it_is_read(
    service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    gather, threads = PeoplePage.__post_init__, set[str]()

    def gather_and_tell(found: PeoplePage) -> None:
        threads.add(threading.current_thread().name)
        gather(found)

    monkeypatch.setattr(PeoplePage, "__post_init__", gather_and_tell)
    service.answers(service.people(*map(str, range(LARGE // 10)), total=LARGE // 10))
    async with service.client() as client:
        assert len([person async for person in client.people()]) == LARGE // 10
    assert threads == {"reading an answer"}


async def test_a_packed_answer_is_unpacked_in_turns_with_everybody_else() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield gzip.compress(bytes(20_000_000))

    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await read_body(chunks(), "gzip", 20_000_000)
    task.cancel()
    assert turns > 20


async def test_the_deadline_holds_for_reading_too(service: ScriptedService) -> None:
    service.answers(service.body(b"a:1:{i:0;" + numbered(200_000, b"i:5;") + b"}"))
    limits = Limits(deadline=0.2, first_pause=0.001)
    async with service.client(limits) as client:
        client._requester._format = "php"
        with pytest.raises(TooSlow):
            await client.people_flows()


async def test_an_answer_nobody_waits_for_is_read_no_further() -> None:
    ended = threading.Event()

    def read(budget: Budget) -> None:
        try:
            while True:
                budget.check()
        except Abandoned:
            ended.set()
            raise

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await read_apart(read, LARGE)
    assert await asyncio.to_thread(ended.wait, 10)


async def test_an_error_keeps_nothing_of_the_document() -> None:
    class Document:
        pass

    held: list[weakref.ref[Document]] = []

    def read(_budget: Budget) -> None:
        document = Document()
        held.append(weakref.ref(document))
        raise UnreadableAnswer("No", "No.") from ValueError()

    with pytest.raises(UnreadableAnswer) as caught:
        await read_apart(read, LARGE)
    assert caught.value.title == "No"
    assert held[0]() is None


async def test_an_error_of_the_client_keeps_nothing_of_the_answer(
    service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go: list[str] = []

    class Followed(bytes):
        """A body that tells when nothing holds it any more."""

        def __del__(self) -> None:
            let_go.append("body")

    class FollowedTree(dict[str, object]):
        """The same of what is made of it."""

        def __del__(self) -> None:
            let_go.append("tree")

    async def read_and_follow(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> bytes:
        return Followed(await read_body(chunks, encoding, limit))

    def decode_and_follow(*given: Any, **named: Any) -> object:
        return FollowedTree(decode(*given, **named))  # type: ignore[arg-type]

    monkeypatch.setattr("app.api.transport.read_body", read_and_follow)
    monkeypatch.setattr("app.api.envelope.decode", decode_and_follow)
    service.answers(service.body(b'{"status": "ok", "people_flows": "' + b"a" * 900_000 + b'"}'))
    async with service.client() as client:
        with pytest.raises(UnreadableAnswer) as caught:
            await client.people_flows()
        await asyncio.to_thread(no_answer_is_read)
        gc.collect()
    assert caught.value.title
    assert sorted(let_go) == ["body", "tree"]


def no_answer_is_read() -> None:
    """Come back when it is so; the thread lets go of the answer as it ends."""
    for thread in threading.enumerate():
        if thread.name == "reading an answer":
            thread.join()
