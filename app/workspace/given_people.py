"""Whom somebody wants to add from outside while there is no account for them yet: kept until there
is one, over a restart too, as what is typed is. The demo account is none: it keeps nobody.
"""

from collections.abc import Sequence
from pathlib import Path

from app.accounts.account import Account, AuthMethod
from app.settings.key_value_store import KeyValueStore

_KEY = "people"


class GivenPeople:
    """Texts as they were given, the first one first; blank where nobody is named yet."""

    def __init__(self, folder: Path, *, on_disk: bool) -> None:
        """`folder` is that of all the program keeps; not `on_disk`, they end with this run."""
        self._kept = KeyValueStore(folder, "given.json", list[str], most=1, on_disk=on_disk)
        self.keep_on_disk = self._kept.keep_on_disk
        self._named = self._kept.all().get(_KEY, [])
        self._for_any: list[str] = []

    def append(self, text: str, *, for_demo: bool = False) -> None:
        """One more; `for_demo`: also the demo account may have it, and it ends with this run."""
        if for_demo or not text.strip():
            self._for_any.append(text)
        else:
            self._named.append(text)
            self._keep()

    @property
    def named(self) -> Sequence[str]:
        """Those that wait for an account of the person's own."""
        return tuple(self._named)

    def for_account(self, account: Account) -> Sequence[str]:
        """Those that are to be added to `account`."""
        return (*self._for_any, *(() if _is_demo(account) else self._named))

    def clear_for(self, account: Account) -> None:
        """These are where they are added."""
        self._for_any = []
        if self._named and not _is_demo(account):
            self._named = []
            self._keep()

    def _keep(self) -> None:
        if self._named:
            self._kept.keep(_KEY, list(self._named))
        else:
            self._kept.forget(_KEY)


def _is_demo(account: Account) -> bool:
    return account.auth_method is AuthMethod.DEMO
