"""QApplication, the event loop and the system's signals around one `Container`."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

# qasync looks for any Qt it can find unless it is told.
os.environ["QT_API"] = "pyside6"

from PySide6.QtCore import QCoreApplication, QLocale, QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app import __version__
from app.container import Container, StartOptions
from app.runtime.crash import CrashReporter
from app.runtime.logging import close_log, write_log_to
from app.runtime.paths import resource
from app.runtime.words import tr, use_language
from app.views.theme import Theme


def make_application() -> QApplication:
    """The QApplication, dressed; WebEngine wants one attribute set before it exists."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = QApplication([sys.argv[0]])
    application.setApplicationName("Front Desk")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("frontdesk")
    # The container says when it is over; a dialog closed last must not.
    application.setQuitOnLastWindowClosed(False)
    if QLocale().language() is QLocale.Language.C:
        # A machine without a locale would show dates in no order that anybody reads.
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    use_language(resource("translations"), QLocale().uiLanguages())
    Theme(application)
    return application


class Companion(Protocol):
    """Somebody in front of the screen."""

    def stop(self) -> None:
        """The window is gone."""


def run_window(
    options: StartOptions, accompany: Callable[[Container], Companion] | None = None
) -> int:
    """Show the window until it is closed; gives the exit code.

    `accompany` is called with the container before its window is shown: that is how the tour gets
    to stand in front of the screen.
    """
    crashes = CrashReporter(__version__)
    crashes.install()
    _begin_log(options)
    application = make_application()
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    crashes.watch(loop)
    try:
        with loop:
            container = Container(options, crashes)
            companion = accompany(container) if accompany is not None else None
            with _quit_on_signals(container.quit):
                loop.run_until_complete(container.run())
            if companion is not None:
                companion.stop()
    finally:
        asyncio.set_event_loop(None)
        crashes.uninstall()
        close_log()
    return 0


def _begin_log(options: StartOptions) -> None:
    try:
        write_log_to(options.data_folder)
    except OSError:
        print(  # noqa: T201 - there is no window yet to say it in
            tr("Front Desk cannot write to {folder}.", folder=options.data_folder),
            file=sys.stderr,
        )


@contextlib.contextmanager
def _quit_on_signals(quit_now: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the window, without waking up to look for them."""
    if os.name != "posix":
        yield
        return
    heard, told = socket.socketpair()
    for end in (heard, told):
        end.settimeout(0)
    before_fd = signal.set_wakeup_fd(told.fileno())
    before = {each: signal.signal(each, _noted) for each in (signal.SIGINT, signal.SIGTERM)}
    notifier = QSocketNotifier(heard.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: quit_now())
    try:
        yield
    finally:
        notifier.setEnabled(False)
        for each, handler in before.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(before_fd)
        heard.close()
        told.close()


def _noted(_number: int, _frame: object) -> None:
    """The number has gone into the socket already."""
