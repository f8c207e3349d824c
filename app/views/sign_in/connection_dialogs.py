"""Asking where a connection file is, or where to save one, without holding anything up."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QWidget

from app.accounts.connection_file import ConnectionDetails
from app.runtime.words import tr
from app.viewmodels.sign_in.connection_files import file_name
from app.views.exporting.save_dialog import ask_for_file, connection_kinds


def ask_connection_file(parent: QWidget, done: Callable[[str], None]) -> None:
    """Ask for a file to open; `done` gets its path unless the person gives up."""
    dialog = QFileDialog(parent, tr("Open a connection file"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setNameFilters([*(words for words, _ in connection_kinds()), tr("All files (*)")])
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(done)
    dialog.open()


def ask_where_to_save(
    parent: QWidget, connection: ConnectionDetails, done: Callable[[str, ConnectionDetails], None]
) -> None:
    """Ask where `connection` shall be saved; `done` gets the path and the connection."""

    def chosen(path: str) -> None:
        done(path, connection)

    title, name = tr("Save a connection file for a colleague"), Path(file_name(connection)).stem
    ask_for_file(parent, title, name, connection_kinds(), chosen)


def ask_key(parent: QWidget, account_name: str, done: Callable[[str], None]) -> None:
    """Ask for another API key of the account; `done` gets it unless the person closes it."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Sign in again"))
    dialog.setLabelText(tr("API key of {account}", account=account_name))
    dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    dialog.setOkButtonText(tr("Use this key"))
    dialog.setCancelButtonText(tr("Cancel"))
    dialog.textValueSelected.connect(done)
    dialog.open()
