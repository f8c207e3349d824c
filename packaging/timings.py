"""What a run of all checks took, told in a table and remembered for the order of the next."""

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REMEMBERED = Path(".venv", "seconds-of-tests.json")
"""In the checkout: the seconds that each test file took when all tests ran last."""
SLOWEST = 10
"""The tests that are told by name."""


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the wall, and those of the processor with whatever programs were waited for."""

    wall: float = 0.0
    processor: float = 0.0

    @classmethod
    def by_now(cls) -> "Took":
        """Since some moment, for the difference of two."""
        return cls(time.monotonic(), sum(os.times()[:4]))

    def __add__(self, other: "Took") -> "Took":
        return Took(self.wall + other.wall, self.processor + other.processor)

    def __sub__(self, other: "Took") -> "Took":
        return Took(self.wall - other.wall, self.processor - other.processor)


@contextmanager
def measured(steps: dict[str, Took], name: str) -> Iterator[None]:
    """Note under this name what is done meanwhile."""
    before = Took.by_now()
    yield
    steps[name] = Took.by_now() - before


def of_tests(queue: Path) -> tuple[dict[str, Took], list[str]]:
    """What each test took, by the notes in the queue's folder, and those that never ended."""
    ended, unended = dict[str, Took](), list[str]()
    for file in sorted(queue.glob("seconds-*.txt")):
        for line in file.read_text("utf-8").splitlines():
            test, *seconds = line.split("\t")
            if len(seconds) == 2:  # noqa: PLR2004 - the two of `Took`
                ended[test] = Took(*map(float, seconds))
            else:
                unended.append(test)
    return ended, unended


def by_part(tests: Mapping[str, Took], levels: int) -> dict[str, Took]:
    """The sums of the tests in each file or, with few `levels`, each folder."""
    sums = defaultdict[str, Took](Took)
    for test, took in tests.items():
        sums["/".join(test.partition("::")[0].split("/")[:levels])] += took
    return sums


def remember(root: Path, tests: Mapping[str, Took]) -> None:
    """Keep what each file took in the checkout in `root`."""
    files = {file: round(took.wall, 2) for file, took in by_part(tests, 99).items()}
    (root / REMEMBERED).write_text(json.dumps(files), "utf-8")


def table(steps: Mapping[str, Took], tests: Mapping[str, Took]) -> str:
    """The lines to show: the steps, the tests by folder, and the slowest tests."""
    slowest = sorted(tests, key=lambda test: tests[test].wall, reverse=True)[:SLOWEST]
    groups = (
        steps,
        dict(sorted(by_part(tests, 2).items())),
        {test: tests[test] for test in slowest},
    )
    lines = ["\n== seconds  on the wall  of the processor"]
    for group in groups:
        lines += [
            f"{each.wall:20.1f}{each.processor:18.1f}  {name}" for name, each in group.items()
        ]
        lines.append("")
    return "\n".join(lines)
