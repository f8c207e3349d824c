"""Which accounts this computer knows and which was used last, in one small file without secrets;
and which of them somebody means who signs in.

What a credential is and whether it is still valid is left to the vault and the session.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from app.accounts.account import Account
from app.model.errors import ExpectedError
from app.runtime.files import KeptFile
from app.runtime.words import tr

_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class RegistryError(ExpectedError):
    """The list of accounts could not be written, so the next start will not know of the change."""


class _KnownAccounts(msgspec.Struct, frozen=True):
    """The file. `accounts` has the one used most recently first; `begun` is what somebody typed
    for a sign-in that has not worked yet.
    """

    last_used: str | None = None
    accounts: tuple[Account, ...] = ()
    begun: Account | None = None

    def without(self, account_id: str) -> tuple[Account, ...]:
        return tuple(account for account in self.accounts if account.id != account_id)


class AccountRegistry:
    """The accounts of this computer. Each call reads the file: two windows may share it."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` holds the file and is made when something is written; None keeps nothing."""
        self._file = KeptFile(folder, "accounts.json") if folder is not None else None
        self._in_memory = _KnownAccounts()
        self._tell: list[Callable[[], object]] = []

    def when_changed(self, tell: Callable[[], object]) -> None:
        """Call `tell` whenever this registry has written another list."""
        self._tell.append(tell)

    def accounts(self) -> tuple[Account, ...]:
        """Every known account, the one used most recently first."""
        return self._read().accounts

    def find(self, account_id: str) -> Account | None:
        """The known account of that id."""
        return next((one for one in self.accounts() if one.id == account_id), None)

    def last_used(self) -> Account | None:
        """The account to come back to; None when there is none or it was signed out."""
        known = self._read()
        return next((one for one in known.accounts if one.id == known.last_used), None)

    def begun(self) -> Account | None:
        """The account somebody was about to sign in to when nobody had got into any since."""
        return self._read().begun

    def begin(self, account: Account) -> None:
        """Remember what was typed for a first sign-in, until one has worked: no secret is in it.

        Raises RegistryError when the file cannot be written.
        """
        self._write(msgspec.structs.replace(self._read(), begun=account))

    def keep(self, account: Account) -> None:
        """Remember the account, in place of one with its id, as the last used.

        Raises RegistryError when the file cannot be written.
        """
        known = self._read()
        self._write(_KnownAccounts(account.id, (account, *known.without(account.id))))

    def leave(self, account: Account) -> None:
        """Remember the account so that signing in again is one click, but do not come back to it.

        Raises RegistryError when the file cannot be written.
        """
        known = self._read()
        last_used = None if known.last_used == account.id else known.last_used
        self._write(_KnownAccounts(last_used, (account, *known.without(account.id)), known.begun))

    def forget(self, account_id: str) -> None:
        """Strike the account from the list; an unknown id is fine.

        Raises RegistryError when the file cannot be written.
        """
        known = self._read()
        last_used = None if known.last_used == account_id else known.last_used
        begun = known.begun if known.begun is None or known.begun.id != account_id else None
        self._write(_KnownAccounts(last_used, known.without(account_id), begun))

    def _read(self) -> _KnownAccounts:
        if self._file is None:
            return self._in_memory
        content = self._file.read()
        if content is None:
            return _KnownAccounts()
        try:
            return msgspec.json.decode(content, type=_KnownAccounts)
        except _UNREADABLE:
            self._file.set_aside()
            return _KnownAccounts()

    def _write(self, known: _KnownAccounts) -> None:
        if self._file is None:
            self._in_memory = known
        else:
            try:
                self._file.write(msgspec.json.encode(known))
            except OSError as error:
                raise _unwritten(error) from error
        for tell in self._tell:
            tell()


def _unwritten(error: OSError) -> RegistryError:
    return RegistryError(
        tr("The account could not be remembered"),
        tr("Front Desk could not write to its folder, so it will ask again next time."),
        details=str(error),
    )


def as_known(account: Account, known: Sequence[Account]) -> Account:
    """Signing in anew to a known account is not another account: it keeps its id.

    Of several at one address it is the one of that name, else the one used last. Whether it truly
    is that one, and not another organisation's, is seen once the service has told who is in it.
    """
    there = sorted(of_one_place(account, known), key=lambda one: one.name != account.name)
    if not there:
        return account
    return msgspec.structs.replace(
        there[0],
        name=account.name,
        redirect_uri=account.redirect_uri,
        scope=account.scope,
        expires_at=None,
    )


def of_one_place(account: Account, known: Sequence[Account]) -> tuple[Account, ...]:
    """Those of the known accounts that are entered the same way at the same address."""
    return tuple(
        one
        for one in known
        if one.auth_method is account.auth_method and _place(one) == _place(account)
    )


def _place(account: Account) -> tuple[str, str | None]:
    """What tells two accounts apart that are entered the same way."""
    return account.base_url, account.client_id
