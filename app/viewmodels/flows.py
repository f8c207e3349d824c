"""The Flows tab: which flows are listed, which is chosen, and the words for it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.flows.administrators import Administrators, administrator_ids
from app.flows.catalogue import FlowCatalogue, FlowsChanged
from app.flows.steps import all_steps
from app.model.flow import PeopleFlow
from app.people.directory import PeopleChanged, PeopleDirectory, PeopleRefreshed
from app.people.search import fold, matches, words
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.flow_cards import (
    FlowPage,
    administers,
    flow_name,
    flow_page,
    gaps_words,
    steps_words,
)
from app.viewmodels.flow_list import FlowList, FlowRow
from app.viewmodels.person import Administers
from app.viewmodels.wording import name_of


class FlowsScreen(QObject):
    """Reads the flows together with the people, so that ids become names."""

    flow_changed = Signal()
    """The chosen flow is another one, or says something else."""
    administrators_changed = Signal()
    """Who administers what was read anew."""

    def __init__(
        self,
        catalogue: FlowCatalogue,
        directory: PeopleDirectory,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Listens to the flows and the people of one account."""
        super().__init__()
        self._catalogue = catalogue
        self._directory = directory
        self._administrators = Administrators((), _nobody)
        self._keys: dict[str, str] = {}
        self.list = FlowList(self)
        self.query = ""
        self.chosen: str | None = None
        self.flow: FlowPage | None = None
        self._reading = Action(scope, self._read, second="replace")
        events.subscribe(FlowsChanged, self._flows_changed, scope)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleRefreshed, self._people_changed, scope)

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return tr("Search flows, steps, people")

    @property
    def empty_words(self) -> str:
        """What to say where no flow can be shown; blank when one is."""
        if self.flow is not None:
            return "" if self.flow.steps else tr("This flow has no steps yet.")
        if self._catalogue.as_of is None:
            return tr("The flows have not been read yet.")
        if self.query.strip() and self._catalogue.flows():
            return tr("No flow matches “{query}”.", query=self.query.strip())
        return tr("The account has no people flows yet. They are made on the account's own page.")

    def read_again(self) -> None:
        """Join flows and people anew: something in one of them has changed."""
        self._reading()

    def search(self, query: str) -> None:
        """List the flows in whose name, steps or administrators each word occurs."""
        if query != self.query:
            self.query = query
            self._show()
            if self.list.position_of(self.chosen) is None:
                self.chosen = self.list.flow_id_at(0)
                self._show_flow()

    def choose(self, flow_id: str) -> None:
        """Show this flow, also when the search hides it from the list."""
        if flow_id != self.chosen:
            self.chosen = flow_id
            self._show_flow()

    def administered_by(self, person_id: str) -> Sequence[Administers]:
        """The flows and steps a person administers, in words."""
        return [administers(each) for each in self._administrators.administered_by(person_id)]

    def _flows_changed(self, _event: FlowsChanged) -> None:
        self._reading()

    def _people_changed(self, _event: PeopleChanged | PeopleRefreshed) -> None:
        if self._catalogue.flows():
            self._reading()

    async def _read(self) -> None:
        flows = self._catalogue.flows()
        ids = {each for flow in flows for each in administrator_ids(flow)}
        people = await self._directory.people_by_id(ids)
        self._administrators = Administrators(flows, people.get)
        self._keys = {flow.id: self._key(flow) for flow in flows}
        self._show()
        self.administrators_changed.emit()

    def _key(self, flow: PeopleFlow) -> str:
        steps = list(all_steps(flow))
        people = [
            one.person
            for one in (
                *self._administrators.of_flow(flow),
                *(each for step in steps for each in self._administrators.of_step(step)),
            )
        ]
        names = [name_of(person) for person in people if person is not None]
        return fold("\n".join([flow.name or "", *(step.name or "" for step in steps), *names]))

    def _show(self) -> None:
        wanted = words(self.query)
        flows = [flow for flow in self._catalogue.flows() if self._listed(flow, wanted)]
        self.list.show_rows([self._row(flow) for flow in flows])
        if self.chosen is None or self._catalogue.flow(self.chosen) is None:
            self.chosen = flows[0].id if flows else None
        self._show_flow()

    def _listed(self, flow: PeopleFlow, wanted: Sequence[str]) -> bool:
        return matches(self._keys.get(flow.id, fold(flow_name(flow))), wanted)

    def _row(self, flow: PeopleFlow) -> FlowRow:
        # Before the people have been read every administrator would look like nobody.
        known = self._directory.as_of is not None
        return FlowRow(
            flow_id=flow.id,
            name=flow_name(flow),
            steps_words=steps_words(flow),
            gaps_words=gaps_words(flow, self._administrators) if known else "",
        )

    def _show_flow(self) -> None:
        flow = self._catalogue.flow(self.chosen) if self.chosen is not None else None
        page = flow_page(flow, self._administrators) if flow is not None else None
        if page != self.flow or page is None:
            self.flow = page
            self.flow_changed.emit()


def _nobody(_person_id: str) -> None:
    return None
