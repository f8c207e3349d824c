"""Who may be the same person as one that is being typed, as a view tells it: below the line for
adding, and below a cell of a list that is looked over.
"""

from collections.abc import Sequence

import msgspec

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.outbox.duplicate_index import Key, KnownPerson
from app.people.duplicates import Match
from app.runtime.words import in_a_row, tr
from app.viewmodels.formatting import day, initials, name_of


class DuplicateHint(msgspec.Struct, frozen=True):
    """Somebody who may be the same person, as one line below what is typed."""

    key: Key
    """What the People table knows them by."""
    name: str
    initials: str
    email: str
    about: str
    """Why it is thought, and what else is known of them."""

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return in_a_row(part for part in (self.name, self.email, self.about) if part)


def duplicate_hint(match: Match[KnownPerson]) -> DuplicateHint:
    """The line for one match."""
    known = match.person.known_as
    name = name_of(known) if isinstance(known, Person) else known.new_person.full_name
    return DuplicateHint(
        key=match.person.id,
        name=name,
        initials=initials(name),
        email=match.person.email or "",
        about=in_a_row(part for part in (match.reason, *_known_words(known)) if part),
    )


def _known_words(known: Person | OutboxEntry) -> tuple[str, ...]:
    if isinstance(known, Person):
        added = day(known.date_added)
        return (
            tr("added {day}", day=added) if added else "",
            tr("deceased") if known.deceased else "",
            tr("archived") if known.archived else "",
        )
    words = {
        EntryState.WAITING: tr("typed here, waiting to be sent"),
        EntryState.SENDING: tr("typed here, on the way to the account"),
        EntryState.ADDED: tr("added just now"),
        EntryState.REFUSED: tr("typed here, refused by the account"),
        EntryState.NOT_SURE: tr("typed here, not sure whether they were added"),
    }
    return (words[known.state],)


def already_here_words() -> str:
    """What stands before those who may be the same person."""
    return tr("Already here?")


def hints_spoken(hints: Sequence[DuplicateHint]) -> str:
    """Who may be the same person, as a screen reader tells it; blank for nobody."""
    if not hints:
        return ""
    people = "; ".join(hint.spoken for hint in hints)
    return f"{already_here_words()} {people}."
