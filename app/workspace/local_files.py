"""What is kept of one account on this computer: opened, given up, and taken away where asked.

The cache is disposable and the outbox is not. Where one of them cannot be had, the window goes on
with one in memory, and `said` says so.
"""

import contextlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from app.accounts.account import Account
from app.accounts.folders import CACHE, OUTBOX, AccountFolders
from app.api.addresses import base_address
from app.api.errors import AddressRefused
from app.model.outbox import OutboxEntry
from app.outbox.account_matching import read_sample, write_sample
from app.outbox.duplicate_groups import Two
from app.outbox.unsent_people import UnsentPeople
from app.runtime.files import is_file, refuse_other_than_file
from app.runtime.paths import shown
from app.runtime.words import tr
from app.store.cache import Cache
from app.store.database import remove_files
from app.store.errors import StoreError, StoreTooNew, store_error
from app.store.outbox import owner as outbox_owner
from app.store.outbox import rescue
from app.store.outbox.drafts import draft_of
from app.store.outbox.outbox import OutboxInUse, OutboxStore
from app.store.outbox.rows import KeptText, unsigned
from app.workspace.account_check import KnownAccount


class Unsent(msgspec.Struct, frozen=True):
    """Entries that are not done, the half-typed line, whom their organisation is known by, and the
    batches with those of their entries that are done, and with lists that are looked over.
    """

    entries: tuple[OutboxEntry, ...] = ()
    draft: str = ""
    known: tuple[str, ...] = ()
    batches: tuple[KeptText, ...] = ()
    of_batches: tuple[OutboxEntry, ...] = ()
    lists: Cache | None = None
    """People and flows as they were shown, in memory; whoever takes them over closes this."""
    told_apart: tuple[Two, ...] = ()
    """Who was said not to be the same person."""


class LocalFiles(msgspec.Struct, frozen=True):
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
            store, known = self.store, read_sample(self.store)
            left = Unsent(store.entries(), store.draft(), known)
            if self.kept:
                # Who has the file has its batches. Lists that are looked over go on, as the line.
                return replace(left, batches=store.review_texts())
            return replace(left, batches=store.batch_texts(), of_batches=store.done_of_batches())
        except StoreError:
            return Unsent()

    def take_over(self, left: "Unsent") -> bool:
        """Hold what other files of the account held; False where this one cannot keep it."""
        known = {entry.id for entry in self.store.entries()} if left.entries else set()
        if left.batches:
            known |= {entry.id for entry in self.store.done_of_batches()}
        everybody = (*left.entries, *left.of_batches)
        missing = [entry for entry in everybody if entry.id not in known]
        try:
            self.store.add_batch_texts(left.batches)
            if missing:
                self.store.write(*missing)
            if left.known and not read_sample(self.store):
                write_sample(self.store, left.known)
        except StoreError:
            return False
        if left.draft and not self.store.draft():
            self.store.keep_draft(left.draft)
        return True

    async def lists_in_memory(self) -> Cache | None:
        """People and flows as they are held now; None where they cannot be read any more."""
        try:
            return await self.cache.in_memory()
        except StoreError:
            return None

    async def take_lists(self, lists: Cache | None) -> None:
        """Show what other files of the account showed; else they are read from the account."""
        if lists is None:
            return
        try:
            with contextlib.suppress(StoreError):
                await lists.copy_into(self.cache)
        finally:
            lists.close_now()

    async def close(self) -> None:
        """Let go of the files."""
        await self.store.close()
        await self.cache.close()

    def close_now(self) -> None:
        """The same where there is nothing else to do meanwhile."""
        self.store.close_now()
        self.cache.close_now()


def in_memory(said: str = "", *, tells_changes: bool = True) -> LocalFiles:
    """Of an account of which nothing is to be kept, or can be.

    Not `tells_changes`: where nothing is to be, not even what the readings of this run change.
    """
    cache = Cache.open(None, tells_changes=tells_changes)
    return LocalFiles(cache, OutboxStore.open(None), kept=False, said=said)


def open_local_files(folders: AccountFolders, account: Account, *, keep: bool) -> LocalFiles:
    """Open what is kept of the account, or make it.

    Files of another account, or of this one at another address, are not used: somebody exchanged
    them, or edited the list of accounts. Not `keep`: only people who are not sent yet stay in their
    file, until they are sent.
    """
    owner, there = _owner(account), folders.of(account.id)
    nobody = not keep and unsent_in(folders, there, account).nobody
    if nobody and not outbox_owner.set_aside_for(there / OUTBOX, owner):
        folders.forget(account.id)
        return in_memory(tells_changes=False)
    try:
        folder = folders.make(account.id)
        # Where something else stands there, what is typed key by key could not be kept.
        with contextlib.suppress(FileNotFoundError):
            refuse_other_than_file(draft_of(folder / OUTBOX))
        store = OutboxStore.open(folder / OUTBOX, owner)
    except (StoreError, OSError) as error:
        lasts = tr("What you type is not kept when this window closes.")
        return in_memory(f"{_why(error)} {lasts}", tells_changes=keep)
    if not keep:
        _remove_cache(folder)
        return LocalFiles(Cache.open(None, tells_changes=False), store, kept=True)
    try:
        return LocalFiles(Cache.open(folder / CACHE, owner), store, kept=True)
    except StoreError as error:
        return LocalFiles(Cache.open(None), store, kept=True, said=error.message)


def keep_left(folders: AccountFolders, account: Account, left: Unsent) -> bool:
    """Put what was held in memory alone into the account's file; False where that cannot be."""
    try:
        store = OutboxStore.open(folders.make(account.id) / OUTBOX, _owner(account))
    except (StoreError, OSError):
        return False
    files = LocalFiles(Cache.open(None), store, kept=True)
    try:
        return files.take_over(left)
    finally:
        files.close_now()


def take_away(folders: AccountFolders) -> tuple[bool, int]:
    """Delete what is kept of every account that is not open, but for people who are not sent.

    Gives whether all could be deleted, and how many accounts still have somebody unsent.
    """
    gone, unsent = True, 0
    for folder in folders.all():
        if unsent_in(folders, folder).nobody:
            gone = folders.remove(folder) and gone
        else:
            gone = _remove_cache(folder) and gone
            unsent += 1
    return gone, unsent


def unsent_in(
    folders: AccountFolders, folder: Path, account: Account | None = None
) -> UnsentPeople:
    """Who is not sent yet in the folder of an account that is not open.

    Nothing is moved by looking: where the file is signed for another than `account` (None: one
    whose key was given at the start, of which only the folder is known), it is said for whom.
    """
    try:
        if not _has_outbox(folder):
            return UnsentPeople()
        store = OutboxStore.open(folder / OUTBOX)
    except (StoreError, OSError) as error:
        return UnsentPeople(unread=_why(error))
    try:
        owner = unsigned(store.metadata(outbox_owner.ACCOUNT))
        elsewhere = "" if _is_for(owner, folders, folder, account) else owner.partition(" ")[2]
        return UnsentPeople(store.entries(), elsewhere=elsewhere, rescue=store.rescue)
    except StoreError as error:
        return UnsentPeople(unread=_why(error))
    finally:
        store.close_now()


@contextlib.asynccontextmanager
async def known_account(folders: AccountFolders, account: Account) -> AsyncIterator[KnownAccount]:
    """What is kept to recognise an account by that is not open; let go of at the end."""
    folder, owner = folders.of(account.id), _owner(account)
    kept = unsent_in(folders, folder, account)
    # Those of another address stay set aside; those of this one come back when it is opened.
    ours = () if kept.elsewhere else kept.entries
    aside = bool(outbox_owner.set_aside_for(folder / OUTBOX, owner))
    sample, half_typed = ((), False) if kept.elsewhere else _sample_of(folder)
    ids, cache = frozenset(sample), _cache_of(folder, owner)
    try:
        yield KnownAccount(
            lambda one: one in ids or cache.row_of(one) is not None,
            len(ids) + len(await cache.search_keys(0, 1)),
            len(ours),
            half_typed=half_typed,
            may_be_more=aside or bool(kept.unread),
            kept=cache.person,
        )
    finally:
        await cache.close()


def _sample_of(folder: Path) -> tuple[tuple[str, ...], bool]:
    """The people the outbox is recognised by, and whether a line is half typed there, or a list
    looked over.
    """
    try:
        if not _has_outbox(folder):
            return (), False
        store = OutboxStore.open(folder / OUTBOX)
    except (StoreError, OSError):
        return (), False
    try:
        return read_sample(store), bool(store.draft().strip() or store.reviews())
    except StoreError:
        return (), False
    finally:
        store.close_now()


def _cache_of(folder: Path, owner: str) -> Cache:
    with contextlib.suppress(StoreError, OSError):
        if is_file(folder / CACHE):
            return Cache.open(folder / CACHE, owner)
    return Cache.open(None)


def with_set_aside(folders: AccountFolders, account: Account, kept: UnsentPeople) -> UnsentPeople:
    """The same with those of this account, at any address, who were set aside elsewhere."""
    return _with_those_in(_set_aside(folders, account.id), kept)


def set_aside_for_others(folders: AccountFolders, accounts: Iterable[Account]) -> UnsentPeople:
    """Who was set aside and is for none of these accounts, as far as that can be told."""
    ids = {account.id for account in accounts}
    found = outbox_owner.set_aside_for_others(folders.root, OUTBOX, ids)
    return _with_those_in(found, UnsentPeople())


def _with_those_in(set_aside: Iterable[Path], kept: UnsentPeople) -> UnsentPeople:
    people, unread = list(kept.set_aside), kept.unread
    for aside in set_aside:
        try:
            unsent, whole = outbox_owner.unsent_aside(aside)
        except (StoreError, OSError) as error:
            unsent, whole = (), False
            unread = unread or _why(error)
        people += unsent
        if not whole:
            unread = unread or tr(
                "A file that was set aside cannot be read whole: {path}.", path=shown(aside)
            )
    return replace(kept, set_aside=tuple(people), unread=unread)


def forget_files(folders: AccountFolders, account_id: str) -> bool:
    """Delete all that is kept of an account that is not open, wherever it was set aside; False
    when something may still be there.
    """
    try:
        for aside in _set_aside(folders, account_id):
            rescue.remove(aside)
    except (StoreError, OSError):
        return False
    return folders.forget(account_id)


def _set_aside(folders: AccountFolders, account_id: str) -> list[Path]:
    return outbox_owner.set_aside_for(folders.of(account_id) / OUTBOX, account_id)


def _has_outbox(folder: Path) -> bool:
    """Whether there is one, or a part of one: a rescue may have been broken off. Raises OSError."""
    for end in ("", "-journal", ".rescued"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            (folder / f"{OUTBOX}{end}").lstat()
            return True
    return False


def _is_for(owner: str, folders: AccountFolders, folder: Path, account: Account | None) -> bool:
    if account is not None:
        return owner in {"", _owner(account)}
    return not owner or folders.of(owner.partition(" ")[0]) == folder


def _owner(account: Account) -> str:
    """For whom the files are signed: the account at its address."""
    return f"{account.id} {_address(account.base_url)}"


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


def _why(error: StoreError | OSError) -> str:
    """Why the outbox cannot be had, in a sentence."""
    if isinstance(error, OutboxInUse):
        return tr("Another Front Desk on this computer is using this account.")
    if isinstance(error, StoreTooNew):
        return tr(
            "What is kept of this account was written by a newer version of Front Desk: install "
            "that one to have it back."
        )
    said = store_error(error) if isinstance(error, OSError) else error
    return said.message if said is not None else str(error)
