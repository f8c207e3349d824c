"""Asking where a file is to be saved, and as which kind."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.runtime.words import tr, without_direction_marks

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog, QWidget

Kind = tuple[str, str]
"""What is said of a kind of file, and how its name ends."""


def table_kinds() -> tuple[Kind, ...]:
    """Those a spreadsheet opens, the one that keeps most first."""
    return (tr("Workbook (*.xlsx)"), "xlsx"), (tr("For a spreadsheet (*.csv)"), "csv")


def card_kinds() -> tuple[Kind, ...]:
    """The one that every address book opens."""
    return ((tr("Contact cards (*.vcf)"), "vcf"),)


def paper_kinds() -> tuple[Kind, ...]:
    """The one that is the same on every computer and printer."""
    return ((tr("PDF (*.pdf)"), "pdf"),)


def connection_kinds() -> tuple[Kind, ...]:
    """The one that Front Desk reads; what it wrote before it had an end of its own is that, too."""
    return ((tr("Connection files ({kinds})", kinds="*.frontdesk *.json"), "frontdesk"),)


def ask_for_file(
    parent: "QWidget", title: str, name: str, kinds: Sequence[Kind], save: Callable[[str], object]
) -> None:
    """Open a dialog with `title`; `save` gets the path that was chosen, if one is.

    `name` is the file's without its end, until a person chooses another.
    """
    from PySide6.QtCore import QStandardPaths  # noqa: PLC0415 - no start needs it
    from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - as above

    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([words for words, _ in kinds])
    dialog.setDefaultSuffix(kinds[0][1])
    dialog.filterSelected.connect(partial(_take_end, dialog, dict(kinds)))
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    if Path(folder).is_dir():
        dialog.setDirectory(folder)
    # In "St. Mary's" the dialog takes what is behind the dot for the end of the name.
    name = without_direction_marks(name)
    dialog.selectFile(f"{name}.{kinds[0][1]}" if Path(name).suffix else name)
    dialog.fileSelected.connect(save)
    dialog.open()


def _take_end(dialog: "QFileDialog", ends: dict[str, str], kind: str) -> None:
    """A name typed without an end gets that of the kind of file that was chosen."""
    dialog.setDefaultSuffix(ends.get(kind, next(iter(ends.values()))))
