"""A page inside the window that one goes to and comes back from; never a box on top of it."""

from collections.abc import Callable, Iterator

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.help.help import KeyBinding, PageKind, keys_of
from app.views.widgets.buttons import bind_keys, button, card, label
from app.views.widgets.labels import native_keys, set_tip
from app.views.widgets.menus import RowMenu
from app.views.widgets.spoken_roles import speak_as

READING_WIDTH = 760
"""Wider, and the eye loses the line."""
_SIDE = 20


class InnerPage(GuardedOverrides, QWidget):
    """Back, a title, and whatever is put into `body`, which reaches to the window's edges.

    Escape goes back as well.
    """

    closed = Signal()
    title_is_short = False
    """Whether more stands behind the title, in `head_row`."""
    page_kind = PageKind.PAGE
    """Which keys the help tells first."""
    can_print = False
    """Whether what it shows can be printed."""

    def __init__(self, title: str) -> None:
        """Nothing below the title yet."""
        super().__init__()
        self._is_covered = False
        self._keyboard_at: QWidget | None = None
        self.back = button(tr("Back"), self.closed.emit, icon="back")
        set_tip(self.back, tr("Escape"))
        speak_as(self, "Grouping")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 4, 0, 0)
        rows.setSpacing(12)
        head = QWidget()
        top = QHBoxLayout(head)
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(16)
        top.addWidget(self.back)
        self.head_row = top
        """Behind the title there is room for what a page says of itself."""
        self._title = label("", "title")
        self.rename(title)
        top.addWidget(self._title, 0 if self.title_is_short else 1)
        self._above, self._head = _in_the_middle(head), head
        rows.addLayout(self._above)
        self.body = QVBoxLayout()
        self.body.setSpacing(12)
        rows.addLayout(self.body, 1)
        self._offered: list[tuple[KeyBinding, Callable[[], object], Callable[[], bool] | None]] = []
        for keys in (Qt.Key.Key_Escape, "Alt+Left"):
            self.bind_told(keys, self.escape, offered=False)

    def rename(self, title: str) -> None:
        """What is on the page is called so from now on."""
        self._title.setText(title)
        self.setAccessibleName(title)

    def stand_over(self, column: QScrollArea) -> None:
        """Let the title begin where the column does (see `scrolled_column`)."""
        self._head.setMaximumWidth(READING_WIDTH)
        bar = column.verticalScrollBar()

        def make_room(_least: int, most: int) -> None:
            beside = bar.sizeHint().width() if most else 0
            mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            before, behind = (beside, 0) if mirrored else (0, beside)
            self._above.setContentsMargins(_SIDE + before, 0, _SIDE + behind, 0)

        bar.rangeChanged.connect(make_room)

    def escape(self) -> None:
        """Go back, unless there is something on the page to get out of first."""
        self.closed.emit()

    def seek(self) -> bool:
        """Put the keyboard into a search line of the page's own; False where it has none."""
        return False

    def undo(self) -> bool:
        """Take back what was done on the page last; False where it has nothing of the kind."""
        return False

    def bind_told(
        self,
        keys: QKeySequence | QKeySequence.StandardKey | Qt.Key | str,
        act: Callable[[], object],
        *,
        can_be_done: Callable[[], bool] | None = None,
        offered: bool = True,
    ) -> None:
        """Have `keys` do `act` on this page. The help tells what they do, and the palette offers it
        in the same words while it `can_be_done`; not `offered` is what it offers anyhow, or what
        can be done only while somebody types. Raises LookupError where the help does not tell it.
        """
        sequence = QKeySequence(keys)
        told = (one for one in keys_of(self.page_kind) if sequence in map(QKeySequence, one.keys))
        binding = next(told, None)
        if binding is None:
            raise LookupError(f"the help of {self.page_kind} does not tell {sequence.toString()}")
        # Qt tells the Enter of the keypad from the other.
        written = sequence.toString()
        for each in dict.fromkeys((written, written.replace("Enter", "Return"))):
            bind_keys(self, each, act)
        if offered and all(binding != before for before, *_ in self._offered):
            self._offered.append((binding, act, can_be_done))

    def offers(self) -> Iterator[tuple[Command, Callable[[], object]]]:
        """What the keys of the page can do now, for the palette."""
        for binding, act, can_be_done in self._offered:
            if can_be_done is None or can_be_done():
                keys = binding.keys[0]
                key = f"{self.page_kind.name.lower()} {keys}"
                shown = native_keys(QKeySequence(keys))
                yield Command(CommandKind.ACTION, key, binding.line, keys=shown), act

    def row_menu(self) -> RowMenu | None:
        """What can be done with the rows that are chosen; None where that is nothing."""
        return None

    def print_out(self) -> None:
        """Print what the page shows; asked of one that `can_print`."""

    def opened(self) -> None:
        """The page has come to the front."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def left(self) -> None:
        """Somebody goes elsewhere."""

    def cover(self) -> None:
        """Another page is shown above it for a moment: who comes back finds it as it was."""
        self._is_covered, self._keyboard_at = True, self.focusWidget()

    @property
    def keyboard_at(self) -> QWidget | None:
        """What has the keyboard, or gets it when somebody comes back."""
        return self._keyboard_at if self._is_covered else self.focusWidget()

    def uncover(self) -> None:
        """Whoever went to that other page does not come back."""
        if self._is_covered:
            self._is_covered = False
            self.left()

    def showEvent(self, event: QShowEvent) -> None:
        """A page that is gone to, unlike one whose window was only restored, begins anew."""
        super().showEvent(event)
        if event.spontaneous():
            return
        if self._is_covered:
            self._is_covered = False
            before = self._keyboard_at or self.back
            if shiboken6.isValid(before):
                before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.opened()

    def hideEvent(self, event: QHideEvent) -> None:
        """A page whose window is only put away is not left, nor one with another above it."""
        super().hideEvent(event)
        if not (event.spontaneous() or self._is_covered):
            self.left()


def scrolled_column() -> tuple[QScrollArea, QVBoxLayout]:
    """A scrolled column in the middle, as wide as is good to read, and the layout to fill."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    # The controls in it take the keyboard, and the page follows them.
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setProperty("role", "column")
    page = QWidget()
    page.setProperty("role", "page")
    scroll.setWidget(page)
    around = QVBoxLayout(page)
    around.setContentsMargins(0, 0, 0, 16)
    column = QWidget()
    column.setMaximumWidth(READING_WIDTH)
    around.addLayout(_in_the_middle(column))
    rows = QVBoxLayout(column)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(14)
    return scroll, rows


def _in_the_middle(widget: QWidget) -> QHBoxLayout:
    """`widget` as wide as it may be, with the same room on both sides."""
    across = QHBoxLayout()
    across.setContentsMargins(_SIDE, 0, _SIDE, 0)
    across.setSpacing(0)
    across.addStretch(1)
    across.addWidget(widget, 100_000)
    across.addStretch(1)
    return across


def section(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A card with a heading, and the layout to fill below it."""
    surface = card()
    rows = QVBoxLayout(surface)
    rows.setContentsMargins(18, 16, 18, 16)
    rows.setSpacing(10)
    rows.addWidget(label(title, "heading"))
    return surface, rows
