"""Finds out whether a service of this kind is at an address, before anybody signs in there.

It asks without any credential, the typed host alone and nothing behind a redirect; apart from the
ways to sign in, since none of what they have is given away here. What is made of it is left to
whoever asks: a service may hide behind odd answers, so only a plain no is one.
"""

import asyncio
from collections.abc import Sequence
from enum import StrEnum, auto
from http import HTTPStatus

from app.api import requests
from app.api.addresses import base_address, is_loopback, parse_address
from app.api.auth import NoCredential
from app.api.envelope import proves_none, proves_people
from app.api.error_responses import is_success
from app.api.errors import ApiError, NotAuthorised, NotEncrypted, NotFound, UnreadableAnswer
from app.api.requester import Requester
from app.api.requests import Limits, Request
from app.api.responses import Response, is_page
from app.api.sign_in.oauth import SignInRequest
from app.api.transport import Transport

DISCOVERY_LIMITS = Limits(deadline=5.0, connect=4.0, silence=4.0, answer=256 * 1024, tries=1)
_OF_THE_SERVICE = frozenset({50, 100, 102, 121})
"""Codes with which it refuses a caller it does not know (api-spec, Errors; seen in the field)."""
_NOTHING_THERE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.GONE})
_MOST_SHORTER = 4


class Presence(StrEnum):
    """What an address gives away about itself."""

    SERVICE = auto()
    SOMETHING_ELSE = auto()
    UNKNOWN = auto()
    """Nobody answered, or in a way that a service may hide behind."""


async def presence_at(base_url: str, *, limits: Limits = DISCOVERY_LIMITS) -> Presence:
    """What is at `base_url`, judged by how it refuses a caller without a credential."""
    try:
        return await encrypted_presence_at(base_url, limits=limits)
    except NotEncrypted:
        return Presence.UNKNOWN


async def unencrypted_address(base_url: str) -> str | None:
    """The same address with http:// where that leads to a service on this computer; None elsewhere:
    on any way out of it somebody could read along.
    """
    address = f"http://{base_address(base_url).partition('://')[2]}"
    if not is_loopback(parse_address(address).host):
        return None
    there = await presence_at(address)
    return address if there is Presence.SERVICE else None


async def encrypted_presence_at(base_url: str, *, limits: Limits = DISCOVERY_LIMITS) -> Presence:
    """As `presence_at`; raises NotEncrypted where an https address does not speak it."""
    to_service = Transport(base_address(base_url), NoCredential(), "json", limits)
    requester = Requester(to_service, "json", limits)
    try:
        proven = await requester.ask(requests.one_small_page(), "people", proves_people)
    except NotEncrypted:
        raise
    except ApiError as error:
        return _presence_behind(error)
    finally:
        await to_service.aclose()
    return Presence.SERVICE if proven else Presence.SOMETHING_ELSE


async def shorter_address(base_url: str, *, limits: Limits = DISCOVERY_LIMITS) -> str | None:
    """The longest address of the same origin with less behind it at which the service is."""
    candidates = shorter_addresses(base_url)
    found = await asyncio.gather(*(presence_at(each, limits=limits) for each in candidates))
    there = (each for each, what in zip(candidates, found, strict=True) if what is Presence.SERVICE)
    return next(there, None)


def shorter_addresses(base_url: str) -> Sequence[str]:
    """`base_url` without the last step of its path, without the last two, ...: the longest first,
    a few at the most and always the origin alone.
    """
    place = parse_address(base_address(base_url))
    steps = [step for step in place.path.split("/") if step]
    lengths = [*range(len(steps) - 1, 0, -1)][: _MOST_SHORTER - 1] + ([0] if steps else [])
    return [place.origin + "".join(f"/{step}" for step in steps[:length]) for length in lengths]


async def has_no_page(request: SignInRequest, *, limits: Limits = DISCOVERY_LIMITS) -> bool:
    """Whether there certainly is no page to sign in on: nothing there, data in its place, or a site
    that shows one and the same page whatever it is asked for.
    """
    query = request.address.partition("?")[2]
    # A state is for one attempt, and this is none.
    sent = "&".join(pair for pair in query.split("&") if not pair.startswith("state="))
    listing = requests.one_small_page()
    to_page = _PageTransport(base_address(request.base_url), NoCredential(), "", limits)
    try:
        page, data = await asyncio.gather(
            to_page.response(Request("GET", "oauth", query=sent)),
            to_page.response(Request("GET", f"v1/{listing.operation}.json", query=listing.query)),
        )
    finally:
        await to_page.aclose()
    if page is None or page.status in _NOTHING_THERE:
        return page is not None
    same = data is not None and page.body == data.body
    return is_success(page.status) and (_is_data(page) or same)


class _PageTransport(Transport):
    """The same way to any address of the account, without a format."""

    async def response(self, request: Request) -> Response | None:
        """The answer, whatever it is; None where there is none."""
        try:
            return await self.send(self.context(request), self._limits.deadline)
        except ApiError:
            return None

    def _url(self, request: Request) -> str:
        return f"{self._base_url}/{request.operation}"


def _is_data(response: Response) -> bool:
    return not is_page(response.media) or response.body.lstrip()[:1] in {b"{", b"["}


def _presence_behind(error: ApiError) -> Presence:
    match error:
        case NotAuthorised() if error.code in _OF_THE_SERVICE:
            return Presence.SERVICE
        case NotFound() if proves_none(error.none_match):
            return Presence.SERVICE
        case NotFound():
            return Presence.SOMETHING_ELSE
        case UnreadableAnswer() if not error.transient:
            plain = error.status == HTTPStatus.OK or error.status in _NOTHING_THERE
            return Presence.SOMETHING_ELSE if plain else Presence.UNKNOWN
    return Presence.UNKNOWN
