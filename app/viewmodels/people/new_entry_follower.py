"""Following who was added just now: their row comes into sight, once waiting and once added."""

from collections.abc import Sequence

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.outbox import Outbox
from app.viewmodels.people.table import EntriesShown, Key, PeopleTable


class NewEntryFollower:
    """Knows who was added since the start of the program."""

    def __init__(self, outbox: Outbox, entries: EntriesShown) -> None:
        """Entries that `outbox` has already are no news."""
        self._outbox = outbox
        self._entries = entries
        self._known = {entry.id for entry in outbox.entries()}
        self._followed: str | None = None
        self._was_on_top = False
        self.added: set[str] = set()
        """The ids of the people who were added since the start."""

    def hear(self, entries: Sequence[OutboxEntry]) -> None:
        """These are new or not as they were; of several new ones the last is followed."""
        self.added.update(
            entry.person_id
            for entry in entries
            if entry.person_id is not None and entry.state is EntryState.ADDED
        )
        new = [entry.id for entry in entries if entry.id not in self._known]
        if new:
            self._known.update(new)
            self._followed, self._was_on_top = new[-1], False

    def let_go(self) -> None:
        """Somebody has gone elsewhere in the list: follow nobody there."""
        self._followed = None

    def come(self, table: PeopleTable) -> Key | None:
        """The row of `table` to bring into sight now, each once; None for none."""
        entry = self._outbox.entry(self._followed)
        if entry is None:
            return None
        row = self._entries.row_of(entry)
        if row is None:
            first, self._was_on_top = not self._was_on_top, True
            return entry.id if first else None
        if table.position_of(row) is None:
            return None
        self._followed = None
        return row
