"""The view that the Flows tab begins with: the flows by name on the left and how each is painted,
the chosen one beside.
"""

from collections.abc import Sequence

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.exporting.print_requests import PrintFlow
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flow_list import GAPS_ROLE, FlowRow
from app.viewmodels.flows.flows import FlowFilter, FlowsScreen, FlowsState
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.viewmodels.formatting import and_more_words
from app.views.flows.flow_menus import FlowMenus
from app.views.flows.flow_sheet import FlowSheet
from app.views.flows.flows_tab_page import FlowsTabPage
from app.views.flows.row_list_view import BETWEEN_LINES, RowListView, TwoLineDelegate, small
from app.views.look.icons import icon
from app.views.look.theme import tokens
from app.views.widgets.buttons import card, label, set_flag
from app.views.widgets.chips import Chips
from app.views.widgets.highlighted_text import draw_line
from app.views.widgets.labels import advance, in_one_line
from app.views.widgets.menus import asks_for_menu, by_mouse

_MOST_IN_A_TIP = 8
_BEFORE_GAPS = 8


class FlowDelegate(TwoLineDelegate[FlowRow]):
    """Two lines: the name with the mark opposite; the number of steps or why it was found below."""

    row_kind = FlowRow

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._warning = icon("warning", "amber")

    def paint_lines(
        self, painter: QPainter, inside: QRect, row: FlowRow, font: QFont, *, mirrored: bool
    ) -> None:
        """Paint a flow."""
        look = tokens()
        first = QRect(inside.topLeft(), QSize(inside.width(), QFontMetrics(font).height()))
        below_font = small(font)
        height = QFontMetrics(below_font).height()
        below = QRect(first.bottomLeft(), QSize(inside.width(), height))
        below.translate(0, BETWEEN_LINES + 1)
        name = advance(in_one_line(row.name), QFontMetrics(font))
        second = advance(in_one_line(row.second_line), QFontMetrics(below_font))
        taken = _gaps_width(row.gaps_words, below_font)
        # Where the name has no room beside it, it stands opposite the second line if there is.
        if name + taken > first.width() and second + taken <= below.width():
            beside_name, beside_second = 0, taken
        else:
            beside_name, beside_second = taken, 0
        line = below if beside_second else first
        self._gaps(painter, line, row.gaps_words, below_font, mirrored=mirrored)
        painter.setFont(font)
        first = _before(first, beside_name, mirrored=mirrored)
        draw_line(painter, first, row.name, row.name_highlights, look.text, mirrored=mirrored)
        painter.setFont(below_font)
        below = _before(below, beside_second, mirrored=mirrored)
        draw_line(
            painter, below, row.second_line, row.found_highlights, look.soft, mirrored=mirrored
        )

    def tip(self, index: Index) -> str:
        """Say the whole name, why it was found, and what is missing."""
        row = index.data(ROW_ROLE)
        return _tip(row, index.data(GAPS_ROLE)) if isinstance(row, FlowRow) else ""

    def _gaps(
        self, painter: QPainter, line: QRect, words: str, font: QFont, *, mirrored: bool
    ) -> None:
        """Paint sign and words at the end of the line."""
        if not words:
            return
        side = QFontMetrics(font).height()
        width = _gaps_width(words, font) - _BEFORE_GAPS
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


def _gaps_width(words: str, font: QFont) -> int:
    """What sign and words take of a line, and the air before them."""
    metrics = QFontMetrics(font)
    return advance(words, metrics) + metrics.height() + 6 + _BEFORE_GAPS if words else 0


def _before(line: QRect, taken: int, *, mirrored: bool) -> QRect:
    """What is left of a line whose end is taken."""
    return line.adjusted(taken, 0, 0, 0) if mirrored else line.adjusted(0, 0, -taken, 0)


def _tip(row: FlowRow, gaps: Sequence[str]) -> str:
    more = len(gaps) - _MOST_IN_A_TIP
    lines = [row.name, row.found_by, *gaps[:_MOST_IN_A_TIP], and_more_words(more)]
    return "\n".join(in_one_line(line) for line in lines if line)


class FlowListView(RowListView):
    """Bound to the list of a `FlowsScreen`."""

    menu_wanted = Signal(object)
    """Carries the place on the screen where the menu of the chosen flow belongs."""
    copy_wanted = Signal()

    def __init__(self, screen: FlowsScreen) -> None:
        """Bind to `screen`."""
        # First: Qt selects a row as soon as it has the list.
        self._screen = screen
        super().__init__(screen.list, tr("Flows"), FlowDelegate)
        screen.list.listed.connect(self._show_chosen)
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
        flow_id = self._screen.list.key_at(indexes[0].row()) if indexes else None
        if flow_id is not None and flow_id != self._screen.state.chosen:
            self._screen.choose(flow_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The menu keys open the menu."""
        if asks_for_menu(event):
            self.menu_wanted.emit(self.place_of_menu())
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - as Qt has it
        """Tab leads to the step somebody came for, and not to the top of the flow."""
        if forward and self._screen.state.step_id is not None:
            self.entered.emit()
            if not self.hasFocus():
                return True
        return super().focusNextPrevChild(forward)

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

    def _show_chosen(self) -> None:
        position = self._screen.list.position_of(self._screen.state.chosen)
        index = QModelIndex() if position is None else self._screen.list.index(position, 0)
        if self.currentIndex() != index:
            self.setCurrentIndex(index)


_LIST_WIDTH = 15.5
"""Width of the list, in heights of the font's line."""
_LEAST_OF_THE_TAB, _MOST_OF_THE_TAB = 0.18, 0.36
"""On a large screen names have room in the list, in a small window the steps need it."""


class FlowsPage(FlowsTabPage):
    """Bound to a `FlowsScreen`."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""
    write_wanted = Signal(object)
    """Carries the ids of people to write to, or the id of one who is meant alone."""
    picture_wanted = Signal(object)
    """Carries the id of a flow that is to be copied as a picture."""

    def __init__(self, screen: FlowsScreen) -> None:
        """Bind to `screen`."""
        super().__init__()
        self._screen = screen
        self.filters = Chips(tr("Which flows are listed"))
        self.filters.chosen.connect(self._choose)
        # Both of them now, or Tab would lead to them after the list.
        self.filters.show_choices((FlowFilter(""), FlowFilter("")), 0)
        self._menus = FlowMenus(screen, self)
        self._menus.person_wanted.connect(self.person_wanted)
        self._menus.write_wanted.connect(self.write_wanted)
        self._menus.picture_wanted.connect(self.picture_wanted)
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

    def rows_to_focus(self) -> QWidget:
        """The list of flows."""
        return self.list

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
        wanted = max(wanted, round(self.width() * _LEAST_OF_THE_TAB))
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
        words = state.nothing_listed_words or state.missing_words
        self.missing.setText(words)
        self.missing.setVisible(bool(words))

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
