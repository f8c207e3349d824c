"""The sentences about the list as a whole: how many, how far, and that nobody fits."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.search import PeopleFilter
from app.runtime.words import tr, trn
from app.viewmodels.formatting import number
from app.viewmodels.guarded import Guarded
from app.viewmodels.people.filter_runner import FilterRunner
from app.viewmodels.people.table import PeopleTable


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One filter as it is offered."""

    filter: PeopleFilter
    words: str
    count: int

    @property
    def text(self) -> str:
        """Words and count as they are painted."""
        return tr("{filter} {count}", filter=self.words, count=number(self.count))

    @property
    def spoken(self) -> str:
        """Words and count for a screen reader."""
        return tr("{filter}, {count}", filter=self.words, count=number(self.count))


def filter_choices(directory: PeopleDirectory) -> tuple[FilterChoice, ...]:
    """All filters, each with how many people of the whole list pass it."""
    words = {
        PeopleFilter.EVERYBODY: tr("Everybody"),
        PeopleFilter.VOLUNTEERS: tr("Volunteers"),
        PeopleFilter.ADMINISTRATORS: tr("Administrators"),
        PeopleFilter.WITHOUT_EMAIL: tr("Without email"),
        PeopleFilter.ARCHIVED: tr("Archived"),
    }
    return tuple(
        FilterChoice(each, said, directory.count(each.flag)) for each, said in words.items()
    )


def progress_words(progress: PeopleProgress | None) -> str:
    """How far a reading has come; blank when nothing is being read."""
    if progress is None:
        return ""
    if progress.total is None:
        return tr("Reading people")
    return tr(
        "{received} of {total}",
        received=number(progress.received),
        total=number(progress.total),
    )


def count_words(shown: int, everybody: int, *, narrowed: bool) -> str:
    """How many people are shown."""
    if narrowed:
        return tr("{shown} of {all}", shown=number(shown), all=number(everybody))
    return trn("{count} person", "{count} people", everybody, count=number(everybody))


def search_hint(everybody: int) -> str:
    """What stands in the empty search line."""
    return trn("Search {count} person", "Search {count} people", everybody, count=number(everybody))


def detail_hint(*, hidden: bool, found: bool) -> str:
    """What to do next, where nobody is shown in detail.

    `hidden`: whoever is chosen is not among those shown; `found`: a search has found somebody.
    """
    if hidden:
        return tr("The search or the filter hides whom you chose. Clear it to come back to them.")
    if found:
        return tr("Choose somebody to see more. Enter in the search leads to the first one found.")
    return tr("Choose somebody to see more.")


def incomplete_words(incomplete: PeopleRefreshed | None) -> str:
    """That the service gave fewer people than it counted, or some that cannot be read; blank where
    it gave all.
    """
    if incomplete is None:
        return ""
    if incomplete.unreadable:
        return _unreadable_words(incomplete.received, incomplete.total, incomplete.unreadable)
    if incomplete.total is None:
        return ""
    return tr(
        "{received} of {total} shown: the account does not give more",
        received=number(incomplete.received),
        total=number(incomplete.total),
    )


def _unreadable_words(received: int, total: int | None, unreadable: int) -> str:
    bad = trn("{n} person could not be read", "{n} people could not be read", unreadable)
    if total is None:
        return tr("{received} shown: {why}", received=number(received), why=bad)
    shown = {"received": number(received), "total": number(total)}
    if total - received > unreadable:
        return tr(
            "{received} of {total} shown: {why}, and the account does not give more",
            why=bad,
            **shown,
        )
    return tr("{received} of {total} shown: {why}", why=bad, **shown)


def nobody_words(query: str, only: PeopleFilter) -> str:
    """That nobody fits the search and the filter, whichever of them there is."""
    if not query:
        return {
            PeopleFilter.EVERYBODY: tr("Nobody is here."),
            PeopleFilter.VOLUNTEERS: tr("Nobody here is a volunteer."),
            PeopleFilter.ADMINISTRATORS: tr("Nobody here is an administrator."),
            PeopleFilter.WITHOUT_EMAIL: tr("Everybody here has an email address."),
            PeopleFilter.ARCHIVED: tr("Nobody here is archived."),
        }[only]
    return {
        PeopleFilter.EVERYBODY: tr("Nobody here matches “{query}”.", query=query),
        PeopleFilter.VOLUNTEERS: tr("No volunteer matches “{query}”.", query=query),
        PeopleFilter.ADMINISTRATORS: tr("No administrator matches “{query}”.", query=query),
        PeopleFilter.WITHOUT_EMAIL: tr("Nobody without email matches “{query}”.", query=query),
        PeopleFilter.ARCHIVED: tr("Nobody archived matches “{query}”.", query=query),
    }[only]


class ListSentences(Guarded, QObject):
    """The sentences of a screen, which puts its table and its search beneath them."""

    changed = Signal()
    """Counts, progress, the order, the filter or a sentence are others."""
    table: PeopleTable
    _filter_runner: FilterRunner

    def __init__(self, directory: PeopleDirectory) -> None:
        """Nothing is being read."""
        super().__init__()
        self._directory = directory
        self._counted = ""
        self._being_read = False
        self._progress: PeopleProgress | None = None
        self._incomplete: PeopleRefreshed | None = None

    @property
    def query(self) -> str:
        """What is searched, as it was typed."""
        return self._filter_runner.query

    @property
    def filter(self) -> PeopleFilter:
        """The filter in force."""
        return self._filter_runner.filter

    @property
    def filters(self) -> tuple[FilterChoice, ...]:
        """All filters, with how many people of the whole list pass each."""
        return filter_choices(self._directory)

    @property
    def progress_words(self) -> str:
        """How far the reading has come, or blank when nothing is being read."""
        return progress_words(self._progress)

    @property
    def progress(self) -> tuple[int, int] | None:
        """People received and people counted by the service; None when nothing is being read."""
        if self._progress is None or self._progress.total is None:
            return None
        return self._progress.received, self._progress.total

    @property
    def count_words(self) -> str:
        """How many people are shown, in one line; what it was, for the moment of a long search."""
        if self._filter_runner.complete or not self._counted:
            narrowed = self._filter_runner.narrowed
            shown, everybody = self.table.people_count, self._directory.count()
            incomplete = "" if narrowed else incomplete_words(self._incomplete)
            self._counted = incomplete or count_words(shown, everybody, narrowed=narrowed)
        return self._counted

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return search_hint(self._directory.count())

    @property
    def empty_words(self) -> str:
        """What to say where the table has no row; blank when it has some."""
        if self.table.rowCount() or not self._filter_runner.complete:
            return ""
        if self._filter_runner.narrowed and self._directory.count():
            return nobody_words(self.query.strip(), self.filter)
        if self._being_read or self._progress is not None:
            return tr("Reading people from the account.")
        if self._directory.as_of is None:
            return tr("The list has not been read yet.")
        return tr("Nobody is here yet. Type a name in the line above and press Enter.")

    @property
    def can_show_everybody(self) -> bool:
        """Whether an empty table might have somebody in it without the filter."""
        return bool(self.empty_words) and self.filter is not PeopleFilter.EVERYBODY

    def being_read(self, begun: bool) -> None:  # noqa: FBT001 - whether it is under way
        """The list has been asked for, or that has ended."""
        self._being_read = begun
        self.changed.emit()

    def stop_progress(self) -> None:
        """The reading ended before its end."""
        self._progress = None
        self.changed.emit()

    def _progressed(self, event: PeopleProgress) -> None:
        self._progress = event
        self.changed.emit()
