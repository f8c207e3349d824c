"""Freed memory goes back to the system, where the C library would keep it for itself, and with it
what was worked out once and can be worked out again.

When that is worth its while is known to others.
"""

import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from ctypes import CDLL

_MMAP_THRESHOLD = -3
"""`M_MMAP_THRESHOLD` of the GNU C library."""
_LARGE = 1024 * 1024
"""Bytes: pages of a list are larger, and few pieces that are there to stay."""


class Remembered(Protocol):
    """What `lru_cache` makes of a function."""

    def cache_clear(self) -> None:
        """Forget all that was worked out."""


Function = TypeVar("Function", bound=Remembered)
_forgetters: list[Callable[[], None]] = []


def remembered_for_a_while(function: Function) -> Function:
    """`function` forgets what it has worked out whenever free memory is given back: of what is met
    while a list is read, each piece would hold on to the memory around it.
    """
    _forgetters.append(function.cache_clear)
    return function


def give_back_free_memory() -> None:
    """Takes some milliseconds, in which other threads may wait for memory.

    From then on large pieces go back as they are freed: otherwise the library comes to keep each
    as large as the largest it has seen, with what lies behind it. Nothing is done where the library
    is not the GNU one.
    """
    for forget in _forgetters:
        forget()
    library = _gnu_library()
    if library is not None:
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.malloc_trim(0)


@cache
def _gnu_library() -> "CDLL | None":
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - no start has to wait for it

    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
