"""The lists of the Flows tab: rows of one height, painted in a given time, gone into by Enter.

What a row looks like is left to the delegate of each list.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.viewmodels.cell_table import Index
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import ThemeColours, colour, sized, tokens
from app.views.widgets.highlighted_text import PaintBudget
from app.views.widgets.labels import show_tip
from app.views.widgets.pointer import RowGuard

Row = TypeVar("Row")

_EDGE = 3
_MARGIN = 14
_AIR = 9
BETWEEN_LINES = 3
"""Pixels between the two lines of a row."""
_INTO = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class RowDelegate(GuardedOverrides, QStyledItemDelegate):
    """Has a time to paint in, and says the whole of what may be cut."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._time = PaintBudget(view.viewport())

    def begin(self) -> None:
        """A painting of many rows begins."""
        self._time.begin()

    def tip(self, index: Index) -> str:
        """What is said under the pointer; blank where there is nothing to say."""
        return ""

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Say the tip of the row."""
        words = self.tip(index) if event.type() is QEvent.Type.ToolTip else ""
        if words:
            show_tip(event.globalPos(), words, view)
        return bool(words)


class TwoLineDelegate(RowDelegate, Generic[Row]):
    """Rows of two lines each: what `paint_lines` puts there, on the ground of the list."""

    row_kind: type[Row]
    """What a row is, by `ROW_ROLE`."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for every row."""
        lines = option.fontMetrics.height() + QFontMetrics(small(option.font)).height()
        return QSize(120, lines + 2 * _AIR + BETWEEN_LINES)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, self.row_kind):
            return
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        with QPainterStateGuard(painter):
            draw_ground(painter, option, tokens(), mirrored=mirrored)
            if self._time.allows(option.rect):
                inside = option.rect.adjusted(_MARGIN, _AIR, -_MARGIN, -_AIR)
                self.paint_lines(painter, inside, row, option.font, mirrored=mirrored)

    def paint_lines(
        self, painter: QPainter, inside: QRect, row: Row, font: QFont, *, mirrored: bool
    ) -> None:
        """Paint `row`, which is of `row_kind`; the painter is put back afterwards."""
        raise NotImplementedError


def small(font: QFont) -> QFont:
    """What stands under a name."""
    return sized(font, 0.88)


def draw_ground(
    painter: QPainter, option: QStyleOptionViewItem, look: ThemeColours, *, mirrored: bool
) -> None:
    """The line below a row, and what tells the chosen one."""
    rect: QRect = option.rect
    painter.setPen(QPen(colour(look.line)))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
        # An edge tells the chosen one by more than its ground.
        x = rect.right() + 1 - _EDGE if mirrored else rect.left()
        painter.fillRect(QRect(x, rect.top(), _EDGE, rect.height() - 1), colour(look.accent))


class RowListView(GuardedOverrides, QListView):
    """A list of rows, each as high as the others; what changes together is painted once.

    Left alone, Qt lays rows out in a later turn, or while it paints them, and has all of them
    painted again for that.
    """

    entered = Signal()
    """Enter: somebody wants to go into the row, or into what is chosen."""
    focus_changed = Signal(bool)
    """Whether it has the keyboard now; what stands around it shows that."""
    _layout_wanted = Signal()

    def __init__(self, rows: QAbstractItemModel, name: str, delegate: type[RowDelegate]) -> None:
        """Show `rows`, called `name` to a screen reader; a `delegate` paints them."""
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "flows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._row_guard = RowGuard(self, lambda index: index.data(ROW_ROLE))
        self._row_guard.follow(rows)
        self.setModel(rows)
        self._painting = delegate(self)
        self.setItemDelegate(self._painting)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._layout_is_to_come = False
        # Behind all that changes in this turn, and still before any of it is painted.
        self._layout_wanted.connect(self._lay_out, Qt.ConnectionType.QueuedConnection)
        for signal in (rows.modelReset, rows.rowsInserted, rows.rowsRemoved):
            signal.connect(self._rows_changed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, those that would take too long in the next turn."""
        self._painting.begin()
        super().paintEvent(event)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint these rows alone: as high as the others, they stay where they are.

        A list of Qt's own lays out all rows for that, and has all of them painted.
        """
        QAbstractItemView.dataChanged(self, first, last, roles)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard has come."""
        super().focusInEvent(event)
        self.viewport().update()
        self.focus_changed.emit(True)  # noqa: FBT003 - a signal's value

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard has gone."""
        super().focusOutEvent(event)
        self.viewport().update()
        self.focus_changed.emit(False)  # noqa: FBT003 - a signal's value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes into the row."""
        if event.key() in _INTO:
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Takes the room it is given."""
        return QSize(120, 200)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed: texts are cut with dots."""
        return QSize(60, 60)

    def _rows_changed(self) -> None:
        if not self._layout_is_to_come:
            self._layout_is_to_come = True
            self._layout_wanted.emit()

    def _lay_out(self) -> None:
        self._layout_is_to_come = False
        if self.isVisible():
            self.executeDelayedItemsLayout()
            self._row_guard.look()


class LeadingListView(RowListView):
    """Rows that lead somewhere: by Enter, by a click on what says so, by two clicks anywhere."""

    place_wanted = Signal(object)
    """Carries the `FlowPlace` of a row: somebody wants to go there."""

    def __init__(self, rows: QAbstractItemModel, name: str, delegate: type[RowDelegate]) -> None:
        """As any list of rows; what leads there is told by `way` and `lead`."""
        super().__init__(rows, name, delegate)
        self.entered.connect(self._lead_on)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on what says so leads there."""
        super().mouseReleaseEvent(event)
        self._clicked(event, on_the_way=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """And two clicks anywhere in the row."""
        self._clicked(event, on_the_way=False)

    def way(self, index: Index) -> QRect:
        """Where a row says that it leads somewhere."""
        raise NotImplementedError

    def lead(self, position: int) -> None:
        """Go where the row at `position` leads; to nowhere outside the list."""
        raise NotImplementedError

    def _clicked(self, event: QMouseEvent, *, on_the_way: bool) -> None:
        point: QPoint = event.position().toPoint()
        index = self.indexAt(point)
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        if self.way(index).contains(point) is on_the_way:
            self.lead(index.row())

    def _lead_on(self) -> None:
        self.lead(self.currentIndex().row())
