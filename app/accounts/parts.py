"""The secrets one account may have, and what each is called in a vault."""

from collections.abc import Mapping
from enum import StrEnum


class Part(StrEnum):
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


Secrets = Mapping[Part, str | None]
"""What to keep; None is taken out."""
SIGN_IN = (Part.CREDENTIAL, Part.REFRESH_TOKEN)
"""What signing out takes away; the client secret is the organisation's, as the client ID is."""
