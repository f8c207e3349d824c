"""What the outbox takes: a person with a name, in characters that any file can hold."""

import uuid
from datetime import datetime, timedelta

import msgspec

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.runtime.words import tr


def new_entry(typed: str, new_person: NewPerson, now: datetime, hold: float) -> OutboxEntry:
    """An entry that waits for `hold` seconds. Raises ExpectedError when both names are blank."""
    return OutboxEntry(
        id=uuid.uuid4().hex,
        typed=whole(typed),
        new_person=acceptable(new_person),
        state=EntryState.WAITING,
        typed_at=now,
        send_at=now + timedelta(seconds=hold),
    )


def acceptable(new_person: NewPerson) -> NewPerson:
    """The person as it can be kept. Raises ExpectedError when both names are blank."""
    fields = msgspec.structs.asdict(new_person)
    person = NewPerson(**{name: whole(text) for name, text in fields.items()})
    if not person.firstname.strip() and not person.lastname.strip():
        raise ExpectedError(
            tr("A name is needed"), tr("Type a first name or a last name for this person.")
        )
    return person


def whole(text: str) -> str:
    """`text` without halves of characters, which a keyboard can leave and no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
