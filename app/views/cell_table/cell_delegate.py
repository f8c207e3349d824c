"""How rows of `Cell`s are painted, those of the People table and others: text, highlights, badges,
hairline and the focus ring.

Plain letters that stand in the order they are read are drawn in one go, which is fast enough for a
whole screen at each key press. Whatever else a marked name is written in takes the slower way.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import inf

import msgspec
from PySide6.QtCore import (
    QEvent,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.people.search import Span
from app.runtime.words import in_a_row, tr
from app.viewmodels.cell_table import CELL_ROLE, Cell, CellTable, Index
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import paint_icon
from app.views.look.theme import RING, ThemeColours, sized, tokens
from app.views.widgets.highlighted_text import PaintBudget, draw_line
from app.views.widgets.labels import advance, elided, fitting, in_one_line, show_tip

_PLAIN = re.compile("[ -~\u00a0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff]*")
"""Latin, Greek and Cyrillic, put together: one sign a letter, from left to right."""
_DOTS = "…"
_SHORT = 60
_SPARE = 4.0
"""Pixels."""
_FROM_LEFT, _AS_IT_BEGINS, _END = "\u2066", "\u2068", "\u2069"
_VERTICALLY = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT = int(Qt.AlignmentFlag.AlignLeft | _VERTICALLY)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | _VERTICALLY)


def apart(text: str, *, from_left: bool) -> str:
    """`text` to be painted in the order in which it is read, whatever way its window runs.

    `from_left` for what is no words: in a line from the right Qt would paint the groups of a phone
    number in the wrong order. Otherwise the first letter decides. Never for the clipboard.
    """
    return f"{_FROM_LEFT if from_left else _AS_IT_BEGINS}{text}{_END}"


class _Widths(dict[int, float]):
    """By the code of a letter, each measured when it is first asked for."""

    def __init__(self, metrics: QFontMetricsF) -> None:
        super().__init__()
        self._metrics = metrics

    def __missing__(self, code: int) -> float:
        letter = chr(code)
        self[code] = width = (
            self._metrics.horizontalAdvance(letter) if letter.isprintable() else inf
        )
        return width


class LetterWidths:
    """What each plain letter of a font takes up: nearly every text is seen to fit by adding up."""

    def __init__(self, metrics: QFontMetrics) -> None:
        """`metrics` of the font."""
        self.metrics = metrics
        self._height, self._ascent = metrics.height(), metrics.ascent()
        self._widths = _Widths(QFontMetricsF(metrics))

    def surely_fit(self, text: str, width: int) -> bool:
        """Whether `text`, all plain letters, takes less than `width` pixels; False in doubt."""
        if len(text) > _SHORT or not text.isascii():
            return False
        # Two letters beside each other may stand a little further apart than each alone.
        return sum(map(self._widths.__getitem__, text.encode()), _SPARE) <= width

    def baseline(self, rect: QRect) -> int:
        """Where a line in the middle of `rect` stands."""
        # Rounded as Qt does with a line in the middle of a place.
        return rect.top() + (rect.height() - self._height + 1) // 2 + self._ascent


def draw_plain(
    painter: QPainter,
    rect: QRect,
    text: str,
    *,
    is_number: bool,
    mirrored: bool,
    letters: LetterWidths | None = None,
) -> None:
    """Draw `text` in the painter's font and ink in the middle of `rect`, cut with dots.

    `letters` of that font spare measuring what is seen to fit.
    """
    if not mirrored and letters is not None and letters.surely_fit(text, rect.width()):
        painter.drawText(rect.left(), letters.baseline(rect), text)
        return
    shown = elided(in_one_line(text), painter.fontMetrics(), rect.width())
    if mirrored or not shown.isascii():
        shown = apart(shown, from_left=is_number)
    painter.drawText(rect, _RIGHT if mirrored else _LEFT, shown)


def draw_highlighted(
    painter: QPainter,
    rect: QRect,
    text: str,
    highlights: Sequence[Span],
    look: ThemeColours,
    *,
    mirrored: bool,
    letters: LetterWidths | None = None,
) -> None:
    """The same with the `highlights` of it, in the ink of the theme."""
    metrics, text = painter.fontMetrics(), in_one_line(text)
    fits = letters is not None and letters.surely_fit(text, rect.width())
    shown = text if fits else elided(text, metrics, rect.width())
    whole = len(shown) if shown == text else len(shown) - len(_DOTS)
    seen = [(start, min(end, whole)) for start, end in highlights if start < whole]
    if not _PLAIN.fullmatch(text):
        found = [(start, end - start) for start, end in seen]
        draw_line(painter, rect, shown, found, look.text, mirrored=mirrored)
        return
    left = rect.left()
    if mirrored:
        left = rect.right() + 1 - metrics.horizontalAdvance(shown)
    baseline = rect.top() + (rect.height() - metrics.height()) // 2 + metrics.ascent()
    ground, ink = QColor(look.mark), QColor(look.text)
    for start, end in seen:
        x = left + metrics.horizontalAdvance(shown[:start])
        width = left + metrics.horizontalAdvance(shown[:end]) - x
        painter.fillRect(x, baseline - metrics.ascent(), width, metrics.height(), ground)
        painter.fillRect(x, baseline + metrics.underlinePos(), width, 1, ink)
    # Letters that are read from the left, which in a mirrored window is to be said: or the dots
    # would come before them, and every letter stand beside its mark.
    painter.drawText(left, baseline, apart(shown, from_left=True) if mirrored else shown)


MARGIN = 8
"""Between the edge of a cell and its text."""
_GAP = 6
_PADDING = 6
_LEAST_TEXT = 24
_TEXT_SHARE = 0.85
"""How much of a narrow cell is the name's before badges are written out."""
_UNDO = 24
"""The side of what is clicked to undo: large enough to hit, too small to be hit in passing."""
_UNDO_ICON = 16
_BADGES_KEPT = 200
_TRAILING = 2
"""Between what is clicked to undo and the end of the cell."""


class CellLayout(msgspec.Struct, frozen=True):
    """One cell laid out: where its text, its badges and the undo mark stand."""

    text: QRect
    badges: tuple[tuple[str, QRectF], ...] = ()
    undo: QRect | None = None


class Badges:
    """Lays cells out for one font."""

    def __init__(self, font: QFont) -> None:
        """`font` is that of the texts; badges are written smaller."""
        self._small = sized(font, 0.85)
        self._metrics = QFontMetrics(self._small)
        self._widths: dict[str, int] = {}

    def lay_out(self, rect: QRect, cell: Cell, text_width: int, *, mirrored: bool) -> CellLayout:
        """Lay `cell` out in `rect`; its text would be `text_width` pixels wide."""
        undo = _undo_mark(rect, mirrored=mirrored) if cell.can_undo else None
        if not cell.badges:
            room = rect.width() - 2 * MARGIN
            return CellLayout(_placed(rect, MARGIN, room, mirrored=mirrored), undo=undo)
        words = self._that_fit(rect.width() - 2 * MARGIN, cell, text_width)
        room = max(rect.width() - 2 * MARGIN - self._width(words, cell), _LEAST_TEXT)
        x = MARGIN + min(text_width, room) + _GAP
        badges = []
        for word in words:
            width = self._badge_width(word)
            badges.append((word, self._box(_placed(rect, x, width, mirrored=mirrored))))
            x += width + _GAP
        return CellLayout(_placed(rect, MARGIN, room, mirrored=mirrored), tuple(badges), undo)

    def whole_width(self, cell: Cell, text_width: int) -> int:
        """The width of a cell in which nothing is cut or left out."""
        return text_width + 2 * MARGIN + self._width(cell.badges, cell)

    def paint(
        self,
        painter: QPainter,
        laid_out: CellLayout,
        ink: str,
        look: ThemeColours,
        *,
        mirrored: bool,
    ) -> None:
        """Paint the badges of a cell, their words in `ink`, and what takes an entry back."""
        if laid_out.badges:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._small)
            line = _colour(look.line if ink == look.soft else ink)
            for word, rect in laid_out.badges:
                painter.setPen(line)
                painter.drawRoundedRect(rect, 5, 5)
                painter.setPen(_colour(ink))
                shown = apart(word, from_left=False) if mirrored or not word.isascii() else word
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, shown)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if laid_out.undo is not None:
            mark = QRect(0, 0, _UNDO_ICON, _UNDO_ICON)
            mark.moveCenter(laid_out.undo.center())
            paint_icon(painter, mark, "undo", look.accent)

    def _that_fit(self, room: int, cell: Cell, text_width: int) -> tuple[str, ...]:
        """All of them, or as many as leave room for the name, and how many more there are; the
        first one in fewer words before the name is cut for it.
        """
        left = room - min(text_width, round(room * _TEXT_SHARE))
        stay = int(cell.keeps_first_badge)
        kept = cell.badges
        for fewer in range(len(cell.badges) - 1, stay - 1, -1):
            if self._width(kept, cell) <= left:
                break
            kept = (*cell.badges[:fewer], f"+{len(cell.badges) - fewer}")
        if cell.first_badge_short and self._width(kept, cell) > left:
            kept = (cell.first_badge_short, *kept[1:])
        return kept

    def _width(self, words: Sequence[str], cell: Cell) -> int:
        badges = sum(self._badge_width(word) + _GAP for word in words)
        return badges + (_UNDO + _GAP if cell.can_undo else 0)

    def _badge_width(self, word: str) -> int:
        width = self._widths.get(word)
        if width is None:
            if len(self._widths) >= _BADGES_KEPT:
                self._widths.clear()
            width = self._widths[word] = advance(word, self._metrics) + 2 * _PADDING
        return width

    def _box(self, rect: QRect) -> QRectF:
        height = self._metrics.height() + 4
        top = rect.center().y() + 1 - height / 2
        return QRectF(rect.left(), top, rect.width(), height)


def _undo_mark(rect: QRect, *, mirrored: bool) -> QRect:
    """Away from the name and always in the same place: nobody gets there by chance."""
    undo = _placed(rect, rect.width() - _UNDO - _TRAILING, _UNDO, mirrored=mirrored)
    above = (undo.height() - _UNDO) // 2
    return undo.adjusted(0, above, 0, -above)


def _placed(rect: QRect, x: int, width: int, *, mirrored: bool) -> QRect:
    """As high as `rect`, `x` from the side on which its lines begin."""
    left = rect.right() + 1 - x - width if mirrored else rect.left() + x
    return QRect(left, rect.top(), width, rect.height())


_MARK_WIDTH = 3
_MARKED = 0
"""The column at whose edge a chosen row has its mark, wherever it was moved."""
_SELECTED = QStyle.StateFlag.State_Selected.value


@lru_cache(64)
def _colour(name: str) -> QColor:
    # Wrapped itself, the class would have its documentation put together at every start.
    return QColor(name)


class CellDelegate(GuardedOverrides, QStyledItemDelegate):
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
        self._letters: LetterWidths | None = None
        self._slanted_letters: LetterWidths | None = None

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

    def paint_rows(
        self, painter: QPainter, event: QPaintEvent, view: QTableView, table: CellTable
    ) -> None:
        """Paint what `event` asks for of the rows of `table`, which `view` shows, row by row.

        Asked for by Qt cell by cell, each costs as much again as its text.
        """
        self.begin()
        region = event.region()
        rows = _rows_of(region, view)
        if not rows:
            return
        header, area = view.horizontalHeader(), event.rect()
        columns = [
            (column, header.sectionViewportPosition(column), header.sectionSize(column))
            for column in range(table.columnCount())
            if not header.isSectionHidden(column)
        ]
        left = min(x for _, x, _ in columns)
        width = max(x + width for _, x, width in columns) - left
        seen = [each for each in columns if each[1] <= area.right() and sum(each[1:]) > area.left()]
        font, mirrored = view.font(), view.layoutDirection() is Qt.LayoutDirection.RightToLeft
        letters = self._letters_of(painter, font)
        choice, last = view.selectionModel(), len(columns) - 1
        table.make_ready(rows[0], rows[-1])
        for row in rows:
            top, height = view.rowViewportPosition(row), view.rowHeight(row)
            selected = choice.isSelected(table.index(row, 0))
            self._ground(painter, QRect(left, top, width, height), selected=selected)
            cells = table.cells(row)
            for column, x, cell_width in seen:
                rect = QRect(x, top, cell_width, height)
                if not region.intersects(rect):
                    continue
                if row == self._ringed_row or (selected and column == _MARKED):
                    self._edges(
                        painter, rect, row, column, last, selected=selected, mirrored=mirrored
                    )
                cell = cells[column]
                if cell.state is None:
                    self._content(painter, rect, cell, font, letters, mirrored=mirrored)
                else:
                    slanted = self._letters_slanted(painter)
                    self._content(painter, rect, cell, self._slanted, slanted, mirrored=mirrored)

    def _letters_of(self, painter: QPainter, font: QFont) -> LetterWidths:
        painter.setFont(font)
        metrics = painter.fontMetrics()
        # The same font measures other things on another screen.
        if self._letters is None or self._letters.metrics != metrics:
            self._letters, self._slanted_letters = LetterWidths(metrics), None
        return self._letters

    def _letters_slanted(self, painter: QPainter) -> LetterWidths:
        if self._slanted_letters is None:
            painter.setFont(self._slanted)
            self._slanted_letters = LetterWidths(painter.fontMetrics())
        return self._slanted_letters

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell in the colours in force."""
        rect, row, column = option.rect, index.row(), index.column()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        # As a number: Python's own flags take longer to compare than a letter to paint.
        selected = bool(option.state.value & _SELECTED)
        self._ground(painter, rect, selected=selected)
        if selected or row == self._ringed_row:
            last = index.model().columnCount() - 1
            self._edges(painter, rect, row, column, last, selected=selected, mirrored=mirrored)
        cell = _cell(index)
        face = option.font if cell.state is None else self._slanted
        self._content(painter, rect, cell, face, None, mirrored=mirrored)

    def _content(
        self,
        painter: QPainter,
        rect: QRect,
        cell: Cell,
        font: QFont,
        letters: LetterWidths | None,
        *,
        mirrored: bool,
    ) -> None:
        """What `cell` says, in `rect`; `letters` of `font`, where they are known."""
        if not (cell.text or cell.badges or cell.can_undo) or not self._time.allows(rect):
            return
        look = self._look
        painter.setFont(font)
        painter.setPen(_colour(_ink(cell, look)))
        laid_out = None
        if cell.badges or cell.can_undo:
            laid_out = self._lay_out(rect, cell, font, mirrored=mirrored)
        text_rect = laid_out.text if laid_out is not None else rect.adjusted(MARGIN, 0, -MARGIN, 0)
        if cell.highlights:
            draw_highlighted(
                painter,
                text_rect,
                cell.text,
                cell.highlights,
                look,
                mirrored=mirrored,
                letters=letters,
            )
        elif cell.text:
            draw_plain(
                painter,
                text_rect,
                cell.text,
                is_number=cell.is_number,
                mirrored=mirrored,
                letters=letters,
            )
        if laid_out is not None:
            ink = look.amber if cell.needs_person else look.soft
            self._badges.paint(painter, laid_out, ink, look, mirrored=mirrored)

    def undo_rect(self, option: QStyleOptionViewItem, index: Index) -> QRect | None:
        """Where a click takes back the entry of this cell; None where there is nothing to undo."""
        cell = _cell(index)
        return self._laid_out(option, cell).undo if cell.can_undo else None

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

    def _tip(self, point: QPoint, option: QStyleOptionViewItem, index: Index) -> str:
        cell, undo = _cell(index), self.undo_rect(option, index)
        if undo is not None and undo.contains(point):
            return tr("Undo")
        if cell.whole:
            return cell.whole
        if self.sizeHint(option, index).width() <= option.rect.width():
            return ""
        text = apart(in_one_line(cell.text), from_left=cell.is_number)
        return "\n".join((text, in_a_row(cell.badges))).strip()

    def _laid_out(self, option: QStyleOptionViewItem, cell: Cell) -> CellLayout:
        font = option.font if cell.state is None else self._slanted
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        return self._lay_out(option.rect, cell, font, mirrored=mirrored)

    def _lay_out(self, rect: QRect, cell: Cell, font: QFont, *, mirrored: bool) -> CellLayout:
        width = self._width_of(cell, font, rect) if cell.badges else 0
        return self._badges.lay_out(rect, cell, width, mirrored=mirrored)

    def _text_width(self, option: QStyleOptionViewItem, cell: Cell) -> int:
        return self._width_of(cell, option.font, option.rect)

    def _width_of(self, cell: Cell, font: QFont, rect: QRect) -> int:
        metrics = QFontMetrics(font if cell.state is None else self._slanted)
        room = rect.width()
        # Asked by a header, there is no place yet.
        seen = fitting(cell.text, room) if room > 0 else cell.text
        width = advance(in_one_line(seen), metrics)
        return width if seen == cell.text else max(width, room + 1)

    def _ground(self, painter: QPainter, rect: QRect, *, selected: bool) -> None:
        if selected:
            painter.fillRect(rect, _colour(self._look.selection))
        hairline = QRect(rect.left(), rect.bottom(), rect.width(), 1)
        # Filled with a colour, PySide would build a class for every kind of gradient at each start.
        painter.setBackground(_colour(self._look.line))
        painter.eraseRect(hairline)

    def _edges(
        self,
        painter: QPainter,
        rect: QRect,
        row: int,
        column: int,
        last: int,
        *,
        selected: bool,
        mirrored: bool,
    ) -> None:
        """The mark of a row that is chosen, and the ring around the one that has the keyboard."""
        if selected and column == _MARKED:
            painter.fillRect(_edge(rect, _MARK_WIDTH, right=mirrored), _colour(self._look.accent))
        if row == self._ringed_row:
            self._ring(painter, rect, column, last, mirrored=mirrored)

    def _ring(
        self, painter: QPainter, rect: QRect, column: int, last: int, *, mirrored: bool
    ) -> None:
        """One ring around the whole row: a row is one person."""
        accent = _colour(self._look.accent)
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), RING), accent)
        painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - RING, rect.width(), RING), accent)
        if column in {0, last}:
            right = (column == last) is not mirrored
            painter.fillRect(_edge(rect, RING, right=right), accent)


def _rows_of(region: QRegion, view: QTableView) -> list[int]:
    """The rows that are at least partly in `region`, each once, from the top."""
    rows: set[int] = set()
    for rect in region:  # type: ignore[attr-defined]  # the stubs do not know that it can be
        first, last = view.rowAt(rect.top()), view.rowAt(rect.bottom())
        if first >= 0:
            rows.update(range(first, (last if last >= 0 else view.model().rowCount() - 1) + 1))
    return sorted(rows)


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


def _ink(cell: Cell, look: ThemeColours) -> str:
    if cell.ink:
        return str(getattr(look, cell.ink))
    return look.text if cell.is_given else look.soft


def _cell(index: Index) -> Cell:
    cell = index.data(CELL_ROLE)
    return cell if isinstance(cell, Cell) else Cell("")
