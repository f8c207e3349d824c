"""The accounts this computer knows, each one click away."""

from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.accounts.account import Account, WayIn
from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.views.widgets.basics import button
from app.views.widgets.eliding import ElidingLabel, elided

_MOST = 3
"""More than these are in the settings."""
_LETTERS = 36


class KnownAccounts(Guarded, QFrame):
    """The one used last leads; hidden where there is none."""

    def __init__(self, sign_in: Callable[[Account], object]) -> None:
        """`sign_in` is called with the account that was clicked."""
        super().__init__()
        self.setProperty("role", "card")
        self._sign_in = sign_in
        self._shown: Sequence[Account] = ()
        self.buttons: list[QPushButton] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(20, 12, 20, 12)
        self._rows.setSpacing(8)
        self.hide()

    def show_accounts(self, accounts: Sequence[Account]) -> None:
        """Offer these, the one used last first."""
        offered = tuple(accounts[:_MOST])
        if offered == self._shown:
            return
        self._shown = offered
        while (item := self._rows.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        self.buttons = []
        for account in offered:
            self._rows.addWidget(self._row(account))
        self.setVisible(bool(offered))

    def focus(self) -> bool:
        """Put the keyboard on the first; False when there is none."""
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(self.buttons)

    def _row(self, account: Account) -> QWidget:
        first = not self.buttons
        name = ElidingLabel("heading" if first else "strong")
        name.setText(account.name)
        place = ElidingLabel("small")
        place.setText(_place(account))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(name)
        words.addWidget(place)
        act = button("", partial(self._sign_in, account), "primary" if first else "")
        metrics = act.fontMetrics()
        short = elided(account.name, metrics, metrics.averageCharWidth() * _LETTERS)
        act.setText(tr("Sign in to {account} again", account=short))
        act.setAccessibleName(tr("Sign in to {account} again", account=account.name))
        self.buttons.append(act)
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addLayout(words, 1)
        row.addWidget(act)
        return made


def _place(account: Account) -> str:
    host = urlsplit(account.base_url).netloc or account.base_url
    if account.way_in is WayIn.KEY:
        return tr("{host}, with an API key", host=host)
    return tr("{host}, on the account's own page", host=host)
