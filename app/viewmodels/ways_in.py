"""What the first page's fields say, the account they describe, and which field is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import msgspec

from app.accounts.account import Account, WayIn, new_account_id
from app.accounts.connection_file import Connection
from app.api.addresses import check_base_url, check_redirect_address
from app.api.errors import (
    AddressRefused,
    ApiError,
    AuthorisationFailed,
    NotAuthorised,
    NotFound,
    UnreadableAnswer,
)
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS, LEAST_PERMISSIONS, in_order
from app.api.oauth_errors import SecretRefused
from app.api.refusals import plain_words
from app.model.errors import ExpectedError
from app.runtime.words import tr


@dataclass(frozen=True, slots=True)
class WaysIn:
    """What the fields of one way in say, but for what is secret.

    `with_secret`: the account was signed in to with a client secret, which may be kept.
    """

    name: str = ""
    base_url: str = ""
    client_id: str = ""
    redirect_uri: str = DEFAULT_REDIRECT_ADDRESS
    scope: tuple[str, ...] = LEAST_PERMISSIONS
    with_secret: bool = False

    @property
    def has_more(self) -> bool:
        """Whether there is something to see among what most people never need."""
        return self.with_secret or self.scope != LEAST_PERMISSIONS


class Field(Enum):
    """A field of the first page."""

    ADDRESS = auto()
    CLIENT_ID = auto()
    REDIRECT = auto()
    SECRET = auto()
    KEY = auto()


class FieldRefused(ExpectedError):
    """What one field says cannot be right."""

    def __init__(
        self, field: Field, title: str, message: str, *, details: str = "", suggestion: str = ""
    ) -> None:
        """`message` is one sentence that says what to change; `suggestion` may stand there instead
        of what does, if somebody says so.
        """
        super().__init__(title, message, details=details)
        self.field = field
        self.suggestion = suggestion


class SecretMissing(FieldRefused):
    """Signing in to this account takes a client secret that this computer does not have."""

    def __init__(self, account: Account) -> None:
        """Says where to type it."""
        super().__init__(
            Field.SECRET,
            tr("No client secret"),
            tr(
                "The client secret of {account} is not kept on this computer. "
                "Type it on the first page, behind “Client secret and permissions”.",
                account=account.name,
            ),
        )
        self.account = account


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A sentence to show at one field of one way in; `suggestion` is what may have been meant."""

    way_in: WayIn
    field: Field
    sentence: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """The fields of one way in are to say this; `focus` is the one that is still to be typed.

    With `in_place_of` only while they say that: what somebody typed since is theirs.
    """

    way_in: WayIn
    ways_in: WaysIn
    focus: Field | None = None
    in_place_of: WaysIn | None = None


def new_account(ways_in: WaysIn, way_in: WayIn) -> Account:
    """The account that the first page's fields describe.

    Raises FieldRefused for an address or a client ID that cannot be one.
    """
    by_page = way_in is WayIn.PAGE
    base_url = _checked(Field.ADDRESS, check_base_url, ways_in.base_url)
    if by_page and not ways_in.client_id.strip():
        raise FieldRefused(
            Field.CLIENT_ID,
            tr("No client ID"),
            tr("Please type the client ID that the account's settings show under integrations."),
        )
    redirect_uri = (
        _checked(Field.REDIRECT, check_redirect_address, ways_in.redirect_uri) if by_page else None
    )
    return Account(
        id=new_account_id(),
        name=ways_in.name.strip() or base_url.split("://")[-1],
        base_url=base_url,
        way_in=way_in,
        client_id=ways_in.client_id.strip() if by_page else None,
        redirect_uri=redirect_uri,
        expires_at=None,
        scope=in_order((*LEAST_PERMISSIONS, *ways_in.scope)) if by_page else LEAST_PERMISSIONS,
    )


def wrong_address(account: Account, suggestion: str) -> FieldRefused:
    """What answers at the account's address is not its service."""
    return FieldRefused(
        Field.ADDRESS,
        tr("Not the service"),
        tr(
            "{address} does not answer the way an account's service does. Check the address, "
            "or ask an administrator of the account.",
            address=plain_words(account.base_url.split("://")[-1]),
        ),
        suggestion=suggestion,
    )


def too_long_address(error: ApiError, suggestion: str) -> FieldRefused:
    """The same, where the service was found at a shorter address."""
    return FieldRefused(
        Field.ADDRESS, error.title, error.message, details=error.details, suggestion=suggestion
    )


def may_be_elsewhere(error: Exception) -> bool:
    """Whether another address may be what is missing: somebody answered, and not the service."""
    return isinstance(error, NotFound | UnreadableAnswer) and not error.passing


def no_key() -> FieldRefused:
    """The field for the API key says nothing."""
    return FieldRefused(Field.KEY, tr("No key"), tr("Please paste the API key of the account."))


def as_known(account: Account, known: Sequence[Account]) -> Account:
    """Signing in anew to a known account is not another account: it keeps its id."""
    for one in known:
        if one.way_in is account.way_in and _place(one) == _place(account):
            return msgspec.structs.replace(
                one,
                name=account.name,
                redirect_uri=account.redirect_uri,
                scope=account.scope,
                expires_at=None,
            )
    return account


def field_to_blame(error: Exception, way_in: WayIn | None) -> Field | None:
    """The field that has to be changed before the same attempt can work; None where none has."""
    if isinstance(error, FieldRefused):
        return error.field
    if isinstance(error, SecretRefused):
        return Field.SECRET
    if isinstance(error, AuthorisationFailed):
        return _BLAMED.get(error.value or "")
    if isinstance(error, NotAuthorised) and way_in is WayIn.KEY:
        return Field.KEY
    if may_be_elsewhere(error):
        return Field.ADDRESS
    return None


def ways_in_of(known: Account | Connection) -> WaysIn:
    """The first page filled in for an account that is known already, or from a connection file."""
    return WaysIn(
        name=known.name,
        base_url=known.base_url,
        client_id=known.client_id or "",
        redirect_uri=known.redirect_uri or DEFAULT_REDIRECT_ADDRESS,
        scope=known.scope,
        with_secret=isinstance(known, Account) and known.with_secret,
    )


def _place(account: Account) -> tuple[str, str | None]:
    """What tells two accounts apart that are entered the same way."""
    return account.base_url, account.client_id


def _checked(field: Field, check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except AddressRefused as error:
        suggestion = error.suggestion or ""
        raise FieldRefused(field, error.title, error.message, suggestion=suggestion) from error


_BLAMED = {"unknown_client": Field.CLIENT_ID, "invalid_redirect_uri": Field.REDIRECT}
"""By the error value in the redirect (api-spec, OAuth exchange errors)."""
