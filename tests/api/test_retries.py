"""Reads are tried again with care, a create only when it certainly never left."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    ServiceFault,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
)
from app.api.requests import Limits
from app.api.responses import read_retry_after
from app.api.retry import with_retries

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

NOW = datetime(2024, 5, 3, 12, 0, 0, tzinfo=UTC)
EAGER = Limits(first_pause=0.001)


class Attempts:
    """Fails with each error in turn, then succeeds."""

    def __init__(self, *errors: ApiError) -> None:
        self.seconds_left: list[float] = []
        self._errors = list(errors)

    async def __call__(self, seconds: float) -> str:
        self.seconds_left.append(seconds)
        if self._errors:
            raise self._errors.pop(0)
        return "done"


def transient(
    kind: type[ApiError], *, unknown: bool = False, after: float | None = None
) -> ApiError:
    """An error that may pass by itself."""
    return kind("t", "m", transient=True, outcome_unknown=unknown, retry_after=after)


@pytest.mark.parametrize(
    "kind", [Unreachable, TooSlow, ServiceFault, TooManyRequests, UnreadableAnswer]
)
async def test_a_read_is_tried_three_times_at_most(kind: type[ApiError]) -> None:
    attempts = Attempts(transient(kind), transient(kind))
    assert await with_retries(attempts, creates=False, limits=EAGER) == "done"
    attempts = Attempts(*(transient(kind) for _ in range(3)))
    with pytest.raises(kind):
        await with_retries(attempts, creates=False, limits=EAGER)
    assert len(attempts.seconds_left) == 3


@pytest.mark.parametrize("kind", [InputRefused, NotAuthorised, Unreachable, UnreadableAnswer])
async def test_what_will_not_pass_is_not_tried_again(kind: type[ApiError]) -> None:
    attempts = Attempts(kind("t", "m"))
    with pytest.raises(kind):
        await with_retries(attempts, creates=False, limits=EAGER)
    assert len(attempts.seconds_left) == 1


@pytest.mark.parametrize(
    "error",
    [
        transient(Unreachable, unknown=True),
        transient(TooSlow, unknown=True),
        transient(ServiceFault, unknown=True),
        transient(ServiceFault),
        transient(TooManyRequests),
        transient(UnreadableAnswer, unknown=True),
        Unreachable("t", "m"),
    ],
)
async def test_a_create_that_may_have_left_is_never_tried_again(error: ApiError) -> None:
    attempts = Attempts(error)
    with pytest.raises(ApiError):
        await with_retries(attempts, creates=True, limits=EAGER)
    assert len(attempts.seconds_left) == 1


@pytest.mark.parametrize("kind", [Unreachable, TooSlow])
async def test_a_create_that_never_left_is_tried_again(kind: type[ApiError]) -> None:
    attempts = Attempts(transient(kind))
    assert await with_retries(attempts, creates=True, limits=EAGER) == "done"


async def test_each_attempt_is_told_what_is_left_of_the_time() -> None:
    attempts = Attempts(transient(Unreachable), transient(Unreachable))
    await with_retries(attempts, creates=False, limits=EAGER)
    first, second, third = attempts.seconds_left
    assert EAGER.deadline >= first > second > third > 0


async def test_no_pause_reaches_past_the_deadline() -> None:
    limits = Limits(first_pause=100.0, deadline=50.0)
    attempts = Attempts(transient(Unreachable))
    with pytest.raises(Unreachable):
        await asyncio.wait_for(with_retries(attempts, creates=False, limits=limits), 5)
    assert len(attempts.seconds_left) == 1


async def test_a_pause_the_service_asks_for_is_capped() -> None:
    limits = Limits(longest_wait=0.01)
    attempts = Attempts(transient(TooManyRequests, after=3600.0))
    assert await asyncio.wait_for(with_retries(attempts, creates=False, limits=limits), 5) == "done"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("Fri, 03 May 2024 12:00:30 GMT", 30.0),
        ("Fri, 03 May 2024 12:00:30", 30.0),
        ("Fri, 03 May 2024 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        (None, None),
        ("9" * 400, 999999999.0),
    ],
)
def test_retry_after_is_a_number_or_a_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, NOW) == seconds


async def test_retry_after_is_honoured_over_the_line(service: "ScriptedService") -> None:
    busy = service.fail(429, 429, Retry_After="0")
    service.answers(busy, busy, service.people("1", total=1))
    async with service.client(Limits(first_pause=100.0)) as client:
        await client.check()
    assert len(service.asked) == 3


async def test_a_create_answered_busy_is_sent_once_and_tells_how_long_to_wait(
    service: "ScriptedService",
) -> None:
    service.answers(service.fail(429, 429, Retry_After="30"))
    async with service.client() as client:
        with pytest.raises(TooManyRequests) as caught:
            await client.create_person("Ada", "", "")
    assert (caught.value.retry_after, caught.value.outcome_unknown) == (30.0, False)
    assert len(service.asked) == 1


def test_naming_the_service_loads_no_network_library() -> None:
    program = (
        "import sys, app.api.service, app.api.errors, app.api.sign_in.oauth, app.api.addresses;"
        "sys.exit('httpx' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
