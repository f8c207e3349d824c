"""Going with the arrow keys among things that stand in lines, such as names on cards."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Left: -1,
}
_WEIGHT_ACROSS = 3
"""How much less near something is to the side than straight above or below."""


def next_stop(stops: Sequence[QWidget], at: QWidget, key: Qt.Key) -> QWidget | None:
    """Where `key` leads from `at`; None for a key that leads nowhere. `at` is one of `stops`.

    Left and Right go one by one in reading order, mirrored where the window is; Up and Down to
    what is nearest in that direction; Home and End to the first and the last.
    """
    if key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        return stops[0 if key == Qt.Key.Key_Home else -1]
    if key in _STEPS:
        mirrored = at.layoutDirection() is Qt.LayoutDirection.RightToLeft
        place = stops.index(at) + (-_STEPS[key] if mirrored else _STEPS[key])
        return stops[max(0, min(place, len(stops) - 1))]
    if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
        return _nearest(stops, at, down=key == Qt.Key.Key_Down)
    return None


def _nearest(stops: Sequence[QWidget], at: QWidget, *, down: bool) -> QWidget:
    here = _middle(at)

    def apart(stop: QWidget) -> int:
        there = _middle(stop)
        return abs(there.y() - here.y()) + _WEIGHT_ACROSS * abs(there.x() - here.x())

    beyond = [
        stop
        for stop in stops
        if stop is not at
        and ((_middle(stop).y() - here.y()) * (1 if down else -1) > at.height() // 2)
    ]
    return min(beyond, key=apart, default=at)


def _middle(widget: QWidget) -> QPoint:
    return widget.mapTo(widget.window(), widget.rect().center())
