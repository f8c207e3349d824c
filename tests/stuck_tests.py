"""Ends a run that is stuck where no line of Python runs, such as in Qt, and says in which test.

As pytest's own `faulthandler_timeout` does; but that starts a thread for each test and waits for
its end, which for most tests takes as long as the test.
"""

import faulthandler
import time

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

AS_GOOD = 1 / 30
"""Part of the limit; a limit that was set so little before is left to the tests that begin."""
_SET = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting `stuck_after`."""
    parser.addini("stuck_after", "Seconds after which a test ends the run; 0: never", default="0")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Put off the end of the run, whose stacks pytest's copy of the error output gets."""
    limit, now = float(item.config.getini("stuck_after")), time.monotonic()
    if limit and now - item.config.stash.get(_SET, 0.0) > limit * AS_GOOD:
        item.config.stash[_SET] = now
        stderr = item.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(limit, file=stderr, exit=True)


def pytest_sessionfinish() -> None:
    """What comes after the last test is no test."""
    faulthandler.cancel_dump_traceback_later()
