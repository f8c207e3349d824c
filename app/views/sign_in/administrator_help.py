"""What an administrator does once, in the account's own terms, so that others can sign in."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout

from app.api.oauth import PERMISSIONS
from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.views.sign_in.copy_address import CopyAddress
from app.views.widgets.basics import button, label

_PERMISSION = "ManagePeople"


class AdministratorHelp(Guarded, QFrame):
    """The steps in the account's settings, with the redirect address to paste there."""

    closed = Signal()
    save_wanted = Signal()

    def __init__(self, redirect_uri: Callable[[], str]) -> None:
        """`redirect_uri` gives the address that stands in its field."""
        super().__init__()
        self.setProperty("role", "card")
        self._redirect_uri = redirect_uri
        self._redirect = label("", "copyable", wraps=True)
        self._redirect.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = CopyAddress(tr("Copy the redirect address"), redirect_uri)
        close = button(tr("Close"), self.closed.emit, "link")
        close.setAccessibleName(tr("Close the help for the administrator"))
        save = button(tr("Save a connection file"), self.save_wanted.emit, icon="file")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(20, 16, 20, 16)
        rows.setSpacing(10)
        head = QHBoxLayout()
        head.addWidget(label(tr("For the administrator"), "heading"), 1)
        head.addWidget(close)
        rows.addLayout(head)
        rows.addWidget(
            label(
                tr("Front Desk is registered once; then everybody can sign in."), "soft", wraps=True
            )
        )
        rows.addLayout(self._steps())
        last = QHBoxLayout()
        last.addWidget(save)
        last.addStretch(1)
        rows.addLayout(last)
        rows.addStretch(1)

    def show_address(self) -> None:
        """The redirect address may be another by now."""
        self._redirect.setText(self._redirect_uri())

    def focus(self) -> None:
        """Begin with what there is to do here."""
        self._copy.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _steps(self) -> QGridLayout:
        steps = QGridLayout()
        steps.setHorizontalSpacing(10)
        steps.setVerticalSpacing(8)
        steps.setColumnStretch(1, 1)
        address = QHBoxLayout()
        address.addWidget(self._redirect, 1)
        address.addWidget(self._copy)
        for number, sentence in enumerate(_sentences(), start=1):
            words = QVBoxLayout()
            words.setSpacing(6)
            words.addWidget(label(sentence, wraps=True))
            if number == _PASTE:
                words.addLayout(address)
            steps.addWidget(_number(number), number, 0, Qt.AlignmentFlag.AlignTop)
            steps.addLayout(words, number, 1)
        return steps


_PASTE = 2
"""The step that needs the redirect address."""


def _sentences() -> tuple[str, ...]:
    return (
        tr("Open the account's own page, go to its settings and there to integrations."),
        tr("Register an application, for example “Front Desk”, with this redirect address:"),
        tr(
            "The account then shows a client ID: it names the application and is no secret. Copy "
            "it into its field here. The client secret beside it is needed only where sign-ins "
            "shall renew themselves: else leave it there."
        ),
        tr(
            "Everybody who signs in is asked to allow one thing, “Manage people” "
            "({permission}). The account knows no smaller permission that shows its lists.",
            permission=PERMISSIONS[_PERMISSION]().lower(),
        ),
        tr("Save a connection file for your colleagues. It holds these fields and no secret."),
    )


def _number(number: int) -> QLabel:
    made = label(str(number), "number")
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made
