"""What is new as a list by day: people of whom the same is to be said in one line, each change of
a flow in one.

Which changes these are, and what is said of each, others know.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

import msgspec
from PySide6.QtCore import Qt

from app.model.change import ChangeKind, LoggedChange
from app.runtime.words import in_a_row, tr
from app.store.change_log import CutChanges
from app.viewmodels.cell_table import Index
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.viewmodels.flows.search import Highlights
from app.viewmodels.formatting import local

_ORDER = tuple(ChangeKind)


class NewsRow(msgspec.Struct, frozen=True):
    """One line of the list."""

    words: str
    strong: Highlights = ()
    amber: Highlights = ()
    found: Highlights = ()
    heading: bool = False
    """It says a day."""
    inside: bool = False
    """It is one of those that the line above has joined."""
    unseen: bool = False
    place: FlowPlace | None = None
    """Where it leads to, if that is still there."""
    person_id: str | None = None
    folded: bool | None = None
    """Whether those it joins are folded away; None where it joins nobody."""
    unfold_words: str = ""
    """What shows them below it."""

    @property
    def name(self) -> str:
        """What a list calls it."""
        return self.words

    @property
    def way_words(self) -> str:
        """What leads on from it; blank where nothing does."""
        if self.folded is False:
            return tr("Hide")
        if self.folded:
            return self.unfold_words
        return tr("Show") if self.place is not None or self.person_id is not None else ""

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        parts = (tr("new") if self.unseen else "", self.words, self.way_words)
        return in_a_row(part for part in parts if part)


class ListedChanges(msgspec.Struct):
    """One line of a day: one change of a flow, or all people of whom the same is to be said."""

    day: date
    kind: ChangeKind
    changes: list[LoggedChange] = msgspec.field(default_factory=list)
    besides: int = 0
    """How many more there were, too many to be kept one by one."""

    @property
    def count(self) -> int:
        return len(self.changes) + self.besides


class ChangesByDay:
    """The lines by day: people of whom the same is to be said in one, each change of a flow in one.

    Changes are put in newest first.
    """

    def __init__(self) -> None:
        self._days: dict[date, dict[object, ListedChanges]] = {}

    def put_in(self, logged: Sequence[LoggedChange]) -> None:
        for each in logged:
            kind = each.change.kind
            self._line(each.at, kind, kind if kind.of_person else each.serial).changes.append(each)

    def count(self, cut: CutChanges) -> None:
        """Of flows they are counted in the sentence below all alone."""
        if cut.kind.of_person:
            self._line(cut.at, cut.kind, cut.kind).besides += cut.count

    def _line(self, at: datetime, kind: ChangeKind, key: object) -> ListedChanges:
        there = local(at).date()
        return self._days.setdefault(there, {}).setdefault(key, ListedChanges(there, kind))

    def lines(self) -> Iterator[ListedChanges]:
        """The latest day first; in each, people before flows."""
        for there in sorted(self._days, reverse=True):
            of_day = self._days[there].values()
            people = [line for line in of_day if line.kind.of_person]
            yield from sorted(people, key=lambda line: _ORDER.index(line.kind))
            yield from (line for line in of_day if not line.kind.of_person)


class NewsKey(msgspec.Struct, frozen=True):
    """What a row of the list is of: a day, a line, or one of its people."""

    day: date
    line: ListedChanges | None = None
    change: LoggedChange | None = None

    @property
    def identity(self) -> tuple[object, ...]:
        """What it is of, whatever has come to it since."""
        line, change = self.line, self.change
        return (
            self.day,
            line and line.kind,
            line.changes[0].serial if line and not line.kind.of_person else None,
            change and change.serial,
        )


def is_same_row(one: NewsKey, other: NewsKey) -> bool:
    return one.identity == other.identity


class NewsList(RowsOnDemand[NewsKey, NewsRow]):
    """Rows of what is new."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Days are no choices."""
        key = self.key_at(index.row())
        if key is not None and key.line is None:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)
