"""What somebody new has to have before they wait to be added, and how they are kept.

Whatever comes in passes here, be it typed, corrected or a row of a list.
"""

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
    """The person as it can be kept, without marks that nobody sees in a name or an email: with
    them somebody is not found to be here already. Raises ExpectedError when both names are blank.
    """
    fields = {name: whole(text) for name, text in msgspec.structs.asdict(new_person).items()}
    fields |= {name: _visible(fields[name]) for name in ("firstname", "lastname", "email")}
    person = NewPerson(**fields)
    if not person.firstname.strip() and not person.lastname.strip():
        raise ExpectedError(
            tr("A name is needed"), tr("Type a first name or a last name for this person.")
        )
    return person


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    from app.people.parsing.tokenizer import clean  # noqa: PLC0415 - no start needs it

    return clean(text)


def whole(text: str) -> str:
    """`text` without halves of characters, which a keyboard can leave and no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
