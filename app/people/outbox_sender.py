"""The one sender of the outbox: waits out the hold, sends in order, and knows what each end means.

It never sends anything twice by itself: only what provably never left goes back to waiting.
"""

import asyncio
from collections.abc import Callable

from app.api.errors import ApiError, NotAuthorised, TooManyRequests, TooSlow, Unreachable
from app.api.service import Service
from app.model.outbox import OutboxEntry
from app.people.outbox_book import OutboxBook
from app.people.outbox_events import PauseChanged, PauseReason
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr

# With outcome_unknown False these say that nothing was taken and that a later try may go through.
_NEVER_LEFT = (Unreachable, TooSlow, TooManyRequests)


class OutboxSender:
    """At most one task, which lives only while somebody waits and may be sent: idle is silent."""

    def __init__(
        self,
        book: OutboxBook,
        events: EventBus,
        scope: TaskScope,
        service: Callable[[], Service | None],
        backoff: tuple[float, float],
    ) -> None:
        """`backoff`: seconds to the first and the longest wait before an unreachable service."""
        self._book = book
        self._events = events
        self._scope = scope
        self._service = service
        self._shortest, self._longest = backoff
        self._retry_in = self._shortest
        self._not_before = 0.0
        self._due: dict[str, float] = {}
        self._news = asyncio.Event()
        self._doubtful = False
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.pause_reason: PauseReason | None = None
        self.pause_sentence = ""
        scope.call_on_close(self._shut)

    def hold(self, entry: OutboxEntry, seconds: float) -> None:
        """Send `entry` when `seconds` have passed. Measured by a clock that nobody can set."""
        self._due[entry.id] = asyncio.get_running_loop().time() + seconds
        self.wake()

    def forget(self, entry: OutboxEntry) -> None:
        """`entry` was taken back: the next one may be due."""
        self._due.pop(entry.id, None)
        self.wake()

    def wake(self) -> None:
        """Look again at what is to be done: something was added, taken away or allowed."""
        self._news.set()
        if self._task is None and self._next() is not None:
            self._task = self._scope.spawn(self._send_all())
            self._task.add_done_callback(self._ended)

    def hurry(self) -> None:
        """Cut short every hold and the wait for an unreachable service."""
        self._due.clear()
        self._not_before = 0.0
        self.wake()

    def pause(self) -> None:
        """Start nothing more; what is on its way arrives."""
        self._tell(PauseReason.BY_HAND, tr("Sending is paused."))
        self._news.set()

    def resume(self) -> None:
        """Go on, whatever the reason of the pause was; an unreachable service is tried at once."""
        self._retry_in, self._not_before = self._shortest, 0.0
        self._tell(None, "")
        self.wake()

    async def close(self) -> None:
        """End the sender; an entry on its way becomes not sure."""
        self._shut()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _shut(self) -> None:
        self._closed = True

    def _ended(self, _task: "asyncio.Task[None]") -> None:
        self._task = None
        if self.pause_reason is PauseReason.NO_LINE and self._book.first_waiting() is None:
            self._tell(None, "")
        self.wake()

    def _next(self) -> OutboxEntry | None:
        halted = self.pause_reason in {PauseReason.BY_HAND, PauseReason.SIGN_IN}
        if self._closed or halted or self._service() is None:
            return None
        return self._book.first_waiting()

    async def _send_all(self) -> None:
        while (entry := self._next()) is not None:
            self._news.clear()
            if await self._waited(entry):
                service = self._service()
                if service is not None and await self._answers(service):
                    await self._send(service, entry)

    async def _waited(self, entry: OutboxEntry) -> bool:
        """True when it is time for `entry`; False when there is news to look at first."""
        loop = asyncio.get_running_loop()
        until = max(self._due.get(entry.id, 0.0), self._not_before)
        if until <= loop.time():
            return True
        try:
            async with asyncio.timeout_at(until):
                await self._news.wait()
        except TimeoutError:
            return not self._news.is_set()
        return False

    async def _answers(self, service: Service) -> bool:
        """After an answer got lost, one small read has to come back before anybody else is sent.

        Otherwise a bad stretch of the line would make everybody who waits unsure, one by one.
        """
        if not self._doubtful:
            return True
        try:
            await service.check()
        except NotAuthorised as error:
            self._tell(PauseReason.SIGN_IN, error.message)
        except ApiError as error:
            self._put_off(error)
        except Exception as error:  # noqa: BLE001 - reported below; the others still have to go
            self._doubtful = False
            self._scope.spawn(_raised(error))
        else:
            self._doubtful = False
        return not self._doubtful

    async def _send(self, service: Service, waiting: OutboxEntry) -> None:
        self._due.pop(waiting.id, None)
        entry = self._book.sending(waiting)
        new = entry.new_person
        try:
            person = await service.create_person(new.firstname, new.lastname, new.email)
        except ApiError as error:
            self._failed(entry, error)
        except asyncio.CancelledError:
            self._book.not_sure(entry, _left_open(tr("This was on its way when the work ended.")))
            raise
        except Exception as error:  # noqa: BLE001 - reported below; the others still have to go
            self._book.not_sure(entry, _left_open(tr("Something unexpected happened on the way.")))
            self._scope.spawn(_raised(error))
        else:
            self._heard()
            self._book.added(entry, person)

    def _failed(self, entry: OutboxEntry, error: ApiError) -> None:
        if error.outcome_unknown:
            self._doubtful = True
            self._book.not_sure(entry, error.message)
        elif isinstance(error, NotAuthorised):
            self._back(entry)
            self._tell(PauseReason.SIGN_IN, error.message)
        elif isinstance(error, _NEVER_LEFT):
            self._back(entry)
            self._put_off(error)
        else:
            self._heard()
            self._book.refused(entry, error.message)

    def _back(self, entry: OutboxEntry) -> None:
        self._book.wait(entry, entry.send_at)

    def _put_off(self, error: ApiError) -> None:
        wait = max(self._retry_in, min(error.retry_after or 0.0, self._longest))
        self._not_before = asyncio.get_running_loop().time() + wait
        self._retry_in = min(self._retry_in * 2, self._longest)
        if self.pause_reason is None or self.pause_reason is PauseReason.NO_LINE:
            self._tell(PauseReason.NO_LINE, error.message)

    def _heard(self) -> None:
        """The service has answered: the line is there."""
        self._retry_in = self._shortest
        if self.pause_reason is PauseReason.NO_LINE:
            self._tell(None, "")

    def _tell(self, reason: PauseReason | None, sentence: str) -> None:
        if (reason, sentence) != (self.pause_reason, self.pause_sentence):
            self.pause_reason, self.pause_sentence = reason, sentence
            self._events.publish(PauseChanged(reason, sentence))


def _left_open(sentence: str) -> str:
    return f"{sentence} {tr('The person may or may not have been added.')}"


async def _raised(error: Exception) -> None:
    """Raise where the scope hands it to the crash reporter, so that the sender can go on."""
    raise error
