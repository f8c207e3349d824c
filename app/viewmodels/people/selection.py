"""Who is chosen in the People table, and who of them can be seen there.

Whoever a search or a filter hides stays chosen and comes back with the list. Until then nothing is
shown or done of them: nobody should copy, or write to, somebody they do not see.
"""

from app.viewmodels.people.table import Key, PeopleTable


class Selection:
    """The chosen rows of one table."""

    def __init__(self, table: PeopleTable) -> None:
        """Nobody is chosen."""
        self._table = table
        self.first: Key | None = None
        """The chosen row; of several, the first."""
        self.several: tuple[Key, ...] = ()
        """All chosen rows, from the top, where there is more than one."""
        self.seen: tuple[Key, ...] = ()
        """Those of them who are in the list, from the top."""

    @property
    def all(self) -> tuple[Key, ...]:
        """All chosen rows, hidden or not."""
        return self.several or (() if self.first is None else (self.first,))

    def choose(self, keys: tuple[Key, ...], *, seen: bool = False) -> bool:
        """Choose these rows, given from the top; whether it is another choice than before.

        `seen`: they were taken from the table just now, and need not be looked for in it.
        """
        first, several = (keys[0] if keys else None), (keys if keys[1:] else ())
        if (first, several) == (self.first, self.several):
            return False
        self.first, self.several = first, several
        if seen:
            self.seen = keys
        else:
            self.look()
        return True

    def look(self) -> bool:
        """See who is in the list now; whether that is another answer than before."""
        before, keys = self.seen, self.all
        if keys[1:]:
            places = self._table.positions_of(keys)
            found = (self._table.key_at(at) for at in places)
            self.seen = tuple(key for key in found if key is not None)
        else:
            self.seen = tuple(key for key in keys if self._table.position_of(key) is not None)
        return self.seen != before
