"""The window ends cleanly whatever is under way, and what nobody expected is shown, not lost."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog

from app.container import Container
from app.demo.options import Fault
from app.demo.server import DemoAccess, DemoServer
from app.runtime.paths import make_private_folder
from app.tour.main_job import shown
from app.tour.screen_reader import visible
from app.tour.script import Script, Until, click, press, type_text
from tests.end_to_end.steps import (
    CTRL,
    Serve,
    Visit,
    enter_with_key,
    gone,
    open_account_page,
    the,
    write,
)
from tests.loopback import NO_CERTIFICATES


def everybody(access: DemoAccess) -> int:
    """How many people the service has."""
    answer = httpx.get(
        f"{access.base_url}/v1/people/getAll.json",
        auth=(access.api_key, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    return int(answer.json()["people"]["total"])


def test_closing_while_the_service_hangs_ends_all_the_same(visit: Visit, serve: Serve) -> None:
    access = serve(faults=(Fault.parse("hang"),)).start()

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        container.window.close()
        yield Until("the end", lambda: False)

    visit(script)


def test_being_told_to_quit_before_the_window_is_shown_is_not_forgotten(visit: Visit) -> None:
    def script(container: Container) -> Script:
        container.quit()
        steps: tuple[Until, ...] = ()
        return (step for step in steps)

    visit(script)


def test_closing_with_the_account_page_open_ends_all_the_same(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        yield from open_account_page(access)
        container.window.close()
        yield Until("the end", lambda: False)

    visit(script)


def keep_nothing(folder: Path, hold: int) -> None:
    """As somebody chose who wants nothing kept on this computer."""
    chosen = {"hold_seconds": hold, "keep_on_this_computer": False}
    (make_private_folder(folder / "data") / "settings.json").write_text(json.dumps(chosen))


def test_closing_with_somebody_unsent_sends_them_first_where_nothing_is_kept(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    keep_nothing(tmp_path, hold=30)

    def add_and_close(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        press(Qt.Key.Key_N, CTRL)
        write("Zora Neale")
        press(Qt.Key.Key_Return)
        container.window.close()
        yield Until("the end", lambda: False)

    visit(add_and_close)
    assert everybody(access) == 81


def test_the_question_about_closing_keeps_the_window_open_and_goes_with_what_it_is_about(
    visit: Visit, service: DemoServer, tmp_path: Path
) -> None:
    keep_nothing(tmp_path, hold=0)
    access = service.start()
    reached: list[str] = []

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        press(Qt.Key.Key_N, CTRL)
        type_text("Bo")
        container.window.close()
        yield shown("The line for adding a person is not empty.")
        for _letter in "Bo":
            press(Qt.Key.Key_Backspace)
        yield gone("The line for adding a person is not empty.")
        reached.append("still open")
        service.stop()
        write("Zora Neale")
        press(Qt.Key.Key_Return)
        yield shown("Offline", "1 waiting")
        container.window.close()
        yield shown("1 person is not sent yet")
        click(the("Stay"))
        press(Qt.Key.Key_N, CTRL)
        write("Alice")
        service.start()
        press(Qt.Key.Key_F5)
        yield shown("81 people", "Signed in")
        container.window.close()
        yield shown("The line for adding a person is not empty.")
        # The keyboard is still in the line, which keeps what was typed.
        press(Qt.Key.Key_Escape)
        yield Until("staying", lambda: container.session_screen.state.notice is None)
        yield shown("Alice")
        container.window.close()
        yield shown("The line for adding a person is not empty.")
        reached.append("the third question")
        container.window.close()
        yield Until("the end", lambda: False)

    visit(script)
    # Closing unasked would have ended the visit without a word.
    assert len(reached) == 2


@pytest.mark.logs_errors
def test_an_error_in_a_slot_opens_a_window_with_details_to_copy(visit: Visit) -> None:
    def fail() -> None:
        raise RuntimeError("planted in a slot")

    def script(_container: Container) -> Script:
        yield shown("Welcome to Front Desk")
        QTimer.singleShot(0, fail)
        yield shown("Something went wrong in Front Desk", "Copy details")
        dialog = next(w for w in visible(QDialog))
        assert not dialog.isModal()
        click(the("Close"))

    visit(script, expect_crashes=True)


def test_the_program_ends_with_a_vault_that_hangs(tmp_path: Path, access: DemoAccess) -> None:
    program = f"""
import sys, threading, keyring.backends.SecretService as real
from PySide6.QtCore import QTimer
from app.accounts import vault
from app.application import run_window
from app.container import StartOptions
from pathlib import Path
hang = threading.Event().wait
real.Keyring.set_password = lambda *_: hang()
real.Keyring.get_preferred_collection = lambda *_: hang()
def accompany(container):
    screen = container.session_screen
    from app.viewmodels.sign_in.form import SignInForm
    QTimer.singleShot(300, lambda: screen.sign_in_with_key(
        SignInForm("Riverside", {access.base_url!r}), {access.api_key!r}))
    QTimer.singleShot(1500, container.window.close)
    class Companion:
        def stop(self): pass
    return Companion()
sys.exit(run_window(StartOptions(data_folder=Path({str(tmp_path)!r})), accompany))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "destroyed" not in done.stderr
