"""A name pill: a round mark with initials and a name, that leads to the person."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.viewmodels.flow_cards import Pill
from app.viewmodels.wording import initials
from app.views.theme import colour, sized, tokens

_PADDING = 4
_GAP = 6


class NamePill(QPushButton):
    """One administrator; a person in the list can be followed, anybody else is only told."""

    followed = Signal(object)
    """Carries the person's id."""

    def __init__(self, pill: Pill, parent: QWidget | None = None) -> None:
        """Show `pill`."""
        super().__init__(pill.text, parent)
        self._pill = pill
        self.setProperty("role", "pill")
        self.setAccessibleName(pill.accessible_name)
        self.setToolTip(pill.accessible_name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if pill.can_follow:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(self._follow)
        else:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """Round mark, name, and air."""
        metrics = self.fontMetrics()
        height = metrics.height() + 2 * _PADDING
        mark = height if self._pill.known else _PADDING * 2
        return QSize(mark + _GAP + metrics.horizontalAdvance(self.text()) + 3 * _PADDING, height)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed; the name is then cut with dots."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint mark and name in the colours in force; amber where something is missing."""
        look = tokens()
        ink = look.text if self._pill.known else look.amber
        ground = look.accent_ground if self._pill.known else look.amber_ground
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect().adjusted(1, 1, -1, -1)
        painter.setBrush(colour(ground))
        painter.setPen(QPen(colour(look.accent), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(whole, whole.height() / 2, whole.height() / 2)
        start = self._mark(painter, whole) if self._pill.known else 3 * _PADDING
        painter.setPen(colour(look.accent if self.underMouse() and self._pill.can_follow else ink))
        painter.setFont(self.font())
        place = self._mirrored(QRect(start, 0, self.width() - start - 2 * _PADDING, self.height()))
        text = QFontMetrics(self.font()).elidedText(
            self.text(), Qt.TextElideMode.ElideRight, place.width()
        )
        side = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(side), text)

    def _mark(self, painter: QPainter, whole: QRect) -> int:
        look = tokens()
        size = whole.height() - 4
        place = self._mirrored(QRect(whole.left() + 2, whole.top() + 2, size, size))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.accent if not self._pill.archived else look.soft))
        painter.drawEllipse(place)
        painter.setPen(colour(look.on_accent if not self._pill.archived else look.card))
        painter.setFont(sized(self.font(), 0.72))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, initials(self._pill.name))
        return whole.left() + 2 + size + _GAP

    def _mirrored(self, place: QRect) -> QRect:
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            place.moveRight(self.width() - 1 - place.left())
        return place

    def _follow(self) -> None:
        self.followed.emit(self._pill.person_id)
