"""Freed memory goes back to the system."""

import platform
import tracemalloc
from functools import lru_cache
from pathlib import Path

import pytest

from app.runtime.memory import give_back_free_memory, remembered_for_a_while

_PIECE = 2_000
_PIECES = 20_000


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_what_was_freed_between_what_stays_is_given_back() -> None:
    pieces = [bytearray(_PIECE) for _ in range(_PIECES)]
    kept = pieces[::1_000]
    del pieces
    before = resident()
    give_back_free_memory()
    assert before - resident() > _PIECE * _PIECES / 4
    assert len(kept) == _PIECES / 1_000


def test_it_may_be_asked_for_anywhere_and_again() -> None:
    give_back_free_memory()
    give_back_free_memory()


def test_what_was_worked_out_for_a_while_is_forgotten_and_worked_out_again() -> None:
    @remembered_for_a_while
    @lru_cache
    def letters(many: int) -> str:
        return "a" * many

    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        assert len(letters(_PIECE * 100)) == _PIECE * 100
        give_back_free_memory()
        assert tracemalloc.get_traced_memory()[0] - before < _PIECE * 10
    finally:
        tracemalloc.stop()
    assert letters(3) == "aaa"


def resident() -> int:
    """Bytes of this process that are in memory."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) * 1024
