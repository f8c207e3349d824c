"""What is long by nature: a test takes a sample of it, `dev.py whole damage` all of it."""

import os
from collections.abc import Sequence
from random import randrange
from typing import TypeVar

WHOLE = "FRONTDESK_TESTS_WHOLE"
"""The variable that has all of it done."""

T = TypeVar("T")


def first_and_every(one_in: int) -> tuple[int, int]:
    """Where to begin, from 0, and how far it is to the next: another beginning each time."""
    return (0, 1) if WHOLE in os.environ else (randrange(one_in), one_in)  # noqa: S311


def sample(of: Sequence[T], one_in: int) -> Sequence[T]:
    """One of so many, others each time: what a sample finds, the whole finds as well."""
    first, every = first_and_every(one_in)
    return of[first::every]
