"""What can go wrong between this computer and the service, said in plain words.

It knows the sentences; recognising each case in the network library is left to the transport.
"""

from app.api.error_responses import is_refusal, refusal
from app.api.errors import ApiError, NotEncrypted, TooSlow, Unreachable, UnreadableAnswer
from app.api.requests import RequestContext
from app.model.errors import retranslatable_error
from app.runtime.words import tr


@retranslatable_error
def not_reached(context: RequestContext, reason: str) -> ApiError:
    """No connection came about; nothing was sent."""
    return Unreachable(
        tr("No connection"),
        tr(
            "Front Desk could not reach {host}. Check the network; what you typed is kept.",
            host=context.host,
        ),
        details=context.details(reason=reason),
        transient=True,
    )


@retranslatable_error
def not_found(context: RequestContext) -> ApiError:
    """The host's name is not known here: offline, or mistyped."""
    return Unreachable(
        tr("No connection"),
        tr(
            "Front Desk could not find {host}. Check the network, and the address if it is new; "
            "what you typed is kept.",
            host=context.host,
        ),
        details=context.details(reason="the name was not found"),
        transient=True,
    )


@retranslatable_error
def not_trusted(context: RequestContext, reason: str, *, by_date: bool) -> ApiError:
    """The certificate is not one this computer trusts; nothing was sent."""
    if by_date:
        advice = tr("Check that the date and time of this computer are right.")
    else:
        advice = tr(
            "On a guest network, open a browser and sign in to the network first; otherwise ask "
            "whoever looks after your computers."
        )
    safe = tr(
        "Front Desk could not make sure that it is talking to {host}, so it sent nothing.",
        host=context.host,
    )
    return Unreachable(
        tr("Connection not safe"), f"{safe} {advice}", details=context.details(reason=reason)
    )


_ANSWERED_IN_THE_CLEAR = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"})
"""What OpenSSL calls an answer that is none of https; it has other names for silence and a loss."""


@retranslatable_error
def not_encrypted(context: RequestContext, reason: str) -> ApiError:
    """Something is there, but it does not speak https the way it must; nothing was sent."""
    kind = NotEncrypted if reason in _ANSWERED_IN_THE_CLEAR else Unreachable
    return kind(
        tr("Connection not safe"),
        tr(
            "Front Desk could not make a safe connection to {host}, so it sent nothing. Check the "
            "address, or ask whoever looks after your network.",
            host=context.host,
        ),
        details=context.details(reason=reason),
    )


@retranslatable_error
def stopped_by_proxy(context: RequestContext, reason: str) -> ApiError:
    """The way out of this network did not let the request through; nothing was sent."""
    return Unreachable(
        tr("No way out of this network"),
        tr(
            "Your network did not let Front Desk through to {host}. Ask whoever looks after your "
            "network; what you typed is kept.",
            host=context.host,
        ),
        details=context.details(reason=reason),
    )


@retranslatable_error
def lost(context: RequestContext, reason: str, *, in_doubt: bool) -> ApiError:
    """The connection ended before an answer began."""
    return Unreachable(
        tr("Connection lost"),
        tr(
            "The connection to {host} was lost. Check the network; what you typed is kept.",
            host=context.host,
        ),
        details=context.details(reason=reason),
        outcome_unknown=in_doubt and context.request.creates,
        transient=True,
    )


@retranslatable_error
def cut_off(
    context: RequestContext, status: int, reason: str, *, retry_after: float | None = None
) -> ApiError:
    """The connection ended inside the answer."""
    sentence = tr(
        "The answer of {host} broke off half-way. Try again in a moment; what you typed is kept.",
        host=context.host,
    )
    error = _unread(
        context, status, reason, tr("Answer cut off"), sentence, retry_after=retry_after
    )
    error.transient = True
    return error


@retranslatable_error
def too_slow(context: RequestContext, reason: str, *, in_doubt: bool) -> ApiError:
    """The time was over, for one silence or for the whole request."""
    return TooSlow(
        tr("The service is slow"),
        tr(
            "{host} took too long to answer. Try again in a moment; what you typed is kept.",
            host=context.host,
        ),
        details=context.details(reason=reason),
        outcome_unknown=in_doubt and context.request.creates,
        transient=True,
    )


@retranslatable_error
def not_the_service(context: RequestContext, reason: str, *, status: int | None = None) -> ApiError:
    """What came back is not an answer of this kind of service at all."""
    return UnreadableAnswer(
        tr("Not the service"),
        tr(
            "Something answered at {host}, but not the way your account's service does. Check the "
            "address and the network.",
            host=context.host,
        ),
        status=status,
        details=context.details(status=status, reason=reason),
        outcome_unknown=context.request.creates and not is_refusal(status),
    )


@retranslatable_error
def response_too_large(
    context: RequestContext,
    status: int,
    reason: str = "too large",
    *,
    retry_after: float | None = None,
) -> ApiError:
    """The answer is larger than any this program can need."""
    sentence = tr(
        "{host} sent more than Front Desk can take in one answer. Ask the service's support.",
        host=context.host,
    )
    return _unread(
        context, status, reason, tr("Answer too large"), sentence, retry_after=retry_after
    )


@retranslatable_error
def not_unpacked(
    context: RequestContext,
    status: int,
    reason: str,
    packing: str = "",
    *,
    retry_after: float | None = None,
) -> ApiError:
    """The answer is packed in the way named `packing`, which nobody asked for, or is damaged."""
    if packing:
        sentence = tr(
            "{host} packed its answer in a way that Front Desk does not know ({packing}). Ask the "
            "service's support; what you typed is kept.",
            host=context.host,
            packing=packing,
        )
    else:
        sentence = tr(
            "The answer of {host} is packed, and Front Desk cannot unpack it. Try again in a "
            "moment; if it stays so, ask the service's support. What you typed is kept.",
            host=context.host,
        )
    title = tr("Answer not understood")
    return _unread(context, status, f"packing: {reason}", title, sentence, retry_after=retry_after)


def _unread(
    context: RequestContext,
    status: int,
    reason: str,
    title: str,
    sentence: str,
    *,
    retry_after: float | None,
) -> ApiError:
    """The body of an answer cannot be had. The status alone says what a refusal is: nothing was
    done, and a sign-in that has run out, or a pause that is asked for, is nobody's own fault.
    """
    if is_refusal(status):
        return refusal(context, status, reason=reason, retry_after=retry_after)
    return UnreadableAnswer(
        title,
        sentence,
        status=status,
        details=context.details(status=status, reason=reason),
        outcome_unknown=context.request.creates,
    )


@retranslatable_error
def closed(context: RequestContext) -> ApiError:
    """This program ended the connection itself: somebody signed out or is leaving."""
    return Unreachable(
        tr("Signed out"),
        tr("Front Desk has ended its connection to {host}. Sign in again.", host=context.host),
        details=context.details(reason="the client is closed"),
    )
