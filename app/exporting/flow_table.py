"""Flows and steps as rows for a spreadsheet: one for each administrator, or for whom is missing."""

from collections.abc import Iterable, Iterator, Sequence

from app.flows.administrators import (
    Administrator,
    Administrators,
    AdministratorStatus,
    LookUp,
)
from app.flows.steps import PlacedStep, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import tr


def flow_headings() -> list[str]:
    """What the columns are called."""
    return [
        tr("Flow"),
        tr("Step number"),
        tr("Step"),
        tr("Pending"),
        tr("People join here"),
        tr("Administrator"),
        tr("Email"),
        tr("Remark"),
    ]


def flow_rows(flows: Iterable[PeopleFlow], look_up: LookUp) -> Iterator[list[str]]:
    """The rows of `flows`, in their order: who runs the whole first, then step by step.

    Safe in a thread of its own: nothing but what is handed over is read.
    """
    administrators = Administrators((), look_up)
    for flow in flows:
        name = flow.name or ""
        pending = tr("yes") if flow.pending else ""
        steps = read_steps(flow)
        whole = [name, "", "", pending, ""]
        yield from _rows(whole, administrators.of_flow(flow))
        if not flow.admins and not steps:
            yield [*whole, "", "", tr("no steps yet")]
        for placed in steps:
            yield from _step_rows(name, placed, administrators.of_step(placed.step))


def _step_rows(
    flow: str, placed: PlacedStep, administrators: Sequence[Administrator]
) -> Iterator[list[str]]:
    cells = [
        flow,
        placed.number,
        placed.step.name or "",
        tr("yes") if placed.pending else "",
        tr("yes") if placed.people_join_here else "",
    ]
    if administrators:
        yield from _rows(cells, administrators)
    else:
        yield [*cells, "", "", tr("nobody administers this step")]


def _rows(cells: Sequence[str], administrators: Iterable[Administrator]) -> Iterator[list[str]]:
    for one in administrators:
        person = one.person
        if person is None:
            missing = tr("somebody not in your list (…{end})", end=one.short_id)
            yield [*cells, "", "", missing]
        else:
            remarks = {
                AdministratorStatus.ARCHIVED: tr("archived"),
                AdministratorStatus.DECEASED: tr("deceased"),
            }
            remark = remarks.get(one.status, "")
            yield [*cells, person.full_name, (person.email or "").strip(), remark]
