"""Which entries of the outbox stand on top of the People table.

Whoever was just typed is always seen. A search or a filter that is asked for later finds an entry
as it finds a person, so that a full outbox does not push its answer off the screen.
"""

from app.model.outbox import EntryState, OutboxEntry
from app.people.directory import PeopleDirectory
from app.people.filters import PeopleFilter
from app.people.outbox import Outbox
from app.people.search import fold, matches, words


class EntriesShown:
    """Looks at the outbox through the search and the filter in force."""

    def __init__(self, directory: PeopleDirectory, outbox: Outbox) -> None:
        """Nothing is searched or filtered."""
        self._directory = directory
        self._outbox = outbox
        self._wanted: tuple[str, ...] = ()
        self._only = PeopleFilter.EVERYBODY
        self._typed_before: frozenset[str] = frozenset()

    def look_for(self, query: str, only: PeopleFilter) -> None:
        """Another question is asked: entries typed until now have to fit it."""
        self._wanted = words(query)
        self._only = only
        self._typed_before = frozenset(entry.id for entry in self._outbox.entries())

    def shown(self) -> list[OutboxEntry]:
        """The entries to show, newest last, without those who are in the list as people."""
        return [
            entry
            for entry in self._outbox.entries()
            if self.row_of(entry) is None
            and (entry.id not in self._typed_before or self._fits(entry))
        ]

    def find(self, key: object) -> OutboxEntry | None:
        """The entry with this id, or None."""
        return next((entry for entry in self._outbox.entries() if entry.id == key), None)

    def row_of(self, entry: OutboxEntry) -> int | None:
        """The row of the person an entry has become; None as long as nobody is listed for it."""
        if entry.state is not EntryState.ADDED or entry.person_id is None:
            return None
        return self._directory.row_of(entry.person_id)

    def _fits(self, entry: OutboxEntry) -> bool:
        new = entry.new_person
        if self._only is PeopleFilter.WITHOUT_EMAIL:
            passes = not new.email
        else:
            passes = self._only is PeopleFilter.EVERYBODY
        return passes and matches(fold(f"{new.full_name} {new.email}"), self._wanted)
