"""The style sheet and the widgets speak of the same roles: no rule for nobody, none missing."""

import re

from PySide6 import QtWidgets

from tests.views.look.style_roles import asked_for, in_the_sheet, sheet, views

NO_ROLE = {"", "*"}
"""Plain widgets, and roles handed on from one function to another."""
DEFAULTS = {("kind", "problem")}
"""What the sheet shows where no other value is set."""
MADE_BY_QT = {
    "QComboBox",
    "QScrollBar",
    "QTableCornerButton",
    "QTextEdit",
    "QToolTip",
    "QTreeView",
}
"""In its own dialogs, and around its own views."""


def test_every_rule_of_the_sheet_is_for_something_that_a_view_asks_for() -> None:
    asked = asked_for()
    switches = {name for name, value in asked if value == "*" and name != "role"}
    idle = {(name, value) for name, value in in_the_sheet() - asked if name not in switches}
    assert idle == set()


def test_every_role_that_a_view_asks_for_has_a_rule() -> None:
    roles = {value for name, value in asked_for() if name == "role"} - NO_ROLE
    assert {"title", "card", "link"} <= roles
    assert roles - {value for name, value in in_the_sheet() if name == "role"} == set()


def test_every_flag_of_the_sheet_is_set_by_some_view() -> None:
    flags = {name for name, _ in in_the_sheet()}
    assert flags - {name for name, _ in asked_for()} == set()


def test_every_kind_of_widget_in_the_sheet_is_one_that_is_shown() -> None:
    selectors = re.sub(r"\{[^{}]*\}", "", re.sub(r"\$\{\w+\}", "", sheet()))
    kinds = set(re.findall(r"\bQ[A-Z]\w+", selectors)) - MADE_BY_QT
    assert {"QLabel", "QPushButton"} <= kinds
    shown = {name for name in re.findall(r"\bQ[A-Z]\w+", views()) if hasattr(QtWidgets, name)}
    classes = [getattr(QtWidgets, name) for name in shown]
    unseen = {
        kind for kind in kinds if not any(_is(each, getattr(QtWidgets, kind)) for each in classes)
    }
    assert unseen == set()


def _is(kind: object, other: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, other)
