"""The requests this client makes, as data: which operation, with what, what is at stake and what
each may cost; and when one was made, for an administrator to find it in a log.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import urlencode

import msgspec

from app.api.errors import InputRefused
from app.runtime.words import tr

_MIB = 1024 * 1024


class Limits(msgspec.Struct, frozen=True):
    """All times in seconds, all sizes in bytes.

    `deadline` holds for one request with all its retries. `silence` is the longest pause between
    two pieces of an answer to a read; a create waits to the deadline, since its answer is worth
    more. `longest_wait` caps what Retry-After may ask. `answer` holds before and again after
    decompression: 100,000 people in one page are 31 MB of JSON and 40 MB of the other formats. What
    decoding may cost is the budget of the formats.

    `page_size` is how many people are asked for first, few enough for a slow connection to show
    somebody soon. Later pages are larger, up to `largest_page`, as long as one comes within about
    `page_seconds`; the service may give other sizes. `pages_at_once` are asked for side by side.
    """

    deadline: float = 60.0
    connect: float = 10.0
    silence: float = 30.0
    tries: int = 3
    first_pause: float = 0.4
    longest_wait: float = 15.0
    answer: int = 64 * _MIB
    page_size: int = 100
    largest_page: int = 1000
    page_seconds: float = 4.0
    pages_at_once: int = 4
    most_pages: int = 20_000


DEFAULT_LIMITS = Limits()


FIELDS = (
    "id",
    "date_added",
    "date_modified",
    "firstname",
    "lastname",
    "email",
    "phone",
    "mobile",
    "admin",
    "archived",
    "volunteer",
)
"""Of a person; the document names them (api-spec, Person)."""
_FURTHER_FIELDS = (
    "preferred_name",
    "middle_name",
    "deceased",
    "contact",
    "family_id",
    "family_relationship",
    "category_id",
    "picture",
)
"""Beyond the document's; seen in the field."""
SMALLEST_PAGE = 10


SendAs: TypeAlias = Literal["json", "form"]
"""How people/create sends: a JSON object or form-style parameters, both in a POST body."""

ListAs: TypeAlias = Literal["query", "json", "form"]
"""How people/getAll sends: in the query of a GET, as the document shows it, or in a POST body,
which is seen in the field."""

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_Sent: TypeAlias = "str | int | Sequence[str]"


class Request(msgspec.Struct, frozen=True):
    """One request before it has an address; `creates` when sending it twice would do harm.

    `query` is URL-encoded already, and `media` says what kind of text `body` is.
    """

    method: Literal["GET", "POST"]
    operation: str
    query: str = ""
    body: bytes | None = None
    media: str = ""
    creates: bool = False


def people_page(
    page: int, page_size: int, list_as: ListAs = "query", *, further: bool = False
) -> Request:
    """One page of everybody, with every field the document names, and `further` ones besides.

    Seen in the field: `page`, `page_size` and `fields` are taken; the document does not show them.
    """
    fields = (*FIELDS, *_FURTHER_FIELDS) if further else FIELDS
    return _listing({"page": page, "page_size": page_size, "fields": fields}, list_as)


def plain_people_page(page: int) -> Request:
    """The same for a service that refuses the parameters the document does not show."""
    return _listing({"page": page} if page > 1 else {}, "query")


def one_small_page(list_as: ListAs = "query") -> Request:
    """The cheapest read there is: it proves the address and the credential."""
    return _listing({"page": 1, "page_size": SMALLEST_PAGE}, list_as)


def create_person(firstname: str, lastname: str, email: str, send_as: SendAs = "json") -> Request:
    """Add one person (api-spec, people/create); InputRefused for text that cannot be sent."""
    sent = {"firstname": firstname, "lastname": lastname, "email": email}
    try:
        body, media = _body(sent, send_as)
    except UnicodeEncodeError:
        raise InputRefused(
            tr("Cannot be sent"),
            tr("The name or the email holds half a character. Type it again, please."),
        ) from None
    return Request("POST", "people/create", body=body, media=media, creates=True)


def _listing(sent: Mapping[str, _Sent], list_as: ListAs) -> Request:
    if list_as == "query":
        return Request("GET", "people/getAll", query=_pairs(sent))
    body, media = _body(sent, list_as)
    return Request("POST", "people/getAll", body=body, media=media)


def _body(sent: Mapping[str, _Sent], send_as: SendAs) -> tuple[bytes, str]:
    """The body and what kind of text it is (api-spec, Common conventions)."""
    if send_as == "form":
        return _pairs(sent).encode("ascii"), _FORM
    return json.dumps(sent, ensure_ascii=False).encode(), _JSON


def _pairs(sent: Mapping[str, _Sent]) -> str:
    """URL-encoded pairs in UTF-8; a list is the same name several times, with brackets."""
    pairs = (
        (name, value) if isinstance(value, str | int) else (f"{name}[]", value)
        for name, value in sent.items()
    )
    return urlencode(tuple(pairs), doseq=True, errors="strict")


def all_flows() -> Request:
    """Every people flow: no parameters and no body (api-spec, peopleFlows/getAll)."""
    return Request("POST", "peopleFlows/getAll")


class RequestContext(msgspec.Struct, frozen=True):
    """One attempt at one call; `address` is the whole one, without a query."""

    request: Request
    host: str
    address: str
    asked_at: datetime

    @classmethod
    def now(cls, request: Request, host: str, address: str) -> "RequestContext":
        """The attempt that begins at this moment."""
        return cls(request, host, address, datetime.now(UTC))

    def details(
        self, *, status: int | None = None, code: int | None = None, reason: str = ""
    ) -> str:
        """One line for "Copy details"; `reason` is ours, never a piece of an answer."""
        asked = f"{self.request.method} {self.address}, {self.asked_at:%Y-%m-%d %H:%M:%S} UTC"
        parts = [asked]
        if status is not None:
            parts.append(f"HTTP {status}")
        if code is not None:
            parts.append(f"code {code}")
        if reason:
            parts.append(reason)
        return ", ".join(parts)
