"""The client for programs: people, people flows and adding somebody, with typed errors only.

It knows the operations and what they give; asking and reading are left to the requester.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import TracebackType
from typing import Self, TypeVar, get_args
from weakref import WeakSet

import msgspec
from msgspec.structs import replace

from app.api import connection_errors, requests
from app.api.addresses import base_address
from app.api.auth import Credential
from app.api.envelope import proves_none, proves_people
from app.api.errors import ApiError, InputRefused, NotFound
from app.api.formats import check_format
from app.api.pagination.people_listing import PeopleListing
from app.api.pagination.people_pages import FurtherFields, PeoplePages
from app.api.requester import Items, Requester
from app.api.requests import DEFAULT_LIMITS, Limits, ListAs, Request, SendAs
from app.api.resources import PeopleFlows, read_created, read_flow
from app.api.transport import Transport
from app.model.flow import PeopleFlow
from app.model.person import Person

Result = TypeVar("Result")
_LARGEST_OF_OTHERS = 200
Way = TypeVar("Way", SendAs, ListAs)


class ServiceClient:
    """One service, one credential. Close it with `aclose`, or use it in `async with`."""

    def __init__(
        self,
        base_url: str,
        auth: Credential,
        format: str = "json",  # noqa: A002 - outside programs use this name
        *,
        send_as: SendAs = "json",
        list_as: ListAs = "query",
        on_outcome: Callable[[ApiError | None], None] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        further: FurtherFields | None = None,
    ) -> None:
        """Nothing is sent yet. `on_outcome` is told how each operation and each page ended.

        `send_as` ("json" or "form") is how somebody is added, `list_as` ("query", or "json" and
        "form" by POST) how people are asked for; the flows take no parameters. Raises ValueError
        for another way, for a format without a reader and AddressRefused for a `base_url` that
        is no http or https address; its path is kept in front of every call. With `further` people
        are asked for with more fields than the document names, where the service takes that.
        """
        format_name = check_format(format)
        self._send_as = _one_of(send_as, get_args(SendAs))
        self._list_as = _one_of(list_as, get_args(ListAs))
        self._limits = _for_format(limits, format_name)
        self._further = further or FurtherFields(taken=False)
        self._on_outcome = on_outcome
        self._transport = Transport(base_address(base_url), auth, format_name, limits)
        self._requester = Requester(self._transport, format_name, limits)
        self._listings: WeakSet[PeopleListing] = WeakSet()

    def people(self) -> PeopleListing:
        """Everybody (api-spec, people/getAll): returns at once, fetches while it is read."""
        pages = PeoplePages(self._requester, self._list_as, self._further, self._limits)
        listing = PeopleListing(
            lambda number, size: self._told(pages.page(number, size)),
            self._limits,
            lambda total: self._told(pages.hides_somebody(total)),
            pages.recognise,
        )
        self._listings.add(listing)
        return listing

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        """Add somebody and give the new person back (api-spec, people/create).

        Where the service answers with less than the person, what was sent stands in for it and
        the rest is None. Raises ApiError; with `outcome_unknown` the person may have been added.
        """
        return await self._told(self._create(firstname, lastname, email))

    async def people_flows(self) -> PeopleFlows:
        """Every people flow with its steps (api-spec, peopleFlows/getAll); raises ApiError."""
        return await self._told(self._flows())

    async def check(self) -> None:
        """One small read that proves address and credential; raises ApiError when it does not.

        Whatever is not the service's own list of people proves nothing, however well it is meant:
        it raises UnreadableAnswer or NotFound.
        """
        await self._told(self._check())

    async def aclose(self) -> None:
        """End every connection; what is under way fails, later calls raise Unreachable."""
        await self._transport.aclose()
        for listing in tuple(self._listings):
            await listing.pause()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _create(self, firstname: str, lastname: str, email: str) -> Person:
        request = requests.create_person(firstname, lastname, email, self._send_as)
        person = await self._requester.ask(request, "person", read_created)
        sent = {"firstname": firstname, "lastname": lastname, "email": email}
        missing = {name: sent[name] for name in sent if getattr(person, name) is None}
        return msgspec.structs.replace(person, **missing)

    async def _flows(self) -> PeopleFlows:
        request = requests.all_flows()
        return await self._requester.ask_list(
            request, "people_flows", "people_flow", read_flow, _gathered
        )

    async def _check(self) -> None:
        try:
            await self._prove(requests.one_small_page(self._list_as))
        except InputRefused:
            # The document shows no parameters, so a service may take none.
            await self._prove(requests.plain_people_page(1))

    async def _prove(self, request: Request) -> None:
        try:
            proven = await self._requester.ask(request, "people", proves_people)
        except NotFound as error:
            if not proves_none(error.none_match):
                raise
            proven = True
        if not proven:
            context = self._transport.context(request)
            raise connection_errors.not_the_service(
                context, "no list of people", status=HTTPStatus.OK
            )

    async def _told(self, operation: Awaitable[Result]) -> Result:
        """Tell `on_outcome` how `operation` ended; one that was cancelled has not ended."""
        try:
            result = await operation
        except ApiError as error:
            self._tell(error)
            raise
        self._tell(None)
        return result

    def _tell(self, outcome: ApiError | None) -> None:
        if self._on_outcome is not None:
            self._on_outcome(outcome)


def _for_format(limits: Limits, format_name: str) -> Limits:
    """Only JSON is read so fast that a thousand people hold up nothing else."""
    if format_name == "json":
        return limits
    return replace(limits, largest_page=min(limits.largest_page, _LARGEST_OF_OTHERS))


def _gathered(found: Items[PeopleFlow]) -> PeopleFlows:
    return PeopleFlows(found.items, found.total, len(found.unreadable))


def _one_of(way: Way, ways: tuple[Way, ...]) -> Way:
    if way not in ways:
        raise ValueError(f"nothing can be sent as {way!r} there; choose from: {', '.join(ways)}")
    return way
