"""What is kept of an account: shown and sent there alone, told when damaged, forgotten."""

import contextlib
import sqlite3
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox

from app.container import Container
from app.demo.server import DemoAccess, DemoServer
from app.store.outbox.outbox import OutboxStore
from app.tour.main_job import shown
from app.tour.script import Script, Until, click, press
from tests.end_to_end.kept_files import (
    Kiosk,
    files_with,
    named,
    type_person,
    typed_line,
)
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Visit,
    choose_in_menu,
    enter_with_key,
    gone,
    the,
    write,
)
from tests.store.outbox_entries import entry


def tab_to(name: str) -> None:
    """Go on by keyboard to what carries this name."""
    for _ in range(40):
        if QApplication.focusWidget() is the(name):
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


def test_signing_out_asks_and_the_first_page_says_who_is_kept_for_which_account_until_forgotten(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk, tmp_path: Path
) -> None:
    hold_for(30)
    names = ("Oneway", "Twofold", "Threeply", "Fourfold", "Fivefold")
    five = "Zora Oneway, Zora Twofold, Zora Threeply and 2 more are not sent yet"

    def leave(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Kept")
        press(Qt.Key.Key_Return)
        yield from choose_in_menu(container, "Sign out")
        yield shown("1 person is not sent yet. They stay on this computer")
        click(the("Sign out anyway"))
        yield shown("Welcome to Front Desk", "Zora Kept is not sent yet", "for Riverside")
        assert named(access, "Kept") == 0

    def look(_container: Container) -> Script:
        yield shown("Welcome to Front Desk", "Zora Kept is not sent yet", "key was given")

    def come_back(container: Container) -> Script:
        yield shown("81 people", "Up to date")
        yield gone("Zora Kept is not sent yet")
        assert named(access, "Kept") == 1
        # From here on with an account of the list, whose key is in the vault.
        yield from choose_in_menu(container, "Sign out")
        yield from enter_with_key(access)
        yield shown("81 people", "Up to date")
        for name in names:
            type_person(f"Zora {name}")
            press(Qt.Key.Key_Return)
        yield shown("5 waiting")
        yield from choose_in_menu(container, "Sign out")
        yield shown("5 people are not sent yet")
        click(the("Sign out anyway"))
        yield shown(five, "for Riverside")
        assert files_with(tmp_path / "data", "Threeply")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        tab_to("Forget the account Riverside")
        press(Qt.Key.Key_Space)
        yield shown("5 people are not sent yet and would be lost.")
        tab_to("Forget it")
        press(Qt.Key.Key_Space)
        yield shown("no longer knows Riverside")
        yield gone("Zora Oneway")

    visit(leave, **kiosk(access))
    visit(look)
    visit(come_back, **kiosk(access))
    # Nobody is left of whom a later start could tell.
    for name in names:
        assert files_with(tmp_path / "data", name) == []


def test_keep_nothing_leaves_no_name_on_the_disk_and_forgetting_the_account_no_byte_of_it(
    visit: Visit, access: DemoAccess, tmp_path: Path, kiosk: Kiosk, hold_for: HoldFor
) -> None:
    hold_for(30)
    folder = tmp_path / "data"
    keep_nothing = "Keep nothing of my work on this computer"

    def keep_nothing_of_a_half_typed_line(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Half-Typed")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        assert files_with(folder, "Ashworth")
        click(the(keep_nothing, QCheckBox))
        yield Until("the files going", lambda: not files_with(folder, "Ashworth"))
        yield shown(keep_nothing)
        assert not (folder / "accounts").exists()
        click(the("Back"))
        yield shown("80 people", "Up to date")
        assert typed_line() == "Half-Typed"
        assert not files_with(folder, "Half-Typed")

    def forget_the_account_in_use(_container: Container) -> Script:
        press(Qt.Key.Key_Comma, CTRL)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files coming", lambda: bool(files_with(folder, "Ashworth")))
        click(the("Back"))
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_N, CTRL)
        press(Qt.Key.Key_A, CTRL)
        write("Zora Unsent")
        press(Qt.Key.Key_Return)
        yield Until("her on the disk", lambda: bool(files_with(folder, "Unsent")))
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        tab_to("Forget this account")
        press(Qt.Key.Key_Space)
        yield shown("1 person is not sent yet and would be lost.")
        press(Qt.Key.Key_Tab)
        press(Qt.Key.Key_Space)
        yield shown("Welcome to Front Desk")
        yield Until("the folder going", lambda: not (folder / "accounts").exists())

    def script(container: Container) -> Script:
        yield from keep_nothing_of_a_half_typed_line(container)
        yield from forget_the_account_in_use(container)
        # And so it is closed: what is written then is nothing either.
        yield from enter_with_key(access)
        yield from keep_nothing_of_a_half_typed_line(container)

    visit(script, **kiosk(access))
    for word in ("Ashworth", "Half-Typed", "Unsent", access.api_key):
        assert files_with(folder, word) == []


def test_an_outbox_that_is_damaged_or_of_another_account_is_told_until_read_and_nobody_in_it_sent(
    visit: Visit, service: DemoServer, tmp_path: Path, kiosk: Kiosk, hold_for: HoldFor
) -> None:
    hold_for(30)
    access = service.start()

    def add(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Rescued")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def unread(_container: Container) -> Script:
        yield shown("was damaged. It is kept as", "1 entry was read from it.")

    def read(_container: Container) -> Script:
        yield shown("was damaged. It is kept as", "Zora Rescued")
        click(the("Close"))
        yield gone("was damaged")

    def told(container: Container) -> Script:
        yield shown("Up to date", "Zora Rescued")
        yield gone("was damaged")
        container._settings.change(hold_seconds=0)

    def of_another_account(_container: Container) -> Script:
        yield shown("Łucja1 Lovelace is not sent", "typed for another account", "Up to date")
        type_person("Zora Ours")
        press(Qt.Key.Key_Return)
        yield Until("her in the account", lambda: named(access, "Ours") == 1)
        click(the("Close"))
        yield gone("another account")

    visit(add, **kiosk(access))
    service.stop()
    damage(tmp_path / "data")
    visit(unread, **kiosk(access))
    service.start()
    visit(read, **kiosk(access))
    visit(told, **kiosk(access))
    (ours,) = (tmp_path / "data").glob("accounts/*/outbox.sqlite3")
    ours.unlink()
    store = OutboxStore.open(ours, "another https://example.org")
    store.write(entry(1))
    store.close_now()
    visit(of_another_account, **kiosk(access))
    assert (named(access, "Lovelace"), named(access, "Ours")) == (0, 1)


def test_an_outbox_of_a_newer_version_is_told_on_the_first_page_and_before_it_is_forgotten(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    def look(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        yield from choose_in_menu(container, "Sign out")
        yield shown("Welcome to Front Desk")

    def told(_container: Container) -> Script:
        yield shown("People for Riverside may be waiting", "written by a newer version")
        yield from enter_with_key(access)
        # The window goes on in memory, and the file is there all the same.
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        tab_to("Forget the account Riverside")
        press(Qt.Key.Key_Space)
        yield shown("whom Front Desk cannot read now; they would be lost.")

    visit(look)
    (outbox,) = (tmp_path / "data").glob("accounts/*/outbox.sqlite3")
    with contextlib.closing(sqlite3.connect(outbox)) as connection:
        connection.execute("UPDATE facts SET value = '999' WHERE name = 'version'")
        connection.execute("PRAGMA user_version = 999")
        connection.commit()
    visit(told)


def damage(folder: Path) -> None:
    """The disk has lost the beginning of the file."""
    (outbox,) = folder.glob("accounts/*/outbox.sqlite3")
    content = bytearray(outbox.read_bytes())
    content[:100] = bytes(100)
    outbox.write_bytes(content)
