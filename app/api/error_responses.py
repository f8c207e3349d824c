"""A refusal or failure that the service told, made one of our errors, with plain words for it."""

from collections.abc import Callable
from http import HTTPStatus

from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    NotFound,
    NotPermitted,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
)
from app.api.requests import RequestContext
from app.model.cause import Cause, CauseKind, with_service_words
from app.model.errors import retranslatable_error
from app.runtime.secrets import redact
from app.runtime.words import tr

_SUCCESS, _ELSEWHERE, _REFUSAL, _FAULT, _END = 200, 300, 400, 500, 600


def is_success(number: int | None) -> bool:
    """Whether the call was processed (2xx); the document's own is 200."""
    return number is not None and _SUCCESS <= number < _ELSEWHERE


def is_redirect(number: int | None) -> bool:
    """Whether the answer sends the caller to another address (3xx)."""
    return number is not None and _ELSEWHERE <= number < _REFUSAL


def is_refusal(number: int | None) -> bool:
    """Whether the request was refused, so that nothing was done (4xx)."""
    return number is not None and _REFUSAL <= number < _FAULT


def is_fault(number: int | None) -> bool:
    """Whether the other side failed, so that something may have been done (5xx)."""
    return number is not None and _FAULT <= number < _END


def is_failure(number: int | None) -> bool:
    """Whether the status alone says that the call did not succeed."""
    return is_refusal(number) or is_fault(number)


# Seen in the field; the document itself shows 102. Code 401 repeats the status and says no more.
_NOT_AUTHORISED = frozenset({50, 100, 102, 401})
_EXPIRED = 121
_EXPLAINED = frozenset({102, _EXPIRED, 404, 500})
_LONGEST_WORDS = 200
_LASTING_FAULTS = frozenset({501, 505})


@retranslatable_error
def refusal(
    context: RequestContext,
    status: int,
    *,
    code: int | None = None,
    words: str = "",
    retry_after: float | None = None,
    reason: str = "",
) -> ApiError:
    """The error for a failure with this HTTP status, the service's code and its own words.

    `reason` is ours, for an administrator: why there is no more than the status.
    """
    kind = _kind(status, code)
    said = plain_words(words)
    added = said if code not in _EXPLAINED else ""
    title, message = _SENTENCES[kind](context.host)
    cause = _CAUSES.get(kind)
    fault = kind is ServiceFault
    return kind(
        title,
        with_service_words(message, added),
        code=code,
        status=status,
        details=context.details(status=status, code=code, reason=reason),
        outcome_unknown=fault and context.request.creates,
        transient=kind is TooManyRequests or (fault and status not in _LASTING_FAULTS),
        retry_after=retry_after,
        service_words=said,
        cause=None if cause is None else Cause(cause, host=context.host, words=added),
    )


def plain_words(text: str) -> str:
    """The service's words as one short line: no control marks, no blanks in a row, no secret."""
    visible = "".join(sign if sign.isprintable() else " " for sign in text)
    line = redact(" ".join(visible.split()))
    return line if len(line) <= _LONGEST_WORDS else f"{line[: _LONGEST_WORDS - 1]}…"


def _kind(status: int, code: int | None) -> type[ApiError]:
    if is_fault(status):
        return ServiceFault
    if code == _EXPIRED:
        return TokenExpired
    if code in _NOT_AUTHORISED or (status == HTTPStatus.UNAUTHORIZED and code is None):
        return NotAuthorised
    # Seen in the field: a failure may come with HTTP 200; then its code stands for the status.
    said = status if is_failure(status) else code
    return ServiceFault if is_fault(said) else _BY_STATUS.get(said, InputRefused)


_BY_STATUS: dict[int | None, type[ApiError]] = {
    HTTPStatus.FORBIDDEN: NotPermitted,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def _expired(_host: str) -> tuple[str, str]:
    return (
        tr("Sign in again"),
        tr("Your sign-in has run out. Sign in again to go on; what you typed is kept."),
    )


def _not_authorised(host: str) -> tuple[str, str]:
    return (
        tr("Sign in again"),
        tr(
            "{host} does not accept this sign-in or key. Sign in again, or ask an administrator "
            "of the account; what you typed is kept.",
            host=host,
        ),
    )


def _not_permitted(_host: str) -> tuple[str, str]:
    return (
        tr("Not allowed"),
        str(Cause(CauseKind.NOT_PERMITTED)),
    )


def _input_refused(_host: str) -> tuple[str, str]:
    return (
        tr("Not accepted"),
        str(Cause(CauseKind.NOT_ACCEPTED)),
    )


def _not_found(host: str) -> tuple[str, str]:
    return (
        tr("Nothing there"),
        str(Cause(CauseKind.NOT_FOUND, host=host)),
    )


def _too_many(_host: str) -> tuple[str, str]:
    return (
        tr("The service is busy"),
        tr(
            "The service asks for a pause because it had many requests. Try again in a minute; "
            "what you typed is kept."
        ),
    )


def _fault(_host: str) -> tuple[str, str]:
    return (
        tr("The service has a problem"),
        tr(
            "The service ran into a problem of its own. Try again in a moment; what you typed is "
            "kept."
        ),
    )


_CAUSES: dict[type[ApiError], CauseKind] = {
    NotPermitted: CauseKind.NOT_PERMITTED,
    InputRefused: CauseKind.NOT_ACCEPTED,
    NotFound: CauseKind.NOT_FOUND,
}
"""Those that end in a refusal: the others are tried again, or their outcome is unknown."""

_SENTENCES: dict[type[ApiError], Callable[[str], tuple[str, str]]] = {
    TokenExpired: _expired,
    NotAuthorised: _not_authorised,
    NotPermitted: _not_permitted,
    InputRefused: _input_refused,
    NotFound: _not_found,
    TooManyRequests: _too_many,
    ServiceFault: _fault,
}
