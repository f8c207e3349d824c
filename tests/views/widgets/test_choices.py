"""Choices of which one is on: Tab comes to that one, whichever way it comes."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QRadioButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.chips import Chip, Chips
from app.views.widgets.choices import RadioGroup


@dataclass(frozen=True)
class Choice:
    text: str

    @property
    def spoken(self) -> str:
        return self.text

    @property
    def value(self) -> str:
        return self.text

    @property
    def words(self) -> str:
        return self.text


CHOICES = tuple(map(Choice, ("one", "two", "three")))


def chips() -> QWidget:
    made = Chips("Chips")
    made.show_choices(CHOICES, 0)
    made.show_choices(CHOICES, 1)
    return made


def radio_group() -> QWidget:
    made = RadioGroup("Choices", CHOICES)
    made.show_value("two")
    return made


@pytest.mark.parametrize("make", [chips, radio_group])
@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_leads_to_the_choice_that_is_on_before_any_has_had_the_keyboard(
    qtbot: QtBot, make: object, key: Qt.Key
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    rows = QVBoxLayout(window)
    before, after = QLineEdit(), QLineEdit()
    for widget in (before, make(), after):  # type: ignore[operator]
        rows.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    (before if key is Qt.Key.Key_Tab else after).setFocus()
    QTest.keyClick(window, key)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QRadioButton)
    assert focused.text() == "two"


@pytest.mark.parametrize(
    ("direction", "onward", "back"),
    [
        (Qt.LayoutDirection.LeftToRight, Qt.Key.Key_Right, Qt.Key.Key_Left),
        (Qt.LayoutDirection.RightToLeft, Qt.Key.Key_Left, Qt.Key.Key_Right),
    ],
)
def test_the_arrows_lead_through_all_rows_as_they_are_read(
    qtbot: QtBot, direction: Qt.LayoutDirection, onward: Qt.Key, back: Qt.Key
) -> None:
    group = RadioGroup("Choices", CHOICES)
    group.setLayoutDirection(direction)
    qtbot.addWidget(group)
    group.show_value("one")
    group.resize(group.findChildren(QRadioButton)[0].sizeHint().width() * 2 + 30, 200)
    group.show()
    group.activateWindow()
    qtbot.waitUntil(group.isActiveWindow)
    group.focus()
    assert (
        len({button.mapTo(group, QPoint()).y() for button in group.findChildren(QRadioButton)}) == 2
    )

    def pressed(key: Qt.Key) -> str:
        before = QApplication.focusWidget()
        assert before is not None
        QTest.keyClick(before, key)
        here = QApplication.focusWidget()
        assert isinstance(here, QRadioButton)
        assert here.isChecked()
        return here.text()

    assert [pressed(onward) for _ in range(3)] == ["two", "three", "three"]
    assert [pressed(back) for _ in range(3)] == ["two", "one", "one"]


@dataclass(frozen=True)
class Row:
    """Chips in a window with so much room for them."""

    window: QWidget
    chips: Chips

    def rows(self) -> int:
        QApplication.processEvents()
        return len({chip.mapTo(self.window, QPoint()).y() for chip in self.shown()})

    def shown(self) -> list[Chip]:
        return self.chips.findChildren(Chip)


def test_room_for_digits_that_may_come_begins_no_second_row(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    row = Row(window, Chips("Who is shown"))
    around = QVBoxLayout(window)
    around.addWidget(row.chips)
    counted = [Choice(f"Everybody {n}") for n in (999, 120, 45)]
    row.chips.show_choices(counted, 0)
    window.show()
    margins = around.contentsMargins()
    words = sum(chip.room(spare=False) for chip in row.shown())
    # Somebody counted once more has room in the row, everybody has not.
    first = row.shown()[0]
    digit = first.room(spare=True) - first.room(spare=False)
    window.resize(words + 12 + digit + margins.left() + margins.right(), 200)
    assert row.rows() == 1
    before = [chip.geometry() for chip in row.shown()]
    row.chips.show_choices([Choice("Everybody 1000"), *counted[1:]], 0)
    assert row.rows() == 1
    assert [chip.geometry() for chip in row.shown()] == before
    # In larger letters all of them need more.
    small = first.room(spare=False)
    large = first.font()
    large.setPointSizeF(large.pointSizeF() * 2)
    first.setFont(large)
    assert first.room(spare=False) > small * 3 // 2
