"""Many calls to a real vault: no socket, no thread and no memory stays behind."""

import asyncio
import threading

import pytest

from app.accounts.vault import Vault
from tests.endurance import ROUNDS, WARM_UP, Held, tell


@pytest.mark.usefixtures("secret_service")
def test_a_call_to_the_vault_leaves_nothing_open(account_id: str) -> None:
    async def calls(rounds: int) -> None:
        vault = Vault(30.0)
        for number in range(rounds):
            await vault.keep(account_id, f"secret {number}")
            assert await vault.read(account_id) == f"secret {number}"
            assert await vault.forget(account_id)

    def ended() -> Held:
        for thread in threading.enumerate():
            if thread.name == "vault":
                thread.join(5)
        return Held.now()

    asyncio.run(calls(WARM_UP))
    before = ended()
    asyncio.run(calls(ROUNDS // 2))
    half_way = ended()
    asyncio.run(calls(ROUNDS - ROUNDS // 2))
    tell("vault: keep, read, forget", before, half_way, ended())
