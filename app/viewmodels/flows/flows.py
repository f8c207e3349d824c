"""The Flows tab: which flows are listed, which one is open, and coming back to it."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.flows.administrators import Administrators
from app.flows.catalogue import FlowCatalogue, FlowsChanged
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.people.directory import PeopleChanged, PeopleDirectory, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.store.errors import StoreDamaged
from app.viewmodels.flows.cards import (
    MOST_LINKS,
    Administers,
    FlowPage,
    administers,
    flow_page,
)
from app.viewmodels.flows.flow_list import FlowList, FlowRow
from app.viewmodels.flows.search import FlowSearch, highlights, wanted_words, why_found
from app.viewmodels.flows.sentences import (
    flow_name,
    gap_sentences,
    gaps_words,
    missing_words,
    short_words,
)
from app.viewmodels.guarded import Guarded


@dataclass(frozen=True, slots=True)
class FlowPlace:
    """A name in a flow. It holds for as long as the flow is there."""

    flow_id: str
    step_id: str | None
    """The step the name stands in; None among those who run the flow."""
    person_id: str
    scrolled: int
    """How far down the page was scrolled, in pixels."""


_PAUSE = 0.15
"""Seconds between two readings: while people come page by page, each page changes something."""

_Read = tuple[tuple[PeopleFlow, ...], Mapping[str, Person], datetime | None, bool]


class FlowsScreen(Guarded, QObject):
    """Reads the flows together with the people, so that ids become names."""

    flow_changed = Signal()
    """The chosen flow is another one, or says something else."""
    step_changed = Signal()
    """Somebody comes for another step of the chosen flow, or for none in particular."""
    administrators_changed = Signal()
    """Who administers what was read anew."""
    missing_changed = Signal()
    """The account gave fewer flows than it counts, or no longer."""
    came_from_changed = Signal()
    """There is another place to go back to, or none."""

    def __init__(
        self,
        catalogue: FlowCatalogue,
        directory: PeopleDirectory,
        events: EventBus,
        scope: TaskScope,
        *,
        refresh: Callable[[], object] | None = None,
        reading: Callable[[], bool] = lambda: False,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        """Listens to the flows and the people of one account; `refresh` reads both lists again.

        `reading` says whether they are being asked for (`reading_changed` when that is another).
        `on_error` is told when the local copy cannot be read.
        """
        super().__init__()
        self._catalogue = catalogue
        self._directory = directory
        self._refresh = refresh
        self._being_read = reading
        self._administrators = Administrators((), _nobody)
        self._seen: _Read = ((), {}, None, False)
        self._search = FlowSearch(flow_name)
        self._wanted: tuple[str, ...] = ()
        self._looking = False
        self._news = False
        self._came_from: FlowPlace | None = None
        self.list = FlowList(self._row, self._gaps, self)
        self.query = ""
        self.chosen: str | None = None
        self.step_id: str | None = None
        self.flow: FlowPage | None = None
        self._reading = Action(scope, self._read, second="drop", on_error=on_error)
        self._finding = Action(scope, self._find, second="replace")
        events.subscribe(FlowsChanged, self._heard, scope)
        events.subscribe(PeopleChanged, self._heard, scope)
        events.subscribe(PeopleRefreshed, self._heard, scope)

    # What is shown

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return tr("Search flows, steps, people")

    @property
    def has_flows(self) -> bool:
        """Whether there is anything to list or to search."""
        return bool(self._catalogue.flows())

    @property
    def missing_words(self) -> str:
        """That the account gave fewer flows than it counts; blank where it gave all."""
        return missing_words(self._catalogue.missing)

    @property
    def empty_words(self) -> str:
        """What to say, and the one next thing to do, where nothing can be shown; else blank."""
        if self.flow is not None:
            steps_made = tr("This flow has no steps yet. Steps are made on the account's own page.")
            return "" if self.flow.steps else steps_made
        if self._catalogue.as_of is None:
            read_now = self._being_read()
            return tr("Reading the flows.") if read_now else tr("The flows have not been read yet.")
        if not self._catalogue.flows():
            none = tr("The account has no people flows yet. Make them on the account's own page.")
            return self.missing_words or none
        if not self._wanted:
            return tr("Reading the flows.")
        if self._looking:
            return tr("Looking for “{query}”.", query=self.query.strip())
        return tr(
            "No flow, step or administrator matches “{query}”. "
            "Empty the search line to see every flow.",
            query=self.query.strip(),
        )

    @property
    def empty_action(self) -> str:
        """What the button under the empty words does; blank where there is none."""
        busy = self._refresh is None or self._being_read()
        if busy or self.flow is not None or self._catalogue.flows():
            return ""
        return tr("Read them now") if self._catalogue.as_of is None else tr("Read again")

    @property
    def came_from(self) -> FlowPlace | None:
        """Where somebody was when they followed a name; None once that flow is gone."""
        place = self._came_from
        return place if place and self._catalogue.flow(place.flow_id) is not None else None

    @property
    def back_words(self) -> str:
        """What leads back there; blank when there is nowhere to go back to."""
        place = self.came_from
        flow = self._catalogue.flow(place.flow_id) if place else None
        return tr("Back to {flow}", flow=flow_name(flow)) if flow else ""

    def administered_by(self, person_id: str) -> Sequence[Administers]:
        """The flows and steps a person administers, in words: as many flows as are ever listed."""
        found = self._administrators.administered_by(person_id, MOST_LINKS)
        return [administers(each) for each in found]

    def posts_of(self, person_id: str) -> int:
        """How many steps and whole flows a person administers, all told."""
        return self._administrators.posts_of(person_id)

    # What can be done

    def read_again(self) -> None:
        """Join flows and people anew: something in one of them has changed."""
        self._news = True
        self._reading()

    def refresh(self) -> None:
        """Ask the account for the flows."""
        if self._refresh is not None:
            self._refresh()

    def reading_changed(self) -> None:
        """The flows are being asked for, or no longer; that is news only while there are none."""
        if self.flow is None:
            self.flow_changed.emit()

    def search(self, query: str) -> None:
        """List the flows in whose name, steps or administrators each word occurs."""
        if query != self.query:
            self.query = query
            self._wanted = wanted_words(query)
            self._finding.cancel()
            self._list(choose=True)

    def choose(self, flow_id: str, step_id: str | None = None) -> None:
        """Show this flow, also when the search hides it from the list, and point out a step."""
        other = flow_id != self.chosen
        if other:
            self.forget_place()
        self._choose(flow_id)
        if other or step_id is not None:
            self.step_id = step_id
            self.step_changed.emit()

    def follow_from(self, place: FlowPlace) -> None:
        """Somebody follows a name that stands at `place`."""
        self._came_from = place
        self.came_from_changed.emit()

    def go_back(self) -> FlowPlace | None:
        """Show the flow somebody came from, and give the place in it; None if there is none."""
        place = self.came_from
        self.forget_place()
        if place is not None:
            self._choose(place.flow_id)
        return place

    def forget_place(self) -> None:
        """There is nowhere to go back to any more."""
        if self._came_from is not None:
            self._came_from = None
            self.came_from_changed.emit()

    # How it is read

    def _heard(self, event: FlowsChanged | PeopleChanged | PeopleRefreshed) -> None:
        if isinstance(event, FlowsChanged):
            self.missing_changed.emit()
        self.read_again()

    async def _read(self) -> None:
        """Read until there was no news for a moment: a storm of it is one or two readings."""
        while self._news:
            self._news = False
            # The cache has begun anew then and forgotten everybody, which is news to come.
            with contextlib.suppress(StoreDamaged):
                await self._read_once()
            await asyncio.sleep(_PAUSE)

    async def _read_once(self) -> None:
        flows = self._catalogue.flows()
        same = flows is self._seen[0]
        administrators = self._administrators if same else Administrators(flows, _nobody)
        for _ in administrators.read_in_slices():
            await asyncio.sleep(0)
        people = await self._directory.people_by_id(administrators.everybody())
        # Before the people have been read every administrator would look like nobody.
        known = self._directory.as_of is not None
        seen = (flows, people, self._catalogue.as_of, known)
        if same and seen[1:] == self._seen[1:]:
            return
        self._seen = seen
        self._administrators = administrators.with_people(people.get)
        self._search.forget()
        self._list(choose=False)
        self.administrators_changed.emit()
        if self._came_from is not None:
            # Its flow may be gone, or have another name now.
            self._came_from = self.came_from
            self.came_from_changed.emit()

    # How it is shown

    def _list(self, *, choose: bool) -> None:
        """List what is searched for; `choose` a flow among them if another was chosen."""
        flows = self._seen[0]
        self._looking = bool(self._wanted) and self._search.read_slice(flows, self._administrators)
        if self._wanted:
            flows = tuple(flow for flow in flows if self._search.finds(flow, self._wanted))
        ids = [flow.id for flow in flows]
        self.list.show_flows(ids)
        gone = self.chosen is None or self._catalogue.flow(self.chosen) is None
        if not self._looking and (gone or (choose and self.chosen not in ids)):
            self.chosen, self.step_id = (ids[0] if ids else None), None
        self._show_flow()
        if self._looking:
            self._finding(choose=choose)

    async def _find(self, *, choose: bool) -> None:
        more = True
        while more:
            await asyncio.sleep(0)
            more = self._search.read_slice(self._seen[0], self._administrators)
        self._list(choose=choose)

    def _row(self, flow_id: str) -> FlowRow:
        flow = self._catalogue.flow(flow_id) or PeopleFlow(id=flow_id)
        name, known = flow_name(flow), self._seen[3]
        found_by = why_found(flow, name, self._administrators, self._wanted)
        return FlowRow(
            flow_id=flow_id,
            name=name,
            steps_words=short_words(flow),
            gaps_words=gaps_words(flow, self._administrators) if known else "",
            found_by=found_by,
            name_highlights=highlights(name, self._wanted),
            found_highlights=highlights(found_by, self._wanted),
        )

    def _gaps(self, flow_id: str) -> Sequence[str]:
        flow = self._catalogue.flow(flow_id)
        return gap_sentences(flow, self._administrators) if flow and self._seen[3] else ()

    def _choose(self, flow_id: str) -> None:
        if flow_id != self.chosen:
            self.chosen, self.step_id = flow_id, None
            self._show_flow()

    def _show_flow(self) -> None:
        flow = self._catalogue.flow(self.chosen) if self.chosen is not None else None
        page = flow_page(flow, self._administrators, self._wanted) if flow is not None else None
        if page != self.flow or page is None:
            self.flow = page
            self.flow_changed.emit()


def _nobody(_person_id: str) -> None:
    return None
