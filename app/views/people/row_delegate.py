"""How a row of the People table is painted: text, badges, hairline, and where the keyboard is."""

from functools import lru_cache

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.people.table import CELL_ROLE, Cell, Column
from app.views.people.row_painting import Badges, Line, apart, draw_highlighted, draw_plain
from app.views.widgets.highlighted_text import PaintBudget
from app.views.widgets.labels import advance, fitting, in_one_line, show_tip
from app.views.widgets.theme import RING, ThemeColours, tokens

Index = QModelIndex | QPersistentModelIndex
_MARK_WIDTH = 3
_SELECTED = QStyle.StateFlag.State_Selected.value
_colour = lru_cache(64)(QColor)


class PeopleDelegate(Guarded, QStyledItemDelegate):
    """Paints one cell, and knows what of it is cut and where it can be clicked."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._view = view
        self._look = tokens()
        self._ringed_row: int | None = None
        self._time = PaintBudget(view.viewport())
        self.take_font()

    def take_font(self) -> None:
        """The font of the view is another one."""
        self._slanted = QFont(self._view.font())
        self._slanted.setItalic(True)
        self._badges = Badges(self._view.font())

    def begin(self) -> None:
        """A painting of many cells begins: what is asked once need not be asked for each."""
        self._look = tokens()
        self._time.begin()
        focused = self._view.hasFocus()
        self._ringed_row = self._view.currentIndex().row() if focused else None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as text and badges together."""
        cell = _cell(index)
        width = self._badges.whole_width(cell, self._text_width(option, cell))
        return QSize(width, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell in the colours in force."""
        cell, look = _cell(index), self._look
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        self._ground(painter, option, index, look)
        if not self._time.allows(option.rect):
            return
        painter.setFont(option.font if cell.state is None else self._slanted)
        painter.setPen(_colour(look.text if cell.is_given else look.soft))
        line = self._line(option, cell)
        if cell.highlights:
            draw_highlighted(
                painter, line.text, cell.text, cell.highlights, look, mirrored=mirrored
            )
        elif cell.text:
            draw_plain(painter, line.text, cell.text, is_number=cell.is_number, mirrored=mirrored)
        if cell.badges:
            ink = look.amber if cell.needs_person else look.soft
            self._badges.paint(painter, line, ink, look)

    def undo_place(self, option: QStyleOptionViewItem, index: Index) -> QRect | None:
        """Where a click takes back the entry of this cell; None where there is nothing to undo."""
        cell = _cell(index)
        return self._line(option, cell).undo if cell.can_undo else None

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """What is cut or left out is told whole under the pointer, and what a mark does."""
        if event.type() is not QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        show_tip(event.globalPos(), self._tip(event.pos(), option, index), view)
        return True

    def _tip(self, place: QPoint, option: QStyleOptionViewItem, index: Index) -> str:
        cell, undo = _cell(index), self.undo_place(option, index)
        if undo is not None and undo.contains(place):
            return tr("Undo")
        if self.sizeHint(option, index).width() <= option.rect.width():
            return ""
        text = apart(in_one_line(cell.text), from_left=cell.is_number)
        return "\n".join((text, ", ".join(cell.badges))).strip()

    def _line(self, option: QStyleOptionViewItem, cell: Cell) -> Line:
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        width = self._text_width(option, cell) if cell.badges else 0
        return self._badges.line(option.rect, cell, width, mirrored=mirrored)

    def _text_width(self, option: QStyleOptionViewItem, cell: Cell) -> int:
        font = option.font if cell.state is None else self._slanted
        metrics, place = QFontMetrics(font), option.rect.width()
        # Asked by a header, there is no place yet.
        seen = fitting(cell.text, place) if place > 0 else cell.text
        width = advance(in_one_line(seen), metrics)
        return width if seen == cell.text else max(width, place + 1)

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, look: ThemeColours
    ) -> None:
        rect: QRect = option.rect
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        # As a number: Python's own flags take longer to compare than a letter to paint.
        selected = option.state.value & _SELECTED
        if selected:
            painter.fillRect(rect, _colour(look.selection))
        hairline = QRect(rect.left(), rect.bottom(), rect.width(), 1)
        painter.fillRect(hairline, _colour(look.line))
        if selected and index.column() == Column.NAME:
            painter.fillRect(_edge(rect, _MARK_WIDTH, right=mirrored), _colour(look.accent))
        if index.row() == self._ringed_row:
            self._ring(painter, rect, index, mirrored=mirrored)

    def _ring(self, painter: QPainter, rect: QRect, index: Index, *, mirrored: bool) -> None:
        """One ring around the whole row: a row is one person."""
        accent = _colour(self._look.accent)
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), RING), accent)
        painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - RING, rect.width(), RING), accent)
        column, last = index.column(), index.model().columnCount() - 1
        if column in {0, last}:
            right = (column == last) is not mirrored
            painter.fillRect(_edge(rect, RING, right=right), accent)


def ring(painter: QPainter, rect: QRect) -> None:
    """A ring around all of `rect`, inside it."""
    accent = _colour(tokens().accent)
    for right in (False, True):
        painter.fillRect(_edge(rect, RING, right=right), accent)
    painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), RING), accent)
    painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - RING, rect.width(), RING), accent)


def _edge(rect: QRect, width: int, *, right: bool) -> QRect:
    """A strip along the left or the right side of `rect`."""
    left = rect.right() + 1 - width if right else rect.left()
    return QRect(left, rect.top(), width, rect.height())


def _cell(index: Index) -> Cell:
    cell = index.data(CELL_ROLE)
    return cell if isinstance(cell, Cell) else Cell("")
