"""Where things stand: lines that wrap, controls that wear a ring, what may be higher than its room,
and views that stay with what they show when a list is shown again.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from app.viewmodels.guarded_overrides import GuardedOverrides


class WrappingLayout(GuardedOverrides, QLayout):
    """Items keep the width they ask for; in a mirrored language they start from the right."""

    def __init__(self, gap: int = 8, *, down: int | None = None, spread: bool = False) -> None:
        """`gap` is the space between items, in pixels, `down` that between lines: None for as much.

        `spread`: behind the first item of a line there is whatever room is left, and the others
        stand at its end.
        """
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._set_out: dict[int, list[list[tuple[QLayoutItem, QSize]]]] = {}
        self._heights: dict[int, int] = {}
        self._minimum: QSize | None = None
        self._gap = gap
        self._down = gap if down is None else down
        self._spread = spread
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more item (Qt's own way in; `addWidget` ends here)."""
        self._items.append(item)
        self.invalidate()

    def insert_widget(self, widget: QWidget) -> None:
        """Set `widget` behind the others."""
        self.addChildWidget(widget)
        self._items.append(QWidgetItem(widget))
        self.invalidate()

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at `index`, or None behind the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give the item at `index` away."""
        self._forget()
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes no more room than it needs."""
        return Qt.Orientation(0)

    def invalidate(self) -> None:
        """Something in the items is another."""
        self._forget()
        super().invalidate()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at `width`; the layouts around ask for it many times."""
        if width not in self._heights:
            self._heights[width] = self._lay_out(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        """Set the items into `rect`."""
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The largest single item."""
        if self._minimum is None:
            size = QSize()
            for item in self._items:
                size = size.expandedTo(item.minimumSize())
            self._minimum = size
        return self._minimum

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        y = 0
        for line in self._lines(rect.width()):
            height = max(size.height() for _, size in line)
            if move:
                self._lay_out_line(line, rect.translated(0, y), height)
            y += height + self._down
        return max(y - self._down, 0)

    def _forget(self) -> None:
        self._set_out.clear()
        self._heights.clear()
        self._minimum = None

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        if width not in self._set_out:
            self._set_out[width] = self._broken_at(width)
        return self._set_out[width]

    def _broken_at(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        x = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            size.setWidth(min(size.width(), width))
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            if not lines or x + size.width() > width:
                lines.append([])
                x = 0
            lines[-1].append((item, size))
            x += size.width() + self._gap
        return lines

    def _lay_out_line(
        self, line: list[tuple[QLayoutItem, QSize]], rect: QRect, height: int
    ) -> None:
        x = 0
        taken = sum(size.width() + self._gap for _, size in line) - self._gap
        for item, size in line:
            left = rect.right() + 1 - x - size.width() if self._mirrored() else rect.left() + x
            top = rect.top() + (height - size.height()) // 2
            item.setGeometry(QRect(QPoint(left, top), size))
            room_left = rect.width() - taken if self._spread and not x else 0
            x += size.width() + self._gap + room_left

    def _mirrored(self) -> bool:
        parent = self.parentWidget()
        return parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft


def wrapping_box(
    gap: int = 8, *, down: int | None = None, spread: bool = False
) -> tuple[QWidget, WrappingLayout]:
    """A widget that wraps its children, and the layout to put them in (see `WrappingLayout`)."""
    box = QWidget()
    layout = WrappingLayout(gap, down=down, spread=spread)
    box.setLayout(layout)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    box.setSizePolicy(policy)
    return box, layout


class StackedPages(GuardedOverrides, QStackedWidget):
    """One page at a time, which alone says how much room there has to be."""

    def __init__(self) -> None:
        """No page yet."""
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """What the page that is shown needs."""
        shown = self.currentWidget()
        return QSize() if shown is None else shown.minimumSizeHint()


OUTSET = 5
"""Pixels of ring and air around a link or a thing to tick, as the style sheet has them."""


class FocusInset(GuardedOverrides, QHBoxLayout):
    """One control, its ring reaching out of the line; to be put into a layout with a margin."""

    def __init__(self, control: QWidget, *, air: bool = True) -> None:
        """`air`: there is room behind `control` in its line, which it need not fill."""
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        self.addWidget(control)
        if air:
            self.addStretch(1)

    def setGeometry(self, rect: QRect) -> None:
        """Begin before the line does, whichever side that is."""
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        super().setGeometry(rect.adjusted(0 if mirrored else -OUTSET, 0, OUTSET * mirrored, 0))


View = TypeVar("View", bound=QWidget)
_Key = tuple[Hashable, int]


class ReusedViews(Generic[View]):
    """Views by key. One whose key is gone is hidden and used again for the next new key."""

    def __init__(self, make: Callable[[], View]) -> None:
        """`make` builds one more view."""
        self._make = make
        self._shown: dict[_Key, View] = {}
        self._to_come: dict[_Key, View] = {}
        self._spare: list[View] = []
        self._had_keyboard: list[View] = []

    def take(self, keys: Sequence[Hashable]) -> list[View]:
        """A view for each key, in order; the same one as before where the key was there before.

        A key may come several times. What had the keyboard is not used for another key: whoever
        presses Enter next would act on something they have not seen.
        """
        views = list(self.one_by_one(keys))
        self.hide_others()
        return views

    def one_by_one(self, keys: Sequence[Hashable]) -> Iterator[View]:
        """The same views, each built when it is asked for; asking for other keys ends it.

        `hide_others` is the caller's to call, at the end or where it pauses.
        """
        wanted = _numbered(keys)
        stay = set(wanted)
        before = self._shown | self._to_come
        gone = [view for key, view in before.items() if key not in stay]
        focused = QApplication.focusWidget()
        had = [v for v in gone if focused and (v is focused or v.isAncestorOf(focused))]
        self._spare.extend(view for view in gone if view not in had)
        self._had_keyboard.extend(had)
        self._shown = {}
        self._to_come = {key: view for key, view in before.items() if key in stay}
        return self._each(wanted)

    def hide_others(self) -> None:
        """Hide all views but those that were given since keys were asked for."""
        self._spare.extend(self._had_keyboard)
        self._had_keyboard.clear()
        for view in (*self._to_come.values(), *self._spare):
            view.hide()

    @property
    def every(self) -> list[View]:
        """All there are, shown or not."""
        return [*self._shown.values(), *self._to_come.values(), *self._spare]

    def let_go(self, keep: int) -> Iterator[View]:
        """Those that are shown no more, but for as many as are kept, one by one: each is deleted
        in the next turn of the event loop.
        """
        while len(self._spare) > keep:
            view = self._spare.pop()
            view.deleteLater()
            yield view

    def _each(self, wanted: Sequence[_Key]) -> Iterator[View]:
        for key in wanted:
            view = self._to_come.pop(key, None)
            self._shown[key] = self._another() if view is None else view
            yield self._shown[key]

    def _another(self) -> View:
        return self._spare.pop(0) if self._spare else self._make()


def _numbered(keys: Sequence[Hashable]) -> list[_Key]:
    """Each key with how often it came before: the service may give one id twice."""
    met: dict[Hashable, int] = {}
    numbered = []
    for key in keys:
        numbered.append((key, met.get(key, 0)))
        met[key] = met.get(key, 0) + 1
    return numbered


class Overhang(GuardedOverrides, QVBoxLayout):
    """One widget that may be higher than its room: then it stands above what comes below, which
    stays where it is.
    """

    def __init__(
        self, room: Callable[[], int], covered_to: Callable[[int], int] | None = None
    ) -> None:
        """`room` tells how high that is, in pixels; `covered_to` how far down it is to reach that
        needs to reach so far, in pixels of the parent: what lies below is not covered half.
        """
        super().__init__()
        self._room = room
        self._covered_to = covered_to

    def sizeHint(self) -> QSize:
        """As wide as the widget wants to be."""
        return QSize(super().sizeHint().width(), self._room())

    def minimumSize(self) -> QSize:
        """The same for its least."""
        return QSize(super().minimumSize().width(), self._room())

    def maximumSize(self) -> QSize:
        """No higher, whatever room there is."""
        return QSize(super().maximumSize().width(), self._room())

    def hasHeightForWidth(self) -> bool:
        """As high at any width."""
        return False

    def setGeometry(self, rect: QRect) -> None:
        """Give the widget the height it needs."""
        item = self.itemAt(0)
        widget = item.widget() if item is not None else None
        if widget is None:
            super().setGeometry(rect)
            return
        needed = widget.heightForWidth(rect.width())
        if needed < 0:
            needed = widget.minimumSizeHint().height()
        if self._covered_to is not None:
            high = max(needed, rect.height())
            needed = self._covered_to(rect.top() + high) - rect.top()
        is_higher = needed > rect.height()
        widget.setProperty("stands_above", is_higher)
        if is_higher:
            widget.raise_()
        super().setGeometry(rect.adjusted(0, 0, 0, max(needed - rect.height(), 0)))
