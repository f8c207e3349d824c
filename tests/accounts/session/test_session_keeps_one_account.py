"""Signing in and out, coming back, running out of time, losing the line."""

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.session import LineChanged, SessionChanged, SessionState
from app.api.errors import (
    ApiError,
    NotAuthorised,
    NotPermitted,
    ServiceFault,
    TokenExpired,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
)
from app.runtime.secrets import redact
from tests.accounts.kept import kept_secret

if TYPE_CHECKING:
    from tests.accounts.session.conftest import Desk

pytestmark = pytest.mark.usefixtures("secret_service")

CREDENTIAL = "canary-token-of-the-session"
IN, OUT, EXPIRED = SessionState.SIGNED_IN, SessionState.SIGNED_OUT, SessionState.EXPIRED


def an_error(kind: type[ApiError]) -> ApiError:
    return kind("A title", "A sentence.")


async def test_a_new_computer_is_signed_out(desk: "Desk") -> None:
    await desk.session.restore()
    assert desk.session.state is OUT
    assert desk.session.account is None
    assert desk.session.service is None
    assert desk.session.seconds_left(desk.clock()) is None
    assert desk.heard == [SessionChanged(OUT, None)]


async def test_signing_in_asks_the_service_once_and_keeps_the_credential(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    assert desk.session.state is IN
    assert desk.session.account == account
    assert desk.session.service is desk.connections.last
    assert desk.connections.last.checks == 1
    assert desk.session.last_heard == desk.clock()
    assert (desk.session.this_run_only, desk.session.notice) == (False, "")
    assert desk.heard == [SessionChanged(IN, account)]
    assert desk.registry.last_used() == account
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


async def test_the_credential_is_hidden_in_every_text(desk: "Desk", account: Account) -> None:
    desk.connections.error = an_error(NotAuthorised)
    with pytest.raises(NotAuthorised):
        await desk.session.sign_in(account, "canary-refused")
    assert "canary" not in redact("it was canary-refused")


async def test_the_next_start_is_signed_in_without_asking_anybody(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    later = desk.again()
    await later.session.restore()
    assert later.session.state is IN
    assert later.session.account == account
    assert later.session.service is later.connections.last
    assert later.connections.last.credential == CREDENTIAL
    assert later.connections.last.checks == 0
    assert later.session.online
    assert later.session.last_heard is None
    assert later.heard == [SessionChanged(IN, account)]


async def test_a_key_is_come_back_to_and_has_no_end(desk: "Desk", account: Account) -> None:
    keyed = msgspec.structs.replace(account, auth_method=AuthMethod.KEY, expires_at=None)
    await desk.session.sign_in(keyed, CREDENTIAL)
    later = desk.again()
    await later.session.restore()
    later.clock.pass_by(days=4000)
    assert later.session.state is IN
    assert later.session.seconds_left(later.clock()) is None


@pytest.mark.parametrize("kind", [NotAuthorised, Unreachable])
async def test_a_refused_sign_in_leaves_everything_as_it_was(
    desk: "Desk", account: Account, kind: type[ApiError]
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    first, heard = desk.connections.last, list(desk.heard)
    desk.connections.error = an_error(kind)
    with pytest.raises(kind):
        await desk.session.sign_in(account, "another credential")
    assert desk.session.state is IN
    assert desk.session.online
    assert desk.session.service is first
    assert (first.closed, desk.connections.last.closed) == (0, 1)
    assert desk.heard == heard
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


async def test_signing_out_deletes_and_the_next_start_does_not_come_back(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    assert await desk.session.sign_out() is True
    assert desk.session.state is OUT
    assert desk.session.account is None
    assert desk.session.service is None
    assert desk.connections.last.closed == 1
    assert desk.heard[-1] == SessionChanged(OUT, None)
    later = desk.again()
    assert await kept_secret(later.vault, account.id) is None
    await later.session.restore()
    assert later.session.state is OUT


async def test_an_account_signed_out_of_is_still_offered(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    await desk.session.sign_out()
    (known,) = desk.again().registry.accounts()
    assert (known.id, known.name, known.base_url) == (account.id, account.name, account.base_url)
    assert (known.expires_at, known.in_vault) == (None, False)
    await desk.session.sign_in(account, CREDENTIAL)
    assert desk.session.state is IN


async def test_signing_out_of_nothing_is_sure(desk: "Desk") -> None:
    assert await desk.session.sign_out() is True


async def test_time_running_out_is_noticed_by_whoever_asks(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    desk.clock.pass_by(minutes=30)
    assert desk.session.seconds_left(desk.clock()) == pytest.approx(1800, abs=60)
    assert desk.session.state is IN
    desk.clock.pass_by(minutes=31)
    assert desk.session.seconds_left(desk.clock()) == 0
    assert desk.session.service is None
    assert desk.session.state is EXPIRED
    assert desk.session.account == account
    assert desk.heard == [SessionChanged(IN, account), SessionChanged(EXPIRED, account)]


async def test_an_expired_sign_in_is_not_tried_at_the_next_start(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    later = desk.again()
    later.clock.pass_by(hours=2)
    await later.session.restore()
    assert later.session.state is EXPIRED
    assert later.session.account == account
    assert later.connections.made == []


async def test_a_credential_that_is_gone_asks_to_sign_in_again(
    desk: "Desk", account: Account
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    await desk.vault.forget(account.id)
    later = desk.again()
    await later.session.restore()
    assert (later.session.state, later.session.notice) == (EXPIRED, "")
    assert later.session.account == account


@pytest.mark.parametrize("kind", [NotAuthorised, TokenExpired])
async def test_a_credential_refused_later_asks_again_and_is_not_deleted(
    desk: "Desk", account: Account, kind: type[ApiError]
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    desk.connections.last.told(an_error(kind))
    desk.connections.last.told(an_error(kind))
    assert desk.session.state is EXPIRED
    assert desk.session.account == account
    assert desk.session.service is None
    assert desk.heard[1:] == [SessionChanged(EXPIRED, account)]
    assert await kept_secret(desk.vault, account.id) == CREDENTIAL


async def test_signing_in_again_resumes_the_same_account(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    before = desk.connections.last
    before.told(an_error(TokenExpired))
    renewed = msgspec.structs.replace(account, expires_at=desk.clock() + timedelta(hours=9))
    await desk.session.sign_in(renewed, "another credential")
    assert (desk.session.state, desk.session.account) == (IN, renewed)
    assert before.closed == 1
    later = desk.again()
    later.clock.pass_by(hours=8)
    await later.session.restore()
    assert later.connections.last.credential == "another credential"


async def test_another_error_does_not_sign_anybody_out(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    for kind in (NotPermitted, ServiceFault, Unreachable, TooSlow):
        desk.connections.last.told(an_error(kind))
    assert desk.session.state is IN


@pytest.mark.parametrize("kind", [Unreachable, TooSlow, UnreadableAnswer])
async def test_a_lost_line_is_told_once_and_again_when_it_is_back(
    desk: "Desk", account: Account, kind: type[ApiError]
) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    heard_at = desk.clock()
    desk.clock.pass_by(minutes=5)
    desk.connections.last.told(an_error(kind))
    desk.connections.last.told(an_error(kind))
    lost = (desk.session.online, desk.session.last_heard)
    desk.connections.last.told(None)
    desk.connections.last.told(None)
    back = (desk.session.online, desk.session.last_heard)
    assert (lost, back) == ((False, heard_at), (True, desk.clock()))
    assert desk.heard[1:] == [LineChanged(False, heard_at), LineChanged(True, desk.clock())]


async def test_nobody_is_offline_once_signed_out(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    desk.connections.last.told(an_error(Unreachable))
    await desk.session.sign_out()
    assert desk.session.online
    assert desk.heard[-2:] == [LineChanged(True, None), SessionChanged(OUT, None)]


async def test_a_service_that_refuses_is_there(desk: "Desk", account: Account) -> None:
    await desk.session.sign_in(account, CREDENTIAL)
    desk.connections.last.told(an_error(Unreachable))
    desk.connections.last.told(an_error(ServiceFault))
    assert desk.session.online


async def test_the_demo_account_is_never_kept(desk: "Desk", account: Account) -> None:
    demo = msgspec.structs.replace(account, auth_method=AuthMethod.DEMO, expires_at=None)
    await desk.session.sign_in(demo, CREDENTIAL)
    assert desk.session.state is IN
    assert (desk.session.this_run_only, desk.session.notice) == (False, "")
    assert desk.registry.accounts() == ()
    assert await kept_secret(desk.again().vault, demo.id) is None
    assert await desk.session.sign_out() is True
    assert not desk.folder.exists()


async def test_a_key_given_for_this_run_is_not_kept(desk: "Desk", account: Account) -> None:
    given = msgspec.structs.replace(account, auth_method=AuthMethod.KEY, expires_at=None)
    await desk.session.sign_in(given, CREDENTIAL, remember=False)
    assert desk.session.this_run_only
    assert desk.registry.accounts() == ()
    assert await kept_secret(desk.again().vault, given.id) is None
    assert await desk.session.sign_out() is True
    assert not desk.folder.exists()


async def test_a_folder_that_cannot_be_written_is_told(desk: "Desk", account: Account) -> None:
    desk.folder.write_text("in the way")
    await desk.session.sign_in(account, CREDENTIAL)
    assert desk.session.state is IN
    assert "ask again next time" in desk.session.notice
    assert await desk.session.sign_out() is True
