"""What every test is held to: no thread, task or window left behind, nothing lost in a log."""

import builtins
import gc
import logging
import os
import threading
from builtins import __import__ as python_import
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import thread_time
from typing import Any

os.environ["QT_API"] = "pyside6"

import pytest
from _pytest.logging import caplog_records_key
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtWidgets import QApplication

from app.runtime import secrets, turns

# As in the program (`main.loaded_at_once`): PySide has every import read the source of the module.
builtins.__import__ = python_import

pytest_plugins = [
    "tests.chromium",
    "tests.secret_service",
    "tests.work_queue",
]

# No test fails because the machine is slow today, or because of what was drawn today.
settings.register_profile(
    "gate",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "whole", settings.get_profile("gate"), max_examples=300, derandomize=False
)
settings.load_profile("gate")
# To draw them now and then, it would parse every module of ours for its constants, seconds in each
# process; what matters of those is among the examples that the tests name.
providers._get_local_constants = lambda: providers._local_constants

QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


def pytest_configure() -> None:
    """As in the program, no cycle is collected by itself: that happens on whichever thread is at
    it, and a timer of Qt's that ends on another than its own ends the process a moment later.
    """
    gc.disable()
    # What is found at once is what a few milliseconds find: not those in which other programs have
    # the processor, or each search of a test would now and then be through a moment later.
    vars(turns)["perf_counter"] = thread_time


@pytest.fixture(autouse=True, scope="module")
def _begins_afresh() -> None:
    """What is there before a file's first test stays: later collections need not look at it again.
    Between two files nothing of a test is alive any more, so that nothing of one is kept for good.

    Numbers are written in no locale, neither in that of this computer nor in one that the window
    spoke for another file.
    """
    gc.collect()
    gc.freeze()
    QLocale.setDefault(QLocale.c())


def times_collected() -> list[int]:
    """How often the collector has looked at each generation, the youngest first."""
    return [generation["collections"] for generation in gc.get_stats()]


def oldest_with_anything_new(before: list[int]) -> int:
    """The generation to which anything that was made since then can have got: each look at one
    takes what it leaves there to the next.
    """
    pairs = zip(before, times_collected(), strict=True)
    looked_at = [number for number, (then, now) in enumerate(pairs) if then != now]
    return min(2, max(looked_at, default=-1) + 1)


@dataclass(frozen=True, slots=True)
class _Before:
    """How it was when a test began, before what it alone was given was set up."""

    threads: set[threading.Thread]
    secrets: dict[str, Any]
    collected: list[int]
    """How often the collector had looked at each generation."""


_BEFORE = pytest.StashKey[_Before]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Hooks, not fixtures: what eleven thousand tests have in common costs each of them little."""
    threads = set(threading.enumerate())
    item.stash[_BEFORE] = _Before(threads, dict(secrets._known), times_collected())


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """What several tests are given stays until the last of them has ended."""
    if fixturedef.scope == "function":
        return (yield)
    threads, known = set(threading.enumerate()), dict(secrets._known)
    given = yield
    before = request._pyfuncitem.stash[_BEFORE]
    before.threads.update(set(threading.enumerate()) - threads)
    before.secrets.update(
        (secret, hidden) for secret, hidden in secrets._known.items() if secret not in known
    )
    return given


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Function) -> Iterator[None]:
    """Nothing is left behind or lost in a log: neither by a test nor while what it was given is
    torn down, nor when that is collected.
    """
    before = item.stash[_BEFORE]
    try:
        yield
    finally:
        # A secret is hidden wherever it stands, until the program ends: here, until the test ends.
        secrets._known.clear()
        secrets._known.update(before.secrets)
    _expect_nothing_left(before.threads)
    item.funcargs.clear()
    assert not gc.isenabled(), "the collector was switched on for all tests that come after"
    gc.collect(oldest_with_anything_new(before.collected))
    if item.get_closest_marker("logs_errors"):
        return
    lost = [
        record.getMessage()
        for records in item.stash[caplog_records_key].values()
        for record in records
        if record.levelno >= logging.ERROR or record.name in {"asyncio", "qasync"}
    ]
    assert not [line for line in lost if line], "an error was only logged"


def _expect_nothing_left(before: set[threading.Thread]) -> None:
    # Qt's own threads show as dummies that Python cannot wait for; the loop that has them does.
    left = [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
    for thread in left:
        thread.join(20)
    assert not [thread for thread in left if thread.is_alive()], "a thread was left behind"
    if isinstance(QApplication.instance(), QApplication):
        shown = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
        assert not shown, "a window was left open"
