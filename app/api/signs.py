"""What gives away, while a list is read page by page, that it shifted meanwhile."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Signs:
    """The signs of one pass through a list; each page is noted once, in order."""

    changed: bool = False
    shrunk: bool = False
    brought: bool = False
    _gap: bool = False
    _repeated: bool = False
    _short: bool = False
    _odd: bool = False
    _before: frozenset[str] = frozenset()
    _came: set[str] = field(default_factory=set)

    def note_total(self, before: int | None, now: int) -> None:
        """The service's count, and what it was on the page before."""
        self.changed |= before is not None and now != before
        self.shrunk |= before is not None and now < before

    def note_people(self, ids: frozenset[str], *, overlapping: bool) -> None:
        """Who is on the page, and whether it should share somebody with the page before."""
        if overlapping:
            self._gap |= bool(ids and self._before and ids.isdisjoint(self._before))
        else:
            self._repeated |= not ids.isdisjoint(self._came)
            self._came |= ids
        self._before = ids or self._before

    def same_as_before(self, ids: frozenset[str]) -> bool:
        """Whether these are the people of the page before, or nobody."""
        return ids <= self._before

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
