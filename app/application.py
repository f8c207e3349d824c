"""QApplication, the event loop and the system's signals around one `Container`."""

import asyncio
import contextlib
import gc
import locale
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

# qasync looks for any Qt it can find unless it is told.
os.environ["QT_API"] = "pyside6"

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QSocketNotifier,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app import __version__
from app.container import Container, StartOptions
from app.runtime.crash import CrashReporter
from app.runtime.logging import close_log, write_log_to
from app.runtime.paths import CONNECTION_FILE, resource
from app.runtime.words import log_damaged_catalogues, tr, use_language, use_number_format
from app.single_instance import SingleInstance, Start, WindowRequest
from app.viewmodels.formatting import number
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.notices import named_in
from app.views.look.language import speak, system_languages
from app.views.look.theme import Theme

_NAME = "frontdesk"
_UTF8 = "C.UTF-8"


class Application(GuardedOverrides, QApplication):
    """Hears which files macOS opens with the program: there they come as events, not as arguments,
    to the program that runs already and to one that is only starting.
    """

    def __init__(self) -> None:
        """Files are kept until `when_asked`."""
        # Under this name a desktop finds the program's entry, with its icon and its windows as one.
        super().__init__([_NAME])
        self._take: Callable[[WindowRequest], None] | None = None
        self._early: list[WindowRequest] = []

    def when_asked(self, take: Callable[[WindowRequest], None]) -> None:
        """Have `take` get each file as what it asks of the window, those that came before too."""
        self._take = take
        while self._early:
            take(self._early.pop(0))

    def event(self, event: QEvent) -> bool:
        """Take the file; anything else is Qt's."""
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return super().event(event)
        file = Path(event.file())
        is_connection = file.suffix.lower() == CONNECTION_FILE
        asked = WindowRequest(connection=file) if is_connection else WindowRequest(list_file=file)
        if self._take is None:
            self._early.append(asked)
        else:
            self._take(asked)
        return True


def make_application() -> Application:
    """The QApplication, dressed; WebEngine wants one attribute set before it exists."""
    _write_utf8()
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = Application()
    application.setApplicationName(_NAME)
    application.setApplicationDisplayName("Front Desk")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName(_NAME)
    # The container says when it is over; a dialog closed last must not.
    application.setQuitOnLastWindowClosed(False)
    use_number_format(number)
    speak(application, resource("translations"), system_languages())
    _name_a_locale_that_is_there()
    application.setWindowIcon(QIcon(str(resource("icons") / "frontdesk.svg")))
    Theme(application)
    # A cursor that blinks wakes a window that is left alone, which nearly always is in a field.
    application.setCursorFlashTime(0)
    return application


def _write_utf8() -> None:
    """Where the locale that is named writes something else, or is none this system has, take the
    one Python takes then, before Qt says that it does.
    """
    if sys.platform != "linux" or _writes_utf8():
        return
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, _UTF8)
    everything = os.environ.pop("LC_ALL", "")
    if everything:
        _name_no_locale()
        os.environ["LANG"] = everything
    os.environ["LC_CTYPE"] = _UTF8


def _writes_utf8() -> bool:
    try:
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        return False
    return locale.nl_langinfo(locale.CODESET).upper() == "UTF-8"


def _name_no_locale() -> None:
    for name in [each for each in os.environ if each.startswith("LC_")]:
        del os.environ[name]


def _name_a_locale_that_is_there() -> None:
    """For those it starts: each part of Chromium would say of one that this system lacks that it
    takes another. Qt has read here by now which language, dates and numbers belong to it.
    """
    if sys.platform != "linux":
        return
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        _name_no_locale()
        languages = [each.replace("-", "_") for each in system_languages()]
        os.environ |= {"LANG": _UTF8, "LANGUAGE": ":".join(languages)}


class Companion(Protocol):
    """Somebody in front of the screen."""

    def stop(self) -> None:
        """The window is gone."""


def run_window(
    options: StartOptions, accompany: Callable[[Container], Companion] | None = None
) -> int:
    """Show the window until it is closed; gives the exit code, 1 where there is no display.

    Where a window of this data folder is open already, that one is raised, and this ends with 0.
    Where it does not answer, a small window says so and goes on asking; closed, this ends with 1.

    `accompany` is called with the container before its window is shown: that is how the tour gets
    to stand in front of the screen.
    """
    if _nowhere_to_show():
        _tell_that_nothing_can_be_shown()
        return 1
    with _one_sentence_instead_of_an_abort():
        application = make_application()
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    single_instance = SingleInstance(options.data_folder, asked=options.asked)
    try:
        with loop:
            loop.run_until_complete(_be_first_or_raise(single_instance, options))
            if single_instance.start is Start.FIRST:
                _run(loop, options, application, single_instance, accompany)
    finally:
        asyncio.set_event_loop(None)
        single_instance.end()
    if single_instance.start is not Start.NO_ANSWER:
        return 0
    if people := named_in([options.people or ""]):
        told = tr(
            "“{text}” was not added: Front Desk is open already and does not answer.", text=people
        )
        print(told, file=sys.stderr)  # noqa: T201 - the window that said so is gone
    return 1


async def _be_first_or_raise(single_instance: SingleInstance, options: StartOptions) -> None:
    if await single_instance.begin() is Start.NO_ANSWER:
        await _tell_that_it_hangs(single_instance, named_in([options.people or ""]))


def _run(
    loop: QEventLoop,
    options: StartOptions,
    application: Application,
    single_instance: SingleInstance,
    accompany: Callable[[Container], Companion] | None,
) -> None:
    crashes = CrashReporter(__version__)
    crashes.install()
    _begin_log(options)
    crashes.watch(loop)
    try:
        container = Container(options, crashes)
        single_instance.when_asked(container.come_to_front, container.take)
        container.when_quitting(single_instance.answer_nobody_more)
        application.when_asked(container.take)
        companion = accompany(container) if accompany is not None else None
        # What was built so far stays at least until an account is closed: looking through it again
        # would cost a frame.
        gc.freeze()
        with _quit_on_signals(container.quit_unasked):
            loop.run_until_complete(container.run())
        if companion is not None:
            companion.stop()
    finally:
        # What an account that was closed gave free again is not to be taken apart while Python
        # ends: it would go in any order, and Qt's objects among it end the process.
        gc.freeze()
        crashes.uninstall()
        close_log()


def _nowhere_to_show() -> bool:
    """Whether this is a system whose windows need a display that nobody has named."""
    named = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    return sys.platform not in {"win32", "darwin"} and not any(map(os.environ.get, named))


@contextlib.contextmanager
def _one_sentence_instead_of_an_abort() -> Iterator[None]:
    """Where Qt cannot reach the display that is named, it would abort the process, core dump and
    all; it says why before that, which is the moment to leave with a sentence.
    """
    said: list[str] = []

    def listen(kind: QtMsgType, _where: QMessageLogContext, message: str) -> None:
        if kind is QtMsgType.QtFatalMsg:
            _tell_that_nothing_can_be_shown()
            sys.stderr.flush()
            os._exit(1)
        said.append(message)

    before = qInstallMessageHandler(listen)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
        for message in said:
            print(message, file=sys.stderr)  # noqa: T201 - where Qt would have put it


def _tell_that_nothing_can_be_shown() -> None:
    from app.diagnostics import doctor  # noqa: PLC0415 - hardly any start needs it

    use_language(resource("translations"), system_languages())
    if _nowhere_to_show():
        told = tr(
            "There is no display here, so Front Desk cannot show its window; "
            "“frontdesk doctor” tells what is missing."
        )
    elif (missing := doctor.plugin_that_cannot_be_loaded()) is not None:
        told = doctor.with_what_mends(missing)
    else:
        told = tr(
            "Front Desk cannot show its window, because the display it was told to use does not "
            "answer; “frontdesk doctor” tells what is missing."
        )
    print(told, file=sys.stderr)  # noqa: T201 - there is no window to say it in


async def _tell_that_it_hangs(single_instance: SingleInstance, people: str) -> None:
    """Until somebody has read it, or it is no longer true; `people` wait to be added meanwhile."""
    from PySide6.QtWidgets import QMessageBox  # noqa: PLC0415 - hardly any start needs it

    box = QMessageBox()
    box.setWindowTitle("Front Desk")
    box.setTextFormat(Qt.TextFormat.PlainText)
    said = [
        tr(
            "Front Desk is open already and does not answer. If it was only just started, wait: "
            "this goes away by itself. Otherwise close it, or restart this computer, and start it "
            "again."
        )
    ]
    if people:
        said.append(
            tr(
                "“{text}” waits here until it answers, and is not added if you close this.",
                text=people,
            )
        )
    box.setText("\n\n".join(said))
    box.setStandardButtons(QMessageBox.StandardButton.Close)
    box.finished.connect(lambda _result: single_instance.give_up())
    box.show()
    with _quit_on_signals(single_instance.give_up):
        await single_instance.settled()
    box.close()
    box.deleteLater()


def _begin_log(options: StartOptions) -> None:
    # What is wrong with the folder is said in the window.
    with contextlib.suppress(OSError, ValueError):
        write_log_to(options.data_folder)
    log_damaged_catalogues()


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
