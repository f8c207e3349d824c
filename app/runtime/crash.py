"""Errors nobody expected, gathered as data: from slots, tasks, threads and finalisers alike.

Who shows them is not known here; a listener is told, on whatever thread the error happened.
"""

import asyncio
import logging
import platform
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

import msgspec

from app.runtime.secrets import redact

_log = logging.getLogger(__name__)
_KEPT = 20


class CrashReport(msgspec.Struct, frozen=True):
    """One unexpected error, fit to be copied to a stranger: no secret is left in it."""

    details: str


class CrashReporter:
    """Takes every uncaught error, keeps the last few, logs them and tells one listener."""

    def __init__(self, version: str) -> None:
        """`version` is the program's own, written into each report."""
        self._version = version
        self._listener: Callable[[CrashReport], None] | None = None
        self._reports: deque[CrashReport] = deque(maxlen=_KEPT)
        self._before: tuple[Any, Any, Any] | None = None

    @property
    def reports(self) -> tuple[CrashReport, ...]:
        """The last reports, oldest first."""
        return tuple(self._reports)

    def listen(self, listener: Callable[[CrashReport], None] | None) -> None:
        """Tell `listener` of each report from now on, on the thread where it happened."""
        self._listener = listener

    def report(self, error: BaseException, where: str = "task") -> None:
        """Write down an error that nobody expected."""
        report = CrashReport(self._details(error, where))
        self._reports.append(report)
        _log.error("uncaught in %s\n%s", where, report.details)
        if self._listener is not None:
            self._listener(report)

    def install(self) -> None:
        """Stand behind Python's own last resorts: slots, threads and finalisers end there."""
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        sys.unraisablehook = self._unraisable

    def uninstall(self) -> None:
        """Put back what `install` replaced."""
        if self._before is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
            self._before = None

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take what `loop` would only have printed."""
        loop.set_exception_handler(self._lost_in_loop)

    def _uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error, "slot")

    def _uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value, f"thread {args.thread.name if args.thread else '?'}")

    def _unraisable(self, args: "sys.UnraisableHookArgs") -> None:
        if args.exc_value is not None:
            self.report(args.exc_value, "finaliser")

    def _lost_in_loop(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(str(context.get("message")))
        self.report(error, "event loop")

    def _details(self, error: BaseException, where: str) -> str:
        trace = "".join(traceback.format_exception(error))
        head = (
            f"Front Desk {self._version}, Python {platform.python_version()}, "
            f"{platform.system()} {platform.release()}, in {where}"
        )
        return redact(f"{head}\n\n{trace}")
