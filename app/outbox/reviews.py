"""Lists that somebody looks over, kept over a restart beside whoever was typed.

What stands in them is known in `importing/review_record`; nobody in them is taken yet.
"""

from collections.abc import Sequence

from app.store.outbox import OutboxStore
from app.store.outbox_reviews import KeptReview

__all__ = ["KeptReview", "Reviews"]


class Reviews:
    """The lists of one account. Everything may raise StoreError, which changes nothing."""

    def __init__(self, store: OutboxStore) -> None:
        """Whatever `store` has."""
        self._store = store

    def all(self) -> Sequence[KeptReview]:
        """How each stands, the one begun last at the end."""
        return self._store.reviews()

    async def source(self, review_id: str) -> bytes:
        """A list as it was read."""
        return await self._store.review_source(review_id)

    async def keep(self, review: KeptReview, source: bytes | None) -> None:
        """Keep how a list stands now, durable when this returns; `source` where it is new."""
        await self._store.keep_review(review, source)

    async def forget(self, review_id: str) -> None:
        """It was discarded."""
        await self._store.forget_review(review_id)
