"""What moves moves briefly, is in its place from the start, and only where it may."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.tour.script import click
from app.views.look.theme import Theme
from app.views.widgets.banner import MILLISECONDS, slide_in


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The application dressed, and things moving."""
    made = Theme(qapp)
    yield made
    made.set_motion(on=True)
    shiboken6.delete(made)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme) -> QWidget:  # noqa: ARG001 - it has to be dressed
    """A window on the screen, with a button in it."""
    made = QWidget()
    made.resize(200, 100)
    QPushButton("Close", made).setGeometry(20, 20, 100, 40)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def shown(window: QWidget) -> QPushButton:
    """The button, which has just appeared."""
    found = window.findChild(QPushButton)
    assert isinstance(found, QPushButton)
    return found


def above(widget: QWidget) -> list[QWidget]:
    return [each for each in widget.findChildren(QWidget) if each.isVisible()]


def test_what_appears_can_be_clicked_at_once_and_is_soon_bare(
    window: QWidget, shown: QPushButton, qtbot: QtBot
) -> None:
    clicks: list[str] = []
    shown.clicked.connect(lambda: clicks.append("click"))
    place = shown.geometry()
    slide_in(window)
    veil = next(each for each in above(window) if each is not shown)
    assert (shown.geometry(), veil.geometry()) == (place, window.rect())
    click(shown)
    assert clicks == ["click"]
    qtbot.waitUntil(lambda: above(window) == [shown])


def test_it_is_shorter_than_anybody_waits() -> None:
    assert MILLISECONDS < 150


def test_nothing_moves_when_nothing_may(shown: QPushButton, theme: Theme) -> None:
    theme.set_motion(on=False)
    slide_in(shown)
    assert above(shown) == []


def test_what_goes_before_it_has_come_leaves_nothing_behind(
    shown: QPushButton, qtbot: QtBot
) -> None:
    slide_in(shown)
    shown.hide()
    shown.show()
    qtbot.waitUntil(lambda: shown.findChildren(QWidget) == [])


def test_what_is_not_shown_needs_no_veil(shown: QPushButton) -> None:
    shown.hide()
    slide_in(shown)
    assert shown.findChildren(QWidget) == []
