"""`python -m tests.benchmarks`: what costs how much, as a table, and as JSON for a program."""

import argparse
import json
import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import PySide6

from tests.benchmarks import (
    adding,
    dressing,
    duplicates,
    far,
    febrl,
    flows,
    idling,
    importing,
    memory,
    outbox,
    packaged,
    reading,
    scrolling,
    searching,
    sending,
    starting,
)
from tests.benchmarks.figures import FLOOR, Figure, NotMeasured
from tests.benchmarks.starting import StartFigure

AnyFigure = (
    Figure
    | dressing.DressFigure
    | duplicates.DuplicateFigure
    | far.FarFigure
    | febrl.FoundFigure
    | flows.ViewFigure
    | idling.IdleFigure
    | importing.ImportFigure
    | memory.MemoryFigure
    | reading.ReadingFigure
    | scrolling.FrameFigure
    | searching.SearchFigure
    | starting.StartFigure
)
ROWS: dict[str, Callable[..., Sequence[AnyFigure]]] = {
    "adding": adding.figures,
    "dressing": dressing.figures,
    "duplicates": duplicates.figures,
    "far": far.figures,
    "febrl": febrl.figures,
    "flows": flows.figures,
    "idle": idling.figures,
    "import": importing.figures,
    "memory": memory.figures,
    "outbox": outbox.figures,
    "packaged": packaged.figures,
    "reading": reading.figures,
    "scrolling": scrolling.figures,
    "searching": searching.figures,
    "sending": sending.figures,
    "starting": starting.figures,
}
"""By the name that `--only` takes: what measures it, `quick` or whole."""

BEYOND_AIM: dict[str, Callable[[Any], Sequence[str]]] = {
    "far": far.beyond_aim,
    "memory": memory.beyond_aim,
    "reading": reading.beyond_aim,
    "searching": searching.beyond_aim,
    "starting": starting.beyond_aim,
}
"""Of the rows that have an aim: a line for each figure that misses it, by how much and why."""

WITH_A_MILLION = {"reading", "searching", "starting"}
"""Which of them take a million people where they are asked to: several minutes each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0, also where a row says why it was not measured here."""
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ROWS, help="these rows alone")
    parser.add_argument("--quick", action="store_true", help="fewer people, to see that it runs")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures here as well")
    parser.add_argument("--million", action="store_true", help="with 1,000,000 people, too")
    asked = parser.parse_args(arguments)
    further = {"million": True} if asked.million else {}
    found: dict[str, Sequence[AnyFigure]] = {}
    tables: list[str] = []
    for name, row in ROWS.items():
        if asked.only is not None and name not in asked.only:
            continue
        try:
            found[name] = row(quick=asked.quick, **(further if name in WITH_A_MILLION else {}))
            tables.append(_table_of(name, found[name]))
        except NotMeasured as why:
            found[name] = []
            tables.append(f"{name:20}{why}")
    here = machine()
    head = "; ".join(f"{what} {value}" for what, value in here.items())
    sys.stdout.writelines(f"{one}\n" for one in (head, *tables))
    if asked.json is not None:
        written = {name: [_fields(one) for one in figures] for name, figures in found.items()}
        asked.json.write_text(json.dumps({"machine": here} | written, indent=2) + "\n", "utf-8")
    return 0


def _table_of(name: str, figures: Sequence[AnyFigure]) -> str:
    others = [one for one in figures if not isinstance(one, Figure)]
    if not figures:
        return f"{name:20}is not measured on this system"
    if not others:
        return table(name, [one for one in figures if isinstance(one, Figure)])
    lines = (f"{one.step:20}{one.line}" for one in others)
    missed = BEYOND_AIM[name](others) if name in BEYOND_AIM else ()
    return "\n".join((f"{name:20}{others[0].HEAD}", *lines, *growth(others), *missed))


def machine() -> dict[str, str]:
    """What the figures were taken with: another machine, or other versions, have others."""
    one, five, _ = os.getloadavg() if hasattr(os, "getloadavg") else (0.0, 0.0, 0.0)
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": f"{platform.machine()} x {os.cpu_count()}",
        "Python": platform.python_version(),
        "PySide6": PySide6.__version__,
        "SQLite": sqlite3.sqlite_version,
        "load at the end": f"{one:.1f} in a minute, {five:.1f} in five",
    }


def growth(figures: Sequence[object]) -> list[str]:
    """A line for each step that was measured with several numbers of people: from one number to the
    next its time grew as people to that power (0: not at all, 1: as they did).
    """
    timed = [one for one in figures if isinstance(one, searching.SearchFigure | StartFigure)]
    lines: list[str] = []
    for step in dict.fromkeys(one.step for one in timed):
        several = sorted((one.people, one.p50) for one in timed if one.step == step)
        powers = [
            f"to {people} people^{log(took / before) / log(people / fewer):.2f}"
            for (fewer, before), (people, took) in pairwise(several)
        ]
        if powers:
            lines.append(f"{step:20}grows {', '.join(powers)}")
    return lines


def table(name: str, figures: Sequence[Figure]) -> str:
    """The figures of one row, a line each, and how many times its floor each takes."""
    head = f"{name:20}{'people':>8}{'seconds':>10}{'ms each':>10}{'turn ms':>10}{'busy ms':>10}"
    lines, floor = [head], None
    for one in figures:
        floor = one.per_person if one.step == FLOOR else floor
        times = "" if floor is None else f"{one.per_person / floor:10.1f} times the floor"
        lines.append(
            f"{one.step:20}{one.people:8}{one.seconds:10.2f}{one.per_person * 1000:10.2f}"
            f"{one.longest_turn * 1000:10.1f}{one.busiest_turn * 1000:10.1f}{times}"
        )
    last = "turn: the longest of the event loop, by the clock; busy: of its thread's processor time"
    return "\n".join((*lines, last))


def _fields(figure: AnyFigure) -> dict[str, object]:
    each = {"per_person": figure.per_person} if isinstance(figure, Figure) else {}
    return asdict(figure) | each


if __name__ == "__main__":
    sys.exit(main())
