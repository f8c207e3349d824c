"""What is wrong with a window as it lies there: cut, squeezed, hanging out or on top of another,
or with the keyboard where nobody sees it.

The rules look at geometry alone and know no widget of ours. A widget that is meant to lie above
its neighbours says so with the property `stands_above`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

_OWN_AFFAIR = (QLineEdit, QComboBox, QAbstractSpinBox, QTabBar, QAbstractItemView, QTextEdit)
"""Qt sets out the parts of these itself."""
_TARGETS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QTabBar)
_TARGET = 24
_ROUNDING = 1
"""At 150 % a place is not always a whole pixel."""
_ARROW = 24
"""What Qt keeps of a choice for the mark beside it."""
_AIR = 10
"""What Qt asks for beside the name of a column and its padding."""
_CHILDREN_ALONE = Qt.FindChildOption.FindDirectChildrenOnly
_UNSEEN = 8
"""Qt does not mirror the margins of a layout; a few pixels of difference nobody sees."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with one widget."""

    rule: str
    widget: str
    detail: str


def path(widget: QWidget) -> str:
    """Where a widget stands, by the classes around it and its text."""
    steps: list[str] = []
    at: QWidget | None = widget
    while at is not None:
        steps.append(type(at).__name__)
        at = None if at.isWindow() else at.parentWidget()
    text = _text(widget) or widget.accessibleName()
    return " > ".join(reversed(steps[:5])) + (f" “{text[:60]}”" if text else "")


def seen(window: QWidget) -> list[QWidget]:
    """The widgets that `window` shows, without those that Qt's own controls are made of."""
    return [widget for widget, _ in _with_addresses(window)]


def findings(window: QWidget) -> Iterator[Finding]:
    """Everything that is wrong in `window` now."""
    widgets = seen(window)
    for widget in widgets:
        for rule in (_hangs_out, _squeezed, _cut, _small):
            detail = rule(widget)
            if detail:
                yield Finding(rule.__name__.strip("_"), path(widget), detail)
    for one, other in _neighbours(widgets):
        common = one.geometry().intersected(other.geometry())
        if common.width() > _ROUNDING and common.height() > _ROUNDING:
            yield Finding("overlap", path(one), f"{_size(common)} under {path(other)}")
    if isinstance(window, QMenu):
        yield from _menu_findings(window)
    focused = QApplication.focusWidget()
    if focused is not None and focused in widgets and _out_of_sight(focused):
        # WCAG 2.2, 2.4.11.
        yield Finding("unseen focus", path(focused), "has the keyboard, and is out of sight")


def mirror_findings(
    before: dict[str, tuple[QRect, int]], after: dict[str, tuple[QRect, int]]
) -> Iterator[Finding]:
    """Where `after` (see `places`) is not the mirror image of `before`."""
    for key, (place, width) in after.items():
        if key not in before:
            continue
        was, was_width = before[key]
        if (was.size(), was_width) != (place.size(), width):
            continue  # what it says has changed with the time of day
        wanted = width - was.x() - was.width()
        if abs(wanted - place.x()) > _UNSEEN:
            yield Finding("not mirrored", key, f"at {place.x()}, mirrored it is at {wanted}")


def places(window: QWidget) -> dict[str, tuple[QRect, int]]:
    """Where everything lies in its parent, and how wide that is; by class and number."""
    found: dict[str, tuple[QRect, int]] = {}
    for widget, address in _with_addresses(window):
        parent = widget.parentWidget()
        if parent is not None and not isinstance(parent, QScrollArea):
            found[address] = (widget.geometry(), parent.width())
    return found


# The rules: each gives what is wrong, or nothing


def _hangs_out(widget: QWidget) -> str:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow():
        return ""
    if _is_viewport(parent):
        # A page may be higher than its view; nobody should have to scroll it sideways.
        wider = widget.width() - parent.width()
        return f"{wider} wider than what can be seen" if wider > _ROUNDING else ""
    room = parent.rect().adjusted(-_ROUNDING, -_ROUNDING, _ROUNDING, _ROUNDING)
    if widget.geometry().isEmpty() or room.contains(widget.geometry()):
        return ""
    return f"{_place(widget.geometry())} in a parent of {_size(parent.rect())}"


def _squeezed(widget: QWidget) -> str:
    least = widget.minimumSizeHint().boundedTo(widget.maximumSize())
    if isinstance(widget, QScrollArea) or not least.isValid():
        return ""
    if widget.width() + _ROUNDING < least.width() or widget.height() + _ROUNDING < least.height():
        return f"is {_size(widget.rect())}, needs {least.width()}x{least.height()}"
    return ""


def _small(widget: QWidget) -> str:
    """Who cannot hold a mouse still hits what is as large as this (WCAG 2.2, 2.5.8)."""
    short = min(widget.width(), widget.height()) < _TARGET
    return f"is {_size(widget.rect())}" if short and isinstance(widget, _TARGETS) else ""


def _cut(widget: QWidget) -> str:
    return next((rule(widget) for kind, rule in _CUTS if isinstance(widget, kind)), "")


def _cut_tabs(tabs: QTabBar) -> str:
    scrolls = any(each.isVisible() for each in tabs.findChildren(QToolButton))
    return "its tabs have to be scrolled" if scrolls else _narrow(tabs)


def _cut_choice(choice: QComboBox) -> str:
    wanted = choice.fontMetrics().horizontalAdvance(choice.currentText())
    return "its choice is cut" if wanted > choice.width() - _ARROW else ""


def _low(line: QWidget) -> str:
    low = line.height() + _ROUNDING < line.fontMetrics().height()
    return "lower than a line of text" if low else ""


def _cut_label(label: QLabel) -> str:
    if not label.text():
        return ""
    if label.hasHeightForWidth():
        needs = label.heightForWidth(label.width())
        return f"needs {needs}, has {label.height()} high" if needs > label.height() + 1 else ""
    return _shortened(label) if _paints_itself(label) else _narrow(label)


def _cut_button(button: QAbstractButton) -> str:
    return _shortened(button) if _paints_itself(button) else _narrow(button)


def _cut_heads(table: QTableView) -> str:
    """Qt cuts the name of a column without dots."""
    heads: QHeaderView = table.horizontalHeader()
    model = heads.model()
    names = [
        str(model.headerData(column, Qt.Orientation.Horizontal))
        for column in range(heads.count())
        if not heads.isSectionHidden(column)
        and heads.sectionSize(column) + _AIR < heads.sectionSizeHint(column)
    ]
    return f"names of columns are cut: {', '.join(names)}" if names and heads.isVisible() else ""


def _shortened(widget: QWidget) -> str:
    """What ends in dots has to say the whole somewhere."""
    shortened = widget.width() + _ROUNDING < widget.sizeHint().width()
    return "shortened, and no tool tip says the whole" if shortened and not widget.toolTip() else ""


def _narrow(widget: QWidget) -> str:
    wanted = widget.sizeHint().width()
    if widget.width() + _ROUNDING < wanted:
        return f"is {widget.width()} wide, needs {wanted}"
    return ""


_CUTS: tuple[tuple[type[QWidget], Callable[..., str]], ...] = (
    (QLabel, _cut_label),
    (QAbstractButton, _cut_button),
    (QTabBar, _cut_tabs),
    (QTableView, _cut_heads),
    (QComboBox, _cut_choice),
    (QLineEdit, _low),
    (QAbstractSpinBox, _low),
)


def _menu_findings(menu: QMenu) -> Iterator[Finding]:
    owner = menu.parentWidget()
    place = QRect(menu.pos(), menu.size())
    if owner is not None and not owner.window().geometry().contains(place):
        where = f"{_place(place)} of a window {_place(owner.window().geometry())}"
        yield Finding("leaves the window", path(menu), where)
    for action in menu.actions():
        if action.isVisible() and not menu.rect().contains(menu.actionGeometry(action)):
            yield Finding("cut", path(menu), f"no room for “{action.text()}”")


# How widgets hang together


def _with_addresses(window: QWidget) -> Iterator[tuple[QWidget, str]]:
    """Those of `seen`, each before what it holds, and where it is among what its parent holds."""
    to_tell: list[tuple[QWidget, str]] = []
    widget, address = window, ""
    while True:
        if not isinstance(widget, _OWN_AFFAIR):
            held = widget.findChildren(QWidget, options=_CHILDREN_ALONE)
            viewport = widget.viewport() if isinstance(widget, QAbstractScrollArea) else None
            to_tell += [
                (child, f"{address}{type(child).__name__} {number}")
                for number, child in reversed([*enumerate(held)])
                if not (child.isHidden() or child.isWindow()) and viewport in {None, child}
            ]
        if not to_tell:
            return
        widget, address = to_tell.pop()
        yield widget, address
        address += " > "


def _is_viewport(widget: QWidget) -> bool:
    area = widget.parentWidget()
    return isinstance(area, QAbstractScrollArea) and area.viewport() is widget


def _neighbours(widgets: list[QWidget]) -> Iterator[tuple[QWidget, QWidget]]:
    families: dict[int, list[QWidget]] = {}
    for widget in widgets:
        if widget.parentWidget() is not None and not widget.property("stands_above"):
            families.setdefault(id(widget.parentWidget()), []).append(widget)
    for family in families.values():
        yield from combinations(family, 2)


def _out_of_sight(widget: QWidget) -> bool:
    """Whether it lies wholly outside of what something around it shows."""
    place, at = widget.rect(), widget
    while (parent := at.parentWidget()) is not None and not at.isWindow():
        place = place.translated(at.pos()) & parent.rect()
        at = parent
    return place.isEmpty()


def _paints_itself(widget: QWidget) -> bool:
    return any("paintEvent" in vars(c) for c in type(widget).__mro__ if c.__module__[:4] == "app.")


def _text(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""


def _size(rect: QRect) -> str:
    return f"{rect.width()}x{rect.height()}"


def _place(rect: QRect) -> str:
    return f"{_size(rect)} at {rect.x()},{rect.y()}"
