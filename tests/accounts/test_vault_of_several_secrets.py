"""An account with a client secret has three secrets: each an entry of its own, kept as one."""

import pytest

from app.accounts.vault import SIGN_IN, SecretKind, Secrets, Vault, VaultError
from app.runtime.secrets import redact

ALL: Secrets = {
    SecretKind.CREDENTIAL: "canary-access",
    SecretKind.REFRESH_TOKEN: "canary-refresh",
    SecretKind.CLIENT_SECRET: "canary-client",
}


async def kept(account_id: str) -> list[str | None]:
    """What the next run finds."""
    vault = Vault()
    return [await vault.read(account_id, part) for part in SecretKind]


def test_every_part_has_an_entry_of_its_own() -> None:
    assert SecretKind.CREDENTIAL.entry("a1") == "a1"
    assert (
        len({part.entry("a1") for part in SecretKind} | {part.entry("a2") for part in SecretKind})
        == 6
    )


@pytest.mark.usefixtures("secret_service")
async def test_all_of_them_are_read_by_the_next_run(account_id: str) -> None:
    assert await Vault().keep(account_id, ALL)
    assert await kept(account_id) == list(ALL.values())


@pytest.mark.usefixtures("secret_service")
async def test_newer_tokens_leave_the_client_secret_where_it_is(account_id: str) -> None:
    await Vault().keep(account_id, ALL)
    await Vault().keep(account_id, {SecretKind.CREDENTIAL: "newer", SecretKind.REFRESH_TOKEN: None})
    assert await kept(account_id) == ["newer", None, "canary-client"]


@pytest.mark.usefixtures("secret_service")
async def test_signing_out_takes_the_tokens_and_leaves_the_client_secret(account_id: str) -> None:
    await Vault().keep(account_id, ALL)
    assert await Vault().forget(account_id, SIGN_IN)
    assert await kept(account_id) == [None, None, "canary-client"]


@pytest.mark.usefixtures("secret_service")
async def test_forgetting_takes_all_of_them(account_id: str) -> None:
    vault = Vault()
    await vault.keep(account_id, ALL)
    assert await vault.forget(account_id)
    assert await kept(account_id) == [None, None, None]
    assert [await vault.read(account_id, part) for part in SecretKind] == [None, None, None]


@pytest.mark.usefixtures("no_vault")
async def test_without_a_vault_all_of_them_last_for_this_run(account_id: str) -> None:
    vault = Vault()
    assert not await vault.keep(account_id, ALL)
    assert [await vault.read(account_id, part) for part in SecretKind] == list(ALL.values())
    await vault.forget(account_id, SIGN_IN)
    assert [await vault.read(account_id, part) for part in SecretKind] == [
        None,
        None,
        "canary-client",
    ]


@pytest.mark.usefixtures("locked_service")
async def test_what_a_locked_vault_refuses_is_kept_for_this_run_whole(account_id: str) -> None:
    vault = Vault(deadline=2.0)
    with pytest.raises(VaultError):
        await vault.keep(account_id, ALL)
    assert [await vault.read(account_id, part) for part in SecretKind] == list(ALL.values())


@pytest.mark.usefixtures("secret_service")
async def test_each_of_them_is_hidden_from_every_log_line(account_id: str) -> None:
    await Vault().keep(
        account_id, {SecretKind.REFRESH_TOKEN: "hidden-r1", SecretKind.CLIENT_SECRET: "hidden-c1"}
    )
    assert "hidden" not in redact("hidden-r1 hidden-c1")
