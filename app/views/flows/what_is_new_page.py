"""A way of reading the flows, and the people: what is new, by day, how each line is painted, and
the chart beside.

The page is made when somebody first chooses that way.
"""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterStateGuard,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.exporting.print_requests import PrintNews
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.viewmodels.flows.what_is_new.news_rows import NewsRow
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewScreen, WhatIsNewState
from app.views.flows.flows_tab_page import FlowsTabListPage
from app.views.flows.people_added_chart import PeopleAddedChart
from app.views.flows.row_list_view import LeadingListView, RowDelegate
from app.views.look.theme import colour, sized, tokens
from app.views.widgets.buttons import card, label
from app.views.widgets.highlighted_text import draw_line
from app.views.widgets.labels import advance, in_one_line

_MARGIN = 20
_AIR = 9
_INDENT = 18
_DOT = 6
_BETWEEN = 12


class NewsDelegate(RowDelegate):
    """One line: a day, or what has changed and what leads there; a dot where nobody has seen it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for every line."""
        return QSize(120, option.fontMetrics.height() + 2 * _AIR)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the line in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, NewsRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        rect: QRect = option.rect
        with QPainterStateGuard(painter):
            state: QStyle.StateFlag = option.state
            if state & QStyle.StateFlag.State_Selected and not row.heading:
                painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
            if not row.heading:
                painter.setPen(QPen(colour(look.line)))
                line = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
                painter.drawLine(line.bottomLeft(), line.bottomRight())
            if not self._time.allows(rect):
                return
            text, way = line_rects(rect, option.font, row, mirrored=mirrored)
            if row.heading:
                painter.setFont(sized(option.font, 0.88))
                low = text.adjusted(0, _AIR, 0, 0)
                draw_line(painter, low, row.words, row.found, look.soft, mirrored=mirrored)
                return
            if row.unseen:
                self._dot(painter, rect, mirrored=mirrored)
            painter.setFont(option.font)
            draw_line(
                painter,
                text,
                row.words,
                row.found,
                look.soft if row.inside else look.text,
                mirrored=mirrored,
                strong=row.strong,
                amber=row.amber,
            )
            if row.way_words:
                said = _way_words(row, mirrored=mirrored)
                draw_line(painter, way, said, (), look.accent, mirrored=mirrored)

    def tip(self, index: Index) -> str:
        """Say the whole of what may be cut."""
        row = index.data(ROW_ROLE)
        return in_one_line(row.words) if isinstance(row, NewsRow) else ""

    @staticmethod
    def _dot(painter: QPainter, rect: QRect, *, mirrored: bool) -> None:
        middle = rect.right() - _MARGIN // 2 if mirrored else rect.left() + _MARGIN // 2
        dot = QRect(middle - _DOT // 2, rect.center().y() - _DOT // 2 + 1, _DOT, _DOT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(tokens().accent))
        painter.drawEllipse(dot)


def line_rects(rect: QRect, font: QFont, row: NewsRow, *, mirrored: bool) -> tuple[QRect, QRect]:
    """Where the words stand in a line, and what leads on."""
    inside = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
    said = _way_words(row, mirrored=mirrored)
    way = advance(said, QFontMetrics(font))
    indent = _INDENT if row.inside else 0
    room = max(inside.width() - indent - (way + _BETWEEN if way else 0), 1)
    text = QRect(inside.left() + indent, inside.top(), room, inside.height())
    there = QRect(inside.right() + 1 - way, inside.top(), way, inside.height())
    if mirrored:
        text.moveRight(inside.right() - indent)
        there.moveLeft(inside.left())
    return text, there


def _way_words(row: NewsRow, *, mirrored: bool) -> str:
    """What unfolds stays here; an arrow says that all else leads elsewhere."""
    if not row.way_words or row.folded is not None:
        return row.way_words
    return row.way_words + (" ←" if mirrored else " →")


class NewsListView(LeadingListView):
    """Bound to the list of a `WhatIsNewScreen`."""

    person_wanted = Signal(object)
    """Carries the id of a person, the same."""

    def __init__(self, screen: WhatIsNewScreen) -> None:
        """Bind to `screen`."""
        super().__init__(screen.list, tr("What is new"), NewsDelegate)
        self._screen = screen
        self._current = screen.list.key_at(self.currentIndex().row())
        self._row, self._top = -1, 0
        screen.list.modelAboutToBeReset.connect(self._keep_position)
        screen.list.modelReset.connect(self._return_to_position)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard has come: to the first change, where it was on none."""
        # Qt would begin on the day above it.
        self._begin()
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space does as Enter does."""
        if event.key() == Qt.Key.Key_Space:
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def way(self, index: Index) -> QRect:
        """At the end of the line; nowhere in one that leads nowhere."""
        row = self._screen.list.row_at(index.row())
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        if row is None:
            return QRect()
        return line_rects(self.visualRect(index), self.font(), row, mirrored=mirrored)[1]

    def lead(self, position: int) -> None:
        """Go where the line leads, or show those whom it joins."""
        row = self._screen.list.row_at(position)
        if row is None:
            return
        if row.folded is not None:
            self._screen.fold(position)
        elif row.place is not None:
            self.place_wanted.emit(row.place)
        elif row.person_id is not None:
            self.person_wanted.emit(row.person_id)

    def _keep_position(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            self._current = self._screen.list.key_at(index.row())
            self._row, self._top = index.row(), self.visualRect(index).top()

    def _return_to_position(self) -> None:
        """Lines that come or go do not take away the one somebody is on, nor move it."""
        listed = self._screen.list
        position = listed.position_of(self._current)
        if position is None:
            position = self._row
        if 0 <= position < listed.rowCount():
            index = listed.index(position, 0)
            self.setCurrentIndex(index)
            self.doItemsLayout()
            scroll = self.verticalScrollBar()
            scroll.setValue(scroll.value() + self.visualRect(index).top() - self._top)
        elif self.hasFocus():
            self._begin()

    def _begin(self) -> None:
        """Above the first change stands its day."""
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._screen.list.index(1, 0))


class WhatIsNewPage(FlowsTabListPage):
    """Bound to a `WhatIsNewScreen`, which it tells when somebody looks."""

    person_wanted = Signal(object)
    """Carries the id of a person: somebody wants to go there."""

    def __init__(self, screen: WhatIsNewScreen) -> None:
        """Bind to `screen`."""
        rows = NewsListView(screen)
        super().__init__(rows)
        self._screen = screen
        self._heading = label("", "heading")
        rows.person_wanted.connect(self.person_wanted)
        self._bounds = label("", "small", wraps=True)
        self._summary = label("", "soft", wraps=True)
        self.chart = PeopleAddedChart()
        self._month = label("", "small", wraps=True)
        self.chart.month_chosen.connect(self._show_month)
        self._lay_out()
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        if not event.spontaneous():
            self._screen.opened()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._screen.closed()

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(14)
        rows = QVBoxLayout(self._card)
        rows.setContentsMargins(1, 16, 1, 12)
        rows.setSpacing(6)
        self._bounds.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        top = QHBoxLayout()
        top.setContentsMargins(_MARGIN, 0, 12, 0)
        top.addWidget(self._heading, 1)
        top.addWidget(self.print_button, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(top)
        rows.addWidget(self._pages, 1)
        rows.addWidget(self._bounds)
        across.addWidget(self._card, 5)
        right = card()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(_MARGIN, 16, _MARGIN, 12)
        beside.setSpacing(6)
        beside.addWidget(label(tr("People added"), "heading"))
        beside.addWidget(self._summary)
        beside.addWidget(self.chart, 1)
        beside.addWidget(self._month)
        beside.addStretch()
        across.addWidget(right, 3)

    def _show(self, state: WhatIsNewState) -> None:
        self._heading.setText(state.heading)
        self.print_button.setVisible(state.can_print)
        self._show_empty(state.empty_words)
        self._bounds.setText(state.bounds_words)
        if state.added is not None:
            self._summary.setText(state.added.summary)
            self.chart.show_added(state.added)
            self.chart.setVisible(bool(state.added.months))

    def print_request(self) -> PrintNews | None:
        """What is shown, by day; None where nothing is."""
        return self._screen.print_request()

    def _show_month(self, words: object) -> None:
        self._month.setText(str(words))
