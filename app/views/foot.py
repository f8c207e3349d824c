"""The line at the foot: what is under way and who is waiting to be sent; the keys that help."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.runtime.words import tr
from app.viewmodels.status import StatusLine
from app.views.widgets.basics import label


class Foot(QWidget):
    """Bound to a `StatusLine`; empty until there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing under way."""
        super().__init__(parent)
        self.setProperty("role", "foot")
        # A bare QWidget paints its style sheet's background only when told to.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._status: StatusLine | None = None
        self._words = label("", "small")
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedWidth(120)
        self._progress.setAccessibleName(tr("People read so far"))
        self._keys = label(tr("Ctrl N add · Ctrl F search · F5 read again"), "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 20, 6)
        row.setSpacing(12)
        row.addWidget(self._words)
        row.addWidget(self._progress)
        row.addStretch(1)
        row.addWidget(self._keys)
        self._show()

    def bind(self, status: StatusLine | None) -> None:
        """Show `status` from now on, or nothing."""
        if self._status is not None:
            self._status.changed.disconnect(self._show)
        self._status = status
        if status is not None:
            status.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        progress = self._status.progress if self._status else None
        self._words.setText(self._status.words if self._status else "")
        self._progress.setVisible(progress is not None)
        self._keys.setVisible(self._status is not None)
        if progress is not None:
            received, total = progress
            self._progress.setRange(0, max(total, 1))
            self._progress.setValue(min(received, max(total, 1)))
