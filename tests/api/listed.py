"""A service's list of people as its pages show it: caps, counts and changes while it is read."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.api.pagination.page_plan import PeoplePage
from app.api.pagination.people_listing import PeopleListing
from app.api.requests import Limits
from app.model.person import Person


@dataclass
class ListedService:
    """Pages of `people` (ids), by number and size.

    `fixed` is the page size of a service that ignores the one it is asked for, and `most` the cap
    of one that honours it. `before` is told how many pages were asked for before each page; it may
    change the list.
    """

    people: list[str]
    fixed: int | None = None
    most: int = 1000
    counts: bool = True
    tells_size: bool = True
    before: Callable[[int], None] | None = None
    asked: list[tuple[int, int]] = field(default_factory=list)

    async def fetch(self, number: int, size: int) -> PeoplePage:
        """One page, as the reading asks for it."""
        if self.before is not None:
            self.before(len(self.asked))
        self.asked.append((number, size))
        given = self.fixed or min(size, self.most)
        start = (number - 1) * given
        found = tuple(Person(id=known_as) for known_as in self.people[start : start + given])
        return PeoplePage(
            found,
            len(self.people) if self.counts and found else None,
            given if self.tells_size and found else None,
            len(found),
        )

    def listing(self, limits: Limits) -> PeopleListing:
        """A reading of everybody."""
        return PeopleListing(self.fetch, limits)
