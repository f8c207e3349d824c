"""The benchmarks run and say what they measured; how long that took is nobody's to judge here."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import packaged
from tests.benchmarks.__main__ import BEYOND_AIM, growth, main
from tests.benchmarks.far import FarFigure
from tests.benchmarks.figures import NotMeasured
from tests.benchmarks.memory import MemoryFigure
from tests.benchmarks.reading import ReadingFigure
from tests.benchmarks.searching import SearchFigure
from tests.benchmarks.starting import StartFigure
from tests.samples import sample

ROOT = Path(__file__).parents[2]
FIELDS = {"step", "people", "seconds", "per_person", "longest_turn", "busiest_turn"}

Figures = list[dict[str, Any]]


def of_the_outbox(figures: Figures, shown: str, steps: set[str], people: set[int]) -> None:
    assert all(set(one) == FIELDS for one in figures)
    assert steps <= {one["step"] for one in figures}
    assert {one["people"] for one in figures} == people
    assert all(one["seconds"] > 0 and one["longest_turn"] > 0 for one in figures)
    assert all(one["step"] in shown for one in figures)


def of_changing_colours(figures: Figures, shown: str) -> None:
    assert [one["step"] for one in figures] == ["people", "contrast", "settings"]
    assert all(0 < one["p50"] <= one["most"] for one in figures)
    assert "dressing" in shown


def of_duplicates_beside_a_plain_scan(figures: Figures, shown: str) -> None:
    by_step = {str(one["step"]): one for one in figures}
    assert {"taken in", "each key", "a scan", "looked through"} <= set(by_step)
    assert all(one["worst"] >= one["p99"] >= one["p50"] > 0 for one in figures)
    assert all(step in shown for step in by_step)


def of_a_list_in_each_format(figures: Figures, shown: str) -> None:
    assert {Path(one["step"]).suffix for one in figures} == {".csv", ".xlsx", ".vcf"}
    assert len({(one["rows"], one["here"]) for one in figures}) == 1
    assert all(one["rows"] > one["here"] > 0 for one in figures)
    assert all(one["seconds"] > 0 and one["longest_turn"] > 0 for one in figures)
    assert all(one["step"] in shown for one in figures)


def of_reading_beside_the_least_that_has_to_be_done(figures: Figures, shown: str) -> None:
    windows = ["first, window", "again, window"]
    assert [one["step"] for one in figures] == ["floor", "first", "again", *windows]
    assert all(one["busy"] > 0 and one["of_floor"] > 0 for one in figures)
    assert all(one["step"] in shown for one in figures)


def of_reading_from_far_away(figures: Figures, shown: str) -> None:
    assert [one["step"] for one in figures] == ["floor", "first", "again"]
    assert all(one["seconds"] > one["away"] > 0 for one in figures)
    assert "far " in shown


def of_memory_beside_a_bare_window_and_after_more_readings(figures: Figures, shown: str) -> None:
    assert [one["step"] for one in figures] == ["bare window", "nobody", "first", "again", "again"]
    assert [one["readings"] for one in figures] == sorted(one["readings"] for one in figures)
    assert all(one["bytes"] > 0 and one["step"] in shown for one in figures)


def of_each_view_of_the_flows(figures: Figures, shown: str) -> None:
    views = {"by-person", "gaps", "what-is-new", "flows"}
    assert {one["step"] for one in figures} >= {
        "read",
        *(f"{done} {view}" for done in ("open", "search") for view in views),
    }
    assert all(one["worst"] >= one["p50"] > 0 and one["clock"] > 0 for one in figures)
    assert all(one["step"] in shown for one in figures)


def beside_what_qt_alone_takes(figures: Figures, shown: str, step: str, beside: str) -> None:
    assert {"floor", step, beside} <= {one["step"] for one in figures}
    assert all(one["worst"] >= one["p50"] > 0 for one in figures)
    assert f"\n{step} " in shown


def of_each_way_through_the_list(figures: Figures, shown: str) -> None:
    assert {one["step"] for one in figures} == {
        *("floor", "plain model"),
        *("wheel", "thumb", "page down", "end and home", "type-ahead"),
    }
    assert all(one["p99"] >= one["p50"] > 0 and one["frames"] > 0 for one in figures)
    assert not any(one["blank"] for one in figures)
    assert all(one["step"] in shown for one in figures)


def of_each_state_a_window_may_be_left_in(figures: Figures, shown: str) -> None:
    states = {"bare window", "first page", "in the list", "list paused", "minimised", "offline"}
    assert states | {"offline, minimised"} <= {one["step"] for one in figures}
    assert all(one["wake_ups"] >= 0 and one["seconds"] > 0 for one in figures)
    assert all(one["step"] in shown for one in figures)


def of_what_was_packaged_or_why_there_is_nothing(figures: Figures, shown: str) -> None:
    steps = [one["step"] for one in figures]
    assert steps == ["checkout", "packaged"] or "packaged            is not measured" in shown


def of_adding(figures: Figures, shown: str) -> None:
    assert figures
    assert all(one["step"] in shown for one in figures)


STEPS = {"taken together", "undone together", "sent"}
ROWS: dict[str, Callable[[Figures, str], None]] = {
    "adding": of_adding,
    "dressing": of_changing_colours,
    "duplicates": of_duplicates_beside_a_plain_scan,
    "far": of_reading_from_far_away,
    "flows": of_each_view_of_the_flows,
    "import": of_a_list_in_each_format,
    "outbox": partial(of_the_outbox, steps=STEPS, people={1, 4}),
    "packaged": of_what_was_packaged_or_why_there_is_nothing,
    "reading": of_reading_beside_the_least_that_has_to_be_done,
    "scrolling": of_each_way_through_the_list,
    "searching": partial(beside_what_qt_alone_takes, step="each key", beside="Qt's own proxy"),
    "sending": partial(of_the_outbox, steps={"floor", "taken", "sent"}, people={4}),
    "starting": partial(beside_what_qt_alone_takes, step="list", beside="floor"),
}
if sys.platform.startswith("linux"):  # it counts wake-ups, and tells the memory of another
    ROWS["idle"] = of_each_state_a_window_may_be_left_in
    ROWS["memory"] = of_memory_beside_a_bare_window_and_after_more_readings
SAMPLE = sample(sorted(ROWS), 8)
"""`dev.py bench --quick` measures them all."""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Figures], str]:
    """What a program reads of the rows of the sample, and what a person does."""
    written = tmp_path_factory.mktemp("figures") / "figures.json"
    asked = ["--only", *SAMPLE, "--quick", "--json", str(written)]
    command = [sys.executable, "-P", "-m", "tests.benchmarks", *asked]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(written.read_text("utf-8")), done.stdout


@pytest.mark.parametrize("row", SAMPLE)
def test_the_quick_ones_end_in_a_table_and_in_figures_for_a_program(
    measured: tuple[dict[str, Figures], str], row: str
) -> None:
    figures, shown = measured
    ROWS[row](figures[row], shown)


def test_a_row_that_misses_its_aim_says_by_how_much_and_why() -> None:
    read = [ReadingFigure(step, 100_000, 1.0, 1.0, 4.0) for step in ("again", "first")]
    (said,) = BEYOND_AIM["reading"](read)
    assert "first 100000" in said
    assert "2.7 over the aim of 1.3: besides" in said
    assert not BEYOND_AIM["reading"]([replace(one, of_floor=1.3) for one in read])
    bare, empty = (
        MemoryFigure(step, 0, 0, many, 0, 0)
        for step, many in (("bare window", 1_000), ("nobody", 5_001_000))
    )
    held = MemoryFigure("first", 100_000, 1, 35_001_000, 350.0, 300.0)
    (said,) = BEYOND_AIM["memory"]([bare, empty, held])
    assert "50 B over the aim of 300; the window without anybody is 50 of them" in said
    assert not BEYOND_AIM["memory"]([bare, empty, replace(held, per_person=300.0)])
    keys = [SearchFigure("each key", 100_000, 9, 0.01, p99, 0.03) for p99 in (0.016, 0.0175)]
    (said,) = BEYOND_AIM["searching"](keys)
    assert "within 17.5 ms, 1.5 over the aim of 16: a screenful" in said
    starts = [StartFigure("list", 10_000, 7, 0.3, 0.3, floors) for floors in (1.5, 2.75)]
    (said,) = BEYOND_AIM["starting"](starts)
    assert "2.75 times the bare window, 1.25 over the aim of 1.5: the program's" in said
    far = [FarFigure("first", 50_000, 0.2, 1.5, many) for many in (1.2, 1.5)]
    assert [said[:22] for said in BEYOND_AIM["far"](far)] == ["first 200 ms away: 1.5"]


NOTHING_THE_SECOND_TIME = """
from app.people.directory import PeopleDirectory
from app.workspace.workspace import Workspace
from tests.benchmarks import far, reading

read, found = PeopleDirectory.refresh, {}
begin = Workspace.refresh

async def refresh(directory, service):
    if directory not in found:
        found[directory] = await read(directory, service)
    return found[directory]

def measured(row):
    try:
        row.figures(quick=True)
        print("has figures")
    except RuntimeError as error:
        print(error)

Workspace.refresh = lambda shown: shown._directory.as_of or begin(shown)
measured(reading)
Workspace.refresh, PeopleDirectory.refresh = begin, refresh
measured(far)
"""


def test_a_program_that_reads_nothing_again_in_a_window_or_alone_is_not_said_to_be_fast() -> None:
    command = [sys.executable, "-P", "-c", NOTHING_THE_SECOND_TIME]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200, check=True
    )
    assert [line[:31] for line in done.stdout.splitlines()] == [
        "nothing was read to its end: 30"
    ] * 2


def test_what_was_packaged_before_the_checkout_changed_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packaged, "PACKAGED", tmp_path / "frontdesk")
    with pytest.raises(NotMeasured, match="has built nothing"):
        packaged.figures(quick=True)
    packaged.PACKAGED.touch()
    os.utime(packaged.PACKAGED, (1.0, 1.0))
    with pytest.raises(NotMeasured, match="is newer than"):
        packaged.figures(quick=True)


def test_the_figures_say_what_they_were_taken_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(packaged, "PACKAGED", tmp_path / "nothing")
    assert main(["--only", "packaged", "--json", str(tmp_path / "figures.json")]) == 0
    head = capsys.readouterr().out.splitlines()[0]
    machine = json.loads((tmp_path / "figures.json").read_text("utf-8"))["machine"]
    assert machine["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert all(f"{what} {value}" in head for what, value in machine.items())
    assert {"system", "processor", "PySide6", "SQLite"} <= set(machine)


def test_what_grows_with_people_is_told_as_a_power_of_them() -> None:
    def took(step: str, people: int, seconds: float) -> StartFigure:
        return StartFigure(step, people, 1, seconds, seconds, 1.0)

    told = growth([took("list", 10_000, 8.0), took("list", 1_000, 0.8), took("list", 100_000, 8.0)])
    assert told == [f"{'list':20}grows to 10000 people^1.00, to 100000 people^0.00"]
    assert growth([took("list", 1_000, 0.8)]) == []
