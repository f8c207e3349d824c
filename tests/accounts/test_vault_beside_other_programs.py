"""The vault while other programs use the same Secret Service, and when its daemon ends."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import keyring.core
import pytest

from app.accounts.vault import Vault, VaultError
from tests.endurance import ROUNDS
from tests.secret_service import NAME, is_open, on_bus

PATIENT = 30.0
"""Seconds that a vault may take where nothing but the machine is slow."""
ROOT = Path(__file__).resolve().parents[2]


class Messages:
    """What is sent to the Secret Service, by sender: the member, the object, the arguments."""

    def __init__(self, monitor: Any, address: str) -> None:
        self._monitor = monitor
        self._address = address

    def by_sender(self) -> list[list[tuple[str, str, Any]]]:
        """All of them until now, each sender's in a list of its own."""
        # Without types, and only where keyring brings it.
        from jeepney import HeaderFields  # type: ignore[import-untyped]  # noqa: PLC0415

        found: dict[str, list[tuple[str, str, Any]]] = defaultdict(list)
        with on_bus(self._address) as (_, bus):
            bus.GetId()  # says where to stop reading
        while True:
            message = self._monitor.receive(timeout=PATIENT)
            fields = message.header.fields
            if fields.get(HeaderFields.member) == "GetId":
                return list(found.values())
            if fields.get(HeaderFields.destination) == NAME:
                said = (fields[HeaderFields.member], fields[HeaderFields.path], message.body)
                found[fields[HeaderFields.sender]].append(said)


@pytest.fixture
def messages(own_bus: str, own_daemon: object) -> Iterator[Messages]:  # noqa: ARG001 - asked
    """What this test sends to its own Secret Service."""
    from jeepney.bus_messages import Monitoring  # type: ignore[import-untyped]  # noqa: PLC0415

    with on_bus(own_bus) as (monitor, _):
        monitor.send_and_get_reply(Monitoring().BecomeMonitor(["type='method_call'"]))
        yield Messages(monitor, own_bus)


async def test_each_connection_is_known_to_the_daemon_before_it_asks(messages: Messages) -> None:
    """gnome-keyring ends where the first message needs a caller it does not know yet."""
    vault = Vault(PATIENT)
    await vault.keep("one", "secret")
    assert await vault.read("one") == "secret"
    assert await vault.forget("one") is True
    senders = messages.by_sender()
    assert senders
    for first, *later in senders:
        assert (first[0], later != []) == ("ReadAlias", True)
        assert first[2] != ("default",)
        # Where this leads is read by one thread of it while another may be writing it.
        assert not [path for _, path, _ in later if path.startswith("/org/freedesktop/secrets/al")]


USE = """
import asyncio, sys
from app.accounts.vault import Vault, _read

async def use(name: str, rounds: int) -> None:
    vault, another = Vault(60.0), Vault(60.0)
    for number in range(rounds):
        assert await vault.keep(name, str(number))
        assert await another.read(name) == str(number)
        assert await vault.forget(name)
        # What its thread does, as fast as can be.
        for _ in range(20):
            assert _read(name) is None

asyncio.run(use(sys.argv[1], int(sys.argv[2])))
"""


def test_windows_that_ask_at_the_same_time_share_one_daemon(
    own_bus: str, own_daemon: subprocess.Popen[bytes]
) -> None:
    with ExitStack() as running:
        windows = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", USE, name, str(ROUNDS)], cwd=ROOT, stderr=subprocess.PIPE
                )
            )
            for name in ("one", "two", "three")
        ]
        said = [window.communicate()[1] for window in windows]
    assert said == [b"", b"", b""]
    assert own_daemon.poll() is None
    assert is_open(own_bus)


async def test_a_daemon_that_ends_under_a_call_costs_one_sentence(
    own_daemon: subprocess.Popen[bytes], account_id: str
) -> None:
    """The next one is started by the bus and is locked; nobody here gives the password."""
    vault = Vault(PATIENT)
    await vault.keep(account_id, "secret")
    os.kill(own_daemon.pid, signal.SIGSTOP)
    reading = asyncio.create_task(vault.read(account_id))
    await asyncio.sleep(0.2)
    own_daemon.kill()
    with pytest.raises(VaultError, match="is locked"):
        await reading
    with pytest.raises(VaultError, match="locked, so this sign-in lasts"):
        await vault.keep(account_id, "a newer secret")
    assert await vault.read(account_id) == "a newer secret"


class SecretServiceNotAvailableException(Exception):
    """The daemon went away with the question, by its name in SecretStorage."""


class Unsteady:
    """A Secret Service whose daemon ends under so many calls, and is there for the next."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    def get_password(self, _service: str, _username: str) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise SecretServiceNotAvailableException
        return "secret"


@pytest.fixture
def unsteady(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Unsteady]:
    """keyring leads to a Secret Service that fails so often."""

    def use(failures: int) -> Unsteady:
        kind = type("Keyring", (Unsteady,), {"__module__": "keyring.backends.SecretService"})
        made: Unsteady = kind(failures)
        monkeypatch.setattr(keyring.core, "_keyring_backend", made)
        return made

    return use


async def test_a_daemon_that_is_there_again_is_asked_again(
    unsteady: Callable[[int], Unsteady],
) -> None:
    unsteady(1)
    assert await Vault(PATIENT).read("one") == "secret"


async def test_a_daemon_that_never_stays_is_given_up(unsteady: Callable[[int], Unsteady]) -> None:
    service = unsteady(1_000)
    with pytest.raises(VaultError, match="could not be read"):
        await Vault(PATIENT).read("one")
    assert service.calls < 10
