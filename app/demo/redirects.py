"""Where a browser may be sent, and which part of that address carries the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote, urlencode, urlsplit

_FORBIDDEN = frozenset('\\#<>"^`{|} ')


@dataclass(frozen=True, slots=True)
class WayBack:
    """Where a program waits for its answer (api-spec, Authentication).

    A web_server reads it in the query and finds its `state` beside it, whatever the answer is; a
    user_agent reads it in the hash, and has no `state`, not even one it sent. Who asked for
    neither gets it in the query, the part that every kind of program can read.
    """

    redirect_uri: str
    in_hash: bool = False
    state: str | None = None

    def with_answer(self, answer: Mapping[str, str]) -> str:
        """The address to send the browser to."""
        if self.in_hash:
            return f"{self.redirect_uri}#{_encoded(answer)}"
        if self.state is not None:
            answer = {**answer, "state": self.state}
        joint = "&" if "?" in self.redirect_uri else "?"
        return f"{self.redirect_uri}{joint}{_encoded(answer)}"


def is_allowed(address: str, registered: str) -> bool:
    """Whether `address` begins with `registered` (api-spec, OAuth exchange errors) and stays there.

    Beginning alone is not enough: what follows must not change the host or leave the path. It may
    lengthen the last part of the path, since the document asks for no more than a beginning.
    """
    if not address.startswith(registered) or not _is_plain(address):
        return False
    try:
        asked, known = urlsplit(address), urlsplit(registered)
        same_place = asked.scheme == known.scheme and asked.netloc == known.netloc
    except ValueError:
        return False
    segments = unquote(unquote(asked.path)).replace("\\", "/").split("/")
    return same_place and not {".", ".."} & set(segments)


def _encoded(answer: Mapping[str, str]) -> str:
    return urlencode(answer, quote_via=quote)


def _is_plain(address: str) -> bool:
    """No character that browsers drop or read as another one, and no hash before ours."""
    return address.isascii() and address.isprintable() and not _FORBIDDEN & set(address)


class ErrorValue(StrEnum):
    """The error values of the contract."""

    INVALID_REQUEST = "invalid_request"
    UNKNOWN_CLIENT = "unknown_client"
    INVALID_REDIRECT_URI = "invalid_redirect_uri"
    SERVER_ERROR = "server_error"
    UNKNOWN_SCOPE = "unknown_scope"
    ACCESS_DENIED = "access_denied"


class Refusal(Exception):
    """An authorisation that ends here.

    `way_back` is where the program waits for the answer, None where no address may be trusted with
    it: then the person is told on a page.
    """

    def __init__(self, value: ErrorValue, message: str, way_back: WayBack | None = None) -> None:
        super().__init__(message)
        self.value = value
        self.message = message
        self.way_back = way_back
