"""Our own icons, drawn as lines in `resources/icons` and coloured by the theme in force.

They are drawn for every size, colour and screen once, so they are sharp everywhere, and they
follow the theme without being set again.
"""

from functools import lru_cache
from math import ceil
from types import MappingProxyType

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QIcon,
    QIconEngine,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPixmap,
    QTransform,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from app.runtime.paths import resource
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import ICON, tokens

NAMES = (
    "add",
    "arrow",
    "back",
    "check",
    "chevron-down",
    "close",
    "copy",
    "file",
    "flow",
    "help",
    "history",
    "key",
    "mail",
    "menu",
    "person",
    "print",
    "refresh",
    "remove",
    "search",
    "settings",
    "sign-out",
    "small-window",
    "undo",
    "warning",
)
_TURNED = frozenset({"arrow", "back", "sign-out", "undo"})
"""They point along the line, and the other way where lines begin on the right."""


def icon(name: str, ink: str = "text") -> QIcon:
    """The icon of that name (one of `NAMES`), in the colour of the token `ink`.

    Disabled, it has the colour of soft text. Raises LookupError for a name or token we lack.
    """
    if name not in NAMES or not hasattr(tokens(), ink):
        raise LookupError(f"{name} in {ink}")
    return QIcon(_Engine(name, ink))


def paint_icon(painter: QPainter, rect: QRect, name: str, ink: str) -> None:
    """Draw the icon of that name into the middle of `rect`, in the colour `ink` (#rrggbb): what a
    `QIcon` of it does, in a third of the time.
    """
    side = min(rect.width(), rect.height())
    if side <= 0:
        return
    turned = name in _TURNED and QApplication.isRightToLeft()
    x, y = rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2
    in_pixels = painter.paintEngine().type() is QPaintEngine.Type.Raster
    if in_pixels and side <= _MOST_KEPT and painter.worldTransform().type() in _MOVED:
        ratio = painter.device().devicePixelRatio()
        picture = _picture(name, ink, side, ratio, turned)
        painter.drawImage(QPointF(round(x * ratio) / ratio, round(y * ratio) / ratio), picture)
        return
    with QPainterStateGuard(painter):
        painter.translate(x, y)
        _draw(painter, name, ink, side, turned=turned)


class _Engine(GuardedOverrides, QIconEngine):
    """Asks for the colours at the moment of painting: that is how an icon follows the theme."""

    def __init__(self, name: str, ink: str) -> None:
        super().__init__()
        self._name = name
        self._ink = ink

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the icon into the middle of `rect`."""
        ink = "soft" if mode is QIcon.Mode.Disabled else self._ink
        paint_icon(painter, rect, self._name, getattr(tokens(), ink))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon on nothing, `size` in the screen's own pixels."""
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(QPoint(), size), mode, state)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        """Another of the same, for an icon that is about to be changed."""
        return _given_to_qt(_Engine(self._name, self._ink))

    answers = MappingProxyType({"clone": lambda _: _given_to_qt(_Engine("help", "soft"))})


def _given_to_qt(engine: _Engine) -> _Engine:
    """Qt takes it without Python knowing; it must not be collected here."""
    _given_away.append(engine)
    return engine


_given_away: list[_Engine] = []


@lru_cache(maxsize=128)
def _drawing(name: str, ink: str) -> QSvgRenderer:
    lines = (resource("icons") / f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(lines.replace("currentColor", ink).encode())


_MOST_KEPT = 64
"""The side, in pixels of the window, of the largest that is drawn once and kept."""
_MOVED = (QTransform.TransformationType.TxNone, QTransform.TransformationType.TxTranslate)


@lru_cache(maxsize=256)
def _picture(name: str, ink: str, side: int, ratio: float, turned: bool) -> QImage:  # noqa: FBT001 - what tells pictures apart
    """As it is painted on a screen of that many pixels to one of the window."""
    pixels = ceil(side * ratio)
    picture = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    _draw(painter, name, ink, side, turned=turned)
    painter.end()
    return picture


def _draw(painter: QPainter, name: str, ink: str, side: int, *, turned: bool) -> None:
    if turned:
        painter.translate(side, 0)
        painter.scale(-1, 1)
    _drawing(name, ink).render(painter, QRectF(0, 0, side, side))


class Badge(GuardedOverrides, QWidget):
    """Follows the theme, takes no keyboard and is nothing to a screen reader."""

    def __init__(self, name: str, ink: str = "text", side: int = ICON) -> None:
        """`name` and `ink` as `icon` takes them; `side` in device independent pixels."""
        super().__init__()
        self._icon = icon(name, ink)
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon in the colours in force."""
        with QPainter(self) as painter:
            self._icon.paint(painter, self.rect())
