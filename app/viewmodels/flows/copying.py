"""A flow or a step of it as words for the clipboard: a line each, with who administers it."""

from collections.abc import Iterator

from app.exporting.spreadsheet import spreadsheet_cell
from app.flows.administrators import Administrator, Administrators
from app.flows.gaps import nobody_at
from app.flows.steps import PlacedStep, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import tr, trn, with_own_digits
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import KnownFlows
from app.viewmodels.flows.sentences import (
    administrator_words,
    flow_name,
    step_name,
    summary_words,
)

_MOST_LINES = 2_000


def words_of(known: KnownFlows, place: FlowPlace) -> str:
    """What a flow says, with all its steps; of a step, with those inside it. Blank once it is gone.

    Nothing in it is calculated where it is pasted into a spreadsheet.
    """
    flow = flow_of(known, place)
    if flow is None:
        return ""
    lines = list(_lines(flow, place.step_id, known.administrators))
    more = len(lines) - _MOST_LINES
    if more > 0:
        words = trn("and {n} more step", "and {n} more steps", more)
        lines = [*lines[:_MOST_LINES], words]
    return "\n".join(map(spreadsheet_cell, lines))


def administrators_at(known: KnownFlows, place: FlowPlace) -> tuple[str, ...]:
    """The ids of those who run a step; of those who run a flow as a whole."""
    flow = flow_of(known, place)
    if flow is None:
        return ()
    if place.step_id is None:
        return tuple(dict.fromkeys(flow.admins))
    return next((one.administrators for one in _from_step(flow, place.step_id)), ())


def flow_of(known: KnownFlows, place: FlowPlace) -> PeopleFlow | None:
    """The flow of a place, or None."""
    return next((flow for flow in known.flows if flow.id == place.flow_id), None)


def _lines(flow: PeopleFlow, step_id: str | None, administrators: Administrators) -> Iterator[str]:
    if step_id is None:
        steps = list(read_steps(flow))
        yield flow_name(flow)
        yield summary_words(flow)
        if run_by := _names(administrators.of_flow(flow)):
            yield tr("Run by {who}.", who=run_by)
    else:
        steps = list(_from_step(flow, step_id))
        if steps:
            yield flow_name(flow)
    for placed in steps:
        yield _step_line(placed, administrators)


def _from_step(flow: PeopleFlow, step_id: str) -> Iterator[PlacedStep]:
    """The step with that id, and those inside it."""
    depth: int | None = None
    for placed in read_steps(flow):
        if depth is None and placed.step.id == step_id:
            depth = placed.depth
            yield placed
        elif depth is not None:
            if placed.depth <= depth:
                return
            yield placed


def _step_line(placed: PlacedStep, administrators: Administrators) -> str:
    name = step_name(placed)
    step = tr("{number} {name} (pending)", number=with_own_digits(placed.number), name=name)
    if not placed.pending:
        step = tr("{number} {name}", number=with_own_digits(placed.number), name=name)
    who = _names(administrators.of_step(placed.step)) or nobody_at(placed.step)
    return tr("{step}: {who}", step=step, who=who)


def _names(administrators: tuple[Administrator, ...]) -> str:
    return ", ".join(map(administrator_words, administrators))
