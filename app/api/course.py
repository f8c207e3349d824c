"""Which pages to ask for next, judged by those that came: sizes, the end, and a list that shifts.

It sends nothing and waits for nobody; asking for the pages is left to the reading ahead.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from app.api.errors import ApiError, InputRefused, NotFound
from app.api.limits import Limits
from app.api.paging import Ask, Way, large_size, overlapping_way, really_given
from app.api.signs import Signs
from app.model.person import Person

_MOST_PASSES = 3
_MOST_EMPTY = 4
_MOST_STALE = 20
"""Pages in a row that lead no further. A few are what a list that shifts a lot may give."""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page: the people on it who could be read, and the service's counts where it told them.

    `sent` is how many entries the page had, readable or not, and `unreadable` the places, from 0,
    of those that were not.
    """

    people: tuple[Person, ...] = ()
    total: int | None = None
    per_page: int | None = None
    sent: int = 0
    unreadable: tuple[int, ...] = ()


class Course:
    """The way through one list; `out` are the pages asked for and not judged yet, in order.

    The first page is small, so that it comes soon. Where the service honours sizes, the pages
    after it are large and overlap: two that share somebody have nobody between them. Elsewhere
    people can slip from one page to another unseen; a count that moves or somebody who comes
    twice gives that away, and the list is gone through again, three times at the most.
    """

    _judge: Callable[[Ask, PeoplePage, float], bool]

    def __init__(self, limits: Limits) -> None:
        """Begins with the first page, alone."""
        self.out: deque[Ask] = deque()
        self.ids: set[str] = set()
        self.total: int | None = None
        self.ended = False
        self._limits = limits
        self._way = self._plain = Way(limits.page_size)
        self._judge = self._opened
        self._alone = True
        self._asked_to = self._taken_to = self._asked = self._opening = self._empty = 0
        self._stale = 0
        self._more = True
        self._passes = 1
        self._signs = Signs()
        self._first_id: str | None = None
        self._bad: set[int] = set()
        self._here: frozenset[str] = frozenset()
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
        missing = None if self.total is None else max(0, self.total - len(self.ids))
        return len(self._bad) if missing is None else min(len(self._bad), missing)

    def next_ask(self) -> Ask | None:
        """The next page to ask for; None while those that are out are enough, and at the end."""
        at_once = 1 if self._alone else self._limits.pages_at_once
        if self.ended or len(self.out) >= at_once or self._nothing_left:
            return None
        if self.out and self._covered(self._asked_to):
            return None
        ask = self._way.after(self._asked_to)
        self._asked_to = ask.end
        self._asked += 1
        self.out.append(ask)
        return ask

    def drop(self) -> None:
        """What is out will not come: it is to be asked for again."""
        self._asked -= len(self.out)
        self.out.clear()
        self._asked_to = self._taken_to

    def take(self, page: PeoplePage, seconds: float) -> tuple[Person, ...]:
        """Judge the page that was out first and came after `seconds`; gives who is new on it."""
        ask = self.out.popleft()
        ids = frozenset(person.id for person in page.people)
        if len(ids) == len(page.people) and ids.isdisjoint(self.ids):
            new = page.people
        else:
            others = {each.id: each for each in page.people if each.id not in self.ids}
            new = tuple(others.values())
        self.ids |= ids
        self._signs.brought |= bool(new)
        self._here = ids
        self._stale = 0 if new or self._leads_on() else self._stale + 1
        if self._is_first_again(ask, page) and not new:
            # The service gives the same page whatever is asked, unless it moved there.
            self._heed_total(ask, page)
            self._end_pass(hopeless=not self._signs.changed)
            return ()
        self._bad.update(ask.start + place for place in page.unreadable)
        over = self._judge(ask, page, seconds)
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
        """Whether `error`, of the page that was out first, only changes the course.

        Seen in the field: past the end there is nothing (404), and not every size is taken (400).
        """
        ask = self.out[0]
        if isinstance(error, InputRefused | NotFound) and self._covered(ask.start):
            self._end_pass()
            return True
        other_size = self._opening > 0 and ask.size != self._limits.page_size
        if isinstance(error, InputRefused) and other_size:
            self._plain = Way(self._limits.page_size, self._opening)
            self._judge = self._went_on
            self._turn(self._plain, max(self._taken_to, self._opening))
            return True
        return False

    @property
    def _missing(self) -> bool:
        return self.total is not None and len(self.ids) < self.total

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
        return self._passes > 1 and not self._signs.same_as_before(self._here)

    def _is_first_again(self, ask: Ask, page: PeoplePage) -> bool:
        first = page.people[0].id if page.people else None
        if ask.start == 0:
            self._first_id = first
        return ask.start > 0 and first is not None and first == self._first_id

    def _opened(self, ask: Ask, page: PeoplePage, seconds: float) -> bool:
        """The first page tells how many a page really has."""
        self._heed_total(ask, page)
        given = really_given(ask.size, page.sent, page.per_page, self.total)
        self._opening, self._plain = given, Way(ask.size, given)
        self._way, self._judge = self._plain, self._went_on
        if given == ask.size and not self._covered(page.sent):
            large = large_size(seconds, ask.size, self._limits)
            self._way = overlapping_way(large, large)
            if large > ask.size:
                self._judge, self._asked_to = self._tried, 0
                return False
        elif given <= ask.size:
            self._way = overlapping_way(ask.size, given)
        self._asked_to = given
        return self._went_on(Ask.of(1, given), page, seconds)

    def _tried(self, ask: Ask, page: PeoplePage, seconds: float) -> bool:
        """The first large page tells whether its size is honoured, or another one is."""
        self._judge = self._went_on
        self._heed_total(ask, page)
        if page.sent > ask.size or not (self._covered(page.sent) or page.sent > self._opening):
            self._turn(self._plain, self._opening)
            return False
        given = really_given(ask.size, page.sent, page.per_page, self.total)
        self._way, self._plain = overlapping_way(ask.size, given), Way(ask.size, given)
        self._asked_to = given
        self._alone = False
        return self._went_on(Ask.of(1, given), page, seconds)

    def _went_on(self, ask: Ask, page: PeoplePage, _seconds: float) -> bool:
        """Any page after those; gives whether it is the last one for certain."""
        if self._way.overlaps and ask.start and not _as_asked(ask, page):
            self._turn(self._plain, self._taken_to)
            return False
        self._heed_total(ask, page)
        expected = ask.end - ask.start
        self._signs.note_people(self._here, overlapping=self._way.overlaps)
        counted = self.total is not None and not self._covered(ask.start)
        self._signs.note_length(page.sent, expected, counted=counted)
        self._taken_to = ask.end
        self._empty = 0 if page.sent else self._empty + 1
        # Numbers do lead further: from here on pages are asked for side by side.
        self._alone = self._alone and not (ask.start and page.sent)
        full = page.sent >= expected
        # Seen in the field: what a page holds, told as the count of all.
        bounded = self.total is not None and ask.start > 0
        self._more = (full and not bounded) or (self._missing and page.sent > 0)
        return (self.total is None and not full) or self._empty >= _MOST_EMPTY

    def _heed_total(self, ask: Ask, page: PeoplePage) -> None:
        """Follow the service's count; one that its own pages go beyond is no count."""
        if page.total is None or self._told_wrong:
            return
        if page.sent and page.total < min(ask.start + page.sent, len(self.ids)):
            self.total, self._told_wrong = None, True
            return
        self._signs.note_total(self.total, page.total)
        self._shrunk |= self._signs.shrunk
        self.total = page.total

    def _turn(self, way: Way, reach: int) -> None:
        """Go on from `reach` in another way; what is out was asked for in vain."""
        self._way = way
        self._asked_to = self._taken_to = reach
        self._more = True
        self.out.clear()

    def _end_pass(self, *, hopeless: bool = False) -> None:
        signs, repeated = self._signs, self._passes > 1
        overlaps = self._way.overlaps
        short = self._missing if self.total is not None else None
        doubtful = signs.suspicious(overlapping=overlaps, missing=short)
        settled = repeated and not (signs.brought or signs.changed)
        over = self._asked >= self._limits.most_pages
        again = doubtful and not (hopeless or settled or over)
        self.ended = not again or self._passes >= _MOST_PASSES
        self._unsure = over or (again and self.ended)
        self._passes += 1
        if not self.ended:
            self._bad.clear()
        self._signs, self._empty, self._first_id = Signs(), 0, None
        self._turn(self._way, 0)


def _as_asked(ask: Ask, page: PeoplePage) -> bool:
    """Whether the page has the size it was asked for in."""
    return page.per_page in {None, ask.size} and page.sent <= ask.size
