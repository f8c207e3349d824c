"""The first page: three ways in, and what an administrator needs to set one of them up."""

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.accounts.account import WayIn
from app.accounts.session import SessionState
from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.session import SessionScreen
from app.viewmodels.ways_in import Field, Filled
from app.views.connection_dialogs import ask_connection_file, ask_where_to_save
from app.views.sign_in.administrator_help import AdministratorHelp
from app.views.sign_in.known_accounts import KnownAccounts
from app.views.sign_in.way_card import KeyCard, PageCard
from app.views.widgets.basics import button, label
from app.views.widgets.work_note import WorkNote

_WIDTH = 1040
_SIDE_BY_SIDE_LETTERS = 104
"""How many letters across it takes for two cards to stand side by side."""


class FirstStart(Guarded, QScrollArea):
    """Bound to a `SessionScreen`; what is typed here stays until a way in has worked."""

    def __init__(self, session: SessionScreen, parent: QWidget | None = None) -> None:
        """Show the three ways in."""
        super().__init__(parent)
        self._session = session
        self._pressed: QPushButton | None = None
        self._known = KnownAccounts(session.sign_in_to)
        self._page = PageCard()
        self._key = KeyCard()
        self._help = AdministratorHelp(self._page.redirect_uri)
        self._help_button = self._quiet(tr("For the administrator"), self._toggle_help, "help")
        self._open = button(tr("Open a connection file"), self._open_connection, icon="file")
        self._demo = self._quiet(tr("Try the demo account"), session.try_demo)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self._connect()
        self._page.fill(session.first_page.ways_in(WayIn.PAGE))
        self._key.fill(session.first_page.ways_in(WayIn.KEY))
        self._show()

    def focus_first(self) -> None:
        """Put the keyboard where most people begin."""
        if self._known.focus():
            return
        said = self._page.said
        empty = {Field.ADDRESS: said.base_url, Field.CLIENT_ID: said.client_id}
        self._page.focus(next((kind for kind, text in empty.items() if not text), None))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room for it, else one below the other."""
        super().resizeEvent(event)
        across = self.fontMetrics().averageCharWidth() * _SIDE_BY_SIDE_LETTERS
        wide = self.viewport().width() >= across
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.LeftToRight if wide else direction.TopToBottom)

    def _quiet(self, words: str, act: object, picture: str = "") -> QPushButton:
        return button(words, act, "link", icon=picture)  # type: ignore[arg-type]  # a bound method

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        page.setProperty("role", "page")
        self.setWidget(page)
        around = QHBoxLayout(page)
        around.setContentsMargins(20, 4, 20, 20)
        around.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(_WIDTH)
        around.addWidget(column, 100)
        around.addStretch(1)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(14)
        rows.addLayout(self._head())
        rows.addWidget(self._known)
        rows.addLayout(self._columns)
        rows.addStretch(1)
        self._page.foot.insert_widget(self._open)
        self._page.foot.insert_widget(self._help_button)
        self._columns.setSpacing(14)
        self._columns.addWidget(self._page, 6)
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addWidget(self._key)
        side.addWidget(self._help)
        side.addLayout(self._demo_line())
        side.addStretch(1)
        self._columns.addLayout(side, 5)
        self._help.hide()

    def _head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setSpacing(2)
        first = QHBoxLayout()
        first.addWidget(label(tr("Welcome to Front Desk"), "title"))
        first.addStretch(1)
        first.addWidget(WorkNote(self._session))
        head.addLayout(first)
        sentence = tr("Add people quickly, and see who administers each step of your people flows.")
        head.addWidget(label(sentence, "soft", wraps=True))
        return head

    def _demo_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(20, 0, 20, 0)
        line.addWidget(label(tr("Only looking around?"), "soft"))
        line.addWidget(self._demo)
        line.addStretch(1)
        return line

    def _connect(self) -> None:
        self._page.pressed.connect(self._sign_in)
        self._key.pressed.connect(self._use_key)
        for card in (self._page, self._key):
            card.corrected.connect(self._session.correct)
        self._help.closed.connect(self._toggle_help)
        self._help.save_wanted.connect(self._save_connection)
        self._session.changed.connect(self._show)
        self._session.first_page.changed.connect(self._show)
        self._session.first_page.filled.connect(self._fill)

    def _show(self) -> None:
        first_page = self._session.first_page
        self._known.show_accounts(first_page.known)
        self._set_ready(ready=not self._session.busy)
        for card in (self._page, self._key):
            card.lead(not first_page.known and card is self._page)
            card.show_problem(first_page.problem)
        if first_page.problem is not None and first_page.problem.way_in is WayIn.KEY:
            self._show_key_card()
        if self._session.state is SessionState.SIGNED_IN:
            self._key.forget_key()
            self._page.forget_secret()

    def _set_ready(self, *, ready: bool) -> None:
        """A button that cannot be pressed loses the keyboard: it gets it back afterwards."""
        buttons = (*self._known.buttons, self._page.button, self._key.button, self._demo)
        if not ready:
            self._pressed = next((each for each in buttons if each.hasFocus()), self._pressed)
        for each in buttons:
            each.setEnabled(ready)
        if ready and self._pressed is not None:
            elsewhere = not self.isVisible() or isinstance(QApplication.focusWidget(), QLineEdit)
            if not elsewhere and shiboken6.isValid(self._pressed):
                self._pressed.setFocus(Qt.FocusReason.OtherFocusReason)
            self._pressed = None

    def _fill(self, filled: Filled) -> None:
        card = self._page if filled.way_in is WayIn.PAGE else self._key
        if filled.in_place_of is not None:
            card.empty(filled.in_place_of)
            return
        card.fill(filled.ways_in)
        self._help.show_address()
        # Also before the window is first seen.
        if self.isVisibleTo(self.window()):
            self._show_key_card()
            card.focus(filled.focus)

    def _sign_in(self) -> None:
        self._session.sign_in_with_page(self._page.said, self._page.secret)

    def _use_key(self) -> None:
        self._session.sign_in_with_key(self._key.said, self._key.key)

    def _toggle_help(self) -> None:
        if self._help.isHidden():
            self._help.show_address()
            self._key.hide()
            self._help.show()
            self._help.focus()
        else:
            self._show_key_card()
            self._help_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_key_card(self) -> None:
        self._help.hide()
        self._key.show()

    def _open_connection(self) -> None:
        ask_connection_file(self, self._session.files.open)

    def _save_connection(self) -> None:
        connection = self._session.files.of_fields(self._page.said)
        if connection is not None:
            ask_where_to_save(self, connection, self._session.files.save)
