"""A screen reader finds a name for every control of the windows that open above the main one."""

from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.api.sign_in.oauth import AuthorisationRequest
from app.viewmodels.sign_in.authorisation import Authorisation
from app.viewmodels.sign_in.system_browser import SystemBrowser
from app.views.sign_in.authorisation_dialog import AuthorisationDialog
from app.views.sign_in.connection_dialogs import ask_key
from app.views.window.crash import CrashWindow
from tests.end_to_end.spoken import nameless


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    """A window to stand above."""
    made = QWidget()
    made.resize(900, 600)
    with qtbot.waitExposed(made):
        made.show()
    # Without the system's own dialogs, which are named by the system.
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    yield made
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, on=False)
    shiboken6.delete(made)


def crash(window: QWidget) -> None:
    CrashWindow(window).show()


def account_page(window: QWidget) -> None:
    request = AuthorisationRequest("http://127.0.0.1:1", "client", "http://127.0.0.1:38973/in")
    back, reload = QAction(window), QAction(window)
    attempt = Authorisation(request)
    attempt.setParent(window)
    browser = SystemBrowser(attempt, request)
    browser.setParent(window)
    AuthorisationDialog(attempt, QLineEdit(), back, reload, window, system_browser=browser).show()


OPENED: dict[str, Callable[[QWidget], None]] = {
    "question for a key": lambda window: ask_key(window, "Riverside", lambda _key: None),
    "something went wrong": crash,
    "the account's page": account_page,
}


@pytest.mark.parametrize("name", OPENED)
def test_every_control_of_a_dialog_has_a_name(window: QWidget, name: str) -> None:
    OPENED[name](window)
    dialog = window.findChild(QDialog)
    assert isinstance(dialog, QDialog)
    assert dialog.isVisible()
    assert nameless(dialog) == []
    assert dialog.windowTitle()
