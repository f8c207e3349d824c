"""Two starts with one data folder: the second raises the first window and ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.demo.server import DemoAccess

ROOT = Path(__file__).resolve().parent.parent.parent


class Starts:
    """Real processes on one data folder."""

    def __init__(self, folder: Path, access: DemoAccess) -> None:
        self._folder = folder
        file = folder / "riverside.json"
        file.write_text(json.dumps({"name": "Riverside", "base_url": access.base_url}))
        self._environment = os.environ | {"FRONTDESK_API_KEY": access.api_key}
        self._arguments = [str(folder / "data"), str(file), "wait"]
        self.running: list[subprocess.Popen[str]] = []

    def first(self) -> "subprocess.Popen[str]":
        """A window that stays; it is there when this returns."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.killed_window", *self._arguments],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def again(self) -> "subprocess.CompletedProcess[str]":
        """What becomes of a later start."""
        return subprocess.run(
            [sys.executable, "-m", "app", "--data-folder", self._arguments[0]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def starts(tmp_path: Path, access: DemoAccess) -> Iterator[Starts]:
    starts = Starts(tmp_path, access)
    yield starts
    for process in starts.running:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def test_a_second_start_ends_with_nothing_to_say_and_leaves_the_first_window_open(
    starts: Starts,
) -> None:
    first = starts.first()
    done = starts.again()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert first.poll() is None


def test_after_the_first_was_killed_the_next_one_is_the_first(starts: Starts) -> None:
    starts.first().kill()
    starts.running[0].wait(10)
    starts.first()
    assert starts.again().returncode == 0


def test_a_first_window_that_hangs_is_said_in_one_sentence(starts: Starts) -> None:
    starts.first().send_signal(signal.SIGSTOP)
    done = starts.again()
    assert done.returncode == 1
    assert done.stderr.startswith("Front Desk is open already and does not answer.")
    assert done.stderr.count("\n") == 1
