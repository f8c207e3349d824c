"""The People tab: who is shown and in which order, who is chosen, what is under way."""

import asyncio
from collections.abc import Iterable, Sequence

from PySide6.QtCore import Signal

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.people.events import PeopleChanged, PeopleProgress, PeopleRefreshed
from app.people.search import PeopleFilter
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.saved_states import SavedState
from app.store.person_flags import PersonFlags
from app.viewmodels.exporting.mail_writing import MailWriting
from app.viewmodels.outbox.entry_actions import EntryActions
from app.viewmodels.people.copying import Copying
from app.viewmodels.people.entries_shown import EntriesShown, NewEntryFollower
from app.viewmodels.people.filter_and_sort import FilterRunner, SortOrder
from app.viewmodels.people.list_restoring import ListRestoring
from app.viewmodels.people.people_state import PeopleFacts, PeopleState, people_state
from app.viewmodels.people.recently_added import RecentlyAdded
from app.viewmodels.people.scroll_anchor import Reason, ScrollAnchor
from app.viewmodels.people.selection import Selection, TypeAhead
from app.viewmodels.people.table import Column, EntryRowsChanged, Key, PeopleTable
from app.viewmodels.screen import ActionFeedback, Screen

_COLUMNS_OF_NUMBERS = {PersonFlags.HAS_PHONE: Column.PHONE, PersonFlags.HAS_MOBILE: Column.MOBILE}
_MANY = 500
"""People who come at once: a part of a long list, which others follow."""
_BETWEEN_SHOWINGS = 0.25
"""Seconds in which the parts of a long list are gathered, and shown together."""


class PeopleScreen(Screen[PeopleState]):
    """Has the list follow the directory and the outbox, and what somebody does with it.

    Its state is what is shown besides the rows of the table.
    """

    sight_wanted = Signal(object)
    """Carries the key of a row that somebody wants to see now, whoever is chosen."""
    arrived = Signal(object)
    """Carries the key of somebody typed who has come to stand in the list, which nobody does."""
    refresh_wanted = Signal()
    """Both lists are to be read again."""

    def __init__(
        self, directory: PeopleDirectory, outbox: Outbox, events: EventBus, scope: TaskScope
    ) -> None:
        """Everybody is shown, in the order of `directory`, below the entries of `outbox`."""
        super().__init__(PeopleState())
        self._directory = directory
        self._outbox = outbox
        self._scope = scope
        self._asked_for = False
        self._progress: PeopleProgress | None = None
        self._shown_later: asyncio.TimerHandle | None = None
        self._next_showing = 0.0
        scope.call_on_close(self._forget_showing)
        self.recently_added = RecentlyAdded(directory, outbox, self)
        self.table = PeopleTable(directory.people, self, added=self.recently_added.in_this_sitting)
        self._entries = EntriesShown(directory, outbox, self.table)
        self._new_entries = NewEntryFollower(outbox, self._entries)
        self.selection = Selection(self.table)
        self.scroll_anchor = ScrollAnchor()
        self.chooses_by_itself = False
        """Whether who is chosen now becomes another without anybody's doing."""
        self._feedback = ActionFeedback(self)
        self._filter_runner = FilterRunner(
            directory, self.table, self._entries, self.scroll_anchor, scope
        )
        self.writing = MailWriting(directory, scope, self)
        self.copying = Copying(
            directory, outbox, scope, self.selection, self._feedback, writing=self.writing
        )
        self.entry_actions = EntryActions(outbox, scope, self._feedback)
        self.order = SortOrder(directory, self.table, self._filter_runner, scope, self._feedback)
        self.type_ahead = TypeAhead(directory, self.table)
        self.list_restoring = ListRestoring(
            directory, self.table, self._filter_runner, self.order, self.selection
        )
        self._feedback.changed.connect(self._tell)
        self.recently_added.history_read.connect(self._history_read)
        self.selection.changed.connect(self._chosen_anew)
        self._filter_runner.shown.connect(self._rows_shown)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleProgress, self._progressed, scope)
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        self._show_all_entries()
        self._make_texts(outbox.entries())
        self.order.show()
        self._filter_runner.look(Reason.NEWS)

    # Who is chosen

    @property
    def chosen_person(self) -> Person | None:
        """The chosen person, or None; None, too, while they are hidden."""
        key = self._first_in_list
        return self._directory.people([key]).get(key) if isinstance(key, int) else None

    @property
    def chosen_entry(self) -> OutboxEntry | None:
        """The chosen entry of the outbox, or None; None, too, while it is hidden."""
        return self._entry_of(self._first_in_list)

    def chosen_ids(self, most: int) -> tuple[str, ...]:
        """Of the chosen rows in the list, from the top, the first `most` people of the account."""
        rows = [key for key in self.selection.seen if isinstance(key, int)][:most]
        people = self._directory.people(rows)
        return tuple(people[row].id for row in rows if row in people)

    def first_chosen_id(self) -> str | None:
        """Of all chosen rows, hidden or not, the first person of the account."""
        rows = [key for key in self.selection.all if isinstance(key, int)][:1]
        return next((person.id for person in self._directory.people(rows).values()), None)

    def chosen_among(self, person_ids: Iterable[str]) -> tuple[str, ...]:
        """Of these people those who are chosen in the list, from the top."""
        rows = {row: one for one, row in self._directory.rows_of(person_ids).items()}
        return tuple(rows[key] for key in self.selection.seen if key in rows)

    def person(self, person_id: str | None) -> Person | None:
        """Somebody by the service's id, or None where the list has nobody of it."""
        row = None if person_id is None else self._directory.row_of(person_id)
        return None if row is None else self._directory.people([row]).get(row)

    # What can be done

    def search(self, query: str) -> None:
        """Show those who match: the first at once, the rest in slices."""
        if query != self._filter_runner.query:
            self._go_elsewhere()
            self._ask(query, self._filter_runner.filter)

    def show_only(self, only: PeopleFilter) -> None:
        """Show those who pass this filter and match the search."""
        if only is not self._filter_runner.filter:
            self._go_elsewhere()
            self._filter_runner.newest_first = True
            self._ask(self._filter_runner.query, only)

    def choose(self, key: Key | None) -> None:
        """Show this row beside the table."""
        self._go_elsewhere()
        self.selection.choose(() if key is None else (key,))

    def choose_spans(self, spans: Iterable[tuple[int, int]]) -> None:
        """Choose these rows, given as pairs of first and last position."""
        rows = sorted(spans)
        keys = tuple(key for first, last in rows for key in self.table.keys_between(first, last))
        alone = (self.table.key_at(first) for first, last in rows if first == last)
        self._go_elsewhere()
        self.selection.choose(
            keys, seen=True, one_by_one=frozenset(key for key in alone if key is not None)
        )

    def choose_person(self, person_id: str) -> bool:
        """Choose a person by the service's id, showing everybody when they are hidden."""
        row = self._directory.row_of(person_id)
        if row is not None:
            self.open(row)
        return row is not None

    def choose_entry(self, entry_id: str) -> bool:
        """Choose an entry that is shown above the list, showing everybody when it is hidden."""
        entry = self._outbox.index.get(entry_id)
        there = entry is not None and not entry.done
        if there:
            self.open(entry_id)
        return there

    def open(self, key: Key) -> None:
        """Choose this row and have it seen, showing everybody when it is hidden."""
        self._go_elsewhere()
        if self.table.position_of(key) is None:
            self._ask("", PeopleFilter.EVERYBODY)
        if not self.selection.choose((key,)):
            # Chosen already, but perhaps out of sight.
            self.sight_wanted.emit(key)

    def show_among(self, keys: frozenset[Key] | None) -> None:
        """These stand in the place of the list, with None the list itself: whoever is chosen can be
        seen among them, or not.
        """
        if self.selection.see_among(keys):
            self._tell()

    def scrolled(self, first: Key | None, *, by_hand: bool) -> None:
        """The row `first` is the first on the screen now."""
        self.list_restoring.scrolled(first, by_hand=by_hand)
        if by_hand:
            self._new_entries.let_go()

    def hold_rows(self, *, on: bool) -> None:
        """Whether somebody points at the rows: those of a list that is sent stay until they do not
        any more.
        """
        self._entries.hold(on=on)
        if not on:
            change = self._entries.listed_meanwhile()
            if change.gone:
                self._filter_runner.look_again()
            self._show_entries(change)
            self._tell()

    def saved_state(self) -> dict[str, object]:
        """The fields of `SavedState` that are this screen's."""
        return self.list_restoring.saved()

    def restore(self, saved: SavedState) -> None:
        """Come back to this view; people who are not there yet are waited for."""
        self.list_restoring.restore(saved)
        self._ask(self._filter_runner.query, self._filter_runner.filter)

    def refresh(self) -> None:
        """Have both lists read again."""
        self.refresh_wanted.emit()

    def being_read(self, begun: bool) -> None:  # noqa: FBT001 - whether it is under way
        """The service has been asked for the list, or that has ended."""
        self._asked_for = begun
        self._tell()

    def stop_progress(self) -> None:
        """The reading ended before its end."""
        self._progress = None
        self._tell()

    # What happened below

    def _people_changed(self, event: PeopleChanged) -> None:
        if event.removed or len(event.added) + len(event.changed) < _MANY:
            self._show_changed(event)
        elif not self.table.people_count:  # the first of a list are waited for
            self._show_who_came()
        elif self._shown_later is None:
            loop = asyncio.get_running_loop()
            self._shown_later = loop.call_at(self._next_showing, self._show_who_came)

    def _show_who_came(self) -> None:
        """Those who came with a long list, gathered for a while."""
        self._next_showing = asyncio.get_running_loop().time() + _BETWEEN_SHOWINGS
        self._show_changed(PeopleChanged())

    def _show_changed(self, event: PeopleChanged) -> None:
        self._forget_showing()
        self.recently_added.look_for_rows()
        # Before the list is shown without them: they are gone, not hidden.
        self.selection.leave_out(event.removed)
        if event.removed:
            self._entries.people_gone(event.removed)
            self._show_all_entries()
        change = self._entries.listed_meanwhile()
        self.order.show()
        self._filter_runner.look_again()
        # Only now: whoever comes to stand where their entry was moves nobody.
        self._show_entries(change)
        self._tell()

    def _forget_showing(self) -> None:
        if self._shown_later is not None:
            self._shown_later.cancel()
            self._shown_later = None

    def _progressed(self, event: PeopleProgress) -> None:
        self._progress = event
        if self._shown_later is None:
            self._tell()

    def _refreshed(self, _event: PeopleRefreshed) -> None:
        self._progress = None
        if self._shown_later is not None:
            self._show_who_came()
        self.recently_added.look_for_rows(all_of_them=True)
        self._show_entries(self._entries.listed_meanwhile())
        self.list_restoring.come_back()
        self.list_restoring.stay()
        self._tell()

    def _entries_changed(self, event: EntriesChanged) -> None:
        self.recently_added.hear(event.added)
        self._new_entries.hear(event.ids)
        removed = tuple([entry.id for entry in event.removed])
        on_top = self._entries.rows_on_top()
        change = self._entries.change(event, removed)
        if self._entries.rows_on_top() != on_top:
            self._filter_runner.look_again()
        self._show_entries(change)
        self._make_texts(event.changed)
        self._look_for_arrivals()
        self.selection.leave_out(removed)
        self._tell()

    def _make_texts(self, entries: Sequence[OutboxEntry]) -> None:
        if len(entries) >= _MANY:
            self._scope.spawn(self._entries.make_texts())

    def _history_read(self) -> None:
        if self._filter_runner.filter is PeopleFilter.RECENTLY_ADDED:
            self._filter_runner.look_again()
        self._tell()

    def _rows_shown(self) -> None:
        self._look_for_arrivals()
        self.list_restoring.come_back()
        self._tell()

    def _chosen_anew(self) -> None:
        self._feedback.say("")
        self._tell()

    # How it is done

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the list."""
        self._set_state(people_state(self._facts(), self.state))

    def _facts(self) -> PeopleFacts:
        directory, runner = self._directory, self._filter_runner
        return PeopleFacts(
            query=runner.query,
            filter=runner.filter,
            found_all=runner.complete,
            counts=self._counts(),
            rows=self.table.rowCount(),
            people=self.table.people_count + len(self._entries.rows_on_top()),
            read_before=directory.as_of is not None,
            asked_for=self._asked_for,
            progress=self._progress,
            blank_columns=frozenset(_COLUMNS_OF_NUMBERS[each] for each in directory.blank_for_all),
            missing=directory.missing,
            chosen=self.selection.all,
            chosen_in_list=self.selection.seen,
            remark=self._feedback.sentence,
            added_today=self._added_today(),
        )

    def _counts(self) -> dict[PeopleFilter, int]:
        counts = {each: self._directory.count(each.flag) for each in PeopleFilter}
        # Whoever is on the way is shown above them.
        on_the_way = self._outbox.unsent_count + self.recently_added.unlisted_count
        counts[PeopleFilter.RECENTLY_ADDED] += on_the_way
        return counts

    def _added_today(self) -> int:
        if self._filter_runner.filter is not PeopleFilter.RECENTLY_ADDED:
            return 0
        return self.recently_added.today(self.table.entries)

    def _ask(self, query: str, only: PeopleFilter) -> None:
        self._filter_runner.query, self._filter_runner.filter = query, only
        self._entries.look_for(query, only)
        self._feedback.say("")
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
        chosen = self._entry_of(self.selection.first)
        if change is None:
            self.table.show_entries(self._entries.all_shown())
        else:
            self.table.change_entries(change)
        if chosen is None or self.table.position_of(chosen.id) is not None:
            return
        row = self._entries.row_of(chosen)
        if row is not None:
            self.chooses_by_itself = True
            self.selection.choose((row,))
            self.chooses_by_itself = False
        elif chosen.state is EntryState.ADDED:
            # Deleted on the account's own page: they are gone, not hidden.
            self.selection.leave_out((chosen.id,))

    def _entry_of(self, key: Key | None) -> OutboxEntry | None:
        return self._outbox.index.get(key) if isinstance(key, str) else None

    def _look_for_arrivals(self) -> None:
        """The rows of the table are others, or will be once a long search has come to its end."""
        if self._filter_runner.complete:
            self.selection.look()
        arrived = self._new_entries.come(self.table)
        if isinstance(arrived, int):
            self.arrived.emit(arrived)
        elif arrived is not None:
            self.sight_wanted.emit(arrived)

    def _go_elsewhere(self) -> None:
        self.list_restoring.stay()
        self._new_entries.let_go()

    @property
    def _first_in_list(self) -> Key | None:
        return self.selection.seen[0] if self.selection.seen else None
