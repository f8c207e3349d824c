"""What somebody changes in the rows of a list, and Ctrl+Z: each in its turn, and what looks at many
rows in a worker thread, while what is done next waits.

How a list is changed and what undoing it means is `importing/review`'s.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from app.importing.review import Review
from app.runtime.tasks import Action, TaskScope

MANY_ROWS = 300
"""More of them are changed in a worker thread."""


class RowChange(msgspec.Struct, frozen=True):
    """What somebody does to the rows, which may have to wait until what was done before is."""

    work: Callable[[], Sequence[int] | None]
    """Does it; gives what `Review` gives."""
    rows: Callable[[], int]
    """How many it looks at, asked when its turn has come."""
    then: Callable[[], None] | None = None
    moves_rows: bool = False
    """Whether others may stand in the rows after it."""


class ChangeFollower(Protocol):
    """Whoever shows the rows."""

    def rows_changed(self, positions: Sequence[int] | None, *, by_itself: bool) -> None:
        """These rows are others now, None: all of them; `by_itself`: it was nobody's doing."""

    def turn_changed(self) -> None:
        """A change has begun in the worker thread, has ended there, or waits for its turn."""


class RowChanges:
    """Those of one list, in the order in which they were made."""

    def __init__(
        self,
        review: Review,
        scope: TaskScope,
        follower: ChangeFollower,
        *,
        on_error: Callable[[Exception], None],
    ) -> None:
        """None is under way; `on_error` is given what was in the way of one."""
        self._review = review
        self._scope = scope
        self._follower = follower
        self._asked: deque[RowChange] = deque()
        """Those that are not made yet, with the one that is under way."""
        self._changing = Action(
            scope,
            self._change_many,
            second="drop",
            on_error=on_error,
            on_change=self._begun_or_done,
        )

    @property
    def running(self) -> bool:
        """Whether one is under way in the worker thread."""
        return self._changing.running

    @property
    def asked_for(self) -> bool:
        """Whether anything that somebody has asked for is not made yet."""
        return bool(self._asked)

    async def made(self) -> None:
        """Wait until everything is that was asked for."""
        await self._changing.ended()

    @property
    def rows_will_move(self) -> bool:
        """Whether others may stand in the rows in a moment: no cell is typed into until then."""
        return any(change.moves_rows for change in self._asked)

    def take(self, change: RowChange) -> None:
        """Make it in its turn, at once where it looks at few rows."""
        if self.rows_will_move and not change.moves_rows:
            return  # it is meant for those who stand in the rows now
        self._asked.append(change)
        self._do_next()
        if self._asked:
            self._follower.turn_changed()

    def change_by_itself(self, work: Callable[[], Sequence[int] | None]) -> None:
        """Do what nobody has asked for, in the worker thread; only where none is `running`."""
        self._changing(work, by_itself=True)

    def undoing(self) -> RowChange | None:
        """Takes back what was done last, or is being done; None where there is nothing."""
        review = self._review
        if not (review.can_undo or self.running):
            return None
        moves = review.undo_may_move_rows or self.rows_will_move
        return RowChange(review.undo, lambda: review.undo_size, moves_rows=moves)

    def redoing(self) -> RowChange | None:
        """Does again what was taken back; None as above."""
        review = self._review
        if not (review.can_redo or self.running):
            return None
        moves = review.redo_may_move_rows or self.rows_will_move
        return RowChange(review.redo, lambda: review.redo_size, moves_rows=moves)

    def _do_next(self) -> None:
        """What waits, in the order in which it was done."""
        while self._asked and not self.running:
            change = self._asked.popleft()
            # The rows outlive a scope that is closed, as where another language is chosen.
            if change.rows() > MANY_ROWS and not self._scope.closed:
                self._asked.appendleft(change)
                self._changing(change.work, change.then)
            else:
                self._have_changed(change.work(), change.then)

    async def _change_many(
        self,
        work: Callable[[], Sequence[int] | None],
        then: Callable[[], None] | None = None,
        *,
        by_itself: bool = False,
    ) -> None:
        thread = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            positions = await asyncio.shield(thread)
            self._have_changed(positions, then, by_itself=by_itself)
        except asyncio.CancelledError:
            # It goes on all the same: whoever takes the rows over finds them as they are then.
            await asyncio.wait({thread})
            raise
        finally:
            if not by_itself:
                self._asked.popleft()

    def _have_changed(
        self,
        positions: Sequence[int] | None,
        then: Callable[[], None] | None,
        *,
        by_itself: bool = False,
    ) -> None:
        self._follower.rows_changed(positions, by_itself=by_itself)
        if then is not None:
            then()

    def _begun_or_done(self) -> None:
        if not self.running:
            self._do_next()
        self._follower.turn_changed()
