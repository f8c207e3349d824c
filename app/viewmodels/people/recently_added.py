"""Who was added from here in the last weeks: in this sitting, and by what the history says before.

They are marked in the directory, so that a filter finds them as it finds volunteers.
"""

import asyncio
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice

from PySide6.QtCore import QObject, Signal

from app.model.outbox import OutboxEntry
from app.outbox.events import added_of
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.store.outbox.outbox import KEPT_IN_HISTORY
from app.viewmodels.guarded_overrides import GuardedOverrides

LATELY_DAYS = 30
_LATELY = timedelta(days=LATELY_DAYS)
_AT_ONCE = 500
"""People whose rows are asked for in one turn: a few milliseconds."""


class RecentlyAdded(GuardedOverrides, QObject):
    """Knows people by id until the list has their row."""

    history_read = Signal()
    """Who was added in earlier sittings is marked now."""

    def __init__(self, directory: PeopleDirectory, outbox: Outbox, parent: QObject) -> None:
        """Nobody is known before `read_history`, but for those who are added from now on."""
        super().__init__(parent)
        self._directory = directory
        self._outbox = outbox
        self.in_this_sitting: dict[str, datetime] = {}
        """When those were added, UTC, by their ids, who were added since the start."""
        self._added_at: dict[str, datetime] = {}
        # Sent, and not in the list yet, or deleted there since.
        self._unlisted: set[str] = set()

    def today(self, on_the_way: Iterable[OutboxEntry]) -> int:
        """How many of those in the list were added today, and of these typed."""
        midnight = datetime.now(UTC).astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight.timestamp()
        added = sum(at >= since for at in self._directory.recently_added().values())
        return added + sum(entry.typed_at >= midnight for entry in on_the_way)

    @property
    def unlisted_count(self) -> int:
        """How many were added since the start and are not in the list yet."""
        added, would_have = self.in_this_sitting, self._directory.would_have
        return sum(one in added and not would_have(added[one]) for one in self._unlisted)

    def hear(self, added: Iterable[OutboxEntry]) -> None:
        """These were added, or are not as they were since."""
        new = self._take(added)
        self.in_this_sitting |= new
        self._mark(new)

    def look_for_rows(self, *, all_of_them: bool = False) -> None:
        """Rows have come: whoever was added may have one now."""
        if self._unlisted and (all_of_them or len(self._unlisted) <= _AT_ONCE):
            self._mark(tuple(self._unlisted))

    async def read_history(self) -> None:
        """Mark those who were added in earlier sittings. Raises StoreError."""
        since = datetime.now(UTC) - _LATELY
        done = await self._outbox.store.history(limit=KEPT_IN_HISTORY)
        lately = iter([one for one in done if one.ended_at is not None and one.ended_at > since])
        while part := list(islice(lately, _AT_ONCE)):
            self._mark(self._take(added_of(part)))
            await asyncio.sleep(0)
        self.history_read.emit()

    def _take(self, added: Iterable[OutboxEntry]) -> dict[str, datetime]:
        new = {
            entry.person_id: entry.ended_at for entry in added if entry.person_id and entry.ended_at
        }
        self._added_at |= new
        return new

    def _mark(self, ids: Collection[str]) -> None:
        if not ids:
            return
        listed = self._directory.has_taken_in
        rows = {one: row for one, row in self._directory.rows_of(ids).items() if listed(row)}
        self._unlisted.update(ids)
        self._unlisted.difference_update(rows)
        self._directory.mark_recently_added(
            {row: self._added_at[one].timestamp() for one, row in rows.items()}
        )
