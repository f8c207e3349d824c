"""Somebody edited the list of accounts: the window starts, and the new address hears nothing."""

import json
import socket
from pathlib import Path

from PySide6.QtCore import Qt

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, click, press, type_text
from tests.end_to_end.steps import CTRL, HoldFor, Visit, enter_with_key, the


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
        yield shown("80 people", "Up to date")

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


def add_fay(access: DemoAccess) -> Script:
    yield from enter_with_key(access)
    yield shown("80 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    type_text("Fay Fox fay@example.org")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")


def test_who_waited_is_named_at_the_other_address_and_there_again_at_the_old_one(
    visit: Visit, access: DemoAccess, tmp_path: Path, hold_for: HoldFor
) -> None:
    hold_for(30)

    def told(_container: Container) -> Script:
        yield shown("Fay Fox is not sent: they were typed for another account or another address")
        click(the("Close"))
        yield shown("that sign-in is used nowhere else")

    def there_again(_container: Container) -> Script:
        yield shown("Up to date", "1 person was waiting and is sent now.")
        assert "another address" not in text_on_screen()

    visit(lambda _: add_fay(access))
    file = tmp_path / "data" / "accounts.json"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere = f"http://127.0.0.1:{listener.getsockname()[1]}"
        before = file.read_text()
        file.write_text(before.replace(access.base_url, elsewhere))
        visit(told)
        file.write_text(before)
        visit(there_again)
        assert not heard(listener)
    assert not list((tmp_path / "data" / "accounts").glob("outbox-*"))


def test_who_was_set_aside_is_named_on_the_first_page_at_every_start(
    visit: Visit, access: DemoAccess, tmp_path: Path, hold_for: HoldFor
) -> None:
    hold_for(30)
    for_whom = "Fay Fox is not sent yet and was set aside on this computer, for Riverside"

    def sign_out(container: Container) -> Script:
        yield shown("Fay Fox is not sent: they were typed for another account or another address")
        click(the("Close"))
        yield shown("that sign-in is used nowhere else")
        container.session_screen.sign_out()
        yield shown("Welcome to Front Desk", for_whom)

    def come_back(_container: Container) -> Script:
        yield shown("Welcome to Front Desk", for_whom)

    visit(lambda _: add_fay(access))
    file = tmp_path / "data" / "accounts.json"
    file.write_text(file.read_text().replace(access.base_url, "http://127.0.0.1:9"))
    visit(sign_out)
    visit(come_back)


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
