"""Signing in and out, coming back, running out of time, losing the line."""

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.session import ConnectionChanged, SessionChanged, SessionState
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
    from tests.accounts.session.conftest import SessionFixture

pytestmark = pytest.mark.usefixtures("secret_service")

CREDENTIAL = "canary-token-of-the-session"
IN, OUT, EXPIRED = SessionState.SIGNED_IN, SessionState.SIGNED_OUT, SessionState.EXPIRED


def an_error(kind: type[ApiError]) -> ApiError:
    return kind("A title", "A sentence.")


async def test_a_new_computer_is_signed_out(subject: "SessionFixture") -> None:
    await subject.session.restore()
    assert subject.session.state is OUT
    assert subject.session.account is None
    assert subject.session.service is None
    assert subject.heard == [SessionChanged(OUT, None)]


async def test_signing_in_asks_the_service_once_and_keeps_the_credential(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    assert subject.session.state is IN
    assert subject.session.account == account
    assert subject.session.service is subject.connections.last
    assert subject.connections.last.checks == 1
    assert subject.session.last_heard == subject.clock()
    assert not subject.session.notice
    assert subject.heard == [SessionChanged(IN, account)]
    assert subject.registry.last_used() == account
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


async def test_the_credential_is_hidden_in_every_text(
    subject: "SessionFixture", account: Account
) -> None:
    subject.connections.error = an_error(NotAuthorised)
    with pytest.raises(NotAuthorised):
        await subject.session.sign_in(account, "canary-refused")
    assert "canary" not in redact("it was canary-refused")


async def test_the_next_start_is_signed_in_without_asking_anybody(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    later = subject.again()
    await later.session.restore()
    assert later.session.state is IN
    assert later.session.account == account
    assert later.session.service is later.connections.last
    assert later.connections.last.credential == CREDENTIAL
    assert later.connections.last.checks == 0
    assert later.session.online
    assert later.session.last_heard is None
    assert later.heard == [
        SessionChanged(SessionState.RETURNING, account),
        SessionChanged(IN, account),
    ]


async def test_a_key_is_come_back_to_and_has_no_end(
    subject: "SessionFixture", account: Account
) -> None:
    keyed = msgspec.structs.replace(account, auth_method=AuthMethod.KEY, expires_at=None)
    await subject.session.sign_in(keyed, CREDENTIAL)
    later = subject.again()
    await later.session.restore()
    later.clock.pass_by(days=4000)
    assert later.session.state is IN


@pytest.mark.parametrize("kind", [NotAuthorised, Unreachable])
async def test_a_refused_sign_in_leaves_everything_as_it_was(
    subject: "SessionFixture", account: Account, kind: type[ApiError]
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    first, heard = subject.connections.last, list(subject.heard)
    subject.connections.error = an_error(kind)
    with pytest.raises(kind):
        await subject.session.sign_in(account, "another credential")
    assert subject.session.state is IN
    assert subject.session.online
    assert subject.session.service is first
    assert (first.closed, subject.connections.last.closed) == (0, 1)
    assert subject.heard == heard
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


async def test_signing_out_deletes_and_the_next_start_does_not_come_back(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    assert await subject.session.sign_out() is True
    assert subject.session.state is OUT
    assert subject.session.account is None
    assert subject.session.service is None
    assert subject.connections.last.closed == 1
    assert subject.heard[-1] == SessionChanged(OUT, None)
    later = subject.again()
    assert await kept_secret(later.vault, account.id) is None
    await later.session.restore()
    assert later.session.state is OUT


async def test_an_account_signed_out_of_is_still_offered(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    await subject.session.sign_out()
    (known,) = subject.again().registry.accounts()
    assert (known.id, known.name, known.base_url) == (account.id, account.name, account.base_url)
    assert (known.expires_at, known.in_vault) == (None, False)
    await subject.session.sign_in(account, CREDENTIAL)
    assert subject.session.state is IN


async def test_signing_out_of_nothing_is_sure(subject: "SessionFixture") -> None:
    assert await subject.session.sign_out() is True


async def test_time_running_out_is_noticed_by_whoever_asks(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    subject.clock.pass_by(minutes=30)
    assert subject.session.state is IN
    subject.clock.pass_by(minutes=31)
    assert subject.session.service is None
    assert subject.session.state is EXPIRED
    assert subject.session.account == account
    assert subject.heard == [SessionChanged(IN, account), SessionChanged(EXPIRED, account)]


async def test_an_expired_sign_in_is_not_tried_at_the_next_start(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    later = subject.again()
    later.clock.pass_by(hours=2)
    await later.session.restore()
    assert later.session.state is EXPIRED
    assert later.session.account == account
    assert later.connections.made == []


async def test_a_credential_that_is_gone_asks_to_sign_in_again(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    await subject.vault.forget(account.id)
    later = subject.again()
    await later.session.restore()
    assert (later.session.state, later.session.notice) == (EXPIRED, "")
    assert later.session.account == account


@pytest.mark.parametrize("kind", [NotAuthorised, TokenExpired])
async def test_a_credential_refused_later_asks_again_and_is_not_deleted(
    subject: "SessionFixture", account: Account, kind: type[ApiError]
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    subject.connections.last.told(an_error(kind))
    subject.connections.last.told(an_error(kind))
    assert subject.session.state is EXPIRED
    assert subject.session.account == account
    assert subject.session.service is None
    assert subject.heard[1:] == [SessionChanged(EXPIRED, account)]
    assert await kept_secret(subject.vault, account.id) == CREDENTIAL


async def test_signing_in_again_resumes_the_same_account(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    before = subject.connections.last
    before.told(an_error(TokenExpired))
    renewed = msgspec.structs.replace(account, expires_at=subject.clock() + timedelta(hours=9))
    await subject.session.sign_in(renewed, "another credential")
    assert (subject.session.state, subject.session.account) == (IN, renewed)
    assert before.closed == 1
    later = subject.again()
    later.clock.pass_by(hours=8)
    await later.session.restore()
    assert later.connections.last.credential == "another credential"


async def test_another_error_does_not_sign_anybody_out(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    for kind in (NotPermitted, ServiceFault, Unreachable, TooSlow):
        subject.connections.last.told(an_error(kind))
    assert subject.session.state is IN


@pytest.mark.parametrize("kind", [Unreachable, TooSlow, UnreadableAnswer])
async def test_a_lost_line_is_told_once_and_again_when_it_is_back(
    subject: "SessionFixture", account: Account, kind: type[ApiError]
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    heard_at = subject.clock()
    subject.clock.pass_by(minutes=5)
    subject.connections.last.told(an_error(kind))
    subject.connections.last.told(an_error(kind))
    lost = (subject.session.online, subject.session.last_heard)
    subject.connections.last.told(None)
    subject.connections.last.told(None)
    back = (subject.session.online, subject.session.last_heard)
    assert (lost, back) == ((False, heard_at), (True, subject.clock()))
    assert subject.heard[1:] == [ConnectionChanged(False), ConnectionChanged(True)]


async def test_nobody_is_offline_once_signed_out(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    subject.connections.last.told(an_error(Unreachable))
    await subject.session.sign_out()
    assert subject.session.online
    assert subject.heard[-2:] == [ConnectionChanged(True), SessionChanged(OUT, None)]


async def test_a_service_that_refuses_is_there(subject: "SessionFixture", account: Account) -> None:
    await subject.session.sign_in(account, CREDENTIAL)
    subject.connections.last.told(an_error(Unreachable))
    subject.connections.last.told(an_error(ServiceFault))
    assert subject.session.online


async def test_the_demo_account_is_never_kept(subject: "SessionFixture", account: Account) -> None:
    demo = msgspec.structs.replace(account, auth_method=AuthMethod.DEMO, expires_at=None)
    await subject.session.sign_in(demo, CREDENTIAL)
    assert subject.session.state is IN
    assert not subject.session.notice
    assert subject.registry.accounts() == ()
    assert await kept_secret(subject.again().vault, demo.id) is None
    assert await subject.session.sign_out() is True
    assert not subject.folder.exists()


async def test_a_key_given_for_this_run_is_not_kept(
    subject: "SessionFixture", account: Account
) -> None:
    given = msgspec.structs.replace(account, auth_method=AuthMethod.KEY, expires_at=None)
    await subject.session.sign_in(given, CREDENTIAL, remember=False)
    assert subject.registry.accounts() == ()
    assert await kept_secret(subject.again().vault, given.id) is None
    assert await subject.session.sign_out() is True
    assert not subject.folder.exists()


async def test_a_folder_that_cannot_be_written_is_told(
    subject: "SessionFixture", account: Account
) -> None:
    subject.folder.write_text("in the way")
    await subject.session.sign_in(account, CREDENTIAL)
    assert subject.session.state is IN
    assert "ask again next time" in subject.session.notice
    assert await subject.session.sign_out() is True
