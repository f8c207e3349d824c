"""The address tokens come from: a one-time code, or a refresh token, for access (api-spec, OAuth
endpoints, Web application flow and Refreshing).

One attempt each, bounded like every call. When to refresh is left to `token_refresh`, and where the
tokens are kept to the accounts.
"""

from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus

import msgspec

from app.api import connection_errors
from app.api.addresses import base_address
from app.api.auth import NoAuth
from app.api.envelope import wrong_types
from app.api.error_responses import is_fault, is_redirect, is_refusal, refusal
from app.api.errors import ApiError, ServiceFault, TokenExpired, UnreadableAnswer
from app.api.field_values import credential, text, whole
from app.api.formats import decode
from app.api.formats.tree import Tree
from app.api.requests import Limits, Request, RequestContext
from app.api.responses import Response
from app.api.sign_in.oauth import OneTimeCode, TokenGrant, life_of_access
from app.api.sign_in.redirect_response import as_query, exchange_refused, is_visible
from app.api.transport import Transport
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

TOKEN_LIMITS = Limits(deadline=30.0, silence=15.0, answer=64 * 1024, tries=1)
_ITS_OWN_FAULT = frozenset({"server_error", "temporarily_unavailable"})
_LONGEST_TOLD = 10**15 - 1
"""Seconds; services write many nines for access that never ends."""
_OF_TOKENS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED})
"""With these a service of this kind refuses tokens, some without a word."""
_SOMEBODY_ELSE = frozenset(
    {
        HTTPStatus.NOT_FOUND,
        HTTPStatus.METHOD_NOT_ALLOWED,
        HTTPStatus.NETWORK_AUTHENTICATION_REQUIRED,
    }
)


async def exchange_code(
    base_url: str, client_id: str, client_secret: str, code: OneTimeCode
) -> TokenGrant:
    """The tokens for a code.

    Raises AuthorisationFailed where the service refuses, as SecretRefused where it is client ID
    and secret that it does not take, and the ApiError of the connection otherwise. A code works
    once, so nothing is tried again.
    """
    remember_secret(client_secret)
    form = {
        "grant_type": "authorization_code",
        "client_id": client_id,
        "client_secret": client_secret,
        "code": code.code,
        "redirect_uri": code.redirect_uri,
    }
    try:
        return await _ask(base_url, form, TOKEN_LIMITS)
    except _GrantRefusedError as error:
        raise exchange_refused(error.value, error.words) from None


async def refresh(
    base_url: str, refresh_token: str, *, limits: Limits = TOKEN_LIMITS
) -> TokenGrant:
    """New tokens for a refresh token; without a new refresh token the old one stays good.

    Raises TokenExpired where the service refuses it, and only then: a network that is down, or a
    service that is broken, says nothing about the sign-in.
    """
    remember_secret(refresh_token)
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    try:
        return await _ask(base_url, form, limits)
    except _GrantRefusedError as error:
        raise TokenExpired(
            tr("Sign in again"),
            tr("Your sign-in has run out. Sign in again to go on; what you typed is kept."),
            status=error.status,
            details=error.details,
        ) from None


class _GrantRefusedError(Exception):
    """The service understood the exchange and says no: the value, and its words, as sent."""

    def __init__(self, value: str, words: str, status: int, details: str) -> None:
        super().__init__(value)
        self.value = value
        self.words = words
        self.status = status
        self.details = details


class _TokenTransport(Transport):
    """The same way to another address: beside /v1, without a format."""

    def _url(self, request: Request) -> str:
        return f"{self._base_url}/{request.operation}"


async def _ask(base_url: str, form: Mapping[str, str], limits: Limits) -> TokenGrant:
    request = Request("POST", "oauth/token", body=as_query(form).encode())
    transport = _TokenTransport(base_address(base_url), NoAuth(), "json", limits)
    context = transport.context(request)
    try:
        response = await transport.send(context, limits.deadline)
    finally:
        await transport.aclose()
    return _Answer(response, context).tokens()


class _Answer(msgspec.Struct, frozen=True):
    """What came back, read in the order in which it can be something else."""

    response: Response
    context: RequestContext

    def tokens(self) -> TokenGrant:
        """The tokens; raises _GrantRefusedError or ApiError."""
        status = self.response.status
        if is_redirect(status) or status in _SOMEBODY_ELSE:
            raise self._foreign("not followed" if is_redirect(status) else "no such address")
        if is_fault(status) or status == HTTPStatus.TOO_MANY_REQUESTS:
            raise self._busy_or_broken()
        fields = self._fields()
        error = fields.get("error")
        if is_refusal(status) or error:
            raise self._refused(fields, error)
        return self._grant(fields)

    def _fields(self) -> dict[str, Tree]:
        if self.response.status in _OF_TOKENS and not self.response.body.strip():
            return {}
        try:
            tree = decode(self.response.body, "json")
        except UnreadableAnswer as error:
            raise self._foreign(error.details) from error
        if not isinstance(tree, dict):
            raise self._foreign("the answer is no object")
        return tree

    def _refused(self, fields: dict[str, Tree], error: Tree) -> Exception:
        # Seen in the field: services that put their one envelope around everything.
        told: Mapping[str, Tree] = error if isinstance(error, dict) else {}
        value = "" if told else text(error) or ""
        if value in _ITS_OWN_FAULT:
            return self._own_fault(value)
        if not error and self.response.status not in _OF_TOKENS:
            # Something in between refused: a proxy, or a network that wants a sign-in of its own.
            return self._foreign("a refusal without an error value")
        words = text(told.get("message") or fields.get("error_description")) or ""
        status = self.response.status
        details = self.context.details(
            status=status, code=whole(told.get("code")), reason=f"value: {value}" if value else ""
        )
        return _GrantRefusedError(value, words, status, details)

    def _grant(self, fields: dict[str, Tree]) -> TokenGrant:
        access, life = credential(fields.get("access_token")) or "", _life(fields.get("expires_in"))
        renewing = credential(fields.get("refresh_token")) or None
        if life is None or not is_visible(access):
            raise wrong_types(self.response, self.context, "no access token, or no life of it")
        remember_secret(access)
        remember_secret(renewing or "")
        return TokenGrant(access, self.context.asked_at + life, renewing)

    def _busy_or_broken(self) -> ApiError:
        return refusal(self.context, self.response.status, retry_after=self.response.retry_after)

    def _own_fault(self, value: str) -> ApiError:
        status = self.response.status
        return ServiceFault(
            tr("The service has a problem"),
            tr(
                "The service ran into a problem of its own. Try again in a moment; what you typed "
                "is kept."
            ),
            status=status,
            details=self.context.details(status=status, reason=f"value: {value}"),
            transient=True,
        )

    def _foreign(self, reason: str) -> ApiError:
        return connection_errors.not_the_service(self.context, reason, status=self.response.status)


def _life(expires_in: Tree) -> timedelta | None:
    """A number of seconds, or the text of one; the same rule as in a redirect."""
    if expires_in is None or expires_in == "":
        return life_of_access("")
    seconds = whole(expires_in, _LONGEST_TOLD)
    return None if seconds is None else life_of_access(str(seconds))
