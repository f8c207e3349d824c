"""Whoever was typed last, what became of them, and what somebody can decide about one of them; and
the list that is still to be looked over.
"""

from itertools import islice

import msgspec

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.events import EntriesChanged, PauseChanged
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr
from app.viewmodels.importing.list_import import ListImport
from app.viewmodels.outbox.entry_actions import (
    Decision,
    EntryAction,
    EntryActions,
    what_happened,
)
from app.viewmodels.people.table import added_words, state_words
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.screen import Screen

MOST = 12
"""Whoever was typed before them is looked for in the large window."""
_OPEN_TO_QUESTIONS = frozenset({EntryState.REFUSED, EntryState.NOT_SURE})


class RecentEntry(msgspec.Struct, frozen=True):
    """One of them. What does not apply is blank."""

    id: str
    name: str
    state: EntryState
    state_words: str
    needs_person: bool = False
    can_undo: bool = False
    why: str = ""
    """What leads to the sentence below, or away from it."""
    sentence: str = ""
    """What became of them and why, once somebody has asked."""
    actions: tuple[EntryAction, ...] = ()
    """What can be decided then, the likeliest first."""


class RecentEntriesState(msgspec.Struct, frozen=True):
    """What is shown below the line."""

    entries: tuple[RecentEntry, ...] = ()
    """The newest first."""
    empty_words: str = ""
    begun_list_words: str = ""
    """What leads to the list that was begun and is neither added nor discarded; blank for none."""


class RecentEntries(Screen[RecentEntriesState]):
    """Follows those who were typed, and nobody of a list; only while somebody looks."""

    def __init__(
        self,
        outbox: Outbox,
        quick_add: QuickAdd,
        entry_actions: EntryActions,
        events: EventBus,
        scope: TaskScope,
        *,
        lists: ListImport,
    ) -> None:
        """Whoever is taken back, or is to be corrected, goes into the line of `quick_add`."""
        super().__init__(RecentEntriesState())
        self._outbox = outbox
        self._quick_add = quick_add
        self._entry_actions = entry_actions
        self._lists = lists
        self._looked_at = False
        self._asked: str | None = None
        for kind in (EntriesChanged, PauseChanged):
            events.subscribe(kind, self._tell, scope)
        lists.begun_changed.connect(self._tell)

    def look(self, *, on: bool) -> None:
        """Whether somebody looks at them."""
        self._looked_at, self._asked = on, None
        self._tell()

    def ask_why(self, entry_id: str) -> None:
        """Say of this one what became of them and why; asked again, say no more of it."""
        self._asked = None if entry_id == self._asked else entry_id
        self._tell()

    def go_on_with_list(self) -> None:
        """Look on over the list that was begun."""
        self._lists.go_on()

    def undo(self, entry_id: str) -> None:
        """Take back whoever still waits."""
        self._quick_add.undo(entry_id)

    def decide(self, entry_id: str, decision: Decision) -> None:
        """Do what a person says about one of them."""
        entry = self._outbox.index.get(entry_id)
        self._asked = None
        if decision is Decision.CORRECT and entry is not None:
            self._quick_add.correct(entry)
        elif decision is Decision.UNDO:
            self._quick_add.undo(entry_id)
        else:
            self._entry_actions.decide(entry_id, decision)
        self._tell()

    def _tell(self, _event: object = None) -> None:
        if not self._looked_at:
            return
        typed = (one for one in reversed(self._outbox.entries()) if one.batch is None)
        entries = tuple(self._shown(entry) for entry in islice(typed, MOST))
        empty = "" if entries else tr("Whoever you add stands here.")
        self._set_state(RecentEntriesState(entries, empty, self._lists.go_on_words()))

    def _shown(self, entry: OutboxEntry) -> RecentEntry:
        state = entry.state
        added = entry.ended_at if state is EntryState.ADDED else None
        asked = entry.id == self._asked and state in _OPEN_TO_QUESTIONS
        outbox = self._outbox
        return RecentEntry(
            id=entry.id,
            name=entry.new_person.full_name,
            state=state,
            state_words=state_words(state) if added is None else added_words(added),
            needs_person=entry.needs_person,
            can_undo=state is EntryState.WAITING,
            why=(tr("Close") if asked else tr("Why?")) if state in _OPEN_TO_QUESTIONS else "",
            sentence=what_happened(entry, outbox.held_up_by(entry.id), outbox.pause_reason)
            if asked
            else "",
            actions=self._entry_actions.actions_for(entry) if asked else (),
        )
