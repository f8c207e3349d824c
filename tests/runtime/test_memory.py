"""Freed memory goes back to the system: how much of it `dev.py whole growth` measures."""

import platform
from functools import lru_cache

import pytest

from app.runtime import memory
from app.runtime.memory import give_back_free_memory, remembered_for_a_while


class Library:
    """Stands for the C library, and knows what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def mallopt(self, _option: int, _value: int) -> None:
        self.asked.append("large pieces")

    def malloc_trim(self, _left: int) -> None:
        self.asked.append("all that is free")


def test_the_library_is_asked_to_give_back_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    with monkeypatch.context() as patch:
        patch.setattr(memory, "_gnu_library", lambda: library)
        give_back_free_memory()
    assert library.asked == ["large pieces", "all that is free"]
    assert (memory._gnu_library() is not None) == (platform.libc_ver()[0] == "glibc")


def test_it_may_be_asked_for_anywhere_and_again() -> None:
    give_back_free_memory()
    give_back_free_memory()


def test_what_was_worked_out_for_a_while_is_forgotten_and_worked_out_again() -> None:
    @remembered_for_a_while
    @lru_cache
    def letters(many: int) -> str:
        return "a" * many

    assert letters(3) == "aaa"
    assert letters.cache_info().currsize == 1
    give_back_free_memory()
    assert letters.cache_info().currsize == 0
    assert letters(3) == "aaa"
