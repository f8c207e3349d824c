"""Many rounds in windows of their own processes, each watched from outside, and their figures."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "tests.made_up_answers.window")
ROUNDS_OF_A_START = 20
ROUNDS_OF_A_PROCESS = 100
"""Then another begins, with nothing kept: what piles up in a list is a part of each round."""
SILENCE = 90.0
"""Seconds without a word after which a window is taken for stuck."""
_QUIET = {"QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "qt.qpa.*=false"}
_SHOWN = 2_000


@dataclass(frozen=True, slots=True)
class Failure:
    """A round that went wrong; the process that saw it had begun with the round `first`."""

    number: int
    first: int
    problem: str


@dataclass
class Figures:
    """Of all rounds: the turns are the longest of each round, in seconds."""

    rounds: int = 0
    starts: int = 0
    failures: list[Failure] = field(default_factory=list)
    busiest: list[tuple[float, int]] = field(default_factory=list)
    longest: list[tuple[float, int]] = field(default_factory=list)

    def slower_than(self, seconds: float) -> list[tuple[float, int]]:
        """The rounds with a turn that kept the processor longer than this, the slowest first."""
        return sorted((each for each in self.busiest if each[0] > seconds), reverse=True)


def trial(
    seed: int,
    first: int,
    rounds: int,
    *,
    of_a_start: int = ROUNDS_OF_A_START,
    program: Sequence[str] = PROGRAM,
) -> Iterator[Figures]:
    """The rounds from `first` on; the figures so far come after each process.

    After `of_a_start` rounds the window is opened anew, on what was kept.
    """
    figures, at, end = Figures(), first, first + rounds
    while at < end:
        # Processes begin at the same rounds whatever is asked for, unless one broke off.
        until = min(end, at - at % ROUNDS_OF_A_PROCESS + ROUNDS_OF_A_PROCESS)
        told = {"seed": seed, "first": at, "rounds": until - at, "of_a_start": of_a_start}
        at = _one_process(figures, program, told)
        yield figures


def _one_process(figures: Figures, program: Sequence[str], told: dict[str, Any]) -> int:
    """Run one process; gives the round behind its last."""
    first: int = told["first"]
    at = first
    with TemporaryDirectory(prefix="made-up-") as folder:
        process = subprocess.Popen(
            [*program, json.dumps(told | {"folder": folder})],
            cwd=ROOT,
            env=os.environ | _QUIET,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        problem, ended = "", False
        try:
            for line in _lines(process):
                if "begun" in line:
                    at = line["begun"]
                elif "round" in line:
                    at = line["round"] + 1
                    figures.rounds += 1
                    figures.busiest.append((line["busiest"], line["round"]))
                    figures.longest.append((line["longest"], line["round"]))
                    if line["problems"]:
                        found = "\n".join(line["problems"])
                        figures.failures.append(Failure(line["round"], first, found))
                else:
                    figures.starts += line["ended"]
                    ended = True
        except TimeoutError:
            problem = f"not a word for {SILENCE:.0f} s"
            process.send_signal(signal.SIGABRT)  # it says then where it is
        except BaseException:
            process.kill()
            raise
        said = process.communicate()[1].decode("utf-8", "replace")
    if not ended:
        problem = problem or f"died of {process.returncode}"
        figures.failures.append(Failure(at, first, f"{problem}\n{said[-_SHOWN:]}"))
        figures.rounds += 1
        at += 1
    return at


def _lines(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    """What the process says, to its end. Raises TimeoutError when it falls silent."""
    assert process.stdout is not None
    rest, until = b"", time.monotonic() + SILENCE
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(until - time.monotonic()):
                raise TimeoutError
            some = os.read(process.stdout.fileno(), 65_536)
            if not some:
                return
            *lines, rest = (rest + some).split(b"\n")
            yield from map(json.loads, lines)
            until = time.monotonic() + SILENCE
