"""A person somebody typed, on the way to the service, and a list of many who go there together."""

from datetime import datetime
from enum import StrEnum

import msgspec

from app.model.cause import Cause
from app.model.display_name import display_name


class EntryState(StrEnum):
    """Where an entry stands; each is a word a person understands."""

    WAITING = "waiting"
    """Held on this computer; it can still be undone."""
    SENDING = "sending"
    ADDED = "added"
    REFUSED = "refused"
    """The service said no, with a reason; the entry can be edited and sent again."""
    NOT_SURE = "not sure"
    """The reply never came: the person may or may not have been added. `Doubt` says more."""


class Doubt(StrEnum):
    """How far an entry that is not sure has been made sure."""

    LOOKING = "looking"
    """The list is read again, now or in a while; nobody has to do anything."""
    LOOKS_LIKE = "looks like"
    """`candidate_id` may be the one; only a person can tell."""
    ABSENT = "absent"
    """Nobody in the list is the one, or nobody can look: a person may send it again."""


class NewPerson(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
        """Both names as they are written together."""
        return display_name(self.firstname, self.lastname)


class OutboxEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One entry of the outbox. Times are UTC; `person_id` is known once it was added.

    Noted before it was sent: `known_ids` are people of the same name who are not the one, and
    `knew_all` says that the list had been read whole by then. `looks` counts how often the list was
    read in vain since. `candidate_id` and `candidate_added` belong to `Doubt.LOOKS_LIKE`.
    `ended_at` is when the outcome was known, `taken_off` when a person undid or dismissed it.
    `sent_again` counts how often a person had it sent once more, corrected or not.
    `reason` is why it is refused or not sure, in the words in which that was said first, and
    `cause` what that is, where it is known: `reason_words` are those to be shown.
    `service_words` is what the service itself said, where it did not simply add the person.
    `batch` is the id of the batch it came with, None for who was typed, and `row` its place among
    the batch's rows.
    """

    id: str
    typed: str
    new_person: NewPerson
    state: EntryState
    typed_at: datetime
    send_at: datetime
    reason: str = ""
    person_id: str | None = None
    known_ids: tuple[str, ...] = ()
    knew_all: bool = False
    doubt: Doubt = Doubt.LOOKING
    looks: int = 0
    candidate_id: str | None = None
    candidate_added: datetime | None = None
    ended_at: datetime | None = None
    taken_off: datetime | None = None
    sent_again: int = 0
    service_words: str = ""
    batch: str | None = None
    row: int = 0
    cause: Cause | None = None

    @property
    def reason_words(self) -> str:
        """Why it is refused or not sure, in the language that is spoken now; blank for neither.

        The service's own sentence is as it was.
        """
        return (str(self.cause) if self.cause is not None else "") or self.reason

    @property
    def needs_person(self) -> bool:
        """Whether it goes on only when a person decides."""
        open_question = self.state is EntryState.NOT_SURE and self.doubt is not Doubt.LOOKING
        return self.state is EntryState.REFUSED or open_question

    @property
    def done(self) -> bool:
        """Whether nothing more happens to it: it was added, or taken off the list."""
        return self.state is EntryState.ADDED or self.taken_off is not None


class BatchRow(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One row of a list as its source has it; `line` is where it stands there, counted from 1.

    `new_person` is whom it adds, and `left_out` why it adds nobody, as the review calls that
    ("already here"): exactly one of them says something. `as_read` is who stands in a row that is
    left out, and `other` what that is about: who is here, or the line of the same person. `anyway`:
    somebody took it in that the review had left out.
    """

    line: int
    cells: tuple[str, ...]
    new_person: NewPerson | None = None
    left_out: str = ""
    as_read: NewPerson | None = None
    other: str = ""
    anyway: bool = False


class BatchEnd(StrEnum):
    """How a person ended a batch before all of it was sent."""

    STOPPED = "stopped"
    UNDONE = "undone"


class Batch(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A list of people taken together. `rows` counts all of its rows, `total` those to be sent.

    `headings` are the source's own, one for each cell; `sheet` is where in a workbook they stood,
    of the `sheets` that it has, and `title` what stood above them, blank where that is nothing.
    `file` is the path that they were read from, as the system has it. Times are UTC.
    """

    id: str
    name: str
    headings: tuple[str, ...]
    taken_at: datetime
    rows: int
    total: int
    paused: bool = False
    end: BatchEnd | None = None
    sheet: str = ""
    title: str = ""
    sheets: tuple[str, ...] = ()
    file: bytes = b""

    def entry_id(self, row: int) -> str:
        """The id of the entry that was made of a row."""
        return f"{self.id}.{row:06}"
