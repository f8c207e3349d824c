"""Starting programs of the checkout: what they are told, which signals reach them, how they end."""

import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from speech import say

NO_SANDBOX = "QTWEBENGINE_DISABLE_SANDBOX"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
PATIENCE = 5.0  # seconds for a program that is told to end
ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def front_desk(python: Path, arguments: Sequence[str]) -> list[str]:
    """The command of Front Desk. `-P` keeps an `app` in the caller's folder out of the way."""
    return [str(python), "-P", "-m", "app", *arguments]


def is_root() -> bool:
    """Whether this process may do everything on a system that has such a user."""
    return sys.platform != "win32" and os.geteuid() == 0


def environment(root: Path, *, browser: bool = True) -> dict[str, str]:
    """The environment of a program of the checkout; works from any current folder.

    `browser`: whether that program may start the embedded one.
    """
    result = dict(os.environ)
    result["PYTHONPATH"] = os.pathsep.join(filter(None, [str(root), result.get("PYTHONPATH")]))
    if result.pop(NO_BYTECODE, ""):
        # Wanted is nothing beside the sources; compiling them at each start is not.
        kept = root / ".venv" / "bytecode"
        if not kept.exists():
            installed = sysconfig.get_path("purelib", "venv", {"base": str(root / ".venv")})
            take_over_bytecode([installed, sysconfig.get_path("stdlib")], kept)
        result.setdefault("PYTHONPYCACHEPREFIX", str(kept))
    if browser and is_root():
        result[NO_SANDBOX] = "1"
        say("Running as root: the embedded browser starts without its sandbox.")
    return result


def take_over_bytecode(folders: Iterable[str], kept: Path) -> None:
    """Lay what is compiled in these folders where Python looks for it when `kept` is its place of
    all bytecode; else each of the first programs would compile the same libraries anew.
    """
    for folder, inside, _ in (found for each in folders for found in os.walk(each)):
        # Of another environment, and what nobody imports.
        inside[:] = [name for name in inside if name not in {"site-packages", "test", "tests"}]
        if "__pycache__" not in inside:
            continue
        path = os.path.splitdrive(folder)[1].lstrip(os.sep)
        place = os.path.join(kept, path)  # noqa: PTH118 - thousands of files
        os.makedirs(place, exist_ok=True)  # noqa: PTH103
        with os.scandir(os.path.join(folder, "__pycache__")) as compiled:  # noqa: PTH118
            for file in compiled:
                # Somebody else's, or on another disk: it is compiled when it is imported.
                with suppress(OSError):
                    os.link(file.path, os.path.join(place, file.name))  # noqa: PTH118


def replace_this_process(command: Sequence[str], variables: dict[str, str]) -> int:
    """Become the program, with its signals and exit code; on Windows run it and give the code."""
    if os.name != "nt":
        sys.stdout.flush()
        os.execve(command[0], list(command), variables)  # noqa: S606  (no shell is the aim)
    # Windows starts a second process and tells both of Ctrl+C: the program decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command, env=variables, check=False).returncode


def run_to_its_end(
    command: Sequence[str], variables: dict[str, str], folder: Path | None = None
) -> int:
    """Run the program, hand signals on to it, and give its exit code (128 + n after signal n)."""
    return run_side_by_side([(command, variables)], folder)[0]


def run_side_by_side(
    wanted: Sequence[tuple[Sequence[str], dict[str, str]]],
    folder: Path | None = None,
    seconds: float | None = None,
    *,
    ends_with_them: bool = False,
) -> list[int]:
    """Run programs at the same time, each a command with its environment; gives their exit codes.

    The first is heard while it runs. What the others say is shown when all have ended. Those that
    have not ended after `seconds` are killed, with all that they started, and it is said. With
    `ends_with_them` this process is told itself what it handed on to them, once they have ended.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    programs: list[subprocess.Popen[bytes]] = []
    with handing_on_signals(programs, and_end=ends_with_them) as told, ExitStack() as files:
        said = [files.enter_context(tempfile.TemporaryFile()) for _ in wanted[1:]]
        for (command, variables), output in zip(wanted, [None, *said], strict=True):
            program = subprocess.Popen(
                command,
                env=variables,
                cwd=folder,
                stdout=output,
                stderr=output and subprocess.STDOUT,
                start_new_session=os.name != "nt",
            )
            programs.append(program)
            # It may have begun before this process was at it again, and been told meanwhile.
            for number in told:
                hand_on(number, program)
        codes = [ended(program, deadline) for program in programs]
        for output in said:
            output.seek(0)
            sys.stdout.write(output.read().decode(errors="replace"))
    return codes


def ended(program: subprocess.Popen[bytes], deadline: float | None = None) -> int:
    """The exit code of the program, once it has ended and what it left behind has been told to.

    At `deadline`, by the clock of `time.monotonic`, it is killed.
    """
    try:
        code = program.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        say(f"Killed, because its time was over: {program.args!r}")
        kill(program)
        code = program.wait()
    if sys.platform != "win32":  # it must not outlive its display
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGTERM)
    return 128 - code if code < 0 else code


def kill(program: subprocess.Popen[bytes]) -> None:
    """End the program and what it started, without asking; Python first says where it stood."""
    if sys.platform == "win32":
        program.kill()
        return
    program.send_signal(signal.SIGABRT)  # faulthandler, which pytest switches on, writes its stacks
    with suppress(subprocess.TimeoutExpired):
        program.wait(PATIENCE)
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)


def hand_on(number: int, program: subprocess.Popen[bytes]) -> None:
    """Send a signal to the program; Windows tells both itself."""
    if program.poll() is None and os.name != "nt":
        program.send_signal(number)


@contextmanager
def handing_on_signals(
    programs: Sequence[subprocess.Popen[bytes]], *, and_end: bool
) -> Iterator[list[int]]:
    """Send what this process is told to the programs in the list instead, or first; gives the
    numbers of what it was told, for a program that comes to the list later.
    """
    told: list[int] = []

    def hand_on_to_all(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        for program in programs:
            hand_on(number, program)

    numbers = (signal.SIGINT, *ENDING_SIGNALS)
    before = {number: signal.signal(number, hand_on_to_all) for number in numbers}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if told and and_end:
        signal.raise_signal(told[0])
