"""Choices of which one is always on, as chips in a row."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import RING, TARGET, colour, sized, tokens
from app.views.widgets.choices import lead_tab_to
from app.views.widgets.labels import advance, elided
from app.views.widgets.layouts import wrapping_box

_ACROSS = 10
_DOWN, _DOWN_FOLDED = 5, 2
_GAP = 6
_SMALL = 0.88
_THOUSANDS = 3


class ChipContent(Protocol):
    """What a chip shows."""

    @property
    def text(self) -> str:
        """What is painted."""

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""


class Chips(GuardedOverrides, QWidget):
    """Tab leads to the chip that is on, the arrow keys turn on its neighbours."""

    chosen = Signal(object)
    """Carries the number of the chip that the person turned on, from 0."""

    def __init__(self, name: str) -> None:
        """`name` says what is chosen."""
        super().__init__()
        self.setAccessibleName(name)
        self._chips: list[Chip] = []
        self._folded = False
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._clicked)
        self._box, self._wrapping = wrapping_box(_GAP)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._box)

    @property
    def buttons(self) -> Sequence["Chip"]:
        """The chips, in their order."""
        return self._chips

    def show_choices(self, choices: Sequence[ChipContent], on: int) -> None:
        """Show these, with the one numbered `on` turned on; there are as many each time."""
        for number, choice in enumerate(choices):
            chip = self._chips[number] if number < len(self._chips) else self._add()
            if chip.text() != choice.text:
                chip.setText(choice.text)
                chip.setAccessibleName(choice.spoken)
                chip.updateGeometry()
        self._chips[on].setChecked(True)
        lead_tab_to(self._chips[on], self._chips)
        self._share_room()

    def fold(self, *, on: bool) -> None:
        """Whether there is little room: then they are lower."""
        self._folded = on
        for chip in self._chips:
            chip.fold(on=on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Room for digits that may come is given where there is any."""
        super().resizeEvent(event)
        self._share_room()

    def mark(self, number: int, *, amber: bool, shown: bool) -> None:
        """Show a chip as one that somebody should look at, or do not show it."""
        chip = self._chips[number]
        chip.amber = amber
        chip.setVisible(shown)
        chip.update()
        self._share_room()

    def keep_room(self, number: int, text: str) -> None:
        """Make a chip as wide as this text, which it may have later."""
        self._chips[number].keep_room(text)
        self._share_room()

    def _share_room(self) -> None:
        """For digits that may come none is kept that would begin a second row: what one row has
        left goes to those who have it already, and to those whose next digit is nearest.
        """
        shown = [chip for chip in self._chips if not chip.isHidden()]
        needed = sum(chip.room(spare=False) for chip in shown) + _GAP * (len(shown) - 1)
        left = self.width() - needed
        in_one_row = left >= 0
        for chip in sorted(shown, key=lambda each: (not each.keeps_spare, -each.nearness)):
            spare = chip.room(spare=True) - chip.room(spare=False)
            kept = spare <= left or not in_one_row
            chip.keep_spare(on=kept)
            left -= spare if kept else 0

    def _add(self) -> "Chip":
        chip = Chip()
        chip.fold(on=self._folded)
        self._group.addButton(chip, len(self._chips))
        self._wrapping.insert_widget(chip)
        # On a page that stands already, Tab would come to it last of all. Qt puts it behind nothing
        # that does not take the keyboard.
        self._box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTabOrder(self._chips[-1] if self._chips else self._box, chip)
        self._box.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._chips.append(chip)
        return chip

    def _clicked(self, number: int) -> None:
        self.chosen.emit(number)


class Chip(GuardedOverrides, QRadioButton):
    """One of them; the one that is on has a ground, an edge and a check mark of its own."""

    def __init__(self) -> None:
        """Off, and without a text yet."""
        super().__init__()
        self.amber = False
        """Whether it is about something that somebody should look at."""
        self._down = _DOWN
        self._room = 0
        self._least = 0
        self._later = ""
        self._measured: tuple[str, str, int] | None = None
        self.keeps_spare = True
        """Whether there is room for one more digit than the text has."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(sized(self.font(), _SMALL))

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        self._down = _DOWN_FOLDED if on else _DOWN
        self.updateGeometry()

    def keep_room(self, text: str) -> None:
        """Be as wide as this text needs, whatever it says now."""
        self._later = text
        self.updateGeometry()

    def keep_spare(self, *, on: bool) -> None:
        """Keep room for one more digit than the text has, or none."""
        if on is not self.keeps_spare:
            self.keeps_spare = on
            self.updateGeometry()

    @property
    def nearness(self) -> float:
        """How near its count is to one with a digit more, up to 1."""
        digits = "".join(letter for letter in self.text() if letter.isdigit())
        return float(f"0.{digits}") if digits.isascii() and digits else 0.0

    def sizeHint(self) -> QSize:
        """The text, room for one more digit where there is any, and the air around it."""
        return QSize(self.room(spare=self.keeps_spare), self._height)

    def room(self, *, spare: bool) -> int:
        """How wide it is, with room for one more digit or without.

        It grows when that room does not suffice and never shrinks: a count that goes up or down by
        itself moves no chip under the pointer, nor the list below.
        """
        metrics, text = self.fontMetrics(), self.text()
        asked = (text, self._later, metrics.height())
        if asked != self._measured:  # layouts ask many times
            self._measured = asked
            self._measure(text, metrics)
        return (self._room if spare else self._least) + 2 * _ACROSS + 2 * RING

    def _measure(self, text: str, metrics: QFontMetrics) -> None:
        # What it may say later has all its digits already.
        later, wanted = (advance(each, metrics) for each in (self._later, text))
        self._least = max(self._least, later, wanted)
        self._room = max(self._room, later)
        if wanted > self._room:
            digits = sum(letter.isdigit() for letter in text)
            # With every third digit comes what divides the thousands.
            more = "0" if digits % _THOUSANDS else "0,"
            self._room = advance(text + more, metrics) if digits else wanted

    def changeEvent(self, event: QEvent) -> None:
        """In another font all is measured anew."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._room = self._least = 0
            self._measured = None

    def minimumSizeHint(self) -> QSize:
        """May be squeezed; the text is then cut with dots."""
        return QSize(3 * _ACROSS, self._height)

    @property
    def _height(self) -> int:
        return max(self.fontMetrics().height() + 2 * self._down + 2 * RING, TARGET)

    def hitButton(self, place: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in the colours in force; the ring stands apart from the edge."""
        look = tokens()
        on = self.isChecked()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.hasFocus():
                painter.setPen(QPen(colour(look.accent), RING))
                ring = self.rect().toRectF().adjusted(1, 1, -1, -1)
                painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
            edge = self.rect().toRectF().adjusted(2.5, 2.5, -2.5, -2.5)
            quiet, ground = (
                (look.amber, look.amber_ground) if self.amber else (look.soft, look.card)
            )
            painter.setBrush(colour(look.accent_ground if on else ground))
            strong = on or self.underMouse()
            painter.setPen(QPen(colour(look.accent if strong else look.edge)))
            painter.drawRoundedRect(edge, edge.height() / 2, edge.height() / 2)
            painter.setPen(colour(look.accent if on else quiet))
            inside = self.rect().adjusted(_ACROSS, 0, -_ACROSS, 0)
            text = elided(self.text(), self.fontMetrics(), inside.width())
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, text)
