"""Files dropped anywhere on the window, the fields in it included."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.runtime.paths import CONNECTION_FILE
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.views.importing.list_sources import LIST_KINDS
from app.views.widgets.buttons import label

_CONNECTION_KINDS = frozenset({CONNECTION_FILE, ".json"})


class FileDrop(GuardedOverrides, QObject):
    """Says over one window what letting go would do, and tells which files came.

    The window hands on what is dragged over it: a filter would be asked of each of its events.
    """

    list_dropped = Signal(object)
    """Carries the path of a list of people."""

    def __init__(self, window: QWidget, files: ConnectionFiles) -> None:
        """`files` gets what is let go over `window`."""
        super().__init__(window)
        self._window = window
        self._files = files
        self._veil: QLabel = label("", "drop", wraps=True)
        self._veil.setParent(window)
        self._veil.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._veil.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._veil.hide()
        window.setAcceptDrops(True)

    def cover(self, page: QWidget) -> None:
        """A field takes text that is dropped on it, but a file dropped there is for the window."""
        for field in page.findChildren(QLineEdit):
            field.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """What a field ignores goes on to what it lies on, and in the end to the window."""
        if isinstance(event, QDragEnterEvent) and _paths(event.mimeData()):
            event.ignore()
            return True
        return False

    def enter(self, event: QDragEnterEvent) -> None:
        """Something is dragged over the window: take it where these are files."""
        paths = _paths(event.mimeData())
        if not paths:
            return
        event.acceptProposedAction()
        self._veil.setText(
            tr("Drop the list here to look it over")
            if self._is_list(paths)
            else self._files.drop_words
        )
        self._veil.setGeometry(self._window.rect().adjusted(12, 12, -12, -12))
        self._veil.show()
        self._veil.raise_()

    def leave(self) -> None:
        """It was dragged away again."""
        self._veil.hide()

    def let_go(self, event: QDropEvent) -> None:
        """It was let go over the window."""
        paths = _paths(event.mimeData())
        self._veil.hide()
        if not paths:
            return
        event.acceptProposedAction()
        if self._is_list(paths):
            self.list_dropped.emit(Path(paths[0]))
        else:
            self._files.drop(paths)

    def _is_list(self, paths: list[str]) -> bool:
        """Whether this is a file with people, and no connection file, by its name: what a list may
        be called is left to whoever reads it, once no connection file is wanted.
        """
        kind = Path(paths[0]).suffix.lower() if len(paths) == 1 else ".json"
        return kind in LIST_KINDS or (kind not in _CONNECTION_KINDS and not self._files.wanted)


def _paths(data: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
