"""Every error that leaves this room, each with words for the person and facts for an administrator.

It knows the kinds; which answer or which broken connection becomes which kind is decided elsewhere.
"""

import asyncio

from app.model.cause import Cause
from app.model.errors import ExpectedError
from app.runtime.words import tr


class ApiError(ExpectedError):
    """Something the service, the connection to it or the sign-in did that ends an operation.

    ApiError
    ├── NotAuthorised          the credential was refused
    │   └── TokenExpired       it was good once
    ├── NotPermitted           the credential is good, but not for this
    ├── InputRefused           what was sent is not accepted
    ├── NotFound               what was asked for is not there
    ├── TooManyRequests        the service asks to be left alone for a while
    ├── ServiceFault           the service broke down
    ├── Unreachable            no connection, or one that cannot be trusted
    ├── TooSlow                the deadline passed
    ├── UnreadableAnswer       the answer is not one of the service's
    ├── AuthorisationFailed    signing in on the account's page ended without access
    └── AddressRefused         the address cannot be one of a service

    `code` is the service's own number and `status` the one of HTTP, None where there was none
    (api-spec, Errors). `outcome_unknown` is True when somebody may have been added nevertheless.
    `transient` says that the same request may succeed by itself a little later, `retry_after` how
    many seconds the service asked to wait before that. `service_words` are the service's own, in
    one short line, where it said any. `cause` is what the message of a refusal says, for whoever
    keeps that longer than a language is spoken; None where it is known in these words alone.
    """

    def __init__(
        self,
        title: str,
        message: str,
        *,
        details: str = "",
        code: int | None = None,
        status: int | None = None,
        outcome_unknown: bool = False,
        transient: bool = False,
        retry_after: float | None = None,
        service_words: str = "",
        cause: Cause | None = None,
    ) -> None:
        """`title` and `message` are in the person's language; `details` holds no secret."""
        if outcome_unknown:
            message = f"{message} {tr('The person may or may not have been added.')}"
        super().__init__(title, message, details=details)
        self.code = code
        self.status = status
        self.outcome_unknown = outcome_unknown
        self.transient = transient
        self.retry_after = retry_after
        self.service_words = service_words
        self.cause = cause


_NEVER_LEFT = "nothing was sent"


def note_never_left(cancelled: asyncio.CancelledError) -> None:
    """Note that what was cancelled had not left: nobody was added.

    A kind of its own would not do: `asyncio.timeout` knows the plain one alone.
    """
    cancelled.add_note(_NEVER_LEFT)


def was_never_sent(cancelled: asyncio.CancelledError) -> bool:
    """Whether that was noted."""
    return _NEVER_LEFT in getattr(cancelled, "__notes__", ())


class NotAuthorised(ApiError):
    """The service does not accept the key or the sign-in (401 with code 50, 100, 102 or none)."""


class TokenExpired(NotAuthorised):
    """The sign-in has run out (seen in the field: code 121)."""


class NotPermitted(ApiError):
    """The sign-in is accepted, but this operation is not among what it may do (403)."""


class InputRefused(ApiError):
    """The service understood the request and says no to what is in it (400)."""


class NotFound(ApiError):
    """What was asked for is not there (404).

    `none_match` holds the service's own words where it says, in its envelope, that nothing matches:
    a list of none. None where anybody else's 404 came, which says nothing about a list.
    """

    none_match: str | None = None


class TooManyRequests(ApiError):
    """Too many requests in a short time (seen in the field: 429)."""


class ServiceFault(ApiError):
    """The service failed on its own side (5xx)."""


class Unreachable(ApiError):
    """No connection: network, name, certificate or proxy."""


class NotEncrypted(Unreachable):
    """Something is there that does not speak https; nothing was sent."""


class TooSlow(ApiError):
    """Nothing, or not enough, came within the time one request may take."""


class UnreadableAnswer(ApiError):
    """Something answered, but not as the service does: a web page, half an answer, wrong types."""


class AddressRefused(ApiError):
    """The text cannot be the address of a service, or must not be used as one."""


class AuthorisationFailed(ApiError):
    """The account's page gave an error instead of access; `value` is the one of the document."""

    def __init__(self, title: str, message: str, *, value: str | None = None) -> None:
        """`value` as in api-spec, OAuth exchange errors; None when there was no answer in it."""
        super().__init__(title, message, details=f"value: {value}" if value else "")
        self.value = value
