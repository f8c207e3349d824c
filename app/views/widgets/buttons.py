"""Buttons and cards in the few roles the style sheet knows, and what keys press."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import icon
from app.views.look.icons import icon as named_icon
from app.views.widgets.held_keys import is_held, note_release
from app.views.widgets.labels import (
    PlainLabel,
    announce,
    broken_lines,
    direction_of,
    literal,
    set_tip,
)

_LEAST_LETTERS = 8
"""So many of a link are seen in any case."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def bind_keys(
    within: QWidget,
    keys: QKeySequence | QKeySequence.StandardKey | Qt.Key | str,
    act: Callable[[], object],
) -> None:
    """Have `keys` do `act` while the keyboard is in `within`, or in something in it."""
    shortcut = QShortcut(QKeySequence(keys), within)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)


def pressed_by(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press `button` if the key is Enter; False for any other. A key held down presses once."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() not in _ENTER or held:
        return False
    if not is_held(event):
        button.click()
    return True


class Button(GuardedOverrides, QPushButton):
    """A push button as all of ours are; Space presses it too."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        """Named `text`."""
        super().__init__(parent)
        self.setText(text)
        self.setAutoDefault(False)

    def setText(self, text: str) -> None:
        """Name it `text`, in which an ampersand is an ampersand."""
        super().setText(literal(text))

    def text(self) -> str:
        """What is read on it."""
        return super().text().replace("&&", "&")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses."""
        if not pressed_by(self, event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Remember it: the next press may be the same one held."""
        note_release(event)
        super().keyReleaseEvent(event)


class ToolButton(GuardedOverrides, QToolButton):
    """The same with a picture above all; where it has a menu, Enter opens it."""

    def setText(self, text: str) -> None:
        """Name it `text`, in which an ampersand is an ampersand."""
        super().setText(literal(text))

    def text(self) -> str:
        """What is read on it."""
        return super().text().replace("&&", "&")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses."""
        if not pressed_by(self, event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Remember it: the next press may be the same one held."""
        note_release(event)
        super().keyReleaseEvent(event)


_INK = {"primary": "on_accent", "link": "accent"}
"""The colour of what is written on a button of that role, as a token."""


class _Words(PlainLabel):
    """Begins where the window's lines begin; Qt would have a name begin where its letters do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._take_side()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._take_side()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt paints each line that is broken in a script from the right too far to the left, by the
        blank at its end: it is cut where it fills its room.
        """
        direction = direction_of(self.text())
        if direction is not Qt.LayoutDirection.RightToLeft or not self.wordWrap():
            super().paintEvent(event)
            return
        room = self.contentsRect()
        lines = broken_lines(self.text(), self.font(), room.width(), direction)
        flags = self.alignment().value | Qt.TextFlag.TextForceRightToLeft.value
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter,
                room,
                flags,
                self.palette(),
                self.isEnabled(),
                "\n".join(lines),
                self.foregroundRole(),
            )

    def _take_side(self) -> None:
        set_now = self.alignment()
        if set_now & Qt.AlignmentFlag.AlignHCenter:
            return
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        upright = set_now & Qt.AlignmentFlag.AlignVertical_Mask
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | upright)


def label(text: str, role: str = "", *, wraps: bool = False) -> QLabel:
    """A label that shows plain text only: what the service sends is never read as markup."""
    made = _Words(text)
    made.setProperty("role", role)
    made.setWordWrap(wraps)
    if wraps:
        made.setMinimumWidth(1)
    return made


def button(
    text: str, on_click: Callable[[], object], role: str = "", *, icon: str = ""
) -> QPushButton:
    """A button that runs `on_click` by click, Space or Enter; `icon` names one of ours for it."""
    made = Button(text)
    if icon:
        made.setIcon(named_icon(icon, _INK.get(role, "text")))
    made.setProperty("role", role)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if role == "link":
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    made.clicked.connect(lambda _checked=False: on_click())
    return made


class ElidingLink(Button):
    """Words that lead somewhere, cut with dots where there is no room; `text()` stays the whole,
    which a tip has to tell.
    """

    def __init__(self, words: str, follow: Callable[[], object]) -> None:
        """Runs `follow` by click, Space or Enter."""
        super().__init__(words)
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked=False: follow())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters is enough."""
        whole = super().minimumSizeHint()
        least = self.fontMetrics().averageCharWidth() * _LEAST_LETTERS
        return QSize(min(whole.width(), least), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """As any button, but for the dots."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_PushButtonContents
        room = self.style().subElementRect(contents, option, self).width()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        option.text = literal(shown)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


def card() -> QFrame:
    """A raised surface with a hairline around it."""
    made = QFrame()
    made.setProperty("role", "card")
    return made


def empty_page(*shown: QWidget) -> QWidget:
    """What stands where a list has no rows, in its middle: sentences across it, and buttons."""
    page = QWidget()
    rows = QVBoxLayout(page)
    rows.setContentsMargins(24, 24, 24, 24)
    rows.setSpacing(12)
    rows.addStretch(1)
    for each in shown:
        if isinstance(each, QAbstractButton):
            rows.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        else:
            rows.addWidget(each)
    rows.addStretch(1)
    return page


def rule() -> QFrame:
    """A hairline."""
    made = QFrame()
    made.setProperty("role", "rule")
    return made


def set_flag(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have it look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class CopyButton(Button):
    """Reads "Copied" after it was used, until there is another text to copy."""

    def __init__(self, accessible_name: str, text: Callable[[], str]) -> None:
        """`accessible_name` says what is copied: there are many of these on one page.

        `text` is asked at each click.
        """
        super().__init__(tr("Copy"))
        self._text_to_copy = text
        self.setIcon(icon("copy", "accent"))
        self.setProperty("role", "link")
        self.setAccessibleName(accessible_name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._copy)

    def text_changed(self) -> None:
        """There is another text now, which was not copied yet."""
        self.setText(tr("Copy"))
        self.setIcon(icon("copy", "accent"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text_to_copy())
        self.setText(tr("Copied"))
        self.setIcon(icon("check", "accent"))
        announce(self, tr("Copied"))


_MOMENT_MS = 1800


class CopyAddress(Button):
    """Copies what `what` gives at the moment of the click."""

    def __init__(self, name: str, what: Callable[[], str]) -> None:
        """`name` says to a screen reader what is copied."""
        super().__init__()
        self._what = what
        self._back = QTimer(self, singleShot=True, interval=_MOMENT_MS)
        self._back.timeout.connect(self._offer)
        self.setAccessibleName(name)
        set_tip(self, name)
        self.clicked.connect(self._copy)
        self._say_copied()
        wider = self.sizeHint().width()
        self._offer()
        # The words change under the pointer; nothing beside them may move.
        self.setMinimumWidth(max(wider, self.sizeHint().width()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._what())
        self._say_copied()
        announce(self, tr("Copied"))
        self._back.start()

    def _say_copied(self) -> None:
        self.setText(tr("Copied"))
        self.setIcon(icon("check"))

    def _offer(self) -> None:
        self.setText(tr("Copy"))
        self.setIcon(icon("copy"))
