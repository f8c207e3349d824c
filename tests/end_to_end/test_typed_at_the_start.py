"""Whoever starts the program to add somebody types at once: no letter is lost, no key presses a
button that nobody has gone to.
"""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.container import Container
from app.demo.options import Fault
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, click, press, type_text
from tests.end_to_end.steps import Serve, Visit, enter_with_key, the
from tests.end_to_end.test_back_at_the_start import Watcher, connection_file
from tests.views.held_key import keep_held

TYPED = "Ada Lovelace ada@x.example"


def typed(container: Container) -> str:
    """What stands in the line for adding; blank while there is none."""
    workspace = container.window._workspace
    return "" if workspace is None else workspace.people.quick_add.line.text()


def type_at_once(text: str) -> None:
    """With no button in the keyboard's way, whose menu a blank would open and stand in."""
    assert not isinstance(QApplication.focusWidget(), QAbstractButton)
    type_text(text)


def test_what_is_typed_before_the_lists_are_there_stands_in_the_line_and_opens_no_menu(
    visit: Visit, serve: Serve, tmp_path: Path
) -> None:
    slow = serve(faults=(Fault.parse("slow"),), slow_seconds=0.4).start()

    def script(container: Container) -> Script:
        assert container.window.screens is None
        type_at_once(TYPED)
        # A letter that more than one key made.
        composed = QInputMethodEvent()
        composed.setCommitString("é")
        page = QApplication.focusWidget()
        assert page is not None
        QApplication.sendEvent(page, composed)
        press(Qt.Key.Key_Backspace)
        type_text("s")
        assert container.window.screens is None
        yield Until("the line", lambda: container.window.screens is not None)
        assert typed(container) == f"{TYPED}s"
        type_text("t")
        assert typed(container) == f"{TYPED}st"

    visit(script, connection=connection_file(tmp_path, slow.base_url), api_key=slow.api_key)


def test_with_the_demo_account_too_before_which_the_first_page_is_never_seen(visit: Visit) -> None:
    watchers: list[Watcher] = []

    def script(container: Container) -> Script:
        watchers.append(Watcher(container.window.first_start))
        type_at_once(TYPED)
        # As on the button that has led here.
        keep_held(Qt.Key.Key_Return)
        yield Until("the line", lambda: container.window.screens is not None)
        assert typed(container) == TYPED
        press(Qt.Key.Key_Return)
        yield shown("Ada Lovelace")

    visit(script, demo=True)
    assert not watchers[0].seen


def test_what_is_typed_while_nobody_comes_in_is_not_typed_into_another_page(
    visit: Visit, serve: Serve, access: DemoAccess, tmp_path: Path
) -> None:
    hangs = serve(faults=(Fault.parse("hang"),)).start()

    def script(container: Container) -> Script:
        type_at_once("Ada ")
        yield shown("Stop")
        click(the("Stop"))
        yield shown("Welcome to Front Desk")
        yield from enter_with_key(access, name="Other")
        yield shown("80 people")
        assert typed(container) == ""

    visit(script, connection=connection_file(tmp_path, hangs.base_url), api_key=hangs.api_key)
