"""What the People tab says of its list as a whole: how many, how far, and why nobody is there."""

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.filters import PeopleFilter
from app.runtime.words import tr
from app.viewmodels import people_words as say
from app.viewmodels.finding import Finding
from app.viewmodels.guarded import Guarded
from app.viewmodels.table import PeopleTable


class PeopleSayings(Guarded, QObject):
    """The sentences of a screen, which puts its table and its search beneath them."""

    changed = Signal()
    """Counts, progress, the order, the filter or a sentence are others."""
    table: PeopleTable
    _finding: Finding

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
        return self._finding.query

    @property
    def filter(self) -> PeopleFilter:
        """The filter in force."""
        return self._finding.filter

    @property
    def filters(self) -> tuple[say.FilterChoice, ...]:
        """All filters, with how many people of the whole list pass each."""
        return say.filter_choices(self._directory)

    @property
    def progress_words(self) -> str:
        """How far the reading has come, or blank when nothing is being read."""
        return say.progress_words(self._progress)

    @property
    def progress(self) -> tuple[int, int] | None:
        """People received and people counted by the service; None when nothing is being read."""
        if self._progress is None or self._progress.total is None:
            return None
        return self._progress.received, self._progress.total

    @property
    def count_words(self) -> str:
        """How many people are shown, in one line; what it was, for the moment of a long search."""
        if self._finding.complete or not self._counted:
            narrowed = self._finding.narrowed
            shown, everybody = self.table.people_count, self._directory.count()
            incomplete = "" if narrowed else say.incomplete_words(self._incomplete)
            self._counted = incomplete or say.count_words(shown, everybody, narrowed=narrowed)
        return self._counted

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return say.search_hint(self._directory.count())

    @property
    def empty_words(self) -> str:
        """What to say where the table has no row; blank when it has some."""
        if self.table.rowCount() or not self._finding.complete:
            return ""
        if self._finding.narrowed and self._directory.count():
            return say.nobody_words(self.query.strip(), self.filter)
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
