"""The address programs get their tokens from: for a code, or for a refresh token (api-spec, OAuth
endpoints, Web application flow and Refreshing).

It takes forms and answers plain JSON, without the envelope. An error is HTTP 400 with one of the
document's six values and a sentence; `access_denied` stands for a code or a refresh token behind
which nobody's permission is, or is no longer. Who may allow what is left to the pages.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.demo import credentials
from app.demo.authorisation import Allowed, ErrorValue, ExpiringValues, Refusal
from app.demo.credentials import IssuedTokens, Permission
from app.demo.envelope import CallError
from app.demo.parameters import parse_pairs, read_body

_FORM = "application/x-www-form-urlencoded"
_log = logging.getLogger(__name__)


class TokenEndpoint:
    """Exchanges codes and refresh tokens for tokens."""

    def __init__(
        self,
        tokens: IssuedTokens,
        codes: ExpiringValues[Allowed],
        *,
        renews_refresh_token: bool = True,
    ) -> None:
        """Not `renews_refresh_token`: an answer to a refresh leaves it out (seen in the field)."""
        self._tokens = tokens
        self._codes = codes
        self._renews_refresh_token = renews_refresh_token
        self._grants: Mapping[str, _Grant] = {
            "authorization_code": self._exchange,
            "refresh_token": self._refresh,
        }

    def routes(self) -> list[Route]:
        """Where it is found: beside /v1, not under it."""
        return [Route("/oauth/token", self.answer, methods=["POST"])]

    async def answer(self, request: Request) -> Response:
        """One exchange."""
        try:
            form = await _read_form(request)
            return _json(self._grant(form.required("grant_type"))(form))
        except Refusal as refusal:
            return _error(refusal.value, refusal.message)
        except CallError as error:
            return _error(ErrorValue.INVALID_REQUEST, error.message)
        except Exception:  # noqa: BLE001 - logged with its trace
            # The edge of the service: programs see server_error, the log sees the defect.
            _log.exception("An exchange of tokens failed.")
            return _error(ErrorValue.SERVER_ERROR, "Something went wrong here. Please try again.")

    def _grant(self, kind: str) -> "_Grant":
        if kind not in self._grants:
            raise _refused("The grant_type must be authorization_code or refresh_token.")
        return self._grants[kind]

    def _exchange(self, form: "_Form") -> dict[str, object]:
        client_id, secret = form.required("client_id"), form.required("client_secret")
        code, redirect_uri = form.required("code"), form.required("redirect_uri")
        known = credentials.same(client_id, credentials.CLIENT_ID)
        if not (credentials.same(secret, credentials.CLIENT_SECRET) and known):
            raise Refusal(
                ErrorValue.UNKNOWN_CLIENT,
                "No program is registered here under this client ID and client secret.",
            )
        allowed = self._codes.find(code)
        if allowed is None or not credentials.same(allowed.client_id, client_id):
            raise Refusal(ErrorValue.ACCESS_DENIED, "This code is not good, or not good any more.")
        if allowed.redirect_uri != redirect_uri:
            raise Refusal(
                ErrorValue.INVALID_REDIRECT_URI,
                "This is not the redirect address that the code was sent to.",
            )
        self._codes.take(code)
        refresh_token = self._tokens.issue_refresh(allowed.permissions)
        return {**self._access(allowed.permissions), "refresh_token": refresh_token}

    def _refresh(self, form: "_Form") -> dict[str, object]:
        try:
            permissions = self._tokens.read_refresh(form.required("refresh_token"))
        except ValueError:
            raise Refusal(ErrorValue.ACCESS_DENIED, "This refresh token is not good.") from None
        answer = self._access(permissions)
        if self._renews_refresh_token:
            answer["refresh_token"] = self._tokens.issue_refresh(permissions)
        return answer

    def _access(self, permissions: Sequence[Permission]) -> dict[str, object]:
        access_token = self._tokens.issue(permissions)
        return {"access_token": access_token, "expires_in": self._tokens.lifetime}


class _Form:
    """The parameters of one exchange, each of them once."""

    def __init__(self, values: Mapping[str, Sequence[object]]) -> None:
        self._values = values

    def required(self, name: str) -> str:
        given = self._values.get(name, ())
        if len(given) > 1:
            raise _refused(f"{name} was sent more than once.")
        if not given or not given[0]:
            raise _refused(f"{name} is missing.")
        return str(given[0])


_Grant = Callable[[_Form], dict[str, object]]


async def _read_form(request: Request) -> _Form:
    """What stands in the body; secrets in an address would end up in logs, so none is read there.

    Raises `Refusal` or `CallError` for a body that is no form.
    """
    body = await read_body(request)
    kind = request.headers.get("content-type", _FORM).partition(";")[0].strip().lower()
    if kind != _FORM:
        raise _refused(f"Send the parameters as a form ({_FORM}).")
    return _Form(parse_pairs(body))


def _refused(message: str) -> Refusal:
    return Refusal(ErrorValue.INVALID_REQUEST, message)


def _error(value: ErrorValue, message: str) -> Response:
    broken = value is ErrorValue.SERVER_ERROR
    status = HTTPStatus.INTERNAL_SERVER_ERROR if broken else HTTPStatus.BAD_REQUEST
    return _json({"error": str(value), "error_description": message}, status)


def _json(content: Mapping[str, object], status: int = HTTPStatus.OK) -> Response:
    return JSONResponse(content, status, headers={"Cache-Control": "no-store"})
