"""What is left on this computer of an account that was forgotten: nothing, or the truth is told."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from app.accounts.account import Account
from app.accounts.credential_store import WebSecrets
from app.accounts.folders import AccountFolders
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import Session, SessionState
from app.accounts.vault import SecretKind, Vault
from app.api.service import Service
from app.api.sign_in.oauth import SignInAnswer, SignInRequest
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.settings.saved_states import SavedState, SavedStateStore
from app.workspace.local_accounts import LocalAccounts
from app.workspace.local_files import open_local_files
from tests.accounts.kept import kept_secret
from tests.store.outbox_entries import entry

if TYPE_CHECKING:
    from app.workspace.switcher import WorkspaceSwitcher


class Welcoming:
    """A service that accepts every credential."""

    async def check(self) -> None:
        """All is well."""

    async def aclose(self) -> None:
        """There is no line to end."""


class Browser:
    """Nobody signs in with it."""

    forgotten = 0

    async def authorise(self, request: SignInRequest) -> SignInAnswer | None:
        raise NotImplementedError(request)

    def forget(self) -> None:
        self.forgotten += 1


class NoWindow:
    """A switcher that shows no account, and so has nothing open of any."""

    def __init__(self, folders: AccountFolders) -> None:
        self.folders = folders

    async def let_go(self, account_id: str) -> None:
        """No window shows it."""


class Computer(ServiceConnector):
    """A data folder with what belongs to it, and every service there is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: list[BaseException] = []
        self.vault = Vault(deadline=2.0)
        self.registry = AccountRegistry(folder)
        self.places = SavedStateStore(folder)
        self.session = Session(self.registry, self.vault, EventBus(self.failed.append), self)
        self.browser = Browser()
        self.folders = AccountFolders(folder)
        accounts = LocalAccounts(
            self.session,
            self.registry,
            self.vault,
            self.places,
            cast("WorkspaceSwitcher", NoWindow(self.folders)),
            browser=self.browser,
        )
        self.forget = accounts.forget

    def connect(self, *_told: object) -> Service:
        return cast("Service", Welcoming())

    def left(self, account: Account) -> list[str]:
        """The files in which anything of the account still stands."""
        files = [each for each in self.folder.iterdir() if each.is_file()]
        return [each.name for each in files if account.id in each.read_text("utf-8")]


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path / "desk")


@pytest.mark.usefixtures("secret_service")
async def test_an_account_in_use_is_signed_out_and_leaves_nothing(
    computer: Computer, account: Account
) -> None:
    await computer.session.sign_in(account, "a-secret")
    computer.places.keep(account.id, SavedState(tab=1))
    assert len(computer.left(account)) == 2
    assert await computer.forget(account.id, even_unsure=False)
    assert computer.session.state is SessionState.SIGNED_OUT
    assert computer.browser.forgotten == 1
    assert computer.left(account) == []
    assert await kept_secret(Vault(), account.id) is None


@pytest.mark.usefixtures("secret_service")
async def test_an_account_not_in_use_leaves_nothing_and_ends_no_session(
    computer: Computer, account: Account
) -> None:
    other = Account(
        id="other", name="Other", base_url=account.base_url, auth_method=account.auth_method
    )
    await computer.session.sign_in(account, "a-secret")
    await computer.session.sign_out()
    computer.registry.keep(account)
    await computer.vault.keep(account.id, "a-secret")
    await computer.session.sign_in(other, "another")
    try:
        assert await computer.forget(account.id, even_unsure=False)
        assert computer.session.account is not None
        assert computer.registry.accounts() == (computer.session.account,)
        assert await kept_secret(Vault(), account.id) is None
        assert await kept_secret(Vault(), other.id) == "another"
        assert computer.browser.forgotten == 0
    finally:
        await computer.session.sign_out()


@pytest.mark.usefixtures("secret_service")
async def test_every_secret_of_an_account_goes_with_it(
    computer: Computer, account: Account
) -> None:
    account = msgspec.structs.replace(account, with_secret=True)
    web = WebSecrets("a-client-secret", "a-refresh-token")
    await computer.session.sign_in(account, "a-secret", web=web)
    await computer.session.sign_out()
    assert await kept_secret(Vault(), account.id, SecretKind.CLIENT_SECRET) == "a-client-secret"
    assert await computer.forget(account.id, even_unsure=False)
    assert [await kept_secret(Vault(), account.id, part) for part in SecretKind] == [None] * 3
    assert computer.left(account) == []


@pytest.mark.usefixtures("locked_service")
async def test_a_locked_vault_keeps_the_account_on_the_list_to_try_again(
    computer: Computer, account: Account
) -> None:
    computer.registry.keep(account)
    computer.places.keep(account.id, SavedState(tab=1))
    assert not await computer.forget(account.id, even_unsure=False)
    assert computer.registry.find(account.id) is not None
    assert await computer.forget(account.id, even_unsure=True)
    assert computer.left(account) == []


@pytest.mark.usefixtures("no_vault")
async def test_an_account_that_never_was_in_a_vault_is_forgotten_without_one(
    computer: Computer, account: Account
) -> None:
    await computer.session.sign_in(account, "a-secret")
    assert await computer.forget(account.id, even_unsure=False)
    assert computer.left(account) == []
    assert await kept_secret(computer.vault, account.id) is None


@pytest.mark.usefixtures("no_vault")
async def test_what_was_set_aside_of_an_account_goes_with_it(
    computer: Computer, account: Account
) -> None:
    await computer.session.sign_in(account, "a-secret")
    for address in (account.base_url, "https://elsewhere.example.org"):
        there = msgspec.structs.replace(account, base_url=address)
        copy = open_local_files(computer.folders, there, keep=True)
        copy.store.write(entry(1))
        copy.close_now()
    assert len(list(computer.folder.rglob("outbox-other-account-*.sqlite3"))) == 1
    assert await computer.forget(account.id, even_unsure=False)
    assert list(computer.folder.rglob("*outbox*")) == []


@pytest.mark.usefixtures("no_vault")
async def test_a_folder_that_cannot_be_written_is_told(
    computer: Computer, account: Account
) -> None:
    await computer.session.sign_in(account, "a-secret")
    await computer.session.sign_out()
    (computer.folder / "accounts.json").unlink()
    computer.folder.rmdir()
    computer.folder.write_text("a file where the folder belongs")
    with pytest.raises(ExpectedError, match=r"^Front Desk could not write to its folder\.$"):
        await computer.forget(account.id, even_unsure=False)
