"""Signing in with a client secret, over a real service: typed once, kept, and asked for if gone."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx
import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionState
from app.api.authorisation_code import SignInAnswer, SignInRequest, WebAuthorisationRequest
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.viewmodels.settings.settings import account_row
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.sign_in.form import Field, Filled, SecretMissing, SignInForm
from tests.demo.scriptless import Browser, Page
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

SONGS = ("ManagePeople", "ManageSongs")


class RealPage(SignInFixture):
    """A reception whose account page is the real one, walked through by its buttons."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        super().__init__(folder)
        self._browser = browser

    async def _authorise(self, request: SignInRequest) -> SignInAnswer | None:
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
async def desk(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
    access: DemoAccess,
) -> AsyncIterator[RealPage]:
    with httpx.Client(base_url=access.base_url, trust_env=False) as client:
        made = RealPage(tmp_path / "desk", Browser(client))
        yield made
        await made.scope.close()
        await made.session.close()
    assert made.crashes == []


def fields(access: DemoAccess) -> SignInForm:
    return SignInForm("Riverside", access.base_url, access.client_id, access.redirect_uri)


async def enter(desk: RealPage, sign_in_form: SignInForm, secret: str) -> None:
    desk.screen.sign_in_with_page(sign_in_form, secret)
    await desk.ended()


async def test_a_secret_leads_to_access_that_renews_itself(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, fields(access), f" {access.client_secret}\n")
    assert desk.screen.state.session is SessionState.SIGNED_IN
    assert isinstance(desk.asked[0], WebAuthorisationRequest)
    assert desk.renewable is not None
    assert desk.renewable.access_token == desk.credentials[-1]
    assert desk.account.with_secret
    assert desk.account.expires_at is None
    assert desk.screen.state.state_words == "Signed in"


async def test_without_a_secret_the_page_is_asked_for_access_as_ever(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, fields(access), "")
    assert not isinstance(desk.asked[0], WebAuthorisationRequest)
    assert (desk.renewable, desk.account.with_secret) == (None, False)
    assert desk.account.expires_at is not None


async def test_a_wrong_secret_is_said_at_its_field(desk: RealPage, access: DemoAccess) -> None:
    await enter(desk, fields(access), "wrong")
    problem = desk.screen.first_page.state.problem
    assert problem is not None
    assert (problem.auth_method, problem.field) == (AuthMethod.PAGE, Field.SECRET)
    assert "client secret" in desk.said
    assert (desk.screen.state.session, desk.credentials) == (SessionState.SIGNED_OUT, [])


async def test_signing_in_again_uses_the_secret_that_was_kept(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, fields(access), access.client_secret)
    known = desk.account
    desk.screen.sign_out()
    await desk.ended()
    (left,) = desk.screen.first_page.state.known
    assert desk.screen.first_page.sign_in_form(AuthMethod.PAGE).with_secret
    desk.screen.sign_in_to(left)
    await desk.ended()
    assert desk.account.id == known.id
    assert isinstance(desk.asked[1], WebAuthorisationRequest)
    assert desk.asked[1].state != desk.asked[0].state  # type: ignore[union-attr]  # as above
    assert desk.renewable is not None


async def test_the_same_fields_without_a_secret_use_the_kept_one_too(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, fields(access), access.client_secret)
    await enter(desk, fields(access), "")
    assert isinstance(desk.asked[1], WebAuthorisationRequest)


async def test_a_secret_that_is_gone_is_asked_for_at_its_field(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, fields(access), access.client_secret)
    account = desk.account
    desk.screen.sign_out()
    await desk.ended()
    await desk.session._credential_store._vault.forget(account.id)
    filled: list[Filled] = []
    desk.screen.first_page.filled.connect(filled.append)
    desk.screen.sign_in_to(msgspec.structs.replace(account, name="Riverside"))
    await desk.ended()
    assert [each.focus for each in filled] == [Field.SECRET]
    assert desk.said == SecretMissing(account).message
    assert len(desk.asked) == 1


async def test_the_permissions_that_were_chosen_are_asked_for_and_stay_with_the_account(
    desk: RealPage, access: DemoAccess
) -> None:
    await enter(desk, replace(fields(access), scope=("ManageSongs",)), access.client_secret)
    assert desk.asked[0].scope == desk.account.scope == SONGS
    connection = ConnectionFiles(desk.screen).of_account()
    assert connection is not None
    assert connection.scope == SONGS
    desk.screen.sign_out()
    await desk.ended()
    assert desk.screen.first_page.sign_in_form(AuthMethod.PAGE).scope == SONGS


def test_the_settings_say_what_is_kept_of_such_an_account() -> None:
    account = Account(id="a", name="A", base_url="https://a.example", auth_method=AuthMethod.PAGE)
    signed_out = msgspec.structs.replace(account, with_secret=True)
    renewing = msgspec.structs.replace(signed_out, access_until=datetime.now(UTC))
    assert account_row(renewing, None).sign_in == "sign-in kept"
    assert account_row(signed_out, None).sign_in == "only the client secret is kept"


async def test_no_secret_is_in_what_the_screen_or_a_connection_file_holds(
    desk: RealPage, access: DemoAccess, tmp_path: Path
) -> None:
    await enter(desk, fields(access), access.client_secret)
    connection = ConnectionFiles(desk.screen).of_account()
    assert connection is not None
    ConnectionFiles(desk.screen).save(str(tmp_path / "c.json"), connection)
    secrets = (access.client_secret, desk.credentials[-1])
    for text in (
        (tmp_path / "c.json").read_text(),
        (tmp_path / "desk" / "accounts.json").read_text(),
        repr(desk.screen.first_page.sign_in_form(AuthMethod.PAGE)),
        repr(desk.renewable),
    ):
        assert not any(secret in text for secret in secrets)
