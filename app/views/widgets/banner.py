"""A sentence across the window, with the one thing to do about it: never a box on top of it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.runtime.words import tr
from app.views.widgets.basics import button, label, set_flag


class Banner(QFrame):
    """Hidden until it has something to say; Escape or Close puts it away."""

    def __init__(self, on_close: Callable[[], object], parent: QWidget | None = None) -> None:
        """`on_close` is told when the person has put the sentence away."""
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._on_close = on_close
        self._act: Callable[[], object] = on_close
        self._text = label("", wraps=True)
        self._action = button("", self._run, "link")
        self._close = button(tr("Close"), on_close, "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.addWidget(self._text, 1)
        row.addWidget(self._action)
        row.addWidget(self._close)
        self.hide()

    def say(
        self,
        sentence: str,
        action: str = "",
        act: Callable[[], object] | None = None,
        *,
        calm: bool = False,
    ) -> None:
        """Show `sentence`, with a button named `action` that runs `act`."""
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        self._action.setVisible(act is not None)
        self._action.setText(action)
        self._act = act or self._on_close
        set_flag(self, "kind", "calm" if calm else "problem")
        # The label's colour hangs on the frame's kind, and is not looked up again by itself.
        self._text.style().polish(self._text)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape puts the sentence away."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_close()
            return
        super().keyPressEvent(event)

    def _run(self) -> None:
        self._act()
