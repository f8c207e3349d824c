"""Known in memory alone, and no part of the file: the pages of the list whose people stand in the
table as the page told them, by digest.

Such a page need not be read again. How a page is told again is left to `app.api`, what came of it
to the table.
"""

from array import array
from collections.abc import Collection, Iterable

import msgspec

from app.store.ordering import ROW, Rows

_MOST_CHANGED = 10_000
"""Rows: of more changes, reading anew costs less than looking who they were."""
_MOST_TIMES = 3
"""Pages overlap, and a list may be paged otherwise from time to time."""


class _Page(msgspec.Struct, frozen=True, gc=False):
    rows: Rows
    as_of: int


class KnownPages:
    """The database's thread's alone."""

    def __init__(self) -> None:
        """No page is known."""
        self._pages: dict[bytes, _Page] = {}
        self._changed: dict[int, int] = {}
        self._now = 0
        self._met: set[bytes] = set()

    def digests(self, people: int) -> frozenset[bytes]:
        """Which are known of a list of so many `people`, who have not changed since."""
        if self._changed:
            self._pages = {key: page for key, page in self._pages.items() if self._is_current(page)}
            self._changed.clear()
        if sum(len(page.rows) for page in self._pages.values()) > people * _MOST_TIMES:
            self._pages.clear()
        self._met.clear()
        return frozenset(self._pages)

    def rows_met(self, digest: bytes) -> "Rows | None":
        """Who is on a page that came again; it is known no longer where somebody has changed.

        None where it was forgotten since the reading began: who is on it has to be looked up.
        """
        page = self._pages.get(digest)
        if page is None:
            return None
        if self._is_current(page):
            self._met.add(digest)
        return page.rows

    def remember(self, digest: bytes, rows: Iterable[int]) -> None:
        """These are on a page that has just been taken in."""
        self._pages[digest] = _Page(array(ROW, rows), self._now)
        self._met.add(digest)

    def note_changed(self, rows: Collection[int]) -> None:
        """These are other than before, or gone."""
        self._now += 1
        if len(self._changed) + len(rows) > _MOST_CHANGED:
            self.forget()
        elif self._pages:
            self._changed.update(dict.fromkeys(rows, self._now))

    def reading_ended(self) -> None:
        """The whole list came: pages it did not have come no more."""
        self._pages = {key: page for key, page in self._pages.items() if key in self._met}

    def forget(self) -> None:
        """No page is known any more."""
        self._pages.clear()
        self._changed.clear()

    def _is_current(self, page: _Page) -> bool:
        changed, as_of = self._changed, page.as_of
        return not changed or not any(changed.get(row, 0) > as_of for row in page.rows)
