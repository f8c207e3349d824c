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
from app.tour.script import Script, click, press
from tests.end_to_end.kept_files import type_person
from tests.end_to_end.steps import HoldFor, Visit, enter_with_key, the


def heard(listener: socket.socket) -> bool:
    listener.settimeout(0.2)
    try:
        listener.accept()[0].close()
    except TimeoutError:
        return False
    return True


def test_at_an_edited_address_nothing_is_sent_and_who_waited_is_named_until_the_old_one_is_back(
    visit: Visit, access: DemoAccess, tmp_path: Path, hold_for: HoldFor
) -> None:
    hold_for(30)
    named = "is not sent: they were typed for another account or another address"
    for_whom = "Joy Fox is not sent yet and was set aside on this computer, for Riverside"

    def add(_container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        type_person("Fay Fox fay@example.org")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def told(_container: Container) -> Script:
        yield shown(f"Fay Fox {named}")
        click(the("Close"))
        yield shown("that sign-in is used nowhere else", "Sign in again")

    def there_again(_container: Container) -> Script:
        yield shown("81 people", "Up to date", "1 person was waiting and is sent now.")
        assert "another address" not in text_on_screen()
        type_person("Joy Fox joy@example.org")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def sign_out(container: Container) -> Script:
        yield shown(f"Joy Fox {named}")
        click(the("Close"))
        yield shown("that sign-in is used nowhere else")
        container.session_screen.sign_out()
        yield shown("Welcome to Front Desk", for_whom)

    def every_start(_container: Container) -> Script:
        yield shown("Welcome to Front Desk", for_whom)

    visit(add)
    file = tmp_path / "data" / "accounts.json"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere = f"http://127.0.0.1:{listener.getsockname()[1]}"
        before = file.read_text()
        file.write_text(before.replace(access.base_url, elsewhere))
        assert json.loads(file.read_text())["accounts"][0]["base_url"] == elsewhere
        visit(told)
        file.write_text(before)
        visit(there_again)
        assert not list((tmp_path / "data" / "accounts").glob("outbox-*"))
        file.write_text(file.read_text().replace(access.base_url, elsewhere))
        visit(sign_out)
        visit(every_start)
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
