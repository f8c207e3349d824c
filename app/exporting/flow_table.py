"""Flows and steps as rows for a spreadsheet: one for each administrator, or for what is missing,
which `flows/gaps` knows.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from app.flows.administrators import Administrator, Administrators, LookUp
from app.flows.gaps import Gap, gap_remark, gaps_in, no_steps, nobody_at, nobody_runs
from app.flows.steps import PlacedStep, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import tr


class _TableRow(msgspec.Struct, frozen=True):
    """What a row says; what does not apply is blank."""

    flow: str
    number: str = ""
    step: str = ""
    pending: bool = False
    people_join_here: bool = False
    administrator: str = ""
    email: str = ""
    remark: str = ""


def _columns() -> tuple[tuple[str, Callable[[_TableRow], str]], ...]:
    """What each column is called, and what stands there."""
    yes = tr("yes")
    return (
        (tr("Flow"), lambda row: row.flow),
        (tr("Step number"), lambda row: row.number),
        (tr("Step"), lambda row: row.step),
        (tr("Pending"), lambda row: yes if row.pending else ""),
        (tr("People join here"), lambda row: yes if row.people_join_here else ""),
        (tr("Administrator"), lambda row: row.administrator),
        (tr("Email"), lambda row: row.email),
        (tr("Remark"), lambda row: row.remark),
    )


def flow_headings() -> list[str]:
    """What the columns are called."""
    return [heading for heading, _ in _columns()]


def flow_rows(
    flows: Iterable[PeopleFlow], look_up: LookUp, *, people_read: bool = True
) -> Iterator[list[str]]:
    """The rows of `flows`, in their order: who runs the whole first, then step by step.

    Not `people_read`: whose name is not known may well be in the list. Safe in a thread of its own:
    nothing but what is handed over is read.
    """
    administrators, columns = Administrators((), look_up), _columns()
    for flow in flows:
        for row in _rows_of_flow(flow, administrators, people_read=people_read):
            yield [cell(row) for _, cell in columns]


def _rows_of_flow(
    flow: PeopleFlow, administrators: Administrators, *, people_read: bool
) -> Iterator[_TableRow]:
    missing: dict[str | None, list[Gap]] = {}
    for gap in gaps_in(flow, administrators):
        missing.setdefault(gap.step.number if gap.step else None, []).append(gap)
    whole = _TableRow(flow.name or "", pending=flow.pending)
    untold = [] if flow.admins or flow.admins_told else [nobody_runs(flow)]
    if not flow.steps and not flow.steps_told:
        untold.append(no_steps(flow))
    run_by = administrators.of_flow(flow)
    yield from _rows_at(whole, run_by, missing.get(None, ()), untold, people_read=people_read)
    for placed in read_steps(flow):
        step = placed.step
        row, gaps = _row_of_step(whole.flow, placed), missing.get(placed.number, ())
        untold = [] if step.admins or step.admins_told else [nobody_at(step)]
        every = administrators.of_step(step)
        yield from _rows_at(row, every, gaps, untold, people_read=people_read)


def _rows_at(
    row: _TableRow,
    every: Iterable[Administrator],
    gaps: Iterable[Gap],
    untold: Iterable[str],
    *,
    people_read: bool,
) -> Iterator[_TableRow]:
    """The row of a step or of a flow as a whole, for each who administers it and each remark."""
    of_somebody: dict[str, list[str]] = {}
    remarks: list[str] = []
    for gap in gaps:
        one = gap.administrator
        said = remarks if one is None else of_somebody.setdefault(one.id, [])
        said.append(gap_remark(gap))
    for one in every:
        yield _with(row, one, ", ".join(of_somebody.get(one.id, ())), people_read=people_read)
    for remark in (*remarks, *untold):
        yield replace(row, remark=remark)


def _row_of_step(flow: str, placed: PlacedStep) -> _TableRow:
    return _TableRow(
        flow,
        number=placed.number,
        step=placed.step.name or "",
        pending=placed.pending,
        people_join_here=placed.people_join_here,
    )


def _with(row: _TableRow, one: Administrator, remark: str, *, people_read: bool) -> _TableRow:
    """The same with somebody who administers it."""
    person = one.person
    if person is None:
        unread = tr("the people have not been read yet (…{end})", end=one.short_id)
        return replace(row, remark=remark if people_read else unread)
    return replace(
        row, administrator=person.full_name, email=(person.email or "").strip(), remark=remark
    )
