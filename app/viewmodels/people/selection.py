"""Who is chosen in the People table, who of them can be seen there, and typing a name's beginning.

Whoever a search or a filter hides stays chosen and comes back with the list. Until then nothing is
shown or done of them: nobody should copy, or write to, somebody they do not see.
"""

from collections.abc import Callable, Collection
from time import monotonic

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleDirectory
from app.people.search import fold
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.table import Key, PeopleTable


class Selection(GuardedOverrides, QObject):
    """The chosen rows of one table."""

    changed = Signal()
    """Other rows are chosen."""

    def __init__(self, table: PeopleTable) -> None:
        """Nobody is chosen."""
        super().__init__(table)
        self._table = table
        self.all: tuple[Key, ...] = ()
        """All chosen rows, from the top, hidden or not."""
        self.seen: tuple[Key, ...] = ()
        """Those of them who are in the list, from the top."""
        self.one_by_one: frozenset[Key] = frozenset()
        """Those who were chosen alone, and not with all the rows around them."""
        self._among: frozenset[Key] | None = None

    @property
    def first(self) -> Key | None:
        """The chosen row; of several, the first."""
        return self.all[0] if self.all else None

    def choose(
        self,
        keys: tuple[Key, ...],
        *,
        seen: bool = False,
        one_by_one: frozenset[Key] = frozenset(),
    ) -> bool:
        """Choose these rows, given from the top; whether it is another choice than before.

        `seen`: they were taken from the table just now, and need not be looked for in it.
        `one_by_one`: each of these was meant alone, as one row without others is in any case.
        """
        self.one_by_one = one_by_one or frozenset(keys if len(keys) == 1 else ())
        if keys == self.all:
            return False
        self.all = keys
        if seen and self._among is None:
            self.seen = keys
        else:
            self.look()
        self.changed.emit()
        return True

    def leave_out(self, gone: Collection[Key]) -> None:
        """These rows are there no longer."""
        left_out = frozenset(gone)
        if not left_out.isdisjoint(self.all):
            left = tuple(key for key in self.all if key not in left_out)
            self.choose(left, one_by_one=self.one_by_one - left_out)

    def see_among(self, keys: frozenset[Key] | None) -> bool:
        """These stand in the place of the list, with None the list itself; whether others can be
        seen by that.
        """
        if keys == self._among:
            return False
        before, self._among = self.seen, keys
        self.look()
        return self.seen != before

    def look(self) -> None:
        """See who is in the list now, or in what stands in its place."""
        keys = self.all
        if self._among is not None:
            self.seen = tuple(key for key in keys if key in self._among)
        elif keys[1:]:
            places = self._table.positions_of(keys)
            found = (self._table.key_at(at) for at in places)
            self.seen = tuple(key for key in found if key is not None)
        else:
            self.seen = tuple(key for key in keys if self._table.position_of(key) is not None)


class TypeAhead:
    """Letters that follow each other quickly are one beginning of a name."""

    def __init__(
        self,
        directory: PeopleDirectory,
        table: PeopleTable,
        *,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """`now` gives seconds."""
        self._directory = directory
        self._table = table
        self._now = now
        self._typed = ""
        self._until = 0.0

    def type(self, letters: str, current: int, interval: float) -> int | None:
        """The position of the name to go to, from the `current` position on; None where none fits.

        `interval`: seconds after which the next letter begins anew. One letter goes on to the next
        name, and so does the same again where no name begins with it twice.
        """
        under_way = bool(self._typed) and self._now() < self._until
        if not under_way and letters.isspace():
            # A blank chooses the row; only within a name it belongs to it.
            return None
        self._typed = self._typed + letters if under_way else letters
        self._until = self._now() + interval
        if len(self._typed) > 1:
            found = self._starting(fold(self._typed), current)
            if found is not None or len(set(self._typed)) > 1:
                return found
        return self._starting(fold(self._typed[:1]), current + 1)

    def _starting(self, prefix: str, begin: int) -> int | None:
        """The next position from `begin` on, round the end, whose name starts with `prefix`."""
        if not prefix:
            return None
        entries = self._table.entries
        above = len(entries)
        fit = [
            at
            for at, entry in enumerate(entries)
            if fold(entry.new_person.full_name).startswith(prefix)
        ]
        ahead = [at for at in fit if at >= begin]
        first = max(begin - above, 0)
        found = self._directory.position_starting(self._table.people_rows, first, prefix)
        if ahead or (fit and (found is None or found < first)):
            return (ahead or fit)[0]
        return None if found is None else found + above
