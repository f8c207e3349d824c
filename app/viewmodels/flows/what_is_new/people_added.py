"""How many people were added in each month, over the years: the figures of the chart, what is said
of them, and when they are counted.

Only those who are in the list now are counted, by the date the service gives.
"""

import asyncio
import contextlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial

import msgspec
from PySide6.QtCore import QDate, QLocale, Signal

from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import in_a_row, tr, trn
from app.store.errors import StoreDamaged
from app.viewmodels.formatting import local, number
from app.viewmodels.screen import Screen

_YEAR = 12
_MOST_YEARS = 5
"""This one among them; more would be bars too thin to point at."""


class Month(msgspec.Struct, frozen=True):
    """One bar. `words` says all of it, for a tooltip and a screen reader."""

    year: int
    month: int
    count: int
    words: str


class PeopleAdded(msgspec.Struct, frozen=True):
    """The months from the first with somebody to this one; of very many, some whole years."""

    months: tuple[Month, ...] = ()
    summary: str = ""
    """The figures in one line; what there is to say where there are none."""

    @property
    def most(self) -> int:
        """The height of the highest bar."""
        return max((one.count for one in self.months), default=0)

    @property
    def spoken(self) -> str:
        """All figures, newest first, for who cannot see them."""
        return " ".join(f"{one.words}." for one in reversed(self.months) if one.count)


class MonthCounts:
    """Counts by month, some years back; times are seconds, UTC, and months those of this zone."""

    def __init__(self, now: datetime) -> None:
        """Nobody is counted."""
        self._now = int(now.timestamp())
        there = local(now)
        first = (there.year - _MOST_YEARS + 1) * _YEAR
        last = there.year * _YEAR + there.month - 1
        self._months = [divmod(one, _YEAR) for one in range(first, last + 1)]
        self._starts = [
            int(datetime(year, month + 1, 1).astimezone().timestamp())
            for year, month in self._months
        ]
        self._counts: Counter[int] = Counter()

    def add(self, times: Iterable[int]) -> None:
        """Count these; what is said to be added later than now is no month yet."""
        known = [when for when in times if when <= self._now]
        self._counts.update(map(partial(bisect_right, self._starts), known))

    def added_in_slices(self, slices: Iterable[Iterable[int]]) -> Iterator[None]:
        """Count all of them, a slice a step."""
        for times in slices:
            self.add(times)
            yield

    def result(self) -> PeopleAdded:
        """What was counted until now."""
        earlier = self._counts[0]
        counts = [self._counts[place] for place in range(1, len(self._starts) + 1)]
        first = next((at for at, count in enumerate(counts) if count), None)
        if earlier:
            first = 0
        if first is None:
            return PeopleAdded(summary=tr("When people were added is not known."))
        months = tuple(
            _month(year, month + 1, count)
            for (year, month), count in zip(self._months[first:], counts[first:], strict=True)
        )
        said = [_average_words(months)]
        said.append(tr("{n} this month", n=number(months[-1].count)))
        if earlier:
            said.append(_earlier_words(earlier, months[0].year))
        return PeopleAdded(months, in_a_row(said))


class PeopleAddedScreen(Screen[PeopleAdded | None]):
    """Counts whenever it is asked to; None before that."""

    failed = Signal(object)
    """Carries the error that kept them from being read from this computer."""

    def __init__(
        self, directory: PeopleDirectory, scope: TaskScope, now: Callable[[], datetime]
    ) -> None:
        """Counts the people of `directory`; `now` is UTC."""
        super().__init__(None)
        self._directory = directory
        self._now = now
        self._counting = Action(scope, self._count, second="replace", on_error=self.failed.emit)

    def count(self) -> None:
        """Count all of them anew."""
        self._counting()

    async def _count(self) -> None:
        counts = MonthCounts(self._now())
        # The cache has begun anew then and forgotten everybody: whoever is read anew is counted.
        with contextlib.suppress(StoreDamaged):
            for _ in counts.added_in_slices(self._directory.times_added()):
                await asyncio.sleep(0)
            self._set_state(counts.result())


def _month(year: int, month: int, count: int) -> Month:
    name = QLocale().toString(QDate(year, month, 1), "MMMM yyyy")
    people = trn("{n} person", "{n} people", count)
    return Month(year, month, count, tr("{month}: {people}", month=name, people=people))


def _average_words(months: tuple[Month, ...]) -> str:
    """Of the months that are over, where there is one."""
    over = months[:-1] or months
    total = sum(one.count for one in over)
    average = number(round(total / len(over)))
    if 0 < total < len(over) / 2:
        average = tr("fewer than {n}", n=1)
    years = round(len(months) / _YEAR)
    if years < 1:
        return trn(
            "{average} a month over {n} month",
            "{average} a month over {n} months",
            len(months),
            average=average,
        )
    return trn(
        "{average} a month over {n} year",
        "{average} a month over {n} years",
        years,
        average=average,
    )


def _earlier_words(count: int, year: int) -> str:
    return tr("{n} before {year}", n=number(count), year=year) if count else ""
