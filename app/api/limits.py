"""How long, how often and how much: the bounds of one request, in one frozen place."""

from dataclasses import dataclass

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """All times in seconds, all sizes in bytes.

    `deadline` holds for one request with all its retries. `silence` is the longest pause between
    two pieces of an answer to a read; a create waits to the deadline, since its answer is worth
    more. `longest_wait` caps what Retry-After may ask. `answer` holds before and again after
    decompression. `page_size` is what is asked for; the service may give another. It is small, so
    that a slow line shows somebody soon and says how far it has come.
    """

    deadline: float = 60.0
    connect: float = 10.0
    silence: float = 30.0
    tries: int = 3
    first_pause: float = 0.4
    longest_wait: float = 15.0
    answer: int = 128 * _MIB
    page_size: int = 100
    most_pages: int = 20_000


LIMITS = Limits()
