"""The flows by name on the left and how each is painted, the chosen one beside."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr, trn
from app.viewmodels.exporting.print_requests import PrintFlow
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flow_list import GAPS_ROLE, ROW_ROLE, FlowRow
from app.viewmodels.flows.flows import FlowFilter, FlowsScreen, FlowsState
from app.viewmodels.guarded import Guarded
from app.views.flows.flow_menus import FlowMenus
from app.views.flows.flow_sheet import FlowSheet
from app.views.widgets.buttons import card, label, set_flag
from app.views.widgets.chips import Chips
from app.views.widgets.highlighted_text import PaintBudget, draw_line
from app.views.widgets.icons import icon
from app.views.widgets.labels import in_one_line, show_tip
from app.views.widgets.menus import asks_for_menu, by_mouse
from app.views.widgets.theme import ThemeColours, colour, sized, tokens

Index = QModelIndex | QPersistentModelIndex
_MARGIN = 14
_AIR = 9
_BETWEEN = 3
_BAR = 3
_MOST_IN_A_TIP = 8


class FlowDelegate(Guarded, QStyledItemDelegate):
    """Two lines: the name with the mark opposite; the number of steps or why it was found below."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._warning = icon("warning", "amber")
        self._time = PaintBudget(view.viewport())

    def begin(self) -> None:
        """A painting of many rows begins."""
        self._time.begin()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for every flow."""
        lines = option.fontMetrics.height() + QFontMetrics(_small(option.font)).height()
        return QSize(120, lines + 2 * _AIR + _BETWEEN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the flow in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, FlowRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        with QPainterStateGuard(painter):
            self._ground(painter, option, look, mirrored=mirrored)
            if not self._time.allows(option.rect):
                return
            inside = option.rect.adjusted(_MARGIN, _AIR, -_MARGIN, -_AIR)
            first = QRect(inside.topLeft(), QSize(inside.width(), option.fontMetrics.height()))
            small = _small(option.font)
            below = QRect(first.bottomLeft(), QSize(inside.width(), QFontMetrics(small).height()))
            below.translate(0, _BETWEEN + 1)
            taken = self._gaps(painter, first, row.gaps_words, small, mirrored=mirrored)
            name = first.adjusted(taken, 0, 0, 0) if mirrored else first.adjusted(0, 0, -taken, 0)
            painter.setFont(option.font)
            draw_line(painter, name, row.name, row.name_highlights, look.text, mirrored=mirrored)
            painter.setFont(small)
            draw_line(
                painter, below, row.second_line, row.found_highlights, look.soft, mirrored=mirrored
            )

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Say the whole name, why it was found, and what is missing."""
        row = index.data(ROW_ROLE)
        if event.type() is not QEvent.Type.ToolTip or not isinstance(row, FlowRow):
            return False
        show_tip(event.globalPos(), _tip(row, index.data(GAPS_ROLE)), view)
        return True

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, look: ThemeColours, *, mirrored: bool
    ) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.setPen(QPen(colour(look.line)))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if not state & QStyle.StateFlag.State_Selected:
            return
        painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
        # A bar tells the chosen one by more than its ground.
        x = rect.right() + 1 - _BAR if mirrored else rect.left()
        painter.fillRect(QRect(x, rect.top(), _BAR, rect.height() - 1), colour(look.accent))

    def _gaps(
        self, painter: QPainter, line: QRect, words: str, font: QFont, *, mirrored: bool
    ) -> int:
        """Paint sign and words at the end of the line; gives the width they take."""
        if not words:
            return 0
        metrics = QFontMetrics(font)
        side = metrics.height()
        width = metrics.horizontalAdvance(words) + side + 6
        start = line.left() if mirrored else line.right() + 1 - width
        place = QRect(start, line.top(), width, line.height())
        sign = QRect(place.left(), place.center().y() - side // 2 + 1, side, side)
        text = place.adjusted(side + 4, 0, 0, 0)
        if mirrored:
            sign.moveRight(place.right())
            text = place.adjusted(0, 0, -side - 4, 0)
        self._warning.paint(painter, sign)
        painter.setFont(font)
        draw_line(painter, text, words, (), tokens().amber, mirrored=mirrored)
        return width + 8


def _small(font: QFont) -> QFont:
    return sized(font, 0.88)


def _tip(row: FlowRow, gaps: Sequence[str]) -> str:
    more = len(gaps) - _MOST_IN_A_TIP
    lines = [row.name, row.found_by, *gaps[:_MOST_IN_A_TIP]]
    if more > 0:
        lines.append(trn("and {n} more", "and {n} more", more))
    return "\n".join(in_one_line(line) for line in lines if line)


_INTO = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class FlowListView(Guarded, QListView):
    """Bound to the list of a `FlowsScreen`."""

    entered = Signal()
    """Enter: somebody wants to go into the chosen flow."""
    menu_wanted = Signal(object)
    """Carries the place on the screen where the menu of the chosen flow belongs."""
    copy_wanted = Signal()
    focus_changed = Signal(bool)
    """Whether it has the keyboard now; what stands around it shows that."""

    def __init__(self, screen: FlowsScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.setAccessibleName(tr("Flows"))
        self.setProperty("role", "flows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(screen.list)
        self._delegate = FlowDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for signal in (screen.list.modelReset, screen.list.rowsInserted, screen.list.rowsRemoved):
            signal.connect(self._show_chosen)
        screen.state_changed.connect(self._show_chosen)
        self._show_chosen()
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_wanted)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Choose the flow that was selected by key or click."""
        super().selectionChanged(selected, deselected)
        if self._screen.list.changing:
            return
        indexes = selected.indexes()
        flow_id = self._screen.list.flow_id_at(indexes[0].row()) if indexes else None
        if flow_id is not None and flow_id != self._screen.state.chosen:
            self._screen.choose(flow_id)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, those that would take too long in the next turn."""
        self._delegate.begin()
        super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard has come."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)  # noqa: FBT003 - a signal's value

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard has gone."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)  # noqa: FBT003 - a signal's value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes into the flow."""
        if event.key() in _INTO:
            self.entered.emit()
        elif asks_for_menu(event):
            self.menu_wanted.emit(self.place_of_menu())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Where the mouse is, or at the chosen flow; the button has chosen the row already."""
        if not by_mouse(event):
            self.menu_wanted.emit(self.place_of_menu())
        elif self.indexAt(event.pos()).isValid():
            self.menu_wanted.emit(event.globalPos())

    def place_of_menu(self) -> QPoint:
        """The middle of the row that the keyboard is at, as a point of the screen."""
        within = self.viewport().rect()
        row = self.visualRect(self.currentIndex()) & within
        return self.viewport().mapToGlobal((row if row.isValid() else within).center())

    def sizeHint(self) -> QSize:
        """Takes the room it is given."""
        return QSize(120, 200)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed: names are cut with dots."""
        return QSize(60, 60)

    def _show_chosen(self) -> None:
        position = self._screen.list.position_of(self._screen.state.chosen)
        index = QModelIndex() if position is None else self._screen.list.index(position, 0)
        if self.currentIndex() != index:
            self.setCurrentIndex(index)


_LIST_WIDTH = 15.5
"""Width of the list, in heights of the font's line."""
_MOST_OF_THE_TAB = 0.36


class FlowsPage(Guarded, QWidget):
    """Bound to a `FlowsScreen`."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""
    print_wanted = Signal(object)
    """Carries a `PrintRequest`."""
    write_wanted = Signal(object)
    """Carries the ids of people to write to, or the id of one who is meant alone."""

    def __init__(self, screen: FlowsScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.filters = Chips(tr("Which flows are listed"))
        self.filters.chosen.connect(self._choose)
        # Both of them now, or Tab would lead to them after the list.
        self.filters.show_choices((FlowFilter(""), FlowFilter("")), 0)
        self._menus = FlowMenus(screen, self)
        self._menus.person_wanted.connect(self.person_wanted)
        self._menus.write_wanted.connect(self.write_wanted)
        self.list = FlowListView(screen)
        self.sheet = FlowSheet(screen)
        self.missing = label("", "soft", wraps=True)
        self._left = card()
        self._lay_out()
        screen.state_changed.connect(self._show)
        self._show(screen.state)
        self.list.entered.connect(self.sheet.focus_first)
        self.list.focus_changed.connect(self._show_ring)
        self.sheet.left.connect(self.focus_flow)
        self.sheet.person_wanted.connect(self.person_wanted)
        self.sheet.print_wanted.connect(self.print_wanted)
        self.list.menu_wanted.connect(self._open_menu)
        self.list.copy_wanted.connect(self._copy_flow)
        self.sheet.menu_wanted.connect(self._menus.open_for)
        self.sheet.copy_wanted.connect(self._menus.copy)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes on to the list; with a proxy Tab would pass by what stands above it."""
        super().focusInEvent(event)
        self.focus_flow()

    def focus_flow(self) -> None:
        """Put the keyboard on the chosen flow."""
        self.list.setFocus()

    def print_request(self) -> PrintFlow | None:
        """The flow that is shown."""
        flow = self._screen.state.flow
        return PrintFlow(flow.flow_id) if flow is not None else None

    def return_to_place(self) -> bool:
        """Go back to the name that was followed last; False when there is nowhere to go back to."""
        place = self._screen.go_back()
        if place is not None:
            self.sheet.return_to(place)
        return place is not None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list grows with the font, and never takes the steps' room."""
        super().resizeEvent(event)
        wanted = round(self.fontMetrics().height() * _LIST_WIDTH)
        self._left.setFixedWidth(min(wanted, round(self.width() * _MOST_OF_THE_TAB)))

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(16)
        inside = QVBoxLayout(self._left)
        inside.setContentsMargins(0, 8, 0, 8)
        self.missing.setContentsMargins(12, 4, 12, 4)
        self.filters.setContentsMargins(9, 0, 9, 4)
        inside.addWidget(self.filters)
        inside.addWidget(self.list, 1)
        inside.addWidget(self.missing)
        across.addWidget(self._left)
        right = card()
        around = QVBoxLayout(right)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.sheet)
        across.addWidget(right, 1)

    def _show(self, state: FlowsState) -> None:
        self._left.setVisible(state.has_flows)
        if state.filters:
            self.filters.show_choices(state.filters, int(state.only_gaps))
        self.filters.setVisible(bool(state.filters))
        self.missing.setText(state.missing_words)
        self.missing.setVisible(bool(state.missing_words))

    def _choose(self, number: object) -> None:
        self._screen.show_only_gaps(only=number == 1)

    def _open_menu(self, at: object) -> None:
        chosen = self._screen.state.chosen
        if chosen is not None and isinstance(at, QPoint):
            self._menus.open_for(FlowPlace(chosen), None, at)

    def _copy_flow(self) -> None:
        chosen = self._screen.state.chosen
        if chosen is not None:
            self._menus.copy(FlowPlace(chosen), self.list.place_of_menu())

    def _show_ring(self, has_keyboard: bool) -> None:  # noqa: FBT001 - as the list sends it
        set_flag(self._left, "ring", value=has_keyboard)
