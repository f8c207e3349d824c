"""The first page: the ways to sign in, the accounts known here, and help for an administrator."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from urllib.parse import urlsplit

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionState
from app.api.sign_in.oauth import PERMISSIONS
from app.runtime.words import tr, with_own_digits
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.sign_in.form import Failure, Field, FieldProblem, Filled, SignInForm
from app.viewmodels.window.session import SessionScreen
from app.views.sign_in.connection_dialogs import ask_connection_file, ask_where_to_save
from app.views.sign_in.method_card import KeyCard, PageCard
from app.views.widgets.banner import WorkNote
from app.views.widgets.buttons import CopyAddress, button, card, label, set_flag
from app.views.widgets.labels import ElidingLabel, elided
from app.views.widgets.layouts import wrapping_box
from app.views.widgets.pointer import PressGuard, TypedAheadGuard

_MOST = 3
"""More than these are in the settings."""
_LETTERS = 36


class KnownAccounts(GuardedOverrides, QFrame):
    """The one used last leads; hidden where there is none."""

    def __init__(self, session: SessionScreen) -> None:
        """Clicked, an account is one that `session` signs in to."""
        super().__init__()
        self.setProperty("role", "card")
        self._session = session
        self._accounts: dict[str, Account] = {}
        self._shown: list[tuple[str, str, str]] = []
        self.buttons: list[QPushButton] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(20, 12, 20, 12)
        self._rows.setSpacing(8)
        self.hide()

    def show_accounts(self, accounts: Sequence[Account]) -> None:
        """Offer these, the one used last first.

        A row stays while what it shows does, and with it the keyboard: signing out writes into the
        account, after its row is there, that the vault holds nothing of it.
        """
        offered = accounts[:_MOST]
        self._accounts = {account.id: account for account in offered}
        shown = [(account.id, account.name, _where_words(account)) for account in offered]
        if shown == self._shown:
            return
        self._shown = shown
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
        where = ElidingLabel("small")
        where.setText(_where_words(account))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(name)
        words.addWidget(where)
        act = button("", partial(self._sign_in_to, account.id), "primary" if first else "")
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

    def _sign_in_to(self, account_id: str) -> None:
        self._session.sign_in_to(self._accounts[account_id])


def _where_words(account: Account) -> str:
    host = urlsplit(account.base_url).netloc or account.base_url
    if account.auth_method is AuthMethod.KEY:
        return tr("{host}, with an API key", host=host)
    return tr("{host}, on the account's own page", host=host)


_PERMISSION = "ManagePeople"


class AdministratorHelp(GuardedOverrides, QFrame):
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
    made = label(with_own_digits(number), "number")
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made


class TypedOnFirstPage(msgspec.Struct, frozen=True):
    """What stands on the first page by hand: typed, chosen and unfolded."""

    page: SignInForm
    page_is_unfolded: bool
    secret: str
    secret_is_unfolded: bool
    key_form: SignInForm
    key_is_unfolded: bool
    key: str
    help_is_open: bool

    def __repr__(self) -> str:
        """No secret gets into a log."""
        return "<typed on the first page>"


_WIDTH = 1040
_SIDE_BY_SIDE_LETTERS = 104
"""How many letters across it takes for two cards to stand side by side."""


class FirstStart(GuardedOverrides, QScrollArea):
    """Bound to a `SessionScreen`; what is typed here stays until a way in has worked."""

    def __init__(
        self, session: SessionScreen, files: ConnectionFiles, parent: QWidget | None = None
    ) -> None:
        """Show the three ways in; `files` opens and saves connection files."""
        super().__init__(parent)
        self._session = session
        self._files = files
        self._had_keyboard: QWidget | None = None
        self._problem: FieldProblem | Failure | None = None
        self._guard = PressGuard((self.viewport(),), self)
        self._typed_ahead = TypedAheadGuard(self)
        self._known = KnownAccounts(session)
        self._open = button(tr("Open a connection file"), self._open_connection)
        self._demo = button(tr("Try the demo account"), session.try_demo)
        help_words = tr("For the administrator")
        self._help_button = button(help_words, self._toggle_help, "link", icon="help")
        self._page = PageCard(self._open, self._help_button)
        self._key = KeyCard()
        self._help = AdministratorHelp(self._page.redirect_uri)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self._connect()
        self._page.fill(session.first_page.sign_in_form(AuthMethod.PAGE))
        self._key.fill(session.first_page.sign_in_form(AuthMethod.KEY))
        self._show()

    def come_after_lists(self) -> None:
        """It stands where they were: whoever types on, in their line, means no button and no field
        of this page.
        """
        self._typed_ahead.begin()

    def focus_first(self) -> None:
        """Put the keyboard where most people begin, or where somebody has begun."""
        if self._known.focus():
            return
        by_key = self._session.first_page.begun() is AuthMethod.KEY
        if not by_key and not self._page.has_open_fields:
            self._open.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        way = self._key if by_key else self._page
        said = way.said
        needed = {Field.ADDRESS: said.base_url}
        needed |= {Field.KEY: self._key.secret} if by_key else {Field.CLIENT_ID: said.client_id}
        way.focus(next((kind for kind, text in needed.items() if not text), None))

    def offers(self) -> Iterator[tuple[Command, Callable[[], object]]]:
        """What can be done here, each with how, for whoever looks for it by its name."""
        buttons = {
            "open-connection": self._open,
            "demo": self._demo,
            "sign-in-with-page": self._page.leads_on,
            "sign-in-with-key": self._key.leads_on,
            "administrator": self._help_button,
        }
        buttons |= {f"sign-in-again-{at}": each for at, each in enumerate(self._known.buttons)}
        for name, each in buttons.items():
            if each.isVisible() and each.isEnabled():
                words = each.accessibleName() or each.text()
                yield Command(CommandKind.ACTION, name, words.replace("&&", "&")), each.click

    @property
    def typed(self) -> TypedOnFirstPage:
        """All that `type_again` makes the same page of."""
        return TypedOnFirstPage(
            self._page.said,
            self._page.has_open_fields,
            self._page.secret,
            self._page.is_unfolded,
            self._key.said,
            self._key.has_open_fields,
            self._key.secret,
            not self._help.isHidden(),
        )

    def type_again(self, typed: TypedOnFirstPage) -> None:
        """Have on this page what stood on another one."""
        self._page.fill(typed.page)
        self._page.type_secret(typed.secret, is_unfolded=typed.secret_is_unfolded)
        self._key.fill(typed.key_form)
        self._key.type_key(typed.key)
        self._page.open_fields(is_open=typed.page_is_unfolded)
        self._key.open_fields(is_open=typed.key_is_unfolded)
        self._help.show_address()
        self._help.setVisible(typed.help_is_open)
        self._key.setVisible(not typed.help_is_open)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room for it, else one below the other."""
        super().resizeEvent(event)
        across = self.fontMetrics().averageCharWidth() * _SIDE_BY_SIDE_LETTERS
        wide = self.viewport().width() >= across
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.LeftToRight if wide else direction.TopToBottom)

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
        self._columns.setSpacing(14)
        self._columns.addWidget(self._page, 6)
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addWidget(self._demo_card())
        side.addWidget(self._key)
        side.addWidget(self._help)
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

    def _demo_card(self) -> QFrame:
        made = card()
        rows = QVBoxLayout(made)
        rows.setContentsMargins(20, 16, 20, 16)
        # In one line where it fits: in a low window the fields below need the room.
        box, line = wrapping_box(10)
        line.insert_widget(label(tr("Only looking around?"), "heading"))
        line.insert_widget(self._demo)
        rows.addWidget(box)
        return made

    def _connect(self) -> None:
        self._page.pressed.connect(self._sign_in)
        self._key.pressed.connect(self._use_key)
        for each in (self._page, self._key):
            each.corrected.connect(self._session.correct)
            each.unfolded.connect(self._show_loud)
        self._help.closed.connect(self._toggle_help)
        self._help.save_wanted.connect(self._save_connection)
        self._session.state_changed.connect(self._show)
        self._session.first_page.state_changed.connect(self._show)
        self._session.first_page.filled.connect(self._fill)

    def _show(self) -> None:
        session, first_page = self._session.state, self._session.first_page.state
        said, problem = session.said_in_form, None if session.busy else first_page.said
        self._known.show_accounts(first_page.known)
        if problem is not None and problem.auth_method is AuthMethod.KEY:
            self._show_key_card()
        self._set_ready(ready=not session.busy)
        for each in (self._page, self._key):
            each.show_problem(problem, said.details if said is not None else "")
            is_here = problem is not None and problem.auth_method is each.auth_method
            if is_here and problem != self._problem:
                self._bring_in_sight(each.said_of_it)
        self._problem = problem
        self._show_loud()
        if session.session is SessionState.SIGNED_IN:
            self._key.forget_key()
            self._page.forget_secret()

    def _show_loud(self) -> None:
        """The one loud button is what is the next thing to do."""
        loud, typing = not self._session.first_page.state.known, self._page.has_open_fields
        self._page.lead(loud and typing)
        self._key.lead(False)  # noqa: FBT003 - as setEnabled
        set_flag(self._open, "role", "primary" if loud and not typing else "")

    def _bring_in_sight(self, said: QWidget) -> None:
        """Where the page is higher than its window it moves, and then takes no press for a moment.

        Else nothing moves.
        """
        before = self.verticalScrollBar().value()
        self.ensureWidgetVisible(said, 0, 0)
        if self.verticalScrollBar().value() != before:
            self._guard.moved()

    def _set_ready(self, *, ready: bool) -> None:
        """While a way in is under way the forms are closed, as they were typed.

        What is closed loses the keyboard: it gets it back afterwards.
        """
        closed = (*self._known.buttons, self._page.form, self._key.form, self._demo)
        if not ready:
            had = QApplication.focusWidget()
            if had is not None and any(each is had or each.isAncestorOf(had) for each in closed):
                self._had_keyboard = had
                # Or the one behind it would get it, and be pressed by what is typed ahead.
                had.clearFocus()
        for each in closed:
            each.setEnabled(ready)
        if ready and self._had_keyboard is not None:
            elsewhere = not self.isVisible() or isinstance(QApplication.focusWidget(), QLineEdit)
            # The row of an account that is called another name by now is another one.
            if not elsewhere and self._had_keyboard in self.findChildren(QWidget):
                self._had_keyboard.setFocus(Qt.FocusReason.OtherFocusReason)
            self._had_keyboard = None

    def _fill(self, filled: Filled) -> None:
        way = self._page if filled.auth_method is AuthMethod.PAGE else self._key
        if filled.in_place_of is not None:
            way.empty(filled.in_place_of)
            return
        way.fill(filled.sign_in_form)
        self._help.show_address()
        # Also before the window is first seen.
        if self.isVisibleTo(self.window()):
            self._show_key_card()
            way.focus(filled.focus)
            if filled.focus in {Field.KEY, Field.SECRET}:
                self._typed_ahead.led_on()

    def _sign_in(self) -> None:
        self._session.sign_in_with_page(self._page.said, self._page.secret)

    def _use_key(self) -> None:
        self._session.sign_in_with_key(self._key.said, self._key.secret)

    def _toggle_help(self) -> None:
        if self._help.isHidden():
            self._help.show_address()
            self._page.open_fields()
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
        ask_connection_file(self, self._files.open)

    def _save_connection(self) -> None:
        connection = self._files.of_fields(self._page.said)
        if connection is not None:
            ask_where_to_save(self, connection, self._files.save)
