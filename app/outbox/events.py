"""What the outbox tells the rest of the program, as plain frozen objects."""

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

import msgspec

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person


class PauseReason(StrEnum):
    """Why nothing is being sent although somebody waits; of several, the first here is told."""

    OTHER_ORGANISATION = "other organisation"
    """The sign-in may be one of another organisation; it ends with `recognised()`."""
    SIGN_IN = "sign in"
    """The service refused the credential; it ends with `resume()` after signing in."""
    NOT_COMPARED = "not compared"
    """The list of the account was never read; it ends with `compared()`."""
    BY_HAND = "by hand"
    """`pause()` was called; it ends with `resume()`."""
    NO_ROOM = "no room"
    """This computer cannot keep what becomes of an entry; tried again by itself."""
    UNREACHABLE = "unreachable"
    """The service could not be reached or wants to be left alone; tried again by itself."""
    SERVICE_FAULT = "service fault"
    """The service answers that it has a problem of its own; tried again by itself."""


class EntriesChanged(msgspec.Struct, frozen=True, dict=True):
    """What was done together: one transaction, told once, however many entries it was about.

    What several of those who hear it ask of each entry is found out once: to go through ten
    thousand takes a millisecond.
    """

    changed: tuple[OutboxEntry, ...] = ()
    """Entries that are new or not as they were, as they stand now, newest last."""
    removed: tuple[OutboxEntry, ...] = ()
    """Entries that are no longer on the list, undone or dismissed, as the history has them."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of `changed`."""
        return tuple([entry.id for entry in self.changed])

    @cached_property
    def added(self) -> tuple[OutboxEntry, ...]:
        """Those of `changed` who were added."""
        return added_of(self.changed)


def added_of(entries: Iterable[OutboxEntry]) -> tuple[OutboxEntry, ...]:
    """Those of them who were added."""
    # Asked of ten thousand at once: the name of a state takes longer than to compare it.
    added = EntryState.ADDED
    return tuple([entry for entry in entries if entry.state is added])


class PersonAdded(msgspec.Struct, frozen=True):
    """The service added a person; `person` is its answer, in which only the id is certain."""

    entry: OutboxEntry
    person: Person


class PersonFound(msgspec.Struct, frozen=True):
    """The list has somebody whose answer was lost: they were added."""

    person_id: str


class BatchesChanged(msgspec.Struct, frozen=True):
    """Batches that are new, or not as they were: how they stand, or how far they are.

    What a person asks for is told at once; how far they are, some times a second.
    """

    ids: tuple[str, ...]


class PauseChanged(msgspec.Struct, frozen=True):
    """The outbox paused, is paused for something else to be said, or goes on (None)."""

    reason: PauseReason | None
