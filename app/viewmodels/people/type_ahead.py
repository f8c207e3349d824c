"""Going to a name by typing its first letters while the table has the keyboard."""

from collections.abc import Callable
from time import monotonic

from app.people.directory import PeopleDirectory
from app.people.search import fold
from app.viewmodels.people.table import PeopleTable


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

    def type(self, letters: str, current: int, patience: float) -> int | None:
        """The position of the name to go to, from the `current` position on; None where none fits.

        `patience`: seconds after which the next letter begins anew. One letter goes on to the next
        name, and so does the same again where no name begins with it twice.
        """
        under_way = bool(self._typed) and self._now() < self._until
        if not under_way and letters.isspace():
            # A blank chooses the row; only within a name it belongs to it.
            return None
        self._typed = self._typed + letters if under_way else letters
        self._until = self._now() + patience
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
