"""Who is chosen in the People table, and who of them can be seen there.

Whoever a search or a filter hides stays chosen and comes back with the list. Until then nothing is
shown or done of them: nobody should copy, or write to, somebody they do not see.
"""

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal

from app.viewmodels.guarded import Guarded
from app.viewmodels.people.table import Key, PeopleTable


class Selection(Guarded, QObject):
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

    @property
    def first(self) -> Key | None:
        """The chosen row; of several, the first."""
        return self.all[0] if self.all else None

    def choose(self, keys: tuple[Key, ...], *, seen: bool = False) -> bool:
        """Choose these rows, given from the top; whether it is another choice than before.

        `seen`: they were taken from the table just now, and need not be looked for in it.
        """
        if keys == self.all:
            return False
        self.all = keys
        if seen:
            self.seen = keys
        else:
            self.look()
        self.changed.emit()
        return True

    def leave_out(self, gone: Collection[Key]) -> None:
        """These rows are there no longer."""
        left_out = frozenset(gone)
        if not left_out.isdisjoint(self.all):
            self.choose(tuple(key for key in self.all if key not in left_out))

    def look(self) -> None:
        """See who is in the list now."""
        keys = self.all
        if keys[1:]:
            places = self._table.positions_of(keys)
            found = (self._table.key_at(at) for at in places)
            self.seen = tuple(key for key in found if key is not None)
        else:
            self.seen = tuple(key for key in keys if self._table.position_of(key) is not None)
