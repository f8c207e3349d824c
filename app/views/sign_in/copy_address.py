"""A button that copies a field as it stands and says for a moment that it did."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from app.runtime.words import tr
from app.views.widgets.announcing import announce
from app.views.widgets.icons import icon
from app.views.widgets.pressing import Button
from app.views.widgets.tips import set_tip

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
