"""A real Secret Service for the accounts: open, locked or silent."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.accounts.account import Account, AuthMethod, new_account_id
from app.accounts.vault import SecretKind, careful, open_collection
from tests.secret_service import PATIENCE, DesktopVault, keyring_daemon, message_bus, on_bus


@pytest.fixture
def use_bus(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Leads keyring to the Secret Service at an address."""

    def use(address: str) -> None:
        from keyring.backends import SecretService  # noqa: PLC0415 - loads slowly

        backend = SecretService.Keyring()  # type: ignore[no-untyped-call]  # theirs
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        # A test that asks keyring itself is one more client of the daemon: as careful as ours.
        monkeypatch.setattr("keyring.core._keyring_backend", careful(backend))

    return use


@pytest.fixture
def secret_service(
    vault_address: str, desktop_vault: DesktopVault, use_bus: Callable[[str], None]
) -> Iterator[str]:
    """keyring leads to a real, unlocked Secret Service; gives the address of its bus."""
    use_bus(vault_address)
    yield vault_address
    desktop_vault.expect_open()


@pytest.fixture
def own_bus(tmp_path: Path, use_bus: Callable[[str], None]) -> Iterator[str]:
    """keyring leads to a bus of this test alone; gives its address."""
    with message_bus(tmp_path) as address:
        use_bus(address)
        yield address


@pytest.fixture
def own_daemon(tmp_path: Path, own_bus: str) -> Iterator[subprocess.Popen[bytes]]:
    """A real Secret Service of this test alone."""
    with keyring_daemon(tmp_path, own_bus) as daemon:
        yield daemon


@pytest.fixture
def locked_service(own_daemon: object) -> None:  # noqa: ARG001 - it is locked
    """keyring leads to a real Secret Service that is locked and that nobody unlocks."""
    collection = open_collection()
    with closing(collection.connection):
        collection.lock()


@pytest.fixture
def silent_bus(tmp_path: Path) -> Iterator[str]:
    """The address of a bus where a Secret Service is present and never answers."""
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
        # A call that nobody waits for any more may still put something in.
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
