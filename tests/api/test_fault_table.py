"""Every fault of the demo service x its moments x operation x format: one clear ending each."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import (
    ApiError,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
)
from app.api.formats import _READERS
from app.api.requests import Limits
from app.demo.options import FAULTS, DemoOptions, Fault, FaultKind, Moment
from app.demo.server import DemoAccess, DemoServer

LIMITS = Limits(
    deadline=9.0, silence=9.0, first_pause=0.01, longest_wait=0.02, answer=2_000_000, page_size=10
)
# A drip and a silence are waited for until the time is over.
IMPATIENT = replace(LIMITS, deadline=0.6, silence=0.6)
LASTING = {FaultKind.DRIP, FaultKind.HANG}
FORMATS = tuple(_READERS)
OPERATIONS = ("people", "create", "flows")
STRIKES = [(kind, moment) for kind, (_, moments) in FAULTS.items() for moment in moments]

# A connection that ends inside the answer leaves half of one, before and after it none at all.
CLASSES: dict[FaultKind, type[ApiError] | None] = {
    FaultKind.SLOW: None,
    FaultKind.DRIP: TooSlow,
    FaultKind.CUT: Unreachable,
    FaultKind.HALF: UnreadableAnswer,
    FaultKind.RESET: Unreachable,
    FaultKind.LOST: Unreachable,
    FaultKind.HANG: TooSlow,
    FaultKind.TOO_MANY: TooManyRequests,
    FaultKind.BROKEN: ServiceFault,
    FaultKind.FAIL_200: ServiceFault,
    FaultKind.EXPIRED: TokenExpired,
    FaultKind.HTML: UnreadableAnswer,
    FaultKind.EMPTY: UnreadableAnswer,
    FaultKind.REDIRECT: UnreadableAnswer,
    FaultKind.BOMB: UnreadableAnswer,
}
# Whoever says so before anything is done has done nothing.
DEFINITE = {FaultKind.TOO_MANY, FaultKind.EXPIRED}


@dataclass(frozen=True, slots=True)
class Ending:
    """How one operation in one format ended."""

    operation: str
    format_name: str
    error: ApiError | None
    told: Sequence[ApiError | None]
    complete: bool = True


@pytest.fixture
def demo(request: pytest.FixtureRequest) -> Iterator[DemoAccess]:
    """A demo service with the fault of the parameter."""
    kind, moment = request.param
    server = DemoServer(
        DemoOptions(people=30, flows=3, faults=(Fault(kind, moment=moment),), slow_seconds=0.05)
    )
    yield server.start()
    server.stop()


async def ending(demo: DemoAccess, operation: str, format_name: str, limits: Limits) -> Ending:
    """Do it, and see."""
    told: list[ApiError | None] = []
    client = ServiceClient(
        demo.base_url, ApiKey(demo.api_key), format_name, on_outcome=told.append, limits=limits
    )
    complete, error = True, None
    async with client:
        listing = client.people()
        try:
            if operation == "people":
                people = [person.id async for person in listing]
                assert len(people) == len(set(people)) == listing.received
            elif operation == "create":
                assert (await client.create_person("Ada", "Lovelace", "ada@x.org")).id
            else:
                assert len({flow.id for flow in await client.people_flows()}) <= 3
        except ApiError as caught:
            error = caught
        if operation == "people":
            complete = listing.complete
    return Ending(operation, format_name, error, told, complete)


def test_every_kind_of_fault_has_its_row() -> None:
    assert {*CLASSES, FaultKind.WRONG_TYPES} == set(FaultKind)
    assert set(FORMATS) == {"json", "xml", "php"}


@pytest.mark.parametrize("demo", STRIKES, ids="@".join, indirect=True)
async def test_it_ends_in_a_result_or_one_clear_error(
    demo: DemoAccess, request: pytest.FixtureRequest
) -> None:
    kind, moment = request.node.callspec.params["demo"]
    limits = IMPATIENT if kind in LASTING else LIMITS
    every = (ending(demo, op, name, limits) for op in OPERATIONS for name in FORMATS)
    async with asyncio.timeout(20):
        endings = await asyncio.gather(*every)
    for one in endings:
        assert one.told, one
        assert one.told[-1] is one.error, one
        if one.error is None:
            continue
        assert one.error.title, one
        assert one.error.message, one
        assert demo.api_key not in f"{one.error.message} {one.error.details}", one
        # Whoever cannot know says so; nothing but a create leaves a doubt.
        if one.operation != "create":
            assert not one.error.outcome_unknown, one
            assert one.operation == "flows" or not one.complete, one
        elif kind not in DEFINITE:
            assert one.error.outcome_unknown, one
    if kind is not FaultKind.WRONG_TYPES:
        allowed = {CLASSES[kind]}
        if moment is Moment.INSIDE and kind not in {FaultKind.SLOW, *LASTING}:
            allowed = {UnreadableAnswer}
        assert {type(one.error) if one.error else None for one in endings} <= allowed, endings
