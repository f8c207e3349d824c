"""The accounts of this computer, for the settings page: which there are, who is not sent, and
forgetting one with all that the session, the vault, the files, the views and the registry have of
it.

Asking the person first is left to the page.
"""

from collections.abc import Sequence

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry, RegistryError
from app.accounts.session import Session
from app.accounts.vault import DEADLINE, Vault, VaultReport, vault_in_use
from app.model.errors import ExpectedError
from app.outbox.unsent_people import UnsentPeople
from app.runtime.words import tr
from app.runtime.worker_thread import WorkerThread
from app.settings.saved_states import SavedStateStore
from app.viewmodels.sign_in.signing_in import SignInBrowser
from app.workspace.local_files import forget_files
from app.workspace.switcher import WorkspaceSwitcher


class LocalAccounts:
    """What the settings page knows and does about accounts."""

    def __init__(
        self,
        session: Session,
        registry: AccountRegistry,
        vault: Vault,
        saved_states: SavedStateStore,
        switcher: WorkspaceSwitcher,
        *,
        browser: SignInBrowser,
    ) -> None:
        """`browser` remembers signing in, until it is told to forget it."""
        self._session = session
        self._registry = registry
        self._vault = vault
        self._saved_states = saved_states
        self._switcher = switcher
        self._browser = browser

    @property
    def in_use(self) -> str | None:
        """The id of the account the window shows, None where nobody is in."""
        account = self._session.account
        return account.id if account is not None else None

    def all(self) -> Sequence[Account]:
        """Those this computer knows, and the one in use: a key given at the start is not kept, but
        what was seen and typed with it may be.
        """
        known, used = self._registry.accounts(), self._session.account
        if (
            used is None
            or used.auth_method is AuthMethod.DEMO
            or used.id in {one.id for one in known}
        ):
            return known
        return (used, *known)

    def unsent_of(self, account: Account) -> UnsentPeople:
        """Who of this account is not sent, whether it is shown or not, and wherever they are."""
        return self._switcher.unsent_of(account)

    async def vault_in_use(self) -> VaultReport:
        """Where sign-ins are kept; found out in seconds."""
        # It ends by itself, in at most the deadline; no thread of it holds the window at its end.
        return await WorkerThread("vault in use").run(vault_in_use, 2 * DEADLINE)

    async def forget(self, account_id: str, *, even_unsure: bool) -> bool:
        """True when nothing of the account is left; it is signed out of first.

        False when the vault, read again, did not confirm that the sign-in is gone: the account
        stays on the list then, so that it can be tried again, unless `even_unsure`. Raises
        ExpectedError when the folder cannot be written.
        """
        if self._session.account is not None and self._session.account.id == account_id:
            self._browser.forget()
            await self._session.sign_out()
        gone = await self._vault.forget(account_id) or not self._may_be_in_vault(account_id)
        if not gone and not even_unsure:
            return False
        await self._switcher.let_go(account_id)
        # Both are tried, so that as little as possible is left.
        forgotten = self._saved_states.forget(account_id)
        if not forget_files(self._switcher.folders, account_id) or not forgotten:
            raise _unwritable()
        try:
            self._registry.forget(account_id)
        except RegistryError as error:
            raise _unwritable(error.details) from error
        return True

    def _may_be_in_vault(self, account_id: str) -> bool:
        account = self._registry.find(account_id)
        return account is not None and account.in_vault


def _unwritable(details: str = "") -> ExpectedError:
    return ExpectedError(
        tr("The account could not be forgotten"),
        tr("Front Desk could not write to its folder."),
        details=details,
    )
