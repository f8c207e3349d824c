"""The report in the real window: read first, then copied."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app import __version__
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import named
from app.tour.script import Script, Until, click, press
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, the, write


def text() -> str:
    field = named("The report", QPlainTextEdit)
    return field.toPlainText() if isinstance(field, QPlainTextEdit) else ""


def test_the_report_is_shown_before_it_goes_anywhere(visit: Visit, access: DemoAccess) -> None:
    def script(_container: Container) -> Script:
        yield from enter_with_key(access, name="Riverside Community")
        yield shown("Up to date")
        press(Qt.Key.Key_K, CTRL)
        write("save a report")
        press(Qt.Key.Key_Return)
        yield Until("the report", lambda: f"Front Desk {__version__}" in text(), 60)
        for told in ("doctor", "settings", "log", "chromium", "hold_seconds"):
            assert told in text()
        for private in ("Riverside", access.base_url, access.api_key):
            assert private not in text()
        # Whoever looks a key up in between has the same report.
        press(Qt.Key.Key_F1)
        yield shown("Keys and help")
        press(Qt.Key.Key_Escape)
        assert f"Front Desk {__version__}" in text()
        click(the("Copy"))
        yield shown("Copied")
        assert QApplication.clipboard().text() == text()
        press(Qt.Key.Key_Escape)
        yield shown("people")

    visit(script)
