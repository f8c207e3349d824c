"""The line in which rows are searched: the header's, and that of a page with rows of its own."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import Badge, icon
from app.views.look.theme import SPACE
from app.views.widgets.buttons import label
from app.views.widgets.labels import NOTHING_MORE, advance, native_keys, set_tip

_LETTERS = 42
"""How many letters wide it is at most, what stands at its ends included."""
_LEAST_LETTERS = 26
_EDGE = 6
_DOWN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class SearchField(GuardedOverrides, QLineEdit):
    """An ordinary line with an icon, a hint of its keys and, with text in it, a way to clear it."""

    entered = Signal()
    """Enter, before `left`: somebody means what was found."""
    left = Signal()
    """Enter, the key downwards, or Escape in an empty line: on to what was found."""

    def __init__(self, *, on_a_page: bool = False) -> None:
        """Empty. `on_a_page`: Escape in an empty line is the page's, which is left by it."""
        super().__init__()
        self._on_a_page = on_a_page
        # What stands in it while it is empty is what it is called.
        self.setAccessibleDescription(NOTHING_MORE)
        self._mark = Badge("search", "soft", 4 * SPACE)
        self._keys = label(_keys(), "badge")
        self._keys.setAccessibleName(tr("Search: {keys}", keys=_keys()))
        self._clear = QToolButton()
        self._clear.setProperty("role", "inner")
        self._clear.setIcon(icon("close", "soft"))
        self._clear.setAccessibleName(tr("Clear the search"))
        set_tip(self._clear, tr("Clear the search (Escape)"))
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.clicked.connect(self.clear)
        within = QHBoxLayout(self)
        within.setContentsMargins(2 * _EDGE, 0, _EDGE, 0)
        within.addWidget(self._mark)
        within.addStretch(1)
        for each in (self._keys, self._clear):
            within.addWidget(each, 0, Qt.AlignmentFlag.AlignVCenter)
        letter = self.fontMetrics().averageCharWidth()
        self.setMinimumWidth(letter * _LEAST_LETTERS)
        self.setMaximumWidth(letter * _LETTERS)
        self.textChanged.connect(self._show)
        self._show()

    def setPlaceholderText(self, text: str) -> None:
        """Say what is searched, in place of the keys where there is no room for both."""
        super().setPlaceholderText(text)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text ends before what stands at its end."""
        super().resizeEvent(event)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """In a mirrored language the text ends on the other side."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._make_room()

    def event(self, event: QEvent) -> bool:
        """Escape is the search field's before it is that of what stands around it."""
        override = event.type() is QEvent.Type.ShortcutOverride
        its_own = bool(self.text()) or not self._on_a_page
        if (
            override
            and its_own
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From the field down into the list, or the field is emptied."""
        if event.key() in _DOWN:
            if event.key() != Qt.Key.Key_Down:
                self.entered.emit()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
        else:
            self.left.emit()

    def _show(self) -> None:
        self._keys.setVisible(not self.text() and self._has_room_for_keys())
        self._clear.setVisible(bool(self.text()))
        self._make_room()

    def _has_room_for_keys(self) -> bool:
        words = advance(self.placeholderText(), self.fontMetrics())
        around = self._mark.width() + self._keys.sizeHint().width() + 8 * _EDGE
        return words + around <= self.width()

    def _make_room(self) -> None:
        shown = self._clear if self.text() else self._keys
        has_none = not self.text() and self._keys.isHidden()
        before, behind = self._mark.width() + _EDGE, 0 if has_none else shown.sizeHint().width()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left, right = (behind, before) if mirrored else (before, behind)
        self.setTextMargins(left, 0, right, 0)


def _keys() -> str:
    return native_keys(QKeySequence(QKeySequence.StandardKey.Find))
