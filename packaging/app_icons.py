"""Drawing the icons of the program and of its files, for `python app_icons.py PLACE`.

Run by the Python that has Qt. `PLACE` is an icon of Windows (`.ico`) or macOS (`.icns`), or a
folder: `hicolor` below it is what a Linux desktop looks through.
"""

import shutil
import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent
SIZES = (16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512)
_ICO = 256
_ICNS = {b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
"""Apple's names of the sizes, each a PNG."""
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


def write_icon(path: Path) -> None:
    """The program's icon as one file, in the form that the end of its name says."""
    drawing = DRAWINGS["apps/frontdesk"]
    if path.suffix == ".icns":
        # What Qt writes, its own reader finds a fault in.
        pictures = b"".join(_entry(kind, draw(drawing, size)) for kind, size in _ICNS.items())
        path.write_bytes(b"icns" + struct.pack(">I", 8 + len(pictures)) + pictures)
    elif not draw(drawing, _ICO).save(str(path)):
        raise OSError(f"{path} could not be drawn")


def _entry(kind: bytes, image: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # it takes the name as text, too
    return kind + struct.pack(">I", 8 + content.size()) + bytes(content.data())


if __name__ == "__main__":
    place = Path(sys.argv[1])
    (write_icon if place.suffix else write_theme)(place)
