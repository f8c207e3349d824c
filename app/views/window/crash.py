"""A window of its own for errors nobody expected: not modal, with details fit to be copied."""

from PySide6.QtCore import QElapsedTimer, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.runtime.crash import CrashReport, CrashReporter
from app.runtime.logging import last_lines
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.widgets.buttons import button, label

_UNSEEN_MS = 700
"""Milliseconds in which nobody has seen it: who types on in the window behind did not mean it."""


class CrashWindow(GuardedOverrides, QDialog):
    """One window for all of them; a second error is added to the first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty and hidden."""
        super().__init__(parent)
        self._open_for = QElapsedTimer()
        self.setWindowTitle(tr("Something went wrong"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.resize(620, 380)
        self._details = QPlainTextEdit()
        self._details.setReadOnly(True)
        self._details.setAccessibleName(tr("Details"))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(20, 18, 20, 16)
        rows.setSpacing(10)
        rows.addWidget(label(tr("Something went wrong in Front Desk"), "heading"))
        rows.addWidget(
            label(
                tr(
                    "You can go on working. The details below hold no key and no password: "
                    "copy them for whoever looks after this computer."
                ),
                "soft",
                wraps=True,
            )
        )
        rows.addWidget(self._details, 1)
        footer = QHBoxLayout()
        footer.addStretch(1)
        footer.addWidget(button(tr("Copy details"), self._copy))
        self._close = button(tr("Close"), self.reject, "primary")
        self._close.setDefault(True)
        footer.addWidget(self._close)
        rows.addLayout(footer)
        self.finished.connect(self._give_back_keyboard)

    def add(self, report: CrashReport) -> None:
        """Show one more report; only a window that opens takes the keyboard."""
        self._details.appendPlainText(report.details)
        if not self.isVisible():
            self._close.setFocus(Qt.FocusReason.PopupFocusReason)
            self._open_for.start()
            self.show()
            self.activateWindow()
        self.raise_()

    def reject(self) -> None:
        """Put it away; not by the Enter or the blank of a line that was being typed as it came."""
        if self._open_for.elapsed() >= _UNSEEN_MS:
            super().reject()

    def _give_back_keyboard(self) -> None:
        behind = self.parentWidget()
        if behind is not None and behind.isVisible():
            behind.activateWindow()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._details.toPlainText()}\n\n{last_lines()}")


class CrashReports(GuardedOverrides, QObject):
    """Brings reports from whatever thread they happened on to the one window."""

    _reported = Signal(object)

    def __init__(self, crashes: CrashReporter) -> None:
        """Listen to `crashes` until `close`."""
        super().__init__()
        self._crashes = crashes
        self._window: CrashWindow | None = None
        self._parent: QWidget | None = None
        self._reported.connect(self._show, Qt.ConnectionType.QueuedConnection)
        crashes.listen(self._reported.emit)

    def stand_beside(self, parent: QWidget) -> None:
        """Open the window above `parent` from now on."""
        self._parent = parent

    def close(self) -> None:
        """Stop listening and take the window away."""
        self._crashes.listen(None)
        if self._window is not None:
            self._window.hide()

    def _show(self, report: CrashReport) -> None:
        if self._window is None:
            self._window = CrashWindow(self._parent)
        self._window.add(report)
