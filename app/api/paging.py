"""Pages as positions in a list: which people a page covers, and which page to ask for next.

Lists are paged by position (seen in the field), so another page size means other page numbers.
"""

from dataclasses import dataclass

from app.api.limits import Limits

SMALLEST_SIZE = 10
_LEAST_SHARED = 2
_OF_A_PAGE = 100
_GOOD_ENOUGH = 0.97
_WORTH_OVERLAPPING = 40


@dataclass(frozen=True, slots=True)
class Ask:
    """One page to ask for: its number from 1, and how many people are asked for on a page.

    `start` is the position, from 0, of the page's first person, and `end` the one after its last:
    by what the service really gives, which may be another size than asked.
    """

    number: int
    size: int
    start: int
    end: int

    @classmethod
    def of(cls, number: int, size: int, given: int | None = None) -> "Ask":
        """The page with this number; `given` is how many a page really has, if not `size`."""
        length = given or size
        return cls(number, size, (number - 1) * length, number * length)


@dataclass(frozen=True, slots=True)
class Way:
    """How to go through a list: pages of at most `size` that overlap, where the service gives the
    size it is asked for; otherwise one number after the other, each of the `given` size.
    """

    size: int
    given: int | None = None

    @property
    def overlaps(self) -> bool:
        """Whether each page shares people with the one before."""
        return self.given is None

    def after(self, reach: int) -> Ask:
        """The page that goes on where `reach` people were covered."""
        if self.given is not None:
            return Ask.of(reach // self.given + 1, self.size, self.given)
        return _overlapping(reach, self.size) if reach else Ask.of(1, self.size)


def _overlapping(reach: int, largest: int) -> Ask:
    """A page that shares a few with those before it and leads as far as can be.

    Fewer than are shared may be taken off the list between the two without anybody slipping
    through. A page begins at a multiple of its size, so the size is chosen for its beginning.
    """
    shared = max(_LEAST_SHARED, largest // _OF_A_PAGE)
    best: Ask | None = None
    for size in range(largest, max(SMALLEST_SIZE, largest // 2) - 1, -1):
        ask = Ask.of(max(0, reach - shared) // size + 1, size)
        if ask.end > (best.end if best else reach):
            best = ask
        if best and best.end - reach >= size * _GOOD_ENOUGH:
            break
    return best or Ask.of(reach // largest + 1, largest)


def overlapping_way(asked: int, given: int) -> Way:
    """Overlapping pages of the size that is given, where they are large enough to be worth it."""
    return Way(given) if given >= _WORTH_OVERLAPPING else Way(asked, given)


def large_size(seconds: float, first: int, limits: Limits) -> int:
    """How many people to ask for once the first page, of `first` people, took `seconds`.

    As many as come soon enough on a line that is slow rather than far away, so that somebody who
    waits sees the list grow, and never more than the largest page.
    """
    most = max(first, limits.largest_page)
    many = most if seconds <= 0 else int(first * limits.page_seconds / seconds)
    return max(first, min(most, many // first * first))


def really_given(asked: int, sent: int, per_page: int | None, total: int | None) -> int:
    """How many a page has, after the first one: `sent` entries, and the counts as told.

    What is told is believed, but where more must follow a page is no longer than it was.
    """
    follows = total is not None and total > sent
    if not sent:
        return asked
    if per_page is None:
        return asked if total is not None and not follows and sent < asked else sent
    if sent >= per_page or not follows:
        return max(sent, per_page)
    # A few entries may be hidden from this caller; the next page will tell.
    return per_page if per_page == asked and sent * 2 >= asked else sent
