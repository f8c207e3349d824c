"""Each way in, and each way it goes wrong, ends once, with a sentence, in the window as it was."""

import asyncio
import json
import sys
import time
from collections.abc import Collection
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Never

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.accounts import vault as vault_module
from app.accounts.vault import Vault
from app.container import Container
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import click_on_page, shown
from app.tour.screen_reader import Page, text_on_screen, web_view
from app.tour.script import Script, Until, click, press, type_text
from tests.accounts.kept import kept_secret
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Serve,
    Visit,
    ask_for_account_page,
    choose_in_menu,
    enter_with_key,
    fill,
    gone,
    open_account_page,
    sign_in_on_page,
    the,
    write,
)


class LacksLibrary(ModuleType):
    """In the place of a module that needs a library which this system does not have."""

    def __getattr__(self, name: str) -> Never:
        raise ImportError("libnss3.so: cannot open shared object file: No such file or directory")


def test_what_goes_wrong_on_the_way_to_the_account_page_and_on_it_is_said_and_another_try_works(
    visit: Visit, access: DemoAccess
) -> None:
    def script(_container: Container) -> Script:
        yield from blames_the_address_of_a_page(access)
        browser = "app.views.sign_in.browser"
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, browser, LacksLibrary(browser))
            yield from ask_for_account_page(access)
            yield shown("page to sign in on cannot be shown", "libnss3.so", "To mend it")
        click(the("Sign in"))
        yield Until("the embedded browser", lambda: web_view() is not None)
        page = Page()
        yield Until("the sign-in page", lambda: page.says("Sign in"))
        press(Qt.Key.Key_Escape)
        yield Until("the browser closing", lambda: web_view() is None)
        yield shown("Signing in was cancelled", access.client_id)
        click(the("Sign in"))
        yield from sign_in_on_page(page, access.user, "wrong")
        yield Until("the page's own refusal", lambda: page.says("do not belong together"), 10)
        yield from sign_in_on_page(page, access.user, access.password)
        yield Until("the consent", lambda: page.says("Allow"))
        yield from click_on_page("button", "Refuse")
        yield Until("the browser closing", lambda: web_view() is None)
        yield shown(
            "Access was refused on the account's page",
            access.base_url,
            access.client_id,
            "Welcome to Front Desk",
        )
        click(the("Sign in"))
        yield from click_on_page("button", "Allow")
        yield shown("Signed in", "80 people")

    visit(script)


def blames_the_address_of_a_page(access: DemoAccess) -> Script:
    """Give a page's address for the account's, with a key."""
    pasted = replace(access, base_url=f"{access.base_url}/people/list.html")
    yield from enter_with_key(pasted)
    yield shown("Check the address.", "Welcome to Front Desk")
    field = the("Address, to use an API key", QLineEdit)
    assert isinstance(field, QLineEdit)
    assert field.text() == pasted.base_url


def slow_to_delete(monkeypatch: pytest.MonkeyPatch) -> None:
    """The vault, for longer than any other stage of ending may take."""
    deletion = vault_module._remove

    def slowly(entries: Collection[str]) -> bool:
        time.sleep(1.2)
        return deletion(entries)

    monkeypatch.setattr(vault_module, "_remove", slowly)


def what_is_said_before_signing_out_stays_true(container: Container, access: DemoAccess) -> Script:
    stays = "1 person is not sent yet. They stay on this computer"
    press(Qt.Key.Key_N, CTRL)
    for name in ("Zora Neale", "Zora Kept"):
        write(name)
        press(Qt.Key.Key_Return)
    yield from choose_in_menu(container, "Sign out")
    yield shown("2 people are not sent yet. They stay on this computer", "Zora Neale")
    press(Qt.Key.Key_Z, CTRL)
    yield shown(stays)
    # Whoever took somebody back has them in the line, and goes on.
    yield gone("not sent yet")
    yield shown("81 people")
    press(Qt.Key.Key_Return)
    yield from choose_in_menu(container, "Sign out")
    yield shown(stays)
    press(Qt.Key.Key_Z, CTRL)
    yield gone(stays)
    press(Qt.Key.Key_Return)
    yield from choose_in_menu(container, "Sign out")
    click(the("Stay signed in"))
    yield shown("82 people", "Zora Kept added")
    yield gone("1 waiting")
    press(Qt.Key.Key_N, CTRL)
    type_text("Vera Quickly")
    press(Qt.Key.Key_Return)
    yield from choose_in_menu(container, "Sign out")
    yield shown(stays)
    # And whoever does not comes out once nobody waits.
    yield shown("Sign in to Riverside again")
    yield from enter_with_key(access)


def test_what_is_no_address_service_or_key_is_said_and_who_is_in_signs_out_and_quits_on_the_way(
    visit: Visit, service: DemoServer, hold_for: HoldFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_for(3)
    access = service.start()
    service.stop()
    quit_on_the_way = []

    def what_is_none_is_said_and_what_was_typed_stays() -> Script:
        yield from ask_for_account_page(replace(access, base_url="ftp://somewhere"))
        yield shown("The address begins with https://")
        assert web_view() is None
        assert "ftp://somewhere" in text_on_screen()
        yield from ask_for_account_page(access)
        yield shown("No connection to", "Check the network", access.client_id)
        service.start()
        yield from enter_with_key(access, "not-the-key")
        yield shown("key", "Welcome to Front Desk")
        yield shown("This key is not accepted.")
        field = the("API key, to use an API key", QLineEdit)
        assert isinstance(field, QLineEdit)
        assert field.text() == "not-the-key"
        fill("API key, to use an API key", access.api_key)
        # A press that comes while what was refused is taken away is meant for something else.
        yield shown(access.api_key)
        click(the("Use this key"))
        yield shown("Signed in", "80 people")

    def script(container: Container) -> Script:
        yield from what_is_none_is_said_and_what_was_typed_stays()
        yield from what_is_said_before_signing_out_stays_true(container, access)
        yield shown("Up to date")
        slow_to_delete(monkeypatch)
        container.session_screen.sign_out()
        container.quit()
        quit_on_the_way.append(True)

    container = visit(script)
    assert quit_on_the_way
    # What the vault had is deleted all the same.
    (account,) = container._registry.accounts()
    assert asyncio.run(kept_secret(Vault(30.0), account.id)) is None
    assert not account.in_vault


def test_a_connection_file_fills_the_first_page(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    file = tmp_path / "riverside.json"
    file.write_text(
        json.dumps(
            {
                "name": "Riverside",
                "base_url": access.base_url,
                "client_id": access.client_id,
                "redirect_uri": access.redirect_uri,
            }
        )
    )

    def script(_container: Container) -> Script:
        yield shown("Welcome to Front Desk", access.base_url, access.client_id)

    visit(script, connection=file)


def test_an_ended_sign_in_asks_again_and_comes_back_to_where_the_person_was(
    visit: Visit, serve: Serve
) -> None:
    access = serve(token_lifetime=3).start()

    def script(_container: Container) -> Script:
        yield from open_account_page(access)
        page = Page()
        yield from sign_in_on_page(page, access.user, access.password)
        yield from click_on_page("button", "Allow")
        yield shown("80 people")
        press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        for key in (Qt.Key.Key_G, Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_E):
            press(key)
        yield shown("Grace Lindqvist")
        over = monotonic() + 3.1  # of the last one that was granted, which is older
        yield Until("the sign-in being over", lambda: monotonic() > over)
        press(Qt.Key.Key_F5)
        yield shown("Your sign-in has ended", "Sign in again", "Grace Lindqvist")
        click(the("Sign in again"))
        yield from click_on_page("button", "Allow")
        yield gone("Your sign-in has ended")
        yield shown("Grace Lindqvist")

    visit(script)
