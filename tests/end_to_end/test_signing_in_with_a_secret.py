"""An organisation with a client secret: signed in once, and renewed without anybody noticing."""

import json
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import Qt

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import click_on_page, shown
from app.tour.screen_reader import Page, web_view
from app.tour.script import Script, Until, click, press
from tests.end_to_end.steps import Serve, Visit, fill, sign_in_on_page, the, unfold


@pytest.fixture(autouse=True)
def _no_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    from keyring.backends import fail  # noqa: PLC0415 - loads slowly

    backend = fail.Keyring()  # type: ignore[no-untyped-call]  # theirs
    monkeypatch.setattr("keyring.core._keyring_backend", backend)


def sign_in_with(access: DemoAccess, secret: str) -> Script:
    """Fill the first page, the secret included, and allow it on the account's page."""
    yield shown("Welcome to Front Desk")
    unfold()
    fill("Address", access.base_url)
    fill("Client ID", access.client_id)
    click(the("Client secret and permissions"))
    fill("Client secret", secret)
    press(Qt.Key.Key_Return)
    yield Until("the embedded browser", lambda: web_view() is not None)
    yield from sign_in_on_page(Page(), access.user, access.password)
    yield from click_on_page("button", "Allow")


def test_a_wrong_secret_is_said_at_its_field_and_access_that_runs_out_is_renewed_without_a_word(
    visit: Visit, serve: Serve, tmp_path: Path
) -> None:
    access = serve(token_lifetime=1).start()

    def script(_container: Container) -> Script:
        yield from sign_in_with(access, "not-the-secret")
        yield shown("does not accept this client ID with this client secret", "Client secret")
        fill("Client secret", access.client_secret)
        press(Qt.Key.Key_Return)
        yield from click_on_page("button", "Allow")
        yield shown("80 people")
        over = monotonic() + 1.1
        yield Until("access being over", lambda: monotonic() > over)
        press(Qt.Key.Key_F5)
        yield shown("80 people", "Signed in")

    container = visit(script)
    service = container._session.account
    assert service is not None
    assert service.with_secret
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            assert access.client_secret.encode() not in path.read_bytes()
    (account,) = json.loads((tmp_path / "data" / "accounts.json").read_text())["accounts"]
    assert account["scope"] == ["ManagePeople"]
