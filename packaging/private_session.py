"""A desktop of our own on Linux: a virtual display, a message bus, an unlocked vault, a home.

Nothing of the person's is read or touched: no window on their screen, no entry in their keyring.
"""

import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from speech import SetUpError

POSSIBLE = sys.platform.startswith("linux")
# Each is told at its end where to write what it can be reached by.
DISPLAY = ("Xvfb", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset", "-displayfd")
BUS = ("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address")
PATIENCE = 20.0  # seconds for each of the programs to be ready
# What would lead back to the person's own desktop.
OF_THEIR_DESKTOP = (
    "DESKTOP_SESSION",
    "GNOME_KEYRING_CONTROL",
    "KDE_FULL_SESSION",
    "QT_QPA_PLATFORMTHEME",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CURRENT_DESKTOP",
)


@dataclass(frozen=True, slots=True)
class Session:
    """A private session under way."""

    variables: dict[str, str]

    def applied_to(self, environment: dict[str, str]) -> dict[str, str]:
        """The environment of a program that is to live in this session."""
        kept = {name: value for name, value in environment.items() if name not in OF_THEIR_DESKTOP}
        return kept | self.variables


@contextmanager
def started() -> Iterator[Session]:
    """Start the session, and end every part of it afterwards. Raises SetUpError."""
    with ExitStack() as parts:
        # What was just ended may still be writing its last file.
        home_folder = tempfile.TemporaryDirectory(prefix="frontdesk-", ignore_cleanup_errors=True)
        folder = Path(parts.enter_context(home_folder))
        session = Session(home(folder))
        environment = session.applied_to(dict(os.environ))
        number = parts.enter_context(announcing(DISPLAY, environment))
        bus = parts.enter_context(
            announcing((*BUS, f"unix:dir={quote(str(folder))}", "--print-address"), environment)
        )
        session.variables["DISPLAY"] = f":{number}"
        session.variables.update(DBUS_SESSION_BUS_ADDRESS=bus, DBUS_SYSTEM_BUS_ADDRESS=bus)
        parts.enter_context(vault(folder, environment | session.variables))
        yield session


def home(folder: Path) -> dict[str, str]:
    """The variables that lead a program to an empty home in `folder`."""
    variables = {"HOME": folder, "XDG_RUNTIME_DIR": folder / "runtime"}
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        variables[f"XDG_{kind}_HOME"] = folder / kind.lower()
    for path in variables.values():
        path.mkdir(mode=0o700, exist_ok=True)
    return {name: str(path) for name, path in variables.items()} | {
        "LC_ALL": "C.UTF-8",
        "QT_QPA_PLATFORM": "xcb",
    }


@contextmanager
def announcing(command: Sequence[str], environment: dict[str, str]) -> Iterator[str]:
    """Start a program that writes one line to the file descriptor at the end of its command."""
    reading, writing = os.pipe()
    try:
        with running([*command, str(writing)], environment, writing) as program:
            os.close(writing)
            writing = -1
            yield first_line(reading, program)
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


@contextmanager
def running(
    command: Sequence[str], environment: dict[str, str], passed: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program in the background, in a session of its own so that Ctrl+C does not end it first."""
    program = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=() if passed is None else (passed,),
    )
    try:
        yield program
    finally:
        end(program)


def end(program: subprocess.Popen[bytes]) -> None:
    """Ask it to end, and see to it."""
    program.terminate()
    try:
        program.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()


def first_line(descriptor: int, program: subprocess.Popen[bytes]) -> str:
    """The line that a program says it is ready with. Raises SetUpError when it does not come."""
    received, deadline = b"", time.monotonic() + PATIENCE
    while not received.endswith(b"\n"):
        left = max(0.0, deadline - time.monotonic())
        if not select.select([descriptor], [], [], left)[0]:
            raise did_not_start(program)
        part = os.read(descriptor, 4096)
        if not part:
            raise did_not_start(program)
        received += part
    return received.decode().strip()


def did_not_start(program: subprocess.Popen[bytes]) -> SetUpError:
    """The sentence about a part of the session that is not there."""
    return SetUpError(f"A part of the virtual display did not start: {program.args!r}")


@contextmanager
def vault(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """A Secret Service with one empty, unlocked keyring in `folder`."""
    options = ["--foreground", "--unlock", "--components=secrets"]
    with ExitStack() as parts:
        daemon = shutil.which("gnome-keyring-daemon") or "gnome-keyring-daemon"
        try:
            program = parts.enter_context(running([daemon, *options], environment))
        except PermissionError:
            # It carries a capability that a container may lack; a copy of the file does not.
            copied = str(shutil.copy(daemon, folder))
            program = parts.enter_context(running([copied, *options], environment))
        if program.stdin is not None:
            program.stdin.write(b"of no use anywhere else")
            program.stdin.close()
            program.stdin = None
        wait_for_vault(program, environment)
        yield


def wait_for_vault(program: subprocess.Popen[bytes], environment: dict[str, str]) -> None:
    """Return when the vault answers on the bus. Raises SetUpError when it does not."""
    question = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus"]
    question += ["/", "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and program.poll() is None:
        asked = subprocess.run(question, env=environment, capture_output=True, check=False)
        if b"true" in asked.stdout:
            return
        time.sleep(0.05)
    raise did_not_start(program)
