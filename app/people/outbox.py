"""People who were typed and are not yet with the service: taken, held, sent, and what became of it.

A person typed is never lost and never sent twice unless a person says so. Entries are changed in
`outbox_book`, sent in `outbox_sender`; here is what a person can ask for.
"""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from app.api.service import Service
from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.people.outbox_book import NEEDS_PERSON, OutboxBook
from app.people.outbox_events import PauseReason
from app.people.outbox_sender import OutboxSender
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr

_BACKOFF = (5.0, 60.0)
_CAN_BE_EDITED = frozenset({EntryState.WAITING, EntryState.REFUSED})
_CAN_BE_DISMISSED = NEEDS_PERSON | {EntryState.ADDED}


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Outbox:
    """The entries of one account, newest last. Used on the thread of the event loop only.

    Publishes EntryChanged, EntryRemoved, PersonAdded and PauseChanged. An entry leaves as WAITING
    -> SENDING -> ADDED, REFUSED or NOT_SURE; back from SENDING to WAITING only where the error says
    that nothing was taken. It sends while `service()` is not None: call `resume` when that changes.
    """

    def __init__(
        self,
        events: EventBus,
        scope: TaskScope,
        service: Callable[[], Service | None],
        *,
        hold_seconds: Callable[[], float],
        now: Callable[[], datetime] = _utc_now,
        backoff: tuple[float, float] = _BACKOFF,
    ) -> None:
        """`hold_seconds` is asked at each entry; `backoff`: first and longest retry, seconds."""
        self._hold_seconds = hold_seconds
        self._now = now
        self._book = OutboxBook(events)
        self._sender = OutboxSender(self._book, events, scope, service, backoff)

    def add(self, typed: str, new_person: NewPerson) -> OutboxEntry:
        """Take a person; `typed` is the line as it stood, to be given back on undo.

        Raises ExpectedError, and takes nothing, when both names are blank.
        """
        _require_name(new_person)
        now, hold = self._now(), self._hold_seconds()
        entry = self._book.take(
            OutboxEntry(
                id=uuid.uuid4().hex,
                typed=typed,
                new_person=new_person,
                state=EntryState.WAITING,
                typed_at=now,
                send_at=now + timedelta(seconds=hold),
            )
        )
        self._sender.hold(entry, hold)
        return entry

    def undo(self, entry_id: str) -> OutboxEntry | None:
        """Take back a waiting entry and give it to the caller; None when it has left already."""
        entry = self._book.find(entry_id, {EntryState.WAITING})
        if entry is None:
            return None
        self._book.remove(entry)
        self._sender.forget(entry)
        return entry

    def edit(self, entry_id: str, new_person: NewPerson) -> OutboxEntry | None:
        """Correct a waiting or refused entry: it is held anew, then sent. None for any other.

        Raises ExpectedError, and changes nothing, when both names are blank.
        """
        _require_name(new_person)
        entry = self._book.find(entry_id, _CAN_BE_EDITED)
        if entry is None:
            return None
        hold = self._hold_seconds()
        changed = self._book.wait(entry, self._now() + timedelta(seconds=hold), new_person)
        self._sender.hold(changed, hold)
        return changed

    def send_again(self, entry_id: str) -> OutboxEntry | None:
        """Send a refused or not sure entry once more, at once. Only when a person asks for it.

        An entry that was not sure may then be with the service twice. None for any other entry.
        """
        entry = self._book.find(entry_id, NEEDS_PERSON)
        if entry is None:
            return None
        waiting = self._book.wait(entry, self._now())
        self._sender.hold(waiting, 0.0)
        return waiting

    def dismiss(self, entry_id: str) -> bool:
        """Take a refused, not sure or added entry off the list; False for any other.

        What is lost: of a refused one, all that was typed; of one not sure, the only reminder that
        somebody has to look whether the person is there; of an added one, nothing but the line.
        """
        entry = self._book.find(entry_id, _CAN_BE_DISMISSED)
        if entry is not None:
            self._book.remove(entry)
        return entry is not None

    def entries(self) -> tuple[OutboxEntry, ...]:
        """Every entry, in the order they were typed."""
        return self._book.all()

    def unsent(self) -> tuple[OutboxEntry, ...]:
        """What closing would lose while entries are kept in memory: all that was not added."""
        return tuple(entry for entry in self._book.all() if entry.state is not EntryState.ADDED)

    @property
    def waiting_count(self) -> int:
        """How many people wait to be sent (the one on its way is not among them)."""
        return self._book.count({EntryState.WAITING})

    @property
    def needs_person_count(self) -> int:
        """How many entries go on only when a person decides: refused and not sure."""
        return self._book.count(NEEDS_PERSON)

    @property
    def pause_reason(self) -> PauseReason | None:
        """Why it does not send at present, or None."""
        return self._sender.pause_reason

    @property
    def pause_sentence(self) -> str:
        """The same as one sentence for a person; blank when it is not paused."""
        return self._sender.pause_sentence

    def send_now(self) -> None:
        """Hold nothing any longer and try an unreachable service at once. Lifts no other pause."""
        now = self._now()
        for entry in self._book.all():
            if entry.state is EntryState.WAITING and entry.send_at > now:
                self._book.wait(entry, now)
        self._sender.hurry()

    def pause(self) -> None:
        """Start nothing more until `resume`; what is on its way arrives."""
        self._sender.pause()

    def resume(self) -> None:
        """Send again: after signing in, when the service is there, or because a person asked."""
        self._sender.resume()

    async def close(self) -> None:
        """End the sender. An entry on its way becomes not sure; nothing is sent after this."""
        await self._sender.close()


def _require_name(new_person: NewPerson) -> None:
    if not (new_person.firstname.strip() or new_person.lastname.strip()):
        raise ExpectedError(
            tr("A name is needed"), tr("Type a first name or a last name for this person.")
        )
