"""Asking for another API key of an account that is known already."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from app.runtime.words import tr


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
