"""The pages of everybody: with which parameters a service is asked for them, and what it takes.

The document shows no parameters of people/getAll, so each is found out here while it is used; which
page is wanted, and whether the list is whole, is left to the plan.
"""

import asyncio
from collections.abc import Container
from dataclasses import replace
from http import HTTPStatus

import msgspec

from app.api import requests
from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    NotFound,
    NotPermitted,
    ServiceFault,
    UnreadableAnswer,
)
from app.api.pagination.fast_pages import digest_of, known_page, read_page
from app.api.pagination.page_plan import PeoplePage
from app.api.requester import Items, Requester
from app.api.requests import Limits, ListAs
from app.api.resources import read_person
from app.api.responses import Response
from app.model.person import Person

_MAY_BE_ABOUT_FIELDS = (InputRefused, NotFound, NotPermitted, ServiceFault, UnreadableAnswer)


class FurtherFields(msgspec.Struct):
    """Whether a service takes being asked for more of a person than the document names; None until
    it has been tried. Whoever reads several times keeps one for each service.
    """

    taken: bool | None = None


class PeoplePages:
    """The pages of everybody; one object per reading, since it learns how the service is asked."""

    def __init__(
        self,
        requester: Requester,
        list_as: ListAs,
        further: FurtherFields,
        limits: Limits,
    ) -> None:
        """Nothing is known of the service yet but what an earlier reading found of `further`."""
        self._requester = requester
        self._list_as = list_as
        self._further = further
        self._page_seconds = limits.page_seconds
        self._known: Container[bytes] = ()
        self._tells_pages = False
        self._plain = False
        self._taken = False
        self._short_anyway = False

    async def page(self, number: int, size: int) -> PeoplePage:
        """The page with this number, from 1, where `size` people a page are asked for.

        The document shows no parameters: where the first page is refused, it is asked for again
        without them, and so are those that follow.
        """
        if self._further.taken and not self._plain:
            return await self._more(number, size)
        clock = asyncio.get_running_loop().time
        begun = clock()
        page = await self._without(number, size)
        if number == 1 and self._further.taken is None and not self._plain:
            return await self._tried(page, size, clock() - begun)
        return page

    def recognise(self, known: Container[bytes]) -> None:
        """Pages of these digests need not be read again, where answers are JSON."""
        self._known, self._tells_pages = known, self._requester.format_name == "json"

    async def hides_somebody(self, total: int) -> bool:
        """Whether the service, which counted `total` people, counts more where it is not asked for
        further fields, or minds being asked so: then it is not asked for them any more.
        """
        if self._plain or not self._further.taken:
            return False
        try:
            page = await self._fetch(1, requests.SMALLEST_PAGE)
        except _MAY_BE_ABOUT_FIELDS:
            self._further.taken = False
        else:
            self._further.taken = (page.total or 0) <= total
        return not self._further.taken

    async def _tried(self, page: PeoplePage, size: int, seconds: float) -> PeoplePage:
        """The first page, asked for once more with further fields, where that costs little; `page`
        itself, which took `seconds`, where they are not taken.

        Never a wrong or shorter list for their sake: what comes has to hold all that came without.
        """
        if seconds > self._page_seconds or not page.people or page.sent > size:
            return page
        if all(
            each.preferred_name is not None and each.deceased is not None for each in page.people
        ):
            self._further.taken = False  # they come unasked
            return page
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            async with asyncio.timeout(self._page_seconds):
                more = await self._fetch(1, size, further=True)
        except (TimeoutError, NotAuthorised, *_MAY_BE_ABOUT_FIELDS):
            more = PeoplePage()
        except ApiError:
            return replace(page, seconds=seconds)  # which says nothing about fields
        took = clock() - begun
        self._further.taken = _holds(more, page)
        return (
            replace(more, seconds=took) if self._further.taken else replace(page, seconds=seconds)
        )

    async def _more(self, number: int, size: int) -> PeoplePage:
        """The page with further fields, or without them where that gives more."""
        try:
            page = await self._fetch(number, size, further=True)
        except _MAY_BE_ABOUT_FIELDS as error:
            try:
                page = await self._without(number, size)
            except ApiError:
                # They were not the reason.
                raise error from None
            self._further.taken = False
            return page
        # Fewer than stand there by the service's own count?
        stand_there = None if page.total is None else page.total - (number - 1) * size
        is_short = stand_there is not None and page.sent < min(size, stand_there)
        if self._short_anyway or not is_short:
            return page
        without = await self._fetch(number, size)
        self._short_anyway = without.sent <= page.sent
        if self._short_anyway:
            return page
        self._further.taken = False
        return without

    async def _without(self, number: int, size: int) -> PeoplePage:
        """The page without further fields, and the first one without any parameters where it is
        refused with them.
        """
        try:
            return await self._fetch(number, size)
        except InputRefused:
            if number > 1 or self._plain or self._taken:
                raise
            self._plain = True
            return await self._fetch(number, size)

    async def _fetch(self, number: int, size: int, *, further: bool = False) -> PeoplePage:
        plain = requests.plain_people_page(number)
        digest = b""

        def recognise(response: Response) -> PeoplePage | None:
            nonlocal digest
            if self._tells_pages:
                digest = digest_of(response)
                # Until it is known which fields are taken, the first page is looked at itself.
                if digest and self._further.taken is not None and digest in self._known:
                    known = known_page(response.body, digest)
                    if known is not None:
                        return known
            found = read_page(response.body) if response.status == HTTPStatus.OK else None
            return None if found is None else page_of(found)

        def page_of(found: Items[Person]) -> PeoplePage:
            return PeoplePage(
                found.items,
                found.total,
                found.per_page,
                found.sent,
                found.unreadable,
                b"" if found.unreadable else digest,
            )

        asked = requests.people_page(number, size, self._list_as, further=further)
        found = await self._requester.ask_list(
            plain if self._plain else asked,
            "people",
            "person",
            read_person,
            page_of,
            further_on=number > 1,
            of_people=number == 1 and not self._taken,
            recognise=recognise if self._requester.format_name == "json" else None,
        )
        self._taken = True
        return found


def _holds(more: PeoplePage, page: PeoplePage) -> bool:
    """Whether `more` says of everybody on `page` what `page` says, and counts no fewer."""
    there = {person.id: person for person in more.people}
    return (more.total or 0) >= (page.total or 0) and all(
        person.id in there and _says(there[person.id], person) for person in page.people
    )


def _says(more: Person, person: Person) -> bool:
    told = ((name, getattr(person, name)) for name in requests.FIELDS)
    return all(value is None or getattr(more, name) == value for name, value in told)
