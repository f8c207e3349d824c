"""The secrets of an account with the vault and the registry: written, read, given up together."""

import logging
from dataclasses import dataclass, field
from functools import partial

import msgspec

from app.accounts.account import Account
from app.accounts.registry import AccountRegistry, RegistryError
from app.accounts.vault import SIGN_IN, SecretKind, Secrets, Vault, VaultError, apart, bound
from app.api.addresses import base_address
from app.api.errors import AddressRefused
from app.api.sign_in.oauth import TokenGrant
from app.model.errors import retranslatable_message
from app.runtime.secrets import remember_secret
from app.runtime.words import retranslatable, tr


@dataclass(frozen=True, slots=True)
class WebSecrets:
    """What an account has besides its access token; without a refresh token access just ends."""

    client_secret: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)

    def beside(self, credential: str) -> Secrets:
        """Everything of the account that is to be kept."""
        return {
            SecretKind.CREDENTIAL: credential,
            SecretKind.REFRESH_TOKEN: self.refresh_token,
            SecretKind.CLIENT_SECRET: self.client_secret,
        }


def entered(account: Account, grant: TokenGrant) -> Account:
    """The account once it is signed in to: access with a refresh token has no end of its own."""
    renewed = grant.refresh_token is not None
    return msgspec.structs.replace(
        account,
        with_secret=True,
        expires_at=None if renewed else grant.expires_at,
        access_until=grant.expires_at if renewed else None,
    )


_log = logging.getLogger(__name__)


class Kept(msgspec.Struct, frozen=True):
    """How a credential was kept: the account as it now stands, and a sentence if it went ill."""

    account: Account
    notice: str = ""


class Recalled(msgspec.Struct, frozen=True):
    """What the vault still has; `notice` says why, where it may have more than it gave."""

    credential: str | None = None
    refresh_token: str | None = None
    notice: str = ""


class _GrantedElsewhereError(Exception):
    """The vault has the secret, for another address than the one the account now has."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class CredentialStore:
    """The registry and the vault together."""

    def __init__(self, registry: AccountRegistry, vault: Vault) -> None:
        """Both belong to the same data folder and outlive this."""
        self._registry = registry
        self._vault = vault

    def last_account(self) -> Account | None:
        """The account to come back to."""
        return self._registry.last_used()

    async def recall(self, account: Account) -> Recalled:
        """What lets somebody in; a vault that never had it is not asked, for it might prompt."""
        if not account.in_vault:
            return Recalled()
        renewing: str | None = None
        try:
            if account.with_secret:
                renewing = await self._read(account, SecretKind.REFRESH_TOKEN)
            return Recalled(await self._read(account, SecretKind.CREDENTIAL), renewing)
        except (VaultError, AddressRefused) as error:
            return Recalled(notice=retranslatable_message(error))
        except _GrantedElsewhereError as error:
            changed = partial(_address_changed, account, error.address)
            return Recalled(notice=retranslatable(changed))

    async def client_secret(self, account: Account) -> str | None:
        """The client secret of the account, where it was kept for its address; raises VaultError.

        None at any other address: it has to be typed again by somebody who knows that it is right.
        """
        try:
            return await self._read(account, SecretKind.CLIENT_SECRET)
        except _GrantedElsewhereError:
            return None

    async def keep(self, account: Account, credential: str, web: WebSecrets | None = None) -> Kept:
        """Put the credential in the vault, or in this run's memory with a notice saying so.

        `web` is kept in the same way, each secret for itself.
        """
        return await self._keep(account, web.beside(credential) if web else credential)

    async def renew(self, account: Account, grant: TokenGrant) -> Kept:
        """Put newer tokens where the older ones were."""
        secrets = {
            SecretKind.CREDENTIAL: grant.access_token,
            SecretKind.REFRESH_TOKEN: grant.refresh_token,
        }
        return await self._keep(account, secrets)

    async def _keep(self, account: Account, secrets: str | Secrets) -> Kept:
        address = base_address(account.base_url)
        given = {SecretKind.CREDENTIAL: secrets} if isinstance(secrets, str) else secrets
        for secret in given.values():
            remember_secret(secret or "")
        written = {part: secret and bound(address, secret) for part, secret in given.items()}
        earlier = self._registry.find(account.id)
        may_be_in_vault = earlier is not None and earlier.in_vault
        try:
            stored = await self._vault.keep(account.id, written)
        except VaultError as error:
            # It may have taken it all the same: signing out must not skip it.
            account = _with_vault(account, in_vault=True)
            return Kept(account, notice=retranslatable_message(error))
        account = _with_vault(account, in_vault=stored or may_be_in_vault)
        if stored:
            return Kept(account)
        return Kept(account, notice=retranslatable(_no_vault))

    def write_down(self, account: Account) -> str:
        """Make it the account to come back to; a sentence when that failed, blank when not."""
        try:
            self._registry.keep(account)
        except RegistryError as error:
            return error.message
        return ""

    async def forget_sign_in(self, account: Account) -> bool:
        """Delete the sign-in and stop coming back to the account, which stays known by name.

        True when the vault, read again, has it no longer, or never had it. A client secret stays,
        so that signing in again is one click; forgetting the account takes it out.
        """
        account = msgspec.structs.replace(account, expires_at=None, access_until=None)
        self._write_left(account)
        gone = await self._vault.forget(account.id, SIGN_IN) or not account.in_vault
        if gone:
            # The vault keeps its calls in order: nobody has signed in to it again before this.
            still = account.in_vault and account.with_secret
            self._write_left(_with_vault(account, in_vault=still))
        return gone

    async def _read(self, account: Account, part: SecretKind) -> str | None:
        read = apart(await self._vault.read(account.id, part) or "")
        if read is None:
            return None
        granted_at, secret = read
        remember_secret(secret)
        if granted_at != base_address(account.base_url):
            raise _GrantedElsewhereError(granted_at)
        return secret

    def _write_left(self, account: Account) -> None:
        try:
            self._registry.leave(account)
        except RegistryError as error:
            _log.warning("the account signed out of could not be written down: %s", error.details)


def _with_vault(account: Account, *, in_vault: bool) -> Account:
    return msgspec.structs.replace(account, in_vault=in_vault)


def _no_vault() -> str:
    return tr(
        "This computer has no vault that can hold your sign-in, "
        "so it lasts until you close the window."
    )


def _address_changed(account: Account, granted_at: str) -> str:
    return tr(
        "The address of {account} on this computer has become {address}. You signed in at "
        "{granted_at}, and that sign-in is used nowhere else. Sign in again if the new address is "
        "right.",
        account=account.name,
        address=base_address(account.base_url),
        granted_at=granted_at,
    )
