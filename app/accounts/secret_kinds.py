"""The secrets one account may have, what each is called in a vault, and how it is written there:
behind the address it was granted at, so that the one never stands there without the other.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

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


def apart(written: str) -> tuple[str | None, str]:
    """The address and the secret; None for the address in what an older version wrote."""
    read = _BOUND.fullmatch(written)
    return (read["address"], read["secret"]) if read else (None, written)


Secrets = Mapping[SecretKind, str | None]
"""What to keep; None is taken out."""
SIGN_IN = (SecretKind.CREDENTIAL, SecretKind.REFRESH_TOKEN)
"""What signing out takes away; the client secret is the organisation's, as the client ID is."""
