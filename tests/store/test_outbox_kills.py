"""Killed (-9) at any step: what was acknowledged is there, and nothing that nobody typed.

A sample of the steps; `python3 packaging/dev.py whole damage` takes each of them.

The page cache outlives a kill, so this says nothing about a loss of power.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import checks
import pytest

from app.model.outbox import EntryState
from app.store.outbox.outbox import OutboxInUse, OutboxStore
from tests.samples import distance
from tests.store.outbox_entries import entry

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys
from pathlib import Path
from app.store.outbox.outbox import OutboxStore
from tests.store.outbox_entries import entry
store = OutboxStore.open(Path(sys.argv[1]))
store.write(entry(1))
for end in range(1, 8):
    store.keep_draft("Grace Hopper"[:end])
store._database.run_now(lambda _: None)
print("kept", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a disk: a kill does not test the disk, and this is faster."""
    with tempfile.TemporaryDirectory(dir=checks.own_folder()) as name:
        yield Path(name)


def kill_at_many_steps(scenario: str, folder: Path, one_in: int) -> list[dict[str, Any]]:
    """A round for each, the last of which was not killed."""
    every = distance(one_in)
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.outbox_kills", scenario, str(folder), str(every)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) * every > 100, rounds[-1]["step"]
    return rounds


def test_what_was_acknowledged_is_there_after_a_kill_at_any_step(folder: Path) -> None:
    rounds = kill_at_many_steps("first_days", folder, 8)
    for one in rounds:
        told, found = one["told"], one["found"]
        assert found == one["again"], one["step"]
        assert (found["rescued"], found["aside"], found["left"]) == (None, 0, [])
        here = {int(number): state for number, state in found["open"].items()}
        gone = {int(number): state for number, state in found["done"].items()}
        assert not here.keys() & gone.keys()
        last = dict(told)
        # One step more may have been kept than anybody was told of.
        assert len(here | gone) - len(last) in {0, 1}
        steps = ["waiting", "sending", "added", "taken off"]
        for number, state in last.items():
            assert steps.index((here | gone)[number]) >= steps.index(state)
        typed = len(here | gone)
        assert found["draft"] in {"", f"draft of {typed + 1}"}
    assert sum(one["told"] == rounds[-1]["told"] for one in rounds) >= 1
    assert rounds[-1]["told"][-1] == [2, "taken off"]


def test_a_list_that_is_looked_over_is_there_or_its_people_are_and_never_both(
    folder: Path,
) -> None:
    rounds = kill_at_many_steps("looking_over", folder, 8)
    steps = ["", "fresh", "changed", "taken"]
    for one in rounds:
        found = one["found"]
        assert found == one["again"], one["step"]
        assert (found["rescued"], found["aside"], found["left"]) == (None, 0, [])
        (here,) = found["lists"] or [["taken" if found["open"] else "", ""]]
        assert bool(found["lists"]) is (here[0] in {"fresh", "changed"})
        assert here[1] == ("the list" if found["lists"] else "")
        assert not (found["lists"] and found["open"])
        told = one["told"][-1][1] if one["told"] else ""
        # One step more may have been kept than anybody was told of.
        assert steps.index(here[0]) - steps.index(told) in {0, 1}
    assert rounds[-1]["told"][-1] == ["list", "taken"]


def test_a_rescue_that_is_killed_at_any_step_is_done_at_the_next_opening(folder: Path) -> None:
    for one in kill_at_many_steps("rescuing", folder, 10):
        found = one["found"]
        assert found == one["again"], one["step"]
        assert found["open"] == {"1": "not sure", "2": "not sure"}
        assert found["left"] == []
        assert (found["rescued"], found["aside"]) == (2, 1)


def test_an_address_changed_and_put_back_loses_nobody_though_it_is_killed_at_any_step(
    folder: Path,
) -> None:
    rounds = kill_at_many_steps("there_and_back", folder, 32)
    for one in rounds:
        found = one["found"]
        assert found == one["again"], one["step"]
        assert found["open"] == {"1": "waiting", "2": "waiting"}
        assert found["done"] == {"3": "added"}
        assert found["draft"] == "draft of 4"
        assert found["lists"] == [["changed", "the list"]]
        assert (found["rescued"], found["aside"]) == (None, 0)
        assert (found["left"], found["others"]) == ([], [])


def test_the_lock_the_entry_and_the_draft_after_another_program_was_killed(
    folder: Path,
) -> None:
    file = folder / "one" / "outbox.sqlite3"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"kept\n"
        with pytest.raises(OutboxInUse):
            OutboxStore.open(file)
        other.kill()
        other.wait()
    store = OutboxStore.open(file)
    assert store.entries() == (entry(1, EntryState.WAITING),)
    assert store.draft() == "Grace H"
    store.close_now()
