"""Where lists come from in the window: a dialog that asks for a file, and the clipboard."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.importing.list_import import CopiedList, ListSource

LIST_KINDS = frozenset(
    {".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".vcf", ".vcard"}
)
"""The ends of names that lists have; a list may have any other."""


def ask_for_list(window: QWidget, take: Callable[[Path], object]) -> None:
    """Ask for a file with a list of people; `take` gets it."""
    from PySide6.QtCore import QStandardPaths  # noqa: PLC0415 - no start needs it
    from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - as above

    dialog = QFileDialog(window, tr("Add from a list"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    kinds = " ".join(f"*{kind}" for kind in sorted(LIST_KINDS))
    dialog.setNameFilters([tr("Lists of people ({kinds})", kinds=kinds), tr("All files (*)")])
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    if Path(folder).is_dir():
        dialog.setDirectory(folder)
    dialog.fileSelected.connect(lambda path: take(Path(path)))
    dialog.open()


def copied_list() -> ListSource | None:
    """The list that was copied, as a file or as rows; None where there is neither."""
    return list_in(QGuiApplication.clipboard().mimeData())


def list_in(data: QMimeData) -> ListSource | None:
    """The list in what is pasted: one file, or text with the table it was copied from."""
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if len(files) == 1:
        return Path(files[0])
    text = data.text() if data.hasText() else ""
    html = data.html() if data.hasHtml() else ""
    return CopiedList(text, html) if text.strip() or html.strip() else None
