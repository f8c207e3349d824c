"""Whether a sign-in speaks for the organisation this computer knows.

The service does not say whose account it is (api-spec has no such call), so it is recognised by its
people: ids are the service's own and belong to one organisation only.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.api.service import Service


class Recognition(StrEnum):
    """What comparing has shown."""

    SAME = "same"
    """Somebody who was known before is in the list."""
    NOTHING_TO_COMPARE = "nothing to compare"
    """Nobody was known before: there is no reason to ask."""
    NOBODY_KNOWN = "nobody known"
    """None of those known before is in the list: only a person can tell why."""


def recognise(listed: Iterable[str], is_known: Callable[[str], bool], known: int) -> Recognition:
    """Compare the ids in the list with those known before, of whom there are `known`."""
    if not known:
        return Recognition.NOTHING_TO_COMPARE
    found = any(is_known(person_id) for person_id in listed)
    return Recognition.SAME if found else Recognition.NOBODY_KNOWN


async def recognise_service(
    service: "Service", is_known: Callable[[str], bool], known: int
) -> Recognition:
    """The same for a service, of which no more is read than it takes. Raises ApiError.

    Ask before the list is read into what this computer keeps: that forgets those known before.
    """
    if not known:
        return Recognition.NOTHING_TO_COMPARE
    async for batch in service.people().pages():
        ids = (person.id for person in batch)
        if recognise(ids, is_known, known) is Recognition.SAME:
            return Recognition.SAME
    return Recognition.NOBODY_KNOWN
