"""The people flows as last seen, in the service's order.

It keeps them in the cache and in memory and says when they were read; who administers what, and
how steps are numbered, is read elsewhere in this room.
"""

import contextlib
from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from app.flows.changes import flow_changes
from app.flows.steps import all_steps
from app.model import field_limits
from app.model.change import Change
from app.model.flow import PeopleFlow, Step
from app.runtime.events import EventBus
from app.runtime.turns import found_in_turns
from app.store.cache import Cache, Shortfall
from app.store.errors import StoreDamaged

if TYPE_CHECKING:
    from app.api.service import Service


class FlowsChanged(msgspec.Struct, frozen=True):
    """There are flows, asked for or kept; the catalogue has them."""


class FlowCatalogue:
    """All flows of the account; they are few, so memory holds them whole."""

    def __init__(self, cache: Cache, events: EventBus) -> None:
        """`open` reads what `cache` has; until then there are none."""
        self._cache = cache
        self._events = events
        self._flows: dict[str, PeopleFlow] = {}
        self._in_order: tuple[PeopleFlow, ...] = ()
        self._as_of: datetime | None = None
        self._missing: Shortfall | None = None

    @property
    def missing(self) -> Shortfall | None:
        """What the last reading left out, in whichever run that was; None when it was whole."""
        return self._missing

    @property
    def as_of(self) -> datetime | None:
        """When the flows were last read from the service, UTC; None when they never were."""
        return self._as_of

    async def open(self) -> None:
        """Read what is kept on this computer. Raises StoreError; a damaged cache begins empty."""
        with contextlib.suppress(StoreDamaged):
            self._hold({flow.id: flow for flow in await self._cache.flows()})
            self._as_of = self._cache.flows_as_of
            self._missing = self._cache.flows_missing
        if self._as_of is not None:
            # Nobody knows whether the service can be asked for others.
            self._events.publish(FlowsChanged())

    async def refresh(self, service: "Service", *, is_news: bool = True) -> None:
        """Read the flows from `service`. Raises ApiError and StoreError and changes nothing then.

        Where the service counts more flows than it gave, or does not count them, those it left out
        stay, behind the others. Not `is_news`: what is other than before is told to nobody.
        """
        told = await service.people_flows()
        flows = {
            flow_id: _with_known(flow, self._flows.get(flow_id))
            for flow_id, flow in _each_once(told).items()
        }
        received, total = len(flows), getattr(told, "total", len(told))
        # Without the service's count nobody can say that it gave all.
        counted = getattr(told, "counted", True)
        whole = counted and total <= received
        if not whole:
            flows |= {flow.id: flow for flow in self.flows() if flow.id not in flows}
            flows = dict(islice(flows.items(), field_limits.FLOWS))
        unreadable, kept = getattr(told, "unreadable", 0), len(flows) - received
        missing = None
        if total > received or kept:
            known = total if counted or total > received else None
            missing = Shortfall(received, known, unreadable, kept)
        in_order = tuple(flows.values())
        changes = await self._changes(in_order, whole=whole) if is_news else []
        await self._cache.save_flows(in_order, missing, changes, whole=whole)
        self._hold(flows)
        self._as_of, self._missing = self._cache.flows_as_of, missing
        self._events.publish(FlowsChanged())

    def flows(self) -> tuple[PeopleFlow, ...]:
        """The flows in the service's order; the same tuple until they are read again."""
        return self._in_order

    def flow(self, flow_id: str) -> PeopleFlow | None:
        """The flow with that id, or None."""
        return self._flows.get(flow_id)

    async def _changes(self, flows: tuple[PeopleFlow, ...], *, whole: bool) -> list[Change]:
        """How `flows` differ from those held now."""
        found: list[Change] = []
        if not self._cache.tells_changes or self._as_of is None:
            return found
        compared = flow_changes(
            self._in_order,
            flows,
            # What a later reading left out stayed, so all that one gave is among those held.
            whole_before=self._cache.flows_were_whole,
            whole=whole,
            in_order=whole and self._missing is None,
        )
        async for some in found_in_turns(compared):
            found += some
        return found

    def _hold(self, flows: dict[str, PeopleFlow]) -> None:
        self._flows = flows
        self._in_order = tuple(flows.values())


def _each_once(flows: Iterable[PeopleFlow]) -> dict[str, PeopleFlow]:
    """By id; of several under one id the fullest, at the place of the first."""
    found: dict[str, PeopleFlow] = {}
    for flow in flows:
        other = found.setdefault(flow.id, flow)
        if other is not flow and _fullness(flow) > _fullness(other):
            found[flow.id] = flow
    return found


def _with_known(flow: PeopleFlow, known: PeopleFlow | None) -> PeopleFlow:
    """With what is known of it in the place of what was not sent."""
    if known is None or _tells_all(flow):
        return flow
    there = {step.id for step in all_steps(flow)}
    steps = _KnownSteps(known, there).put_into(flow.steps)
    if not flow.steps_told:
        flow = replace(flow, steps_told=known.steps_told)
        steps = known.steps
    if not flow.admins_told:
        flow = replace(flow, admins=known.admins, admins_told=known.admins_told)
    return replace(flow, steps=steps)


class _KnownSteps:
    """The steps of a flow as they are known, by their ids; of several with one id by their names,
    too.
    """

    def __init__(self, known: PeopleFlow, there: set[str]) -> None:
        """`there`: the steps that were sent now, which may stand elsewhere."""
        self._there = there
        self._left: dict[str, list[Step]] = {}
        for step in all_steps(known):
            self._left.setdefault(step.id, []).append(step)

    def put_into(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """These steps, with what is known in the place of what was not sent."""
        return tuple(self._step(step) for step in steps)

    def _step(self, step: Step) -> Step:
        several = self._left.get(step.id, [])
        alike = (each for each in several if len(several) == 1 or each.name == step.name)
        known = next(alike, None)
        if known is not None:
            several.remove(known)
        inside = self.put_into(step.steps)
        if known is None:
            return replace(step, steps=inside)
        if not step.steps_told:
            inside = tuple(each for each in known.steps if each.id not in self._there)
            step = replace(step, steps_told=known.steps_told)
        if not step.admins_told:
            step = replace(step, admins=known.admins, admins_told=known.admins_told)
        return replace(step, steps=inside)


def _tells_all(flow: PeopleFlow) -> bool:
    told = flow.steps_told and flow.admins_told
    return told and all(step.steps_told and step.admins_told for step in all_steps(flow))


def _fullness(flow: PeopleFlow) -> int:
    """How many steps and administrators it names."""
    return len(flow.admins) + sum(1 + len(step.admins) for step in all_steps(flow))
