"""A row of chips of which one is always on: radio buttons in a shape that takes little room."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from app.viewmodels.guarded import Guarded
from app.views.theme import RING, colour, sized, tokens
from app.views.widgets.eliding import elided
from app.views.widgets.wrapping import wrapping_box

_ACROSS = 11
_DOWN = 5
_GAP = 6
_SMALL = 0.88


class Choice(Protocol):
    """What a chip shows."""

    @property
    def text(self) -> str:
        """What is painted."""

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""


class Chips(Guarded, QWidget):
    """Tab leads to the chip that is on, the arrow keys turn on its neighbours."""

    def __init__(
        self, name: str, choose: Callable[[int], object], parent: QWidget | None = None
    ) -> None:
        """`name` says what is chosen; `choose` gets the number of the chip, from 0."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._choose = choose
        self._chips: list[Chip] = []
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._clicked)
        box, self._wrapping = wrapping_box(_GAP)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(box)

    def show_choices(self, choices: Sequence[Choice], on: int) -> None:
        """Show these, with the one numbered `on` turned on; there are as many each time."""
        for number, choice in enumerate(choices):
            chip = self._chips[number] if number < len(self._chips) else self._add()
            if chip.text() != choice.text:
                chip.setText(choice.text)
                chip.setAccessibleName(choice.spoken)
                chip.updateGeometry()
        self._chips[on].setChecked(True)

    def _add(self) -> "Chip":
        chip = Chip()
        self._group.addButton(chip, len(self._chips))
        self._chips.append(chip)
        self._wrapping.insert_widget(chip)
        return chip

    def _clicked(self, number: int) -> None:
        self._choose(number)


class Chip(Guarded, QRadioButton):
    """One of them; the one that is on has a ground, an edge and a check mark of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Off, and without a text yet."""
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(sized(self.font(), _SMALL))

    def sizeHint(self) -> QSize:
        """The text and the air around it."""
        metrics = self.fontMetrics()
        return QSize(
            metrics.horizontalAdvance(self.text()) + 2 * _ACROSS + 2 * RING,
            metrics.height() + 2 * _DOWN + 2 * RING,
        )

    def minimumSizeHint(self) -> QSize:
        """May be squeezed; the text is then cut with dots."""
        return QSize(3 * _ACROSS, self.sizeHint().height())

    def hitButton(self, place: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in the colours in force; the ring stands apart from the edge."""
        look = tokens()
        on = self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(colour(look.accent), RING))
            ring = self.rect().toRectF().adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        edge = self.rect().toRectF().adjusted(2.5, 2.5, -2.5, -2.5)
        painter.setBrush(colour(look.accent_ground if on else look.card))
        strong = on or self.underMouse()
        painter.setPen(QPen(colour(look.accent if strong else look.edge)))
        painter.drawRoundedRect(edge, edge.height() / 2, edge.height() / 2)
        painter.setPen(colour(look.accent if on else look.soft))
        inside = self.rect().adjusted(_ACROSS, 0, -_ACROSS, 0)
        text = elided(self.text(), self.fontMetrics(), inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, text)
