"""The program's own outbox, list and client, joined as at somebody's desk, without a window."""

import asyncio
import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.api.auth import BearerToken
from app.api.errors import ApiError, NotAuthorised
from app.api.requests import Limits
from app.api.service import Service
from app.model.errors import ExpectedError
from app.model.outbox import BatchRow, EntryState, NewPerson
from app.outbox import sender
from app.outbox.account_matching import AccountMatch, recognise_service
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.events import EntriesChanged, PauseChanged, PauseReason
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReading, FirstReadingChanged, UncomparedPeople
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.store.cache import Cache
from app.store.errors import StoreError
from tests.promises.kept import number_of
from tests.promises.watched import DEATH, Careless, WatchedClient, WatchedStore, say

LIMITS = Limits(deadline=1.5, connect=1.0, silence=1.0, first_pause=0.01, longest_wait=0.05)
BACKOFF = (0.01, 0.05)
LOOKS = (0.0, 0.03, 0.08)
_HALTED = frozenset({"sign in", "other organisation"})


class RealProgram:
    """One account, from start to end. Every method is what somebody does or sees."""

    def __init__(self, folder: Path, address: str, token: str, careless: Careless) -> None:
        # A batch is short here: more at once is tried at every answer, in this process alone.
        vars(sender).update(_SOON=1, _SLOWLY=2, _LATER=3)
        self._address = address
        self._careless = careless
        self._clock = timedelta()
        self._news = asyncio.Event()
        events = EventBus(_crashed)
        self._scope = scope = TaskScope("trial", _crashed, ExpectedError)
        self._expired = False
        self._client = self._connected(token)
        self._cache = Cache.open(folder / "cache.sqlite3")
        self._directory = PeopleDirectory(self._cache, events)
        WatchedStore.careless = careless
        self._store = WatchedStore.open(folder / "outbox.sqlite3")
        self._outbox = Outbox(
            events,
            scope,
            self,
            store=self._store,
            people=DirectoryPeople(self._directory, events, scope, self._read_again),
            hold_seconds=0.0,
            now=lambda: datetime.now(UTC) + self._clock,
            backoff=BACKOFF,
            looks=LOOKS,
        )
        self._refresh = Action(
            scope, self._read, second="drop", on_error=_is_shown, on_change=self._reading_changed
        )
        self._duplicates = DuplicateIndex(self._directory, self._outbox, events, scope)
        self._uncompared = UncomparedPeople(
            self._outbox, self._directory, self._duplicates, events, scope
        )
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(PauseChanged, self._changed, scope)
        events.subscribe(FirstReadingChanged, self._changed, scope)

    async def open(self) -> None:
        """Show what is kept, then ask the service; who waited is sent."""
        await self._directory.open()
        self._duplicates.take_up()
        self._uncompared.begin()
        self._refresh()
        if self._outbox.pause_reason is PauseReason.OTHER_ORGANISATION:
            await self._recognise()
        self._outbox.resume()

    @property
    def service(self) -> Service | None:
        """None while the sign-in is over."""
        return None if self._expired else self._client

    async def add(self, number: int, person: Mapping[str, Any], hold: float) -> str:
        """Enter; gives the id once it is acknowledged. Blank where they are seen to be there."""
        self._outbox.set_hold_seconds(hold)
        new, known = _made(person)
        if known and self._is_seen(new):
            return ""
        return self._outbox.add(str(number), new).id

    async def add_batch(
        self, people: Mapping[str, Mapping[str, Any]], hold: float
    ) -> tuple[str, list[int]]:
        """A list is taken; gives the id once it is acknowledged, and who was left out for being
        there. People go by their numbers.
        """
        self._outbox.set_hold_seconds(hold)
        rows, left_out = [], []
        for line, (number, person) in enumerate(people.items(), 1):
            new, known = _made(person, leftover=number)
            if known and self._is_seen(new):
                left_out.append(int(number))
            rows.append(BatchRow(line, (number,), None if int(number) in left_out else new))
        return (await self._outbox.batches.take("list", ("Number",), rows)).id, left_out

    def pause(self, batch_id: str) -> None:
        """Somebody holds up the batch."""
        self._outbox.batches.pause(batch_id)

    def go_on(self) -> None:
        """Somebody lets go on whatever is held up."""
        for batch in self._outbox.batches.all():
            self._outbox.batches.go_on(batch.id)

    async def stop(self, batch_id: str) -> list[int]:
        """Somebody ends the batch; gives the numbers of those who are not sent."""
        back = await self._outbox.batches.stop(batch_id)
        return [int(row.cells[0]) for row in back]

    def undo(self, entry_id: str) -> bool:
        """Take somebody back; False where it is too late."""
        return self._outbox.undo(entry_id) is not None

    def answer(self, entry_id: str, decision: str) -> None:
        """What somebody decides who was asked."""
        decide = {
            "confirm": self._outbox.confirm_candidate,
            "reject": self._outbox.reject_candidate,
            "again": self._outbox.send_again,
            "dismiss": self._outbox.dismiss,
        }
        decide[decision](entry_id)

    def read(self) -> None:
        """Somebody has the list read again."""
        self._refresh()

    def send_all_the_same(self) -> None:
        """Somebody does without the list."""
        self._uncompared.send_all_the_same()

    def credential(self, token: str) -> None:
        """The token is another one; nobody has signed in."""
        self._scope.spawn(self._client.aclose())
        self._expired = False
        self._client = self._connected(token)

    async def sign_in(self, token: str) -> None:
        """Somebody signed in anew: nobody leaves before it is known to be the same account."""
        self._outbox.hold_until_recognised()
        self.credential(token)
        await self._recognise()
        self._refresh()
        self._outbox.resume()

    def recognised(self) -> None:
        """Somebody says that it is the same organisation."""
        self._outbox.recognised()

    def send_now(self) -> None:
        """Hold nobody any longer."""
        self._outbox.send_now()

    def move_clock(self, seconds: int) -> None:
        """The wall clock is set."""
        self._clock = timedelta(seconds=seconds)

    async def settled(self) -> dict[str, Any]:
        """How it stands once nothing goes on by itself."""
        while self._goes_on():
            self._news.clear()
            await self._news.wait()
        entries = self._outbox.entries()
        self._check_counts()
        return {
            "halted": self._halted if self._outbox.unsent() else "",
            "paused": bool(self._paused),
            "added": [entry.person_id for entry in entries if entry.state is EntryState.ADDED],
            "asks": [
                {
                    "id": entry.id,
                    "number": number_of(entry),
                    "state": entry.state,
                    "doubt": entry.doubt,
                    "reason": entry.reason,
                    "candidate": entry.candidate_id,
                }
                for entry in entries
                if entry.needs_person
            ],
        }

    async def close(self) -> None:
        """As a window closes."""
        await self._outbox.close()
        await self._scope.close()
        await self._client.aclose()
        await self._store.close()
        await self._cache.close()

    @property
    def _halted(self) -> str:
        reason = self._outbox.pause_reason
        missing = self._uncompared.first_reading is FirstReading.MISSING
        if reason is PauseReason.NOT_COMPARED and missing and not self._expired:
            return str(reason)
        return "sign in" if self._expired else str(reason) if reason in _HALTED else ""

    def _goes_on(self) -> bool:
        paused = self._paused
        return not self._halted and any(
            not entry.needs_person
            and self._outbox.held_up_by(entry.id) is None
            and not (entry.batch in paused and entry.state is EntryState.WAITING)
            for entry in self._outbox.unsent()
        )

    @property
    def _paused(self) -> frozenset[str]:
        batches = self._outbox.batches
        found = (batches.progress(batch.id) for batch in batches.all() if batch.paused)
        return frozenset(one.id for one in found if one is not None and one.waiting)

    def _check_counts(self) -> None:
        for batch in self._outbox.batches.all():
            one = self._outbox.batches.progress(batch.id)
            assert one is not None
            counted = one.added + one.refused + one.not_sure + one.not_sent + one.waiting
            if counted != batch.total:
                say(crash=f"{counted} of {batch.total} people of a batch are counted")

    async def _recognise(self) -> None:
        known = self._directory.count()
        found: AccountMatch | None = None
        while found is None and not self._expired:
            with contextlib.suppress(ApiError):
                found = await recognise_service(
                    self._client, lambda one: self._directory.row_of(one) is not None, known
                )
            await asyncio.sleep(BACKOFF[0])
        if found in {AccountMatch.SAME, AccountMatch.NOTHING_TO_COMPARE}:
            self._outbox.recognised()

    def _connected(self, token: str) -> WatchedClient:
        client = WatchedClient(
            self._address,
            BearerToken(token),
            limits=LIMITS,
            on_outcome=lambda error: self._session_hears(client, error),
        )
        return client

    def _session_hears(self, client: WatchedClient, error: ApiError | None) -> None:
        """As a session does: there is no service once it has refused the credential."""
        if isinstance(error, NotAuthorised) and client is self._client:
            self._expired = True
            self._reading_changed()
            self._news.set()

    async def _read(self) -> None:
        await self._directory.refresh(self._client)

    async def _read_again(self) -> bool:
        DEATH.reached("while looking")
        whole = (await self._directory.refresh(self._client)).complete
        DEATH.reached("while looking")
        return whole

    def _changed(self, _event: PauseChanged | FirstReadingChanged) -> None:
        self._news.set()

    def _reading_changed(self) -> None:
        self._uncompared.being_read(now=self._refresh.running, later=self._expired)

    def _is_seen(self, new: NewPerson) -> bool:
        """Whether whoever types it is shown that they are there, as far as that is known."""
        self._duplicates.look_up(new)
        return self._duplicates.certainly_listed(new) is not None

    def _entries_changed(self, event: EntriesChanged) -> None:
        self._news.set()
        if self._careless is Careless.RESENDS:
            loop = asyncio.get_running_loop()
            for entry in event.changed:
                if entry.state is EntryState.NOT_SURE:
                    loop.call_soon(self._outbox.send_again, entry.id)


def _made(person: Mapping[str, Any], leftover: str = "") -> tuple[NewPerson, bool]:
    """Somebody who was typed, and whether they are there and the typist would not know."""
    fields = dict(person)
    known = fields.pop("known")
    return NewPerson(leftover=leftover, **fields), known


def _is_shown(error: Exception) -> None:
    """A list that could not be read is said in the window; here nobody looks."""
    assert isinstance(error, ApiError | StoreError)


def _crashed(error: BaseException) -> None:
    say(crash=f"{type(error).__name__}: {error}")
