"""What a person is told of the account that is open: about its files, who was waiting when it was
opened, and who needs a decision.

How those are sent is the outbox's; what could not be opened is known to the local files.
"""

from collections.abc import Callable

from app.model.outbox import EntryState
from app.outbox.events import BatchesChanged, EntriesChanged, PauseChanged
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.errors import StoreError
from app.viewmodels.notices import Notice, needs_person, rescued, sent_now, waited_at_start
from app.viewmodels.window.session import SessionScreen
from app.workspace.local_files import LocalFiles

_NAMED = 3
_ANSWERED = frozenset({EntryState.ADDED, EntryState.REFUSED})


class DecisionNotice:
    """Keeps one sentence pinned about who goes no further before somebody decides, also over a
    restart. Put away, it comes back with the next one, and at the next start.
    """

    def __init__(
        self, outbox: Outbox, screen: SessionScreen, events: EventBus, scope: TaskScope
    ) -> None:
        """Says at once who needs somebody since before."""
        self._outbox = outbox
        self._screen = screen
        self._told: Notice | None = None
        events.subscribe(EntriesChanged, self._tell, scope)
        self._tell()

    def close(self) -> None:
        """The account is left."""
        if self._told is not None:
            self._screen.pin(None)

    def _tell(self, _event: EntriesChanged | None = None) -> None:
        outbox = self._outbox
        notice = needs_person(
            outbox.needing_person(_NAMED), outbox.needs_person_count, outbox.refused_count
        )
        if notice != self._told:
            self._told = notice
            self._screen.pin(notice)


class StartupNotices:
    """Says each thing once, and takes back what is no longer true."""

    def __init__(
        self,
        files: LocalFiles,
        outbox: Outbox,
        screen: SessionScreen,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Nothing is said of the files before `tell_of_files`."""
        self._files = files
        self._outbox = outbox
        self._screen = screen
        self._waited = outbox.waited_at_start
        self._said: Notice | None = None
        self._told_of_files: list[Notice] = []
        events.subscribe(PauseChanged, self._pause_changed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(BatchesChanged, self._batches_changed, scope)

    def tell_of_files(self) -> None:
        """What could not be opened, and what was rescued; both stay until somebody has read it."""
        if self._files.said:
            self._put_up(Notice(self._files.said), lambda: None)
        self._tell_of_rescue()

    def _tell_of_rescue(self) -> None:
        """One at a time: the next one when somebody has read it."""
        rescue = self._files.store.rescue
        if rescue is not None:
            self._put_up(rescued(rescue), self._rescue_was_told)

    def _put_up(self, notice: Notice, on_read: Callable[[], None]) -> None:
        self._told_of_files.append(notice)
        self._screen.say_until_read(notice, on_read)

    def close(self) -> None:
        """The account is left: what nobody has read is said when it is opened again."""
        self._take_back()
        for notice in self._told_of_files:
            self._screen.take_back(notice)

    def _rescue_was_told(self) -> None:
        try:
            self._files.store.rescue_was_told()
        except StoreError as error:
            self._screen.report(error)
        else:
            self._tell_of_rescue()

    def _take_back(self) -> None:
        said, self._said = self._said, None
        if said is not None:
            self._screen.take_back(said)

    def _entries_changed(self, event: EntriesChanged) -> None:
        if any(entry.state is EntryState.WAITING for entry in event.removed):
            # Somebody took them back: not all of them are sent.
            self._waited = 0
            self._take_back()
        if self._waited and self._said is None:
            self._tell_who_go(event)
        if self._said is None or self._outbox.has_to_send:
            return
        shown = self._screen.state.notice is self._said
        self._waited = 0
        self._take_back()
        if shown and not self._outbox.unsent_count:
            self._screen.say(sent_now(self._outbox.waited_at_start))

    def _tell_who_go(self, event: EntriesChanged) -> None:
        """The service has answered one of them: until then nobody knows that they go."""
        answered = sum(entry.state in _ANSWERED for entry in event.changed)
        if answered and self._outbox.pause_reason is None:
            self._waited = min(self._waited, self._outbox.to_send_count + answered)
            self._said = waited_at_start(self._waited)
            self._screen.say(self._said)

    def _batches_changed(self, event: BatchesChanged) -> None:
        known = [self._outbox.batches.progress(batch_id) for batch_id in event.ids]
        if self._said is not None and any(one is not None and one.paused for one in known):
            # The list itself says so.
            self._waited = 0
            self._take_back()

    def _pause_changed(self, event: PauseChanged) -> None:
        """Once they go again, that is said again."""
        if event.reason is not None:
            self._take_back()
