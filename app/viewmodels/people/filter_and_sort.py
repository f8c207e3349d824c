"""Which people the table shows, and in which order: what a search, a filter and a sorting leave.

What a key press asks for is answered within its frame and finished in slices that a newer one
cancels. What arises below is looked for behind the scenes, and shown when it is whole. Sorting is
the directory's, away from the event loop; a later wish replaces one under way.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleDirectory
from app.people.search import PeopleFilter, query_words
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import found_at_once, found_in_turns
from app.store.ordering import Rows, SortKey
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.entries_shown import EntriesShown
from app.viewmodels.people.scroll_anchor import Reason, ScrollAnchor
from app.viewmodels.people.table import SORT_OF, Column, PeopleTable, Position, column_of
from app.viewmodels.screen import ActionFeedback

FIRST_ANSWER_SECONDS = 0.006
"""How long a key press may search before it paints a screenful: who is found later stands below,
where nothing is painted.
"""
_NEAR = 256
"""Rows: few come or go between two looks, so that whoever stands on top is as near as this."""
_SCREENFUL = 64
"""People: in a window of any size hardly more are seen at a time."""
_MORE_SECONDS = 0.1
"""How long more is looked for before the rest of what was found is shown."""
_PAINTED_SECONDS = 0.05
"""In which whatever a key has changed is painted."""

SEARCHED_AGAIN_SECONDS = 30.0
"""In which whoever has searched may well do so again."""


class FilterRunner(GuardedOverrides, QObject):
    """Keeps the table's people in line with the directory, the search and the filter."""

    shown = Signal()
    """The rows of the table are others, or will be once a long search has come to its end."""

    def __init__(
        self,
        directory: PeopleDirectory,
        table: PeopleTable,
        entries: EntriesShown,
        scroll_anchor: ScrollAnchor,
        scope: TaskScope,
    ) -> None:
        """Whoever still has a row among `entries` is not shown a second time; `scroll_anchor` is
        told why the rows are others.
        """
        super().__init__(table)
        self.query = ""
        self.filter = PeopleFilter.EVERYBODY
        self.newest_first = True
        """Whether those added lately stand so: until somebody sorts them in another way."""
        self._directory = directory
        self._table = table
        self._entries = entries
        self._scroll_anchor = scroll_anchor
        self._stale = False
        self.complete = True
        """Whether all who fit are shown."""
        self._finish = Action(scope, self._append_rest, second="replace")
        self._renew = Action(scope, self._show_anew, second="drop")
        self._over: asyncio.TimerHandle | None = None
        self._left_out: dict[int, int] = {}
        """Where in the whole list those stood last who still stand on top."""
        self._before: list[Sequence[int]] = []
        """What the table showed before the last keys."""
        self._painted: asyncio.TimerHandle | None = None
        scope.call_on_close(self._close)

    @property
    def narrowed(self) -> bool:
        """Whether anything but everybody is asked for."""
        return bool(self.query.strip()) or self.filter is not PeopleFilter.EVERYBODY

    @property
    def by_newest(self) -> bool:
        """Whether those are shown who were added lately, the newest on top."""
        return self.filter is PeopleFilter.RECENTLY_ADDED and self.newest_first

    def look(self, reason: Reason) -> None:
        """Show who fits: the first at once, the rest in slices."""
        self._stop()
        before = self._table.people_rows
        self._scroll_anchor.reason = reason
        self._table.mark(query_words(self.query))
        if self.narrowed:
            slices = self._slices()
            first, more = found_at_once(slices, FIRST_ANSWER_SECONDS, worth_waiting=_SCREENFUL)
            self.complete = not more
            self._table.show_rows(first, self._position())
            if more:
                self._finish(slices)
        else:
            self._table.show_rows(self._everybody(), self._position())
        self._let_go_behind_the_painting(before)
        self._scroll_anchor.reason = Reason.NEWS
        self.shown.emit()

    def look_again(self, reason: Reason = Reason.NEWS) -> None:
        """The people or their order have changed: show who fits, without a step in between."""
        if reason is Reason.NEWS and self._renew.running:
            self._stale = True
            return
        self._stop()
        self._scroll_anchor.reason = reason
        if self.narrowed:
            slices = self._slices()
            first, more = found_at_once(slices, FIRST_ANSWER_SECONDS)
            if more:
                self.complete = False
                self._renew(first, slices)
                return
            self._table.show_rows(first, self._position())
        else:
            self._table.show_rows(self._everybody(), self._position())
        self._scroll_anchor.reason = Reason.NEWS
        self.shown.emit()

    def _slices(self) -> Iterator[Sequence[int]]:
        self._not_over_yet()
        loop = asyncio.get_running_loop()
        self._over = loop.call_later(SEARCHED_AGAIN_SECONDS, self._directory.put_keys_together)
        among = None
        if self.by_newest:
            added = self._directory.recently_added()
            among = sorted(added, key=lambda row: (added[row], row), reverse=True)
        slices = self._directory.slices(self.query, flag=self.filter.flag, among=among)
        on_top = self._entries.rows_on_top()
        return _without(slices, on_top) if on_top else slices

    def _everybody(self) -> Sequence[int]:
        """All of the list but those who still stand on top: nobody has two rows."""
        rows, before = self._directory.ordered_rows(), self._left_out
        position = self._directory.positions()
        found = {
            row: _place(rows, row, before.get(row), position) for row in self._entries.rows_on_top()
        }
        self._left_out = {row: at for row, at in found.items() if at is not None}
        positions = self._left_out.values()
        if not positions:
            return rows
        left, behind = rows[:0], 0
        for at in sorted(positions):
            left += rows[behind:at]
            behind = at + 1
        return left + rows[behind:]

    def _position(self) -> Position | None:
        """What finds somebody among rows that are in the order of the list."""
        return None if self.by_newest else self._directory.positions()

    def _let_go_behind_the_painting(self, rows: Sequence[int]) -> None:
        """Of a million `rows` that takes as long as a painting, of what was found for them too."""
        if self._over is None:  # nobody has searched
            return
        self._before.append(rows)
        if self._painted is None:
            loop = asyncio.get_running_loop()
            self._painted = loop.call_later(_PAINTED_SECONDS, self._let_go)

    def _let_go(self) -> None:
        self._painted = None
        self._before.clear()
        if not self.narrowed:
            self._directory.forget_searches()

    def _close(self) -> None:
        for timer in (self._over, self._painted):
            if timer is not None:
                timer.cancel()

    def _not_over_yet(self) -> None:
        if self._over is not None:
            self._over.cancel()

    def _stop(self) -> None:
        self._finish.cancel()
        self._renew.cancel()
        self._stale = False
        self.complete = True

    async def _append_rest(self, slices: Iterator[Sequence[int]]) -> None:
        found: list[int] = []
        shown = perf_counter()
        # In short turns: the painting of what is there, and the next key, come in between.
        async for rows in found_in_turns(slices):
            found += rows
            # Each time a view takes in that there are more, which of a million takes longer.
            if perf_counter() - shown > _MORE_SECONDS:
                self._table.append_rows(found)
                found, shown = [], perf_counter()
        self._table.append_rows(found)
        self.complete = True
        self.shown.emit()

    async def _show_anew(self, found: list[int], slices: Iterator[Sequence[int]]) -> None:
        """A list that keeps changing is shown again and again, never left for later."""
        self._stale = True
        while self._stale:
            self._stale = False
            async for rows in found_in_turns(slices, FIRST_ANSWER_SECONDS):
                found += rows
            self._table.show_rows(found)
            self._scroll_anchor.reason = Reason.NEWS
            found, slices = [], self._slices()
        self.complete = True
        self.shown.emit()


def _place(rows: Rows, row: int, before: int | None, position: Position) -> int | None:
    """Where `row` stands among `rows`; it stood at `before`, and few have come or gone since."""
    if before is not None:
        with suppress(ValueError):
            return rows.index(row, max(before - _NEAR, 0), before + _NEAR)
    with suppress(ValueError):
        try:
            return position(rows, row)
        except LookupError:
            return rows.index(row)
    return None


def _without(slices: Iterator[Sequence[int]], rows: frozenset[int]) -> Iterator[Sequence[int]]:
    for found in slices:
        yield found if rows.isdisjoint(found) else [row for row in found if row not in rows]


class SortOrder:
    """The order of one account's people."""

    def __init__(
        self,
        directory: PeopleDirectory,
        table: PeopleTable,
        filter_runner: FilterRunner,
        scope: TaskScope,
        feedback: ActionFeedback,
    ) -> None:
        """`filter_runner` shows the list in another order; `feedback` says why that failed."""
        self._directory = directory
        self._table = table
        self._filter_runner = filter_runner
        self._sort = Action(scope, self._sort_by, second="replace", on_error=feedback.say_error)

    @property
    def now(self) -> tuple[SortKey, bool]:
        """What the list is sorted by, and whether descending."""
        return self._directory.sorted_by

    def sort_by(self, by: SortKey, *, descending: bool = False) -> None:
        """Sort the list."""
        self._sort(by, descending)

    def sort_by_column(self, column: Column) -> None:
        """Sort by what a column shows, or turn the list round where it is sorted by it; a
        column that nothing can be sorted by leaves it as it is.
        """
        by, descending = self._shown
        if column_of(by) is column:
            self.sort_by(by, descending=not descending)
        elif column in SORT_OF:
            # Whoever asks when people were added wants to see who is new.
            self.sort_by(SORT_OF[column], descending=column is Column.ADDED)

    def show(self) -> None:
        """Say in the header what the list is sorted by."""
        by, descending = self._shown
        self._table.show_sort(by, descending=descending)

    @property
    def _shown(self) -> tuple[SortKey, bool]:
        return (SortKey.ADDED, True) if self._filter_runner.by_newest else self.now

    async def _sort_by(self, by: SortKey, descending: bool) -> None:  # noqa: FBT001 - an action's work
        await self._directory.sort(by, descending=descending)
        self._filter_runner.newest_first = False
        self.show()
        self._filter_runner.look_again(Reason.SORTED)
        await self._directory.pack_keys()
