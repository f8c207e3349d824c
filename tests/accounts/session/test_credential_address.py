"""A secret is kept with the address it was granted at; no edit of the list leads it elsewhere."""

import json
from typing import TYPE_CHECKING, Any

import keyring
import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.credential_store import WebSecrets
from app.accounts.session import SessionState
from app.accounts.vault import SecretKind, Vault
from app.runtime.secrets import redact

if TYPE_CHECKING:
    from tests.accounts.session.conftest import SessionFixture

pytestmark = pytest.mark.usefixtures("secret_service")

IN, EXPIRED = SessionState.SIGNED_IN, SessionState.EXPIRED
ELSEWHERE = (
    "https://evil.example.org",
    "http://anselm.example.org",
    "https://anselm.example.org:8443",
    "https://anselm.example.org.evil.example",
    "https://xn--anselm-example.org",
    # Two organisations may share a host.
    "https://anselm.example.org/other",
)
WEB = WebSecrets("the-client-secret", "the-refresh-token")


def edit(subject: "SessionFixture", **changes: Any) -> None:
    """What anybody can do who can write to the data folder."""
    file = subject.folder / "accounts.json"
    book = json.loads(file.read_text())
    book["accounts"][0].update(changes)
    file.write_text(json.dumps(book))


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        *(("key", address) for address in ELSEWHERE),
        *(("access token", address) for address in (ELSEWHERE[0], ELSEWHERE[-1])),
        *(("refresh token", address) for address in (ELSEWHERE[0], ELSEWHERE[-1])),
    ],
)
async def test_an_edited_address_is_given_no_secret_and_asks_to_sign_in_again(
    subject: "SessionFixture", account: Account, kind: str, address: str
) -> None:
    auth_method = AuthMethod.KEY if kind == "key" else AuthMethod.PAGE
    account = msgspec.structs.replace(
        account, auth_method=auth_method, with_secret=kind == "refresh token", expires_at=None
    )
    await subject.session.sign_in(account, "canary", web=WEB if account.with_secret else None)
    edit(subject, base_url=address)
    later = subject.again()
    await later.session.restore()
    assert later.connections.made == []
    assert later.session.state is EXPIRED
    for said in ("St Anselm", "https://anselm.example.org", "Sign in again"):
        assert said in later.session.notice


@pytest.mark.parametrize(
    "address",
    [
        "ftp://anselm.example.org",
        "https://evil.example.org/https://anselm.example.org",
        "nonsense",
        "",
        "https://[::",
    ],
)
async def test_an_address_that_is_none_is_given_no_secret(
    subject: "SessionFixture", account: Account, address: str
) -> None:
    await subject.session.sign_in(account, "canary")
    edit(subject, base_url=address)
    later = subject.again()
    await later.session.restore()
    assert (later.connections.made, later.session.state) == ([], EXPIRED)
    assert later.session.notice


async def test_the_client_secret_stays_at_its_address_too(
    subject: "SessionFixture", account: Account
) -> None:
    account = msgspec.structs.replace(account, with_secret=True)
    await subject.session.sign_in(account, "canary", web=WEB)
    moved = msgspec.structs.replace(account, base_url=ELSEWHERE[0])
    assert await subject.session.client_secret(moved) is None
    assert await subject.session.client_secret(account) == "the-client-secret"


@pytest.mark.parametrize(
    "address",
    ["HTTPS://Anselm.Example.org", "https://anselm.example.org:443/"],
)
async def test_another_way_to_write_the_same_address_is_no_other_place(
    subject: "SessionFixture", account: Account, address: str
) -> None:
    await subject.session.sign_in(account, "canary")
    edit(subject, base_url=address)
    later = subject.again()
    await later.session.restore()
    assert (later.session.state, later.session.notice) == (IN, "")
    assert later.connections.last.credential == "canary"


async def test_the_address_put_back_is_come_back_to(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, "canary")
    edit(subject, base_url=ELSEWHERE[0])
    await subject.again().session.restore()
    edit(subject, base_url=account.base_url)
    later = subject.again()
    await later.session.restore()
    assert later.connections.last.credential == "canary"


async def test_signing_in_at_the_new_address_takes_nothing_of_the_former_along(
    subject: "SessionFixture", account: Account
) -> None:
    account = msgspec.structs.replace(account, with_secret=True)
    await subject.session.sign_in(account, "canary", web=WEB)
    moved = msgspec.structs.replace(account, base_url="https://new.example.org")
    later = subject.again()
    await later.session.sign_in(moved, "newer")
    assert await later.session.client_secret(moved) is None
    last = subject.again()
    await last.session.restore()
    assert last.session.state is EXPIRED
    assert last.connections.made == []


async def test_forgetting_takes_what_was_kept_under_the_former_address(
    subject: "SessionFixture", account: Account
) -> None:
    account = msgspec.structs.replace(account, with_secret=True)
    await subject.session.sign_in(account, "canary", web=WEB)
    edit(subject, base_url="https://new.example.org")
    assert await Vault().forget(account.id)
    assert [keyring.get_password("Front Desk", part.entry(account.id)) for part in SecretKind] == (
        [None] * 3
    )


async def test_a_secret_that_names_no_address_goes_nowhere(
    subject: "SessionFixture", account: Account
) -> None:
    await subject.session.sign_in(account, "canary")
    keyring.set_password("Front Desk", SecretKind.CREDENTIAL.entry(account.id), "bare")
    later = subject.again()
    await later.session.restore()
    assert (later.connections.made, later.session.state) == ([], EXPIRED)


async def test_the_bare_secrets_are_hidden_once_they_were_kept_or_read(
    subject: "SessionFixture", account: Account
) -> None:
    account = msgspec.structs.replace(account, with_secret=True)
    web = WebSecrets("hidden-client-secret", "hidden-refresh")
    await subject.session.sign_in(account, "hidden-access", web=web)
    assert "hidden" not in redact("hidden-client-secret, hidden-refresh, hidden-access")
    keyring.set_password("Front Desk", account.id, f"{account.base_url} hidden-by-hand")
    await subject.again().session.restore()
    assert "hidden" not in redact("hidden-by-hand")
