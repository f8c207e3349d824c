"""Forgetting an account: what the session, the vault, the local copy, the saved views and the
registry have of it.

Asking the person first is left to the settings page.
"""

from collections.abc import Awaitable, Callable

from app.accounts.folders import AccountFolders
from app.accounts.registry import AccountRegistry, RegistryError
from app.accounts.session import Session
from app.accounts.vault import Vault
from app.model.errors import ExpectedError
from app.runtime.words import tr
from app.settings.saved_views import SavedViewStore
from app.workspace.local_files import forget_files


class Forgetting:
    """Takes an account off this computer, its sign-in first."""

    def __init__(
        self,
        session: Session,
        registry: AccountRegistry,
        vault: Vault,
        saved_views: SavedViewStore,
        folders: AccountFolders,
        *,
        forget_browser: Callable[[], None],
        let_go: Callable[[str], Awaitable[None]],
    ) -> None:
        """`forget_browser` ends what the embedded browser remembers of signing in.

        `let_go` closes what is open of an account's local copy.
        """
        self._session = session
        self._registry = registry
        self._vault = vault
        self._saved_views = saved_views
        self._folders = folders
        self._forget_browser = forget_browser
        self._let_go = let_go

    async def __call__(self, account_id: str, *, even_unsure: bool) -> bool:
        """True when nothing of the account is left; it is signed out of first.

        False when the vault, read again, did not confirm that the sign-in is gone: the account
        stays on the list then, so that it can be tried again, unless `even_unsure`. Raises
        ExpectedError when the folder cannot be written.
        """
        if self._session.account is not None and self._session.account.id == account_id:
            self._forget_browser()
            await self._session.sign_out()
        gone = await self._vault.forget(account_id) or not self._may_be_in_vault(account_id)
        if not gone and not even_unsure:
            return False
        await self._let_go(account_id)
        # Both are tried, so that as little as possible is left.
        forgotten = self._saved_views.forget(account_id)
        if not forget_files(self._folders, account_id) or not forgotten:
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
