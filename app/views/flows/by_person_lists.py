"""The two lists of *By person* and how their rows are painted: everybody with a bar for the load,
and what one of them administers.
"""

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
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
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
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
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.flows.by_person_rows import ROW_ROLE, LoadRow, PostRow, RowsOnDemand
from app.viewmodels.flows.search import Highlights
from app.viewmodels.formatting import number
from app.viewmodels.guarded import Guarded
from app.views.people.row_delegate import draw_plain, ring
from app.views.widgets.highlighted_text import PaintBudget, draw_line
from app.views.widgets.labels import advance, in_one_line, show_tip
from app.views.widgets.theme import ThemeColours, colour, sized, tokens

Index = QModelIndex | QPersistentModelIndex
_MARGIN = 14
_AIR = 9
_BETWEEN = 3
_EDGE = 3
_GAP = 8
_MARK = 26
"""The side of the round mark with somebody's initials."""
_BAR_HEIGHT = 8
_SHORTEST_BAR = 8
_BAR_SHARE, _WIDEST_BAR, _NARROWEST_BAR = 0.24, 90, 36
_PADDING = 6
_POST_AIR = 6
_INDENT = 6
_LEAST_OTHERS = 36
"""Pixels in which who else is there is worth beginning."""
_ROUNDING = 3
"""Pixels by which a line that is laid out may be wider than its letters were measured."""
_INTO = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class _LineAcross:
    """Sets pieces of one line beside each other, from the side on which lines begin."""

    def __init__(self, painter: QPainter, place: QRect, *, mirrored: bool) -> None:
        self._painter = painter
        self._place = place
        self._mirrored = mirrored
        self._x = 0

    @property
    def left(self) -> int:
        """Pixels that are not taken."""
        return self._place.width() - self._x

    def skip(self, width: int) -> None:
        self._x += width

    def take(self, width: int) -> QRect:
        """The next `width` pixels of the line."""
        width = max(min(width, self.left), 0)
        whole = self._place
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
        wide = advance(in_one_line(words), QFontMetrics(font)) + _ROUNDING
        place = self.take(min(wide, max(self.left - leave, 0)))
        if place.width() > 0:
            font.setUnderline(underlined)
            self._painter.setFont(font)
            if found:
                draw_line(self._painter, place, words, found, ink, mirrored=self._mirrored)
            else:
                # Without marks, which takes a third of the time.
                self._painter.setPen(colour(ink))
                draw_plain(self._painter, place, words, is_number=False, mirrored=self._mirrored)
            font.setUnderline(False)
            self._painter.setFont(font)

    def badge(self, words: str, font: QFont, look: ThemeColours) -> None:
        """Write `words` small and with an edge around them."""
        metrics = QFontMetrics(font)
        place = self.take(metrics.horizontalAdvance(words) + 2 * _PADDING)
        box = QRectF(place)
        box.setHeight(metrics.height() + 4)
        box.moveCenter(QRectF(place).center())
        painter = self._painter
        with QPainterStateGuard(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour(look.line)))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            painter.setFont(font)
            inside = place.adjusted(_PADDING, 0, -_PADDING, 0)
            draw_line(painter, inside, words, (), look.soft, mirrored=self._mirrored)


class LoadDelegate(Guarded, QStyledItemDelegate):
    """Two lines: the name with the bar opposite; how many of each, and on how many alone, below."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._time = PaintBudget(view.viewport())

    def begin(self) -> None:
        """A painting of many rows begins."""
        self._time.begin()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for everybody."""
        lines = option.fontMetrics.height() + QFontMetrics(_small(option.font)).height()
        return QSize(120, lines + 2 * _AIR + _BETWEEN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, LoadRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        with QPainterStateGuard(painter):
            _ground(painter, option, look, mirrored=mirrored)
            if not self._time.allows(option.rect):
                return
            inside = option.rect.adjusted(_MARGIN, _AIR, -_MARGIN, -_AIR)
            across = _LineAcross(painter, inside, mirrored=mirrored)
            _initials(painter, across.take(_MARK), row, look)
            across.skip(_GAP)
            rest = across.take(across.left)
            self._first(painter, rest, row, option.font, mirrored=mirrored)
            self._second(painter, rest, row, option.font, mirrored=mirrored)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Say what is said to who does not see the row: nothing of it is cut."""
        row = index.data(ROW_ROLE)
        if event.type() is not QEvent.Type.ToolTip or not isinstance(row, LoadRow):
            return False
        show_tip(event.globalPos(), in_one_line(row.accessible_name), view)
        return True

    def _first(
        self, painter: QPainter, room: QRect, row: LoadRow, font: QFont, *, mirrored: bool
    ) -> None:
        look, metrics = tokens(), QFontMetrics(font)
        line = QRect(room.topLeft(), QSize(room.width(), metrics.height()))
        widest = min(max(round(room.width() * _BAR_SHARE), _NARROWEST_BAR), _WIDEST_BAR)
        digits = metrics.horizontalAdvance(number(row.most)) + _ROUNDING
        across = _LineAcross(painter, line, mirrored=mirrored)
        name = _LineAcross(
            painter, across.take(across.left - widest - digits - 2 * _GAP), mirrored=mirrored
        )
        badge = _small(font)
        badges = sum(
            QFontMetrics(badge).horizontalAdvance(word) + 2 * _PADDING + _GAP for word in row.badges
        )
        painter.setFont(font)
        ink = look.amber if row.missing else look.text
        name.text(row.name, ink, row.name_highlights, leave=badges)
        for word in row.badges:
            name.skip(_GAP)
            name.badge(word, badge, look)
        across.skip(_GAP)
        _bar(painter, across.take(widest), row, look, mirrored=mirrored)
        across.skip(_GAP)
        across.text(number(row.posts), look.text)

    def _second(
        self, painter: QPainter, room: QRect, row: LoadRow, font: QFont, *, mirrored: bool
    ) -> None:
        look, small = tokens(), _small(font)
        metrics = QFontMetrics(small)
        line = QRect(
            room.left(), room.bottom() + 1 - metrics.height(), room.width(), metrics.height()
        )
        painter.setFont(small)
        alone = advance(row.alone_words, metrics) + _ROUNDING if row.alone_words else 0
        across = _LineAcross(painter, line, mirrored=mirrored)
        words = _LineAcross(
            painter, across.take(across.left - alone - _GAP * bool(alone)), mirrored=mirrored
        )
        words.text(row.second_line, look.soft, row.found_highlights)
        if alone:
            across.skip(_GAP)
            across.text(row.alone_words, look.amber)


class PostDelegate(Guarded, QStyledItemDelegate):
    """One line: number, name, marks, and who else is there; the name of a flow above its lines."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Rows get the font of `view`."""
        super().__init__(view)
        self._view = view
        self._time = PaintBudget(view.viewport())

    def begin(self) -> None:
        """A painting of many rows begins."""
        self._time.begin()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for all: with very many lines, each need not be asked."""
        return QSize(120, option.fontMetrics.height() + 2 * _POST_AIR)

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
                place = option.rect.adjusted(_INDENT, 0, -_INDENT, 0)
                line = _LineAcross(painter, place, mirrored=mirrored)
                font = QFont(option.font)
                font.setBold(row.is_heading)
                painter.setFont(font)
                if row.is_heading:
                    if index.row() and not chosen:
                        painter.setPen(QPen(colour(look.line)))
                        painter.drawLine(place.topLeft(), place.topRight())
                    line.text(row.name, look.accent, row.highlights, underlined=pointed)
                else:
                    _post(line, row, font, look, pointed=pointed)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Say the whole line."""
        row = index.data(ROW_ROLE)
        if event.type() is not QEvent.Type.ToolTip or not isinstance(row, PostRow):
            return False
        show_tip(event.globalPos(), in_one_line(row.accessible_name), view)
        return True


def _post(
    line: _LineAcross, row: PostRow, font: QFont, look: ThemeColours, *, pointed: bool
) -> None:
    small, metrics = _small(font), QFontMetrics(font)
    line.skip(_GAP)
    if row.number:
        # One by one: in a line from the right the dot would come before the number.
        for words in (row.number, "·"):
            line.text(words, look.soft)
            line.skip(2)
    marks = sum(
        QFontMetrics(small).horizontalAdvance(word) + 2 * _PADDING + _GAP for word in row.badges
    )
    if row.alone_words:
        marks += advance(row.alone_words, metrics) + _GAP
    line.text(row.name, look.text, row.highlights, leave=marks, underlined=pointed)
    for word in row.badges:
        line.skip(_GAP)
        line.badge(word, small, look)
    for words, ink in ((row.alone_words, look.amber), (row.others_words, look.soft)):
        if words and line.left > _LEAST_OTHERS:
            line.skip(_GAP)
            line.text(words, ink)


def _ground(
    painter: QPainter, option: QStyleOptionViewItem, look: ThemeColours, *, mirrored: bool
) -> None:
    rect: QRect = option.rect
    painter.setPen(QPen(colour(look.line)))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
        # An edge tells the chosen one by more than its ground.
        x = rect.right() + 1 - _EDGE if mirrored else rect.left()
        painter.fillRect(QRect(x, rect.top(), _EDGE, rect.height() - 1), colour(look.accent))


def _initials(painter: QPainter, place: QRect, row: LoadRow, look: ThemeColours) -> None:
    mark = QRectF(0, 0, _MARK, _MARK)
    mark.moveCenter(QRectF(place).center())
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.amber_ground if row.missing else look.accent_ground))
        painter.drawEllipse(mark)
        painter.setPen(colour(look.amber if row.missing else look.accent))
        painter.setFont(sized(painter.font(), 0.75))
        painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, in_one_line(row.initials))


def _bar(
    painter: QPainter, place: QRect, row: LoadRow, look: ThemeColours, *, mirrored: bool
) -> None:
    whole = QRectF(place)
    whole.setHeight(_BAR_HEIGHT)
    whole.moveCenter(QRectF(place).center())
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


def _small(font: QFont) -> QFont:
    return sized(font, 0.88)


class _RowListView(Guarded, QListView):
    """A list of `RowsOnDemand`, each as high as the others."""

    entered = Signal()
    """Enter on a row."""
    focus_changed = Signal(bool)
    """Whether it has the keyboard now; what stands around it shows that."""

    def __init__(self, rows: QAbstractListModel, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "flows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(rows)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()
        self.focus_changed.emit(True)  # noqa: FBT003 - a signal's value

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
        self.focus_changed.emit(False)  # noqa: FBT003 - a signal's value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _INTO and self.currentIndex().isValid():
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(120, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 60)


class LoadListView(_RowListView):
    """Everybody who administers something."""

    chosen = Signal(object)
    """Carries the id of who was selected by key or click."""

    def __init__(self, people: RowsOnDemand[str], parent: QWidget | None = None) -> None:
        """Shows `people`, by id."""
        super().__init__(people, tr("Who administers what"))
        self._people = people
        self._showing = False
        self._delegate = LoadDelegate(self)
        self.setItemDelegate(self._delegate)
        self.selectionModel().currentChanged.connect(self._current_changed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, those that would take too long in the next turn."""
        self._delegate.begin()
        super().paintEvent(event)

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


class PostListView(_RowListView):
    """What one of them administers; each line leads to its place in the flow."""

    followed = Signal(object)
    """Carries the `FlowPlace` of a line."""
    left = Signal()
    """Escape: somebody wants to go back to the people."""
    copy_wanted = Signal()

    def __init__(self, posts: RowsOnDemand[PostRow], parent: QWidget | None = None) -> None:
        """Shows `posts`."""
        super().__init__(posts, tr("Steps and flows"))
        self._posts = posts
        self._delegate = PostDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.entered.connect(self._follow_current)
        self.clicked.connect(self._follow)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines, those that would take too long in the next turn."""
        self._delegate.begin()
        super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By keyboard, there is always a line to go on from."""
        super().focusInEvent(event)
        # Qt has made the first one current by now, but nobody would see which it is.
        if not self.selectionModel().hasSelection() and self._posts.rowCount():
            self.setCurrentIndex(self._posts.index(max(self.currentIndex().row(), 0), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back, Ctrl+C copies all lines."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.left.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _follow_current(self) -> None:
        self._follow(self.currentIndex())

    def _follow(self, index: QModelIndex) -> None:
        row = self._posts.key_at(index.row())
        if row is not None:
            self.followed.emit(row.place)
