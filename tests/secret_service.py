"""Real Secret Services for the tests: the one of this desktop, and others on buses of their own.

The desktop's is watched: the test in which it ends or is shut fails, and the next ones get another.
"""

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from private_session import end

from app.accounts.vault import default_collection, greet

PATIENCE = 20.0  # seconds for a program to be ready
STARTS = 3
LINUX = sys.platform.startswith("linux")
NAME = "org.freedesktop.secrets"


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables that lead to an empty home in `folder`, and to no display: nobody is prompted."""
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "GNOME_KEYRING_CONTROL", "DBUS_SESSION_BUS_ADDRESS")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    home = {"HOME": folder, "XDG_RUNTIME_DIR": folder / "run", "XDG_DATA_HOME": folder / "data"}
    for path in home.values():
        path.mkdir(mode=0o700, exist_ok=True)
    return kept | {name: str(path) for name, path in home.items()} | more


@contextmanager
def program(command: list[str], variables: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program in the background; this very process is ended afterwards."""
    started = subprocess.Popen(
        command,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        end(started)


@contextmanager
def message_bus(folder: Path) -> Iterator[str]:
    """A message bus of our own; gives its address. Skips the test where there can be none."""
    if not LINUX or shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon")
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    with program(command, environment(folder)) as bus:
        assert bus.stdout is not None
        ready, _, _ = select.select([bus.stdout], [], [], PATIENCE)
        assert ready, "the message bus did not start"
        yield bus.stdout.readline().decode().strip()


@contextmanager
def keyring_daemon(folder: Path, address: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Secret Service on that bus, with one empty, unlocked collection.

    On a busy machine it comes up without one now and then, and never gets it: then another does.
    """
    if shutil.which("gnome-keyring-daemon") is None:
        pytest.skip("needs gnome-keyring-daemon")
    for number in range(STARTS):
        with ExitStack() as parts:
            home = make_folder(folder / f"vault-{number}")
            vault = started_daemon(parts, environment(home, DBUS_SESSION_BUS_ADDRESS=address), home)
            deadline = time.monotonic() + PATIENCE / STARTS
            while not (opened := is_open(address)) and time.monotonic() < deadline:
                assert vault.poll() is None, "the keyring daemon has ended"
                time.sleep(0.05)
            if opened:
                yield vault
                return
    pytest.fail("the keyring daemon did not answer")


def make_folder(path: Path) -> Path:
    """The folder, which only we may read."""
    path.mkdir(mode=0o700)
    return path


def started_daemon(
    parts: ExitStack, variables: dict[str, str], folder: Path
) -> subprocess.Popen[bytes]:
    """The daemon, told the password of its collection; `parts` ends it."""
    options = ["--foreground", "--unlock", "--components=secrets"]
    daemon = shutil.which("gnome-keyring-daemon") or ""
    try:
        vault = parts.enter_context(program([daemon, *options], variables))
    except PermissionError:
        # It carries a capability that a container may lack; a copy of the file does not.
        copied = str(shutil.copy(daemon, folder))
        vault = parts.enter_context(program([copied, *options], variables))
    assert vault.stdin is not None
    vault.stdin.write(b"for the tests")
    vault.stdin.close()
    vault.stdin = None
    return vault


def is_open(address: str) -> bool:
    """Whether a Secret Service answers there with an unlocked default collection."""
    import secretstorage  # noqa: PLC0415 - comes with keyring on Linux only

    unreachable = (OSError, ValueError, secretstorage.SecretStorageException)
    with suppress(*unreachable), on_bus(address) as (bus, daemon):
        # Asking a service that is not there would start one that nobody unlocks.
        if daemon.NameHasOwner(NAME)[0]:
            greet(bus)
            collection = default_collection(bus)
            return collection is not None and not collection.is_locked()
    return False


@contextmanager
def on_bus(address: str) -> Iterator[tuple[Any, Any]]:
    """A connection to a message bus, and the bus itself to talk to."""
    # Without types, and only where keyring brings them.
    from jeepney import message_bus as itself  # type: ignore[import-untyped]  # noqa: PLC0415
    from jeepney.io import blocking  # type: ignore[import-untyped]  # noqa: PLC0415

    with closing(blocking.open_dbus_connection(address)) as bus:
        yield bus, blocking.Proxy(itself, bus, timeout=2.0)


class DesktopVault:
    """The Secret Service that programs find on this desktop, or an open one in its place."""

    def __init__(self, parts: ExitStack, make_folder: Callable[[], Path]) -> None:
        """`parts` ends what is started here, and `make_folder` gives each daemon a home."""
        self._parts = parts
        self._make_folder = make_folder
        self._address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
        self._process: int | None = None
        if LINUX and self._address:
            self._watch()

    def open_address(self) -> str:
        """The address of its bus. Skips the test where no Secret Service can be had."""
        if not (LINUX and self._address and is_open(self._address)):
            self._replace()
        return self._address

    def expect_open(self) -> None:
        """Fail the test that shut it, and start another for the next ones."""
        if not is_open(self._address):
            self._replace()
            pytest.fail("The Secret Service of this desktop was shut in this test.")

    def expect_alive(self) -> None:
        """Fail the test in which the daemon ended, and start another for the next ones.

        The system is asked, after every test: an answer of the bus takes a hundred times as long.
        """
        if self._process is not None and select.select([self._process], [], [], 0)[0]:
            self._replace()
            pytest.fail("The Secret Service of this desktop ended in this test.")

    def _replace(self) -> None:
        folder = self._make_folder()
        self._address = self._parts.enter_context(message_bus(folder))
        self._parts.enter_context(keyring_daemon(folder, self._address))
        # The programs that tests start find it, too.
        variables = self._parts.enter_context(pytest.MonkeyPatch.context())
        variables.setenv("DBUS_SESSION_BUS_ADDRESS", self._address)
        self._watch()

    def _watch(self) -> None:
        from jeepney import DBusErrorResponse  # noqa: PLC0415 - comes with keyring on Linux only

        self._process = None
        unreachable = (OSError, ValueError, EOFError, DBusErrorResponse)
        with suppress(*unreachable), on_bus(self._address) as (_, bus):
            owner = bus.GetNameOwner(NAME)[0]
            self._process = os.pidfd_open(bus.GetConnectionUnixProcessID(owner)[0])
            self._parts.callback(os.close, self._process)


_WATCHED = pytest.StashKey[DesktopVault]()


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """No test ends the vault: a hook, for a fixture of the session costs each test a little."""
    with ExitStack() as parts:

        def make_folder() -> Path:
            made = TemporaryDirectory(prefix="vault-", ignore_cleanup_errors=True)
            return Path(parts.enter_context(made))

        session.config.stash[_WATCHED] = DesktopVault(parts, make_folder)
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Looked at after each."""
    try:
        yield
    finally:
        item.config.stash[_WATCHED].expect_alive()


@pytest.fixture(scope="session")
def desktop_vault(pytestconfig: pytest.Config) -> DesktopVault:
    """The vault that programs find on this desktop."""
    return pytestconfig.stash[_WATCHED]


@pytest.fixture
def vault_address(desktop_vault: DesktopVault) -> str:
    """The bus of an unlocked Secret Service."""
    return desktop_vault.open_address()
