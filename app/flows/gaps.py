"""What is missing in the flows, of which kind and where.

The one place that knows what a gap is: the mark at a flow, the number of all, the list of them and
the remarks in a spreadsheet come from here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

import msgspec

from app.flows.administrators import Administrator, Administrators, AdministratorStatus
from app.flows.steps import PlacedStep, all_steps, people_join_anywhere, read_steps
from app.model.flow import PeopleFlow, Step
from app.runtime.words import in_a_row, tr

_SLICE = 20
_STEPS = 400
"""Flows looked at in one go, and steps in them behind which no other flow is: a few
milliseconds."""


class GapKind(StrEnum):
    """What is missing, in the order in which the kinds are told."""

    NOBODY = "nobody"
    """A step or a flow has no administrator; where none were sent, nobody can say."""
    NOT_IN_LIST = "not-in-list"
    """An administrator's id matches nobody in the list of people."""
    ARCHIVED = "archived"
    """An administrator is archived."""
    DECEASED = "deceased"
    """An administrator has died."""
    NO_STEPS = "no-steps"
    NO_ENTRY_POINT = "no-entry-point"
    """A flow has steps, none of which is an entry point: seen in the field, people may then join
    at any of them."""


class Gap(msgspec.Struct, frozen=True):
    """One thing that is missing in a flow."""

    kind: GapKind
    flow: PeopleFlow
    step: PlacedStep | None = None
    """The step it is missing at; None when it is the flow as a whole."""
    administrator: Administrator | None = None
    """Who cannot act; None where nobody is named at all."""

    @property
    def kinds(self) -> tuple[GapKind, ...]:
        """All that are missing at once: whoever has died may be archived as well."""
        person = self.administrator.person if self.administrator is not None else None
        also = self.kind is GapKind.DECEASED and person is not None and person.archived
        return (self.kind, GapKind.ARCHIVED) if also else (self.kind,)


def gaps_in(flow: PeopleFlow, administrators: Administrators) -> tuple[Gap, ...]:
    """What is missing in `flow`: first in the flow itself, then step by step.

    It means nothing before the list of people has been read.
    """
    return tuple(_gaps_in(flow, administrators))


def _gaps_in(flow: PeopleFlow, administrators: Administrators) -> Iterator[Gap]:
    if not flow.admins and flow.admins_told:
        yield Gap(GapKind.NOBODY, flow)
    for one in administrators.unable(flow.admins):
        yield Gap(_KIND_OF[one.status], flow, None, one)
    if not flow.steps:
        if flow.steps_told:
            yield Gap(GapKind.NO_STEPS, flow)
    elif people_join_anywhere(flow):
        yield Gap(GapKind.NO_ENTRY_POINT, flow)
    # Hardly any flow has a gap at a step: those that have none need no numbers. Whatever is looked
    # for below is looked for here, too.
    if all(step.admins and not administrators.unable(step.admins) for step in all_steps(flow)):
        return
    for placed in read_steps(flow):
        if not placed.administrators and placed.step.admins_told:
            yield Gap(GapKind.NOBODY, flow, placed)
        for one in administrators.unable(placed.administrators):
            yield Gap(_KIND_OF[one.status], flow, placed, one)


_KIND_OF = {
    AdministratorStatus.NOT_IN_LIST: GapKind.NOT_IN_LIST,
    AdministratorStatus.ARCHIVED: GapKind.ARCHIVED,
    AdministratorStatus.DECEASED: GapKind.DECEASED,
}
"""Of whoever cannot act."""


# What is noted where it is missing. What was not told is no gap, and is said in its place.


def gap_remark(gap: Gap) -> str:
    """What is missing, to stand beside the flow, the step or the name of who administers it."""
    one = gap.administrator
    if one is not None:
        return in_a_row(one.unable_words) or one.unknown_words
    said = {
        GapKind.NOBODY: nobody_at(gap.step.step) if gap.step else nobody_runs(gap.flow),
        GapKind.NO_STEPS: no_steps(gap.flow),
        GapKind.NO_ENTRY_POINT: tr("no step is an entry point"),
    }
    return said[gap.kind]


def nobody_at(step: Step) -> str:
    """What stands in the place of the administrators where a step has none."""
    if step.admins_told:
        return tr("nobody administers this step")
    return tr("who administers this step was not told")


def nobody_runs(flow: PeopleFlow) -> str:
    """The same of a flow as a whole."""
    if flow.admins_told:
        return tr("nobody administers this flow")
    return tr("who administers this flow was not told")


def no_steps(flow: PeopleFlow) -> str:
    """What stands in the place of the steps where a flow has none."""
    return tr("no steps yet") if flow.steps_told else tr("its steps were not told")


class Gaps:
    """The gaps of many flows; there are none before `find_in_slices` has come to its end."""

    def __init__(self) -> None:
        """None are known."""
        self.all: tuple[Gap, ...] = ()
        """In the order of the flows."""
        self._by_flow: Mapping[str, tuple[Gap, ...]] = {}
        self._counts: Counter[GapKind] = Counter()

    def find_in_slices(
        self, flows: Iterable[PeopleFlow], administrators: Administrators
    ) -> Iterator[None]:
        """Find those of `flows`, some of them a step: let the event loop run between two."""
        found: dict[str, tuple[Gap, ...]] = {}
        left, steps = _SLICE, _STEPS
        for flow in flows:
            gaps = gaps_in(flow, administrators)
            if gaps:
                found[flow.id] = gaps
            left, steps = left - 1, steps - sum(1 for _ in all_steps(flow))
            if left <= 0 or steps <= 0:
                yield
                left, steps = _SLICE, _STEPS
        self._by_flow = found
        self.all = tuple(gap for gaps in found.values() for gap in gaps)
        self._counts = Counter(kind for gap in self.all for kind in gap.kinds)

    def of(self, flow_id: str) -> tuple[Gap, ...]:
        """Those of one flow."""
        return self._by_flow.get(flow_id, ())

    def count(self, kind: GapKind) -> int:
        """How many there are of a kind; one that is of two kinds counts for each."""
        return self._counts[kind]
