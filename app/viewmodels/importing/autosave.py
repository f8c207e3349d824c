"""One list that is looked over, and its place in the account's file: written when it is opened and
a moment after each change, so that it is there again after a restart or a kill.

What is written is made in `importing/review_record`.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.outbox.outbox import Outbox
from app.runtime.tasks import TaskScope
from app.store.errors import StoreError
from app.store.outbox.reviews import KeptReview

if TYPE_CHECKING:
    from app.importing.review import Review

_log = logging.getLogger(__name__)
_AFTER_A_CHANGE = 0.5
"""Seconds: who changes a row is about to change the next."""


class ReviewAutosave:
    """Follows one `Review`. A list that cannot be kept is told by `fails`, and tried again."""

    def __init__(
        self,
        review: "Review",
        path: Path | None,
        outbox: Outbox,
        scope: TaskScope,
        review_id: str = "",
        *,
        given: bool = False,
    ) -> None:
        """`review_id`: under which it is kept already; it is written anew where it is not.
        `given`: it was named outside of the window.
        """
        self.id = review_id or uuid.uuid4().hex
        self._review = review
        self.given = given
        self._path = path
        self._outbox = outbox
        self._scope = scope
        self._written: str | None = None
        self._turn = asyncio.Lock()
        self._soon: asyncio.TimerHandle | None = None
        self._ended = self._forgotten = False
        self.fails = False
        """Whether it is not as it stands in the file, and will not be for now."""

    def changed(self) -> None:
        """Somebody has changed something: write that soon."""
        if self._soon is None and not (self._ended or self._scope.closed):
            loop = asyncio.get_running_loop()
            self._soon = loop.call_later(_AFTER_A_CHANGE, self._write_now)

    def discard(self) -> None:
        """Have it gone."""
        self._ended = True
        self._scope.spawn(self.settle())

    def close(self) -> None:
        """Write nothing more by itself."""
        self._no_longer_soon()

    @property
    def settled(self) -> bool:
        """Whether it is gone, and with it all there was to do."""
        return self._ended and self._forgotten

    @property
    def is_kept(self) -> bool:
        """Whether the account's file has it, as it was once at least, or is to have it no more."""
        return self._written is not None or self._ended

    @contextlib.asynccontextmanager
    async def handed_over(self) -> AsyncIterator[str]:
        """While its people are taken, nothing is written: gives the id, and where they were taken
        it has ended with that.
        """
        async with self._turn:
            yield self.id
            self._ended = self._forgotten = True
            self._no_longer_soon()

    async def settle(self) -> None:
        """Have the file say how it stands now, or that it is gone. Never raises StoreError."""
        self._no_longer_soon()
        async with self._turn:
            try:
                await (self._forget() if self._ended else self._keep())
                self.fails = False
            except (StoreError, UnicodeEncodeError) as error:
                self.fails = True
                _log.warning("a list that is looked over could not be kept: %s", error)

    async def _keep(self) -> None:
        # Who looks over a list has it by then; a start does not wait for it.
        from app.importing import review_record as records  # noqa: PLC0415 - see above

        record = records.record_of(self._review, self._path, given=self.given)
        text = await asyncio.to_thread(records.encode_record, record)
        if text == self._written:
            return
        source = None
        if self._written is None:
            source = await asyncio.to_thread(records.encode_source, self._review.table)
        await self._outbox.store.keep_review(KeptReview(self.id, text), source)
        self._written = text

    async def _forget(self) -> None:
        if not self._forgotten:
            await self._outbox.store.forget_review(self.id)
            self._forgotten = True

    def _write_now(self) -> None:
        self._scope.spawn(self.settle())

    def _no_longer_soon(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
