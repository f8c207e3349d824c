"""What each command of dev.py does, step by step; how a step is done is left to its own file."""

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import randrange
from types import FrameType
from typing import NoReturn

import checks
import debian_package
import folder_build
import installers
import launch
import private_session
import set_up
import system_packages
import timings
from speech import SetUpError, say

ROOT = Path(__file__).resolve().parent.parent
SUBCOMMANDS = ("demo-service", "doctor", "tour")
ANSWERED_IN_THE_TERMINAL = ("-h", "--help", "--version")


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether a window can be shown to somebody; a chosen QT_QPA_PLATFORM counts as a display."""
    if not private_session.POSSIBLE:
        return True
    return any(environment.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def tour_instead_of_window(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether these arguments ask for the window on a machine that has nowhere to show it."""
    asks_for_window = not any(
        argument in ANSWERED_IN_THE_TERMINAL or (place == 0 and argument in SUBCOMMANDS)
        for place, argument in enumerate(arguments)
    )
    return asks_for_window and not has_display(environment)


def run(arguments: Sequence[str]) -> int:
    """`dev.py run [arguments]`: the exit code of Front Desk (design, Interfaces that stand)."""
    if tour_instead_of_window(arguments, os.environ):
        leaving = f", leaving {' '.join(arguments)} aside" if arguments else ""
        say(f"No display here: running the tour on a virtual one{leaving}.")
        arguments = ["tour"]
    virtual = arguments[:1] == ["tour"] and private_session.POSSIBLE
    python = prepared_python(in_private_session=virtual)
    if arguments[:1] == ["tour"]:
        return tour(python, list(arguments), virtual=virtual)
    return launch.replace_this_process(
        launch.front_desk(python, arguments), launch.environment(ROOT)
    )


def tour(python: Path, arguments: list[str], *, virtual: bool) -> int:
    """Run the tour, on a virtual display where that is possible, and say where the pictures are."""
    if not any(a == "--out" or a.startswith("--out=") for a in arguments):
        arguments += ["--out", str(ROOT / "tour")]
    command = launch.front_desk(python, arguments)
    if not virtual or any(a in ANSWERED_IN_THE_TERMINAL for a in arguments):
        return launch.replace_this_process(command, launch.environment(ROOT))
    with private_session.started() as session:
        code = launch.run_to_its_end(command, session.applied_to(launch.environment(ROOT)))
    folder = pictures_folder(arguments)
    taken = len(list(folder.glob("*.png")))
    ending = "" if code == 0 else f" The tour did not get through (exit code {code})."
    print(f"{taken} pictures are in {folder}.{ending}")
    return code


def pictures_folder(arguments: Sequence[str]) -> Path:
    """Where these arguments send the pictures, as an absolute path."""
    for place, argument in enumerate(arguments):
        if argument.startswith("--out="):
            return Path(argument.removeprefix("--out=")).resolve()
        if argument == "--out" and place + 1 < len(arguments):
            return Path(arguments[place + 1]).resolve()
    return ROOT / "tour"


def test(arguments: Sequence[str]) -> int:
    """`dev.py test [arguments]`: every check, each one run whatever became of those before it."""
    steps: dict[str, timings.Took] = {}
    with timings.measured(steps, "set-up"):
        python = prepared_python(in_private_session=private_session.POSSIBLE, tests=True)
    where = None if arguments else checks.own_folder()
    with tempfile.TemporaryDirectory(prefix="frontdesk-", dir=where) as folder:
        results = checks.run_all(ROOT, python, arguments, Path(folder), steps)
    print(checks.last_line(results), flush=True)
    return 1 if results.failed else 0


WHOLE = {
    "answers": "tests.made_up_answers",
    "breaking": "tests.contract.breaking",
    "damage": "tests.store.damage",
    "fuzz": "tests.fuzz",
    "growth": "tests.growth",
    "layout": "tests.end_to_end.layout_everywhere",
    "promises": "tests.promises",
    "properties": "tests.properties",
}
"""What is long by nature, by the module that does it all; the tests take a sample of each, or look
at its results alone.
"""


def whole(arguments: Sequence[str]) -> int:
    """`dev.py whole CHECK [arguments]`: the exit code of that check.

    Each time the seed is another, which is told, so that what fails can be had again.
    """
    if not arguments or arguments[0] not in WHOLE:
        say(f"Say which: {', '.join(WHOLE)}.")
        return 2
    seed = os.environ.setdefault(checks.HASH_SEED, str(randrange(2**32)))  # noqa: S311
    say(f"The same again with {checks.HASH_SEED}={seed}.")
    return of_tests(WHOLE[arguments[0]], arguments[1:], tests=True)


def bench(arguments: Sequence[str]) -> int:
    """`dev.py bench [arguments]`."""
    if not (ROOT / "tests" / "benchmarks" / "__main__.py").is_file():
        say("There are no benchmarks here yet.")
        return 1
    return of_tests("tests.benchmarks", arguments)


def of_tests(module: str, arguments: Sequence[str], *, tests: bool = False) -> int:
    """Run a program that stands among the tests, on Linux in a private session; its exit code.

    `tests`: it needs what only tests use, too.
    """
    python = prepared_python(in_private_session=private_session.POSSIBLE, tests=tests)
    command = [str(python), "-P", "-m", module, *arguments]
    if not private_session.POSSIBLE:
        return launch.run_to_its_end(command, launch.environment(ROOT))
    with private_session.started() as session:
        return launch.run_to_its_end(command, session.applied_to(launch.environment(ROOT)))


def tell_arguments(asked: Sequence[str]) -> int:
    """What the program behind a command says of its arguments, as far as it can be asked without
    setting anything up; the exit code. `asked`: the command and what follows it.
    """
    check = next((WHOLE[each] for each in asked[1:2] if each in WHOLE), None)
    module = {"whole": check, "bench": "tests.benchmarks"}.get(asked[0])
    if module is None:
        return 0
    if not set_up.is_ready(ROOT):
        print("The arguments are told as well once everything is set up, as by `dev.py run`.")
        return 0
    python = str(set_up.environment_python(ROOT))
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    return launch.run_to_its_end([python, "-P", "-m", module, "--help"], variables)


def package(_arguments: Sequence[str]) -> int:
    """`dev.py package`: the folder build, and on Debian its package, under packaging/out."""
    python = prepared_python(in_private_session=False, package=True)
    folder = folder_build.build(ROOT, python)
    if debian_package.is_possible():
        say(f"The Debian package is {debian_package.build(ROOT, python, folder)}.")
    if sys.platform == "win32":
        say(f"The installer is {installers.for_windows(ROOT, python, folder)}.")
    if sys.platform == "darwin":
        say(f"The disk image is {installers.for_macos(ROOT, folder)}.")
    say(f"The program is in {folder}. Of its size, in MB:")
    for name, size in folder_build.weights(folder):
        print(f"{size / 1e6:7.1f}  {name}")
    return 0


def words(arguments: Sequence[str]) -> int:
    """`dev.py words [languages]`."""
    python = prepared_python(in_private_session=False)
    command = [str(python), str(ROOT / "packaging" / "catalogues.py"), *arguments]
    return launch.run_to_its_end(command, dict(os.environ))


def prepared_python(
    *, in_private_session: bool, tests: bool = False, package: bool = False
) -> Path:
    """Set up what is missing, here and on the machine, and give the Python to run with."""
    if sys.platform.startswith("linux"):
        system_packages.prepare(
            ROOT,
            new_environment=not set_up.is_ready(ROOT) and not set_up.uv(),
            private_session=in_private_session,
            tests=tests,
            package=package,
        )
    return set_up.prepare(ROOT)


def end(number: int, _frame: FrameType | None) -> NoReturn:
    """End by unwinding, so that no display or vault of ours is left behind."""
    sys.exit(128 + number)


def stopping_with_a_sentence(command: Callable[[Sequence[str]], int]) -> Callable[[list[str]], int]:
    """The command, ending in one sentence and exit code 1 when the set-up cannot go on."""

    def guarded(arguments: list[str]) -> int:
        for number in launch.ENDING_SIGNALS:
            signal.signal(number, end)
        try:
            return command(arguments)
        except SetUpError as problem:
            say(str(problem))
            return 1
        except KeyboardInterrupt:
            say("Stopped.")
            return 130

    return guarded


COMMANDS = {
    "run": stopping_with_a_sentence(run),
    "test": stopping_with_a_sentence(test),
    "whole": stopping_with_a_sentence(whole),
    "bench": stopping_with_a_sentence(bench),
    "package": stopping_with_a_sentence(package),
    "words": stopping_with_a_sentence(words),
}
