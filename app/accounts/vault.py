"""Where secrets are kept: the system's own vault through keyring, or this run's memory.

It knows which secrets an account may have and what each is called, which vaults are real, the one
order of calls that gnome-keyring survives, how long a vault may take, and that a locked vault is
not an empty one. Whether a secret still works is left to the session.
"""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack, closing, suppress
from copy import copy
from enum import Enum, StrEnum, auto
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import msgspec

from app.model.errors import ExpectedError, retranslatable_error
from app.runtime.secrets import remember_secret
from app.runtime.words import tr
from app.runtime.worker_thread import NoAnswerError, WorkerThread

if TYPE_CHECKING:
    # Slow: at run time only inside functions.
    import secretstorage
    from jeepney.io.blocking import DBusConnection  # type: ignore[import-untyped]
    from keyring.backend import KeyringBackend

_BOUND = re.compile(r"(?P<address>https?://\S+) (?P<secret>.*)", re.DOTALL)


class SecretKind(StrEnum):
    """The secrets one account may have. Each is an entry of its own: what a vault takes is short.

    The value stands behind the account's id in the entry's name, for whoever opens the vault.
    """

    CREDENTIAL = ""
    """The API key, or the access token."""
    REFRESH_TOKEN = "refresh token"  # noqa: S105 - the name of one
    CLIENT_SECRET = "client secret"  # noqa: S105 - the name of one

    def entry(self, account_id: str) -> str:
        """The name of the entry."""
        return f"{account_id} {self.value}".rstrip()


def bound(address: str, secret: str) -> str:
    """What is written down of a secret; `address` is the service's, as `base_address` gives it.

    With its path: two organisations may share a host. Some forty signs of what a vault takes: both
    in one entry cannot be torn apart by a crash, nor by somebody who edits the list of accounts.
    """
    return f"{address} {secret}"


def apart(written: str) -> tuple[str, str] | None:
    """The address and the secret; None for what was not written here, which is used nowhere."""
    read = _BOUND.fullmatch(written)
    return (read["address"], read["secret"]) if read else None


Secrets = Mapping[SecretKind, str | None]
"""What to keep; None is taken out."""
SIGN_IN = (SecretKind.CREDENTIAL, SecretKind.REFRESH_TOKEN)
"""What signing out takes away; the client secret is the organisation's, as the client ID is."""


_OF_NOBODY = "of-nobody"


def open_collection(path: str | None = None) -> "secretstorage.Collection":
    """The default collection, or the one at `path`, on a connection that the caller closes.

    Somebody who has none is asked to make one. Raises what SecretStorage raises.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with ExitStack() as where_it_fails:
        bus = where_it_fails.enter_context(closing(secretstorage.dbus_init()))
        greet(bus)
        if path is not None:
            collection = secretstorage.Collection(bus, path)
        else:
            collection = default_collection(bus) or secretstorage.create_collection(
                bus, "Default", "default"
            )
        where_it_fails.pop_all()
    return collection


def greet(bus: "DBusConnection") -> None:
    """Be known to the Secret Service before anything is asked of it.

    gnome-keyring (seen in 42; its issues 190, 195, 196 and 199 tell the same of 50) learns who
    calls a moment too late: while other programs keep it busy, the first message of a connection
    may be handled before, and one that needs the caller ends the whole daemon. The next daemon is
    started locked. Asking what a name leads to that nothing has needs no caller.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with suppress(secretstorage.ItemNotFoundException):
        secretstorage.get_collection_by_alias(bus, _OF_NOBODY)


def default_collection(bus: "DBusConnection") -> "secretstorage.Collection | None":
    """The default collection, by the path of its own; None where there is none.

    Messages to the name "default" are led on by one thread of gnome-keyring while another may be
    writing where to: now and then the collection "does not exist", and who believes it asks the
    person for the password of a new one.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with suppress(secretstorage.ItemNotFoundException):
        return secretstorage.get_collection_by_alias(bus, "default")
    return None


Answer = TypeVar("Answer")

DEADLINE = 5.0
_SERVICE = "Front Desk"
_WINDOWS = "keyring.backends.Windows"
# What keyring may also offer are plaintext files, and backends that keep nothing or always fail.
_REAL = {
    _WINDOWS: "Windows Credential Locker",
    "keyring.backends.macOS": "macOS Keychain",
    "keyring.backends.SecretService": "Secret Service",
    "keyring.backends.libsecret": "Secret Service",
    "keyring.backends.kwallet": "KWallet",
}
# CredWrite takes 5 x 512 bytes, and keyring hands it UTF-16.
_WINDOWS_BYTES = 2560
# A vault may hold several entries under one name; each deletion takes one.
_DELETIONS = 4
# By name, because the Secret Service's own errors come through keyring unchanged.
_MEANS_LOCKED = {"KeyringLocked", "LockedException", "PromptDismissedException"}
# The daemon ended under the call, or somebody else deleted what was just found: by name, as above.
_PASSES = {"SecretServiceNotAvailableException", "ItemNotFoundException"}
_TRIES = 3


class VaultError(ExpectedError):
    """There is a vault, but it is locked, keeps silent or failed; the person has to be told."""


class VaultReport(msgspec.Struct, frozen=True):
    """The vault in use: its name, whether it is a real one, and else a sentence why not."""

    name: str
    real: bool
    problem: str


class _Trouble(Enum):
    LOCKED = auto()
    SILENT = auto()
    FAILED = auto()


class _VaultRefusedError(Exception):
    """What the vault raised, without its traceback (which holds the connection open)."""

    def __init__(self, trouble: _Trouble, details: str) -> None:
        super().__init__(details)
        self.trouble = trouble
        self.details = details


class Vault:
    """Keeps the secrets of each account. Calls take their turn and end within the deadline."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        """`deadline` in seconds holds for each call, the question of a locked vault included."""
        self._deadline = deadline
        self._worker = WorkerThread("vault")
        self._this_run: dict[str, str] = {}

    async def read(self, account_id: str, part: SecretKind = SecretKind.CREDENTIAL) -> str | None:
        """The secret; None where there is none or no real vault.

        Raises VaultError when the vault is there but locked, silent or broken.
        """
        entry = part.entry(account_id)
        if (secret := self._this_run.get(entry)) is not None:
            return secret
        try:
            secret = await self._worker.run(_asking(partial(_read, entry)), self._deadline)
        except (NoAnswerError, _VaultRefusedError) as error:
            raise _cannot_read(error) from None
        if secret is not None:
            remember_secret(secret)
        return secret

    async def keep(self, account_id: str, secrets: str | Secrets) -> bool:
        """Put the credential, or these secrets, in the vault in one go; parts not named stay.

        False when one of them is kept for this run only: where no real vault exists or it holds
        nothing this long. Raises VaultError when the vault is locked, silent or broken; they are
        then kept for this run all the same, and what the vault stores after its time is taken out
        again.
        """
        given = {SecretKind.CREDENTIAL: secrets} if isinstance(secrets, str) else secrets
        entries = {part.entry(account_id): secret for part, secret in given.items()}
        for secret in entries.values():
            remember_secret(secret or "")
        try:
            stored = await self._worker.run(
                _asking(partial(_write, entries)), self._deadline, undo=_take_back
            )
        except (NoAnswerError, _VaultRefusedError) as error:
            self._keep_for_this_run(entries)
            raise _cannot_keep(error) from None
        left = {entry: None if entry in stored else entries[entry] for entry in entries}
        self._keep_for_this_run(left)
        return not any(left.values())

    async def forget(
        self, account_id: str, parts: Collection[SecretKind] = tuple(SecretKind)
    ) -> bool:
        """Delete these parts; True when the vault, read again, has none of them any longer.

        False where that is not sure: no real vault could be asked, or it was locked, silent or
        broken. Never raises; a vault that wakes up late still deletes.
        """
        entries = tuple(part.entry(account_id) for part in parts)
        self._keep_for_this_run(dict.fromkeys(entries))
        try:
            return await self._worker.run(
                _asking(partial(_remove, entries)), self._deadline, even_if_late=True
            )
        except (NoAnswerError, _VaultRefusedError):
            return False

    def _keep_for_this_run(self, entries: Mapping[str, str | None]) -> None:
        for entry, secret in entries.items():
            if secret is None:
                self._this_run.pop(entry, None)
            else:
                self._this_run[entry] = secret


def vault_in_use(deadline: float = DEADLINE) -> VaultReport:
    """Which vault this computer offers, found out within `deadline` seconds; it is not opened."""
    found: list[KeyringBackend | None] = []
    thread = Thread(target=lambda: found.append(_real_backend()), name="vault", daemon=True)
    thread.start()
    thread.join(deadline)
    if not found:
        return VaultReport("", real=False, problem=tr("The vault of this computer is silent."))
    if found[0] is None:
        problem = tr("This computer has no vault, so a sign-in lasts until the window is closed.")
        return VaultReport("", real=False, problem=problem)
    return VaultReport(_REAL[type(found[0]).__module__], real=True, problem="")


def _real_backend() -> "KeyringBackend | None":
    """The vault keyring would use, or the first real one behind its chain; None without any."""
    import keyring  # noqa: PLC0415 - slow, see above
    from keyring.backends.chainer import ChainerBackend  # noqa: PLC0415 - slow, see above

    try:
        chosen = keyring.get_keyring()
        offered = chosen.backends if isinstance(chosen, ChainerBackend) else [chosen]
    except Exception:  # noqa: BLE001 - whatever a backend named in a setting raises while loading
        return None
    return next((backend for backend in offered if type(backend).__module__ in _REAL), None)


def _open_backend() -> "KeyringBackend | None":
    """The real vault; None without any. A Secret Service is opened by each call to it."""
    backend = _real_backend()
    return backend if backend is None else careful(backend)


def careful(backend: "KeyringBackend") -> "KeyringBackend":
    """The same backend, which opens a Secret Service by `open_collection`; others as they are.

    keyring itself leaves its connection open where the vault stays locked.
    """
    from keyring.backends import SecretService  # noqa: PLC0415 - slow, see above

    if not isinstance(backend, SecretService.Keyring):
        return backend
    chosen = getattr(backend, "preferred_collection", None)
    ours = copy(backend)
    # keyring gets its collection nowhere else, and closes its connection after use.
    vars(ours)["get_preferred_collection"] = partial(_unlocked_collection, chosen)
    return ours


def _unlocked_collection(path: str | None) -> "secretstorage.Collection":
    """The collection that entries are in, unlocked. Raises KeyringLocked where it stays shut."""
    from keyring.errors import KeyringLocked  # noqa: PLC0415 - slow, see above

    with ExitStack() as where_it_fails:
        collection = open_collection(path)
        where_it_fails.callback(collection.connection.close)
        # True says that somebody has put the question away.
        if collection.is_locked() and (collection.unlock() or collection.is_locked()):
            raise KeyringLocked
        where_it_fails.pop_all()
    return collection


def _read(entry: str) -> str | None:
    backend = _open_backend()
    return None if backend is None else backend.get_password(_SERVICE, entry)


def _write(entries: Mapping[str, str | None]) -> frozenset[str]:
    """Set what fits, take out what is None; gives the entries that now stand in the vault."""
    backend = _open_backend()
    if backend is None:
        return frozenset()
    stored = set()
    for entry, secret in entries.items():
        if secret is None:
            _delete(backend, entry)
        elif _fits(backend, secret):
            backend.set_password(_SERVICE, entry, secret)
            stored.add(entry)
    return frozenset(stored)


def _fits(backend: "KeyringBackend", secret: str) -> bool:
    is_windows = type(backend).__module__ == _WINDOWS
    return not is_windows or len(secret.encode("utf-16-le")) <= _WINDOWS_BYTES


def _take_back(stored: frozenset[str]) -> None:
    if stored:
        _remove(stored)


def _remove(entries: Collection[str]) -> bool:
    backend = _open_backend()
    if backend is None:
        return False
    # Each is tried, also behind one that would not go.
    gone = [_delete(backend, entry) for entry in entries]
    return all(gone)


def _delete(backend: "KeyringBackend", entry: str) -> bool:
    from keyring.errors import PasswordDeleteError  # noqa: PLC0415 - slow, see above

    for _ in range(_DELETIONS):
        try:
            backend.delete_password(_SERVICE, entry)
        except PasswordDeleteError:
            # Said both of "there is none" and of "not allowed": only reading tells.
            return backend.get_password(_SERVICE, entry) is None
    return False


def _asking(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """`work` for the worker thread; whatever a vault raises becomes one `_VaultRefusedError`.

    What passes is tried again: every `work` here may be done twice.
    """

    def ask() -> Answer:
        tries = _TRIES
        while True:
            try:
                return work()
            except Exception as error:  # noqa: BLE001 - each system's vault has errors of its own
                refusal, passes = _refusal(error), type(error).__name__ in _PASSES
            tries -= 1
            if not (passes and tries):
                raise refusal

    return ask


def _refusal(error: Exception) -> _VaultRefusedError:
    names = [type(error).__name__]
    if error.__cause__ is not None:
        # keyring says InitError both of a dismissed question and of a vault that is not there.
        names.append(type(error.__cause__).__name__)
    trouble = _Trouble.FAILED if _MEANS_LOCKED.isdisjoint(names) else _Trouble.LOCKED
    return _VaultRefusedError(trouble, " from ".join(names))


def _cannot_read(error: NoAnswerError | _VaultRefusedError) -> VaultError:
    return _not_read(*_trouble_of(error))


@retranslatable_error
def _not_read(trouble: _Trouble, details: str) -> VaultError:
    sentences = {
        _Trouble.LOCKED: tr("The vault of this computer is locked. Unlock it, or sign in again."),
        _Trouble.SILENT: tr(
            "The vault of this computer does not answer. "
            "If it asks for a password, give it, or sign in again."
        ),
        _Trouble.FAILED: tr("The vault of this computer could not be read. Sign in again."),
    }
    return VaultError(tr("The vault"), sentences[trouble], details=details)


def _cannot_keep(error: NoAnswerError | _VaultRefusedError) -> VaultError:
    return _not_kept(*_trouble_of(error))


@retranslatable_error
def _not_kept(trouble: _Trouble, details: str) -> VaultError:
    sentences = {
        _Trouble.LOCKED: tr(
            "The vault of this computer is locked, "
            "so this sign-in lasts until you close the window."
        ),
        _Trouble.SILENT: tr(
            "The vault of this computer does not answer, "
            "so this sign-in lasts until you close the window."
        ),
        _Trouble.FAILED: tr(
            "The vault of this computer did not take it, "
            "so this sign-in lasts until you close the window."
        ),
    }
    return VaultError(tr("The vault"), sentences[trouble], details=details)


def _trouble_of(error: NoAnswerError | _VaultRefusedError) -> tuple[_Trouble, str]:
    """What is wrong with the vault, and its details."""
    if isinstance(error, _VaultRefusedError):
        return error.trouble, error.details
    return _Trouble.SILENT, ""
