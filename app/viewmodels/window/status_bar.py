"""The line at the foot of the window: people on their way, and how fresh the lists are."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.events import EntriesChanged, PauseChanged, PauseReason
from app.outbox.outbox import Outbox
from app.people.directory import PeopleChanged, PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.search import PeopleFilter
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.formatting import clock, day_and_clock, is_today
from app.viewmodels.guarded import Guarded
from app.viewmodels.outbox.history import HistoryScreen
from app.viewmodels.people.people import PeopleScreen

_KINDS = (
    PeopleChanged,
    PeopleProgress,
    PeopleRefreshed,
    EntriesChanged,
    PauseChanged,
)


class StatusBarState(Guarded, QObject):
    """Says in one line what is under way, and leads to those it speaks of."""

    changed = Signal()

    def __init__(
        self,
        people: PeopleScreen,
        directory: PeopleDirectory,
        outbox: Outbox,
        events: EventBus,
        scope: TaskScope,
        *,
        reading: Callable[[], bool] = lambda: False,
        in_touch: Callable[[], bool] = lambda: True,
    ) -> None:
        """Listens to the lists and the outbox of one account; `look_again` for what it cannot hear.

        `reading`: the lists are being asked for. `in_touch`: signed in, the line is up, and the
        service gave the lists when it was asked last.
        """
        super().__init__()
        self._reading = reading
        self._in_touch = in_touch
        self._people = people
        self._directory = directory
        self._outbox = outbox
        self.history = HistoryScreen(outbox, events, scope)
        """What the line leads to: everybody typed here, and what became of them."""
        for kind in _KINDS:
            events.subscribe(kind, self._tell, scope)
        people.state_changed.connect(self._tell)

    @property
    def words(self) -> str:
        """Everything in one line."""
        parts = (", ".join(self.outbox_words), self.list_words)
        return "   ".join(part for part in parts if part)

    @property
    def outbox_words(self) -> tuple[str, ...]:
        """Who waits, is looked for, and needs somebody; those of whom there is nobody left out."""
        parts = (self.waiting_words, self.looked_for_words, self.needed_words)
        return tuple(part for part in parts if part)

    @property
    def waiting_words(self) -> str:
        """How many people wait to be sent and, when it is not their turn yet, for what."""
        waiting = self._outbox.waiting_count
        return waiting_words(waiting, self._outbox.pause_reason) if waiting else ""

    @property
    def waiting_details(self) -> str:
        """Why they wait, in one sentence; blank when it is only for a moment."""
        return self._outbox.pause_sentence

    @property
    def looked_for_words(self) -> str:
        """How many entries are being made sure of by themselves."""
        many = self._outbox.looked_for_count
        return trn("{n} being looked for", "{n} being looked for", many) if many else ""

    @property
    def needed_words(self) -> str:
        """How many entries go on only when somebody decides."""
        needed = self._outbox.needs_person_count
        return trn("{n} needs you", "{n} need you", needed) if needed else ""

    @property
    def list_words(self) -> str:
        """How far the reading of the list has come, or how fresh the list is."""
        if self._people.state.progress_words:
            return self._people.state.progress_words
        if self._reading():
            return tr("Reading both lists")
        read_at = self._directory.as_of
        if read_at is None:
            return ""
        if is_today(read_at):
            if not self._in_touch():
                return tr("List as of {time}", time=clock(read_at))
            return tr("Up to date, {time}", time=clock(read_at))
        return tr("As of {day}", day=day_and_clock(read_at))

    @property
    def progress(self) -> tuple[int, int] | None:
        """People received and counted while a list is being read; None before that is known."""
        return self._people.state.progress

    @property
    def under_way(self) -> bool:
        """Whether the lists are being read."""
        return self._reading() or self.progress is not None

    def look_again(self) -> None:
        """Reading has begun or ended, or the line is another."""
        self.changed.emit()

    def choose_waiting(self) -> bool:
        """Choose the first of those who wait; False when nobody does any more."""
        return self._choose(lambda entry: entry.state is EntryState.WAITING)

    def choose_looked_for(self) -> bool:
        """Choose the first of those who are being made sure of; False when there is none."""
        return self._choose(
            lambda entry: entry.state is EntryState.NOT_SURE and not entry.needs_person
        )

    def choose_needed(self) -> bool:
        """Choose the first of those somebody has to decide about; False when there is none."""
        return self._choose(lambda entry: entry.needs_person)

    def _choose(self, fits: Callable[[OutboxEntry], bool]) -> bool:
        found = next((entry for entry in self._outbox.entries() if fits(entry)), None)
        if found is None:
            return False
        if self._people.table.position_of(found.id) is None:
            self._people.search("")
            self._people.show_only(PeopleFilter.EVERYBODY)
        self._people.choose(found.id)
        return True

    def _tell(self, _event: object) -> None:
        self.changed.emit()


def waiting_words(waiting: int, reason: PauseReason | None) -> str:
    """How many people wait, and for what; `reason` is None where it is only for a moment."""
    if reason is PauseReason.NO_LINE:
        return trn("{n} waiting for the line", "{n} waiting for the line", waiting)
    if reason is PauseReason.SIGN_IN:
        return trn("{n} waiting for you to sign in", "{n} waiting for you to sign in", waiting)
    if reason is PauseReason.OTHER_ORGANISATION:
        return trn(
            "{n} waiting until it is certain whose list this is",
            "{n} waiting until it is certain whose list this is",
            waiting,
        )
    if reason is PauseReason.NO_ROOM:
        return trn(
            "{n} waiting for room on this computer",
            "{n} waiting for room on this computer",
            waiting,
        )
    if reason is PauseReason.BY_HAND:
        return trn("{n} waiting, paused", "{n} waiting, paused", waiting)
    return trn("{n} waiting", "{n} waiting", waiting)
