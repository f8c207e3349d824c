"""Events reach their listeners and only them; uncaught errors reach the crash reporter."""

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.runtime.crash import CrashReport, CrashReporter
from app.runtime.events import EventBus
from app.runtime.logging import close_log, write_log_to
from app.runtime.secrets import redact, remember_secret
from app.runtime.tasks import TaskScope


@dataclass(frozen=True)
class Rang:
    times: int


@dataclass(frozen=True)
class Stopped:
    pass


@pytest.fixture
def crashes() -> Iterator[CrashReporter]:
    reporter = CrashReporter("test")
    reporter.install()
    yield reporter
    reporter.uninstall()


async def test_a_subscription_hears_its_kind_until_its_owner_closes() -> None:
    lost: list[BaseException] = []
    bus = EventBus(lost.append)
    scope = TaskScope("owner", lost.append, ValueError)
    heard: list[object] = []
    bus.subscribe(Rang, heard.append, scope)
    bus.publish(Rang(1))
    bus.publish(Stopped())
    await scope.close()
    bus.publish(Rang(2))
    assert heard == [Rang(1)]
    assert lost == []


async def test_one_deaf_listener_does_not_silence_the_others() -> None:
    lost: list[BaseException] = []
    bus = EventBus(lost.append)
    scope = TaskScope("owner", lost.append, ValueError)
    heard: list[object] = []

    def deaf(_event: Rang) -> None:
        raise RuntimeError("deaf")

    bus.subscribe(Rang, deaf, scope)
    bus.subscribe(Rang, heard.append, scope)
    bus.publish(Rang(1))
    assert heard == [Rang(1)]
    assert [str(error) for error in lost] == ["deaf"]
    await scope.close()


@pytest.mark.logs_errors
def test_an_error_in_a_thread_reaches_the_crash_reporter(crashes: CrashReporter) -> None:
    told: list[CrashReport] = []
    crashes.listen(told.append)

    def work() -> None:
        raise RuntimeError("planted in a thread")

    thread = threading.Thread(target=work, name="planted")
    thread.start()
    thread.join()
    (report,) = told
    assert ", in thread planted\n" in report.details
    assert "planted in a thread" in report.details


@pytest.mark.logs_errors
def test_an_error_in_a_finaliser_reaches_the_crash_reporter(crashes: CrashReporter) -> None:
    class Doomed:
        def __del__(self) -> None:
            raise RuntimeError("planted in a finaliser")

    Doomed()
    gc.collect()
    assert [", in finaliser\n" in report.details for report in crashes.reports] == [True]


@pytest.mark.logs_errors
async def test_what_a_loop_would_only_print_reaches_the_crash_reporter(
    crashes: CrashReporter,
) -> None:
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    crashes.watch(loop)

    def callback() -> None:
        raise RuntimeError("planted in a callback")

    loop.call_soon(callback)
    await asyncio.sleep(0.01)
    loop.set_exception_handler(before)
    assert [", in event loop\n" in report.details for report in crashes.reports] == [True]


@pytest.mark.logs_errors
def test_no_secret_is_left_in_a_crash_report(crashes: CrashReporter) -> None:
    remember_secret("canary-7f3a")
    crashes.report(RuntimeError("GET /?access_token=abc123 with canary-7f3a, Bearer abcdef123456"))
    details = crashes.reports[0].details
    assert "canary-7f3a" not in details
    assert "abc123" not in details
    assert "abcdef123456" not in details


def test_uninstalling_puts_the_hooks_back() -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    reporter = CrashReporter("test")
    reporter.install()
    reporter.uninstall()
    assert before == (sys.excepthook, threading.excepthook, sys.unraisablehook)


@pytest.mark.logs_errors
def test_no_secret_reaches_the_log_file_even_inside_a_traceback(tmp_path: Path) -> None:
    remember_secret("canary-in-log-91")
    path = write_log_to(tmp_path / "data")
    error = RuntimeError("canary-in-log-91")
    logging.getLogger("app.test").error("with canary-in-log-91", exc_info=error)
    close_log()
    written = path.read_text(encoding="utf-8")
    assert "RuntimeError" in written
    assert "canary-in-log-91" not in written
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_plain_sentence_is_not_touched_by_hiding_secrets() -> None:
    sentence = "The code of the step is written down nowhere; basic manners suffice."
    assert redact(sentence) == sentence
