"""Coming back at the next start to a place in the list of people, which is not there at once.

At a start the list may still be on its way, so whoever was chosen, or stood first on the screen,
is waited for until they are there, the list has come to its end, or somebody goes elsewhere. By
itself: from then on the tab needs nothing of it.
"""

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleDirectory
from app.people.search import PeopleFilter
from app.settings.saved_states import SavedState
from app.store.ordering import SortKey
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.filter_and_sort import FilterRunner, SortOrder
from app.viewmodels.people.selection import Selection
from app.viewmodels.people.table import Key, PeopleTable


class ListRestoring(GuardedOverrides, QObject):
    """Knows people by id alone: the rows of the local copy may be others at the next start."""

    first_wanted = Signal(object)
    """Carries the key of the row that is to be the first on the screen."""
    widths_restored = Signal()
    """`columns` has the widths of an earlier time."""

    def __init__(
        self,
        directory: PeopleDirectory,
        table: PeopleTable,
        filter_runner: FilterRunner,
        order: SortOrder,
        selection: Selection,
    ) -> None:
        """In `selection` whoever had been chosen is chosen again."""
        super().__init__(selection)
        self._directory = directory
        self._table = table
        self._filter_runner = filter_runner
        self._order = order
        self._selection = selection
        self._first: Key | None = None
        self._awaited_chosen: str | None = None
        self._awaited_first: str | None = None
        self._awaited_entry: str | None = None
        self.columns: dict[str, int] = {}
        """Widths set by hand, by `Column` name, in device independent pixels."""

    def scrolled(self, first: Key | None, *, by_hand: bool) -> None:
        """The row `first` is the first on the screen now."""
        self._first = first
        if by_hand:
            self._awaited_first = None

    def saved(self) -> dict[str, object]:
        """The fields of `SavedState` that tell of this list."""
        by, descending = self._order.now
        chosen = self._selection.first
        # At the very start of the list there is no place to keep: what comes on top is to be seen.
        first = self._first if self._table.position_of(self._first) else None
        return {
            "columns": dict(self.columns),
            "sort": by.value,
            "descending": descending,
            "filter": self._filter_runner.filter.value,
            "chosen_person": self._awaited_chosen or self._id_of(chosen),
            "chosen_entry": chosen if isinstance(chosen, str) else self._awaited_entry,
            "top_person": self._awaited_first or self._id_of(first),
        }

    def restore(self, saved: SavedState) -> None:
        """Set widths, filter and order, and wait for the people. What is unknown is left out."""
        if saved.columns:
            self.columns = dict(saved.columns)
            self.widths_restored.emit()
        self._awaited_chosen, self._awaited_first = saved.chosen_person, saved.top_person
        self._awaited_entry = saved.chosen_entry
        for only in PeopleFilter:
            if only.value == saved.filter:
                self._filter_runner.filter = only
        for by in SortKey:
            if by.value == saved.sort:
                self._order.sort_by(by, descending=saved.descending)

    def come_back(self) -> None:
        """The list is another one: see who of those waited for is there now."""
        chosen = self._row_shown(self._awaited_chosen)
        if chosen is not None:
            self._awaited_chosen = None
            self._selection.choose((chosen,))
        entry = self._awaited_entry
        if self._table.position_of(entry) is not None and entry is not None:
            self._awaited_entry = None
            self._selection.choose((entry,))
        # Waited for to the end: those who come later would push them out of their place.
        first = self._row_shown(self._awaited_first)
        if first is not None:
            self.first_wanted.emit(first)

    def stay(self) -> None:
        """Wait for nobody any longer."""
        self._awaited_chosen = self._awaited_first = self._awaited_entry = None

    def _row_shown(self, person_id: str | None) -> int | None:
        row = self._directory.row_of(person_id) if person_id is not None else None
        return row if self._table.position_of(row) is not None else None

    def _id_of(self, key: Key | None) -> str | None:
        person = self._directory.people([key]).get(key) if isinstance(key, int) else None
        return None if person is None else person.id
