"""What the window does by key or from its menu, each with its words: said here and nowhere else,
so that the palette offers it and the help tells its keys.
"""

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import icon
from app.views.widgets.labels import (
    literal,
    native_keys,
)

Keys = QKeySequence | QKeySequence.StandardKey | str | None


class WindowAction(GuardedOverrides, QAction):
    """Its keys act in the whole of the window."""

    def __init__(
        self,
        parent: QWidget,
        name: str,
        words: str,
        keys: Keys,
        act: Callable[[], object],
        *,
        picture: str = "",
        further_words: str = "",
        can_be_done: Callable[[], bool] | None = None,
    ) -> None:
        """`name` is what it is remembered by, whatever the language; it is found by `further_words`
        too; `can_be_done` is asked by whoever offers it, while its keys are heard either way.
        """
        super().__init__(literal(words), parent)
        self.setObjectName(name)
        self.picture = picture
        self.further_words = further_words
        self._can_be_done = can_be_done
        if picture:
            self.setIcon(icon(picture))
        if keys is not None:
            self.setShortcut(QKeySequence(keys))
        self.triggered.connect(act)

    @property
    def offered(self) -> bool:
        """Whether it leads anywhere now."""
        if not (self.isVisible() and self.isEnabled()):
            return False
        return self._can_be_done is None or self._can_be_done()

    @property
    def words(self) -> str:
        """What it is called, as it is read."""
        return self.text().replace("&&", "&")

    @property
    def keys_text(self) -> str:
        """Its keys as they are written on this system; blank for none."""
        return native_keys(self.shortcut())
