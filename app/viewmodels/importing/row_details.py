"""Who in the account may be the person of a row, looked up in a task of its own: as rows are shown,
and for all others behind the scenes, so that they can be counted.

Who is here for certain is a verdict, made in `importing/verdicts`.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter

from app.importing.review import Review
from app.importing.verdicts import ReviewRow
from app.model.outbox import NewPerson
from app.model.verdict import Verdict
from app.outbox.duplicate_index import DuplicateIndex
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import TURN_SECONDS, found_at_once
from app.runtime.words import in_a_row, tr
from app.viewmodels.already_here import DuplicateHint, duplicate_hint

_WHILE_CHANGED = 0.02
"""Seconds until it is asked again whether the rows are changed."""
_REST = 1.0
"""How long is rested after a turn for rows that nobody sees, in such turns: of a long list that
takes minutes, and somebody works there meanwhile.
"""


class RowDetails:
    """Of one list. Places are those of its rows."""

    def __init__(
        self,
        review: Review,
        duplicates: DuplicateIndex,
        scope: TaskScope,
        *,
        is_changing: Callable[[], bool],
        on_known: Callable[[Sequence[int]], None],
    ) -> None:
        """`on_known` is given the positions of rows that were asked for once it is known, and none
        once others may be likely; nobody is looked up while `is_changing`.
        """
        self._review = review
        self._duplicates = duplicates
        self._is_changing = is_changing
        self._on_known = on_known
        self._said: dict[int, str] = {}
        self._wanted: deque[int] = deque()
        self._others: dict[int, None] = {}
        """Each once; the last first."""
        self._once_more: dict[int, None] = {}
        """Those in whom nobody was seen before somebody came, while others were still looked up."""
        self._found: set[int] = set()
        self._is_on = False
        self.likely: Sequence[int] = []
        """The rows that are ready though somebody here may be the person, once all are known."""
        self._scope = scope
        self._explaining = Action(scope, self._explain, second="drop")

    def of(self, position: int, row: ReviewRow) -> str:
        """What is known by now; who is here, or may be, is looked up as rows are shown."""
        if row.verdict not in {Verdict.READY, Verdict.ALREADY_HERE}:
            return row.detail
        if position not in self._said:
            self._said[position] = ""
            self._wanted.append(position)
            self._begin()
        return " · ".join(filter(None, (self._said[position], row.detail)))

    def look(self, *, on: bool) -> None:
        """Whether somebody looks at the list: only then those are looked up who are not shown."""
        begins, self._is_on = on and not self._is_on, on
        if begins:
            self._count(range(len(self._review.rows)))
        elif not on:
            self._others.clear()
            self._once_more.clear()

    def forget(self, positions: Iterable[int] | None) -> None:
        """These rows are others now, or all of them."""
        if positions is None:
            self._said.clear()
            self._found.clear()
            self._others.clear()
            self._once_more.clear()
            self.likely = []
            positions = range(len(self._review.rows))
        positions = list(positions)
        for position in positions:
            self._said.pop(position, None)
        self._found.difference_update(positions)
        self._count(positions)

    def forget_nobody(self) -> None:
        """There may be somebody by now where nobody was."""
        unsaid = [position for position, said in self._said.items() if not said]
        if not self._others:
            self.forget(unsaid)
            return
        # Who comes and goes by the second would let no look at a long list come to its end.
        self._once_more.update(dict.fromkeys(unsaid))
        for position in unsaid:
            del self._said[position]

    def hints(self, firstname: str, lastname: str, email: str) -> tuple[DuplicateHint, ...]:
        """Those here who may be this person, the likeliest first."""
        if not (firstname or lastname or email):
            return ()
        person = NewPerson(firstname=firstname, lastname=lastname, email=email)
        return tuple(map(duplicate_hint, self._duplicates.of(person)))

    def close(self) -> None:
        """Nobody is looked up any more."""
        self._is_on = False
        self._explaining.cancel()

    def _count(self, positions: Iterable[int]) -> None:
        if self._is_on:
            self._others.update(dict.fromkeys(positions))
            self._begin()

    def _begin(self) -> None:
        # A page of an account that is left may be seen for a moment more.
        if not self._scope.closed:
            self._explaining()

    async def _explain(self) -> None:
        """A few rows at a time, those asked for last first: they are on the screen."""
        while self._wanted or self._others:
            if self._is_changing():
                # What is asked for meanwhile is told when the rows stand.
                await asyncio.sleep(_WHILE_CHANGED)
                continue
            begun, seen = perf_counter(), bool(self._wanted)
            told, _ = found_at_once(self._looked_up(), TURN_SECONDS)
            if told:
                self._on_known(sorted(told))
            if not self._others and self._is_on:
                self._tell_likely()
            await asyncio.sleep(0 if seen else _REST * (perf_counter() - begun))

    def _tell_likely(self) -> None:
        """All rows are looked up."""
        if self.likely != (found := sorted(self._found)):
            self.likely = found
            self._on_known(())
        if self._once_more:
            again, self._once_more = self._once_more, {}
            self.forget(again)

    def _looked_up(self) -> Iterator[Sequence[int]]:
        """One after the other, with the position of whoever was asked for."""
        while self._wanted or self._others:
            position = self._wanted.pop() if (asked := bool(self._wanted)) else self._next_other()
            if position is None or position >= len(self._review.rows):
                yield ()
                continue
            self._look_up(position)
            yield (position,) if asked else ()

    def _next_other(self) -> int | None:
        """One that is not known, and of whom it matters."""
        position, _ = self._others.popitem()
        if position in self._said or position >= len(self._review.rows):
            return None
        return position if self._review.rows[position].verdict is Verdict.READY else None

    def _look_up(self, position: int) -> None:
        row = self._review.rows[position]
        self._said[position] = said = self._said_of(row)
        if said and row.verdict is Verdict.READY:
            self._found.add(position)
        else:
            self._found.discard(position)

    def _said_of(self, row: ReviewRow) -> str:
        """Who is here, or may be; the row says its own email."""
        hint = next(iter(self.hints(row.firstname, row.lastname, row.email)), None)
        if hint is None:
            return ""
        email = "" if hint.email.casefold() == row.email.casefold() else hint.email
        words = in_a_row(part for part in (hint.name, email, hint.about) if part)
        if row.verdict is Verdict.ALREADY_HERE:
            return words
        return tr("Perhaps {person}", person=words)
