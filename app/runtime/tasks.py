"""The one way to start asynchronous work: a scope that owns its tasks and ends them.

A scope holds every task it started, takes cancellation as normal, hands expected errors to whoever
asked for the work, and everything else to the crash reporter.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Generic, Literal, ParamSpec

Work = Coroutine[Any, Any, None]
Arguments = ParamSpec("Arguments")


class TaskScope:
    """Owns tasks and subscriptions; closing it ends them all."""

    def __init__(
        self,
        name: str,
        report: Callable[[BaseException], None],
        expected: type[Exception],
    ) -> None:
        """`expected` errors go to the caller of `spawn`; any other goes to `report`."""
        self._name = name
        self.report = report
        """Tell of an error that nobody expected, where the work goes on after it."""
        self._expected = expected
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_close: list[Callable[[], None]] = []
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether anything this scope started is still under way."""
        return bool(self._tasks)

    @property
    def closed(self) -> bool:
        """Whether it starts nothing more."""
        return self._closed

    @property
    def asked_while_ending(self) -> bool:
        """Whether this is closed, and whoever asks a task that is being ended with it."""
        asking = asyncio.current_task() if self._closed else None
        return asking is not None and asking.cancelling() > 0

    def call_on_close(self, callback: Callable[[], None]) -> None:
        """Run `callback` when the scope closes, the last one given first."""
        self._on_close.append(callback)

    def spawn(
        self, work: Work, *, on_error: Callable[[Exception], None] | None = None
    ) -> "asyncio.Task[None]":
        """Start `work` on the running loop and hold it until it ends.

        An expected error goes to `on_error`; where nobody asked for it, it is a crash: an error
        that no one shows has been swallowed. A task that is being ended, and gets here before it
        hears of that, ends here.
        """
        if self._closed:
            work.close()
            if self.asked_while_ending:
                raise asyncio.CancelledError
            raise RuntimeError(f"{self._name} is closed and starts nothing more")
        task = asyncio.get_running_loop().create_task(self._run(work, on_error), name=self._name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # Cancelled before its first step, a task never gets to the work it wraps.
        task.add_done_callback(lambda _task: work.close())
        return task

    async def _run(self, work: Work, on_error: Callable[[Exception], None] | None) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - the end of the line for every task
            if on_error is not None and isinstance(error, self._expected):
                on_error(error)
            else:
                self.report(error)

    async def close(self) -> None:
        """Cancel what is under way, wait until it has ended, and end the subscriptions."""
        self._closed = True
        while self._on_close:
            self._on_close.pop()()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class Action(Generic[Arguments]):
    """One thing a person can ask for, which says what a second request does to the first.

    `drop`: while it runs, asking again does nothing (sending, signing in).
    `replace`: asking again cancels the older run, so that a late answer to an older question is
    never shown (searching, opening).
    """

    def __init__(
        self,
        scope: TaskScope,
        work: Callable[Arguments, Work],
        *,
        second: Literal["drop", "replace"],
        on_error: Callable[[Exception], None] | None = None,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        """`on_change` is called whenever `running` has changed."""
        self._scope = scope
        self._work = work
        self._second = second
        self._on_error = on_error
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None
        self._again: Callable[[], object] | None = None
        self._has_ended = False
        self.failed = False
        """Whether the last run ended in an expected error."""

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._task is not None

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> bool:
        """Start a run; False when it was dropped because one is under way, or all is being ended.

        A task that is being ended may ask by a signal: no error may leave the slot it ends in. Who
        goes on whenever a run has ended stops with the scope.
        """
        under_way = self._task is not None and not self._task.done()
        goes_on = self._has_ended and self._scope.closed
        if (under_way and self._second == "drop") or self._scope.asked_while_ending or goes_on:
            return False
        self.cancel()
        self.failed = False
        on_error = None if self._on_error is None else self._fail
        task = self._scope.spawn(self._work(*args, **kwargs), on_error=on_error)
        self._task = task
        task.add_done_callback(self._ended)
        self._tell()
        return True

    def again(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Start a run, and where one is under way another once it has ended: what it reads may have
        changed behind it. Given up with that run by `cancel` and by what replaces it.
        """
        if self._task is None:
            self(*args, **kwargs)
        else:
            self._again = partial(self, *args, **kwargs)

    async def ended(self) -> None:
        """Wait until no run is under way; whoever stops waiting does not end it."""
        while self._task is not None:
            await asyncio.wait({self._task})

    def cancel(self) -> None:
        """Give up the run under way, if there is one."""
        task, self._task, self._again = self._task, None, None
        if task is not None:
            task.cancel()
            self._tell()

    def _fail(self, error: Exception) -> None:
        self.failed = True
        if self._on_error is not None:
            self._on_error(error)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if task is self._task:
            again, self._task, self._again = self._again, None, None
            self._has_ended = True
            try:
                self._tell()
                # Whoever was told may have begun another.
                if again is not None and not self.running:
                    again()
            finally:
                self._has_ended = False

    def _tell(self) -> None:
        if self._on_change is not None:
            self._on_change()


async def moment_came(until: float, news: asyncio.Event) -> bool:
    """True when the loop's clock says `until`; False when there is news to look at first."""
    if until <= asyncio.get_running_loop().time():
        return True
    try:
        async with asyncio.timeout_at(until):
            await news.wait()
    except TimeoutError:
        return not news.is_set()
    return False
