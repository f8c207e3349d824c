"""The line at the foot of the window: people waiting to be sent, and how fresh the lists are."""

from PySide6.QtCore import QObject, Signal

from app.people.directory import PeopleChanged, PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.outbox import Outbox
from app.people.outbox_events import EntryChanged, EntryRemoved
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.people import PeopleScreen
from app.viewmodels.wording import clock


class StatusLine(QObject):
    """Says in one line what is under way."""

    changed = Signal()

    def __init__(
        self,
        people: PeopleScreen,
        directory: PeopleDirectory,
        outbox: Outbox,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Listens to the lists and the outbox of one account."""
        super().__init__()
        self._people = people
        self._directory = directory
        self._outbox = outbox
        for kind in (PeopleChanged, PeopleProgress, PeopleRefreshed, EntryChanged, EntryRemoved):
            events.subscribe(kind, self._tell, scope)
        people.changed.connect(self.changed)

    @property
    def words(self) -> str:
        """People on their way, then the reading or how fresh the list is."""
        parts = [*self._outbox_words(), self._reading_words()]
        return "   ".join(part for part in parts if part)

    @property
    def progress(self) -> tuple[int, int] | None:
        """People received and counted while a list is being read."""
        return self._people.progress

    def _outbox_words(self) -> list[str]:
        waiting, needed = self._outbox.waiting_count, self._outbox.needs_person_count
        words = []
        if waiting:
            words.append(trn("{n} waiting to be sent", "{n} waiting to be sent", waiting))
        if needed:
            words.append(trn("{n} needs you", "{n} need you", needed))
        return words

    def _reading_words(self) -> str:
        if self._people.progress_words:
            return self._people.progress_words
        read_at = self._directory.as_of
        return tr("Up to date, {time}", time=clock(read_at)) if read_at else ""

    def _tell(self, _event: object) -> None:
        self.changed.emit()
