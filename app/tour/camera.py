"""One numbered picture per station, of the window as it stands on the screen."""

from pathlib import Path

from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

_SAMPLES = 24
_COLOURS_OF_A_PICTURE = 3


class Camera:
    """Writes pictures into one folder."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError when the folder cannot be made."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._taken = 0

    def take(self, window: QWidget, name: str) -> Path:
        """Save `window`, with what stands above it, as the next picture.

        Raises RuntimeError when the picture is of one colour or cannot be written.
        """
        self._taken += 1
        path = self._folder / f"{self._taken:02}-{name}.png"
        picture = _of_the_screen(window)
        if _blank(picture.toImage()):
            # Some platforms do not let a program see the screen; the window can still paint itself.
            picture = (QApplication.activeWindow() or window).grab()
        if _blank(picture.toImage()) or not picture.save(str(path)):
            raise RuntimeError(f"no picture could be taken for {path.name}")
        return path


def _of_the_screen(window: QWidget) -> QPixmap:
    screen = window.screen()
    frame = window.frameGeometry()
    for other in QApplication.topLevelWidgets():
        if other.isVisible():
            frame |= other.frameGeometry()
    place = frame.intersected(screen.geometry()).translated(-screen.geometry().topLeft())
    return screen.grabWindow(0, place.x(), place.y(), place.width(), place.height())


def _blank(image: QImage) -> bool:
    if image.isNull():
        return True
    seen = {
        image.pixel(image.width() * x // _SAMPLES, image.height() * y // _SAMPLES)
        for x in range(_SAMPLES)
        for y in range(_SAMPLES)
    }
    return len(seen) < _COLOURS_OF_A_PICTURE
