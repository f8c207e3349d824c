"""The vault against a real Secret Service: unlocked, locked, silent."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import keyring
import pytest

from app.accounts.vault import Vault, VaultError, vault_in_use
from app.runtime.secrets import redact

CREDENTIAL = "canary-credential-Ω-1"
PATIENT = 30.0
"""Seconds that a vault may take where nothing but the machine is slow."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.usefixtures("secret_service")
async def test_what_is_kept_is_read_by_the_next_run(account_id: str) -> None:
    assert await Vault(PATIENT).keep(account_id, CREDENTIAL) is True
    assert await Vault(PATIENT).read(account_id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_a_newer_credential_replaces_the_older(account_id: str) -> None:
    vault = Vault(PATIENT)
    await vault.keep(account_id, "older credential")
    await vault.keep(account_id, CREDENTIAL)
    assert await Vault(PATIENT).read(account_id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_what_nobody_kept_is_not_there(account_id: str) -> None:
    assert await Vault(PATIENT).read(account_id) is None


@pytest.mark.usefixtures("secret_service")
async def test_what_is_forgotten_is_gone(account_id: str) -> None:
    vault = Vault(PATIENT)
    await vault.keep(account_id, CREDENTIAL)
    assert await vault.forget(account_id) is True
    assert await vault.read(account_id) is None
    assert keyring.get_password("Front Desk", account_id) is None


@pytest.mark.usefixtures("secret_service")
async def test_forgetting_what_was_never_there_is_sure(account_id: str) -> None:
    assert await Vault(PATIENT).forget(account_id) is True


@pytest.mark.usefixtures("secret_service")
async def test_two_accounts_do_not_mix(account_id: str) -> None:
    vault, other = Vault(PATIENT), f"{account_id}-other"
    await vault.keep(account_id, CREDENTIAL)
    await vault.keep(other, "another credential")
    assert await vault.forget(other) is True
    assert await Vault(PATIENT).read(account_id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_a_credential_is_hidden_from_then_on(account_id: str) -> None:
    await Vault(PATIENT).keep(account_id, "canary-kept")
    keyring.set_password("Front Desk", account_id, "canary-read")
    await Vault(PATIENT).read(account_id)
    assert "canary" not in redact("kept canary-kept, read canary-read")


@pytest.mark.usefixtures("secret_service")
async def test_a_keep_that_is_cancelled_leaves_nothing_behind(account_id: str) -> None:
    vault = Vault(PATIENT)
    keeping = asyncio.create_task(vault.keep(account_id, CREDENTIAL))
    await asyncio.sleep(0)
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping
    assert await vault.read(account_id) is None


@pytest.mark.usefixtures("secret_service")
def test_the_vault_in_use_is_told_by_name() -> None:
    report = vault_in_use()
    assert (report.name, report.real, report.problem) == ("Secret Service", True, "")


@pytest.mark.usefixtures("locked_service")
async def test_a_locked_vault_is_not_taken_for_an_empty_one(account_id: str) -> None:
    with pytest.raises(VaultError, match="locked") as refused:
        await Vault(PATIENT).read(account_id)
    assert refused.value.details == "KeyringLocked"


@pytest.mark.usefixtures("locked_service")
async def test_what_a_locked_vault_refuses_is_kept_for_this_run(account_id: str) -> None:
    vault = Vault(PATIENT)
    with pytest.raises(VaultError, match="locked, so this sign-in lasts"):
        await vault.keep(account_id, CREDENTIAL)
    assert await vault.read(account_id) == CREDENTIAL


@pytest.mark.usefixtures("locked_service")
async def test_nobody_is_sure_what_a_locked_vault_has_forgotten(account_id: str) -> None:
    assert await Vault(PATIENT).forget(account_id) is False


@pytest.mark.usefixtures("silent_service")
async def test_a_vault_that_does_not_answer_ends_in_a_sentence(account_id: str) -> None:
    vault = Vault(deadline=0.1)
    with pytest.raises(VaultError, match="does not answer"):
        await vault.read(account_id)
    with pytest.raises(VaultError, match="does not answer, so this sign-in lasts"):
        await vault.keep(account_id, CREDENTIAL)
    assert await vault.read(account_id) == CREDENTIAL
    assert await vault.forget(account_id) is False
    with pytest.raises(VaultError):
        await vault.read(account_id)


ASK = """
import asyncio, sys
from app.accounts.vault import Vault, VaultError, vault_in_use

async def ask() -> None:
    vault = Vault(float(sys.argv[1]))
    try:
        print(await vault.read("of nobody"))
    except VaultError as error:
        print(error.message)
    print(await vault.forget("of nobody"))

print(vault_in_use(30.0))
asyncio.run(ask())
print("ended")
"""


def ask_in_a_process_of_its_own(deadline: float = PATIENT, **variables: str) -> list[str]:
    """What a fresh interpreter that uses the vault prints until it has ended by itself."""
    hidden = ("DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND", "XDG_RUNTIME_DIR")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(deadline)],
        env=kept | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_vault_that_hangs_does_not_keep_the_program_alive(silent_bus: str) -> None:
    report, answer, forgotten, end = ask_in_a_process_of_its_own(
        deadline=0.2, DBUS_SESSION_BUS_ADDRESS=silent_bus
    )
    assert "real=True" in report
    assert answer.startswith("The vault of this computer does not answer.")
    assert (forgotten, end) == ("False", "ended")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have their own")
def test_without_a_message_bus_there_is_no_vault() -> None:
    report, answer, forgotten, end = ask_in_a_process_of_its_own()
    assert "real=False" in report
    assert "has no vault" in report
    assert (answer, forgotten, end) == ("None", "False", "ended")


def test_the_vault_is_found_by_keyring_itself(vault_address: str) -> None:
    report, answer, forgotten, _ = ask_in_a_process_of_its_own(
        DBUS_SESSION_BUS_ADDRESS=vault_address
    )
    assert "name='Secret Service', real=True" in report
    assert (answer, forgotten) == ("None", "True")


@pytest.mark.parametrize(
    "setting",
    ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring", "no.such.backend.Keyring"],
)
def test_a_backend_chosen_by_setting_has_to_be_real(setting: str) -> None:
    report, answer, forgotten, _ = ask_in_a_process_of_its_own(PYTHON_KEYRING_BACKEND=setting)
    assert "real=False" in report
    assert "has no vault" in report
    assert (answer, forgotten) == ("None", "False")


def test_a_vault_that_went_away_ends_in_a_sentence(
    account_id: str, tmp_path: Path, use_bus: Callable[[str], None]
) -> None:
    use_bus(f"unix:path={tmp_path}/no-bus-here")
    with pytest.raises(VaultError, match="could not be read"):
        asyncio.run(Vault(PATIENT).read(account_id))


def test_the_room_loads_neither_keyring_nor_the_network() -> None:
    names = [path.stem for path in (ROOT / "app" / "accounts").glob("[a-z]*.py")]
    program = (
        f"import sys, {', '.join(f'app.accounts.{name}' for name in names)}; "
        "print(*({'keyring', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "vault" in names
    assert done.stdout.split() == []
