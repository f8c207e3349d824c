"""What of a window can hardly be read: the words of each control against what they stand on, as
they are painted.

The words that lists paint themselves are looked at by the pairs of colours they are painted in.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from tests.end_to_end.layout_rules import Finding, path, seen
from tests.views.look.contrast import ratio

_TEXT = 4.5
"""WCAG 2.2, 1.4.3."""
FINE = 1.5
"""At this scale, and at larger ones, strokes are as wide as pixels: at smaller ones thin letters
have no pixel of their colour.
"""
_FEWEST = 3
"""Pixels of the strongest ink: one alone is where two strokes cross."""


def faint(window: QWidget, known: set[tuple[str, str]]) -> Iterator[Finding]:
    """The words in `window` that have too little contrast; not of what cannot be used now.

    `known` are those that were looked at before, by where they stand, and takes up the others.
    """
    said = {each: (path(each), each.text()) for each in seen(window) if _says(each)}
    widgets = [each for each, words in said.items() if words not in known and each.isEnabled()]
    if not widgets:
        return
    picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    for widget in widgets:
        place = _place(widget, window)
        if place.isEmpty():
            continue
        known.add(said[widget])
        reached = _contrast(picture, place)
        if reached < _TEXT:
            yield Finding("faint", said[widget][0], f"has a contrast of {reached:.1f}")


def _says(widget: QWidget) -> TypeGuard[QLabel | QAbstractButton | QLineEdit]:
    if isinstance(widget, QLabel | QAbstractButton):
        return bool(widget.text().strip())
    return isinstance(widget, QLineEdit) and bool(widget.text() or widget.placeholderText())


def _place(widget: QWidget, window: QWidget) -> QRect:
    """Where it is in `window`; empty where not the whole of it is seen."""
    at = window.childAt(widget.mapTo(window, widget.rect().center()))
    uncovered = at is not None and (at is widget or widget.isAncestorOf(at))
    if not uncovered or widget.visibleRegion().boundingRect() != widget.rect():
        return QRect()
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def _contrast(picture: QImage, place: QRect) -> float:
    """Of the most frequent colour there with the one that stands out from it most."""
    scale = picture.devicePixelRatio()
    corner = QPoint(round(place.x() * scale), round(place.y() * scale))
    size = place.size() * scale
    part = picture.copy(QRect(corner, size))
    colours = Counter(memoryview(part.constBits()).cast("I"))
    ground = _name(colours.most_common(1)[0][0])
    seen_often = [one for one, times in colours.items() if times >= _FEWEST]
    return max((ratio(ground, _name(one)) for one in seen_often), default=1.0)


def _name(pixel: int) -> str:
    return f"#{pixel & 0xFFFFFF:06x}"
