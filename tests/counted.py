"""What stands behind the time that something takes, counted: the same on a slow day."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python run until `work` is done, each as often as it does."""
    many = 0

    def count(_frame: FrameType, event: str, _about: Any) -> Any:
        nonlocal many
        many += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return many
