"""The status bar of the window: people on their way, and how fresh the lists are."""

from collections.abc import Callable
from datetime import datetime

import msgspec

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.events import EntriesChanged, PauseChanged, PauseReason
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.people.events import PeopleChanged, PeopleProgress, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.formatting import clock, day_and_clock, is_today
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.importing.result import ResultScreen
from app.viewmodels.outbox.history import HistoryScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.screen import Screen

_KINDS = (
    PeopleChanged,
    PeopleProgress,
    PeopleRefreshed,
    PauseChanged,
)


class StatusBarFacts(msgspec.Struct, frozen=True):
    """What is known of those on their way, and of the lists."""

    batches_words: str = ""
    """How far the lists are that are being added."""
    waiting: int = 0
    """Entries that wait to be sent, but for those of such lists."""
    pause: PauseReason | None = None
    """Why they do, where it is for longer than a moment."""
    pause_sentence: str = ""
    looked_for: int = 0
    """Entries that are being made sure of by themselves."""
    needs_person: int = 0
    """Entries that go on only when somebody decides."""
    last_added: OutboxEntry | None = None
    """Who was added last since the start; of a list that is under way nobody yet."""
    reading: bool = False
    """Whether the lists are being asked for."""
    in_touch: bool = True
    """Signed in, the connection is up, and the service gave the lists when it was asked last."""
    progress_words: str = ""
    """How far the reading of the people has come."""
    progress: tuple[int, int] | None = None
    read_at: datetime | None = None
    """When the list of people was last read to its end, UTC."""


class StatusBarState(msgspec.Struct, frozen=True):
    """What the line says. What does not apply is blank."""

    batches_words: str = ""
    """How many people of the lists that are on their way are added."""
    waiting_words: str = ""
    """How many people wait to be sent and, when it is not their turn yet, for what."""
    waiting_details: str = ""
    """Why they wait, in one sentence; blank, too, when it is only for a moment."""
    looked_for_words: str = ""
    """How many entries are being made sure of by themselves."""
    needed_words: str = ""
    """How many entries go on only when somebody decides."""
    added_words: str = ""
    """Who was added last, and when."""
    freshness_words: str = ""
    """How far the reading of the list has come, or how fresh the list is."""
    progress: tuple[int, int] | None = None
    """People received and counted while a list is being read; None before that is known."""
    under_way: bool = False
    """Whether the lists are being read."""


def status_bar_state(facts: StatusBarFacts) -> StatusBarState:
    """What the line says once these are the facts."""
    looked_for, needed = facts.looked_for, facts.needs_person
    return StatusBarState(
        batches_words=facts.batches_words,
        waiting_words=waiting_words(facts.waiting, facts.pause) if facts.waiting else "",
        waiting_details=facts.pause_sentence,
        looked_for_words=trn("{n} being looked for", "{n} being looked for", looked_for)
        if looked_for
        else "",
        needed_words=trn("{n} needs you", "{n} need you", needed) if needed else "",
        added_words=_added_words(facts.last_added),
        freshness_words=_freshness_words(facts),
        progress=facts.progress,
        under_way=facts.reading or facts.progress is not None,
    )


def _added_words(entry: OutboxEntry | None) -> str:
    if entry is None or entry.ended_at is None:
        return ""
    name = entry.new_person.full_name
    return tr("{name} added, {time}", name=name, time=clock(entry.ended_at))


def _freshness_words(facts: StatusBarFacts) -> str:
    if facts.progress_words:
        return facts.progress_words
    if facts.reading:
        return tr("Reading both lists")
    if facts.read_at is None:
        return ""
    if is_today(facts.read_at):
        if not facts.in_touch:
            return tr("List as of {time}", time=clock(facts.read_at))
        return tr("Up to date, {time}", time=clock(facts.read_at))
    return tr("As of {day}", day=day_and_clock(facts.read_at))


class StatusBarScreen(Screen[StatusBarState]):
    """Says in one line what is under way, and leads to those it speaks of."""

    def __init__(
        self,
        people: PeopleScreen,
        directory: PeopleDirectory,
        outbox: Outbox,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Listens to the lists and the outbox of one account."""
        super().__init__(StatusBarState())
        self._people = people
        self._directory = directory
        self._outbox = outbox
        self._reading = False
        self._in_touch = True
        self._last_added: OutboxEntry | None = None
        self._last_told: OutboxEntry | None = None
        self.history = HistoryScreen(outbox, events, scope)
        """What the line leads to: everybody typed here, and what became of them."""
        self.progress = ProgressScreen(outbox, events, scope)
        """Lists of people on their way."""
        self.results = ResultScreen(outbox, events, scope)
        """What became of each row of such a list."""
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        for kind in _KINDS:
            events.subscribe(kind, self._tell, scope)
        people.state_changed.connect(self._tell)
        self.progress.state_changed.connect(self._tell)
        self._tell()

    def follow_lists(self, *, reading: bool, in_touch: bool) -> None:
        """Whether the lists are being asked for, and whether they can be up to date."""
        self._reading, self._in_touch = reading, in_touch
        self._tell()

    def take_over(self, before: "StatusBarScreen") -> None:
        """Go on with what `before` told of the same account, which is shown anew."""
        self._last_added, self._last_told = before.last_added
        self.progress.take_over(before.progress)
        self._tell()

    @property
    def last_added(self) -> tuple[OutboxEntry | None, OutboxEntry | None]:
        """Who was added last, and who of them was told of last."""
        return self._last_added, self._last_told

    def choose_waiting(self) -> bool:
        """Choose the first of those who wait; False when nobody does any more."""
        return self._choose(lambda entry: entry.state is EntryState.WAITING and entry.batch is None)

    @property
    def list_under_way(self) -> str | None:
        """The id of the list that is sent now, None where none is."""
        return next((one.id for one in self.progress.state.lists if one.pause_words), None)

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
        self._people.open(found.id)
        return True

    def _entries_changed(self, event: EntriesChanged) -> None:
        added = event.added
        self._last_added = added[-1] if added else self._last_added
        self._tell()

    def _added_to_tell(self) -> OutboxEntry | None:
        """While a list is under way, how many of it are added is told in the place of each."""
        last = self._last_added
        if last is not None and (last.batch is None or not self.progress.state.status_bar_words):
            self._last_told = last
        return self._last_told

    def _tell(self, _event: object = None) -> None:
        self._set_state(status_bar_state(self._facts()))

    def _facts(self) -> StatusBarFacts:
        outbox, people = self._outbox, self._people.state
        return StatusBarFacts(
            batches_words=self.progress.state.status_bar_words,
            waiting=outbox.index.typed_waiting(),
            pause=outbox.pause_reason,
            pause_sentence=outbox.pause_sentence,
            looked_for=outbox.looked_for_count,
            needs_person=outbox.needs_person_count,
            last_added=self._added_to_tell(),
            reading=self._reading,
            in_touch=self._in_touch,
            progress_words=people.progress_words,
            progress=people.progress,
            read_at=self._directory.as_of,
        )


def waiting_words(waiting: int, reason: PauseReason | None) -> str:
    """How many people wait, and for what; `reason` is None where it is only for a moment."""
    said = {
        PauseReason.UNREACHABLE: trn(
            "{n} waiting for the connection", "{n} waiting for the connection", waiting
        ),
        PauseReason.SERVICE_FAULT: trn(
            "{n} waiting for the service", "{n} waiting for the service", waiting
        ),
        PauseReason.SIGN_IN: trn(
            "{n} waiting for you to sign in", "{n} waiting for you to sign in", waiting
        ),
        PauseReason.OTHER_ORGANISATION: trn(
            "{n} waiting until it is certain whose list this is",
            "{n} waiting until it is certain whose list this is",
            waiting,
        ),
        PauseReason.NOT_COMPARED: trn(
            "{n} waiting for the list of the account",
            "{n} waiting for the list of the account",
            waiting,
        ),
        PauseReason.NO_ROOM: trn(
            "{n} waiting for room on this computer",
            "{n} waiting for room on this computer",
            waiting,
        ),
        PauseReason.BY_HAND: trn("{n} waiting, paused", "{n} waiting, paused", waiting),
    }
    if reason is not None:
        return said[reason]
    return trn("{n} waiting", "{n} waiting", waiting)
