"""What is long by nature: a test takes a sample of it, all of it is for who asks for the whole."""

import os
from collections.abc import Sequence
from typing import TypeVar

WHOLE = "FRONTDESK_TESTS_WHOLE"
"""The variable that has all of it done."""

T = TypeVar("T")


def distance(one_in: int) -> int:
    """How far it is from one of the sample to the next."""
    return 1 if WHOLE in os.environ else one_in


def sample(of: Sequence[T], one_in: int) -> Sequence[T]:
    """One of so many, the same in each run."""
    return of[:: distance(one_in)]
