"""What stands in the place of the lists while somebody is on the way in."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.viewmodels.guarded import Guarded
from app.viewmodels.window.session import SessionScreen
from app.views.widgets.banner import WorkNote


class LoadingPage(Guarded, QWidget):
    """An empty page; when it takes longer than a moment it says what it waits for."""

    def __init__(self, session: SessionScreen, parent: QWidget | None = None) -> None:
        """Nothing to be seen yet."""
        super().__init__(parent)
        self._note = WorkNote(session)
        rows = QVBoxLayout(self)
        rows.addStretch(2)
        rows.addWidget(self._note, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch(3)
