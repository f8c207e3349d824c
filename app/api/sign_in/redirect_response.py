"""What the redirect at the end of a sign-in says: access, or why there is none, in plain words.

The values are those of api-spec, OAuth exchange errors.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from app.api.addresses import WebAddress, parse_address
from app.api.error_responses import plain_words
from app.api.errors import AddressRefused, AuthorisationFailed
from app.model.errors import retranslatable_error
from app.runtime.words import tr

_SENTENCES: dict[str, Callable[[], str]] = {
    "access_denied": lambda: tr(
        "Access was refused on the account's page, so Front Desk is not signed in. Sign in again "
        "and choose to allow it."
    ),
    "invalid_request": lambda: tr(
        "The account's page did not understand what Front Desk asked. Check the client id and the "
        "redirect address with an administrator."
    ),
    "unknown_client": lambda: tr(
        "The account does not know this client id. Ask an administrator to look it up in the "
        "account's settings, under integrations."
    ),
    "invalid_redirect_uri": lambda: tr(
        "The redirect address is not the one registered for Front Desk. Ask an administrator to "
        "compare it in the account's settings, under integrations."
    ),
    "server_error": lambda: tr(
        "The account's page ran into a problem of its own. Try again in a few minutes."
    ),
    "unknown_scope": lambda: tr(
        "The account's page does not know a permission that Front Desk asked for. Ask an "
        "administrator of the account."
    ),
}


_SECRET_REFUSED = frozenset({"unknown_client", "invalid_client", "unauthorized_client"})
_CODE_REFUSED = frozenset({"access_denied", "invalid_grant"})
"""The document's values, and those that other services of this kind send for the same."""


def is_known_error(value: str) -> bool:
    """Whether the document names this error value."""
    return value in _SENTENCES


@retranslatable_error
def authorisation_failed(value: str, description: str) -> AuthorisationFailed:
    """The error for a value in the redirect; one the document does not name keeps its own words."""
    title = tr("Not signed in")
    if value in _SENTENCES:
        return AuthorisationFailed(title, _SENTENCES[value](), value=value)
    words = plain_words(description.replace("+", " ")) or plain_words(value)
    return AuthorisationFailed(
        title,
        tr("The account's page ended the sign-in. It says: {words}", words=words),
        value=plain_words(value),
    )


class SecretRefused(AuthorisationFailed):
    """The service does not take this client ID with this client secret."""


@retranslatable_error
def exchange_refused(value: str, description: str) -> AuthorisationFailed:
    """The error for a code that the service did not exchange; blank where it gave no value."""
    title = tr("Not signed in")
    if value in _SECRET_REFUSED:
        sentence = tr(
            "The account does not accept this client ID with this client secret. Ask an "
            "administrator to compare both in the account's settings, under integrations."
        )
        return SecretRefused(title, sentence, value=value)
    if value in _CODE_REFUSED or not (value or description):
        sentence = tr(
            "The account did not complete the sign-in: it took too long, or its answer was used "
            "already. Sign in again."
        )
        return AuthorisationFailed(title, sentence, value=value or None)
    return authorisation_failed(value, description)


@retranslatable_error
def no_answer() -> AuthorisationFailed:
    """The redirect holds neither access nor an error that could be read."""
    return AuthorisationFailed(
        tr("Not signed in"),
        tr("The account's page gave no answer that Front Desk can use. Try to sign in again."),
    )


_LONGEST_ANSWER = 16 * 1024
_QUERY_OR_HASH = re.compile(r"[?#]")
_VISIBLE = re.compile(r"[!-~]+")


def leads_to(redirect_uri: str, url: str) -> bool:
    """Whether `url` is the redirect address itself: scheme, host, port and path, exactly.

    A beginning that is alike is not enough, and a user name in it never belongs there.
    """
    expected = _without_query(redirect_uri)
    return expected is not None and _without_query(url) == expected


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


def _without_query(url: str) -> WebAddress | None:
    where = _QUERY_OR_HASH.split(url, maxsplit=1)[0]
    if not where.isascii():
        # In lower case some letters are others: the Kelvin sign is a plain k.
        return None
    try:
        address = parse_address(where)
    except AddressRefused:
        return None
    return WebAddress(address.scheme, address.host, address.port, address.path or "/")


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
