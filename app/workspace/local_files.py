"""What is kept of one account on this computer: opened, given up, and taken away where asked.

The cache is disposable and the outbox is not. Where one of them cannot be had, the window goes on
with one in memory, and `said` says so.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from app.accounts.account import Account
from app.accounts.folders import CACHE, OUTBOX, AccountFolders
from app.api.addresses import base_address
from app.api.errors import AddressRefused
from app.model.errors import ExpectedError
from app.model.outbox import OutboxEntry
from app.runtime.files import refuse_other_than_file
from app.runtime.paths import is_there
from app.runtime.words import tr
from app.store.cache import Cache
from app.store.database import remove_files
from app.store.errors import StoreError, StoreTooNew, store_error
from app.store.outbox import OutboxInUse, OutboxStore

_OF_THE_OUTBOX = tuple(f"{OUTBOX}{end}" for end in ("", "-wal", "-shm", "-journal")) + tuple(
    OUTBOX.replace(".sqlite3", end) for end in (".draft", ".lock")
)


@dataclass(frozen=True, slots=True)
class Unsent:
    """Entries that are not done, and the half-typed line."""

    entries: tuple[OutboxEntry, ...] = ()
    draft: str = ""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """The two files of an account. `kept`: what is typed outlives this run.

    `said` is a sentence for the person about what could not be had; blank where all is well.
    """

    cache: Cache
    store: OutboxStore
    kept: bool
    said: str = ""

    def what_is_left(self) -> "Unsent":
        """What the outbox holds that is not done; nothing where it cannot be read any more."""
        try:
            return Unsent(self.store.entries(), self.store.draft())
        except StoreError:
            return Unsent()

    def take_over(self, left: "Unsent") -> bool:
        """Hold what another copy of the account held; False where this one cannot keep it."""
        known = {entry.id for entry in self.store.entries()}
        missing = [entry for entry in left.entries if entry.id not in known]
        try:
            if missing:
                self.store.write(*missing)
        except StoreError:
            return False
        if left.draft and not self.store.draft():
            self.store.keep_draft(left.draft)
        return True

    async def close(self) -> None:
        """Let go of the files."""
        await self.store.close()
        await self.cache.close()

    def close_now(self) -> None:
        """The same where there is nothing else to do meanwhile."""
        self.store.close_now()
        self.cache.close_now()


def in_memory(said: str = "") -> LocalFiles:
    """Of an account of which nothing is to be kept, or can be."""
    return LocalFiles(Cache.open(None), OutboxStore.open(None), kept=False, said=said)


def open_local_files(folders: AccountFolders, account: Account, *, keep: bool) -> LocalFiles:
    """Open what is kept of the account, or make it.

    Files of another account, or of this one at another address, are not used: somebody exchanged
    them, or edited the list of accounts. Not `keep`: only people who are not sent yet stay in their
    file, until they are sent.
    """
    if not keep and not _has_unsent(folders.of(account.id)):
        folders.forget(account.id)
        return in_memory()
    owner = f"{account.id} {_address(account.base_url)}"
    try:
        folder = folders.make(account.id)
        _refuse_other_than_files(folder)
        store = OutboxStore.open(folder / OUTBOX, owner)
    except OSError as error:
        said = store_error(error)
        return in_memory(_not_kept(said if said is not None else error))
    except StoreError as error:
        return in_memory(_not_kept(error))
    if not keep:
        _remove_cache(folder)
        return LocalFiles(Cache.open(None), store, kept=True)
    try:
        return LocalFiles(Cache.open(folder / CACHE, owner), store, kept=True)
    except StoreError as error:
        return LocalFiles(Cache.open(None), store, kept=True, said=error.message)


def take_away(folders: AccountFolders) -> tuple[bool, int]:
    """Delete what is kept of every account that is not open, but for people who are not sent.

    Gives whether all could be deleted, and how many accounts still have somebody unsent.
    """
    gone, unsent = True, 0
    for folder in folders.all():
        if _has_unsent(folder):
            gone = _remove_cache(folder) and gone
            unsent += 1
        else:
            gone = folders.remove(folder) and gone
    return gone, unsent


def unsent_in(folder: Path) -> tuple[OutboxEntry, ...]:
    """Who is not sent yet in the folder of an account that is not open; nobody where that cannot
    be read now.
    """
    path = folder / OUTBOX
    if not is_there(path):
        return ()
    try:
        _refuse_other_than_files(folder)
        store = OutboxStore.open(path)
    except (StoreError, OSError):
        return ()
    try:
        return store.entries()
    except StoreError:
        return ()
    finally:
        store.close_now()


def _has_unsent(folder: Path) -> bool:
    """Whether somebody there is not sent; also where nobody can tell, for it must not be lost."""
    path = folder / OUTBOX
    if not is_there(path):
        return False
    try:
        _refuse_other_than_files(folder)
        store = OutboxStore.open(path)
    except (StoreError, OSError):
        return True
    try:
        return bool(store.entries()) or store.rescue is not None
    except StoreError:
        return True
    finally:
        store.close_now()


def _refuse_other_than_files(folder: Path) -> None:
    """Before anything there is read: a link would lead elsewhere, a pipe be waited for. OSError."""
    for name in _OF_THE_OUTBOX:
        with contextlib.suppress(FileNotFoundError):
            refuse_other_than_file(folder / name)


def _address(base_url: str) -> str:
    """As the client asks it, with its path; as it stands there where somebody made it none."""
    try:
        return base_address(base_url)
    except AddressRefused:
        return base_url


def _remove_cache(folder: Path) -> bool:
    try:
        remove_files(folder / CACHE)
    except StoreError:
        return False
    return True


def _not_kept(error: Exception) -> str:
    lasts = tr("What you type is not kept when this window closes.")
    if isinstance(error, OutboxInUse):
        why = tr("Another Front Desk on this computer is using this account.")
    elif isinstance(error, StoreTooNew):
        why = tr("What is kept of this account was written by a newer version of Front Desk.")
    else:
        why = error.message if isinstance(error, ExpectedError) else str(error)
    return f"{why} {lasts}"
