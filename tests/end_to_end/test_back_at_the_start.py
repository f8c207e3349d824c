"""A start that leads back into an account: no first page on the way, and no start in vain."""

import asyncio
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.container import Container
from app.demo.options import Fault
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press
from app.views.window.status_bar import StatusBar
from tests.end_to_end.steps import (
    CTRL,
    Serve,
    Visit,
    choose_in_menu,
    enter_with_key,
    gone,
    the,
    write,
)


class Watcher(QObject):
    """Remembers whether a page was ever shown or painted."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.seen = False
        page.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Only looks."""
        self.seen |= event.type() in {QEvent.Type.Show, QEvent.Type.Paint}
        return False


def connection_file(folder: Path, base_url: str) -> Path:
    file = folder / "riverside.json"
    file.write_text(json.dumps({"name": "Riverside", "base_url": base_url}))
    return file


def test_a_key_from_the_environment_opens_the_lists_alone_and_is_kept_for_this_run_only(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    watchers: list[Watcher] = []

    def script(container: Container) -> Script:
        watchers.append(Watcher(container.window.first_start))
        return (step for step in (shown("Signed in", "80 people"),))

    file = connection_file(tmp_path, access.base_url)
    visit(script, connection=file, api_key=access.api_key)
    assert not watchers[0].seen
    written = [path.read_text() for path in (tmp_path / "data").rglob("*.json")]
    assert not any(access.api_key in text or access.base_url in text for text in written)


def test_a_start_that_hangs_says_what_it_waits_for_is_stopped_and_tried_until_the_service_is_there(
    visit: Visit, serve: Serve, tmp_path: Path
) -> None:
    hangs = serve(faults=(Fault.parse("hang"),))
    access = hangs.start()
    answers = serve(port=urlsplit(access.base_url).port)

    def script(_container: Container) -> Script:
        yield shown("Signing in to Riverside", "Stop")
        assert "Welcome to Front Desk" not in text_on_screen()
        for _ in range(3):
            if QApplication.focusWidget() is not the("Stop"):
                press(Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is the("Stop")
        press(Qt.Key.Key_Return)
        yield shown("Signing in was cancelled.", "Try again", "Welcome to Front Desk")
        hangs.stop()
        click(the("Try again"))
        yield shown("Welcome to Front Desk", "could not reach", "goes on trying", "Try again")
        answers.start()
        click(the("Try again"))
        yield shown("Signed in", "80 people")
        yield gone("could not reach")

    visit(script, connection=connection_file(tmp_path, access.base_url), api_key=access.api_key)


def test_a_connection_file_that_cannot_be_read_is_said_and_opens_no_other_account(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    kept = Account(id="a", name="Riverside", base_url=access.base_url, auth_method=AuthMethod.KEY)
    AccountRegistry(tmp_path / "data").keep(kept)

    def script(_container: Container) -> Script:
        yield shown("The connection file none.json could not be opened.", "Welcome to Front Desk")

    visit(script, connection=tmp_path / "none.json", api_key=access.api_key)


def test_signed_in_again_a_line_is_there_and_a_reading_is_told_and_without_the_vault_the_lists_are(
    visit: Visit, service: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = service.start()

    def a_half_typed_line_is_there_again_after_signing_out_and_in(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        press(Qt.Key.Key_N, CTRL)
        write("Zora Nea")
        yield from choose_in_menu(container, "Sign out")
        yield shown("Welcome to Front Desk")
        yield from enter_with_key(access)
        said = "You had typed this earlier. It is not added yet."
        yield shown("80 people", "Zora Nea", said, "Up to date")

    def reading_again_is_seen_at_once_and_agrees_with_the_header_in_the_end(
        container: Container,
    ) -> Script:
        service.stop()
        press(Qt.Key.Key_F5)
        status_bar = container.window.findChild(StatusBar)
        assert isinstance(status_bar, StatusBar)
        assert "Reading both lists" in text_on_screen()
        yield shown("Offline, as of", "List as of")
        assert "Up to date" not in text_on_screen()
        service.start()

    def sign_in(container: Container) -> Script:
        yield from a_half_typed_line_is_there_again_after_signing_out_and_in(container)
        yield from reading_again_is_seen_at_once_and_agrees_with_the_header_in_the_end(container)

    def the_vault_keeps_silent() -> Script:
        yield shown("80 people", "Asking this computer's vault", "Stop")
        assert "Welcome to Front Desk" not in text_on_screen()

    def close(container: Container) -> Script:
        yield from the_vault_keeps_silent()
        container.window.close()
        yield Until("the end", lambda: not container.window.isVisible())

    def stop(_container: Container) -> Script:
        yield from the_vault_keeps_silent()
        click(the("Stop"))
        yield shown("Welcome to Front Desk")

    visit(sign_in)

    async def silent(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("app.accounts.credential_store.CredentialStore.recall", silent)
    visit(close)
    visit(stop)
