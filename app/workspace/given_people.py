"""Whom somebody wants to add from outside: kept until an account's own file has them, over a kill
too, as what is typed is; a list, whose file stays where it is, waits as long as this run. The demo
account is none that they wait for: it keeps nobody.
"""

from collections.abc import Sequence
from pathlib import Path

from app.accounts.account import Account, AuthMethod
from app.settings.key_value_store import KeyValueStore
from app.viewmodels.quick_add.quick_add import says_several

_KEY = "people"
_MOST_LINES = 20
"""So many the line for adding takes one after the other."""


class GivenPeople:
    """Texts as they were given, blank where nobody is named yet, and lists; the first one first."""

    def __init__(self, folder: Path, *, on_disk: bool) -> None:
        """`folder` is that of all the program keeps; not `on_disk`, they end with this run."""
        self._kept = KeyValueStore(folder, "given.json", list[str], most=1, on_disk=on_disk)
        self.keep_on_disk = self._kept.keep_on_disk
        self._named = self._kept.all().get(_KEY, [])
        self._handed_over: list[str] = []
        """With an account that does not keep them yet: named once more only at the next start."""
        self._for_any: list[str] = []
        self._lists: list[Path] = []
        self._lists_for_any: list[Path] = []
        self.lasts = True
        """Whether those who wait outlive this run."""

    def append(self, text: str, *, for_demo: bool = False) -> None:
        """One more; `for_demo`: also the demo account may have it, and it ends with this run."""
        if for_demo or not text.strip():
            self._for_any.append(text)
        else:
            self._named.append(text)
            self._keep()

    def append_list(self, file: Path, *, for_demo: bool = False) -> None:
        """The same for a list, which waits as long as this run: its file stays where it is."""
        (self._lists_for_any if for_demo else self._lists).append(file)

    @property
    def named(self) -> Sequence[str]:
        """Those that wait for an account of the person's own; a list by its file's name."""
        return (*self._named, *(file.name for file in self._lists))

    def hand_over(self, account: Account) -> Sequence[str]:
        """Those that are to be added to `account` now. They are in the file until `are_kept`."""
        theirs, self._for_any = self._for_any, []
        if not _is_demo(account):
            theirs = [*theirs, *self._named]
            self._handed_over += self._named
            self._named = []
        return theirs

    def hand_over_lists(self, account: Account) -> Sequence[Path]:
        """Those that are to be looked over in `account` now."""
        theirs, self._lists_for_any = self._lists_for_any, []
        if not _is_demo(account):
            theirs = [*theirs, *self._lists]
            self._lists = []
        return theirs

    def are_kept(self) -> None:
        """Whoever was handed over is in a file of the account."""
        if self._handed_over:
            self._handed_over = []
            self._keep()

    def _keep(self) -> None:
        texts = [*self._handed_over, *self._named]
        if texts:
            self.lasts = self._kept.keep(_KEY, texts)
        else:
            self._kept.forget(_KEY)


def put_together(texts: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Very many who were named one by one as lines, which are looked over as a list, and the texts
    besides: all of them, where they are few.
    """
    alone = [text for text in texts if text.strip() and not says_several(text)]
    if len(alone) <= _MOST_LINES:
        return "", texts
    together = "\n".join(" ".join(text.split()) for text in alone)
    return together, [text for text in texts if says_several(text)]


def _is_demo(account: Account) -> bool:
    return account.auth_method is AuthMethod.DEMO
