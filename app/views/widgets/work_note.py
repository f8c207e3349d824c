"""A line that says what is being waited for, once that takes longer than a moment."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.session import SessionScreen
from app.views.widgets.announcing import announce
from app.views.widgets.basics import button, label

_PATIENCE_MS = 1000
"""What is over sooner needs no words; they would only flicker."""
_BAR_WIDTH = 96


class WorkNote(Guarded, QWidget):
    """Bound to a `SessionScreen`: words, a bar that only says "not yet", and Stop."""

    def __init__(self, session: SessionScreen, parent: QWidget | None = None) -> None:
        """Nothing under way."""
        super().__init__(parent)
        self._session = session
        self._words = label("", "small")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_BAR_WIDTH)
        self.stop = button(tr("Stop"), session.stop, "link")
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._appear)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for widget in (self._words, self._bar, self.stop):
            row.addWidget(widget)
        row.addStretch(1)
        self.hide()
        session.changed.connect(self._show)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        """A bar that nobody sees does not turn."""
        super().hideEvent(event)
        self._bar.setRange(0, 1)

    def _show(self) -> None:
        words = self._session.work_words
        self._words.setText(words)
        self._bar.setAccessibleName(words)
        self.stop.setVisible(self._session.busy)
        if not words:
            self._patience.stop()
            self.hide()
        elif not self.isVisible() and not self._patience.isActive():
            self._patience.start()

    def _appear(self) -> None:
        self._bar.setRange(0, 0)
        self.show()
        announce(self, self._session.work_words)
