"""A real Secret Service for the accounts: the one of this desktop, or one of the tests' own."""

import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.accounts.account import Account, AuthMethod, new_account_id
from app.accounts.secret_kinds import SecretKind

PATIENCE = 20.0  # seconds for a program to be ready
PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")
LINUX = sys.platform.startswith("linux")


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
        started.terminate()
        try:
            started.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            started.kill()
            started.communicate()


@contextmanager
def message_bus(folder: Path) -> Iterator[str]:
    """A message bus of our own; gives its address."""
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    with program(command, environment(folder)) as bus:
        assert bus.stdout is not None
        ready, _, _ = select.select([bus.stdout], [], [], PATIENCE)
        assert ready, "the message bus did not start"
        yield bus.stdout.readline().decode().strip()


@contextmanager
def keyring_daemon(folder: Path, address: str) -> Iterator[None]:
    """A Secret Service on that bus, with one empty, unlocked collection."""
    variables = environment(folder, DBUS_SESSION_BUS_ADDRESS=address)
    options = ["--foreground", "--unlock", "--components=secrets"]
    daemon = shutil.which("gnome-keyring-daemon") or ""
    with ExitStack() as parts:
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
        deadline = time.monotonic() + PATIENCE
        while not is_open(address):
            assert vault.poll() is None, "the keyring daemon has ended"
            assert time.monotonic() < deadline, "the keyring daemon did not answer"
            time.sleep(0.05)
        yield


def is_open(address: str) -> bool:
    """Whether a Secret Service answers there with an unlocked default collection."""
    import secretstorage  # noqa: PLC0415 - comes with keyring on Linux only

    unreachable = (OSError, ValueError, secretstorage.SecretStorageException)
    with suppress(*unreachable), on_bus(address) as (bus, daemon):
        # Asking a service that is not there would start one that nobody unlocks.
        if daemon.NameHasOwner("org.freedesktop.secrets")[0]:
            return not secretstorage.Collection(bus).is_locked()
    return False


@contextmanager
def on_bus(address: str) -> Iterator[tuple[Any, Any]]:
    """A connection to a message bus, and the bus itself to talk to."""
    # Without types, and only where keyring brings them.
    from jeepney import message_bus as itself  # type: ignore[import-untyped]  # noqa: PLC0415
    from jeepney.io import blocking  # type: ignore[import-untyped]  # noqa: PLC0415

    with closing(blocking.open_dbus_connection(address)) as bus:
        yield bus, blocking.Proxy(itself, bus, timeout=2.0)


@pytest.fixture(scope="session")
def vault_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The bus of an unlocked Secret Service."""
    if not LINUX or not all(map(shutil.which, PROGRAMS)):
        pytest.skip("needs dbus-daemon and gnome-keyring-daemon")
    around = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if around and is_open(around):
        yield around
        return
    folder = tmp_path_factory.mktemp("vault")
    with message_bus(folder) as address, keyring_daemon(folder, address):
        yield address


@pytest.fixture
def use_bus(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Leads keyring to the Secret Service at an address."""

    def use(address: str) -> None:
        from keyring.backends import SecretService  # noqa: PLC0415 - loads slowly

        backend = SecretService.Keyring()  # type: ignore[no-untyped-call]  # theirs
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        monkeypatch.setattr("keyring.core._keyring_backend", backend)

    return use


@pytest.fixture
def secret_service(vault_address: str, use_bus: Callable[[str], None]) -> str:
    """keyring leads to a real, unlocked Secret Service; gives the address of its bus."""
    use_bus(vault_address)
    return vault_address


@pytest.fixture
def locked_service(tmp_path: Path, use_bus: Callable[[str], None]) -> Iterator[None]:
    """keyring leads to a real Secret Service that is locked and that nobody unlocks."""
    if not LINUX or not all(map(shutil.which, PROGRAMS)):
        pytest.skip("needs dbus-daemon and gnome-keyring-daemon")
    import secretstorage  # noqa: PLC0415 - comes with keyring on Linux only

    with message_bus(tmp_path) as address, keyring_daemon(tmp_path, address):
        use_bus(address)
        with closing(secretstorage.dbus_init()) as bus:
            secretstorage.Collection(bus).lock()
        yield


@pytest.fixture
def silent_bus(tmp_path: Path) -> Iterator[str]:
    """The address of a bus where a Secret Service is present and never answers."""
    if not LINUX or shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon")
    with message_bus(tmp_path) as address, on_bus(address) as (_, daemon):
        daemon.RequestName("org.freedesktop.secrets")
        yield address


@pytest.fixture
def silent_service(silent_bus: str, use_bus: Callable[[str], None]) -> str:
    """keyring leads to a real bus where the Secret Service never answers."""
    use_bus(silent_bus)
    return silent_bus


@pytest.fixture
def account_id(request: pytest.FixtureRequest) -> Iterator[str]:
    """An id of its own, whose entries are taken out of the vault where the test left some."""
    made = new_account_id()
    yield made
    if "secret_service" in request.fixturenames:
        # Of two clients that write at once, gnome-keyring shows one a vault that is shut.
        for thread in threading.enumerate():
            if thread.name == "vault":
                thread.join(PATIENCE)
        import keyring  # noqa: PLC0415 - loads slowly
        from keyring.errors import PasswordDeleteError  # noqa: PLC0415

        for part in SecretKind:
            with suppress(PasswordDeleteError):
                keyring.delete_password("Front Desk", part.entry(made))


@pytest.fixture
def account(account_id: str) -> Account:
    """An account entered through its page, with an hour to go."""
    return Account(
        id=account_id,
        name="St Anselm",
        base_url="https://anselm.example.org",
        auth_method=AuthMethod.PAGE,
        client_id="front-desk",
        redirect_uri="http://127.0.0.1:38973/signed-in",
        expires_at=datetime.now(UTC) + timedelta(hours=1),
    )


@pytest.fixture
def no_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    """keyring finds nothing that could keep a secret."""
    from keyring.backends import fail  # noqa: PLC0415 - loads slowly

    backend = fail.Keyring()  # type: ignore[no-untyped-call]  # theirs
    monkeypatch.setattr("keyring.core._keyring_backend", backend)
