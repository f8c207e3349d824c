"""Signing in to the account: its own pages, on which somebody allows a program access, and the
address programs get their tokens from, for a code or for a refresh token (api-spec, OAuth
endpoints, Web application flow and Refreshing).

Apart from `service`, which answers each call in an envelope and in the format of its address: the
token address takes forms and answers plain JSON, without the envelope. An error is HTTP 400
with one of the document's six values and a sentence; `access_denied` stands for a code or a refresh
token behind which nobody's permission is, or is no longer.
"""

import functools
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app.demo import credentials
from app.demo.authorisation_attempts import (
    ATTEMPT_SECONDS,
    SESSION_SECONDS,
    Allowed,
    Attempt,
    ErrorValue,
    ExpiringValues,
    Refusal,
    WayBack,
    is_allowed,
)
from app.demo.credentials import WORDING, IssuedTokens, Permission, User, parse_scope
from app.demo.envelope import CallError
from app.demo.operations import ORGANISATION
from app.demo.parameters import parse_pairs, read_body

_DAY = 24 * 60 * 60
_UNITS = ((_DAY, "day"), (60 * 60, "hour"), (60, "minute"), (1, "second"))


class Pages:
    """The pages of the account; every value in them is escaped."""

    def __init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("app.demo", "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals["organisation"] = ORGANISATION
        self._templates.filters["duration"] = say_duration

    def render(self, page: str, *, status: int = 200, **values: object) -> HTMLResponse:
        """One page, by the name of its template without the ending."""
        nonce = secrets.token_urlsafe(12)
        text = self._templates.get_template(f"{page}.html").render(nonce=nonce, **values)
        # No `form-action`: browsers apply it to the redirect that follows a form, too.
        policy = (
            f"default-src 'none'; img-src data:; style-src 'nonce-{nonce}'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        return HTMLResponse(
            text,
            status,
            headers={
                "Cache-Control": "no-store",
                "Content-Security-Policy": policy,
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
            },
        )


def say_duration(seconds: int) -> str:
    """A number of seconds as people say it: "7 days", "1 hour"."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds >= size or size == 1)
    count = seconds // size
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


COOKIE = "riverside_session"
WEB_SERVER, USER_AGENT = "web_server", "user_agent"

_log = logging.getLogger(__name__)
_Step = Callable[["SignIn", Request], Awaitable[Response]]


def _answering(step: _Step) -> _Step:
    """Turn whatever ends an authorisation early into a redirect or a page."""

    @functools.wraps(step)
    async def guarded(self: "SignIn", request: Request) -> Response:
        try:
            return await step(self, request)
        except Refusal as refusal:
            return self.refuse(refusal)
        except CallError as error:
            return self.refuse(Refusal(ErrorValue.INVALID_REQUEST, error.message))
        except Exception:  # noqa: BLE001 - logged with its trace
            # The edge of the service: the person sees a page, the log sees the defect.
            _log.exception("An authorisation failed.")
            message = f"{credentials.CLIENT_NAME} could not be connected. Please try again."
            known = getattr(request.state, "way_back", None)
            return self.refuse(Refusal(ErrorValue.SERVER_ERROR, message, known))

    return guarded


class SignIn:
    """The pages under /oauth, and what they remember between two requests."""

    def __init__(
        self, tokens: IssuedTokens, codes: ExpiringValues[Allowed], registered: str
    ) -> None:
        self._tokens = tokens
        self._codes = codes
        self._registered = registered
        self._pages = Pages()
        self._attempts: ExpiringValues[Attempt] = ExpiringValues(ATTEMPT_SECONDS)
        self._sessions: ExpiringValues[User] = ExpiringValues(SESSION_SECONDS)

    def routes(self) -> list[Route]:
        """Where each step is found."""
        return [
            Route("/oauth", self.begin, methods=["GET"]),
            Route("/oauth/sign-in", self.sign_in, methods=["POST"]),
            Route("/oauth/sign-out", self.sign_out, methods=["POST"]),
            Route("/oauth/decision", self.decide, methods=["POST"]),
        ]

    @_answering
    async def begin(self, request: Request) -> Response:
        """Check what the program asks; then the sign-in page, or consent for who is signed in."""
        user = self._sessions.find(request.cookies.get(COOKIE, ""))
        attempt = replace(self._checked(_texts(request.scope["query_string"])), user=user)
        request.state.way_back = attempt.way_back
        return self._page(self._attempts.add(attempt), attempt)

    @_answering
    async def sign_in(self, request: Request) -> Response:
        """Check user and password; what was wrong is said on the page, which keeps the user."""
        form = _texts(await read_body(request))
        key, email = form.get("attempt", ""), form.get("user", "")
        attempt = self._attempt(request, key)
        user = credentials.find_user(email, form.get("password", ""))
        if user is None:
            return self._sign_in_page(key, email=email, is_wrong=True)
        attempt = replace(attempt, user=user)
        self._attempts.change(key, attempt)
        response = self._page(key, attempt)
        response.set_cookie(
            COOKIE, self._sessions.add(user), path="/oauth", httponly=True, samesite="lax"
        )
        return response

    @_answering
    async def sign_out(self, request: Request) -> Response:
        """Let somebody else sign in for the same attempt."""
        key = _texts(await read_body(request)).get("attempt", "")
        attempt = replace(self._attempt(request, key), user=None)
        self._sessions.take(request.cookies.get(COOKIE, ""))
        self._attempts.change(key, attempt)
        response = self._page(key, attempt)
        response.delete_cookie(COOKIE, path="/oauth")
        return response

    @_answering
    async def decide(self, request: Request) -> Response:
        """Allow or refuse, once: the answer goes to the program."""
        form = _texts(await read_body(request))
        key = form.get("attempt", "")
        attempt = self._attempt(request, key)
        if attempt.user is None:
            return self._page(key, attempt)
        self._attempts.take(key)
        if form.get("decision") != "allow" or attempt.missing:
            raise Refusal(
                ErrorValue.ACCESS_DENIED, "The person did not allow this.", attempt.way_back
            )
        return _away(attempt.way_back.with_answer(self._granted(attempt)))

    def refuse(self, refusal: Refusal) -> Response:
        """Tell the program where it may be told, and the person where it may not."""
        if refusal.way_back is not None:
            answer = {"error": str(refusal.value), "error_description": refusal.message}
            return _away(refusal.way_back.with_answer(answer))
        broken = refusal.value is ErrorValue.SERVER_ERROR
        status = HTTPStatus.INTERNAL_SERVER_ERROR if broken else HTTPStatus.BAD_REQUEST
        return self._pages.render(
            "error", status=status, value=str(refusal.value), message=refusal.message
        )

    def _checked(self, asked: Mapping[str, str]) -> Attempt:
        """The attempt a program asks for; raises `Refusal`, first for what no address may hear."""
        client_id, redirect_uri = asked.get("client_id"), asked.get("redirect_uri")
        if not client_id or not redirect_uri:
            raise Refusal(
                ErrorValue.INVALID_REQUEST,
                "The program did not say who it is and where to send you back to.",
            )
        if not credentials.same(client_id, credentials.CLIENT_ID):
            raise Refusal(
                ErrorValue.UNKNOWN_CLIENT, "No program is registered here under this client ID."
            )
        if not is_allowed(redirect_uri, self._registered):
            raise Refusal(
                ErrorValue.INVALID_REDIRECT_URI,
                "The program wants to send you back to an address that is not registered for it.",
            )
        kind = asked.get("type")
        way_back = WayBack(redirect_uri, in_hash=kind == USER_AGENT, state=asked.get("state"))
        if kind not in {WEB_SERVER, USER_AGENT}:
            raise Refusal(
                ErrorValue.INVALID_REQUEST, "The type must be web_server or user_agent.", way_back
            )
        permissions = _permissions(asked.get("scope", ""), way_back)
        return Attempt(client_id, way_back, permissions, wants_code=kind == WEB_SERVER)

    def _granted(self, attempt: Attempt) -> dict[str, str]:
        if attempt.wants_code:
            redirect_uri = attempt.way_back.redirect_uri
            allowed = Allowed(attempt.client_id, redirect_uri, attempt.permissions)
            return {"code": self._codes.add(allowed)}
        # No refresh token: the document lists one, and says that none is issued here.
        return {
            "access_token": self._tokens.issue(attempt.permissions),
            "expires_in": str(self._tokens.lifetime),
        }

    def _attempt(self, request: Request, key: str) -> Attempt:
        """The attempt a form carries; should things break now, its program is told."""
        attempt = self._attempts.find(key)
        if attempt is None:
            raise Refusal(
                ErrorValue.INVALID_REQUEST,
                "This page was open for too long, or it was answered already. "
                "Go back to the program and start again.",
            )
        request.state.way_back = attempt.way_back
        return attempt

    def _page(self, key: str, attempt: Attempt) -> Response:
        """The page this attempt is waiting at."""
        if attempt.user is None:
            return self._sign_in_page(key)
        return self._pages.render(
            "consent",
            attempt=key,
            client=credentials.CLIENT_NAME,
            user=attempt.user,
            permissions=_wordings(attempt.permissions),
            missing=_wordings(attempt.missing),
            lifetime=self._tokens.lifetime,
            renews=attempt.wants_code,
        )

    def _sign_in_page(self, key: str, *, email: str = "", is_wrong: bool = False) -> Response:
        return self._pages.render(
            "sign_in",
            attempt=key,
            client=credentials.CLIENT_NAME,
            email=email,
            is_wrong=is_wrong,
        )


def _permissions(scope: str, way_back: WayBack) -> tuple[Permission, ...]:
    try:
        permissions = parse_scope(scope)
    except ValueError as error:
        raise Refusal(
            ErrorValue.UNKNOWN_SCOPE, f"There is no permission called {error}.", way_back
        ) from None
    if not permissions:
        raise Refusal(ErrorValue.INVALID_REQUEST, "The program asked for no permission.", way_back)
    return permissions


def _wordings(permissions: tuple[Permission, ...]) -> list[object]:
    return [WORDING[permission] for permission in permissions]


def _texts(pairs: bytes) -> dict[str, str]:
    return {name: str(values[-1]) for name, values in parse_pairs(pairs).items()}


def _away(address: str) -> Response:
    """To the program; the address is sent as it stands, since the program compares it."""
    return Response(
        status_code=HTTPStatus.FOUND,
        headers={
            "Location": address,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
        },
    )


_FORM = "application/x-www-form-urlencoded"


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
