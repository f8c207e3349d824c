"""Which page of a list to ask for next, and whether the list shifted while it was read.

Lists are paged by position (seen in the field), so another page size means other page numbers.
"""

from collections import deque
from dataclasses import dataclass, field
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from app.api.errors import ApiError, InputRefused, NotFound
from app.api.requests import SMALLEST_PAGE, Limits
from app.model.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable

_ID = attrgetter("id")
_LEAST_SHARED = 2
_OF_A_PAGE = 100
_GOOD_ENOUGH = 0.97
_WORTH_OVERLAPPING = 40
_MANY_PAGES = 4
"""Of fewer pages, trying another size costs as much as it saves."""


class PageRequest(msgspec.Struct, frozen=True):
    """One page to ask for: its number from 1, and how many people are asked for on a page.

    `start` is the position, from 0, of the page's first person, and `end` the one after its last:
    by what the service really gives, which may be another size than asked.
    """

    number: int
    size: int
    start: int
    end: int

    @classmethod
    def of(cls, number: int, size: int, given: int | None = None) -> "PageRequest":
        """The page with this number; `given` is how many a page really has, if not `size`."""
        length = given or size
        return cls(number, size, (number - 1) * length, number * length)


class PagingMode(msgspec.Struct, frozen=True):
    """How to go through a list: pages of at most `size` that overlap, where the service gives the
    size it is asked for; otherwise one number after the other, each of the `given` size.
    """

    size: int
    given: int | None = None

    @property
    def overlaps(self) -> bool:
        """Whether each page shares people with the one before."""
        return self.given is None

    def after(self, reach: int) -> PageRequest:
        """The page that goes on where `reach` people were covered."""
        if self.given is not None:
            return PageRequest.of(reach // self.given + 1, self.size, self.given)
        return _overlapping(reach, self.size) if reach else PageRequest.of(1, self.size)


def _overlapping(reach: int, largest: int) -> PageRequest:
    """A page that shares a few with those before it and leads as far as can be.

    Fewer than are shared may be taken off the list between the two without anybody slipping
    through. A page begins at a multiple of its size, so the size is chosen for its beginning.
    """
    shared = max(_LEAST_SHARED, largest // _OF_A_PAGE)
    best: PageRequest | None = None
    for size in range(largest, max(SMALLEST_PAGE, largest // 2) - 1, -1):
        request = PageRequest.of(max(0, reach - shared) // size + 1, size)
        if request.end > (best.end if best else reach):
            best = request
        if best and best.end - reach >= size * _GOOD_ENOUGH:
            break
    return best or PageRequest.of(reach // largest + 1, largest)


def overlapping_mode(asked: int, given: int) -> PagingMode:
    """Overlapping pages of the size that is given, where they are large enough to be worth it."""
    return PagingMode(given) if given >= _WORTH_OVERLAPPING else PagingMode(asked, given)


def large_size(seconds: float, first: int, limits: Limits) -> int:
    """How many people to ask for once the first page, of `first` people, took `seconds`.

    As many as come soon enough on a connection that is slow rather than far away, so that somebody
    who waits sees the list grow, and never more than the largest page.
    """
    most = max(first, limits.largest_page)
    many = most if seconds <= 0 else int(first * limits.page_seconds / seconds)
    return max(first, min(most, many // first * first))


def larger_size(size: int, seconds: float, before: tuple[int, float], limits: Limits) -> int:
    """The same once a page of `size` took `seconds`, and `before` it a smaller one its own.

    The two tell the way there, which takes as long for every page, from what each person takes.
    """
    smaller, took = before
    each = max(0.0, seconds - took) / (size - smaller)
    left = max(0.0, limits.page_seconds - seconds)
    many = size + left / each if each > 0 else limits.largest_page
    if many >= limits.largest_page:
        return max(size, limits.largest_page)
    return int(many) // size * size


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


class ShiftDetector(msgspec.Struct):
    """The signs of one pass through a list; each page is noted once, in order."""

    changed: bool = False
    shrunk: bool = False
    brought: bool = False
    _gap: bool = False
    _repeated: bool = False
    _short: bool = False
    _odd: bool = False
    _before: frozenset[int] = frozenset()
    _came: set[int] = msgspec.field(default_factory=set)

    def note_total(self, before: int | None, now: int) -> None:
        """The service's count, and what it was on the page before."""
        self.changed |= before is not None and now != before
        self.shrunk |= before is not None and now < before

    def note_people(self, numbers: frozenset[int], *, overlapping: bool) -> None:
        """Who is on the page, and whether it should share somebody with the one before."""
        if overlapping:
            self._gap |= bool(numbers and self._before and numbers.isdisjoint(self._before))
        else:
            self._repeated |= not numbers.isdisjoint(self._came)
            self._came |= numbers
        self._before = numbers or self._before

    def same_as_before(self, numbers: frozenset[int]) -> bool:
        """Whether these are the people of the page before, or nobody."""
        return numbers <= self._before

    def note_length(self, sent: int, expected: int, *, counted: bool) -> None:
        """How many entries the page has, and whether it begins before the end that is counted.

        Fewer than expected is odd where more pages follow, and so is nobody after a full page.
        """
        self._odd |= self._short and sent > 0
        self._odd |= counted and not sent and not self._short
        self._short |= sent < expected

    def suspicious(self, *, overlapping: bool, missing: bool | None) -> bool:
        """Whether somebody may have slipped through.

        `missing` says whether fewer came than the service counts; None when it counts nobody.
        Where pages overlap without a gap, nobody can have slipped from one to the other.
        """
        if missing and (self.changed or self._repeated or self._odd):
            return True
        if overlapping:
            return self._gap
        return self.shrunk or (missing is None and self._repeated)


_MOST_PASSES = 3
_MOST_EMPTY = 4
_MOST_WAITING = 4
"""Pages that came before one in front of them: more would only fill memory."""
_MOST_STALE = 20
"""Pages in a row that lead no further. A few are what a list that shifts a lot may give."""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page: the people on it who could be read, each once, and the service's counts where it
    told them.

    `sent` is how many entries the page had, readable or not, and `unreadable` the places, from 0,
    of those that were not. `ids` are gathered with the page: on the thread that reads an answer,
    for a page may have a hundred thousand.
    """

    people: tuple[Person, ...] = ()
    total: int | None = None
    per_page: int | None = None
    sent: int = 0
    unreadable: tuple[int, ...] = ()
    digest: bytes = b""
    """By which it is told again when it comes as it is now; blank where it cannot be."""
    known: tuple[str, ...] = ()
    """Who is on a page that came before as it is now: they are not among the `people`."""
    seconds: float | None = None
    """How long it took by itself, where another was asked for before."""
    ids: frozenset[str] = field(init=False, default=frozenset())
    numbers: frozenset[int] = field(init=False, default=frozenset())
    """One for each id, of this run alone: those of everybody take far less memory."""

    @property
    def first_id(self) -> str | None:
        """Of whoever is first on it."""
        if self.known:
            return self.known[0]
        return self.people[0].id if self.people else None

    def __post_init__(self) -> None:
        """Gather the ids."""
        ids = frozenset(self.known or map(_ID, self.people))
        object.__setattr__(self, "ids", ids)
        object.__setattr__(self, "numbers", frozenset(map(hash, ids)))
        if not self.known and len(ids) < len(self.people):
            once = {person.id: person for person in self.people}
            object.__setattr__(self, "people", tuple(once.values()))


_Judge: TypeAlias = "Callable[[PagePlan, PageRequest, PeoplePage, float], bool]"


class PagePlan:
    """The way through one list; `out` are the pages asked for and not judged yet, in order.

    The first page is small, so that it comes soon. Where the service honours sizes, the pages
    after it are large and overlap: two that share somebody have nobody between them. Where there
    are many, they are asked for before that is known, and in another way if it turns out wrong.
    Elsewhere
    people can slip from one page to another unseen; a count that moves or somebody who comes
    twice gives that away, and the list is gone through again, three times at the most.
    """

    def __init__(self, limits: Limits) -> None:
        """Begins with the first page, alone."""
        self.out: deque[PageRequest] = deque()
        # A number for each who has come: their ids together would be most of what a reading holds.
        self._met: set[int] = set()
        self.total: int | None = None
        self.ended = False
        self._limits = limits
        self._mode = self._plain = PagingMode(limits.page_size)
        # Not bound to this plan, which would keep itself, and the ids of everybody, in a circle.
        self._judge: _Judge = PagePlan._opened
        self._alone = True
        self._asked_to = self._taken_to = self._asked = self._opening = self._empty = 0
        self._stale = 0
        self._more = True
        self._passes = 1
        self._shifts = ShiftDetector()
        self._first_id: str | None = None
        # A size that was honoured while a larger one is tried, and how far the page reached.
        self._sure: tuple[PagingMode, int] | None = None
        self._took = 0, 0.0
        self._bad: set[int] = set()
        self._here: frozenset[int] = frozenset()
        self._shrunk = self._unsure = self._told_wrong = False

    @property
    def complete(self) -> bool:
        """Whether the end was reached, nobody can have slipped through and nobody is missing."""
        return self.ended and not (self._unsure or self._missing or self._bad)

    @property
    def unreadable(self) -> int:
        """How many entries of the list could not be read: by place, since pages overlap, and no
        more than are missing.
        """
        missing = None if self.total is None else max(0, self.total - len(self._met))
        return len(self._bad) if missing is None else min(len(self._bad), missing)

    @property
    def received(self) -> int:
        """How many people have come, each counted once."""
        return len(self._met)

    def next_request(self, came: int = 0) -> PageRequest | None:
        """The next page to ask for; None while those that are out are enough, and at the end.

        `came` of those that are out wait for one before them to be judged, and keep nobody busy.
        """
        at_once = 1 if self._alone else self._limits.pages_at_once
        waiting = 0 if self._alone else min(came, _MOST_WAITING)
        if self.ended or len(self.out) - waiting >= at_once or self._nothing_left:
            return None
        if self.out and self._covered(self._asked_to):
            return None
        request = self._mode.after(self._asked_to)
        self._asked_to = request.end
        self._asked += 1
        self.out.append(request)
        return request

    def drop(self) -> None:
        """What is out will not come: it is to be asked for again."""
        self._asked -= len(self.out)
        self.out.clear()
        self._asked_to = self._taken_to

    def take(self, page: PeoplePage, seconds: float) -> tuple[Person, ...]:
        """Judge the page that was out first and came after `seconds`; gives who is new on it."""
        request = self.out.popleft()
        new = self._new_on(page)
        brings = bool(new) or (bool(page.known) and not page.numbers <= self._met)
        if brings:
            self._met |= page.numbers
        self._shifts.brought |= brings
        self._here = page.numbers
        self._stale = 0 if brings or self._leads_on() else self._stale + 1
        if self._is_first_again(request, page) and not brings:
            # The service gives the same page whatever is asked, unless it moved there.
            self._heed_total(request, page)
            self._end_pass(hopeless=not self._shifts.changed)
            return ()
        self._bad.update(request.start + place for place in page.unreadable)
        over = self._judge(self, request, page, seconds)
        if self._stale >= _MOST_STALE:
            # Whatever it counts, the service gives the same people again and again.
            self._end_pass(hopeless=True)
            self._unsure = True
        elif self._passes > 1 and self.total is not None and not (self._shrunk or self._missing):
            self._end_pass(hopeless=True)
        elif over or (not self.out and self._nothing_left):
            self._end_pass()
        return new

    def goes_on_after(self, error: ApiError) -> bool:
        """Whether `error`, of the page that was out first, only changes the plan.

        Seen in the field: past the end there is nothing (404), and not every size is taken (400).
        """
        request = self.out[0]
        if isinstance(error, InputRefused | NotFound) and self._covered(request.start):
            self._end_pass()
            return True
        other_size = self._opening > 0 and request.size != self._limits.page_size
        if isinstance(error, InputRefused) and other_size:
            self._plain = PagingMode(self._limits.page_size, self._opening)
            self._alone |= self._judge is PagePlan._tried
            self._judge = PagePlan._went_on
            mode, reach = self._sure or (self._plain, self._opening)
            self._sure = None
            self._turn(mode, max(self._taken_to, reach))
            return True
        return False

    def _new_on(self, page: PeoplePage) -> tuple[Person, ...]:
        """Who has not come before; of many people none is looked at alone where all or none are."""
        if page.numbers.isdisjoint(self._met):
            return page.people
        fresh = page.numbers - self._met
        if not fresh:
            return ()
        numbers = map(hash, map(_ID, page.people))
        return tuple(compress(page.people, map(fresh.__contains__, numbers)))

    @property
    def _missing(self) -> bool:
        return self.total is not None and len(self._met) < self.total

    @property
    def _nothing_left(self) -> bool:
        if self._asked >= self._limits.most_pages:
            return True
        return not self._more and (self.total is None or self._covered(self._asked_to))

    def _covered(self, position: int) -> bool:
        return self.total is not None and position >= self.total

    def _leads_on(self) -> bool:
        """Whether this page, with nobody new on it, may have others behind it that have.

        A list that is gone through again has nobody new for long; one page over and over is none.
        """
        return self._passes > 1 and not self._shifts.same_as_before(self._here)

    def _is_first_again(self, request: PageRequest, page: PeoplePage) -> bool:
        first = page.first_id
        if request.start == 0:
            self._first_id = first
        return request.start > 0 and first is not None and first == self._first_id

    def _opened(self, request: PageRequest, page: PeoplePage, seconds: float) -> bool:
        """The first page tells how many a page really has."""
        self._heed_total(request, page)
        given = really_given(request.size, page.sent, page.per_page, self.total)
        self._opening, self._plain = given, PagingMode(request.size, given)
        self._took = request.size, seconds
        self._mode, self._judge = self._plain, PagePlan._went_on
        if given == request.size and not self._covered(page.sent):
            large = large_size(seconds, request.size, self._limits)
            self._mode = overlapping_mode(large, large)
            if large > request.size:
                self._judge, self._asked_to = PagePlan._tried, 0
                # Where no larger one will be tried, those behind it need not wait for its answer.
                largest = large >= self._limits.largest_page
                many = self.total is not None and not self._covered(large * _MANY_PAGES)
                self._alone = not (largest and many)
                return False
        elif given <= request.size:
            self._mode = overlapping_mode(request.size, given)
        self._asked_to = given
        return self._went_on(PageRequest.of(1, given), page, seconds)

    def _tried(self, request: PageRequest, page: PeoplePage, seconds: float) -> bool:
        """The first large page tells whether its size is honoured, or another one is."""
        self._judge = PagePlan._went_on
        self._heed_total(request, page)
        mode, reach = self._sure or (self._plain, self._opening)
        if page.sent > request.size or not (self._covered(page.sent) or page.sent > reach):
            self._alone = True
            self._turn(mode, reach)
            return False
        given = really_given(request.size, page.sent, page.per_page, self.total)
        larger = larger_size(request.size, seconds, self._took, self._limits)
        self._took = request.size, seconds
        if given == request.size < larger and not self._covered(request.size * _MANY_PAGES):
            # It is far away rather than slow.
            self._sure = overlapping_mode(request.size, given), given
            self._mode = overlapping_mode(larger, larger)
            self._judge, self._asked_to = PagePlan._tried, 0
            return False
        self._mode, self._plain = (
            overlapping_mode(request.size, given),
            PagingMode(request.size, given),
        )
        if given != request.size or not self.out:
            self._turn(self._mode, given)
        self._alone = False
        return self._went_on(PageRequest.of(1, given), page, seconds)

    def _went_on(self, request: PageRequest, page: PeoplePage, _seconds: float) -> bool:
        """Any page after those; gives whether it is the last one for certain."""
        if self._mode.overlaps and request.start and not _as_asked(request, page):
            self._turn(self._plain, self._taken_to)
            return False
        self._heed_total(request, page)
        expected = request.end - request.start
        self._shifts.note_people(self._here, overlapping=self._mode.overlaps)
        counted = self.total is not None and not self._covered(request.start)
        self._shifts.note_length(page.sent, expected, counted=counted)
        self._taken_to = request.end
        self._empty = 0 if page.sent else self._empty + 1
        # Numbers do lead further: from here on pages are asked for side by side.
        self._alone = self._alone and not (request.start and page.sent)
        full = page.sent >= expected
        # Seen in the field: what a page holds, told as the count of all.
        bounded = self.total is not None and request.start > 0
        self._more = (full and not bounded) or (self._missing and page.sent > 0)
        return (self.total is None and not full) or self._empty >= _MOST_EMPTY

    def _heed_total(self, request: PageRequest, page: PeoplePage) -> None:
        """Follow the service's count; one that its own pages go beyond is no count."""
        if page.total is None or self._told_wrong:
            return
        if not (page.sent or page.total) and self._met:
            # Past the end some services count only what they send.
            return
        if page.sent and page.total < min(request.start + page.sent, len(self._met)):
            self.total, self._told_wrong = None, True
            return
        self._shifts.note_total(self.total, page.total)
        self._shrunk |= self._shifts.shrunk
        self.total = page.total

    def _turn(self, mode: PagingMode, reach: int) -> None:
        """Go on from `reach` in another way; what is out was asked for in vain."""
        self._mode = mode
        self._asked_to = self._taken_to = reach
        self._more = True
        self.out.clear()

    def _end_pass(self, *, hopeless: bool = False) -> None:
        shifts, repeated = self._shifts, self._passes > 1
        overlaps = self._mode.overlaps
        short = self._missing if self.total is not None else None
        doubtful = shifts.suspicious(overlapping=overlaps, missing=short)
        settled = repeated and not (shifts.brought or shifts.changed)
        over = self._asked >= self._limits.most_pages
        again = doubtful and not (hopeless or settled or over)
        self.ended = not again or self._passes >= _MOST_PASSES
        self._unsure = over or (again and self.ended)
        self._passes += 1
        if not self.ended:
            self._bad.clear()
        self._shifts, self._empty, self._first_id = ShiftDetector(), 0, None
        self._turn(self._mode, 0)


def _as_asked(request: PageRequest, page: PeoplePage) -> bool:
    """Whether the page has the size it was asked for in."""
    return page.per_page in {None, request.size} and page.sent <= request.size
