"""Whether two records are the same person: two entries, or an entry whose reply was lost and
somebody in the list.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec

from app.model import field_limits
from app.model.outbox import NewPerson, OutboxEntry
from app.model.person import Person
from app.store.search_keys import SEPARATOR, as_typed, search_text

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
