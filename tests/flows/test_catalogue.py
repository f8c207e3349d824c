"""The flows as last seen: kept, replaced, told."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from app.api.formats.tree import Tree
from app.api.resources import PeopleFlows, read_flow
from app.flows.catalogue import FlowCatalogue, FlowsChanged
from app.flows.steps import all_steps
from app.model.change import ChangeKind
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow, Step
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache, Shortfall

if TYPE_CHECKING:
    from app.api.service import Service

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
WELCOME = PeopleFlow(id="w", name="Welcome", steps=(Step(id="s", name="Call", admins=("ada",)),))
BAPTISM = PeopleFlow(id="b", name="Baptism")


class Told(list[PeopleFlow]):
    """The flows of one answer, of as many as the service counts."""

    def __init__(self, *flows: PeopleFlow, total: int | None = None) -> None:
        super().__init__(flows)
        self.total = len(flows) if total is None else total


class Scripted:
    """A service that answers with what the test says."""

    def __init__(self, answer: Sequence[PeopleFlow] | Exception) -> None:
        self.answer = answer

    async def people_flows(self) -> Sequence[PeopleFlow]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def service(answer: Sequence[PeopleFlow] | Exception) -> "Service":
    return cast("Service", Scripted(answer))


def fail(error: BaseException) -> None:
    raise error


@pytest.fixture
def events() -> EventBus:
    return EventBus(fail)


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[Cache]:
    cache = Cache.open(tmp_path / "account" / "cache.db", now=lambda: NOON)
    yield cache
    await cache.close()


async def test_a_refresh_keeps_the_order_of_the_service_and_tells(
    cache: Cache, events: EventBus
) -> None:
    heard: list[FlowsChanged] = []
    events.subscribe(FlowsChanged, heard.append, TaskScope("test", fail, ExpectedError))
    catalogue = FlowCatalogue(cache, events)
    await catalogue.open()
    assert (catalogue.flows(), catalogue.as_of) == ((), None)
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    assert catalogue.flows() == (WELCOME, BAPTISM)
    assert catalogue.flow("b") == BAPTISM
    assert catalogue.flow("x") is None
    assert heard == [FlowsChanged()]


async def test_the_flows_are_there_again_after_a_restart(cache: Cache, events: EventBus) -> None:
    await FlowCatalogue(cache, events).refresh(service(Told(WELCOME, BAPTISM)))
    heard: list[FlowsChanged] = []
    events.subscribe(FlowsChanged, heard.append, TaskScope("test", fail, ExpectedError))
    catalogue = FlowCatalogue(cache, events)
    await catalogue.open()
    assert catalogue.flows() == (WELCOME, BAPTISM)
    assert catalogue.as_of == NOON
    assert heard == [FlowsChanged()]


async def test_a_flow_the_service_no_longer_has_is_gone(cache: Cache, events: EventBus) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    await catalogue.refresh(service([BAPTISM]))
    assert catalogue.flows() == (BAPTISM,)


async def test_flows_that_a_short_answer_leaves_out_stay(cache: Cache, events: EventBus) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    newer = PeopleFlow(id="b", name="Baptism and more")
    await catalogue.refresh(service(Told(newer, total=2)))
    assert catalogue.flows() == (newer, WELCOME)
    assert await cache.flows() == (newer, WELCOME)


async def test_what_a_short_answer_left_out_is_told_at_the_next_start_too(
    cache: Cache, events: EventBus
) -> None:
    for told, missing in (
        (Told(WELCOME, total=3), Shortfall(1, 3)),
        (Told(WELCOME, BAPTISM), None),
    ):
        catalogue = FlowCatalogue(cache, events)
        await catalogue.refresh(service(told))
        again = FlowCatalogue(cache, events)
        await again.open()
        assert catalogue.missing == again.missing == missing


async def test_an_error_changes_nothing(cache: Cache, events: EventBus) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.refresh(service(Told(WELCOME)))
    with pytest.raises(ExpectedError):
        await catalogue.refresh(service(ExpectedError("Down", "The connection is down.")))
    assert catalogue.flows() == (WELCOME,)


async def test_a_kept_flow_that_cannot_be_read_ends_in_an_empty_catalogue(
    cache: Cache, events: EventBus
) -> None:
    await cache.save_flows([WELCOME])
    await cache._database.run(lambda c: c.execute("UPDATE flows SET flow = '{half'"))
    catalogue = FlowCatalogue(cache, events)
    await catalogue.open()
    assert (catalogue.flows(), catalogue.as_of) == ((), None)
    await catalogue.refresh(service(Told(BAPTISM)))
    assert await cache.flows() == (BAPTISM,)


async def test_what_a_reading_changed_is_kept_and_what_it_was_short_of_is_no_news(
    cache: Cache, events: EventBus
) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.open()
    await catalogue.refresh(service(Told(WELCOME, total=2)))
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    await catalogue.refresh(service(Told(BAPTISM, total=2)))
    assert await cache.changes() == []
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    await catalogue.refresh(service(Told(WELCOME)))
    assert [(one.change.kind, one.change.name) for one in await cache.changes()] == [
        (ChangeKind.FLOW_GONE, "Baptism")
    ]


async def test_an_account_that_speaks_another_language_tells_no_news_by_that(
    cache: Cache, events: EventBus
) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.open()
    await catalogue.refresh(service(Told(WELCOME, BAPTISM)))
    taufe = replace(BAPTISM, name="Taufe")
    await catalogue.refresh(service(Told(WELCOME, taufe)), is_news=False)
    assert catalogue.flows() == (WELCOME, taufe)
    assert await cache.changes() == []
    await catalogue.refresh(service(Told(WELCOME)))
    assert [one.change.name for one in await cache.changes()] == ["Taufe"]


async def test_a_flow_that_comes_twice_takes_the_place_of_no_other(
    cache: Cache, events: EventBus
) -> None:
    """Two different ones of three have come, and the emptier double says nothing."""
    choir = PeopleFlow(id="c", name="Choir", admins=("eve",))
    empty = PeopleFlow(id="w", name="Welcome")
    for doubled in ((WELCOME, empty, BAPTISM), (empty, WELCOME, BAPTISM)):
        catalogue = FlowCatalogue(cache, events)
        await catalogue.open()
        await catalogue.refresh(service(Told(WELCOME, BAPTISM, choir)))
        await catalogue.refresh(service(PeopleFlows(doubled, 3)))
        assert catalogue.flows() == (WELCOME, BAPTISM, choir)
        assert catalogue.missing == Shortfall(2, 3, kept=1)
        assert await cache.changes() == []


async def test_without_the_services_count_nothing_is_gone(cache: Cache, events: EventBus) -> None:
    catalogue = FlowCatalogue(cache, events)
    held: list[tuple[object, ...]] = []
    for told in (
        PeopleFlows((WELCOME, BAPTISM), 2),
        PeopleFlows((BAPTISM,)),
        PeopleFlows((WELCOME, BAPTISM)),
    ):
        await catalogue.refresh(service(told))
        held.append((*catalogue.flows(), catalogue.missing))
    short = (BAPTISM, WELCOME, Shortfall(1, None, kept=1))
    assert held == [(WELCOME, BAPTISM, None), short, (WELCOME, BAPTISM, None)]
    assert await cache.changes() == []


async def test_what_came_while_a_reading_was_cut_off_is_told_later(tmp_path: Path) -> None:
    """It is compared with the last whole reading, also when the program was closed in between."""
    choir = PeopleFlow(id="c", name="Choir")
    path = tmp_path / "account" / "cache.db"
    changes: list[tuple[ChangeKind, str]] = []
    for told in (
        PeopleFlows((WELCOME, BAPTISM), 2),
        PeopleFlows((BAPTISM,), 2),
        PeopleFlows((WELCOME, BAPTISM, choir), 3),
    ):
        cache = Cache.open(path, now=lambda: NOON)
        catalogue = FlowCatalogue(cache, EventBus(fail))
        await catalogue.open()
        await catalogue.refresh(service(told))
        changes = [(one.change.kind, one.change.name) for one in await cache.changes()]
        await cache.close()
    assert changes == [(ChangeKind.FLOW_CAME, "Choir")]


def sent(*steps: dict[str, Tree], **fields: Tree) -> PeopleFlow:
    flow = read_flow({"id": "w", "name": "Welcome", **fields, "steps": list(steps)})
    assert flow is not None
    return flow


async def test_what_was_not_sent_stays_as_it_is_known(cache: Cache, events: EventBus) -> None:
    """Nobody has gone, be it from the flows, from their steps or from the steps inside them."""
    tea: dict[str, Tree] = {"id": "t", "admins": ["eve"], "steps": []}
    call: dict[str, Tree] = {"id": "c", "name": "Call", "admins": ["ada"], "steps": [tea]}
    catalogue = FlowCatalogue(cache, events)
    whole = sent(call, admins=["bob"])
    await catalogue.refresh(service(Told(whole, BAPTISM)))
    silent = sent({"id": "c", "name": "Call"})
    await catalogue.refresh(service(Told(silent, BAPTISM)))
    assert catalogue.flow("w") == whole
    bare = read_flow({"id": "w", "name": "Welcome", "admins": ["bob"]})
    assert bare is not None
    await catalogue.refresh(service(Told(bare, BAPTISM)))
    assert catalogue.flow("w") == whole
    # A step that was sent elsewhere is not kept where it was.
    moved = sent({"id": "c", "name": "Call", "admins": ["ada"]}, tea, admins=["bob"])
    await catalogue.refresh(service(Told(moved, BAPTISM)))
    assert [step.id for step in all_steps(moved)] == ["c", "t"]
    held = catalogue.flow("w")
    assert held is not None
    assert [step.id for step in all_steps(held)] == ["c", "t"]
    kinds = [one.change.kind for one in await cache.changes()]
    assert set(kinds) == {ChangeKind.STEP_MOVED}


async def test_what_was_never_sent_before_has_not_come(cache: Cache, events: EventBus) -> None:
    catalogue = FlowCatalogue(cache, events)
    await catalogue.refresh(service(Told(sent({"id": "c", "name": "Call"}))))
    tea: dict[str, Tree] = {"id": "t", "admins": []}
    told = sent({"id": "c", "name": "Call", "admins": ["ada"], "steps": [tea]}, admins=["bob"])
    await catalogue.refresh(service(Told(told)))
    assert catalogue.flow("w") == told
    assert await cache.changes() == []


async def test_steps_that_share_an_id_keep_each_what_is_known_of_it(
    cache: Cache, events: EventBus
) -> None:
    one: dict[str, Tree] = {"id": "s", "name": "Call"}
    other: dict[str, Tree] = {"id": "s", "name": "Tea"}
    known = sent({**one, "admins": ["ada"]}, {**other, "admins": ["bob"]}, admins=[])
    catalogue = FlowCatalogue(cache, events)
    await catalogue.refresh(service(Told(known)))
    await catalogue.refresh(service(Told(sent(one, other))))
    held = catalogue.flow("w")
    assert held is not None
    assert [step.admins for step in held.steps] == [("ada",), ("bob",)]
    assert await cache.changes() == []
    await catalogue.refresh(service(Told(sent(other, one))))
    held = catalogue.flow("w")
    assert held is not None
    assert [(step.name, step.admins) for step in held.steps] == [
        ("Tea", ("bob",)),
        ("Call", ("ada",)),
    ]
