"""Where credentials are kept: the system's own vault through keyring, or this run's memory.

It knows which vaults are real, how long one may take, and that a locked vault is not an empty one.
Whose credential it is and whether it still works is left to the session.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from app.accounts.lane import Lane, NoAnswerError
from app.model.errors import ExpectedError
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

if TYPE_CHECKING:
    # keyring is slow to load and asks the desktop questions: at run time only inside functions.
    from keyring.backend import KeyringBackend

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


class VaultError(ExpectedError):
    """There is a vault, but it is locked, keeps silent or failed; the person has to be told."""


@dataclass(frozen=True, slots=True)
class VaultReport:
    """The vault in use: its name, whether it is a real one, and else a sentence why not."""

    name: str
    real: bool
    problem: str


class _Trouble(Enum):
    LOCKED = auto()
    SILENT = auto()
    FAILED = auto()


class _RefusedError(Exception):
    """What the vault raised, without its traceback (which holds the connection open)."""

    def __init__(self, trouble: _Trouble, details: str) -> None:
        super().__init__(details)
        self.trouble = trouble
        self.details = details


class Vault:
    """Keeps one credential per account. Calls take their turn and end within the deadline."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        """`deadline` in seconds holds for each call, the question of a locked vault included."""
        self._deadline = deadline
        self._lane = Lane("vault")
        self._this_run: dict[str, str] = {}

    async def read(self, account_id: str) -> str | None:
        """The credential; None where there is none or no real vault.

        Raises VaultError when the vault is there but locked, silent or broken.
        """
        if (credential := self._this_run.get(account_id)) is not None:
            return credential
        try:
            credential = await self._lane.run(_asking(_read, account_id), self._deadline)
        except (NoAnswerError, _RefusedError) as error:
            raise _cannot_read(error) from None
        if credential is not None:
            remember_secret(credential)
        return credential

    async def keep(self, account_id: str, credential: str) -> bool:
        """Put the credential in the vault; False when it is kept for this run only.

        That is so where no real vault exists or it holds nothing this long. Raises VaultError
        when the vault is locked, silent or broken; it is then kept for this run all the same,
        and what the vault stores after its time is taken out again.
        """
        remember_secret(credential)
        try:
            stored = await self._lane.run(
                _asking(_write, account_id, credential),
                self._deadline,
                undo=lambda stored: _take_back(account_id, stored=stored),
            )
        except (NoAnswerError, _RefusedError) as error:
            self._this_run[account_id] = credential
            raise _cannot_keep(error) from None
        if stored:
            self._this_run.pop(account_id, None)
        else:
            self._this_run[account_id] = credential
        return stored

    async def forget(self, account_id: str) -> bool:
        """Delete the credential; True when the vault, read again, has it no longer.

        False where that is not sure: no real vault could be asked, or it was locked, silent or
        broken. Never raises; a vault that wakes up late still deletes.
        """
        self._this_run.pop(account_id, None)
        try:
            return await self._lane.run(
                _asking(_remove, account_id), self._deadline, even_if_late=True
            )
        except (NoAnswerError, _RefusedError):
            return False


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


def _read(account_id: str) -> str | None:
    backend = _real_backend()
    return None if backend is None else backend.get_password(_SERVICE, account_id)


def _write(account_id: str, credential: str) -> bool:
    backend = _real_backend()
    if backend is None or not _fits(backend, credential):
        return False
    backend.set_password(_SERVICE, account_id, credential)
    return True


def _fits(backend: "KeyringBackend", credential: str) -> bool:
    is_windows = type(backend).__module__ == _WINDOWS
    return not is_windows or len(credential.encode("utf-16-le")) <= _WINDOWS_BYTES


def _take_back(account_id: str, *, stored: bool) -> None:
    if stored:
        _remove(account_id)


def _remove(account_id: str) -> bool:
    from keyring.errors import PasswordDeleteError  # noqa: PLC0415 - slow, see above

    backend = _real_backend()
    if backend is None:
        return False
    for _ in range(_DELETIONS):
        try:
            backend.delete_password(_SERVICE, account_id)
        except PasswordDeleteError:
            # Said both of "there is none" and of "not allowed": only reading tells.
            return backend.get_password(_SERVICE, account_id) is None
    return False


def _asking(work: Callable[..., Answer], *arguments: str) -> Callable[[], Answer]:
    """`work` for the lane's thread; whatever a vault raises becomes one `_RefusedError`."""

    def ask() -> Answer:
        try:
            return work(*arguments)
        except Exception as error:  # noqa: BLE001 - each system's vault has errors of its own
            refusal = _refusal(error)
        raise refusal

    return ask


def _refusal(error: Exception) -> _RefusedError:
    names = [type(error).__name__]
    if error.__cause__ is not None:
        # keyring says InitError both of a dismissed question and of a vault that is not there.
        names.append(type(error.__cause__).__name__)
    trouble = _Trouble.FAILED if _MEANS_LOCKED.isdisjoint(names) else _Trouble.LOCKED
    return _RefusedError(trouble, " from ".join(names))


def _cannot_read(error: NoAnswerError | _RefusedError) -> VaultError:
    sentences = {
        _Trouble.LOCKED: tr("The vault of this computer is locked. Unlock it, or sign in again."),
        _Trouble.SILENT: tr(
            "The vault of this computer does not answer. "
            "If it asks for a password, give it, or sign in again."
        ),
        _Trouble.FAILED: tr("The vault of this computer could not be read. Sign in again."),
    }
    return _vault_error(error, sentences)


def _cannot_keep(error: NoAnswerError | _RefusedError) -> VaultError:
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
    return _vault_error(error, sentences)


def _vault_error(
    error: NoAnswerError | _RefusedError, sentences: dict[_Trouble, str]
) -> VaultError:
    trouble, details = _Trouble.SILENT, ""
    if isinstance(error, _RefusedError):
        trouble, details = error.trouble, error.details
    return VaultError(tr("The vault"), sentences[trouble], details=details)
