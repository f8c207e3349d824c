"""Colours in pictures of what was painted: all dots at once, not one call of Qt's for each."""

from collections.abc import Iterable

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage


def colours(picture: QImage, part: QRect | None = None) -> set[str]:
    """Every colour in it, or in the part of it that is given, as in `#1f6f64`."""
    if part is not None:
        picture = picture.copy(part.intersected(picture.rect()))
    dots = picture.convertToFormat(QImage.Format.Format_RGB32)
    return _named(memoryview(dots.constBits()).cast("I"))


def _named(dots: Iterable[int]) -> set[str]:
    return {f"#{dot & 0xFFFFFF:06x}" for dot in set(dots)}
