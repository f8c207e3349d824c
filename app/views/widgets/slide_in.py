"""The one motion there is: what has just appeared comes out of the ground behind it."""

from PySide6.QtCore import QEvent, QObject, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded import Guarded
from app.views.widgets.theme import colour, motion, tokens

MILLISECONDS = 120


def slide_in(widget: QWidget) -> None:
    """Let `widget`, which has its place already, come out of the ground, if anything may move.

    Only a veil above it changes: it can be read, clicked and spoken from the first moment.
    """
    if motion() and widget.isVisible():
        _Veil(widget).lift()


class _Veil(Guarded, QWidget):
    """Lies over a widget in the colour of the ground, thins out, and is gone."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setProperty("stands_above", True)  # noqa: FBT003 - Qt's way to set a property
        self._thickness = QVariantAnimation(self)
        self._thickness.setDuration(MILLISECONDS)
        self._thickness.setStartValue(1.0)
        self._thickness.setEndValue(0.0)
        self._thickness.valueChanged.connect(self.update)
        self._thickness.finished.connect(self.deleteLater)
        over.installEventFilter(self)

    def lift(self) -> None:
        """Begin."""
        self.setGeometry(self._over.rect())
        self.show()
        self._thickness.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover it when it grows, and go with it when it goes."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        elif event.type() == QEvent.Type.Hide:
            self._thickness.stop()
            self.deleteLater()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, as thick as it still is."""
        painter = QPainter(self)
        painter.setOpacity(float(self._thickness.currentValue()))
        painter.fillRect(self.rect(), colour(tokens().ground))
