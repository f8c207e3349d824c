"""People who were typed and are not yet with the service: taken, held, sent, and what became of it.

Never lost, and never sent twice unless a person says so. Entries are changed in `entries`, sent in
`sender`, made sure of in `reconciler`; here is what a person can ask for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from app.model.cause import Cause
from app.model.errors import ExpectedError
from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.outbox.account_matching import read_sample, write_sample
from app.outbox.batches import Batches
from app.outbox.entries import Entries
from app.outbox.events import PauseReason
from app.outbox.known_people import KnownPeople
from app.outbox.new_entry import acceptable, new_entry, whole
from app.outbox.pauses import Pauses
from app.outbox.reconciler import Reconciler
from app.outbox.sender import OutboxSender, SignedIn
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr
from app.store.outbox.outbox import OutboxStore

_BACKOFF = (5.0, 60.0)
_LOOKS = (0.0, 20.0, 120.0)
_HELD = "held until recognised"
_UNCOMPARED = "held until compared"
_WAITING = frozenset({EntryState.WAITING})
_NOT_SURE = frozenset({EntryState.NOT_SURE})
_CAN_BE_EDITED = frozenset({EntryState.WAITING, EntryState.REFUSED})
_CAN_BE_SENT_AGAIN = frozenset({EntryState.REFUSED, EntryState.NOT_SURE})
_END_OTHERWISE = frozenset({PauseReason.OTHER_ORGANISATION, PauseReason.NOT_COMPARED})
_CAN_BE_DISMISSED = _CAN_BE_SENT_AGAIN | {EntryState.ADDED}


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Outbox:
    """The entries of one account, newest last. Used on the thread of the event loop only.

    Publishes EntriesChanged, PersonAdded, PersonFound and PauseChanged. An entry leaves as WAITING
    -> SENDING -> ADDED, REFUSED or NOT_SURE; back from SENDING to WAITING only where the error says
    that nothing was taken. NOT_SURE is made sure by the list, or by a person. It works while
    the session has a `service`: call `resume` when that changes, and once after it was made.

    What a person asks for is durable when the call returns. Where this computer cannot keep it the
    call raises StoreError, an ExpectedError, and nothing has changed.
    """

    def __init__(
        self,
        events: EventBus,
        scope: TaskScope,
        session: SignedIn,
        *,
        store: OutboxStore,
        people: KnownPeople | None = None,
        hold_seconds: float,
        now: Callable[[], datetime] = _utc_now,
        backoff: tuple[float, float] = _BACKOFF,
        looks: Sequence[float] = _LOOKS,
        holds: Mapping[str, float] | None = None,
    ) -> None:
        """Takes up what `store` has; who opened it closes it, after this.

        `people`: the list, to make sure of lost replies; None leaves them to a person at once.
        `hold_seconds`: how long an entry is held, until `set_hold_seconds` says otherwise;
        `backoff`: first and longest retry, seconds; `looks`: seconds before each reading of the
        list for an entry that is not sure; `holds`: those of the outbox that had these entries
        until now, where this is no start of the program.
        """
        self.store = store
        """What is kept: history, half-typed line and lists under review are asked of it."""
        self._now = now
        self._entries = Entries(store, events, now, can_look=people is not None)
        self.index = self._entries.index
        """Where each entry stands; changed by the outbox alone."""
        self._pauses = Pauses(events, backoff)
        self._sender = OutboxSender(
            self._entries,
            self._pauses,
            scope,
            session,
            people,
            hold_seconds=hold_seconds,
            on_doubt=self._make_sure,
        )
        self._reconciler = Reconciler(
            self._entries,
            self._pauses,
            scope,
            session,
            people,
            waits=looks,
            backoff=backoff,
            on_judged=self._sender.wake,
        )
        self.can_look = people is not None
        """Whether there is a list to make sure with."""
        self._refuses = ""
        self.batches = Batches(
            store,
            self._entries,
            self._sender,
            events,
            scope,
            now=now,
            check_open=self._check_open,
        )
        """Lists of people taken together."""
        self.waited_at_start = 0
        """How many people were waiting when the program started: they are sent now."""
        if holds is None:
            self.waited_at_start = self.index.count_of_those_who_may_go()
        else:
            self._sender.take_up(holds)
        if store.metadata(_HELD) is not None:
            self._stop_unrecognised()
        if store.metadata(_UNCOMPARED) is not None:
            self._stop_uncompared()

    def set_hold_seconds(self, seconds: float) -> None:
        """For how long each entry is held that is taken or corrected from now on."""
        self._sender.hold_seconds = seconds

    @property
    def holds(self) -> Mapping[str, float]:
        """Until when each entry is held, by the loop's clock and the id of each."""
        return self._sender.holds

    # Typing

    def add(self, typed: str, new_person: NewPerson) -> OutboxEntry:
        """Take a person; `typed` is the line as it stood, to be given back on undo.

        The draft is this entry now, and forgotten. Raises ExpectedError when both names are blank,
        and while `take_nobody` says so.
        """
        self._check_open()
        hold = self._sender.hold_seconds
        entry = self._entries.take(new_entry(typed, new_person, self._now(), hold))
        self._sender.hold([entry], hold)
        return entry

    def undo(self, entry_id: str) -> OutboxEntry | None:
        """Take back a waiting entry and give it to the caller; None when it has left already."""
        entry = self._entries.find(entry_id, _WAITING)
        if entry is not None:
            self._entries.remove(entry)
            self._sender.forget([entry])
        return entry

    def begin_edit(self, entry_id: str | None) -> OutboxEntry | None:
        """Keep a waiting or refused entry from being sent until `edit` or `end_edit`; None for any
        other. Of one at a time, and in memory alone: after a restart it is sent as it stands.
        """
        entry = None if entry_id is None else self._entries.find(entry_id, _CAN_BE_EDITED)
        self.index.edited = None if entry is None else entry.id
        self._sender.wake()
        return entry

    def end_edit(self) -> None:
        """Leave the entry that is edited as it was."""
        self.begin_edit(None)

    def edit(self, entry_id: str, typed: str, new_person: NewPerson) -> OutboxEntry | None:
        """Replace a waiting or refused entry: it is held anew, then sent. None for any other.

        Raises ExpectedError, and changes nothing, when both names are blank.
        """
        new_person = acceptable(new_person)
        entry = self._entries.find(entry_id, _CAN_BE_EDITED)
        if entry is None:
            return None
        hold = self._sender.hold_seconds
        edited = msgspec.structs.replace(entry, typed=whole(typed), new_person=new_person)
        changed = self._entries.wait(edited, self._now() + timedelta(seconds=hold))
        self.index.edited = None
        self._sender.hold([changed], hold)
        return changed

    # Deciding

    def send_again(self, entry_id: str) -> OutboxEntry | None:
        """Send a refused or not sure entry once more, at once; None for any other.

        Only when a person asks: one that was not sure may then be with the service twice.
        """
        entry = self._entries.find(entry_id, _CAN_BE_SENT_AGAIN)
        if entry is None:
            return None
        waiting = self._entries.wait(entry, self._now())
        self._sent_again([waiting])
        return waiting

    async def send_all_again(self) -> tuple[OutboxEntry, ...]:
        """The same for everybody whom the list does not have; open questions stay open."""
        absent = self.index.of(EntryState.NOT_SURE, Doubt.ABSENT)
        free = [entry for entry in absent if self._entries.find(entry.id, _NOT_SURE)]
        if not free:
            return ()
        waiting = await self._entries.wait_all(free, self._now())
        self._sent_again(waiting)
        return waiting

    def confirm_candidate(self, entry_id: str) -> OutboxEntry | None:
        """A person says that the candidate is the one: it was added. None without a candidate."""
        entry = self._with_candidate(entry_id)
        if entry is None or entry.candidate_id is None:
            return None
        asked = self.index.of(EntryState.NOT_SURE, Doubt.LOOKS_LIKE)
        others = [
            one for one in asked if one.candidate_id == entry.candidate_id and one.id != entry.id
        ]
        settled, *doubted = self._entries.settle(entry, entry.candidate_id, not_the_one=others)
        self._reconciler.hurry(*doubted)
        self._sender.wake()
        return settled

    def reject_candidate(self, entry_id: str) -> OutboxEntry | None:
        """A person says that the candidate is not the one: the looking goes on."""
        entry = self._with_candidate(entry_id)
        if entry is None:
            return None
        doubted = self._entries.doubt_again(entry)
        self._reconciler.hurry(doubted)
        return doubted

    def look_now(self, entry_id: str) -> OutboxEntry | None:
        """Read the list for an entry that is not sure at once; None for any other, and for one with
        a candidate. Who was looked for in vain stays a question meanwhile.
        """
        entry = self._entries.find(entry_id, _NOT_SURE)
        if entry is None or entry.doubt is Doubt.LOOKS_LIKE:
            return None
        self._reconciler.hurry(entry)
        return entry

    def is_there(self, entry_id: str) -> OutboxEntry | None:
        """A person has seen that one who is not sure was added; None for any other entry."""
        entry = self._entries.find(entry_id, _NOT_SURE)
        if entry is not None:
            self._entries.is_there(entry)
            self._sender.wake()
            self._reconciler.wake()
        return entry

    def dismiss(self, entry_id: str) -> bool:
        """Take a refused, not sure or added entry off the list; False for any other.

        The history keeps it, but nobody looks any more whether one not sure is there.
        """
        entry = self._entries.find(entry_id, _CAN_BE_DISMISSED)
        if entry is not None:
            self._entries.remove(entry)
            self._sender.wake()
            self._reconciler.wake()
        return entry is not None

    # Looking

    def entries(self) -> tuple[OutboxEntry, ...]:
        """Every entry on the list, in the order they were typed."""
        return self.index.all()

    def unsent(self) -> tuple[OutboxEntry, ...]:
        """All that was not added: kept over an end of the program, lost by signing out."""
        everybody = self.index.all()
        return tuple(entry for entry in everybody if entry.state is not EntryState.ADDED)

    @property
    def unsent_count(self) -> int:
        """How many entries were not added."""
        count = self.index.count
        return sum(count(state) for state in EntryState if state is not EntryState.ADDED)

    @property
    def to_send_count(self) -> int:
        """How many people wait or are on their way."""
        return sum(map(self.index.count, (EntryState.WAITING, EntryState.SENDING)))

    @property
    def has_to_send(self) -> bool:
        """Whether somebody is on the way, or would be if nothing were in the way."""
        index = self.index
        waits = index.next_typed() is not None or index.next_of_a_batch() is not None
        return waits or index.count(EntryState.SENDING) > 0

    @property
    def is_on_the_way(self) -> bool:
        """Whether somebody has left, and nobody knows yet what became of them."""
        return self.index.count(EntryState.SENDING) > 0

    @property
    def needs_person_count(self) -> int:
        """How many entries go on only when a person decides."""
        count = self.index.count
        looks_like = count(EntryState.NOT_SURE, Doubt.LOOKS_LIKE)
        return count(EntryState.REFUSED) + looks_like + self.absent_count

    def needing_person(self, most: int) -> tuple[OutboxEntry, ...]:
        """The first of those who go on only when a person decides, those refused before others."""
        first_of = self.index.first_of
        return (
            *first_of(most, EntryState.REFUSED),
            *first_of(most, EntryState.NOT_SURE, Doubt.LOOKS_LIKE),
            *first_of(most, EntryState.NOT_SURE, Doubt.ABSENT),
        )[:most]

    @property
    def refused_count(self) -> int:
        """How many the service said no to."""
        return self.index.count(EntryState.REFUSED)

    @property
    def absent_count(self) -> int:
        """How many entries are not sure, and nobody in the list is the one."""
        return self.index.count(EntryState.NOT_SURE, Doubt.ABSENT)

    @property
    def looked_for_count(self) -> int:
        """How many entries are being made sure of by themselves."""
        return self.index.count(EntryState.NOT_SURE, Doubt.LOOKING)

    def held_up_by(self, entry_id: str) -> OutboxEntry | None:
        """The unsettled entry of the same name and email a waiting one waits for, or None."""
        entry = self._entries.find(entry_id, _WAITING)
        return None if entry is None else self.index.unsettled_like(entry)

    # Going on and stopping

    @property
    def pause_reason(self) -> PauseReason | None:
        """Why it does not send at present, or None."""
        return self._pauses.reason

    @property
    def pause_sentence(self) -> str:
        """The same as one sentence; blank when it is not paused."""
        return self._pauses.sentence

    def send_now(self) -> None:
        """Hold nothing any longer and try an unreachable service at once. Lifts no other pause."""
        self._pauses.hurry()
        self.end_edit()
        self._sender.hurry()
        self._reconciler.hurry()

    def service_answered(self) -> None:
        """The list was read just now: what was put off for want of a good answer need not wait."""
        if self._pauses.answered():
            self._sender.wake()

    def pause(self) -> None:
        """Start nothing more until `resume`; what is on its way arrives."""
        self._pauses.stop(PauseReason.BY_HAND, tr("Sending is paused."))
        self._sender.wake()

    def resume(self) -> None:
        """Go on: after signing in, when the service is there, or because a person asked.

        Ends every pause but those that have an end of their own.
        """
        self._pauses.lift(*(set(PauseReason) - _END_OTHERWISE))
        self._sender.wake()
        self._reconciler.hurry()
        self.batches.clear()

    def hold_until_recognised(self) -> None:
        """Somebody signed in anew: nobody leaves before `recognised`, also after a restart.

        A StoreError means: held until the end of this run only.
        """
        self._stop_unrecognised()
        self._sender.wake()
        self._reconciler.wake()
        self.store.set_metadata(_HELD, "yes")

    def recognised(self) -> None:
        """It is the organisation these people were typed for, or a person says so."""
        self.store.set_metadata(_HELD, None)
        self._refuses = ""
        self._pauses.lift(PauseReason.OTHER_ORGANISATION)
        self._sender.wake()
        self._reconciler.wake()

    def hold_until_compared(self) -> None:
        """There is no list of the account to compare with: nobody leaves before `compared`, also
        after a restart. A StoreError means: held until the end of this run only.
        """
        if not self.holds_uncompared:
            self._stop_uncompared()
            self._sender.wake()
            self.store.set_metadata(_UNCOMPARED, "yes")

    @property
    def holds_uncompared(self) -> bool:
        """Whether it does that now."""
        return self._pauses.is_in_force(PauseReason.NOT_COMPARED)

    async def set_aside(self, causes: Mapping[str, Cause]) -> None:
        """Send none of these before a person has decided, for a cause by the id of each; whoever
        waits no longer stays as they are.
        """
        waiting = [entry for one in causes if (entry := self._entries.find(one, _WAITING))]
        if waiting:
            await self._entries.set_aside(waiting, causes)
            self._sender.forget(waiting)

    def compared(self) -> None:
        """Whoever waits is nobody of the list, or is to be sent all the same. Raises StoreError."""
        self.store.set_metadata(_UNCOMPARED, None)
        self._pauses.lift(PauseReason.NOT_COMPARED)
        self._sender.wake()

    def take_nobody(self, why: str) -> None:
        """Take nobody new before `recognised`: whose account this is has to be said first."""
        self._refuses = why

    @property
    def known_people(self) -> tuple[str, ...]:
        """Ids of some people of the organisation that these people were typed for.

        They are kept here because the lists may be gone, and nobody may go elsewhere for that.
        Raises StoreError.
        """
        return read_sample(self.store)

    def remember_people(self, person_ids: Iterable[str]) -> None:
        """The same, anew, of a list that was recognised. Raises StoreError."""
        write_sample(self.store, person_ids)

    async def close(self) -> None:
        """End the work. An entry on its way becomes not sure; nothing is sent after this."""
        await self._reconciler.close()
        await self._sender.close()

    def _check_open(self) -> None:
        if self._refuses:
            raise ExpectedError(tr("Not added yet"), self._refuses)

    def _sent_again(self, waiting: Sequence[OutboxEntry]) -> None:
        self._sender.hold(waiting, 0.0)
        self._reconciler.start_over(waiting)

    def _with_candidate(self, entry_id: str) -> OutboxEntry | None:
        entry = self._entries.find(entry_id, _NOT_SURE)
        return entry if entry and entry.doubt is Doubt.LOOKS_LIKE else None

    def _make_sure(self) -> None:
        self._reconciler.wake()

    def _stop_unrecognised(self) -> None:
        self._pauses.stop(
            PauseReason.OTHER_ORGANISATION,
            tr("Nobody is sent before it is certain that this is the same organisation."),
        )

    def _stop_uncompared(self) -> None:
        self._pauses.stop(
            PauseReason.NOT_COMPARED,
            tr("Nobody is sent before they are compared with the list of the account."),
        )
