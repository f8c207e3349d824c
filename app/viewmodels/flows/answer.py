"""Which flow or step is called what somebody searches for, and who administers it."""

from app.runtime.tasks import Action, TaskScope
from app.viewmodels.flows.cards import FoundPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.screen import Screen


class FlowAnswer(Screen[FoundPlace | None]):
    """Answers one question at a time; None while there is no answer."""

    def __init__(self, flows: FlowsScreen, scope: TaskScope) -> None:
        """Nothing is asked."""
        super().__init__(None)
        self._flows = flows
        self._query = ""
        self._finding = Action(scope, self._find, second="replace")
        flows.administrators_changed.connect(self._again)

    def ask(self, query: str) -> None:
        """Have the state answer what is called `query`; blank: nothing is asked."""
        if query != self._query:
            self._query = query
            self._set_state(None)
            self._again()

    def _again(self) -> None:
        """The flows, or who is who, are others."""
        self._finding.cancel()
        if self._query.strip():
            self._finding(self._query)

    async def _find(self, query: str) -> None:
        self._set_state(await self._flows.answer(query))
