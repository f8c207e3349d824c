"""What the first page's fields say, and the account they describe."""

from dataclasses import dataclass

from app.accounts.account import Account, WayIn, new_account_id
from app.api.addresses import check_base_url, check_redirect_address
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS
from app.model.errors import ExpectedError
from app.runtime.words import tr


@dataclass(frozen=True, slots=True)
class WaysIn:
    """What the first page's fields say."""

    name: str = ""
    base_url: str = ""
    client_id: str = ""
    redirect_uri: str = DEFAULT_REDIRECT_ADDRESS


def new_account(ways_in: WaysIn, way_in: WayIn) -> Account:
    """The account that the first page's fields describe.

    Raises ExpectedError for an address or a client ID that cannot be one.
    """
    by_page = way_in is WayIn.PAGE
    base_url = check_base_url(ways_in.base_url)
    if by_page and not ways_in.client_id.strip():
        raise ExpectedError(
            tr("No client ID"),
            tr("Please type the client ID that the account's settings show under integrations."),
        )
    return Account(
        id=new_account_id(),
        name=ways_in.name.strip() or base_url.split("://")[-1],
        base_url=base_url,
        way_in=way_in,
        client_id=ways_in.client_id.strip() if by_page else None,
        redirect_uri=check_redirect_address(ways_in.redirect_uri) if by_page else None,
        expires_at=None,
    )


def place(account: Account) -> tuple[str, str | None]:
    """What tells two accounts apart that are entered the same way."""
    return account.base_url, account.client_id


def ways_in_of(account: Account) -> WaysIn:
    """The first page filled in for an account that is known already."""
    return WaysIn(
        name=account.name,
        base_url=account.base_url,
        client_id=account.client_id or "",
        redirect_uri=account.redirect_uri or DEFAULT_REDIRECT_ADDRESS,
    )
