"""A small button that puts one text on the clipboard and says that it did."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.runtime.words import tr
from app.views.widgets.announcing import announce
from app.views.widgets.icons import icon
from app.views.widgets.pressing import Button


class CopyButton(Button):
    """Reads "Copied" after it was used, until there is another text to copy."""

    def __init__(
        self, accessible_name: str, text: Callable[[], str], parent: QWidget | None = None
    ) -> None:
        """`accessible_name` says what is copied: there are many of these on one page.

        `text` is asked at each click.
        """
        super().__init__(tr("Copy"), parent)
        self._text_to_copy = text
        self.setIcon(icon("copy", "accent"))
        self.setProperty("role", "link")
        self.setAccessibleName(accessible_name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._copy)

    def text_changed(self) -> None:
        """There is another text now, which was not copied yet."""
        self.setText(tr("Copy"))
        self.setIcon(icon("copy", "accent"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text_to_copy())
        self.setText(tr("Copied"))
        self.setIcon(icon("check", "accent"))
        announce(self, tr("Copied"))
