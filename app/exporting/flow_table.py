"""Flows and steps as rows for a spreadsheet: one for each administrator, or for what is missing."""

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from app.flows.administrators import (
    Administrator,
    Administrators,
    LookUp,
)
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
    whole = _TableRow(flow.name or "", pending=flow.pending)
    for one in administrators.of_flow(flow):
        yield _with(whole, one, people_read=people_read)
    if not flow.admins:
        nobody = tr("nobody administers this flow")
        unknown = tr("who administers this flow was not told")
        yield replace(whole, remark=nobody if flow.admins_told else unknown)
    if not flow.steps:
        none, unknown = tr("no steps yet"), tr("its steps were not told")
        yield replace(whole, remark=none if flow.steps_told else unknown)
    for placed in read_steps(flow):
        row = _row_of_step(whole.flow, placed)
        for one in administrators.of_step(placed.step):
            yield _with(row, one, people_read=people_read)
        if not placed.administrators:
            nobody = tr("nobody administers this step")
            unknown = tr("who administers this step was not told")
            yield replace(row, remark=nobody if placed.step.admins_told else unknown)


def _row_of_step(flow: str, placed: PlacedStep) -> _TableRow:
    return _TableRow(
        flow,
        number=placed.number,
        step=placed.step.name or "",
        pending=placed.pending,
        people_join_here=placed.people_join_here,
    )


def _with(row: _TableRow, one: Administrator, *, people_read: bool) -> _TableRow:
    """The same with somebody who administers it."""
    person = one.person
    if person is None:
        missing = (
            tr("somebody not in your list (…{end})", end=one.short_id)
            if people_read
            else tr("the people have not been read yet (…{end})", end=one.short_id)
        )
        return replace(row, remark=missing)
    return replace(
        row,
        administrator=person.full_name,
        email=(person.email or "").strip(),
        remark=", ".join(one.unable_words),
    )
