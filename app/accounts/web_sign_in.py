"""What signing in with a client secret gives (api-spec, Web application flow), as it is to be kept.

The exchange itself is the client's; it is imported when somebody signs in, for it loads the network
library.
"""

from dataclasses import dataclass, field

import msgspec

from app.accounts.account import Account
from app.accounts.parts import Part, Secrets
from app.api.web_flow import OneTimeCode, TokenGrant


@dataclass(frozen=True, slots=True)
class WebSecrets:
    """What an account has besides its access token; without a refresh token access just ends."""

    client_secret: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)

    def beside(self, credential: str) -> Secrets:
        """Everything of the account that is to be kept."""
        return {
            Part.CREDENTIAL: credential,
            Part.REFRESH_TOKEN: self.refresh_token,
            Part.CLIENT_SECRET: self.client_secret,
        }


async def exchange_code(account: Account, client_secret: str, code: OneTimeCode) -> TokenGrant:
    """The tokens for what the account's page gave; raises ApiError, SecretRefused among them."""
    from app.api import token_exchange  # noqa: PLC0415 - httpx is not for the first paint

    client_id = account.client_id or ""
    return await token_exchange.exchange_code(account.base_url, client_id, client_secret, code)


def entered(account: Account, grant: TokenGrant) -> Account:
    """The account once it is signed in to: access with a refresh token has no end of its own."""
    renewed = grant.refresh_token is not None
    return msgspec.structs.replace(
        account,
        with_secret=True,
        expires_at=None if renewed else grant.expires_at,
        access_until=grant.expires_at if renewed else None,
    )
