"""The requests this client makes, as data: which operation, with what, and what is at stake."""

import json
from dataclasses import dataclass
from typing import Literal

from app.api.errors import InputRefused
from app.runtime.words import tr

_FIELDS = (
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
SMALLEST_PAGE = 10


@dataclass(frozen=True, slots=True)
class Call:
    """One request before it has an address; `creates` when sending it twice would do harm."""

    method: Literal["GET", "POST"]
    operation: str
    parameters: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    creates: bool = False


def people_page(page: int, page_size: int) -> Call:
    """One page of everybody, with every field the document names.

    Seen in the field: `page`, `page_size` and `fields` are taken; the document does not show them.
    """
    asked = (("page", str(page)), ("page_size", str(page_size)))
    return Call("GET", "people/getAll", asked + tuple(("fields[]", name) for name in _FIELDS))


def plain_people_page(page: int) -> Call:
    """The same for a service that refuses the parameters the document does not show."""
    return Call("GET", "people/getAll", (("page", str(page)),) if page > 1 else ())


def one_small_page() -> Call:
    """The cheapest read there is: it proves the address and the credential."""
    return Call("GET", "people/getAll", (("page", "1"), ("page_size", str(SMALLEST_PAGE))))


def create_person(firstname: str, lastname: str, email: str) -> Call:
    """Add one person (api-spec, people/create); InputRefused for text that cannot be sent."""
    sent = {"firstname": firstname, "lastname": lastname, "email": email}
    try:
        body = json.dumps(sent, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputRefused(
            tr("Cannot be sent"),
            tr("The name or the email holds half a character. Type it again, please."),
        ) from None
    return Call("POST", "people/create", body=body, creates=True)


def all_flows() -> Call:
    """Every people flow: no parameters and no body (api-spec, peopleFlows/getAll)."""
    return Call("POST", "peopleFlows/getAll")
