"""Which accounts this computer knows and which was used last, in one small file without secrets.

What a credential is and whether it is still valid is left to the vault and the session.
"""

import logging
import os
import tempfile
from pathlib import Path

import msgspec

from app.accounts.account import Account
from app.model.errors import ExpectedError
from app.runtime.paths import make_private_folder
from app.runtime.words import tr

_log = logging.getLogger(__name__)
_FILE = "accounts.json"
_SET_ASIDE = "accounts.damaged.json"


class RegistryError(ExpectedError):
    """The list of accounts could not be written, so the next start will not know of the change."""


class _Book(msgspec.Struct, frozen=True):
    """The file. `accounts` has the one used most recently first."""

    last_used: str | None = None
    accounts: tuple[Account, ...] = ()

    def without(self, account_id: str) -> tuple[Account, ...]:
        return tuple(account for account in self.accounts if account.id != account_id)


class AccountRegistry:
    """The accounts of this computer. Each call reads the file: two windows may share it."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` holds the file and is made when something is written; None keeps nothing."""
        self._folder = folder
        self._in_memory = _Book()

    def accounts(self) -> tuple[Account, ...]:
        """Every known account, the one used most recently first."""
        return self._read().accounts

    def find(self, account_id: str) -> Account | None:
        """The known account of that id."""
        return next((one for one in self.accounts() if one.id == account_id), None)

    def last_used(self) -> Account | None:
        """The account to come back to; None when there is none or it was signed out."""
        book = self._read()
        return next((one for one in book.accounts if one.id == book.last_used), None)

    def keep(self, account: Account) -> None:
        """Remember the account, in place of one with its id, as the last used.

        Raises RegistryError when the file cannot be written.
        """
        book = self._read()
        self._write(_Book(account.id, (account, *book.without(account.id))))

    def leave(self, account: Account) -> None:
        """Remember the account so that signing in again is one click, but do not come back to it.

        Raises RegistryError when the file cannot be written.
        """
        book = self._read()
        last_used = None if book.last_used == account.id else book.last_used
        self._write(_Book(last_used, (account, *book.without(account.id))))

    def forget(self, account_id: str) -> None:
        """Strike the account from the list; an unknown id is fine.

        Raises RegistryError when the file cannot be written.
        """
        book = self._read()
        last_used = None if book.last_used == account_id else book.last_used
        self._write(_Book(last_used, book.without(account_id)))

    def _read(self) -> _Book:
        if self._folder is None:
            return self._in_memory
        path = self._folder / _FILE
        try:
            return msgspec.json.decode(path.read_bytes(), type=_Book)
        except FileNotFoundError:
            return _Book()
        except OSError as error:
            _log.warning("the list of accounts cannot be read: %s", error.strerror)
            return _Book()
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._set_aside(path)
            return _Book()

    def _set_aside(self, path: Path) -> None:
        _log.warning("the list of accounts is damaged and was set aside as %s", _SET_ASIDE)
        try:
            path.replace(path.with_name(_SET_ASIDE))
        except OSError as error:
            _log.warning("it could not be set aside: %s", error.strerror)

    def _write(self, book: _Book) -> None:
        if self._folder is None:
            self._in_memory = book
            return
        try:
            _replace(make_private_folder(self._folder) / _FILE, msgspec.json.encode(book))
        except OSError as error:
            raise RegistryError(
                tr("The account could not be remembered"),
                tr("Front Desk could not write to its folder, so it will ask again next time."),
                details=str(error),
            ) from error


def _replace(path: Path, content: bytes) -> None:
    """Put `content` where `path` is, for its owner's eyes only, whole or not at all."""
    # mkstemp makes the file 0600 and under a name that nobody else is writing to.
    descriptor, written = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(path)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
