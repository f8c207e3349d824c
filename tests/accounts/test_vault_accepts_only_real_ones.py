"""Which of keyring's backends count as a vault, and what one does that this computer lacks."""

import keyring.core
import pytest
from keyring.backends import chainer, fail, null
from keyring.errors import InitError, KeyringLocked, PasswordDeleteError

from app.accounts.vault import Vault, VaultError, vault_in_use


class Backend:
    """The part of a keyring backend that the vault uses, over a dict."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}
        self.error: Exception | None = None

    def get_password(self, service: str, username: str) -> str | None:
        self._fail()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fail()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._fail()
        if (service, username) not in self.entries:
            raise PasswordDeleteError("none")
        del self.entries[service, username]

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


def backend_of(module: str, base: type[Backend] = Backend) -> Backend:
    """A backend that says it comes from `module`; keyring itself does not know of it."""
    kind = type("Keyring", (base,), {"__module__": module})
    made = kind()
    assert isinstance(made, Backend)
    return made


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Puts back what keyring had chosen."""
    monkeypatch.setattr("keyring.core._keyring_backend", keyring.core._keyring_backend)
    return monkeypatch


def choose(use: pytest.MonkeyPatch, backend: object) -> None:
    use.setattr("keyring.core._keyring_backend", backend)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("keyring.backends.Windows", "Windows Credential Locker"),
        ("keyring.backends.macOS", "macOS Keychain"),
        ("keyring.backends.SecretService", "Secret Service"),
        ("keyring.backends.libsecret", "Secret Service"),
        ("keyring.backends.kwallet", "KWallet"),
    ],
)
async def test_a_system_vault_is_used(use: pytest.MonkeyPatch, module: str, name: str) -> None:
    backend = backend_of(module)
    choose(use, backend)
    assert await Vault().keep("one", "credential") is True
    assert list(backend.entries.values()) == ["credential"]
    report = vault_in_use()
    assert (report.name, report.real, report.problem) == (name, True, "")


@pytest.mark.parametrize("module", ["keyrings.alt.file", "keyring.backends.null", "their.own"])
async def test_anything_else_gets_no_credential(use: pytest.MonkeyPatch, module: str) -> None:
    backend = backend_of(module)
    choose(use, backend)
    vault = Vault()
    assert await vault.keep("one", "credential") is False
    assert backend.entries == {}
    assert await vault.read("one") == "credential"
    assert await Vault().read("one") is None
    assert not vault_in_use().real


@pytest.mark.parametrize("backend", [null.Keyring(), fail.Keyring()])  # type: ignore[no-untyped-call]  # theirs
async def test_no_vault_means_this_run_only(use: pytest.MonkeyPatch, backend: object) -> None:
    choose(use, backend)
    vault = Vault()
    assert await vault.keep("one", "credential") is False
    assert await vault.read("one") == "credential"
    assert await vault.forget("one") is False
    assert await vault.read("one") is None


async def test_behind_a_chain_the_first_real_vault_is_used(use: pytest.MonkeyPatch) -> None:
    plain, real, second = map(
        backend_of,
        ("keyrings.alt.file", "keyring.backends.kwallet", "keyring.backends.SecretService"),
    )
    choose(use, chainer.ChainerBackend())  # type: ignore[no-untyped-call]  # theirs
    use.setattr(chainer.ChainerBackend, "backends", [plain, real, second])
    assert vault_in_use().name == "KWallet"
    assert await Vault().keep("one", "credential") is True
    assert (plain.entries, second.entries) == ({}, {})
    assert list(real.entries.values()) == ["credential"]


async def test_a_chain_without_a_real_vault_is_none(use: pytest.MonkeyPatch) -> None:
    choose(use, chainer.ChainerBackend())  # type: ignore[no-untyped-call]  # theirs
    use.setattr(chainer.ChainerBackend, "backends", [backend_of("keyrings.alt.file")])
    assert await Vault().keep("one", "credential") is False


@pytest.mark.parametrize(
    ("credential", "fits"),
    [("x" * 1280, True), ("x" * 1281, False), ("😀" * 640, True), ("😀" * 641, False)],
)
async def test_windows_takes_2560_bytes_of_utf_16(
    use: pytest.MonkeyPatch, credential: str, fits: bool
) -> None:
    backend = backend_of("keyring.backends.Windows")
    choose(use, backend)
    vault = Vault()
    assert await vault.keep("one", credential) is fits
    assert bool(backend.entries) is fits
    assert await vault.read("one") == credential


async def test_a_long_credential_is_no_matter_elsewhere(use: pytest.MonkeyPatch) -> None:
    choose(use, backend_of("keyring.backends.SecretService"))
    assert await Vault().keep("one", "x" * 5000) is True


class Reluctant(Backend):
    """Says it deletes, and does not."""

    def delete_password(self, service: str, username: str) -> None:
        """Nothing happens."""


class Twofold(Backend):
    """Holds an older entry under the same name; one deletion uncovers it."""

    older = 1

    def delete_password(self, service: str, username: str) -> None:
        super().delete_password(service, username)
        if self.older:
            self.older -= 1
            self.entries[service, username] = "older"


async def test_a_deletion_that_did_not_happen_is_noticed(use: pytest.MonkeyPatch) -> None:
    choose(use, backend_of("keyring.backends.macOS", Reluctant))
    vault = Vault()
    await vault.keep("one", "credential")
    assert await vault.forget("one") is False


async def test_every_entry_of_the_name_is_deleted(use: pytest.MonkeyPatch) -> None:
    backend = backend_of("keyring.backends.SecretService", Twofold)
    choose(use, backend)
    vault = Vault()
    await vault.keep("one", "credential")
    assert await vault.forget("one") is True
    assert backend.entries == {}


async def test_a_deletion_that_was_denied_is_noticed(use: pytest.MonkeyPatch) -> None:
    backend = backend_of("keyring.backends.kwallet")
    choose(use, backend)
    vault = Vault()
    await vault.keep("one", "credential")
    backend.error = PasswordDeleteError("Cancelled by user")
    assert await vault.forget("one") is False


class LockedException(Exception):
    """Comes through keyring as it is."""


class PromptDismissedException(Exception):
    """Is the cause of keyring's InitError where somebody closed the question."""


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyringLocked("dismissed"), "is locked"),
        (LockedException("item"), "is locked"),
        (caused(InitError("create"), PromptDismissedException("closed")), "is locked"),
        (caused(InitError("create"), ConnectionError("gone")), "could not be read"),
        (OSError(1312, "no logon session"), "could not be read"),
    ],
)
async def test_what_a_vault_raises_becomes_one_sentence(
    use: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    backend = backend_of("keyring.backends.SecretService")
    backend.error = error
    choose(use, backend)
    with pytest.raises(VaultError, match=words):
        await Vault().read("one")


async def test_an_error_of_the_vault_keeps_its_words_to_itself(use: pytest.MonkeyPatch) -> None:
    backend = backend_of("keyring.backends.Windows")
    backend.error = OSError("(1783, 'CredWrite', 'canary')")
    choose(use, backend)
    vault = Vault()
    with pytest.raises(VaultError) as refused:
        await vault.keep("one", "credential")
    assert "canary" not in f"{refused.value.message} {refused.value.details}"
    assert refused.value.__cause__ is None
    assert await vault.read("one") == "credential"
