"""Ctrl+P shows what is in hand on pages and leads on to the printer; Escape leads back."""

from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Script, Until, press
from app.viewmodels.exporting import print_requests
from app.views.exporting.preview_page import PreviewPage
from app.views.flows.gaps_page import GapListView
from tests.end_to_end.steps import CTRL, Visit, choose_in_menu, click_row, enter_with_key, write

pytestmark = pytest.mark.usefixtures("settles_sooner")


def pages_begin_with(container: Container, words: str) -> Until:
    def there() -> bool:
        screens = container.window.screens
        pages = screens.printing.state.pages if screens is not None else ()
        return bool(pages) and pages[0].words[0] == words and any(visible(PreviewPage))

    return Until(f"pages of {words}", there)


def save_as(container: Container, path: Path) -> Script:
    yield Until("where to save it", lambda: any(visible(QFileDialog)))
    (dialog,) = set(visible(QFileDialog))
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    # No window manager is here to do so.
    container.window.activateWindow()
    yield Until("the window", container.window.isActiveWindow)


def test_what_is_in_hand_is_shown_on_pages_and_saved_and_what_the_chosen_administer_on_one_each(
    visit: Visit, access: DemoAccess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        # Who administers what is known once the flows were joined with the people.
        yield shown("Newcomers", "Hana Kováčová")
        click_row("Baptism")
        yield shown("Preparation evenings")
        yield from choose_in_menu(container, "Copy flow as a picture")
        yield shown("The picture is copied.")
        assert QGuiApplication.clipboard().mimeData().hasImage()
        click_row("Baptism")
        press(Qt.Key.Key_P, CTRL)
        yield pages_begin_with(container, "Baptism")
        press(Qt.Key.Key_S, CTRL)
        yield from save_as(container, tmp_path / "Baptism.pdf")
        yield shown("Baptism.pdf is saved.")
        press(Qt.Key.Key_Escape)
        yield shown("Preparation evenings")
        assert "Print preview" not in text_on_screen()
        press(Qt.Key.Key_3)
        yield Until("the gaps", lambda: any(visible(GapListView)))
        press(Qt.Key.Key_P, CTRL)
        yield pages_begin_with(container, "Gaps")
        yield from choose_in_menu(container, "Print all flows…")
        yield pages_begin_with(container, "People flows")
        press(Qt.Key.Key_Escape)
        yield from prints_whoever_is_chosen(container)

    monkeypatch.setattr(print_requests, "_MOST_PEOPLE", 2)
    visit(script)
    (page,) = PdfReader(tmp_path / "Baptism.pdf").pages
    assert "Riverside" in page.extract_text()


def prints_whoever_is_chosen(container: Container) -> Script:
    press(Qt.Key.Key_1, CTRL)
    press(Qt.Key.Key_F, CTRL)
    write("grace lindqvist")
    yield shown("1 of 80")
    click_row("Grace Lindqvist")
    yield shown("Administers")
    press(Qt.Key.Key_P, CTRL)
    yield pages_begin_with(container, "Grace Lindqvist")
    assert "Only the first" not in text_on_screen()
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Delete)
    yield shown("80 people")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_P, CTRL)
    # Wherever in the list they stand who administer something.
    yield shown("Only the first 2 of the ")
    yield Until("two pages", lambda: "Page 1 of 2" in text_on_screen())
    around = container.window.header.findChildren(QAbstractButton)
    (first, *_) = [each for each in around if each.isVisible() and each.isEnabled()]
    first.setFocus()
    press(Qt.Key.Key_Escape)
    yield Until("the list", lambda: not any(visible(PreviewPage)))
