"""Every fault in every format and for every operation, at each moment it can strike."""

import json
import zlib
from collections.abc import Callable
from contextlib import suppress

import httpx
import pytest
from defusedxml import ElementTree

from app.demo.faults import BOMB_MEGABYTES, FaultMiddleware, _packed_blanks
from app.demo.options import FAULTS, Fault, FaultKind, Moment
from app.demo.server import run
from tests.demo.php import UNSERIALIZE, Php

Serve = Callable[..., httpx.Client]
OPERATIONS = (("GET", "people/getAll"), ("POST", "people/create"), ("POST", "peopleFlows/getAll"))
FORMATS = ("json", "xml", "php")
CALLS = [(*operation, form) for operation in OPERATIONS for form in FORMATS]
ADA = {"firstname": "Ada"}
BEGINNINGS = {"json": "{", "xml": "<?xml", "php": 'O:8:"stdClass":3:{'}
MOMENTS = [(kind, moment) for kind, (_, moments) in FAULTS.items() for moment in moments]
ENDING = {FaultKind.CUT, FaultKind.RESET, FaultKind.LOST, FaultKind.HANG}
FAILING = {
    FaultKind.TOO_MANY: (429, 429),
    FaultKind.BROKEN: (500, 500),
    FaultKind.FAIL_200: (200, 500),
    FaultKind.EXPIRED: (401, 121),
}


def call(client: httpx.Client, method: str, name: str, form: str) -> httpx.Response:
    patience = httpx.Timeout(30, read=0.1 if client.headers.get("x-hangs") else 30)
    sent = ADA if name == "people/create" else None
    return client.request(method, f"/v1/{name}.{form}", json=sent, timeout=patience)


def faulty(serve: Serve, kind: FaultKind, moment: Moment) -> httpx.Client:
    client = serve(faults=(Fault(kind, moment=moment),), slow_seconds=0.01)
    if kind is FaultKind.HANG:
        client.headers["x-hangs"] = "yes"
    return client


def read(body: str, form: str) -> tuple[str, int | None]:
    """The status of an envelope, and the code of its error."""
    if form == "xml":
        root = ElementTree.fromstring(body)
        error = root.find("error")
        return root.attrib["status"], None if error is None else int(error.attrib["code"])
    if form == "php":
        with Php(UNSERIALIZE) as php:
            body = php.ask(body.encode()).decode()
    tree = json.loads(body)
    return tree["status"], tree["error"]["code"] if "error" in tree else None


def of(*kinds: FaultKind, moments: tuple[Moment, ...] = tuple(Moment)) -> pytest.MarkDecorator:
    found = [pair for pair in MOMENTS if pair[0] in kinds and pair[1] in moments]
    return pytest.mark.parametrize(("kind", "moment"), found)


@of(*ENDING)
def test_a_call_that_ends_early_has_no_answer(
    serve: Serve, kind: FaultKind, moment: Moment
) -> None:
    client = faulty(serve, kind, moment)
    for one in CALLS:
        with pytest.raises(httpx.TransportError):
            call(client, *one)


@of(*ENDING, *FAILING, FaultKind.HTML)
def test_the_work_is_done_by_every_moment_but_before(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, kind: FaultKind, moment: Moment
) -> None:
    client = faulty(serve, kind, moment)
    for form in FORMATS:
        with suppress(httpx.TransportError):
            call(client, "POST", "people/create", form)
    monkeypatch.setattr(FaultMiddleware, "_draw", lambda *_: None)
    total = call(client, "GET", "people/getAll", "json").json()["people"]["total"]
    assert total == 240 + (0 if moment is Moment.BEFORE else 3)


@of(*FAILING, moments=(Moment.BEFORE, Moment.AFTER))
def test_a_failure_comes_in_the_envelope_of_the_called_format(
    serve: Serve, kind: FaultKind, moment: Moment
) -> None:
    client = faulty(serve, kind, moment)
    for one in CALLS:
        response = call(client, *one)
        status, code = FAILING[kind]
        assert response.status_code == status
        assert read(response.text, one[2]) == ("fail", code)
        assert (
            response.headers["content-type"]
            .partition(";")[0]
            .endswith({"php": "php.serialized"}.get(one[2], one[2]))
        )


@of(*FAILING, FaultKind.HTML, FaultKind.CUT, FaultKind.HALF, moments=(Moment.INSIDE,))
def test_inside_an_answer_its_beginning_was_right(
    serve: Serve, kind: FaultKind, moment: Moment
) -> None:
    client = faulty(serve, kind, moment)
    for method, name, form in CALLS:
        body = b""
        sent = ADA if name == "people/create" else None
        with client.stream(method, f"/v1/{name}.{form}", json=sent) as response:
            assert response.status_code == 200
            with suppress(httpx.RemoteProtocolError):
                for piece in response.iter_raw():
                    body += piece
        text = body.decode("utf-8", "replace")
        assert text.startswith(BEGINNINGS[form])
        with pytest.raises((ValueError, ElementTree.ParseError, AssertionError)):
            read(text, form)


@of(FaultKind.SLOW)
def test_a_slow_answer_is_complete_at_last(serve: Serve, kind: FaultKind, moment: Moment) -> None:
    client = faulty(serve, kind, moment)
    for one in CALLS:
        assert read(call(client, *one).text, one[2]) == ("ok", None)


def test_a_drip_begins_in_every_format(serve: Serve) -> None:
    client = faulty(serve, FaultKind.DRIP, Moment.INSIDE)
    for method, name, form in CALLS:
        sent = ADA if name == "people/create" else None
        with client.stream(method, f"/v1/{name}.{form}", json=sent) as response:
            first = next(response.iter_raw())
        assert 0 < len(first) < 100


@of(FaultKind.EMPTY, FaultKind.REDIRECT)
def test_an_answer_of_somebody_else_is_the_same_in_every_format(
    serve: Serve, kind: FaultKind, moment: Moment
) -> None:
    client = faulty(serve, kind, moment)
    for one in CALLS:
        response = call(client, *one)
        assert response.content == b""
        assert response.status_code == (302 if kind is FaultKind.REDIRECT else 200)
        assert ("location" in response.headers) == (kind is FaultKind.REDIRECT)


def test_a_bomb_is_small_on_the_line_and_large_unpacked(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert BOMB_MEGABYTES >= 256
    _packed_blanks.cache_clear()
    monkeypatch.setattr("app.demo.faults.BOMB_MEGABYTES", 24)
    client = faulty(serve, FaultKind.BOMB, Moment.BEFORE)
    unpacked, unpacking = 0, zlib.decompressobj(wbits=31)
    with client.stream("GET", "/v1/people/getAll.xml") as response:
        assert int(response.headers["content-length"]) < 24 * 4096
        assert response.headers["content-encoding"] == "gzip"
        for piece in response.iter_raw():
            unpacked += len(unpacking.decompress(piece))
    assert unpacking.eof
    assert unpacked == 24 * 1024 * 1024
    _packed_blanks.cache_clear()


def test_wrong_types_can_be_read_in_every_format_and_are_other_than_agreed(serve: Serve) -> None:
    right, wrong = serve(), faulty(serve, FaultKind.WRONG_TYPES, Moment.INSIDE)
    for method, name, form in CALLS:
        plain = call(right, method, name, form)
        for _ in range(4):
            response = call(wrong, method, name, form)
            assert response.headers["content-type"] == plain.headers["content-type"]
            assert read(response.text, form) == ("ok", None)
            assert len(response.content) != len(plain.content)


@pytest.mark.parametrize(("kind", "moment"), MOMENTS)
def test_a_moment_can_be_named_on_the_command_line(kind: FaultKind, moment: Moment) -> None:
    assert Fault.parse(f"{kind}@{moment}:0.5") == Fault(kind, 0.5, moment)
    assert Fault.parse(f"{kind}@{moment}").strikes is moment


@pytest.mark.parametrize("text", ["lost@before", "reset@", "slow@soon", "drip@after:0.5"])
def test_a_moment_that_a_fault_does_not_have_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="can strike"):
        Fault.parse(text)


def test_the_help_tells_of_every_fault_and_its_moments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for kind, (words, moments) in FAULTS.items():
        assert any(
            line.split()[:1] == [kind] and words in line and ", ".join(moments) in line
            for line in lines
        )


def test_every_kind_has_its_words_and_its_moments() -> None:
    assert set(FAULTS) == set(FaultKind)
    assert all(words and moments for words, moments in FAULTS.values())
