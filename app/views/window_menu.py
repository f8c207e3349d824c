"""The menu at the end of the header: what concerns the whole window, with the keys for it."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.views.widgets.icons import icon

Act = Callable[[], object]


class WindowMenu(Guarded, QMenu):
    """Entries for lists are there only while an account is shown."""

    def __init__(
        self,
        window: QWidget,
        *,
        refresh: Act,
        history: Act,
        save_connection: Act,
        settings: Act,
        about: Act,
        sign_out: Act,
        leave: Act,
    ) -> None:
        """The keys act in the whole of `window`, the menu being open or not."""
        super().__init__(window)
        self._window = window
        keys = QKeySequence.StandardKey
        self._refresh = self._entry(tr("Read both lists again"), "refresh", refresh, keys.Refresh)
        self._history = self._entry(tr("History"), "history", history, QKeySequence("Ctrl+Shift+H"))
        self._save = self._entry(
            tr("Save a connection file for a colleague"), "file", save_connection
        )
        self._between = self.addSeparator()
        self._entry(tr("Settings"), "settings", settings, QKeySequence("Ctrl+,"))
        self._entry(tr("About Front Desk"), "help", about)
        self.addSeparator()
        self._sign_out = self._entry(tr("Sign out"), "sign-out", sign_out)
        self._entry(tr("Quit"), "close", leave, QKeySequence("Ctrl+Q"))

    def fit(self, *, account: bool, can_save: bool) -> None:
        """Show what can be done: `account` is shown, and a colleague could use a file of it."""
        for action in (self._refresh, self._history, self._between, self._sign_out):
            action.setVisible(account)
        self._save.setVisible(can_save)

    def _entry(
        self,
        words: str,
        picture: str,
        act: Act,
        keys: QKeySequence | QKeySequence.StandardKey | None = None,
    ) -> QAction:
        action = self.addAction(icon(picture), words, act)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        # Known to the window too, its keys act while the menu is closed.
        self._window.addAction(action)
        return action
