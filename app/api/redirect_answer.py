"""What an address that the account's page leads to says: whether it is ours, and its values.

Both ways to authorise read their answer through here; what the values mean is theirs to say.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote, unquote

from app.api.addresses import Place, read_place
from app.api.errors import AddressRefused
from app.api.oauth_errors import authorisation_failed, is_known_error, no_answer

_LONGEST_ANSWER = 16 * 1024
_QUERY_OR_HASH = re.compile(r"[?#]")
_VISIBLE = re.compile(r"[!-~]+")


def leads_to(redirect_uri: str, url: str) -> bool:
    """Whether `url` is the redirect address itself: scheme, host, port and path, exactly.

    A beginning that is alike is not enough, and a user name in it never belongs there.
    """
    expected = _place(redirect_uri)
    return expected is not None and _place(url) == expected


def read_redirect(redirect_uri: str, url: str) -> tuple[dict[str, str], dict[str, str]]:
    """The values in the hash and in the query of a redirect for which `leads_to` holds.

    Raises AuthorisationFailed for any other address, for one that is longer than any answer, and
    for an answer in which a name stands twice.
    """
    if not leads_to(redirect_uri, url) or len(url) > _LONGEST_ANSWER:
        raise no_answer()
    head, _, in_hash = url.partition("#")
    return _values(in_hash), _values(head.partition("?")[2])


def raise_error_in(values: Mapping[str, str]) -> None:
    """Raise AuthorisationFailed where there is an error value (api-spec, OAuth exchange errors).

    The document does not say which name carries it: most often `error`, else any value it names.
    """
    told = values.get("error") or next(
        (
            value
            for name, value in values.items()
            # A state is echoed, so whoever began the attempt could make it read like one.
            if name != "state" and is_known_error(value)
        ),
        "",
    )
    if told:
        raise authorisation_failed(told, values.get("error_description", ""))


def is_visible(value: str) -> bool:
    """Whether a code or a token is what one can be: visible ASCII, so that a header carries it."""
    return _VISIBLE.fullmatch(value) is not None


def as_query(asked: Mapping[str, str]) -> str:
    """A query with every mark in it escaped: the commas of `scope` must be %2C."""
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in asked.items())


def _place(url: str) -> Place | None:
    where = _QUERY_OR_HASH.split(url, maxsplit=1)[0]
    if not where.isascii():
        # In lower case some letters are others: the Kelvin sign is a plain k.
        return None
    try:
        place = read_place(where)
    except AddressRefused:
        return None
    return Place(place.scheme, place.host, place.port, place.path or "/")


def _values(encoded: str) -> dict[str, str]:
    """Names and values of a query or hash; AuthorisationFailed where a name stands twice.

    A plus sign stays one: access tokens may hold it, unescaped.
    """
    values: dict[str, str] = {}
    for pair in encoded.split("&"):
        name, _, value = pair.partition("=")
        name = unquote(name)
        if name in values and name:
            raise no_answer()
        values[name] = unquote(value)
    return values
