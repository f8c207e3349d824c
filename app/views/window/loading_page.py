"""What stands in the place of the lists while somebody is on the way in, and holds what they type
already.
"""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.window.session import SessionScreen
from app.views.widgets.banner import WorkNote
from app.views.widgets.held_keys import is_held, note_release


class LoadingPage(GuardedOverrides, QWidget):
    """An empty page; when it takes longer than a moment it says what it waits for.

    It holds what is typed meanwhile: whoever starts the program to add somebody does not wait for
    the line.
    """

    def __init__(self, session: SessionScreen) -> None:
        """Nothing to be seen yet."""
        super().__init__()
        self._held: list[QKeyEvent | QInputMethodEvent] = []
        self.setAccessibleName(tr("The lists are being opened"))
        # Tab goes past it: it has the keyboard until somebody takes that elsewhere.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self._note = WorkNote(session)
        rows = QVBoxLayout(self)
        rows.addStretch(2)
        rows.addWidget(self._note, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch(3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Held until there is a line for it."""
        self._held.append(
            QKeyEvent(
                QEvent.Type.KeyPress,
                event.key(),
                event.modifiers(),
                event.text(),
                is_held(event),
                event.count(),
            )
        )

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Remember it: the next press may be the same one held."""
        note_release(event)
        super().keyReleaseEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """So is a letter that more than one key made."""
        if event.commitString():
            held = QInputMethodEvent()
            held.setCommitString(event.commitString())
            self._held.append(held)

    def hand_over(self, line: QWidget) -> None:
        """Have what was typed here typed into `line`, in its order."""
        held, self._held = self._held, []
        for event in held:
            QApplication.sendEvent(line, event)

    def forget_typed(self) -> None:
        """There will be no line for it."""
        self._held.clear()
