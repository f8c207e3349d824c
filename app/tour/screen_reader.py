"""What stands on the screen, for the tour and the tests: the text a person could read, and where a
thing can be clicked.

It looks at widgets and never at a view-model. Inside the account's page it asks the page for its
text and for the place of an element, both of which a person sees.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)

_CHILDREN_ALONE = Qt.FindChildOption.FindDirectChildrenOnly


def visible(kind: type[QWidget] = QWidget) -> Iterator[QWidget]:
    """Every widget of `kind` that is on the screen, the topmost window first."""
    windows = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    windows.sort(key=lambda w: isinstance(w, QDialog), reverse=True)
    for window in windows:
        for widget in _shown_with(window):
            if isinstance(widget, kind):
                yield widget


def _shown_with(widget: QWidget) -> Iterator[QWidget]:
    """This visible one and all that is visible inside.

    Each is asked for its own children alone: of all that `findChildren` finds at once, PySide keeps
    what Qt made (viewports, scroll bars) until the window ends, long after they are gone.
    """
    still_to_tell = [widget]
    while still_to_tell:
        inner = still_to_tell.pop()
        yield inner
        children = inner.findChildren(QWidget, options=_CHILDREN_ALONE)
        still_to_tell += [child for child in reversed(children) if child.isVisible()]


def text_on_screen() -> str:
    """All that can be read in the program's windows, a piece a line."""
    return "\n".join(piece for widget in visible() for piece in _texts(widget) if piece)


def stands_on_screen(*texts: str) -> bool:
    """Whether each of these can be read in one piece somewhere: what is quick to read comes first.

    Rows are asked of their model a cell at a time, and looking waits for most things many times.
    """
    missing, lists = set(texts), []
    for widget in visible():
        if isinstance(widget, QAbstractItemView):
            lists.append(widget)
        else:
            missing -= _found_in(widget, missing)
        if not missing:
            return True
    for view in lists:
        missing -= _found_in(view, missing)
    return not missing


def _found_in(widget: QWidget, wanted: set[str]) -> set[str]:
    return {text for piece in _texts(widget) for text in wanted if text in piece}


def named(name: str, kind: type[QWidget] = QWidget) -> QWidget | None:
    """The first visible widget that carries this text, accessible name or placeholder."""
    return next((w for w in visible(kind) if name in _names(w)), None)


def web_view() -> Any:  # noqa: ANN401 - naming its class would load WebEngine
    """The embedded browser on the screen, or None; known by its class's name alone."""
    for widget in visible():
        if widget.inherits("QWebEngineView"):
            return widget
    return None


class Page:
    """The account's page in the embedded browser, as it is seen."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._text = ""
        self._places: dict[tuple[str, str], QPoint] = {}

    def says(self, wanted: str) -> bool:
        """Whether the page shows this text; it is asked anew each time."""
        view = web_view()
        if view is None:
            return False
        view.page().toPlainText(self._saw_text)
        return wanted in self._text

    def place_of(self, selector: str, text: str = "") -> QPoint | None:
        """The middle of the first element that matches, in the view's pixels; None if not seen.

        Before its first picture a page drops clicks, so nothing on it counts as seen.
        """
        view = web_view()
        if view is None:
            return None
        question = (selector, text)
        script = _PLACE % (json.dumps(selector), json.dumps(text))
        view.page().runJavaScript(script, partial(self._saw_place, question))
        return self._places.pop(question, None)

    def _saw_text(self, text: str) -> None:
        self._text = text

    def _saw_place(self, question: tuple[str, str], answer: str) -> None:
        if answer:
            x, y = json.loads(answer)
            self._places[question] = QPoint(round(x), round(y))


_PLACE = """
(() => {
  if (!performance.getEntriesByType("paint").length) return "";
  const seen = [...document.querySelectorAll(%s)]
    .filter(e => (e.innerText || e.value || "").includes(%s))
    .map(e => e.getBoundingClientRect()).filter(r => r.width > 0)[0];
  return seen ? JSON.stringify([seen.x + seen.width / 2, seen.y + seen.height / 2]) : "";
})()
"""


def row_place(view: QAbstractItemView, text: str) -> QPoint | None:
    """The middle of the first visible cell that shows `text`, in the viewport's pixels."""
    for cell in _cells(view):
        if text in _said(cell):
            return view.visualRect(cell).center()
    return None


def _names(widget: QWidget) -> tuple[str, ...]:
    names = [widget.accessibleName()]
    if isinstance(widget, QAbstractButton | QLabel):
        names.append(widget.text())
    return tuple(names)


def _texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QAbstractButton | QLabel):
        yield widget.text()
    elif isinstance(widget, QLineEdit):
        yield widget.text() or widget.placeholderText()
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(index) for index in range(widget.count()))
    elif isinstance(widget, QAbstractItemView):
        yield from map(_said, _cells(widget))


def _said(index: QModelIndex) -> str:
    """A cell's text with its badges, as a screen reader says it; that is what is painted."""
    return str(index.data(Qt.ItemDataRole.AccessibleTextRole) or index.data() or "")


def _cells(view: QAbstractItemView) -> Iterator[QModelIndex]:
    """Those of each row of which anything is seen."""
    model: QAbstractItemModel | None = view.model()
    if model is None:
        return
    seen = view.viewport().rect()
    columns = model.columnCount() if isinstance(model, QAbstractTableModel) else 1
    first = max(view.indexAt(QPoint(4, 4)).row(), 0)
    for row in range(first, model.rowCount()):
        cells = [model.index(row, column) for column in range(columns)]
        if not any(view.visualRect(cell).intersects(seen) for cell in cells):
            return
        yield from cells
