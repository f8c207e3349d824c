"""What is long by nature: a test takes a sample of it, all of it is for who asks for the whole."""

import os
from collections.abc import Sequence
from typing import TypeVar

SAMPLE = "FRONTDESK_TESTS_SAMPLE"
"""The variable whose number says which part, as `packaging/checks.py` sets it for a whole run."""
WHOLE = "FRONTDESK_TESTS_WHOLE"
"""The variable that has all of it done."""

T = TypeVar("T")


def first_and_every(one_in: int) -> tuple[int, int]:
    """Where to begin, from 0, and how far it is to the next: another beginning in each whole run,
    which tells it, and the same again for whoever is told.
    """
    if WHOLE in os.environ:
        return 0, 1
    return int(os.environ.get(SAMPLE, "0")) % one_in, one_in


def examples(in_a_sample: int) -> int:
    """How many of a property are drawn: ten times as many for the whole."""
    return in_a_sample * (10 if WHOLE in os.environ else 1)


def sample(of: Sequence[T], one_in: int) -> Sequence[T]:
    """One of so many, others in another run: what a sample finds, the whole finds as well."""
    first, every = first_and_every(one_in)
    return of[first::every]
