"""People who are added before the account's list was read: they are held until they are compared
with it, for nobody who was sent can be taken back. Who is like whom is `duplicate_index`'s.
"""

import asyncio
import logging
from enum import Enum, auto

import msgspec

from app.model.cause import Cause, CauseKind
from app.model.display_name import display_name
from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex, DuplicatesKnown
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.people.events import PeopleChanged, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import in_turns
from app.store.errors import StoreError

_log = logging.getLogger(__name__)
_TIMEOUT = 60.0
"""Seconds that the first reading may take until a person may do without it."""


class FirstReading(Enum):
    """How far the list of the account is known."""

    DONE = auto()
    """It was read to its end, in this run or an earlier one."""
    UNDER_WAY = auto()
    """Whoever is added waits for it."""
    MISSING = auto()
    """It could not be read, or takes too long: a person says whether anybody is sent without it."""


class FirstReadingChanged(msgspec.Struct, frozen=True):
    """It is no longer as it was."""


class UncomparedPeople:
    """Pauses the outbox while there is no list to compare with, also over a restart.

    Whoever turns out to be there already is set aside for a person to decide; the others go.
    """

    def __init__(
        self,
        outbox: Outbox,
        directory: PeopleDirectory,
        duplicates: DuplicateIndex,
        events: EventBus,
        scope: TaskScope,
        *,
        timeout: float = _TIMEOUT,
    ) -> None:
        """Nothing is held before `begin`, but what was at the end of an earlier run.

        `timeout`: seconds until a reading that goes on is one that is missing.
        """
        self._outbox = outbox
        self._directory = directory
        self._duplicates = duplicates
        self._events = events
        self._timeout = timeout
        self._begun = False
        self._being_read = True
        self._comes_later = False
        self._too_long_at = 0.0
        self._too_long: asyncio.TimerHandle | None = None
        self._told = FirstReading.DONE
        self._comparing = Action(scope, self._compare, second="drop", on_error=_log_error)
        scope.call_on_close(self._stop_waiting)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleRefreshed, self._look, scope)
        events.subscribe(DuplicatesKnown, self._look, scope)

    def begin(self) -> None:
        """What is kept of the list on this computer has been read."""
        self._begun = True
        self._follow()

    def being_read(self, *, now: bool, later: bool = False) -> None:
        """Whether the list is being read, or will be by itself once something else is there."""
        begins = now and not self._being_read
        self._being_read, self._comes_later = now, later
        self._follow(begins=begins)

    @property
    def first_reading(self) -> FirstReading:
        """How far the list is known; nothing is missing before `begin`."""
        if not self._begun or self._directory.as_of is not None:
            return FirstReading.DONE
        in_time = asyncio.get_running_loop().time() < self._too_long_at
        waits = self._comes_later or (self._being_read and in_time)
        return FirstReading.UNDER_WAY if waits else FirstReading.MISSING

    def send_all_the_same(self) -> None:
        """A person says that whoever waits is sent without having been compared.

        Raises StoreError.
        """
        self._outbox.compared()

    # How it is done

    def _follow(self, *, begins: bool = False) -> None:
        if not self._begun:
            return
        if self._directory.as_of is None and (begins or self._told is FirstReading.DONE):
            self._hold()
        self._tell()

    def _hold(self) -> None:
        self._stop_waiting()
        loop = asyncio.get_running_loop()
        self._too_long_at = loop.time() + self._timeout
        self._too_long = loop.call_at(self._too_long_at, self._tell)
        try:
            self._outbox.hold_until_compared()
        except StoreError as error:
            _log_error(error)

    def _stop_waiting(self) -> None:
        if self._too_long is not None:
            self._too_long.cancel()
            self._too_long = None

    def _tell(self) -> None:
        now = self.first_reading
        if now is not self._told:
            self._told = now
            self._events.publish(FirstReadingChanged())

    def _people_changed(self, event: PeopleChanged) -> None:
        """What was kept of the list may be lost, and the list begins anew."""
        if event.removed:
            self._follow()

    def _look(self, _event: PeopleRefreshed | DuplicatesKnown) -> None:
        if self._directory.as_of is None:
            return
        self._stop_waiting()
        self._tell()
        if self._outbox.holds_uncompared and self._duplicates.knows_everybody:
            self._comparing()

    async def _compare(self) -> None:
        """A few at a time; who is taken or corrected meanwhile was compared as they were typed."""
        there: dict[str, tuple[NewPerson, Cause]] = {}
        async for entry in in_turns(self._outbox.entries()):
            if entry.state is EntryState.WAITING:
                known = self._duplicates.certainly_listed(entry.new_person)
                if known is not None:
                    there[entry.id] = entry.new_person, _already_there(known)
        now = ((self._outbox.index.get(one), *found) for one, found in there.items())
        await self._outbox.set_aside(
            {
                entry.id: cause
                for entry, compared, cause in now
                if entry is not None and entry.new_person == compared
            }
        )
        if self._directory.as_of is not None:
            self._outbox.compared()


def _already_there(known: Person) -> Cause:
    """Why somebody was not sent who was added before it was known that they are there."""
    name = display_name(known.firstname or "", known.lastname or "")
    return Cause(CauseKind.ALREADY_THERE, person=", ".join(filter(None, (name, known.email))))


def _log_error(error: Exception) -> None:
    _log.warning("who was not compared cannot be kept or told: %s", type(error).__name__)
