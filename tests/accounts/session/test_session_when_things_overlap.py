"""Several things asked of a session at once, and a vault that does not do its part."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from app.accounts.account import Account, new_account_id
from app.accounts.session import SessionChanged, SessionState, SupersededError
from app.api.errors import NotAuthorised, Unreachable
from app.model.errors import ExpectedError
from tests.accounts.kept import kept_secret

if TYPE_CHECKING:
    from tests.accounts.session.conftest import AService, SessionFixture

CREDENTIAL = "canary-token-of-the-session"
IN, OUT, EXPIRED = SessionState.SIGNED_IN, SessionState.SIGNED_OUT, SessionState.EXPIRED


async def begun(
    subject: "SessionFixture", account: Account, credential: str
) -> "tuple[Any, AService]":
    """A sign-in under way that waits for the service's answer, and that service."""
    subject.connections.waits = True
    task = asyncio.create_task(subject.session.sign_in(account, credential))
    await asyncio.sleep(0)
    assert subject.connections.last.checks == 1
    subject.connections.waits = False
    return task, subject.connections.last


def another(account: Account) -> Account:
    return msgspec.structs.replace(account, id=new_account_id(), name="Another")


@pytest.mark.usefixtures("secret_service")
async def test_a_second_sign_in_replaces_the_first(
    subject: "SessionFixture", account: Account
) -> None:
    first, service = await begun(subject, account, "first credential")
    await subject.session.sign_in(account, CREDENTIAL)
    with pytest.raises(SupersededError):
        await first
    assert service.closed == 1
    assert subject.session.service is subject.connections.last
    assert subject.heard == [SessionChanged(IN, account)]
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_an_answer_to_the_first_sign_in_is_no_longer_heard(
    subject: "SessionFixture", account: Account
) -> None:
    first, service = await begun(subject, account, "first credential")
    assert service.answer is not None
    service.answer.set_result(None)
    second = asyncio.create_task(subject.session.sign_in(account, CREDENTIAL))
    await second
    with pytest.raises(SupersededError):
        await first
    assert subject.session.service is subject.connections.last
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
async def test_signing_out_ends_a_sign_in_under_way(
    subject: "SessionFixture", account: Account
) -> None:
    signing_in, service = await begun(subject, account, CREDENTIAL)
    assert await subject.session.sign_out() is True
    with pytest.raises(SupersededError):
        await signing_in
    assert service.closed == 1
    assert (subject.session.state, subject.registry.accounts()) == (OUT, ())
    assert await kept_secret(subject.vault, account.id) is None


@pytest.mark.usefixtures("secret_service")
async def test_closing_ends_a_sign_in_under_way(
    subject: "SessionFixture", account: Account
) -> None:
    signing_in, service = await begun(subject, account, CREDENTIAL)
    await subject.session.close()
    with pytest.raises(SupersededError):
        await signing_in
    assert service.closed == 1
    assert subject.session.service is None
    assert subject.heard == []
    with pytest.raises(SupersededError):
        await subject.session.sign_in(account, CREDENTIAL)
    await subject.session.restore()
    assert subject.heard == []


@pytest.mark.usefixtures("secret_service")
async def test_a_cancelled_sign_in_stays_cancelled(
    subject: "SessionFixture", account: Account
) -> None:
    signing_in, service = await begun(subject, account, CREDENTIAL)
    signing_in.cancel()
    with pytest.raises(asyncio.CancelledError):
        await signing_in
    assert (service.closed, subject.session.state) == (1, OUT)


@pytest.mark.usefixtures("secret_service")
async def test_a_task_goes_on_after_its_sign_in_was_replaced(
    subject: "SessionFixture", account: Account
) -> None:
    async def try_once_more() -> str:
        try:
            await subject.session.sign_in(account, "first credential")
        except SupersededError:
            async with asyncio.timeout(20):
                await asyncio.sleep(0)
            return "went on"
        return "signed in"

    subject.connections.waits = True
    task = asyncio.create_task(try_once_more())
    await asyncio.sleep(0)
    assert subject.connections.last.checks == 1
    await subject.session.sign_out()
    assert await task == "went on"
    assert task.cancelling() == 0


@pytest.mark.usefixtures("secret_service")
async def test_closing_closes_the_service_and_tells_nobody(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    heard = list(subject.heard)
    await subject.session.close()
    subject.connections.last.told(Unreachable("A title", "A sentence."))
    assert subject.connections.last.closed == 1
    assert subject.heard == heard
    assert subject.session.online
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


@pytest.mark.usefixtures("secret_service")
@pytest.mark.parametrize("then", ["signed out", "signed in anew"])
async def test_what_an_older_service_tells_changes_nothing(
    subject: "SessionFixture", account: Account, then: str
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    older = subject.connections.last
    await subject.session.sign_out()
    if then == "signed in anew":
        await subject.session.sign_in(account, "another credential")
    state, heard, last_heard = (
        subject.session.state,
        list(subject.heard),
        subject.session.last_heard,
    )
    subject.clock.pass_by(minutes=1)
    for outcome in (None, NotAuthorised("A title", "."), Unreachable("A title", ".")):
        older.told(outcome)
    assert (subject.session.state, subject.heard, subject.session.online) == (state, heard, True)
    assert subject.session.last_heard == last_heard


@pytest.mark.usefixtures("secret_service")
async def test_signing_in_again_while_signing_out_keeps_the_newer(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    out = asyncio.create_task(subject.session.sign_out())
    await asyncio.sleep(0)
    assert subject.session.state is OUT
    await subject.session.sign_in(account, "newer credential")
    await out
    later = subject.again()
    await later.session.restore()
    assert later.session.state is IN
    assert later.connections.last.credential == "newer credential"


@pytest.mark.usefixtures("secret_service")
async def test_a_sign_in_overtakes_a_restore(subject: "SessionFixture", account: Account) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    later, newer = subject.again(), another(account)
    restoring = asyncio.create_task(later.session.restore())
    await asyncio.sleep(0)
    await later.session.sign_in(newer, "newer credential", remember=False)
    await restoring
    assert later.session.account is not None
    assert later.session.account.id == newer.id
    states = [event.state for event in later.heard if isinstance(event, SessionChanged)]
    assert states == [SessionState.RETURNING, IN]
    assert sum(service.closed == 0 for service in later.connections.made) == 1


@pytest.mark.usefixtures("secret_service")
async def test_restoring_twice_makes_one_service(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    later = subject.again()
    await asyncio.gather(later.session.restore(), later.session.restore())
    await later.session.restore()
    assert sum(service.closed == 0 for service in later.connections.made) == 1
    assert later.heard == [
        SessionChanged(SessionState.RETURNING, account),
        SessionChanged(IN, account),
    ]


@pytest.mark.usefixtures("secret_service")
async def test_an_account_that_cannot_be_connected_to_is_told(
    subject: "SessionFixture", account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    later = subject.again()

    def refuse(*_: object) -> None:
        raise ExpectedError("The address", "This address cannot be used.")

    monkeypatch.setattr(later.connections, "connect", refuse)
    await later.session.restore()
    assert (later.session.state, later.session.notice) == (EXPIRED, "This address cannot be used.")


@pytest.mark.usefixtures("silent_service")
async def test_a_silent_vault_lets_somebody_in_for_this_run(
    hasty_subject: "SessionFixture", account: Account
) -> None:
    session = hasty_subject.session
    await session.sign_in(msgspec.structs.replace(account, in_vault=False), CREDENTIAL)
    assert session.state is IN
    assert "does not answer, so this sign-in lasts" in session.notice
    assert await session.sign_out() is False
    assert hasty_subject.again().registry.last_used() is None


@pytest.mark.usefixtures("silent_service")
async def test_a_vault_that_never_had_the_credential_is_not_asked(
    hasty_subject: "SessionFixture", account: Account
) -> None:
    hasty_subject.registry.keep(msgspec.structs.replace(account, in_vault=False))
    await hasty_subject.session.restore()
    assert (hasty_subject.session.state, hasty_subject.session.notice) == (EXPIRED, "")


@pytest.mark.usefixtures("silent_service")
async def test_a_silent_vault_ends_a_restore_with_a_sentence(
    hasty_subject: "SessionFixture", account: Account
) -> None:
    hasty_subject.registry.keep(account)
    await hasty_subject.session.restore()
    assert (hasty_subject.session.state, hasty_subject.session.account) == (EXPIRED, account)
    assert "does not answer" in hasty_subject.session.notice


@pytest.mark.usefixtures("locked_service")
async def test_a_locked_vault_ends_a_restore_with_a_sentence(
    subject: "SessionFixture", account: Account
) -> None:
    subject.registry.keep(account)
    await subject.session.restore()
    assert (subject.session.state, subject.session.account) == (EXPIRED, account)
    assert "is locked" in subject.session.notice
    await subject.session.sign_in(account, CREDENTIAL)
    assert "is locked, so this sign-in lasts" in subject.session.notice
    assert await subject.session.sign_out() is False


@pytest.mark.usefixtures("no_vault")
async def test_without_a_vault_the_sign_in_lasts_for_this_run(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    assert "no vault" in subject.session.notice
    later = subject.again()
    await later.session.restore()
    assert (later.session.state, later.session.account) == (EXPIRED, subject.session.account)
    assert await subject.session.sign_out() is True


@pytest.mark.usefixtures("no_vault")
async def test_an_older_credential_in_a_vault_out_of_reach_is_not_called_gone(
    subject: "SessionFixture", account: Account
) -> None:
    subject.registry.keep(account)
    await subject.session.sign_in(account, CREDENTIAL)
    assert await subject.session.sign_out() is False
