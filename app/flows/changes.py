"""Two readings of the flows compared, whoever made and keeps them: what the later one tells
otherwise of flows, steps and administrators.

Pure: it gives facts, worked out some flows at a time; what is kept of them, for how long and in
which words is left to others. What was not sent, or was cut off, is no news.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from app.flows.steps import PlacedStep, all_steps, read_steps
from app.model import field_limits
from app.model.change import Change, ChangeKind, FieldChange, Named
from app.model.flow import PeopleFlow, Step

_MOST_NAMED = 20
"""Administrators of one place that are named; any others are counted."""
_MOST_MOVED = 3
"""Flows; with more of them it is another order."""
_SLICE = 500
"""Flows compared at a time: well under a frame where they are the same."""
_TELLING = 2
"""Places that tell a field which all other flows leave out: one alone may have lost it."""
_StepKey = tuple[str, int]
"""The id of a step, and which of that id it is in its flow (the id should do)."""
_Key = TypeVar("_Key", bound=Hashable)


class _Steps(msgspec.Struct, frozen=True):
    """The steps of a flow as they were or are."""

    flow: PeopleFlow
    placed: dict[_StepKey, PlacedStep]
    inside: dict[_StepKey, _StepKey | None]
    """In which step each stands; None for one of the flow itself."""
    below: dict[_StepKey | None, list[_StepKey]]


def flow_changes(
    before: Sequence[PeopleFlow],
    after: Sequence[PeopleFlow],
    *,
    whole_before: bool = True,
    whole: bool = True,
    in_order: bool = True,
) -> Iterator[list[Change]]:
    """What has changed, a few flows a step.

    Not `whole_before`: a flow that was not there may have been left out of every reading, and has
    not come; not `whole`: one that is not there has not gone; not `in_order`: those before or after
    do not stand as the service has them.
    """
    old, new = ({flow.id: flow for flow in flows} for flows in (before, after))
    other: list[tuple[PeopleFlow, PeopleFlow]] = []
    for start in range(0, len(after), _SLICE):
        for flow in after[start : start + _SLICE]:
            was = old.get(flow.id)
            if was is not None and was != flow:
                other.append((was, flow))
        yield []
    gone = [flow for flow in before if flow.id not in new] if whole else []
    come = [flow for flow in after if flow.id not in old] if whole_before else []
    if not (other or gone or come) and list(old) == list(new):
        return
    yield [_of_flow(ChangeKind.FLOW_GONE, flow) for flow in gone]
    yield [_of_flow(ChangeKind.FLOW_CAME, flow) for flow in come]
    compared = _Comparison(before, after)
    for was, flow in other:
        yield list(compared.changes(was, flow))
    if whole and whole_before and in_order:
        renamed = {flow.id for was, flow in other if was.name != flow.name}
        yield _moved_flows(old, new, renamed)


class _Comparison:
    """Two readings, with what all of their flows leave out."""

    def __init__(self, before: Sequence[PeopleFlow], after: Sequence[PeopleFlow]) -> None:
        self._tells_steps = _both_tell(_with_steps(before), _with_steps(after))
        self._tells_admins = {
            PeopleFlow: _both_tell(_with_admins(before), _with_admins(after)),
            Step: _both_tell(_with_step_admins(before), _with_step_admins(after)),
        }

    def changes(self, was: PeopleFlow, flow: PeopleFlow) -> Iterator[Change]:
        """What is other in a flow that was there before."""
        yield from self._of_flow_itself(was, flow)
        yield from self._of_steps(was, flow)

    def _of_flow_itself(self, was: PeopleFlow, flow: PeopleFlow) -> Iterator[Change]:
        if _told_otherwise(was.name, flow.name):
            yield _of_flow(ChangeKind.FLOW_RENAMED, flow, was=was.name or "")
        if was.status is not None and flow.status is not None and was.pending != flow.pending:
            kind = ChangeKind.FLOW_STOPPED if flow.pending else ChangeKind.FLOW_STARTED
            yield _of_flow(kind, flow)
        if _told_otherwise(was.access, flow.access):
            access = FieldChange("access", was.access or "", flow.access or "")
            yield _of_flow(ChangeKind.FLOW_ACCESS, flow, fields=(access,))
        kinds = ChangeKind.FLOW_ADMINS, ChangeKind.FLOW_UNSTAFFED
        yield from self._admins(kinds, _of_flow(kinds[0], flow), was, flow)

    def _of_steps(self, was: PeopleFlow, flow: PeopleFlow) -> Iterator[Change]:
        if not self._tells_steps or not was.steps_told or was.steps == flow.steps:
            return
        old = _steps(was)
        new = _steps(flow, old)
        if not _is_cut(was) and not _is_cut(flow):
            yield from _come_and_gone(old, new)
        for key in _moved_steps(old, new):
            yield _moved(new, key)
        for key, placed in new.placed.items():
            if key in old.placed:
                yield from self._of_step(flow, old.placed[key].step, placed)

    def _of_step(self, flow: PeopleFlow, was: Step, placed: PlacedStep) -> Iterator[Change]:
        step = placed.step
        if _told_otherwise(was.name, step.name):
            yield replace(_of_step(ChangeKind.STEP_RENAMED, flow, placed), was=was.name or "")
        if was.status is not None and step.status is not None and was.pending != step.pending:
            kind = ChangeKind.STEP_STOPPED if step.pending else ChangeKind.STEP_STARTED
            yield _of_step(kind, flow, placed)
        told = was.entry_point is not None and step.entry_point is not None
        if told and was.people_join_here != step.people_join_here:
            opened = step.people_join_here
            yield _of_step(
                ChangeKind.STEP_OPENED if opened else ChangeKind.STEP_CLOSED, flow, placed
            )
        kinds = ChangeKind.STEP_ADMINS, ChangeKind.STEP_UNSTAFFED
        change = _of_step(kinds[0], flow, placed)
        yield from self._admins(kinds, change, was, step)

    def _admins(
        self,
        kinds: tuple[ChangeKind, ChangeKind],
        change: Change,
        was: Step | PeopleFlow,
        now: Step | PeopleFlow,
    ) -> Iterator[Change]:
        """The second of `kinds` where nobody is left."""
        before, after = was.admins, now.admins
        told = was.admins_told and now.admins_told and self._tells_admins[type(now)]
        cut = field_limits.ADMINS in {len(before), len(after)}
        if not told or cut or set(before) == set(after):
            return
        came = [one for one in dict.fromkeys(after) if one not in before]
        gone = [one for one in dict.fromkeys(before) if one not in after]
        yield replace(
            change,
            kind=kinds[0] if after else kinds[1],
            came=tuple(Named(one) for one in came[:_MOST_NAMED]),
            gone=tuple(Named(one) for one in gone[:_MOST_NAMED]),
            more_came=max(0, len(came) - _MOST_NAMED),
            more_gone=max(0, len(gone) - _MOST_NAMED),
        )


def _come_and_gone(old: _Steps, new: _Steps) -> Iterator[Change]:
    for key, placed in new.placed.items():
        # What stands inside a new step came with it.
        inside = new.inside[key]
        if key in old.placed or (inside is not None and inside not in old.placed):
            continue
        if inside is None or old.placed[inside].step.steps_told:
            yield _of_step(ChangeKind.STEP_CAME, new.flow, placed)
    for key, placed in old.placed.items():
        inside = old.inside[key]
        if key not in new.placed and (inside is None or inside in new.placed):
            yield _of_step(ChangeKind.STEP_GONE, new.flow, placed)


def _both_tell(before: int, after: int) -> bool:
    """Whether a field that stood in so many places was left out of one of the readings."""
    return bool(before) == bool(after) or max(before, after) < _TELLING


def _with_steps(flows: Sequence[PeopleFlow]) -> int:
    return sum(bool(flow.steps) for flow in flows)


def _with_admins(flows: Sequence[PeopleFlow]) -> int:
    return sum(bool(flow.admins) for flow in flows)


def _with_step_admins(flows: Sequence[PeopleFlow]) -> int:
    """Flows in whose steps anybody is named; that is all that has to be known."""
    return sum(any(step.admins for step in all_steps(flow)) for flow in flows)


def _told_otherwise(before: str | None, after: str | None) -> bool:
    return before is not None and after is not None and before.strip() != after.strip()


def _is_cut(flow: PeopleFlow) -> bool:
    return len(flow.steps) >= field_limits.STEPS or any(
        len(step.steps) >= field_limits.STEPS for step in all_steps(flow)
    )


def _steps(flow: PeopleFlow, before: _Steps | None = None) -> _Steps:
    """The steps of `flow`; each under the key of the one that it was `before`."""
    made = _Steps(flow, {}, {}, {})
    above: list[_StepKey] = []
    placed_steps = read_steps(flow)
    keys = _keys(placed_steps, before)
    for placed, key in zip(placed_steps, keys, strict=True):
        del above[placed.depth :]
        inside = above[-1] if above else None
        above.append(key)
        made.placed[key], made.inside[key] = placed, inside
        made.below.setdefault(inside, []).append(key)
    return made


def _keys(steps: Sequence[PlacedStep], before: _Steps | None) -> list[_StepKey]:
    """Of several with one id, those with the same name are the same; the others in their order."""
    left: dict[str, dict[_StepKey, str | None]] = {}
    for key, placed in (before.placed if before else {}).items():
        left.setdefault(key[0], {})[key] = placed.step.name
    met = Counter({one: len(keys) for one, keys in left.items()})
    found: list[_StepKey | None] = []
    for placed in steps:
        keys = left.get(placed.step.id, {})
        same = next((key for key, name in keys.items() if name == placed.step.name), None)
        if same is not None:
            del keys[same]
        found.append(same)
    for at, placed in enumerate(steps):
        if found[at] is None and (keys := left.get(placed.step.id, {})):
            found[at] = next(iter(keys))
            del keys[next(iter(keys))]
    for at, placed in enumerate(steps):
        if found[at] is None:
            found[at] = placed.step.id, met[placed.step.id]
            met[placed.step.id] += 1
    return [key for key in found if key is not None]


def _moved_steps(old: _Steps, new: _Steps) -> list[_StepKey]:
    """Steps of both that stand in another step, or elsewhere among their neighbours."""
    moved: list[_StepKey] = []
    for inside, keys in new.below.items():
        there = [key for key in keys if key in old.placed]
        moved += [key for key in there if old.inside[key] != inside]
        stayed = [key for key in there if old.inside[key] == inside]
        places = {key: place for place, key in enumerate(old.below.get(inside, []))}
        moved += _out_of_order(stayed, places)
    return moved


def _moved(new: _Steps, key: _StepKey) -> Change:
    neighbours = new.below[new.inside[key]]
    behind = neighbours[neighbours.index(key) + 1 :]
    step = new.placed[behind[0]].step if behind else None
    before = None if step is None else Named(step.id, step.name or "")
    return replace(_of_step(ChangeKind.STEP_MOVED, new.flow, new.placed[key]), stands_before=before)


def _moved_flows(
    old: dict[str, PeopleFlow], new: dict[str, PeopleFlow], renamed: set[str]
) -> list[Change]:
    """In a list by name a new name is another place, which says nothing more."""
    stayed = [one for one in new if one in old]
    places = {one: place for place, one in enumerate(each for each in old if each in new)}
    if list(places) == stayed:
        return []
    moved = [one for one in _out_of_order(stayed, places) if one not in renamed]
    if len(moved) > _MOST_MOVED:
        return [Change(kind=ChangeKind.FLOWS_SORTED)]
    listed, found = list(new), []
    for one in moved:
        behind = listed[listed.index(one) + 1 :][:1]
        before = Named(behind[0], new[behind[0]].name or "") if behind else None
        found.append(replace(_of_flow(ChangeKind.FLOW_MOVED, new[one]), stands_before=before))
    return found


def _out_of_order(keys: Sequence[_Key], places: dict[_Key, int]) -> list[_Key]:
    """As few as can be that were taken out and put in elsewhere, to make `keys` of `places`."""
    ends: list[int] = []
    at: list[int] = []
    for key in keys:
        length = bisect_left(ends, places[key])
        ends[length : length + 1] = [places[key]]
        at.append(length)
    left, stay = len(ends) - 1, set()
    last = len(places)
    for number in range(len(keys) - 1, -1, -1):
        if at[number] == left and places[keys[number]] < last:
            stay.add(number)
            left, last = left - 1, places[keys[number]]
    return [key for number, key in enumerate(keys) if number not in stay]


def _of_flow(
    kind: ChangeKind, flow: PeopleFlow, *, was: str = "", fields: tuple[FieldChange, ...] = ()
) -> Change:
    return Change(kind=kind, id=flow.id, name=flow.name or "", was=was, fields=fields)


def _of_step(kind: ChangeKind, flow: PeopleFlow, placed: PlacedStep) -> Change:
    step = Named(placed.step.id, placed.step.name or "")
    return Change(kind=kind, id=flow.id, name=flow.name or "", step=step, number=placed.number)
