"""How long, how often and how much: the bounds of one request, in one frozen place."""

from dataclasses import dataclass

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """All times in seconds, all sizes in bytes.

    `deadline` holds for one request with all its retries. `silence` is the longest pause between
    two pieces of an answer to a read; a create waits to the deadline, since its answer is worth
    more. `longest_wait` caps what Retry-After may ask. `answer` holds before and again after
    decompression: 100,000 people in one page are 31 MB of JSON and 40 MB of the other formats. What
    decoding may cost is the budget of the formats.

    `page_size` is how many people are asked for first, few enough for a slow line to show somebody
    soon. Later pages are larger, up to `largest_page`, as long as one comes within about
    `page_seconds`; the service may give other sizes. `pages_at_once` are asked for side by side.
    """

    deadline: float = 60.0
    connect: float = 10.0
    silence: float = 30.0
    tries: int = 3
    first_pause: float = 0.4
    longest_wait: float = 15.0
    answer: int = 64 * _MIB
    page_size: int = 100
    largest_page: int = 1000
    page_seconds: float = 4.0
    pages_at_once: int = 4
    most_pages: int = 20_000


DEFAULT_LIMITS = Limits()
