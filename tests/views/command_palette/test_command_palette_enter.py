"""Enter, where who is meant is still being looked for."""

from collections.abc import Iterator

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.command_palette.command_palette import CommandPaletteScreen
from app.views.command_palette.command_palette import CommandPalette
from app.views.widgets.buttons import button
from tests.views.held_key import press_held


class Looking(CommandPaletteScreen):
    """Looks for as long as a test says."""

    def find(self, *rows: Command, is_looking: bool = False) -> None:
        """So much is found by now."""
        self._set_state(msgspec.structs.replace(self.state, rows=rows, is_looking=is_looking))


PAGE = Command(CommandKind.ACTION, "page", "The page before")
PERSON = Command(CommandKind.PERSON, "ada", "Ada Lovelace")


@pytest.fixture
def palette(qapp: QApplication) -> Iterator[tuple[CommandPalette, Looking, list[Command]]]:
    window, screen, gone_to = QWidget(), Looking(), list[Command]()
    window.resize(800, 600)
    window.show()
    palette = CommandPalette(screen, window)
    palette.destination_chosen.connect(gone_to.append)
    palette.open([(PAGE, lambda: gone_to.append(PAGE))], None)
    yield palette, screen, gone_to
    qapp.processEvents()
    shiboken6.delete(window)


def test_enter_goes_to_what_is_found_for_what_was_typed(
    palette: tuple[CommandPalette, Looking, list[Command]],
) -> None:
    shown, screen, gone_to = palette
    screen.find(PAGE, is_looking=True)
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert gone_to == []
    screen.find(PERSON)
    assert gone_to == [PERSON]
    assert shown.isHidden()


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_A, Qt.Key.Key_Escape])
def test_whoever_goes_on_by_another_key_goes_nowhere_by_the_enter_before(
    palette: tuple[CommandPalette, Looking, list[Command]], key: Qt.Key
) -> None:
    shown, screen, gone_to = palette
    screen.find(PAGE, is_looking=True)
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    QTest.keyClick(shown.field, key)
    screen.find(PERSON)
    assert gone_to == []
    shown.close_again()


def test_an_enter_that_is_held_chooses_nothing_in_the_palette_it_opened(
    palette: tuple[CommandPalette, Looking, list[Command]], qtbot: QtBot
) -> None:
    shown, screen, gone_to = palette
    shown.close_again()

    def open_palette() -> None:
        shown.open([(PAGE, lambda: gone_to.append(PAGE))], None)
        screen.find(PAGE)

    opens = button("Find", open_palette)
    opens.setParent(shown.parentWidget())
    opens.show()
    with qtbot.waitActive(opens.window()):
        opens.window().activateWindow()
    opens.setFocus()
    press_held(Qt.Key.Key_Return)
    assert (gone_to, shown.isVisible()) == ([], True)
    press_held(Qt.Key.Key_Return)
    assert gone_to == [PAGE]
