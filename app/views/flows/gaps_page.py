"""A way of reading the flows: their gaps as a list, and how each is painted; chips show one kind
alone.

The page is made when somebody first chooses that way.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
    QPainterStateGuard,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.exporting.print_requests import PrintGaps
from app.viewmodels.flows.gaps import GapRow, GapsScreen, GapsState
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.views.flows.flows_tab_page import FlowsTabListPage
from app.views.flows.row_list_view import LeadingListView, RowDelegate
from app.views.look.icons import icon
from app.views.look.theme import colour, sized, tokens
from app.views.widgets.buttons import button
from app.views.widgets.chips import Chips
from app.views.widgets.highlighted_text import draw_lines
from app.views.widgets.labels import advance, in_one_line, set_tip

if TYPE_CHECKING:
    from app.flows.gaps import Gap

_MARGIN = 12
_AIR = 12
_BETWEEN = 12
_SHARES = (280, 205, 225, 290)
"""Of what is missing, flow, step and remark, in the room they have together: in the smallest window
long words of German flows and steps stand whole.
"""
_LINES = 2
"""Of each text: what is cut in one may be who is meant."""


class GapDelegate(RowDelegate):
    """Side by side: what is missing, the flow, the step, a remark, and that it leads somewhere."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._warning = icon("warning", "amber")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for every gap."""
        metrics = option.fontMetrics
        lines = _LINES * metrics.lineSpacing() + _LINES
        return QSize(120, max(metrics.height() + 2 * _AIR, lines))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the gap in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, GapRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        with QPainterStateGuard(painter):
            rect: QRect = option.rect
            painter.setPen(QPen(colour(look.line)))
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
            state: QStyle.StateFlag = option.state
            if state & QStyle.StateFlag.State_Selected:
                painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
            if not self._time.allows(rect):
                return
            sign, *columns = row_rects(rect, option.font, mirrored=mirrored)
            self._warning.paint(painter, sign)
            inks = (look.amber, look.text, look.text, look.soft, look.accent)
            fonts = (option.font, sized(option.font, 1, bold=True), *(option.font,) * 3)
            texts = (*row.texts, _show_words(mirrored=mirrored))
            if not row.step:
                # Of the whole flow: its name has the room of both.
                columns[1:3] = columns[1] | columns[2], QRect()
            for column, text, found, ink, font in zip(
                columns, texts, (*row.highlights, ()), inks, fonts, strict=True
            ):
                painter.setFont(font)
                draw_lines(painter, column, text, found, ink, lines=_LINES, mirrored=mirrored)

    def tip(self, index: Index) -> str:
        """Say the whole of what may be cut."""
        row = index.data(ROW_ROLE)
        texts = row.texts if isinstance(row, GapRow) else ()
        return "\n".join(in_one_line(text) for text in texts if text)


def row_rects(rect: QRect, font: QFont, *, mirrored: bool) -> list[QRect]:
    """Where sign, the four texts and the way there stand in a row, in reading order."""
    metrics = QFontMetrics(font)
    side = metrics.height()
    way = advance(_show_words(mirrored=mirrored), metrics)
    inside = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
    room = max(inside.width() - side - way - 5 * _BETWEEN, 1)
    widths = [side, *(room * share // sum(_SHARES) for share in _SHARES), way]
    rects: list[QRect] = []
    x = 0
    for at, width in enumerate(widths):
        begins = inside.width() - way if at == len(widths) - 1 else x
        left = inside.right() + 1 - begins - width if mirrored else inside.left() + begins
        rects.append(QRect(left, inside.top(), width, inside.height()))
        x += width + (6 if at == 0 else _BETWEEN)
    rects[0] = QRect(rects[0].left(), rect.center().y() - side // 2, side, side)
    return rects


def _show_words(*, mirrored: bool) -> str:
    return tr("Show") + (" ←" if mirrored else " →")


class GapListView(LeadingListView):
    """Bound to the list of a `GapsScreen`."""

    def __init__(self, screen: GapsScreen) -> None:
        """Bind to `screen`."""
        super().__init__(screen.list, tr("Gaps"), GapDelegate)
        self._screen = screen
        self._current: Gap | None = None
        screen.list.modelAboutToBeReset.connect(self._remember)
        screen.list.modelReset.connect(self._come_back)
        self._come_back()

    def way(self, index: Index) -> QRect:
        """At the end of the row."""
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        return row_rects(self.visualRect(index), self.font(), mirrored=mirrored)[-1]

    def lead(self, position: int) -> None:
        """Ask for the place of the gap."""
        row = self._screen.list.row_at(position)
        if row is not None:
            self.place_wanted.emit(row.place)

    def _remember(self) -> None:
        gap = self._screen.list.key_at(self.currentIndex().row())
        # While a search leaves nothing, the last one is still meant.
        self._current = gap or self._current

    def _come_back(self) -> None:
        """Stay on the gap that was chosen, or begin with the first: Enter leads somewhere."""
        position = self._screen.list.position_of(self._current)
        self.setCurrentIndex(self._screen.list.index(position or 0, 0))


class GapsPage(FlowsTabListPage):
    """Bound to a `GapsScreen`."""

    write_wanted = Signal(object)
    """Carries the ids of those who are to be written to."""

    def __init__(self, screen: GapsScreen) -> None:
        """Bind to `screen`."""
        rows, action = GapListView(screen), button("", screen.refresh)
        super().__init__(rows, action)
        self._screen, self._action = screen, action
        self.chips = Chips(tr("Which gaps are shown"))
        self.chips.chosen.connect(self._choose)
        # All of them now, or Tab would lead to them after the list.
        self.chips.show_choices(screen.state.chips, screen.state.chip_on)
        self._write = button(tr("Write to them"), self._write_to_them, icon="mail")
        set_tip(
            self._write, tr("Write to everybody who runs a flow that is shown, or a step of it")
        )
        self._lay_out()
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def print_request(self) -> PrintGaps | None:
        """The gaps that are listed, to be ticked; None where there is no gap at all."""
        return self._screen.print_request()

    def _lay_out(self) -> None:
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._card)
        rows = QVBoxLayout(self._card)
        rows.setContentsMargins(1, 8, 1, 8)
        rows.setSpacing(6)
        top = QHBoxLayout()
        top.setContentsMargins(9, 0, 12, 0)
        top.addWidget(self.chips, 1)
        top.addWidget(self._write, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.print_button, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(top)
        rows.addWidget(self._pages, 1)

    def _show(self, state: GapsState) -> None:
        self.chips.show_choices(state.chips, state.chip_on)
        for at, chip in enumerate(state.chips):
            self.chips.mark(at, amber=False, shown=chip.shown)
        self._write.setVisible(state.can_write)
        self.print_button.setVisible(self._screen.count > 0)
        self._show_empty(state.empty_words)
        self._action.setText(state.empty_action)
        self._action.setVisible(bool(state.empty_action))

    def _write_to_them(self) -> None:
        self.write_wanted.emit(self._screen.run_by)

    def _choose(self, number: int) -> None:
        self._screen.show_kind(self._screen.state.chips[number].kind)
