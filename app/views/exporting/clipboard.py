"""What was copied, on the clipboard of the system."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from app.exporting.spreadsheet import CopiedRows
from app.viewmodels.exporting.print_preview import CopiedPicture


def put_on_clipboard(copied: object) -> None:
    """`copied` is a text, rows as a text and a table, or a picture."""
    if isinstance(copied, CopiedRows):
        both = QMimeData()
        both.setText(copied.text)
        both.setHtml(copied.html)
        QGuiApplication.clipboard().setMimeData(both)
    elif isinstance(copied, CopiedPicture):
        taken = QMimeData()
        taken.setImageData(copied.image)
        QGuiApplication.clipboard().setMimeData(taken)
    else:
        QGuiApplication.clipboard().setText(str(copied))
