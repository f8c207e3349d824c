"""Drawing the icons of the program and of its files, for `python app_icons.py FOLDER`.

Run by the Python that has Qt: `hicolor` below the folder is what a Linux desktop looks through.
"""

import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent
SIZES = (16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512)
DRAWINGS = {
    "apps/frontdesk": ROOT / "resources" / "icons" / "frontdesk.svg",
    "mimetypes/application-vnd.frontdesk.connection+json": ROOT
    / "packaging"
    / "linux"
    / "connection-file.svg",
}


def draw(drawing: Path, size: int) -> QImage:
    """The drawing as a square picture."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def write_theme(folder: Path) -> None:
    """All sizes of all icons, as the theme that every desktop falls back to."""
    for place, drawing in DRAWINGS.items():
        for size in SIZES:
            path = folder / "hicolor" / f"{size}x{size}" / f"{place}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            draw(drawing, size).save(str(path))
        path = folder / "hicolor" / "scalable" / f"{place}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(drawing, path)


if __name__ == "__main__":
    write_theme(Path(sys.argv[1]))
