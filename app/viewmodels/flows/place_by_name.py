"""The step or flow that somebody means by a name they search for, as a state of its own: it
is found in turns of the event loop, and stands until something else is.
"""

from collections.abc import Iterator
from math import inf

from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import TURN_SECONDS, found_at_once, found_in_turns
from app.viewmodels.flows.cards import FoundPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.screen import Screen


class PlaceByName(Screen[FoundPlace | None]):
    """Looks for one name at a time; None while no step or flow is found by it."""

    def __init__(self, flows: FlowsScreen, scope: TaskScope) -> None:
        """Nothing is asked."""
        super().__init__(None)
        self._flows = flows
        self._query = ""
        self._finding = Action(scope, self._find, second="replace")
        # What was found stands until something else is.
        flows.administrators_changed.connect(self._look)

    def ask(self, query: str) -> None:
        """Have the state be what is called `query`; blank: nothing is looked for.

        Found at once, it is painted together with what is searched: it takes room from that.
        """
        if query != self._query:
            self._query = query
            if not self._look():
                self._set_state(None)

    def finish(self) -> None:
        """Somebody means what is found: find it now."""
        if self._finding.running:
            self._look(inf)

    def _look(self, seconds: float = TURN_SECONDS) -> bool:
        """Whether that is known by now, also that nothing is called so; if not, it comes later."""
        self._finding.cancel()
        slices = self._flows.place_by_name_in_slices(self._query)
        found, is_more = found_at_once(slices, seconds)
        if is_more and not found:
            self._finding(slices)
            return False
        self._set_state(next(iter(found), None))
        return True

    async def _find(self, slices: Iterator[tuple[FoundPlace, ...]]) -> None:
        found = [one async for some in found_in_turns(slices) for one in some]
        self._set_state(next(iter(found), None))
