"""The icon in the tray: closing the window leaves the program there, and its menu leads back.

The desktop of these tests has no tray; that it has one is pretended.
"""

import json
from pathlib import Path
from typing import ClassVar, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QIcon, QImage
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from app.container import Container
from app.runtime.paths import make_private_folder
from app.tour.main_job import shown
from app.tour.script import Script, Until, press
from app.views.look.theme import theme_of
from app.views.tray import tray_icon
from tests.end_to_end.steps import CTRL, Visit, write


@pytest.fixture(autouse=True)
def chosen(tmp_path: Path) -> None:
    """Somebody has chosen to have the icon."""
    folder = make_private_folder(tmp_path / "data")
    (folder / "settings.json").write_text(json.dumps({"tray": True, "hold_seconds": 30}))


class SeenIcon(QSystemTrayIcon):
    """What it was told last."""

    said: ClassVar[list[str]] = []
    pictures: ClassVar[list[QImage]] = []

    def showMessage(self, _title: str, words: str, _icon: QIcon) -> None:  # type: ignore[override]  # noqa: N802 - as it is called
        """Said beside it."""
        self.said.append(words)

    def setIcon(self, icon: QIcon) -> None:  # type: ignore[override]  # noqa: N802 - Qt's name
        """What is seen."""
        self.pictures.append(icon.pixmap(64, 64).toImage())
        super().setIcon(icon)


@pytest.fixture
def tray(monkeypatch: pytest.MonkeyPatch) -> type[SeenIcon]:
    """A tray to look at, with nothing in it."""
    monkeypatch.setattr(tray_icon, "tray_available", lambda: True)
    monkeypatch.setattr(tray_icon, "QSystemTrayIcon", SeenIcon)
    SeenIcon.said.clear()
    SeenIcon.pictures.clear()
    return SeenIcon


def line_of_menu(words: str) -> QAction:
    """Of the icon's menu, which is no window's."""
    menus = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMenu)]
    lines = (line for menu in menus if menu.parent() is None for line in menu.actions())
    return next(line for line in lines if line.text() == words)


def test_closing_leaves_the_window_in_the_tray_marked_and_quitting_from_there_asks_first(
    visit: Visit, tmp_path: Path, tray: type[SeenIcon]
) -> None:
    theme = theme_of(cast(QApplication, QApplication.instance()))

    def script(container: Container) -> Script:
        yield shown("80 people")
        yield from the_mark_of_who_waits_has_the_colours_of_the_theme()
        yield from closing_leaves_it_there(container.window)

    def the_mark_of_who_waits_has_the_colours_of_the_theme() -> Script:
        plain = tray.pictures[-1]
        theme.choose("light")
        write("Ada Kept")
        press(Qt.Key.Key_Return)
        yield Until("the mark", lambda: tray.pictures[-1] != plain)
        light = tray.pictures[-1]
        theme.choose("dark")
        assert tray.pictures[-1] not in (plain, light)
        theme.choose("light")
        assert tray.pictures[-1] == light
        press(Qt.Key.Key_Z, CTRL)
        press(Qt.Key.Key_A, CTRL)
        press(Qt.Key.Key_Backspace)

    def closing_leaves_it_there(window: QWidget) -> Script:
        write("Ada Lovelace")
        window.close()
        yield Until("the window in the tray", lambda: not window.isVisible())
        assert tray.said == ["Front Desk is still open here. Quit in this menu ends it."]
        line_of_menu("Open Front Desk").trigger()
        yield shown("80 people", "Lovelace")
        window.close()
        assert len(tray.said) == 1
        line_of_menu("Add a person").trigger()
        yield shown("Large window", "Whoever you add stands here.")
        window.close()
        line_of_menu("Quit").trigger()
        yield shown("The line for adding a person is not empty.", "Close Front Desk")
        press(Qt.Key.Key_Escape)
        press(Qt.Key.Key_Escape)
        press(Qt.Key.Key_Q, CTRL)  # ends it, where closing does not
        yield Until("the end", lambda: False)

    try:
        visit(script, demo=True)
    finally:
        theme.choose("system")
    # It was lent to add one: the next start has the large window again.
    assert '"small":true' not in (tmp_path / "data" / "places.json").read_text()


def test_where_the_desktop_has_no_tray_closing_ends_the_program_and_the_setting_says_so(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tray_icon, "tray_available", lambda: False)

    def script(container: Container) -> Script:
        yield shown("80 people")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("This desktop has no tray, so no icon is seen")
        container.window.close()
        yield Until("the end", lambda: False)

    visit(script, demo=True)
