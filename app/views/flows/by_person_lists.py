"""How the two lists of *By person* are painted and walked by keys, each row drawn here: everybody
with a bar for the load, and what one of them administers.
"""

from collections.abc import Sequence

from PySide6.QtCore import (
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterStateGuard,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
)

from app.runtime.words import in_a_row, tr
from app.viewmodels.cell_table import Index
from app.viewmodels.flows.by_person_rows import LoadRow, PostRow
from app.viewmodels.flows.rows_on_demand import ROW_ROLE, RowsOnDemand
from app.viewmodels.flows.search import Highlights
from app.viewmodels.formatting import number
from app.views.cell_table.cell_delegate import draw_plain, ring
from app.views.flows.row_list_view import RowDelegate, RowListView, TwoLineDelegate, small
from app.views.look.theme import ThemeColours, colour, sized, tokens
from app.views.widgets.highlighted_text import draw_line
from app.views.widgets.labels import advance, broken_lines, in_one_line

_GAP = 8
_MARK = 26
"""The side of the round mark with somebody's initials."""
_BAR_HEIGHT = 8
_SHORTEST_BAR = 8
_BAR_SHARE, _WIDEST_BAR, _NARROWEST_BAR = 0.24, 90, 36
_PADDING = 6
_POST_AIR = 6
_INDENT = 6
_MOST_BELOW = 3
"""Lines in which who else is there stands below, where they have no room beside."""
_MOST_ASKED = 120
"""Lines of which each is asked for its height."""
_LEAST_OTHERS = 36
"""Pixels in which who else is there is worth beginning."""


class _LineAcross:
    """Sets pieces of one line beside each other, from the side on which lines begin."""

    def __init__(self, painter: QPainter, rect: QRect, *, mirrored: bool) -> None:
        self._painter = painter
        self._rect = rect
        self._mirrored = mirrored
        self._x = 0

    @property
    def left(self) -> int:
        """Pixels that are not taken."""
        return self._rect.width() - self._x

    def skip(self, width: int) -> None:
        self._x += width

    def take(self, width: int) -> QRect:
        """The next `width` pixels of the line."""
        width = max(min(width, self.left), 0)
        whole = self._rect
        left = whole.right() + 1 - self._x - width if self._mirrored else whole.left() + self._x
        self._x += width
        return QRect(left, whole.top(), width, whole.height())

    def text(
        self,
        words: str,
        ink: str,
        found: Highlights = (),
        *,
        leave: int = 0,
        underlined: bool = False,
    ) -> None:
        """Write `words`, with dots where they would reach into the last `leave` pixels."""
        font = QFont(self._painter.font())
        wide = advance(in_one_line(words), QFontMetrics(font))
        rect = self.take(min(wide, max(self.left - leave, 0)))
        if rect.width() > 0:
            font.setUnderline(underlined)
            self._painter.setFont(font)
            if found:
                draw_line(self._painter, rect, words, found, ink, mirrored=self._mirrored)
            else:
                # Without marks, which takes a third of the time.
                self._painter.setPen(colour(ink))
                draw_plain(self._painter, rect, words, is_number=False, mirrored=self._mirrored)
            font.setUnderline(False)
            self._painter.setFont(font)

    def badge(self, words: str, font: QFont, look: ThemeColours) -> None:
        """Write `words` small and with an edge around them."""
        metrics = QFontMetrics(font)
        rect = self.take(_badge_width(words, metrics))
        box = QRectF(rect)
        box.setHeight(metrics.height() + 4)
        box.moveCenter(QRectF(rect).center())
        painter = self._painter
        with QPainterStateGuard(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour(look.line)))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            painter.setFont(font)
            inside = rect.adjusted(_PADDING, 0, -_PADDING, 0)
            draw_line(painter, inside, words, (), look.soft, mirrored=self._mirrored)


class LoadDelegate(TwoLineDelegate[LoadRow]):
    """Two lines: the name with the bar opposite; how many of each, and on how many alone, below."""

    row_kind = LoadRow

    def paint_lines(
        self, painter: QPainter, inside: QRect, row: LoadRow, font: QFont, *, mirrored: bool
    ) -> None:
        """Paint somebody with their load."""
        look = tokens()
        across = _LineAcross(painter, inside, mirrored=mirrored)
        _initials(painter, across.take(_MARK), row, look)
        across.skip(_GAP)
        rest = across.take(across.left)
        left = self._first(painter, rest, row, font, mirrored=mirrored)
        self._second(painter, rest, row, font, left, mirrored=mirrored)

    def tip(self, index: Index) -> str:
        """Say what is said to who does not see the row: nothing of it is cut."""
        row = index.data(ROW_ROLE)
        return in_one_line(row.accessible_name) if isinstance(row, LoadRow) else ""

    def _first(
        self, painter: QPainter, room: QRect, row: LoadRow, font: QFont, *, mirrored: bool
    ) -> str:
        """Gives the badges that have no room beside the name: it comes before them."""
        look, metrics = tokens(), QFontMetrics(font)
        line = QRect(room.topLeft(), QSize(room.width(), metrics.height()))
        widest = min(max(round(room.width() * _BAR_SHARE), _NARROWEST_BAR), _WIDEST_BAR)
        # In some fonts a smaller number is wider.
        digits = max(advance(number(each), metrics) for each in (row.most, row.posts))
        across = _LineAcross(painter, line, mirrored=mirrored)
        name = _LineAcross(
            painter, across.take(across.left - widest - digits - 2 * _GAP), mirrored=mirrored
        )
        badge = small(font)
        badges = _width_of_badges(row.badges, badge)
        painter.setFont(font)
        ink = look.amber if row.missing else look.text
        whole = advance(in_one_line(row.name), metrics)
        fit = whole + badges <= name.left
        name.text(row.name, ink, row.name_highlights)
        for word in row.badges if fit else ():
            name.skip(_GAP)
            name.badge(word, badge, look)
        across.skip(_GAP)
        _bar(painter, across.take(widest), row, look, mirrored=mirrored)
        across.skip(_GAP)
        across.text(number(row.posts), look.text)
        return "" if fit else in_a_row(row.badges)

    def _second(
        self,
        painter: QPainter,
        room: QRect,
        row: LoadRow,
        font: QFont,
        left: str,
        *,
        mirrored: bool,
    ) -> None:
        look, below = tokens(), small(font)
        metrics = QFontMetrics(below)
        line = QRect(
            room.left(), room.bottom() + 1 - metrics.height(), room.width(), metrics.height()
        )
        painter.setFont(below)
        alone = advance(row.alone_words, metrics)
        across = _LineAcross(painter, line, mirrored=mirrored)
        words = _LineAcross(
            painter, across.take(across.left - alone - _GAP * bool(alone)), mirrored=mirrored
        )
        if left:
            words.text(left, look.amber if row.missing else look.soft)
            words.skip(_GAP)
        fits = advance(in_one_line(row.second_line), metrics) <= words.left
        second = row.second_line if fits else row.short_second_line
        words.text(second, look.soft, row.found_highlights)
        if alone:
            across.skip(_GAP)
            across.text(row.alone_words, look.amber)


class PostDelegate(RowDelegate):
    """One line: number, name, marks, and who else is there, who stand below where they have no room
    beside; the name of a flow above its lines.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """With very many lines the same height for all: each need not be asked."""
        below = self._below(index, self._view.viewport().width(), option.font)
        lines = 1 + min(len(below), _MOST_BELOW)
        return QSize(120, lines * option.fontMetrics.height() + 2 * _POST_AIR)

    def _below(self, index: Index, width: int, font: QFont) -> list[str]:
        """Who else is there, in lines below the first one; none where there is room in that."""
        row = None if self._one_height else index.data(ROW_ROLE)
        if not isinstance(row, PostRow) or not row.others_words:
            return []
        others = in_one_line(row.others_words)
        beside = _first_line(row, font) + _GAP + advance(others, QFontMetrics(font))
        if beside <= width - 2 * _INDENT:
            return []
        direction = self._view.layoutDirection()
        return broken_lines(others, font, width - 2 * _INDENT - _GAP, direction)

    @property
    def _one_height(self) -> bool:
        """Whether all lines are of one height, and nobody stands below."""
        return isinstance(self._view, QListView) and self._view.uniformItemSizes()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the line in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, PostRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        chosen = bool(option.state & QStyle.StateFlag.State_Selected) and self._view.hasFocus()
        pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        with QPainterStateGuard(painter):
            if chosen:
                painter.fillRect(option.rect, colour(look.selection))
                ring(painter, option.rect)
            if self._time.allows(option.rect):
                below = self._below(index, option.rect.width(), option.font)
                inside = option.rect.adjusted(_INDENT, 0, -_INDENT, 0)
                if below:
                    inside.setHeight(option.fontMetrics.height() + 2 * _POST_AIR)
                line = _LineAcross(painter, inside, mirrored=mirrored)
                font = QFont(option.font)
                font.setBold(row.is_heading)
                painter.setFont(font)
                if row.is_heading:
                    if index.row() and not chosen:
                        painter.setPen(QPen(colour(look.line)))
                        painter.drawLine(inside.topLeft(), inside.topRight())
                    line.text(row.name, look.accent, row.highlights, underlined=pointed)
                else:
                    others = "" if below else row.others_words
                    _post(line, row, others, font, look, pointed=pointed)
                painter.setFont(option.font)
                for words in _at_most(below):
                    inside.translate(0, option.fontMetrics.height())
                    under = _LineAcross(painter, inside, mirrored=mirrored)
                    under.skip(_GAP)
                    under.text(words, look.soft)

    def is_cut(self, index: Index, width: int, font: QFont) -> bool:
        """Whether a line of `width` pixels ends with dots."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, PostRow):
            return False
        below = self._below(index, width, font)
        whole = _first_line(row, font)
        if row.others_words and not below:
            whole += advance(in_one_line(row.others_words), QFontMetrics(font)) + _GAP
        return whole > width - 2 * _INDENT or len(below) > _MOST_BELOW

    def tip(self, index: Index) -> str:
        """Say the whole line."""
        row = index.data(ROW_ROLE)
        return in_one_line(row.accessible_name) if isinstance(row, PostRow) else ""


def _first_line(row: PostRow, font: QFont) -> int:
    """The pixels of all that stands in it before who else is there."""
    metrics = QFontMetrics(font)
    texts = (row.number, row.number and "·", row.name, row.alone_words)
    whole = sum(advance(in_one_line(words), metrics) + _GAP for words in texts if words)
    return whole + _width_of_badges(row.badges, small(font))


def _at_most(lines: list[str]) -> list[str]:
    """What there is room for below a line; the last of it is cut with dots."""
    if len(lines) <= _MOST_BELOW:
        return lines
    return [*lines[: _MOST_BELOW - 1], " ".join(lines[_MOST_BELOW - 1 :])]


def _post(
    line: _LineAcross, row: PostRow, others: str, font: QFont, look: ThemeColours, *, pointed: bool
) -> None:
    badge, metrics = small(font), QFontMetrics(font)
    line.skip(_GAP)
    if row.number:
        # One by one: in a line from the right the dot would come before the number.
        for words in (row.number, "·"):
            line.text(words, look.soft)
            line.skip(2)
    marks = _width_of_badges(row.badges, badge)
    if row.alone_words:
        marks += advance(row.alone_words, metrics) + _GAP
    line.text(row.name, look.text, row.highlights, leave=marks, underlined=pointed)
    for word in row.badges:
        line.skip(_GAP)
        line.badge(word, badge, look)
    if row.alone_words:  # the name has left room for it
        line.skip(_GAP)
        line.text(row.alone_words, look.amber)
    if others and line.left > _LEAST_OTHERS:
        line.skip(_GAP)
        line.text(others, look.soft)


def _badge_width(words: str, metrics: QFontMetrics) -> int:
    return advance(words, metrics) + 2 * _PADDING


def _width_of_badges(badges: Sequence[str], font: QFont) -> int:
    metrics = QFontMetrics(font)
    return sum(_badge_width(words, metrics) + _GAP for words in badges)


def _initials(painter: QPainter, rect: QRect, row: LoadRow, look: ThemeColours) -> None:
    mark = QRectF(0, 0, _MARK, _MARK)
    mark.moveCenter(QRectF(rect).center())
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.amber_ground if row.missing else look.accent_ground))
        painter.drawEllipse(mark)
        painter.setPen(colour(look.amber if row.missing else look.accent))
        painter.setFont(sized(painter.font(), 0.75))
        painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, in_one_line(row.initials))


def _bar(
    painter: QPainter, rect: QRect, row: LoadRow, look: ThemeColours, *, mirrored: bool
) -> None:
    whole = QRectF(rect)
    whole.setHeight(_BAR_HEIGHT)
    whole.moveCenter(QRectF(rect).center())
    filled = QRectF(whole)
    filled.setWidth(max(whole.width() * row.share, _SHORTEST_BAR))
    if mirrored:
        filled.moveRight(whole.right())
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for box, ink in ((whole, look.line), (filled, look.amber if row.missing else look.accent)):
            painter.setBrush(colour(ink))
            painter.drawRoundedRect(box, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)


class LoadListView(RowListView):
    """Everybody who administers something."""

    chosen = Signal(object)
    """Carries the id of who was selected by key or click."""

    def __init__(self, people: RowsOnDemand[str, LoadRow]) -> None:
        """Shows `people`, by id."""
        super().__init__(people, tr("Who administers what"), LoadDelegate)
        self._people = people
        self._showing = False
        self.selectionModel().currentChanged.connect(self._current_changed)

    def show_chosen(self, person_id: str | None) -> None:
        """Select who is chosen, or nobody where they are not listed."""
        position = self._people.position_of(person_id)
        index = QModelIndex() if position is None else self._people.index(position, 0)
        if self.currentIndex() != index or not self.selectionModel().isSelected(index):
            self._showing = True
            self.setCurrentIndex(index)
            self._showing = False

    def _current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        person_id = self._people.key_at(index.row())
        if person_id is not None and not (self._people.changing or self._showing):
            self.chosen.emit(person_id)


class PostListView(RowListView):
    """What one of them administers; each line leads to its place in the flow."""

    followed = Signal(object)
    """Carries the `FlowPlace` of a line."""
    left = Signal()
    """Escape: somebody wants to go back to the people."""
    whole_changed = Signal(object)
    """Carries all that the chosen line says, where that has no room in it; else a blank."""

    def __init__(self, posts: RowsOnDemand[PostRow, PostRow]) -> None:
        """Shows `posts`."""
        super().__init__(posts, tr("Steps and flows"), PostDelegate)
        self._posts = posts
        self.setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.entered.connect(self._follow_current)
        self.clicked.connect(self._follow)
        self.selectionModel().currentChanged.connect(self._tell_whole)
        for signal in (posts.modelReset, posts.rowsInserted, posts.rowsRemoved):
            signal.connect(self._take_heights)
        self._take_heights()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """What stands below a line may have become more, or less."""
        super().dataChanged(first, last, roles)
        changed = (self._posts.index(row, 0) for row in range(first.row(), last.row() + 1))
        if not self.uniformItemSizes() and any(
            self.sizeHintForIndex(each).height() != self.visualRect(each).height()
            for each in changed
        ):
            self._lay_out_again()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Who else is there may have room beside now, or none."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out_again()

    def _take_heights(self) -> None:
        self.setUniformItemSizes(self._posts.rowCount() > _MOST_ASKED)
        self._tell_whole()

    def _lay_out_again(self) -> None:
        if not self.uniformItemSizes():
            self.scheduleDelayedItemsLayout()
            self._rows_changed()
            self._tell_whole()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By keyboard, there is always a line to go on from."""
        super().focusInEvent(event)
        # Qt has made the first one current by now, but nobody would see which it is.
        if not self.selectionModel().hasSelection() and self._posts.rowCount():
            self.setCurrentIndex(self._posts.index(max(self.currentIndex().row(), 0), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _tell_whole(self, *_what: object) -> None:
        index, painting = self.currentIndex(), self.itemDelegate()
        cut = isinstance(painting, PostDelegate) and painting.is_cut(
            index, self.viewport().width(), self.font()
        )
        words = painting.tip(index) if isinstance(painting, PostDelegate) and cut else ""
        self.whole_changed.emit(words)

    def _follow_current(self) -> None:
        self._follow(self.currentIndex())

    def _follow(self, index: QModelIndex) -> None:
        row = self._posts.key_at(index.row())
        if row is not None:
            self.followed.emit(row.place)
