"""Whoever has the keyboard can be seen: each kind of control, focused and not, in every theme."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, QRect, QStringListModel, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QGridLayout,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QTabBar,
    QTableView,
    QTextBrowser,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.administrators import AdministratorStatus
from app.runtime.paths import resource
from app.viewmodels.flows.cards import Pill
from app.views.look.theme import THEMES, Theme, tokens
from app.views.widgets.buttons import button, card
from app.views.widgets.pill import NamePill
from tests.views.look.contrast import ratio

_BAND = 7
"""The ring is looked for this near to the edge, in pixels."""
_CHANGED = 3.0
"""WCAG 2.2, 2.4.13: the contrast of a pixel with itself before, where there is a ring."""


def nothing() -> None:
    """What the buttons do here."""


def with_role(made: QWidget, role: str) -> QWidget:
    made.setProperty("role", role)
    return made


def tabs() -> QTabBar:
    made = QTabBar()
    made.setProperty("role", "tabs")
    made.setDrawBase(False)
    made.addTab("People")
    made.addTab("Flows")
    return made


def choice() -> QComboBox:
    made = QComboBox()
    made.addItems(["Light", "Dark"])
    return made


def area() -> QScrollArea:
    made = QScrollArea()
    made.setWidget(QWidget())
    return made


def filled(view: QListView | QTableView | QTreeView) -> QWidget:
    view.setModel(QStringListModel(["one", "two"], view))
    return view


def pill() -> NamePill:
    made = NamePill()
    made.show_pill(PILL)
    return made


def roles(kind: str) -> list[str]:
    """Every role that the style sheet has a rule of its own for."""
    sheet = (resource("style") / "frontdesk.qss").read_text("utf-8")
    return sorted(set(re.findall(rf'{kind}\[role="([\w-]+)"\]', sheet)) - PAINTED_BY_HAND)


PAINTED_BY_HAND = {"flows", "people", "pill"}
PILL = Pill(
    text="Ada Lovelace", name="Ada Lovelace", person_id="1", status=AdministratorStatus.FOUND
)

KINDS: dict[str, Callable[[], QWidget]] = {
    "button": lambda: button("Copy", nothing),
    "button with an icon": lambda: button("Copy", nothing, icon="copy"),
    "pill": pill,
    "tool button": QToolButton,
    "line": lambda: QLineEdit("Ada"),
    "text": QPlainTextEdit,
    "read-only text": QTextBrowser,
    "choice": choice,
    "number": QSpinBox,
    "date": QDateEdit,
    "tick": lambda: QCheckBox("Keep"),
    "one of several": lambda: QRadioButton("Light"),
    "tabs": tabs,
    "list": lambda: filled(QListView()),
    "table": lambda: filled(QTableView()),
    "tree": lambda: filled(QTreeView()),
    "scrolled page": area,
}
KINDS |= {f"{role} button": partial(button, "Add", nothing, role) for role in roles("QPushButton")}
KINDS |= {
    f"{role} {kind.__name__}": partial(lambda kind, role: with_role(kind(), role), kind, role)
    for kind in (QLineEdit, QToolButton, QTableView, QListView)
    for role in roles(kind.__name__)
}


@pytest.fixture(scope="module")
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The application as it is dressed."""
    made = Theme(qapp)
    yield made
    made.set_contrast(False)
    made.choose("light")
    shiboken6.delete(made)


@pytest.mark.parametrize("scheme", [each.scheme for each in THEMES])
def test_every_control_with_the_keyboard_wears_a_ring_on_the_ground_and_on_a_card(
    theme: Theme, qtbot: QtBot, scheme: str
) -> None:
    if tokens().scheme != scheme:
        choice, _, contrast = scheme.partition("-")
        theme.set_contrast(bool(contrast))
        theme.choose(choice)
    window = with_role(QWidget(), "ground")
    window.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    places = QGridLayout(window)
    controls: list[tuple[str, QWidget]] = []
    grounds: dict[str, Callable[[], QWidget]] = {"the ground": QWidget, "a card": card}
    for row, (ground, make_surface) in enumerate(grounds.items()):
        for column, (kind, make) in enumerate(KINDS.items()):
            surface, control = make_surface(), make()
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.setFixedWidth(160)
            QVBoxLayout(surface).addWidget(control)
            places.addWidget(surface, 4 * row + column // 7, column % 7)
            controls.append((f"{kind} on {ground}", control))
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    give(controls[0][1], QEvent.Type.FocusOut)
    for name, control in controls:
        around = QRect(control.mapTo(window, QPoint()), control.size()).adjusted(-9, -9, 9, 9)
        without = window.grab(around).toImage()
        control.setFocus(Qt.FocusReason.TabFocusReason)
        with_it = window.grab(around).toImage()
        place = QRect(QPoint(9, 9), control.size())
        assert changed_share(without, with_it, edge_of(control, place)) > 0.85, name
        # Qt draws a mark of its own inside once somebody has pressed Tab: one is enough.
        window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        assert window.grab(around).toImage() == with_it, f"two rings: {name}"
        window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange, on=False)
        control.clearFocus()
        assert window.grab(around).toImage() == without, name


def give(control: QWidget, kind: QEvent.Type) -> None:
    """The window has opened with its only control focused: take that away."""
    assert kind is QEvent.Type.FocusOut
    control.clearFocus()
    QApplication.sendEvent(control, QFocusEvent(kind))


def edge_of(control: QWidget, place: QRect) -> QRect:
    """Where the ring belongs: around the chosen tab, else around the whole control."""
    if isinstance(control, QTabBar):
        return control.tabRect(control.currentIndex()).translated(place.topLeft())
    return place


def changed_share(before: QImage, after: QImage, place: QRect) -> float:
    """How much of the way around has, near the edge, a pixel that changed enough to be seen."""
    down = range(place.top() + _BAND, place.bottom() - _BAND)
    across = range(place.left() + _BAND, place.right() - _BAND)
    ways = [[(place.left() + d, y) for d in range(_BAND)] for y in down]
    ways += [[(place.right() - d, y) for d in range(_BAND)] for y in down]
    ways += [[(x, place.top() + d) for d in range(_BAND)] for x in across]
    ways += [[(x, place.bottom() - d) for d in range(_BAND)] for x in across]
    seen = sum(
        any(
            ratio(before.pixelColor(x, y).name(), after.pixelColor(x, y).name()) >= _CHANGED
            for x, y in inwards
        )
        for inwards in ways
    )
    return seen / len(ways)
