"""Whether a list is that of an organisation known before: enough people of both are the same.

What is done where they are not is left to `app.workspace.account_check`.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from app.model.person import Person
from app.store.outbox.outbox import OutboxStore
from app.store.search_keys import search_text

if TYPE_CHECKING:
    from app.api.service import Service

_SAMPLE = "known people"
SAMPLE_SIZE = 64
"""So many ids are enough to know an organisation again when the lists are gone."""


class AccountMatch(StrEnum):
    """What comparing has shown."""

    SAME = "same"
    """Somebody who was known before is in the list."""
    NOTHING_TO_COMPARE = "nothing to compare"
    """Nobody was known before: there is no reason to ask."""
    NOBODY_KNOWN = "nobody known"
    """None of those known before is in the list: only a person can tell why."""
    NOBODY_LISTED = "nobody listed"
    """Somebody was known before, and the list is empty: that tells nothing."""


def recognise(listed: Iterable[str], is_known: Callable[[str], bool], known: int) -> AccountMatch:
    """Compare the ids in the list with those known before, of whom there are `known`."""
    if not known:
        return AccountMatch.NOTHING_TO_COMPARE
    found = any(is_known(person_id) for person_id in listed)
    return AccountMatch.SAME if found else AccountMatch.NOBODY_KNOWN


async def recognise_service(
    service: "Service",
    is_known: Callable[[str], bool],
    known: int,
    kept: Callable[[str], Person | None] = lambda _id: None,
) -> AccountMatch:
    """The same for a service, of which no more is read than it takes. Raises ApiError.

    Two organisations may count their people from one on: an id tells nothing where somebody else
    is `kept` under it. Ask before the list is read into what this computer keeps: that forgets
    those known before.
    """
    if not known:
        return AccountMatch.NOTHING_TO_COMPARE
    listing = service.people()
    async for batch in listing.pages():
        ids = (
            person.id
            for person in batch
            if is_known(person.id) and not _is_somebody_else(person, kept(person.id))
        )
        if recognise(ids, is_known, known) is AccountMatch.SAME:
            return AccountMatch.SAME
    return AccountMatch.NOBODY_KNOWN if listing.received else AccountMatch.NOBODY_LISTED


def _is_somebody_else(person: Person, before: Person | None) -> bool:
    """Whether an id is another person's now: by both names and by email. A name that was married
    or corrected, or a new email, makes nobody another person.
    """
    if before is None:
        return False
    told = [
        (_told(one), _told(other))
        for one, other in (
            (person.firstname, before.firstname),
            (person.lastname, before.lastname),
            (person.email, before.email),
        )
    ]
    # What either of them does not tell says nothing; one name and nothing else is too little.
    compared = [(one, other) for one, other in told if one and other]
    return len(compared) > 1 and all(one != other for one, other in compared)


def _told(text: str | None) -> str:
    return search_text(text).strip()


def read_sample(store: OutboxStore) -> tuple[str, ...]:
    """The ids of some people of the organisation that those in the outbox were typed for. Raises
    StoreError.
    """
    try:
        return msgspec.json.decode(store.metadata(_SAMPLE) or "[]", type=tuple[str, ...])
    except msgspec.DecodeError:
        return ()


def write_sample(store: OutboxStore, person_ids: Iterable[str]) -> None:
    """Note `SAMPLE_SIZE` of these as such. Raises StoreError."""
    sample = tuple(person_ids)[:SAMPLE_SIZE]
    store.set_metadata(_SAMPLE, msgspec.json.encode(sample).decode() if sample else None)
