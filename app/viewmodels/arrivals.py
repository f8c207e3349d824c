"""Whoever was typed last is brought into sight: on top at first, then where the list has them.

It follows one entry until its person is in the list, or somebody goes elsewhere. What scrolls, and
who is chosen meanwhile, is left to others.
"""

from app.model.outbox import EntryState, OutboxEntry
from app.people.outbox import Outbox
from app.viewmodels.entries import EntriesShown
from app.viewmodels.table import Key, PeopleTable


class Arrivals:
    """Knows who was added since the start of the program."""

    def __init__(self, outbox: Outbox, entries: EntriesShown) -> None:
        """Entries that `outbox` has already are no news."""
        self._entries = entries
        self._known = {entry.id for entry in outbox.entries()}
        self._followed: str | None = None
        self._was_on_top = False
        self.added: set[str] = set()
        """The ids of the people who were added since the start."""

    def hear(self, entry: OutboxEntry) -> None:
        """An entry is new or not as it was."""
        if entry.state is EntryState.ADDED and entry.person_id is not None:
            self.added.add(entry.person_id)
        if entry.id not in self._known:
            self._known.add(entry.id)
            self._followed, self._was_on_top = entry.id, False

    def let_go(self) -> None:
        """Somebody has gone elsewhere in the list: follow nobody there."""
        self._followed = None

    def come(self, table: PeopleTable) -> Key | None:
        """The row of `table` to bring into sight now, each once; None for none."""
        entry = self._entries.find(self._followed)
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
