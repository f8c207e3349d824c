"""Whatever a server does to the bytes, a call ends in time, in a result or in one clear error."""

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError, TooSlow
from app.api.requests import Limits
from tests.api.misbehaving import ALL, Misbehaviour, good

if TYPE_CHECKING:
    from tests.api.conftest import Act, Asked, ScriptedService

LIMITS = Limits(
    deadline=0.5, silence=0.5, first_pause=0.001, longest_wait=0.001, answer=200_000, most_pages=20
)
PATIENT = replace(LIMITS, deadline=9.0, silence=9.0)
"""Where nothing has to be waited for, a slow day ends no call."""


def limits_for(misbehaviour: Misbehaviour) -> Limits:
    """Little time for what is to end because it is too slow, and for that alone."""
    return LIMITS if TooSlow in {misbehaviour.read, misbehaviour.create} else PATIENT


def act_of(misbehaviour: Misbehaviour) -> "Act":
    """The misbehaviour, as an act of the scripted service."""

    async def act(asked: "Asked", writer: asyncio.StreamWriter) -> None:
        operation = asked.path.rpartition("/")[2].removesuffix(".json")
        with contextlib.suppress(ConnectionError):
            await misbehaviour.spoil(good(operation), writer)

    return act


async def how_it_ends(client: ServiceClient, operation: str) -> ApiError | None:
    """The error of one operation, None when it gave what was asked for."""
    try:
        if operation == "read":
            assert [person.firstname async for person in client.people()] == ["Ada"]
        else:
            assert (await client.create_person("Ada", "", "")).id == "1"
    except ApiError as error:
        return error
    return None


def test_there_are_enough_of_them() -> None:
    names = [misbehaviour.name for misbehaviour in ALL]
    assert len(set(names)) == len(names) >= 70


@pytest.mark.parametrize("misbehaviour", ALL, ids=lambda misbehaviour: misbehaviour.name)
async def test_it_ends_in_what_is_expected_and_the_next_call_is_none_the_worse_for_it(
    service: "ScriptedService", misbehaviour: Misbehaviour
) -> None:
    auth = ApiKey("key-of-nobody")
    limits = limits_for(misbehaviour)
    for operation in ("read", "create"):
        service.asked.clear()
        service.answers(act_of(misbehaviour))
        async with (
            asyncio.timeout(10),
            ServiceClient(service.base_url, auth, limits=limits) as client,
        ):
            error = await how_it_ends(client, operation)
            expected = misbehaviour.read if operation == "read" else misbehaviour.create
            assert (type(error) if error else None) is expected, operation
            if operation == "create":
                assert len(service.asked) == 1
                assert (error is not None and error.outcome_unknown) is misbehaviour.unknown
            else:
                assert len(service.asked) <= 3
            if error is not None:
                tells_what_may_be_told(error)
            if operation == "create":
                service.answers(service.people("fresh", total=1, per_page=100))
                assert [person.id async for person in client.people()] == ["fresh"]


def tells_what_may_be_told(error: ApiError) -> None:
    assert error.title
    assert error.message
    shown = f"{error.title} {error.message} {error.details}"
    assert not any(word in shown for word in ("key-of", "Ada", "hotel"))
