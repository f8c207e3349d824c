"""Whether two records are the same person: two entries, an entry whose reply was lost and somebody
in the list, or enough people of two lists to know the organisation again."""

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from app.model import field_limits
from app.model.outbox import NewPerson, OutboxEntry
from app.model.person import Person
from app.store.outbox.outbox import OutboxStore
from app.store.search_keys import SEPARATOR, as_typed, search_text

if TYPE_CHECKING:
    from app.api.service import Service

_SAMPLE = "known people"
SAMPLE_SIZE = 64
"""So many ids are enough to know an organisation again when the lists are gone."""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


Identity: TypeAlias = tuple[str, str]
"""A name and an email, folded."""


def identity(new: NewPerson) -> Identity:
    """What tells an entry from others in the list: two with the same one could be taken for one."""
    return name_key(new.firstname, new.lastname), _email_key(new.email)


def same_email(one: str | None, other: str | None) -> bool:
    """Whether two emails are one, or both missing; letters large or small, entities decoded."""
    return _email_key(one) == _email_key(other)


def _email_key(email: str | None) -> str:
    return as_typed(email or "").strip().casefold()


def name_key(firstname: str, lastname: str) -> str:
    """How the key of everybody of this name begins; a list tells no more of a name than is kept."""
    last, first = (
        field_limits.shortened(name, field_limits.NAME) for name in (lastname, firstname)
    )
    return f"{search_text(last)}{SEPARATOR}{search_text(first)}{SEPARATOR}"


def is_somebody_else(known: Person | NewPerson, new: NewPerson) -> bool:
    """Whether `known` cannot be the one who was sent: by a name, or by an email where both have
    one. A name that is not told says nothing.
    """
    told = [
        (known_as, name)
        for known_as, name in ((known.firstname, new.firstname), (known.lastname, new.lastname))
        if known_as is not None
    ]
    if any(name_key(known_as, "") != name_key(name, "") for known_as, name in told):
        return True
    both_told = bool((known.email or "").strip() and new.email.strip())
    return both_told and not same_email(known.email, new.email)


class Matching(msgspec.Struct, frozen=True):
    """The person who looks most like it, or None; `sure` when nobody needs to be asked."""

    person: Person | None
    sure: bool = False


def judge(entry: OutboxEntry, namesakes: Iterable[Person], claimed: Collection[str]) -> Matching:
    """Who of `namesakes`, all of the entry's name, is the one; `claimed` belong to other entries.

    Sure is only one new person with the same email, where the list was whole before it was sent.
    Somebody with another email is not the one; where either has none, a person has to tell.
    """
    new = [person for person in namesakes if person.id not in {*entry.known_ids, *claimed}]
    email = entry.new_person.email.strip()
    same = [person for person in new if email and same_email(person.email, email)]
    if same:
        return Matching(_newest(same), sure=entry.knew_all and len(same) == 1)
    perhaps = [person for person in new if not email or not (person.email or "").strip()]
    return Matching(_newest(perhaps) if perhaps else None)


def _newest(people: Iterable[Person]) -> Person:
    return max(people, key=lambda person: (person.date_added or _LONG_AGO, person.id))


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
