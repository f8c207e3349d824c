"""Who may be the same person, beside where they are typed and over what stands there: nothing is
moved.
"""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.already_here import DuplicateHint, already_here_words
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.widgets.buttons import button, label
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.labels import (
    ElidingLabel,
    advance,
    in_one_line,
    native_keys,
)
from app.views.widgets.layouts import wrapping_box
from app.views.widgets.pill import Avatar
from app.views.widgets.pointer import Settling

MOST = 3
"""People who are shown; each has a key of their own."""
_LINES_OF_WHY = 2
_AVATAR = 28
_GAP = 5
"""Pixels between it and what it stands beside."""


def opening_keys(number: int) -> QKeySequence:
    """The keys that open the hint of this number, counted from 0."""
    return QKeySequence(Qt.Modifier.ALT | Qt.Key(Qt.Key.Key_1 + number))


class _HintRow(GuardedOverrides, QWidget):
    """One person: initials, name, email, why, and a way there."""

    def __init__(self, number: int, parent: "AlreadyHere") -> None:
        super().__init__(parent)
        self._panel = parent
        self._number = number
        self._question = label(already_here_words(), "question")
        self._question.hide()
        self._avatar = Avatar("", size=_AVATAR)
        self._name, self._email = ElidingLabel("strong"), ElidingLabel()
        # Why it is thought is what one decides by, and has no room in a line of the small window.
        self._about = HighlightedLabel("soft", _LINES_OF_WHY)
        keys = native_keys(opening_keys(number))
        self.open = button(f"{tr('Open')}  {keys}", self._clicked, "link")
        if not parent.takes_keyboard:
            self.open.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._box, self._wrapping = wrapping_box(8, down=2)
        for each in (self._name, self._email, self._about):
            self._wrapping.insert_widget(each)
        self._middle = middle = QVBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._box)
        middle.addStretch(1)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._question)
        row.addWidget(self._avatar)
        row.addLayout(middle, 1)
        row.addWidget(self.open)

    def show_hint(self, hint: DuplicateHint) -> None:
        """Show this person."""
        self._avatar.show_initials(hint.initials)
        self._name.setText(in_one_line(hint.name))
        self._email.setText(in_one_line(hint.email))
        self._email.setVisible(bool(hint.email))
        self._about.show_text(in_one_line(hint.about), ())
        self.open.setAccessibleName(in_one_line(tr("Open {name}", name=hint.name)))

    def ask(self, *, on: bool) -> None:
        """Whether the question, which else stands above all, stands before this person."""
        self._question.setVisible(on)

    def shrink(self, *, on: bool) -> None:
        """Whether it stands in the small window: the room is for words there."""
        self._avatar.setHidden(on)

    def width_with_question(self) -> int:
        """What all of it needs in one line, in pixels."""
        said = (self._avatar, self._name, self._email, self._about)
        shown = (*(each for each in said if not each.isHidden()), self._question, self.open)
        return sum(each.sizeHint().width() + self._row.spacing() for each in shown)

    def limit_why(self, lines: int) -> None:
        """Say in at most as many lines why it is thought."""
        self._about.limit(lines)
        # Each keeps the heights it has asked for, and would be told by a later event.
        self._wrapping.invalidate()
        self._box.updateGeometry()
        self._middle.invalidate()
        self._row.invalidate()
        self.updateGeometry()

    def _clicked(self) -> None:
        self._panel.open_clicked(self._number)


class AlreadyHere(GuardedOverrides, QFrame):
    """Floats below where somebody types while there is somebody to show."""

    open_wanted = Signal(object)
    """Carries the `DuplicateHint` of somebody to be opened."""
    left = Signal()
    """Escape: the keyboard belongs to the line."""

    def __init__(self, parent: QWidget | None = None, *, takes_keyboard: bool = True) -> None:
        """Hidden, with nobody in it; `takes_keyboard`: whether the way there is by Tab as well.
        Where the line ends with its keyboard, nothing here takes it.
        """
        self.takes_keyboard = takes_keyboard
        super().__init__(parent)
        self.setProperty("role", "already-here")
        self.setProperty("stands_above", True)  # noqa: FBT003 - Qt's own
        self.setAccessibleName(already_here_words())
        self._hints: tuple[DuplicateHint, ...] = ()
        self._settling = Settling()
        self._small = False
        self._lines = lines = QVBoxLayout(self)
        lines.setContentsMargins(14, 8, 14, 8)
        lines.setSpacing(6)
        self._warning = ElidingLabel("problem")
        # In one line, so that nobody moves when Enter has brought the warning.
        self._heading, heading = wrapping_box(8)
        heading.insert_widget(label(already_here_words(), "question"))
        heading.insert_widget(self._warning)
        lines.addWidget(self._heading)
        self._said = ""
        self._warning_below = label("", "problem", wraps=True)
        lines.addWidget(self._warning_below)
        self._rows: list[_HintRow] = []
        self.hide()

    @property
    def buttons(self) -> list[QPushButton]:
        """The ways to the people shown, from the top; more of them once there are more people."""
        return [row.open for row in self._rows]

    def show_hints(self, hints: Sequence[DuplicateHint], warning: str = "") -> None:
        """Show who may be the same person, and what another Enter does."""
        hints = tuple(hints)
        if hints != self._hints:
            self._settling.begin()
        self._hints = hints
        while len(self._rows) < min(len(self._hints), MOST):
            self._rows.append(_HintRow(len(self._rows), self))
            self._rows[-1].shrink(on=self._small)
            self._lines.addWidget(self._rows[-1])
        for row, hint in zip(self._rows, self._hints, strict=False):
            row.show_hint(hint)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(self._hints))
        self._said = warning
        self._show_warning(self.width())

    def _show_warning(self, width: int) -> None:
        """In its heading's line or in one of its own; where it has no room in one, in several.

        Of one person the question stands in their line, and the warning below.
        """
        margins = self._lines.contentsMargins()
        room = width - margins.left() - margins.right()
        alone = len(self._hints) == 1 and self._rows[0].width_with_question() <= room
        self._heading.setVisible(not alone)
        for row in self._rows[:1]:
            row.ask(on=alone)
        place = self._lines.count() - 1 if alone else 1
        if self._lines.indexOf(self._warning_below) != place:
            self._lines.removeWidget(self._warning_below)
            self._lines.insertWidget(place, self._warning_below)
        fits = not alone and advance(self._said, self._warning.fontMetrics()) <= room
        for each, here in ((self._warning, fits), (self._warning_below, not fits)):
            each.setText(self._said if here else "")
            each.setVisible(here and bool(self._said))

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        air = 3 if on else 8
        self._lines.setContentsMargins(14, air, 14, air)

    def shrink(self, *, on: bool) -> None:
        """Whether it stands in the small window."""
        self._small = on
        for row in self._rows:
            row.shrink(on=on)

    def room_for_one(self, *, warned: bool) -> int:
        """How far below a place one person reaches, in pixels, with room for all in their line;
        `warned`: with what another Enter does.
        """
        margins, a_line = self._lines.contentsMargins(), self._warning.fontMetrics().height()
        below = self._lines.spacing() + a_line if warned else 0
        return _GAP + margins.top() + _AVATAR + below + margins.bottom()

    @property
    def has_somebody(self) -> bool:
        """Whether there is anybody to show."""
        return bool(self._hints)

    def place_below(self, at: QRect, end: int | None = None) -> None:
        """Stand below a place in the parent, as wide as it is and as high as is needed and there
        is room for; above `end`, in pixels from the top of the parent, where it can.
        """
        parent = self.parentWidget()
        if parent is not None:
            place = QRect(at.x(), at.bottom() + _GAP, at.width(), parent.height())
            self._stand(place, parent, end)

    def place_beside(self, line: QRect, within: QRect) -> None:
        """Stand below a `line` of the parent as long as all there may be have room there `within`,
        else above it: what stands below `within` stays free, and whoever is shown on one side
        does not change it because there are more of them.
        """
        parent, layout = self.parentWidget(), self.layout()
        if parent is None or layout is None:
            return
        layout.activate()
        high = layout.totalHeightForWidth(line.width())
        a_row = max((row.heightForWidth(line.width()) for row in self._rows), default=0)
        missing = MOST - min(len(self._hints), MOST)
        most = high + missing * (a_row + self._lines.spacing())
        below = QRect(line.x(), line.bottom() + _GAP, line.width(), parent.height())
        if below.top() + most <= within.bottom():
            self._stand(below, parent)
            return
        high = min(high, max(line.top() - _GAP, 0))
        self._stand(QRect(line.x(), line.top() - _GAP - high, line.width(), high), parent)

    def _stand(self, place: QRect, parent: QWidget, end: int | None = None) -> None:
        """At `place`, as high as is needed there and no higher than there is room in `parent`."""
        layout = self.layout()
        if layout is None:
            return
        self._show_warning(place.width())
        room = min(place.height(), (parent.height() if end is None else end) - place.top())
        wanted = 0
        for lines in (_LINES_OF_WHY, 1):
            for row in self._rows:
                row.limit_why(lines)
            layout.invalidate()
            layout.activate()
            wanted = min(layout.totalHeightForWidth(place.width()), place.height())
            if wanted <= room:
                break
        if place.top() != self.y():
            self._settling.begin()
        place.setHeight(min(wanted, max(parent.height() - place.top(), 0)))
        self.setGeometry(place)
        self.raise_()

    def open(self, number: int) -> None:
        """Open the person of this number, counted from 0; nothing where there are fewer."""
        if self.isVisible() and number < len(self._hints):
            self.open_wanted.emit(self._hints[number])

    def open_clicked(self, number: int) -> None:
        """The same by the mouse, or a key on the button: not where somebody else stood just now."""
        if self._settling.over:
            self.open(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back to the line."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
