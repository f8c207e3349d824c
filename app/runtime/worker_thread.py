"""Blocking calls that may never come back, one after another on a daemon thread, each with a limit.

It knows threads and the event loop and leaves to its caller what is called. The thread is never
joined: a call that hangs holds neither the window nor the interpreter.
"""

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
Job = Callable[[], None]


class NoAnswerError(Exception):
    """The call was still under way, or still in the queue, when its time was over."""


class WorkerThread:
    """Keeps calls in the order they were made, so that an older write cannot undo a newer one.

    The thread lives only while there is something to do.
    """

    def __init__(self, name: str) -> None:
        """`name` is the thread's, to be read in a crash report."""
        self._name = name
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()
        self._working = False

    async def run(
        self,
        work: Callable[[], Result],
        seconds: float | None = None,
        *,
        undo: Callable[[Result], None] | None = None,
        even_if_late: bool = False,
    ) -> Result:
        """The result of `work`, done on the thread; what it raises is raised here.

        Raises NoAnswerError after `seconds`; with None its caller has a limit. Nobody waits any
        longer then, or when the caller is cancelled: a call still in the queue is left out (unless
        `even_if_late`), one under way is undone with `undo` as soon as it has come back.
        """
        call = _Call(work, undo, asyncio.get_running_loop(), even_if_late=even_if_late)
        self._push(call.perform)
        answered = False
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                result = await call.future
                answered = True
        except TimeoutError:
            if limit.expired():
                raise NoAnswerError from None
            raise
        finally:
            if not answered and (undoing := call.give_up()) is not None:
                self._push(undoing)
        return result

    def _push(self, job: Job) -> None:
        with self._lock:
            self._jobs.append(job)
            if self._working:
                return
            self._working = True
        threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception as error:  # noqa: BLE001 - nobody waits; its text may hold a secret
                _log.warning("late call on %s failed: %s", self._name, type(error).__name__)

    def _next(self) -> Job | None:
        with self._lock:
            if self._jobs:
                return self._jobs.popleft()
            self._working = False
            return None


class _Call(Generic[Result]):
    """One call and who waits for it; `perform` is the thread's part, the rest the loop's."""

    def __init__(
        self,
        work: Callable[[], Result],
        undo: Callable[[Result], None] | None,
        loop: asyncio.AbstractEventLoop,
        *,
        even_if_late: bool,
    ) -> None:
        self.future: asyncio.Future[Result] = loop.create_future()
        self._work = work
        self._undo = undo
        self._loop = loop
        self._even_if_late = even_if_late
        self._lock = threading.Lock()
        self._given_up = False
        self._undoing: Job | None = None

    def perform(self) -> None:
        """Do the work and hand over what came of it, or undo it where nobody waits any more."""
        if self._given_up and not self._even_if_late:
            return
        try:
            result = self._work()
        except Exception as error:  # noqa: BLE001 - raised again where the call was made
            self._hand_over(partial(self._refuse, error))
            return
        with self._lock:
            if self._undo is not None:
                self._undoing = partial(self._undo, result)
            late = self._given_up
        if not late:
            self._hand_over(partial(self._answer, result))
        elif self._undoing is not None:
            self._undoing()

    def give_up(self) -> Job | None:
        """Wait no longer. What must still be undone is given back, if it was already done."""
        with self._lock:
            self._given_up = True
            return self._undoing

    def _answer(self, result: Result) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def _refuse(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)

    def _hand_over(self, settle: Job) -> None:
        # A loop that was closed in the meantime says so with a RuntimeError: nobody listens.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(settle)
