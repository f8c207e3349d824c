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
    """Watches one window; says over it what letting go would do, and tells which files came."""

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
        window.installEventFilter(self)

    def cover(self, page: QWidget) -> None:
        """A field takes text that is dropped on it, but a file dropped there is for the window."""
        for field in page.findChildren(QLineEdit):
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is about files; leave everything else alone."""
        kind = event.type()
        if kind is QEvent.Type.DragEnter:
            return self._entered(watched, event)  # type: ignore[arg-type]  # its type says so
        if kind is QEvent.Type.DragLeave and watched is self._window:
            self._veil.hide()
        elif kind is QEvent.Type.Drop and watched is self._window:
            return self._let_go(event)  # type: ignore[arg-type]  # as above
        return False

    def _entered(self, watched: QObject, event: QDragEnterEvent) -> bool:
        if not _paths(event.mimeData()):
            return False
        if watched is not self._window:
            # Ignored here, it goes on to what the field lies on, and in the end to the window.
            event.ignore()
            return True
        event.acceptProposedAction()
        paths = _paths(event.mimeData())
        self._veil.setText(
            tr("Drop the list here to look it over")
            if self._is_list(paths)
            else self._files.drop_words
        )
        self._veil.setGeometry(self._window.rect().adjusted(12, 12, -12, -12))
        self._veil.show()
        self._veil.raise_()
        return True

    def _let_go(self, event: QDropEvent) -> bool:
        paths = _paths(event.mimeData())
        self._veil.hide()
        if not paths:
            return False
        event.acceptProposedAction()
        if self._is_list(paths):
            self.list_dropped.emit(Path(paths[0]))
        else:
            self._files.drop(paths)
        return True

    def _is_list(self, paths: list[str]) -> bool:
        """Whether this is a file with people, and no connection file, by its name: what a list may
        be called is left to whoever reads it, once no connection file is wanted.
        """
        kind = Path(paths[0]).suffix.lower() if len(paths) == 1 else ".json"
        return kind in LIST_KINDS or (kind not in _CONNECTION_KINDS and not self._files.wanted)


def _paths(data: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
