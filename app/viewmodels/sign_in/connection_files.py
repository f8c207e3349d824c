"""Connection files as the window handles them: opened, dropped on it, and saved for a colleague."""

from collections.abc import Sequence
from pathlib import Path

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import ConnectionDetails, read_connection, write_connection
from app.accounts.session import SessionState
from app.model.errors import ExpectedError
from app.people.search import fold
from app.runtime.paths import CONNECTION_FILE
from app.runtime.words import tr
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.form import SignInForm
from app.viewmodels.window.session import SessionScreen

_LONGEST_NAME = 60


class ConnectionFiles:
    """Reads and writes them for one `SessionScreen`, which says what came of it."""

    def __init__(self, screen: SessionScreen) -> None:
        """`screen` is filled from what is opened."""
        self._screen = screen

    def open(self, path: str) -> None:
        """Fill the first page from the connection file at `path`."""
        try:
            connection = read_connection(Path(path))
        except ExpectedError as error:
            self._screen.say_error(error)
            return
        self._screen.take_connection(connection)

    def drop(self, paths: Sequence[str]) -> None:
        """Somebody let go of files over the window."""
        if not self.wanted and len(paths) > 1:
            self._screen.say(Notice(tr("Drop one list at a time."), passing=True))
        elif self._screen.state.session is not SessionState.SIGNED_OUT:
            self._screen.say(
                Notice(self.drop_words, NoticeAction.SIGN_OUT, calm=True, passing=True)
            )
        elif self._screen.state.busy:
            self._screen.say(
                Notice(tr("Wait until signing in has ended."), calm=True, passing=True)
            )
        elif len(paths) != 1:
            self._screen.say(Notice(tr("Drop one connection file at a time."), passing=True))
        else:
            self.open(paths[0])

    @property
    def wanted(self) -> bool:
        """Whether somebody is about to sign in, for which such a file is of use."""
        return self._screen.state.session is SessionState.SIGNED_OUT

    @property
    def drop_words(self) -> str:
        """What would come of a file that is held over the window now."""
        if self._screen.state.session is SessionState.SIGNED_OUT:
            return tr("Drop the connection file here")
        return tr("Sign out first to open a connection file.")

    @property
    def can_save(self) -> bool:
        """Whether a colleague could use a file about the account shown."""
        return self.of_account() is not None

    def of_account(self) -> ConnectionDetails | None:
        """What a colleague needs for the account shown; None where that would be of no use."""
        account = self._screen.account
        if account is None or account.auth_method is AuthMethod.DEMO:
            return None
        return _connection(account)

    def of_fields(self, sign_in_form: SignInForm) -> ConnectionDetails | None:
        """What the first page's fields say, for a colleague; None when a field says it cannot."""
        try:
            return _connection(self._screen.first_page.account(sign_in_form, AuthMethod.PAGE))
        except ExpectedError as error:
            self._screen.say_error(error, AuthMethod.PAGE)
            return None

    def save(self, path: str, connection: ConnectionDetails) -> None:
        """Write the file a colleague gets; it holds no secret."""
        try:
            write_connection(Path(path), connection)
        except ExpectedError as error:
            self._screen.say_error(error)
            return
        words = tr(
            "{file} is saved. It holds no secret: a colleague opens it on their first page.",
            file=Path(path).name,
        )
        self._screen.say(Notice(words, calm=True, passing=True))


def file_name(connection: ConnectionDetails) -> str:
    """A name for the file that every system takes: riverside-community.frontdesk."""
    letters = "".join(letter if letter.isalnum() else " " for letter in fold(connection.name))
    stem = "-".join(letters.split())[:_LONGEST_NAME].strip("-")
    return f"{stem or 'front-desk'}{CONNECTION_FILE}"


def _connection(account: Account) -> ConnectionDetails:
    return ConnectionDetails(
        name=account.name,
        base_url=account.base_url,
        client_id=account.client_id,
        redirect_uri=account.redirect_uri,
        scope=account.scope,
    )
