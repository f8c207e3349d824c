"""What was copied, on the clipboard of the system."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from app.exporting.copied_rows import CopiedRows


def put_on_clipboard(copied: object) -> None:
    """`copied` is a text, or rows as a text and a table."""
    if isinstance(copied, CopiedRows):
        both = QMimeData()
        both.setText(copied.text)
        both.setHtml(copied.html)
        QGuiApplication.clipboard().setMimeData(both)
    else:
        QGuiApplication.clipboard().setText(str(copied))
