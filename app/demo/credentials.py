"""Who may call the service, with what, and what they permit: the key, the registered program,
users, tokens, and the seven permissions, each with the words the consent page says it in.

Every value is the same at each start, and tokens are signed rather than remembered: a program that
kept one across a restart of the service goes on with it, as with a real one.
"""

import base64
import binascii
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from enum import StrEnum

import msgspec

from app.demo.envelope import expired_token, invalid_key


class Permission(StrEnum):
    """The scope values of the contract (api-spec, Authentication)."""

    MANAGE_PEOPLE = "ManagePeople"
    MANAGE_GROUPS = "ManageGroups"
    MANAGE_SERVICES = "ManageServices"
    MANAGE_SONGS = "ManageSongs"
    MANAGE_CALENDAR = "ManageCalendar"
    MANAGE_FINANCIALS = "ManageFinancials"
    ADMINISTER_ACCOUNT = "AdministerAccount"


class Wording(msgspec.Struct, frozen=True):
    """How a permission reads on the consent page; `far_reaching` earns it a second look."""

    title: str
    grants: str
    far_reaching: bool = False


WORDING = {
    Permission.MANAGE_PEOPLE: Wording(
        "Manage people",
        "See everybody with their contact details, add people and change them, "
        "and see the people flows with who administers each step.",
    ),
    Permission.MANAGE_GROUPS: Wording(
        "Manage groups",
        "See all groups and who belongs to them, add groups, and change or remove them.",
    ),
    Permission.MANAGE_SERVICES: Wording(
        "Manage services",
        "See and plan services: their times, their running order and who serves in them.",
    ),
    Permission.MANAGE_SONGS: Wording(
        "Manage songs",
        "See the song library, add songs, and change their words and arrangements.",
    ),
    Permission.MANAGE_CALENDAR: Wording(
        "Manage calendars and events",
        "See every calendar, add events, and change or cancel them.",
    ),
    Permission.MANAGE_FINANCIALS: Wording(
        "Manage financials",
        "See and change gifts, payments and who gave them.",
        far_reaching=True,
    ),
    Permission.ADMINISTER_ACCOUNT: Wording(
        "Administer the account",
        "Change the settings of the whole account and decide what other people may do in it.",
        far_reaching=True,
    ),
}


def parse_scope(scope: str) -> tuple[Permission, ...]:
    """The permissions of a comma-separated scope, each once, in the order asked.

    Raises ValueError with the first value that is no permission (api-spec, Permissions).
    """
    asked = dict.fromkeys(part.strip() for part in scope.split(",") if part.strip())
    for value in asked:
        if value not in tuple(Permission):
            raise ValueError(value)
    return tuple(Permission(value) for value in asked)


CLIENT_NAME = "Front Desk"
CLIENT_ID = "frontdesk-desktop-5b0e7c"
# The demo's credentials are public by design: they open made-up data on this machine only.
CLIENT_SECRET = "rcs-2f61c0d98ab74e35a1d7f04c"  # noqa: S105
API_KEY = "rck-9d4b7e21f6c84a0fb35e6a17"
_SIGNING_KEY = b"riverside community demo tokens"
_SIGNATURE_BYTES = 16
_ACCESS, _REFRESH = b"access", b"refresh"
"""What a token is for goes into its signature, so that neither can stand in for the other."""


class User(msgspec.Struct, frozen=True):
    """Somebody who can sign in on the account's page, and what they may allow a program to do."""

    name: str
    email: str
    password: str
    may_allow: frozenset[Permission]

    @property
    def initials(self) -> str:
        """The first letters of the name's parts."""
        return "".join(part[0] for part in self.name.split())


ADMINISTRATOR = User(
    "Grace Lindqvist",
    "grace@lindqvist.example",
    "welcome-desk",
    frozenset(Permission),
)
VOLUNTEER = User(
    "Kaito Mori",
    "kaito.mori@example.org",
    "welcome-desk",
    frozenset({Permission.MANAGE_SONGS, Permission.MANAGE_CALENDAR}),
)
USERS = (ADMINISTRATOR, VOLUNTEER)


def find_user(email: str, password: str) -> User | None:
    """The user with this name and password, or None; capitals in the name do not matter."""
    known = (user for user in USERS if same(user.email, email.strip().lower()))
    return next((user for user in known if same(user.password, password)), None)


def same(one: str, other: str) -> bool:
    """Compare without telling by the time it takes where two secrets part."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


class IssuedTokens:
    """Access tokens, good for `lifetime` seconds, and the refresh tokens that get new ones.

    Both are read back into what they permit. A refresh token has no end, and stays good when a
    newer one was issued: an answer can be lost on its way, and with it the newer one.
    """

    def __init__(self, lifetime: int, clock: Callable[[], float] = time.time) -> None:
        self.lifetime = lifetime
        self._clock = clock

    def issue(self, permissions: Iterable[Permission]) -> str:
        """A new access token for these permissions."""
        expiry = int((self._clock() + self.lifetime) * 1000)
        return _packed(_ACCESS, str(expiry), permissions)

    def issue_refresh(self, permissions: Iterable[Permission]) -> str:
        """A new refresh token for these permissions."""
        return _packed(_REFRESH, "-", permissions)

    def read(self, token: str) -> frozenset[Permission]:
        """What an access token permits. Raises `CallError`: unknown (102) or expired (121)."""
        try:
            expiry, permissions = _unpacked(_ACCESS, token)
        except ValueError:
            raise invalid_key() from None
        if self._clock() * 1000 >= int(expiry):
            raise expired_token()
        return frozenset(permissions)

    def read_refresh(self, token: str) -> tuple[Permission, ...]:
        """What a refresh token permits. Raises ValueError for one this service never issued."""
        return _unpacked(_REFRESH, token)[1]


def permissions_of(authorisation: str | None, tokens: IssuedTokens) -> frozenset[Permission]:
    """What an Authorization header permits (api-spec, Authentication); a key permits everything.

    Raises `CallError` (401) for no credentials, bad ones and expired ones.
    """
    scheme, _, value = (authorisation or "").strip().partition(" ")
    if scheme.lower() == "bearer":
        return tokens.read(value.strip())
    if scheme.lower() == "basic" and same(_basic_user(value.strip()), API_KEY):
        return frozenset(Permission)
    raise invalid_key()


def _basic_user(encoded: str) -> str:
    """The user name alone: the password beside it may be any bytes (api-spec, API key)."""
    bare = encoded.rstrip("=")
    try:
        # Seen in the field: callers that leave the padding out.
        pair = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise invalid_key() from None
    return pair.partition(b":")[0].decode("utf-8", "replace")


def _packed(purpose: bytes, expiry: str, permissions: Iterable[Permission]) -> str:
    content = f"{expiry} {secrets.token_hex(6)} {','.join(permissions)}".encode()
    return base64.urlsafe_b64encode(_sign(purpose, content) + content).decode().rstrip("=")


def _unpacked(purpose: bytes, token: str) -> tuple[str, tuple[Permission, ...]]:
    """Expiry and permissions; raises ValueError for anything not signed here for this purpose."""
    signed = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
    signature, content = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _sign(purpose, content)):
        raise ValueError("not signed here")
    expiry, _, permissions = content.decode().split(" ")
    return expiry, tuple(Permission(name) for name in permissions.split(",") if name)


def _sign(purpose: bytes, content: bytes) -> bytes:
    return hmac.digest(_SIGNING_KEY, purpose + b" " + content, "sha256")[:_SIGNATURE_BYTES]
