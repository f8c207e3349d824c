"""A person somebody typed, on the way to the service."""

from datetime import datetime
from enum import StrEnum

import msgspec


class EntryState(StrEnum):
    """Where an entry stands; each is a word a person understands."""

    WAITING = "waiting"
    """Held on this computer; it can still be undone."""
    SENDING = "sending"
    ADDED = "added"
    REFUSED = "refused"
    """The service said no, with a reason; the entry can be edited and sent again."""
    NOT_SURE = "not sure"
    """The reply never came: the person may or may not have been added."""


class NewPerson(msgspec.Struct, frozen=True, kw_only=True):
    """What a typed line says: the three fields the service takes, and what it does not.

    `phone` is recognised so that it is not mistaken for a name; it cannot be sent. `leftover` is
    whatever else could not be used, as it was typed.
    """

    firstname: str = ""
    lastname: str = ""
    email: str = ""
    phone: str = ""
    leftover: str = ""

    @property
    def full_name(self) -> str:
        """First and last name in one line."""
        return " ".join(part for part in (self.firstname, self.lastname) if part)


class OutboxEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the outbox. Times are UTC; `person_id` is known once it was added."""

    id: str
    typed: str
    new_person: NewPerson
    state: EntryState
    typed_at: datetime
    send_at: datetime
    reason: str = ""
    person_id: str | None = None
