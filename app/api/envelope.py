"""The envelope around every answer: it tells success from failure (api-spec, Response envelope),
and the service's own list of people from a stranger's "ok".

What stands under the resource key is left to the reading of people and flows. Signing in rests on
the proof: whatever the key, a wrong address must never become an account with nobody in it.
"""

import math
from http import HTTPStatus

from app.api import connection_errors
from app.api.error_responses import is_failure, is_fault, is_redirect, is_success, refusal
from app.api.errors import ApiError, NotFound, UnreadableAnswer
from app.api.field_values import COUNTS, text, whole
from app.api.formats import decode
from app.api.formats.decoding_budget import Budget, TooCostly
from app.api.formats.tree import Tree
from app.api.requests import RequestContext
from app.api.resources import read_list, read_person
from app.api.responses import Response
from app.model.cause import Cause, CauseKind
from app.runtime.words import tr

_FAILED = frozenset({"fail", "error", "failed"})
_ENDS = {b"{": b"}", b"<": b">", b"a": b"}", b"O": b"}"}
_SAY_ENOUGH = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS})
"""A web page may come with these: the status itself tells what is the matter."""


def open_envelope(
    response: Response,
    context: RequestContext,
    format_name: str,
    key: str,
    budget: Budget | None = None,
) -> dict[str, Tree]:
    """The envelope's fields on success; raises the ApiError that fits otherwise.

    A success has the resource `key` in it or says so: seen in the field, a list of none may leave
    the key out.
    """
    if response.status == HTTPStatus.NETWORK_AUTHENTICATION_REQUIRED or is_redirect(
        response.status
    ):
        raise _elsewhere(response, context)
    try:
        envelope = decode(response.body, format_name, budget=budget)
    except TooCostly as error:
        raise connection_errors.response_too_large(
            context, response.status, error.details, retry_after=response.retry_after
        ) from error
    except UnreadableAnswer as error:
        raise _no_envelope(response, context, error.details, readable=False) from error
    if not isinstance(envelope, dict):
        raise _no_envelope(response, context, "the answer is no object")
    if envelope.keys().isdisjoint({"status", "error", key}) and _is_web_page(response):
        # A page can be good XML, too.
        raise _no_envelope(response, context, "neither a status nor a result")
    if is_failure(response.status) or _says_failed(envelope, key):
        raise _failure(response, context, envelope)
    if not is_success(response.status):
        raise connection_errors.not_the_service(
            context, "no status of HTTP", status=response.status
        )
    if key not in envelope and not says_ok(envelope):
        raise _no_envelope(response, context, "neither a status nor a result")
    return envelope


def wrong_types(response: Response, context: RequestContext, what: str) -> ApiError:
    """The envelope says success, but what it holds is not of the contract's types."""
    return UnreadableAnswer(
        tr("Answer not understood"),
        tr(
            "{host} gave an answer that Front Desk cannot read. Try again in a moment; what you "
            "typed is kept.",
            host=context.host,
        ),
        status=response.status,
        details=context.details(status=response.status, reason=what),
        outcome_unknown=context.request.creates,
    )


def is_timed(envelope: dict[str, Tree]) -> bool:
    """Whether it says how long the call took, as every answer of the service does and as good as
    nobody else's (api-spec, Response envelope).
    """
    try:
        seconds = float(text(envelope.get("generated_in")) or "")
    except ValueError:
        return False
    return math.isfinite(seconds) and seconds >= 0


def says_ok(envelope: dict[str, Tree]) -> bool:
    """Whether its status is the one of a success."""
    return _status(envelope) == "ok"


def _status(envelope: dict[str, Tree]) -> str:
    status = envelope.get("status")
    return status.strip().lower() if isinstance(status, str) else ""


def _says_failed(envelope: dict[str, Tree], key: str) -> bool:
    status, error = _status(envelope), bool(envelope.get("error"))
    # Seen in the field: an error beside a status that says otherwise. A result outweighs it.
    return status in _FAILED or (error and (status != "ok" or key not in envelope))


def _failure(response: Response, context: RequestContext, envelope: dict[str, Tree]) -> ApiError:
    """Code and message stand under `error`; seen in the field: bare text, or beside `status`."""
    error = envelope.get("error")
    found = error[0] if isinstance(error, list) and error else error
    told = found if isinstance(found, dict) else {"message": found}
    code = told["code"] if "code" in told else envelope.get("code")
    words = text(told.get("message")) or text(envelope.get("message")) or ""
    failure = refusal(
        context,
        response.status,
        code=whole(code),
        words=words,
        retry_after=response.retry_after,
    )
    if isinstance(failure, NotFound) and _says_none(envelope, code):
        failure.none_match = words
    return failure


def _says_none(envelope: dict[str, Tree], code: Tree) -> bool:
    """Whether a 404 is the service's own "none match" (api-spec, Errors).

    Seen in the field: a web framework in front answers 404 with a code and a message of its own.
    """
    failed = _status(envelope) in _FAILED
    return failed and is_timed(envelope) and whole(code) == HTTPStatus.NOT_FOUND


def _no_envelope(
    response: Response, context: RequestContext, reason: str, *, readable: bool = True
) -> ApiError:
    """Servers in front of the service answer in their own way, most often with a web page."""
    plain = response.status in _SAY_ENOUGH or is_fault(response.status)
    if _is_web_page(response) and not plain:
        return _web_page(response, context)
    if is_failure(response.status):
        return refusal(context, response.status, retry_after=response.retry_after)
    if not is_success(response.status):
        return connection_errors.not_the_service(
            context, "no status of HTTP", status=response.status
        )
    if _breaks_off(response.body):
        return connection_errors.cut_off(context, response.status, "the document has no end")
    if readable:
        return connection_errors.not_the_service(context, reason, status=response.status)
    return wrong_types(response, context, reason)


def _breaks_off(body: bytes) -> bool:
    """Whether a document begins and does not end: half of it sent as if it were all."""
    whole_text = body.strip(b"\xef\xbb\xbf \t\r\n\0")
    end = _ENDS.get(whole_text[:1])
    return end is not None and not whole_text.endswith(end)


def _is_web_page(response: Response) -> bool:
    start = response.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html")) or (
        response.media in {"text/html", "application/xhtml+xml"} and start.startswith(b"<")
    )


def _web_page(response: Response, context: RequestContext) -> ApiError:
    cause = Cause(CauseKind.WEB_PAGE, host=context.host)
    return UnreadableAnswer(
        tr("A web page came back"),
        str(cause),
        status=response.status,
        details=context.details(status=response.status, reason="a web page"),
        outcome_unknown=context.request.creates and not is_failure(response.status),
        cause=cause,
    )


def _elsewhere(response: Response, context: RequestContext) -> ApiError:
    return UnreadableAnswer(
        tr("Sent elsewhere"),
        tr(
            "{host} sent Front Desk on to another address, and it did not go there. On a guest "
            "network, open a browser and sign in to the network first; otherwise check the "
            "address.",
            host=context.host,
        ),
        status=response.status,
        details=context.details(status=response.status, reason="not followed"),
        outcome_unknown=context.request.creates,
    )


_PEOPLE, _ITEM = "people", "person"
_ENOUGH_COUNTS = 2


def proves_people(envelope: dict[str, Tree]) -> bool | None:
    """Whether a success is the answer of people/getAll; None where nobody in it can be read.

    Somebody in it is proof together with one more sign: the service's own time, a count, or a name
    in the document's fields. Nobody is proof only in an envelope with its time, or in a page object
    with its counts (api-spec, Page object). Seen in the field: a health page that says "ok".
    """
    if not says_ok(envelope):
        return False
    page = envelope.get(_PEOPLE, envelope if _ITEM in envelope else None)
    listed = read_list(page, _ITEM)
    if listed is None:
        return None
    counted = _is_counted(page)
    if not listed.items:
        return counted or (_PEOPLE in envelope and is_timed(envelope))
    people = [sent for sent in listed.items if isinstance(sent, dict) and read_person(sent)]
    if not people:
        return None
    named = any("firstname" in person or "lastname" in person for person in people)
    return named or counted or is_timed(envelope)


def proves_none(words: str | None) -> bool:
    """Whether the words of a "none match" name people (api-spec, Errors): an empty account's 404.

    An operation that does not exist is 404 in the same envelope, and names none.
    """
    return words is not None and ("people" in words.casefold() or "person" in words.casefold())


def _is_counted(page: Tree) -> bool:
    """Whether it is a page object by its counts, or by one of them beside its items."""
    if not isinstance(page, dict):
        return False
    counts = sum(whole(page.get(name)) is not None for name in COUNTS)
    return counts >= _ENOUGH_COUNTS or (counts > 0 and _ITEM in page)
