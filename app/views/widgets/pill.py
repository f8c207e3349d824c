"""Somebody's name as a pill, and the round mark with their initials."""

from functools import lru_cache
from math import ceil

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.runtime.words import tr
from app.viewmodels.flows.cards import Pill
from app.viewmodels.formatting import initials
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import icon
from app.views.look.theme import TARGET, colour, sized, tokens
from app.views.widgets.buttons import Button, pressed_by
from app.views.widgets.held_keys import is_held
from app.views.widgets.highlighted_text import draw_line
from app.views.widgets.labels import advance, in_one_line, set_tip

_SIZE = 52


class Avatar(GuardedOverrides, QWidget):
    """Decoration only: the name stands beside it."""

    def __init__(self, initials: str, *, size: int = _SIZE) -> None:
        """`initials` are at most two letters; `size` is what it measures across, in pixels."""
        super().__init__()
        self._initials = initials
        self.setFixedSize(size, size)

    def show_initials(self, initials: str) -> None:
        """Stand for somebody else."""
        self._initials = initials
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the mark in the colours in force."""
        look = tokens()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look.accent_ground))
            painter.drawEllipse(self.rect())
            painter.setPen(colour(look.accent))
            painter.setFont(sized(self.font(), 1.4 * self.width() / _SIZE))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._initials)


_PADDING = 3
_GAP = 6
_LETTERS = 0.72
_MOST_OF_MARK = 0.74
"""How much of the round mark its letters may be wide."""
_MEASURED = 120
"""Letters: a longer name is cut wherever it stands."""
_FOLLOW = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Select})


class NamePill(Button):
    """One administrator who is in the list of people."""

    followed = Signal(object)
    """Carries the person's id."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Shows nobody before `show_pill`."""
        super().__init__(parent=parent)
        self._pill: Pill | None = None
        self._size = QSize()
        self._letters = "", 1.0, ""
        """Of the mark, with how much smaller than the name they are, and its font."""
        self.setProperty("role", "pill")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._follow)

    @property
    def pill(self) -> Pill | None:
        """Whom it shows."""
        return self._pill

    def show_pill(self, pill: Pill, where: str = "") -> None:
        """Show `pill`; `where` says what is administered, for those who do not see it."""
        if pill != self._pill:
            self._pill = pill
            self.setText(pill.text)
            self.setAccessibleName(pill.accessible_name)
            set_tip(self, tr("Show {name}", name=pill.text))
            self._measure()
        if where != self.accessibleDescription():
            self.setAccessibleDescription(where)

    def mark(self, pill: Pill) -> None:
        """Mark what was searched: `pill` is the one that it shows, but for the marks."""
        if pill != self._pill:
            self._pill = pill
            self.update()

    def sizeHint(self) -> QSize:
        """Round mark, name, and air."""
        return self._size

    def minimumSizeHint(self) -> QSize:
        """May be squeezed; the name is then cut with dots."""
        return QSize(2 * self._size.height(), self._size.height())

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another size."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._measure()

    def _measure(self) -> None:
        """Once for all who ask: layouts ask many times."""
        metrics = self.fontMetrics()
        height = max(metrics.height() + 2 * _PADDING, TARGET)
        text = advance(in_one_line(self._pill.text[:_MEASURED]) if self._pill else "", metrics)
        size = QSize(height + _GAP + text + 3 * _PADDING, height)
        if size != self._size:
            self._size = size
            self.updateGeometry()
        letters = in_one_line(initials(self._pill.name)) if self._pill else ""
        # Two wide letters, as of Korean names, would touch the edge.
        wide = advance(letters, metrics) * _LETTERS / ((height - 6) * _MOST_OF_MARK)
        self._letters = letters, _LETTERS / max(wide, 1), self.font().key()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space follow; the arrows belong to whoever knows the other pills."""
        if pressed_by(self, event):
            return
        if event.key() in _FOLLOW and not is_held(event):
            self.click()
            return
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint mark and name in the colours in force; amber where something is missing."""
        if self._pill is None:
            return
        look, pill = tokens(), self._pill
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            whole = self.rect().adjusted(1, 1, -1, -1)
            painter.setBrush(colour(look.amber_ground if pill.missing else look.accent_ground))
            painter.setPen(QPen(colour(look.accent), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(whole, whole.height() / 2, whole.height() / 2)
            self._mark(painter, whole, pill)
            ink = look.amber if pill.missing else look.accent
            start = whole.height() + _GAP
            rect = self._mirrored(
                QRect(start, 0, self.width() - start - 2 * _PADDING, self.height())
            )
            if self.underMouse():
                font = self.font()
                font.setUnderline(True)
                painter.setFont(font)
            draw_line(painter, rect, pill.text, pill.highlights, ink, mirrored=self._is_mirrored())

    def _mark(self, painter: QPainter, whole: QRect, pill: Pill) -> None:
        look = tokens()
        side = whole.height() - 4
        rect = self._mirrored(QRect(QPoint(whole.left() + 2, whole.top() + 2), QSize(side, side)))
        if pill.missing:
            icon("warning", "amber").paint(painter, rect.adjusted(2, 2, -2, -2))
            return
        ratio = self.devicePixelRatioF()
        at = QPointF(round(rect.x() * ratio) / ratio, round(rect.y() * ratio) / ratio)
        letters, smaller, font = self._letters
        painter.drawImage(
            at, _mark(letters, side, smaller, look.accent, look.on_accent, font, ratio)
        )

    def _is_mirrored(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft

    def _mirrored(self, rect: QRect) -> QRect:
        if self._is_mirrored():
            rect.moveRight(self.width() - 1 - rect.left())
        return rect

    def _follow(self) -> None:
        if self._pill is not None:
            self.followed.emit(self._pill.person_id)


@lru_cache(maxsize=512)
def _mark(  # noqa: PLR0917 - what tells pictures apart
    letters: str, side: int, smaller: float, ground: str, ink: str, font: str, ratio: float
) -> QImage:
    """As it is painted on a screen of `ratio` pixels to one of the window, `side` of those wide.

    Drawn once: Qt keeps letters ready in a few sizes only, and the marks of a screenful have more.
    """
    pixels = ceil(side * ratio)
    picture = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    of_letters = QFont()
    of_letters.fromString(font)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ground))
    painter.drawEllipse(QRectF(0, 0, side, side))
    painter.setPen(colour(ink))
    painter.setFont(of_letters)
    # Made smaller as a picture: in another size all fonts would be looked through once more.
    painter.translate(side / 2, side / 2)
    painter.scale(smaller, smaller)
    room = QRectF(-side, -side, 2 * side, 2 * side)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, letters)
    painter.end()
    return picture
