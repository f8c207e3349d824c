"""Every check of a checkout, side by side, and the line that sums them up."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import launch
import private_session
import timings

MOST_SECONDS = 45 * 60.0
"""What all tests together may take: a test that is stuck ends by itself, and this is behind it."""
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder is made with a name nobody can know
"""Where Linux has a folder that waits for no disk."""
ROOM_IN_MEMORY = 4 * 2**30
"""Bytes; what all tests leave until their run ends is a fraction of it."""
HASH_SEED = "PYTHONHASHSEED"
"""The variable that has sets of texts keep their order: the same for each run of the tests."""
QUEUE = "queue"
"""The folder by which runs that share all tests know of each other."""
IMPORT_RULES = "from importlinter.cli import lint_imports_command as run; run()"


@dataclass(frozen=True, slots=True)
class Results:
    """How many checks ended which way."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Results") -> "Results":
        return Results(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )


def commands(python: Path) -> dict[str, list[str]]:
    """The checks beside the tests, by the heading each is shown under."""
    return {
        "lint": [str(python), "-m", "ruff", "check", "."],
        "format": [str(python), "-m", "ruff", "format", "--check", "."],
        "types": [str(python), "-m", "mypy"],
        "import rules": [str(python), "-c", IMPORT_RULES, "--no-cache"],
    }


def run_all(
    root: Path,
    python: Path,
    arguments: Sequence[str],
    reports: Path,
    steps: dict[str, timings.Took],
) -> Results:
    """Run every check in the folder `root`; `arguments` go to pytest, `reports` is its own folder.

    Without arguments all tests run, and what they and the `steps` took is told and remembered. The
    other checks run beside the tests, which often wait, and are told after them.
    """
    begun = timings.Took.by_now()
    variables = launch.environment(root) | {HASH_SEED: "0"}

    def checked(heading: str, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        with timings.measured(steps, heading):
            return run_check(command, root, variables)

    # Else each of the runs, and each program that their first tests start, would do it for itself.
    checked("compiling", [str(python), "-m", "compileall", "-q", "-j", "0", "app"])
    with ThreadPoolExecutor(1) as beside:
        running = {
            heading: beside.submit(checked, heading, command)
            for heading, command in commands(python).items()
        }
        print("\n== tests", flush=True)
        parts = [list(arguments)] if arguments else shares(root, reports)
        results = run_tests(root, python, parts, reports, variables)
        for heading, check in running.items():
            print(f"\n== {heading}\n{check.result().stdout}", end="", flush=True)
            ended_well = check.result().returncode == 0
            results += Results(passed=1) if ended_well else Results(failed=1)
    tests, broken_off = timings.of_tests(reports / QUEUE)
    for test in broken_off:
        print(f"Broken off in {test}")
    if not arguments:
        timings.remember(root, tests)
        print(timings.table(steps | {"checks and tests": timings.Took.by_now() - begun}, tests))
    return results


def run_check(
    command: Sequence[str], root: Path, variables: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a check beside the tests and keep what it says."""
    return subprocess.run(
        command,
        cwd=root,
        env=variables,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def own_folder() -> Path | None:
    """Where the files of a run of all tests lie: in memory, where that has room and lets programs
    start from it, for the tests write thousands of small files and wait for the disk at each; None
    for the system's folder of temporary files.
    """
    try:
        there = os.statvfs(IN_MEMORY)
    except (AttributeError, OSError):  # Windows has no such question, others no such folder
        return None
    if there.f_flag & os.ST_NOEXEC or there.f_bavail * there.f_frsize < ROOM_IN_MEMORY:
        return None
    return IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None


def shares(root: Path, reports: Path) -> list[list[str]]:
    """What pytest is told for each of the runs that share all tests: two more than there are cores,
    and four at most.

    Whoever tests a window waits for half of the time, so that four runs have enough to do. Where
    there is no private session there is one desktop for all of them, and so one run.
    """
    queue = reports / QUEUE
    queue.mkdir()
    if (root / timings.REMEMBERED).is_file():
        shutil.copyfile(root / timings.REMEMBERED, queue / timings.REMEMBERED.name)
    at_once = max(2, min(4, (os.cpu_count() or 1) + 2)) if private_session.POSSIBLE else 1
    runs = [
        [*of_queue(queue), f"--basetemp={reports / f'files-{number}'}", "tests"]
        for number in range(at_once)
    ]
    if at_once > 1:
        # What takes longest mostly waits; what does not wait has the processor meanwhile.
        runs[-1].insert(0, "--from-the-end")
    return runs


def of_queue(queue: Path) -> list[str]:
    """The options of a run that shares its test files with others, which know the same folder."""
    # They would write over each other's notes of what failed last; and how much is still to do,
    # none of them knows.
    own = ["-p", "no:cacheprovider", "-o", "console_output_style=classic"]
    return [*own, "--work-queue", str(queue)]


def run_tests(
    root: Path,
    python: Path,
    parts: Sequence[Sequence[str]],
    reports: Path,
    variables: dict[str, str],
) -> Results:
    """Run the tests, each part on Linux in a private session, with real windows and a real vault.

    One window takes the keyboard from another, so that each part has a display of its own.
    """
    files = [reports / f"tests-{number}.xml" for number, _ in enumerate(parts)]
    wanted: list[tuple[list[str], dict[str, str]]] = []
    with ExitStack() as sessions:
        for report, arguments in zip(files, parts, strict=True):
            own = variables
            if private_session.POSSIBLE:
                own = sessions.enter_context(private_session.started()).applied_to(variables)
            command = [str(python), "-m", "pytest", f"--junit-xml={report}", *arguments]
            wanted.append((command, own))
        codes = launch.run_side_by_side(wanted, root, MOST_SECONDS, ends_with_them=True)
    return sum(map(counted, files, codes), Results())


def counted(report: Path, code: int) -> Results:
    """The counts in pytest's report; an exit code that they do not explain is one more failure.

    A run without a report is one, whatever its exit code: a test may have ended the process.
    """
    if not report.is_file():
        print("These tests broke off before their end: what stands above says in which test.")
        return Results(failed=1)
    passed = failed = skipped = 0
    for suite in ET.parse(report).getroot().iter("testsuite"):  # noqa: S314  (our own file)
        tests, wrong, left_out = (
            sum(int(suite.get(name, "0")) for name in names)
            for names in (("tests",), ("failures", "errors"), ("skipped",))
        )
        passed += max(0, tests - wrong - left_out)
        failed += wrong
        skipped += left_out
    if code != 0 and not failed:
        failed = 1
    return Results(passed, failed, skipped)


def last_line(results: Results) -> str:
    """The one plain line at the end."""
    line = f"{results.passed} passed, {results.failed} failed"
    return f"{line}, {results.skipped} skipped" if results.skipped else line
