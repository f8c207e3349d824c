"""A sign-in with a client secret: kept whole, renewed and kept again, and signed out of whole."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.accounts.account import Account
from app.accounts.credential_store import WebSecrets, entered
from app.accounts.session import SessionChanged, SessionState
from app.accounts.vault import SecretKind, Vault
from app.api.errors import TokenExpired, Unreachable
from app.api.sign_in.oauth import TokenGrant
from app.api.sign_in.token_refresh import RefreshableAccess
from tests.accounts.kept import kept_secret

if TYPE_CHECKING:
    from tests.accounts.session.conftest import SessionFixture

IN, OUT, EXPIRED = SessionState.SIGNED_IN, SessionState.SIGNED_OUT, SessionState.EXPIRED
WEB = WebSecrets("the-client-secret", "refresh-0")
HOUR = timedelta(hours=1)
with_vault = pytest.mark.usefixtures("secret_service")


async def sign_in(subject: "SessionFixture", account: Account, web: WebSecrets = WEB) -> Account:
    grant = TokenGrant("access-0", subject.clock() + HOUR, web.refresh_token)
    account = entered(account, grant)
    await subject.session.sign_in(account, grant.access_token, web=web)
    return account


def renewable(subject: "SessionFixture") -> RefreshableAccess:
    held = subject.connections.last.access
    assert held is not None
    return held


async def kept(account: Account) -> list[str | None]:
    vault = Vault()
    return [await kept_secret(vault, account.id, part) for part in SecretKind]


@with_vault
async def test_signing_in_keeps_every_secret_and_gives_the_service_what_it_renews_with(
    subject: "SessionFixture", account: Account
) -> None:
    account = await sign_in(subject, account)
    assert await kept(account) == ["access-0", "refresh-0", "the-client-secret"]
    held = renewable(subject)
    assert (held.access_token, held.refresh_token) == ("access-0", "refresh-0")
    assert held.until == subject.clock() + HOUR
    assert subject.registry.last_used() == account
    written = (subject.folder / "accounts.json").read_text()
    assert not any(secret in written for secret in ("access-0", "refresh-0", "the-client-secret"))


@with_vault
async def test_the_end_of_access_is_not_the_end_of_the_sign_in(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    subject.clock.pass_by(days=30)
    assert subject.session.state is IN


@with_vault
async def test_the_next_start_comes_back_with_access_that_has_ended_and_a_refresh_token(
    subject: "SessionFixture", account: Account
) -> None:
    account = await sign_in(subject, account)
    later = subject.again()
    later.clock.pass_by(days=30)
    await later.session.restore()
    assert later.session.state is IN
    held = renewable(later)
    assert (held.access_token, held.refresh_token) == ("access-0", "refresh-0")
    assert held.until == account.access_until


@with_vault
async def test_a_refresh_token_alone_is_enough_to_come_back(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    await Vault().forget(account.id, [SecretKind.CREDENTIAL])
    later = subject.again()
    await later.session.restore()
    assert later.session.state is IN
    assert renewable(later).access_token == ""


@with_vault
async def test_where_no_refresh_token_came_the_sign_in_ends_with_access(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account, replace(WEB, refresh_token=None))
    assert subject.connections.last.access is None
    subject.clock.pass_by(hours=1)
    assert subject.session.state is EXPIRED


@with_vault
async def test_renewed_tokens_are_kept_where_the_next_start_looks(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    until = subject.clock() + 2 * HOUR
    await renewable(subject).keep(TokenGrant("access-1", until, "refresh-1"))
    assert await kept(account) == ["access-1", "refresh-1", "the-client-secret"]
    later = subject.again()
    await later.session.restore()
    assert renewable(later).refresh_token == "refresh-1"
    assert renewable(later).until == until
    assert [event for event in subject.heard if isinstance(event, SessionChanged)] == [
        SessionChanged(IN, subject.heard[0].account)  # type: ignore[attr-defined]  # the sign-in's
    ]


@with_vault
async def test_tokens_of_a_sign_in_that_has_ended_are_not_kept(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    keep = renewable(subject).keep
    assert await subject.session.sign_out()
    await keep(TokenGrant("access-1", subject.clock() + HOUR, "refresh-1"))
    assert await kept(account) == [None, None, "the-client-secret"]
    assert subject.registry.last_used() is None


@with_vault
async def test_tokens_of_an_older_sign_in_do_not_replace_those_of_the_newer(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    keep = renewable(subject).keep
    await sign_in(subject, account, replace(WEB, refresh_token="refresh-of-the-newer"))
    await keep(TokenGrant("access-1", subject.clock() + HOUR, "refresh-1"))
    assert await kept(account) == ["access-0", "refresh-of-the-newer", "the-client-secret"]


async def test_a_sign_in_for_this_run_keeps_its_renewed_tokens_nowhere(
    subject: "SessionFixture", account: Account
) -> None:
    grant = TokenGrant("access-0", subject.clock() + HOUR, "refresh-0")
    account = entered(account, grant)
    await subject.session.sign_in(account, "access-0", remember=False, web=WEB)
    await renewable(subject).keep(TokenGrant("access-1", subject.clock() + HOUR, "refresh-1"))
    assert [await kept_secret(subject.vault, account.id, part) for part in SecretKind] == [None] * 3
    assert subject.registry.accounts() == ()


@with_vault
async def test_signing_out_leaves_only_the_client_secret_for_signing_in_again(
    subject: "SessionFixture", account: Account
) -> None:
    account = await sign_in(subject, account)
    assert await subject.session.sign_out()
    assert await kept(account) == [None, None, "the-client-secret"]
    (left,) = subject.registry.accounts()
    assert (left.with_secret, left.in_vault, left.access_until) == (True, True, None)
    assert await subject.again().session.client_secret(left) == "the-client-secret"


@with_vault
async def test_a_refused_refresh_token_asks_to_sign_in_again_and_deletes_nothing(
    subject: "SessionFixture", account: Account
) -> None:
    account = await sign_in(subject, account)
    subject.connections.last.told(TokenExpired("Sign in again", "Over."))
    assert subject.session.state is EXPIRED
    assert await kept(account) == ["access-0", "refresh-0", "the-client-secret"]


@with_vault
async def test_a_line_that_is_down_while_access_is_renewed_signs_nobody_out(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    subject.connections.last.told(Unreachable("No connection", "No."))
    assert (subject.session.state, subject.session.online) == (IN, False)


@pytest.mark.usefixtures("no_vault")
async def test_without_a_vault_renewed_tokens_last_for_this_run_and_that_is_said(
    subject: "SessionFixture", account: Account
) -> None:
    await sign_in(subject, account)
    await renewable(subject).keep(TokenGrant("access-1", subject.clock() + HOUR, "refresh-1"))
    assert "until you close the window" in subject.session.notice
    assert await kept_secret(subject.vault, account.id, SecretKind.REFRESH_TOKEN) == "refresh-1"
