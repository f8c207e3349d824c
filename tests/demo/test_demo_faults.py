"""Every fault over a real socket, as a client meets it."""

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.demo.options import Fault, FaultKind

PEOPLE = "/v1/people/getAll.json"
CREATE = "/v1/people/create.json"
ADA = {"firstname": "Ada", "lastname": "Lovelace", "email": ""}
Serve = Callable[..., httpx.Client]


def faulty(serve: Serve, *faults: Fault, **options: object) -> httpx.Client:
    return serve(faults=faults, **options)


def people_added(serve: Serve, kind: FaultKind, rate: float) -> tuple[int, int, int]:
    """How many creates were answered, how many were not, and how many people there are then."""
    client = faulty(serve, Fault(kind, rate))
    answered = unanswered = 0
    for _ in range(12):
        try:
            client.post(CREATE, json=ADA)
            answered += 1
        except httpx.TransportError:
            unanswered += 1
    while True:
        try:
            return answered, unanswered, client.get(PEOPLE).json()["people"]["total"]
        except httpx.TransportError:
            continue


def test_slow_answers_late_and_completely(serve: Serve) -> None:
    client = faulty(serve, Fault(FaultKind.SLOW), slow_seconds=0.3)
    begun = time.monotonic()
    assert client.get(PEOPLE).json()["people"]["total"] == 240
    assert time.monotonic() - begun >= 0.3


def test_drip_begins_and_goes_on_piece_by_piece(serve: Serve) -> None:
    client = faulty(serve, Fault(FaultKind.DRIP))
    with client.stream("GET", PEOPLE) as response:
        assert response.status_code == 200
        pieces = response.iter_raw()
        first, second = next(pieces), next(pieces)
    assert 0 < len(first) < 100
    assert 0 < len(second) < 100


def test_cut_ends_in_the_middle_of_the_body(serve: Serve) -> None:
    client = faulty(serve, Fault(FaultKind.CUT))
    received: list[bytes] = []
    with client.stream("GET", PEOPLE) as response:
        announced = int(response.headers["content-length"])
        with pytest.raises(httpx.RemoteProtocolError, match="without sending complete"):
            received.extend(response.iter_raw())
    assert 0 < len(b"".join(received)) < announced


def test_reset_breaks_the_connection_before_any_work_is_done(serve: Serve) -> None:
    with pytest.raises(httpx.ReadError):
        faulty(serve, Fault(FaultKind.RESET)).get(PEOPLE)

    answered, unanswered, total = people_added(serve, FaultKind.RESET, 0.5)
    assert unanswered
    assert total == 240 + answered


def test_lost_does_the_work_and_then_never_answers(serve: Serve) -> None:
    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        faulty(serve, Fault(FaultKind.LOST)).get(PEOPLE)

    answered, unanswered, total = people_added(serve, FaultKind.LOST, 0.5)
    assert unanswered
    assert total == 240 + answered + unanswered


def test_too_many_says_when_to_come_back(serve: Serve) -> None:
    response = faulty(serve, Fault(FaultKind.TOO_MANY)).get(PEOPLE)
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) > 0
    assert response.json()["status"] == "fail"


def test_broken_is_500_in_the_words_of_the_contract(serve: Serve) -> None:
    response = faulty(serve, Fault(FaultKind.BROKEN)).get(PEOPLE)
    assert response.status_code == 500
    assert response.json()["error"]["code"] == 500


def test_html_is_a_page_that_calls_itself_fine(serve: Serve) -> None:
    response = faulty(serve, Fault(FaultKind.HTML)).get(PEOPLE)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert "<html" in response.text


def test_expired_is_401_with_code_121(serve: Serve) -> None:
    response = faulty(serve, Fault(FaultKind.EXPIRED)).get(PEOPLE)
    assert (response.status_code, response.json()["error"]["code"]) == (401, 121)


def test_hang_never_answers(serve: Serve) -> None:
    client = faulty(serve, Fault(FaultKind.HANG))
    with pytest.raises(httpx.ReadTimeout):
        client.get(PEOPLE, timeout=httpx.Timeout(30, read=0.3))


def shape(value: object) -> Any:
    """The types of a tree without its values."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__


def test_wrong_types_are_valid_json_of_another_shape_each_time(serve: Serve) -> None:
    right = shape(serve().get(PEOPLE).json()["people"])
    client = faulty(serve, Fault(FaultKind.WRONG_TYPES))
    answers = [client.get(PEOPLE) for _ in range(5)]

    shapes = [shape(answer.json()["people"]) for answer in answers]

    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["status"] for answer in answers} == {"ok"}
    assert right not in shapes
    assert len({json.dumps(one) for one in shapes}) == 4
    assert shapes[4] == shapes[0]


def test_a_rate_is_met_and_the_same_calls_meet_the_same_faults(serve: Serve) -> None:
    def statuses() -> list[int]:
        client = faulty(serve, Fault(FaultKind.BROKEN, 0.3))
        return [client.get(PEOPLE).status_code for _ in range(100)]

    first = statuses()
    assert first == statuses()
    assert 15 < first.count(500) < 45


def test_a_rate_of_nothing_never_happens_and_several_faults_take_turns(serve: Serve) -> None:
    client = faulty(
        serve,
        Fault(FaultKind.HANG, 0),
        Fault(FaultKind.BROKEN, 0.3),
        Fault(FaultKind.TOO_MANY, 0.5),
    )
    assert {client.get(PEOPLE).status_code for _ in range(40)} == {200, 429, 500}


def test_signing_in_meets_no_faults(serve: Serve) -> None:
    client = faulty(serve, Fault(FaultKind.BROKEN))
    assert client.get("/oauth").status_code == 400


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_can_be_named_with_and_without_a_rate(kind: FaultKind) -> None:
    assert Fault.parse(str(kind)) == Fault(kind, 1.0)
    assert Fault.parse(f"{kind}:0.25") == Fault(kind, 0.25)


@pytest.mark.parametrize(
    "text", ["", "sloww", "slow:", "slow:much", "slow:1.1", "slow:-1", "cut:nan"]
)
def test_a_fault_that_makes_no_sense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"there is no fault|is a number from 0 to 1"):
        Fault.parse(text)
