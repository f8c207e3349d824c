"""The one envelope around every answer, and the failures that go into it (api-spec, Errors)."""

import time
from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from starlette.responses import Response

from app.demo.formats.writers import DEFAULT, WRITERS, CachedValue


class Result(msgspec.Struct, frozen=True):
    """What an operation gives: the resource key of the contract and the value under it."""

    key: str
    value: Mapping[str, object] | CachedValue


class CallError(Exception):
    """A call that failed: its HTTP status, the code of the contract and a message for a person."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def invalid_key() -> CallError:
    """No credentials, or a key or an access token nobody issued: the contract has one row."""
    return CallError(401, 102, "Invalid API Key.")


def expired_token() -> CallError:
    """Code 121 is what the field reports for a token past its time."""
    return CallError(401, 121, "The access token has expired.")


def not_permitted(permission: str) -> CallError:
    """A known caller without the permission for the operation; code 100 as seen in the field."""
    return CallError(401, 100, f"This access does not include the permission {permission}.")


def nothing_given() -> CallError:
    """A call that cannot do without parameters came without any."""
    return invalid_input("No search parameters provided.")


def invalid_input(message: str) -> CallError:
    """A parameter that is missing or makes no sense."""
    return CallError(400, 250, message)


def no_match(kind: str) -> CallError:
    """Nothing to list, also past the last page; the message names the kind that was searched."""
    return CallError(404, 404, f"No {kind} match your criteria.")


def unknown_method() -> CallError:
    """An operation, a format or an HTTP method the service does not have."""
    return CallError(404, 404, "The requested method does not exist.")


def unhandled() -> CallError:
    """What callers see of a defect in the service."""
    return CallError(
        500, 500, "Sorry, we've run into a problem. Please try again or contact support."
    )


def success(result: Result, *, started: float, format_name: str) -> Response:
    """An answer with status `ok`. `started` is the `time.perf_counter` of the request's arrival."""
    return answer(200, "ok", result, started=started, format_name=format_name)


def failed(
    error: CallError, *, started: float, format_name: str = DEFAULT, status: int | None = None
) -> Response:
    """An answer with status `fail`; `status` is another HTTP status than the error's own."""
    result = Result("error", {"code": error.code, "message": error.message})
    response = answer(
        status or error.status, "fail", result, started=started, format_name=format_name
    )
    if error.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Basic realm="Riverside Community", Bearer'
    return response


def answer(
    status: int, outcome: str, result: Result, *, started: float, format_name: str
) -> Response:
    """The envelope with this `outcome` as its status, under this HTTP status."""
    chosen = WRITERS[format_name]
    value = result.value
    written = (
        value.fragment(format_name)
        if isinstance(value, CachedValue)
        else chosen.fragment(result.key, value)
    )
    head = {"generated_in": f"{time.perf_counter() - started:.6f}", "status": outcome}
    return Response(
        chosen.envelope(head, result.key, written),
        status,
        media_type=chosen.media_type,
        headers={"Cache-Control": "no-store"},
    )
