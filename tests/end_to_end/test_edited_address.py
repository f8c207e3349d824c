"""Somebody edited the list of accounts: the window starts, and the new address hears nothing."""

import json
import socket
from pathlib import Path

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.script import Script
from app.tour.stations import shown
from tests.end_to_end.steps import Visit, enter_with_key


def heard(listener: socket.socket) -> bool:
    listener.settimeout(0.2)
    try:
        listener.accept()[0].close()
    except TimeoutError:
        return False
    return True


def test_a_key_in_the_vault_never_leaves_for_an_edited_address(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    def sign_in(_container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("240 people", "Up to date")

    def come_back(container: Container) -> Script:
        yield shown("that sign-in is used nowhere else", "Sign in again")
        container.session_screen.sign_out()
        yield shown("Welcome to Front Desk")

    visit(sign_in)
    file = tmp_path / "data" / "accounts.json"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere = f"http://127.0.0.1:{listener.getsockname()[1]}"
        file.write_text(file.read_text().replace(access.base_url, elsewhere))
        assert json.loads(file.read_text())["accounts"][0]["base_url"] == elsewhere
        visit(come_back)
        assert not heard(listener)


def test_a_key_given_at_the_start_goes_to_no_account_of_the_list(
    visit: Visit, tmp_path: Path
) -> None:
    def script(_container: Container) -> Script:
        yield shown("no connection file to use it with")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere = f"http://127.0.0.1:{listener.getsockname()[1]}"
        edited = Account(id="a", name="Riverside", base_url=elsewhere, auth_method=AuthMethod.KEY)
        AccountRegistry(tmp_path / "data").keep(edited)
        visit(script, api_key="canary-key")
        assert not heard(listener)
