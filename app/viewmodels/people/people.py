"""The People tab: who is shown and in which order, who is chosen, what is under way."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Signal

from app.model.errors import ExpectedError
from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged, PauseChanged
from app.outbox.outbox import Outbox
from app.people.directory import PeopleChanged, PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.search import PeopleFilter
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.places import Places
from app.viewmodels.outbox.entry_actions import EntryActions
from app.viewmodels.people import list_state as say
from app.viewmodels.people.copying import Copying
from app.viewmodels.people.filter_runner import FilterRunner
from app.viewmodels.people.list_state import ListSentences
from app.viewmodels.people.order import Order
from app.viewmodels.people.scroll_anchor import Reason, ScrollAnchor
from app.viewmodels.people.selection import Selection
from app.viewmodels.people.table import EntriesShown, EntryRowsChanged, Key, PeopleTable
from app.viewmodels.people.type_ahead import TypeAhead
from app.viewmodels.people.view_state import NewEntryFollower, ViewState


class PeopleScreen(ListSentences):
    """Binds the directory and the outbox to the table and the detail beside it."""

    chosen_changed = Signal()
    """Other rows are chosen."""
    detail_changed = Signal()
    """Of the rows that are chosen there is something else to say, or others of them are seen."""
    sight_wanted = Signal(object)
    """Carries the key of a row that is to be seen, whoever is chosen."""

    def __init__(
        self,
        directory: PeopleDirectory,
        outbox: Outbox,
        events: EventBus,
        scope: TaskScope,
        refresh: Callable[[], object],
    ) -> None:
        """`refresh` reads both lists again."""
        super().__init__(directory)
        self._outbox = outbox
        self.refresh = refresh
        self._entries = EntriesShown(directory, outbox)
        self._new_entries = NewEntryFollower(outbox, self._entries)
        self.table = PeopleTable(
            directory.people, self, is_new=self._new_entries.added.__contains__
        )
        self._selection = Selection(self.table)
        self.place = ScrollAnchor()
        self.remark = ""
        """What was just done, in one sentence; blank again with the next step."""
        self._filter_runner = FilterRunner(directory, self.table, self.place, scope, self._looked)
        self.copying = Copying(
            directory, outbox, scope, self._chosen_in_list, self._remark, parent=self
        )
        self.entry_actions = EntryActions(outbox, scope, self._say_trouble)
        self.order = Order(directory, self.table, scope, self._sorted_anew, self._say_trouble)
        self.type_ahead = TypeAhead(directory, self.table)
        self.view_state = ViewState(
            directory, self.table, self._filter_runner, self.order, self._come_back_to, parent=self
        )
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleProgress, self._progressed, scope)
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(PauseChanged, self._entries_stand_otherwise, scope)
        self._show_all_entries()
        self.order.show()
        self._filter_runner.look(Reason.NEWS)

    # What is shown

    @property
    def chosen(self) -> Key | None:
        """The chosen row; of several, the first."""
        return self._selection.first

    @property
    def chosen_several(self) -> tuple[Key, ...]:
        """All chosen rows, from the top, where there is more than one."""
        return self._selection.several

    @property
    def chosen_in_list(self) -> tuple[Key, ...]:
        """The chosen rows that search and filter leave: what is shown and done is about them."""
        return self._selection.seen

    @property
    def chosen_person(self) -> Person | None:
        """The chosen person, or None; None, too, while they are hidden."""
        key = self._first_in_list
        return self._directory.people([key]).get(key) if isinstance(key, int) else None

    @property
    def chosen_entry(self) -> OutboxEntry | None:
        """The chosen entry of the outbox, or None; None, too, while it is hidden."""
        return self._entry_of(self._first_in_list)

    def person(self, person_id: str | None) -> Person | None:
        """Somebody by the service's id, or None where the list has nobody of it."""
        row = None if person_id is None else self._directory.row_of(person_id)
        return None if row is None else self._directory.people([row]).get(row)

    @property
    def detail_hint(self) -> str:
        """What stands in the place of the detail while nobody is shown there."""
        found = self._filter_runner.narrowed and self.table.rowCount() > 0
        return say.detail_hint(hidden=self.chosen is not None, found=found)

    # What can be done

    def search(self, query: str) -> None:
        """Show those who match: the first at once, the rest in slices."""
        if query != self.query:
            self._go_elsewhere()
            self._ask(query, self.filter)

    def show_only(self, only: PeopleFilter) -> None:
        """Show those who pass this filter and match the search."""
        if only is not self.filter:
            self._go_elsewhere()
            self._ask(self.query, only)

    def choose(self, key: Key | None) -> None:
        """Show this row beside the table."""
        self._go_elsewhere()
        self._choose(() if key is None else (key,))

    def choose_spans(self, spans: Iterable[tuple[int, int]]) -> None:
        """Choose these rows, given as pairs of first and last position."""
        keys = tuple(
            key for first, last in sorted(spans) for key in self.table.keys_between(first, last)
        )
        self._go_elsewhere()
        self._choose(keys, seen=True)

    def choose_person(self, person_id: str) -> bool:
        """Choose a person by the service's id, showing everybody when they are hidden."""
        row = self._directory.row_of(person_id)
        if row is None:
            return False
        self._go_elsewhere()
        if self.table.position_of(row) is None:
            self._ask("", PeopleFilter.EVERYBODY)
        if not self._choose((row,)):
            # Chosen already, but perhaps out of sight.
            self.chosen_changed.emit()
        return True

    def scrolled(self, first: Key | None, *, by_hand: bool) -> None:
        """The row `first` is the first on the screen now."""
        self.view_state.scrolled(first, by_hand=by_hand)
        if by_hand:
            self._new_entries.let_go()

    def places(self) -> dict[str, object]:
        """The fields of `Places` that are this screen's."""
        return self.view_state.places(self.chosen)

    def restore(self, places: Places) -> None:
        """Come back to these places; people who are not there yet are waited for."""
        self.view_state.restore(places)
        self._ask(self.query, self.filter)
        self.view_state.come_back()

    # What happened below

    def _people_changed(self, event: PeopleChanged) -> None:
        if event.removed:
            self._show_all_entries()
        else:
            self._show_entries(self._entries.listed_meanwhile())
        self.order.show()
        self._filter_runner.look_again()
        self.view_state.come_back()
        self._choose_all_but(event.removed)
        if self.chosen in event.changed and not self.chosen_several:
            self.detail_changed.emit()
        self._entries_stand_otherwise(event)

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._progress = None
        self._incomplete = None if event.complete else event
        self.view_state.come_back()
        self.view_state.stay()
        self.changed.emit()

    def _entries_changed(self, event: EntriesChanged) -> None:
        self._new_entries.hear(event.changed)
        removed = tuple(entry.id for entry in event.removed)
        self._show_entries(self._entries.change(event.changed, removed))
        self._looked()
        self._choose_all_but(removed)
        self._entries_stand_otherwise(event)

    def _entries_stand_otherwise(self, _event: object) -> None:
        """What is said of one entry depends on the others, on the list, and on what is paused."""
        if isinstance(self.chosen, str):
            self.detail_changed.emit()

    # How it is done

    def _ask(self, query: str, only: PeopleFilter) -> None:
        self._filter_runner.query, self._filter_runner.filter = query, only
        self._entries.look_for(query, only)
        self.remark = ""
        self._show_all_entries()
        self.order.show()
        narrowed = self._filter_runner.narrowed
        self._filter_runner.look(Reason.NARROWED if narrowed else Reason.WIDENED)

    def _show_all_entries(self) -> None:
        self._show_entries(None)

    def _show_entries(self, change: EntryRowsChanged | None) -> None:
        """Entries stay on top until the person they became is in the list below.

        Without a `change` all of them are looked at anew.
        """
        chosen = self._entry_of(self.chosen)
        row = None if chosen is None else self._entries.row_of(chosen)
        if change is None:
            self.table.show_entries(self._entries.all_shown())
        else:
            self.table.change_entries(change)
        if row is not None:
            self._choose((row,))

    def _entry_of(self, key: Key | None) -> OutboxEntry | None:
        return self._outbox.entry(key) if isinstance(key, str) else None

    def _sorted_anew(self) -> None:
        self._filter_runner.look_again(Reason.SORTED)
        self.view_state.come_back()

    def _looked(self) -> None:
        """The rows of the table are others, or will be once a long search has come to its end."""
        if self._filter_runner.complete and self._selection.look():
            self.detail_changed.emit()
        arrived = self._new_entries.come(self.table)
        if arrived is not None:
            self.sight_wanted.emit(arrived)
        self.changed.emit()

    def _go_elsewhere(self) -> None:
        self.view_state.stay()
        self._new_entries.let_go()

    def _come_back_to(self, key: Key) -> None:
        self._choose((key,))

    def _choose_all_but(self, gone: Sequence[Key]) -> None:
        left_out = frozenset(gone)
        if not left_out.isdisjoint(self._selection.all):
            self._choose(tuple(key for key in self._selection.all if key not in left_out))

    def _choose(self, keys: tuple[Key, ...], *, seen: bool = False) -> bool:
        if not self._selection.choose(keys, seen=seen):
            return False
        self._remark("")
        self.chosen_changed.emit()
        return True

    def _chosen_in_list(self) -> Sequence[Key]:
        return self._selection.seen

    @property
    def _first_in_list(self) -> Key | None:
        return self._selection.seen[0] if self._selection.seen else None

    def _say_trouble(self, error: Exception) -> None:
        self._remark(error.message if isinstance(error, ExpectedError) else str(error))

    def _remark(self, sentence: str) -> None:
        if sentence != self.remark:
            self.remark = sentence
            self.changed.emit()
