"""The ways signing in on the account's page can end without access, in plain words.

The values are those of api-spec, OAuth exchange errors.
"""

from collections.abc import Callable

from app.api.errors import AuthorisationFailed
from app.api.refusals import plain_words
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


def no_answer() -> AuthorisationFailed:
    """The redirect holds neither access nor an error that could be read."""
    return AuthorisationFailed(
        tr("Not signed in"),
        tr("The account's page gave no answer that Front Desk can use. Try to sign in again."),
    )
