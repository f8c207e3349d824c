"""Whether somebody in the list is the person whose reply was lost.

The service tells nobody who added whom, so it is judged by what is new in the list since: the same
name, the same email, and an id that was not there before.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.people.outbox_list import same_email

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The person who looks most like it, or None; `sure` when nobody needs to be asked."""

    person: Person | None
    sure: bool = False


def judge(entry: OutboxEntry, namesakes: Iterable[Person], claimed: Collection[str]) -> Likeness:
    """Who of `namesakes`, all of the entry's name, is the one; `claimed` belong to other entries.

    Sure is only one new person with the same email, where the list was whole before it was sent.
    Somebody with another email is not the one; where either has none, a person has to tell.
    """
    new = [person for person in namesakes if person.id not in {*entry.known_ids, *claimed}]
    email = entry.new_person.email.strip()
    same = [person for person in new if email and same_email(person.email, email)]
    if same:
        return Likeness(_newest(same), sure=entry.knew_all and len(same) == 1)
    perhaps = [person for person in new if not email or not (person.email or "").strip()]
    return Likeness(_newest(perhaps) if perhaps else None)


def _newest(people: Iterable[Person]) -> Person:
    return max(people, key=lambda person: (person.date_added or _LONG_AGO, person.id))
