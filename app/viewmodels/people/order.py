"""What the list is sorted by, and sorting it otherwise; the header says which.

The sorting is the directory's, away from the event loop; a later wish replaces one under way.
"""

from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.store.ordering import SortKey
from app.viewmodels.people.filter_runner import FilterRunner
from app.viewmodels.people.scroll_anchor import Reason
from app.viewmodels.people.table import SORT_OF, Column, PeopleTable, column_of
from app.viewmodels.screen_remark import ScreenRemark


class Order:
    """The order of one account's people."""

    def __init__(
        self,
        directory: PeopleDirectory,
        table: PeopleTable,
        filter_runner: FilterRunner,
        scope: TaskScope,
        remark: ScreenRemark,
    ) -> None:
        """`filter_runner` shows the list in another order; `remark` says why that failed."""
        self._directory = directory
        self._table = table
        self._filter_runner = filter_runner
        self._sort = Action(scope, self._sort_by, second="replace", on_error=remark.say_error)

    @property
    def now(self) -> tuple[SortKey, bool]:
        """What the list is sorted by, and whether descending."""
        return self._directory.sorted_by

    def sort_by(self, by: SortKey, *, descending: bool = False) -> None:
        """Sort the list."""
        self._sort(by, descending)

    def sort_by_column(self, column: Column) -> None:
        """Sort by what a column shows, or turn the list round where it is sorted by it."""
        by, descending = self.now
        if column_of(by) is column:
            self.sort_by(by, descending=not descending)
        else:
            # Whoever asks when people were added wants to see who is new.
            self.sort_by(SORT_OF[column], descending=column is Column.ADDED)

    def show(self) -> None:
        """Say in the header what the list is sorted by."""
        by, descending = self.now
        self._table.show_sort(by, descending=descending)

    async def _sort_by(self, by: SortKey, descending: bool) -> None:  # noqa: FBT001 - an action's work
        await self._directory.sort(by, descending=descending)
        self.show()
        self._filter_runner.look_again(Reason.SORTED)
