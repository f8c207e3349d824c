"""Signing in with a client secret, over a real service: typed once, kept, and asked for if gone."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionState
from app.api.sign_in.oauth import SignInAnswer, SignInRequest, WebAuthorisationRequest
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.viewmodels.settings.settings import account_row
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.sign_in.form import Field, Filled, SecretMissing, SignInForm
from tests.demo.scriptless import Browser, Page
from tests.loopback import NO_CERTIFICATES
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

SONGS = ("ManagePeople", "ManageSongs")


class RealPage(SignInFixture):
    """A sign-in whose account page is the real one, walked through by its buttons."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        super().__init__(folder)
        self._browser = browser

    async def authorise(self, request: SignInRequest) -> SignInAnswer | None:
        self.asked.append(request)
        self._browser.page = Page(self._browser.client.get(request.address))
        if "Sign in" in self._browser.page.buttons:
            self._browser.sign_in()
        address = self._browser.press("Allow").response.headers["location"]
        return request.read_answer(address, datetime.now(UTC))


@pytest.fixture
def access() -> Iterator[DemoAccess]:
    server = DemoServer(DemoOptions(people=5))
    yield server.start()
    server.stop()


@pytest.fixture
async def subject(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
    access: DemoAccess,
) -> AsyncIterator[RealPage]:
    with httpx.Client(base_url=access.base_url, trust_env=False, verify=NO_CERTIFICATES) as client:
        made = RealPage(tmp_path / "desk", Browser(client))
        yield made
        await made.scope.close()
        await made.session.close()
    assert made.crashes == []


def fields(access: DemoAccess) -> SignInForm:
    return SignInForm("Riverside", access.base_url, access.client_id, access.redirect_uri)


async def enter(subject: RealPage, sign_in_form: SignInForm, secret: str) -> None:
    subject.screen.sign_in_with_page(sign_in_form, secret)
    await subject.ended()


async def test_a_secret_leads_to_access_that_renews_itself(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, fields(access), f" {access.client_secret}\n")
    assert subject.screen.state.session is SessionState.SIGNED_IN
    assert isinstance(subject.asked[0], WebAuthorisationRequest)
    assert subject.access is not None
    assert subject.access.access_token == subject.credentials[-1]
    assert subject.account.with_secret
    assert subject.account.expires_at is None
    assert subject.screen.state.state_words == "Signed in"


async def test_without_a_secret_the_page_is_asked_for_access_as_ever(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, fields(access), "")
    assert not isinstance(subject.asked[0], WebAuthorisationRequest)
    assert (subject.access, subject.account.with_secret) == (None, False)
    assert subject.account.expires_at is not None


async def test_a_wrong_secret_is_said_at_its_field(subject: RealPage, access: DemoAccess) -> None:
    await enter(subject, fields(access), "wrong")
    problem = subject.screen.first_page.state.problem
    assert problem is not None
    assert (problem.auth_method, problem.field) == (AuthMethod.PAGE, Field.SECRET)
    assert "client secret" in subject.said
    assert (subject.screen.state.session, subject.credentials) == (SessionState.SIGNED_OUT, [])


async def test_signing_in_again_uses_the_secret_that_was_kept(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, fields(access), access.client_secret)
    known = subject.account
    subject.screen.sign_out()
    await subject.ended()
    (left,) = subject.screen.first_page.state.known
    assert subject.screen.first_page.sign_in_form(AuthMethod.PAGE).with_secret
    subject.screen.sign_in_to(left)
    await subject.ended()
    assert subject.account.id == known.id
    assert isinstance(subject.asked[1], WebAuthorisationRequest)
    assert subject.asked[1].state != subject.asked[0].state  # type: ignore[union-attr]  # as above
    assert subject.access is not None


async def test_the_same_fields_without_a_secret_use_the_kept_one_too(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, fields(access), access.client_secret)
    await enter(subject, fields(access), "")
    assert isinstance(subject.asked[1], WebAuthorisationRequest)


async def test_a_secret_that_is_gone_is_asked_for_at_its_field(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, fields(access), access.client_secret)
    account = subject.account
    subject.screen.sign_out()
    await subject.ended()
    await subject.session._credential_store._vault.forget(account.id)
    filled: list[Filled] = []
    subject.screen.first_page.filled.connect(filled.append)
    subject.screen.sign_in_to(msgspec.structs.replace(account, name="Riverside"))
    await subject.ended()
    assert [each.focus for each in filled] == [Field.SECRET]
    assert subject.said == SecretMissing(account).message
    assert len(subject.asked) == 1


async def test_the_permissions_that_were_chosen_are_asked_for_and_stay_with_the_account(
    subject: RealPage, access: DemoAccess
) -> None:
    await enter(subject, replace(fields(access), scope=("ManageSongs",)), access.client_secret)
    assert subject.asked[0].scope == subject.account.scope == SONGS
    connection = ConnectionFiles(subject.screen).of_account()
    assert connection is not None
    assert connection.scope == SONGS
    subject.screen.sign_out()
    await subject.ended()
    assert subject.screen.first_page.sign_in_form(AuthMethod.PAGE).scope == SONGS


def test_the_settings_say_what_is_kept_of_such_an_account() -> None:
    account = Account(id="a", name="A", base_url="https://a.example", auth_method=AuthMethod.PAGE)
    signed_out = msgspec.structs.replace(account, with_secret=True)
    renewing = msgspec.structs.replace(signed_out, access_until=datetime.now(UTC))
    assert account_row(renewing, None).sign_in == "sign-in kept"
    assert account_row(signed_out, None).sign_in == "only the client secret is kept"


async def test_no_secret_is_in_what_the_screen_or_a_connection_file_holds(
    subject: RealPage, access: DemoAccess, tmp_path: Path
) -> None:
    await enter(subject, fields(access), access.client_secret)
    connection = ConnectionFiles(subject.screen).of_account()
    assert connection is not None
    ConnectionFiles(subject.screen).save(str(tmp_path / "c.json"), connection)
    secrets = (access.client_secret, subject.credentials[-1])
    for text in (
        (tmp_path / "c.json").read_text(),
        (tmp_path / "desk" / "accounts.json").read_text(),
        repr(subject.screen.first_page.sign_in_form(AuthMethod.PAGE)),
        repr(subject.access),
    ):
        assert not any(secret in text for secret in secrets)
