"""Several things asked of a session at once, and a vault that does not do its part."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from app.accounts.account import Account, new_account_id
from app.accounts.latest_only import SupersededError
from app.accounts.session import SessionChanged, SessionState
from app.api.errors import NotAuthorised, Unreachable
from app.model.errors import ExpectedError
from tests.accounts.kept import kept_secret

if TYPE_CHECKING:
    from tests.accounts.session.conftest import AService, Desk

CREDENTIAL = "canary-token-of-the-session"
IN, OUT, EXPIRED = SessionState.SIGNED_IN, SessionState.SIGNED_OUT, SessionState.EXPIRED


async def begun(desk: "Desk", account: Account, credential: str) -> "tuple[Any, AService]":
    """A sign-in under way that waits for the service's answer, and that service."""
    desk.connections.waits = True
    task = asyncio.create_task(desk.session.sign_in(account, credential))
    await asyncio.sleep(0)
    assert desk.connections.last.checks == 1
    desk.connections.waits = False
    return task, desk.connections.last


def another(account: Account) -> Account:
    return msgspec.structs.replace(account, id=new_account_id(), name="Another")


@pytest.mark.usefixtures("secret_service")
async def test_a_second_sign_in_replaces_the_first(desk: "Desk", account: Account) -> None:
    first, service = await begun(desk, account, "first credential")
    await desk.session.sign_in(account, CREDENTIAL)
    with pytest.raises(SupersededError):
        await first
    assert service.closed == 1
    assert desk.session.service is desk.connections.last
    assert desk.heard == [SessionChanged(IN, account)]
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_an_answer_to_the_first_sign_in_is_no_longer_heard(
    desk: "Desk", account: Account
) -> None:
    first, service = await begun(desk, account, "first credential")
    assert service.answer is not None
    service.answer.set_result(None)
    second = asyncio.create_task(desk.session.sign_in(account, CREDENTIAL))
    await second
    with pytest.raises(SupersededError):
        await first
    assert desk.session.service is desk.connections.last
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_signing_out_ends_a_sign_in_under_way(desk: "Desk", account: Account) -> None:
    signing_in, service = await begun(desk, account, CREDENTIAL)
    assert await desk.session.sign_out() is True
    with pytest.raises(SupersededError):
        await signing_in
    assert service.closed == 1
    assert (desk.session.state, desk.registry.accounts()) == (OUT, ())
    assert await kept_secret(desk.vault, account.id) is None


@pytest.mark.usefixtures("secret_service")
async def test_closing_ends_a_sign_in_under_way(desk: "Desk", account: Account) -> None:
    signing_in, service = await begun(desk, account, CREDENTIAL)
    await desk.session.close()
    with pytest.raises(SupersededError):
        await signing_in
    assert service.closed == 1
    assert desk.session.service is None
    assert desk.heard == []
    with pytest.raises(SupersededError):
        await desk.session.sign_in(account, CREDENTIAL)
    await desk.session.restore()
    assert desk.heard == []


@pytest.mark.usefixtures("secret_service")
async def test_a_cancelled_sign_in_stays_cancelled(desk: "Desk", account: Account) -> None:
    signing_in, service = await begun(desk, account, CREDENTIAL)
    signing_in.cancel()
    with pytest.raises(asyncio.CancelledError):
        await signing_in
    assert (service.closed, desk.session.state) == (1, OUT)


@pytest.mark.usefixtures("secret_service")
async def test_a_task_goes_on_after_its_sign_in_was_replaced(
    desk: "Desk", account: Account
) -> None:
    async def try_once_more() -> str:
        try:
            await desk.session.sign_in(account, "first credential")
        except SupersededError:
            async with asyncio.timeout(20):
                await asyncio.sleep(0)
            return "went on"
        return "signed in"

    desk.connections.waits = True
    task = asyncio.create_task(try_once_more())
    await asyncio.sleep(0)
    assert desk.connections.last.checks == 1
    await desk.session.sign_out()
    assert await task == "went on"
    assert task.cancelling() == 0


@pytest.mark.usefixtures("secret_service")
async def test_closing_closes_the_service_and_tells_nobody(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    heard = list(desk.heard)
    await desk.session.close()
    desk.connections.last.told(Unreachable("A title", "A sentence."))
    assert desk.connections.last.closed == 1
    assert desk.heard == heard
    assert desk.session.online
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
@pytest.mark.parametrize("then", ["signed out", "signed in anew"])
async def test_what_an_older_service_tells_changes_nothing(
    desk: "Desk", account: Account, then: str
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    older = desk.connections.last
    await desk.session.sign_out()
    if then == "signed in anew":
        await desk.session.sign_in(account, "another credential")
    state, heard, last_heard = desk.session.state, list(desk.heard), desk.session.last_heard
    desk.clock.pass_by(minutes=1)
    for outcome in (None, NotAuthorised("A title", "."), Unreachable("A title", ".")):
        older.told(outcome)
    assert (desk.session.state, desk.heard, desk.session.online) == (state, heard, True)
    assert desk.session.last_heard == last_heard


@pytest.mark.usefixtures("secret_service")
async def test_signing_in_again_while_signing_out_keeps_the_newer(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    out = asyncio.create_task(desk.session.sign_out())
    await asyncio.sleep(0)
    assert desk.session.state is OUT
    await desk.session.sign_in(account, "newer credential")
    await out
    later = desk.again()
    await later.session.restore()
    assert later.session.state is IN
    assert later.connections.last.credential == "newer credential"


@pytest.mark.usefixtures("secret_service")
async def test_a_sign_in_overtakes_a_restore(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    later, newer = desk.again(), another(account)
    restoring = asyncio.create_task(later.session.restore())
    await asyncio.sleep(0)
    await later.session.sign_in(newer, "newer credential", remember=False)
    await restoring
    assert later.session.account is not None
    assert later.session.account.id == newer.id
    assert [event.state for event in later.heard if isinstance(event, SessionChanged)] == [IN]
    assert sum(service.closed == 0 for service in later.connections.made) == 1


@pytest.mark.usefixtures("secret_service")
async def test_restoring_twice_makes_one_service(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    later = desk.again()
    await asyncio.gather(later.session.restore(), later.session.restore())
    await later.session.restore()
    assert sum(service.closed == 0 for service in later.connections.made) == 1
    assert later.heard == [SessionChanged(IN, account)]


@pytest.mark.usefixtures("secret_service")
async def test_an_account_that_cannot_be_connected_to_is_told(
    desk: "Desk", account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    later = desk.again()

    def refuse(*_: object) -> None:
        raise ExpectedError("The address", "This address cannot be used.")

    monkeypatch.setattr(later.session, "_connect", refuse)
    await later.session.restore()
    assert (later.session.state, later.session.notice) == (EXPIRED, "This address cannot be used.")


@pytest.mark.usefixtures("silent_service")
async def test_a_silent_vault_lets_somebody_in_for_this_run(
    hasty_desk: "Desk", account: Account
) -> None:
    session = hasty_desk.session
    await session.sign_in(msgspec.structs.replace(account, in_vault=False), CREDENTIAL)
    assert (session.state, session.this_run_only) == (IN, True)
    assert "does not answer, so this sign-in lasts" in session.notice
    assert await session.sign_out() is False
    assert hasty_desk.again().registry.last_used() is None


@pytest.mark.usefixtures("silent_service")
async def test_a_vault_that_never_had_the_credential_is_not_asked(
    hasty_desk: "Desk", account: Account
) -> None:
    hasty_desk.registry.keep(msgspec.structs.replace(account, in_vault=False))
    await hasty_desk.session.restore()
    assert (hasty_desk.session.state, hasty_desk.session.notice) == (EXPIRED, "")


@pytest.mark.usefixtures("silent_service")
async def test_a_silent_vault_ends_a_restore_with_a_sentence(
    hasty_desk: "Desk", account: Account
) -> None:
    hasty_desk.registry.keep(account)
    await hasty_desk.session.restore()
    assert (hasty_desk.session.state, hasty_desk.session.account) == (EXPIRED, account)
    assert "does not answer" in hasty_desk.session.notice


@pytest.mark.usefixtures("locked_service")
async def test_a_locked_vault_ends_a_restore_with_a_sentence(
    desk: "Desk", account: Account
) -> None:
    desk.registry.keep(account)
    await desk.session.restore()
    assert (desk.session.state, desk.session.account) == (EXPIRED, account)
    assert "is locked" in desk.session.notice
    await desk.session.sign_in(account, CREDENTIAL)
    assert desk.session.this_run_only
    assert "is locked, so this sign-in lasts" in desk.session.notice
    assert await desk.session.sign_out() is False


@pytest.mark.usefixtures("no_vault")
async def test_without_a_vault_the_sign_in_lasts_for_this_run(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    assert desk.session.this_run_only
    assert "no vault" in desk.session.notice
    later = desk.again()
    await later.session.restore()
    assert (later.session.state, later.session.account) == (EXPIRED, desk.session.account)
    assert await desk.session.sign_out() is True


@pytest.mark.usefixtures("no_vault")
async def test_an_older_credential_in_a_vault_out_of_reach_is_not_called_gone(
    desk: "Desk", account: Account
) -> None:
    desk.registry.keep(account)
    await desk.session.sign_in(account, CREDENTIAL)
    assert await desk.session.sign_out() is False
