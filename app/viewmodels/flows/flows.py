"""Which flows are listed, which one is open or why there is none, and coming back to it."""

import asyncio
import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from math import inf

import msgspec
from PySide6.QtCore import Signal

from app.exporting.mail_list import COMMA
from app.flows.administrators import Administrators
from app.flows.catalogue import FlowCatalogue, FlowsChanged
from app.flows.gaps import Gaps
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.events import PeopleChanged, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import AT_ONCE_SECONDS, found_at_once, found_in_turns
from app.runtime.words import tr
from app.settings.saved_states import SavedState
from app.store.errors import StoreDamaged
from app.viewmodels.flows.cards import (
    MOST_LINKS,
    Administers,
    FlowPage,
    administers,
    flow_page,
    marked_page,
)
from app.viewmodels.flows.flow_list import FlowList, FlowRow
from app.viewmodels.flows.search import (
    CalledSo,
    FlowSearch,
    FoundBy,
    highlights,
    wanted_words,
)
from app.viewmodels.flows.sentences import (
    flow_name,
    gap_sentences,
    gaps_words,
    missing_words,
    short_words,
)
from app.viewmodels.screen import Screen


class KnownFlows(msgspec.Struct, frozen=True):
    """The flows joined with the people, as every reading of them begins with it."""

    flows: tuple[PeopleFlow, ...]
    administrators: Administrators
    gaps: Gaps
    people_read: bool
    """Before that there are no gaps: every administrator would look like nobody."""
    people_whole: bool = True
    """Whether whoever is not among them is not in the account either."""


class ReturnPoint(msgspec.Struct, frozen=True):
    """The name in a flow that somebody followed: *Back* leads there while the flow is there."""

    flow_id: str
    step_id: str | None
    """The step the name stands in; None among those who run the flow."""
    person_id: str
    scrolled: int
    """How far down the page was scrolled, in pixels."""


class FlowFilter(msgspec.Struct, frozen=True):
    """Which flows are listed."""

    text: str

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return self.text


class FlowsState(msgspec.Struct, frozen=True):
    """What a view shows of the flows. What does not apply is blank."""

    query: str = ""
    """What is searched, as it was typed."""
    search_hint: str = ""
    """What stands in the empty search line."""
    chosen: str | None = None
    """The id of the chosen flow, also where a search hides it."""
    step_id: str | None = None
    """The step of it that somebody came for."""
    flow: FlowPage | None = None
    has_flows: bool = False
    """Whether there is anything to list or to search."""
    filters: tuple[FlowFilter, ...] = ()
    """Which flows can be listed; none where they are all alike."""
    only_gaps: bool = False
    """Whether those in which something is missing are listed alone: the second filter."""
    nothing_listed_words: str = ""
    """Why no flow is listed, while one may still be shown beside the list."""
    missing_words: str = ""
    """That the account gave fewer flows than it counts."""
    empty_words: str = ""
    """What to say where nothing can be shown."""
    empty_action: str = ""
    """What the button under these words does; it asks for the lists."""
    came_from: ReturnPoint | None = None
    """Where somebody was when they followed a name; None once that flow is gone."""


_PAUSE = 0.15
"""Seconds between two readings: while people come page by page, each page changes something."""

_Read = tuple[tuple[PeopleFlow, ...], Mapping[str, Person], datetime | None, bool, bool]


class FlowsScreen(Screen[FlowsState]):
    """Reads the flows together with the people, so that ids become names.

    Its state is what is shown besides the rows of the list.
    """

    step_wanted = Signal()
    """Somebody comes for the step of the chosen flow that the state names."""
    administrators_changed = Signal()
    """Who administers what was read anew."""
    refresh_wanted = Signal()
    """Both lists are to be read from the account again."""
    failed = Signal(object)
    """Carries the error that kept the flows from being read from this computer."""

    def __init__(
        self,
        catalogue: FlowCatalogue,
        directory: PeopleDirectory,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Listens to the flows and the people of one account."""
        super().__init__(FlowsState())
        self._catalogue = catalogue
        self._directory = directory
        self.separator = COMMA
        """What stands between two addresses of somebody that are copied."""
        self._asked_for = False
        self._administrators = Administrators((), _nobody)
        self._known = KnownFlows((), self._administrators, Gaps(), people_read=False)
        self._seen: _Read = ((), {}, None, False, True)
        self._search = FlowSearch()
        self._query = ""
        self._wanted: tuple[str, ...] = ()
        self._may_choose = True
        self._only_gaps = False
        self._looking = False
        self._news = False
        self._came_from: ReturnPoint | None = None
        self._chosen: str | None = None
        self._step_id: str | None = None
        self._page: FlowPage | None = None
        self._written: tuple[PeopleFlow, Administrators, FlowPage] | None = None
        """The chosen flow and who is who as they were put into words, without marks."""
        self.list = FlowList(self._row, self._gaps, self)
        self._tell()
        self._reading = Action(scope, self._read, second="drop", on_error=self.failed.emit)
        self._finding = Action(scope, self._find, second="replace")
        events.subscribe(FlowsChanged, self._flows_changed, scope)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleRefreshed, self._people_changed, scope)

    # Who administers what

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
        """Have both lists read from the account."""
        self.refresh_wanted.emit()

    def being_read(self, begun: bool) -> None:  # noqa: FBT001 - whether it is under way
        """The service has been asked for the flows, or that has ended."""
        self._asked_for = begun
        self._tell()

    def search(self, query: str, *, choose: bool = True) -> None:
        """List the flows in whose name, steps or administrators each word occurs.

        Not `choose`: whatever is found, the flow that is chosen stays so. Nobody sees it change.
        """
        if query != self._query or choose > self._may_choose:
            self._query, self._may_choose = query, choose
            self._wanted = wanted_words(query)
            self._list(choose=choose)

    def show_only_gaps(self, *, only: bool) -> None:
        """List the flows in which something is missing alone, or every flow again."""
        if only is not self._only_gaps:
            self._only_gaps = only
            self._list(choose=True)
            self._tell()

    def saved_state(self) -> dict[str, object]:
        """The fields of `SavedState` that tell of this view."""
        return {"chosen_flow": self._chosen, "only_gaps": self._only_gaps}

    def restore(self, saved: SavedState) -> None:
        """Take up the filter of an earlier run, and the flow that was chosen."""
        if saved.chosen_flow is not None:
            self.choose(saved.chosen_flow)
        if saved.only_gaps:
            # Whoever chose a flow stays with it, also where it has no gap any more.
            self._only_gaps = True
            if self._seen[0]:
                self._list(choose=False)
            self._tell()

    def finish_search(self) -> None:
        """Somebody means what is found: find all of it now."""
        if self._looking:
            self._list(choose=self._may_choose, seconds=inf)

    def called_in_slices(self, wanted: Sequence[str], enough: int) -> Iterator[list[CalledSo]]:
        """The flows and steps that are called by the `wanted` words, best where a word is begun so;
        what is listed stays as it is. See `FlowSearch.called`.
        """
        return self._search.called(self._known.flows, wanted, enough)

    @property
    def words_of_names(self) -> Collection[str]:
        """Every folded word in the names of flows and steps that were looked through."""
        return self._search.words_of_names

    @property
    def found(self) -> int:
        """How many flows are listed now; the list tells when that changes."""
        return len(self.list.keys)

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return self.state.search_hint

    @property
    def known(self) -> KnownFlows:
        """Flows and people as they were last joined; `administrators_changed` tells of others."""
        return self._known

    def choose(self, flow_id: str, step_id: str | None = None) -> None:
        """Show this flow, also when the search hides it from the list, and point out a step."""
        if flow_id != self._chosen:
            self._came_from = None
            step_id = step_id or self._found_step(flow_id)
            self._chosen, self._step_id = flow_id, step_id
            self._show_page()
        elif step_id is not None:
            self._step_id = step_id
            self._tell()
        if step_id is not None:
            self.step_wanted.emit()

    def name_of(self, flow_id: str) -> str | None:
        """What a flow is called now; None where there is no such flow."""
        flow = self._catalogue.flow(flow_id)
        return None if flow is None else flow_name(flow)

    def follow_from(self, place: ReturnPoint) -> None:
        """Somebody follows a name that stands at `place`."""
        self._came_from = place
        self._tell()

    def go_back(self) -> ReturnPoint | None:
        """Show the flow somebody came from, and give the place in it; None if there is none."""
        place = self.state.came_from
        self._came_from = None
        if place is not None and place.flow_id != self._chosen:
            self._chosen, self._step_id = place.flow_id, None
            self._show_page()
        self._tell()
        return place

    def forget_return_point(self) -> None:
        """There is nowhere to go back to any more."""
        self._came_from = None
        self._tell()

    # How it is read

    def _flows_changed(self, _event: FlowsChanged) -> None:
        self._tell()
        self.read_again()

    def _people_changed(self, _event: PeopleChanged | PeopleRefreshed) -> None:
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
        whole = self._directory.missing is None
        seen = (flows, people, self._catalogue.as_of, known, whole)
        if same and seen[1:] == self._seen[1:]:
            return
        administrators = administrators.with_people(people.get, people_read=known)
        gaps = Gaps()
        if known:
            for _ in gaps.find_in_slices(flows, administrators):
                await asyncio.sleep(0)
        self._seen, self._administrators = seen, administrators
        self._known = KnownFlows(flows, administrators, gaps, people_read=known, people_whole=whole)
        self._search.forget(same_flows=same)
        self._list(choose=False)
        # A flow that comes again is not the one somebody left.
        self._came_from = self.state.came_from
        self.administrators_changed.emit()
        for _ in self._search.read_names(flows):
            await asyncio.sleep(0)

    # How it is shown

    def _list(self, *, choose: bool, seconds: float = AT_ONCE_SECONDS) -> None:
        """List what is searched for; `choose` a flow among them if another was chosen.

        What is not found within so many `seconds` is found in the next turns of the event loop.
        """
        self._finding.cancel()
        self._looking = False
        if not self._wanted:
            self._show_found(self._listed(), choose=choose)
            return
        slices = self._search.found(
            self._listed(), self._administrators, self._wanted, self._known.gaps
        )
        found, self._looking = found_at_once(slices, seconds)
        self._show_found(found, choose=choose)
        if self._looking:
            self._finding(found, slices, choose=choose)

    def _listed(self) -> Sequence[PeopleFlow]:
        """Those that the search looks at."""
        flows = self._seen[0]
        if not self._only_gaps:
            return flows
        return [flow for flow in flows if self._known.gaps.of(flow.id)]

    async def _find(
        self, found: list[PeopleFlow], slices: Iterator[list[PeopleFlow]], *, choose: bool
    ) -> None:
        async for some in found_in_turns(slices):
            found += some
        self._looking = False
        self._show_found(found, choose=choose)

    def _show_found(self, flows: Sequence[PeopleFlow], *, choose: bool) -> None:
        ids = [flow.id for flow in flows]
        self.list.show(ids, in_place=True)
        gone = self._chosen is None or self._catalogue.flow(self._chosen) is None
        if not self._looking and (gone or (choose and self._chosen not in ids)):
            self._chosen, self._step_id = (ids[0] if ids else None), None
        before = self._chosen, self._step_id
        if choose and not self._looking and self._chosen in ids:
            self._step_id = self._found_step(self._chosen)
        self._show_page()
        if self._step_id is not None and (self._chosen, self._step_id) != before:
            self.step_wanted.emit()

    def _row(self, flow_id: str) -> FlowRow:
        flow = self._catalogue.flow(flow_id) or PeopleFlow(id=flow_id)
        name = flow_name(flow)
        gaps = self._known.gaps.of(flow_id)
        found_by = " · ".join(each.words for each in self._reasons(flow_id))
        return FlowRow(
            flow_id=flow_id,
            name=name,
            steps_words=short_words(flow),
            gaps_words=gaps_words(gaps),
            found_by=found_by,
            name_highlights=highlights(name, self._wanted),
            found_highlights=highlights(found_by, self._wanted),
        )

    def _reasons(self, flow_id: str | None) -> Sequence[FoundBy]:
        """What a flow was found by."""
        flow = self._catalogue.flow(flow_id) if flow_id is not None else None
        if flow is None or not self._wanted:
            return ()
        gaps = self._known.gaps.of(flow.id)
        return self._search.reasons(flow, self._administrators, self._wanted, gaps)

    def _found_step(self, flow_id: str | None) -> str | None:
        """The step that a flow was found by first."""
        steps = (reason.step_id for reason in self._reasons(flow_id))
        return next((step_id for step_id in steps if step_id is not None), None)

    def _gaps(self, flow_id: str) -> Sequence[str]:
        return gap_sentences(self._known.gaps.of(flow_id))

    def _show_page(self) -> None:
        """The chosen flow is another one, or may say something else."""
        flow = self._catalogue.flow(self._chosen) if self._chosen is not None else None
        if flow is None:
            self._page = None
        else:
            # The same one for key after key: whoever shows it has to mark it anew, and no more.
            written = self._written
            if written is None or written[:2] != (flow, self._administrators):
                written = flow, self._administrators, flow_page(flow, self._administrators)
                self._written = written
            self._page = marked_page(written[2], self._wanted)
        self._tell()

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the flows."""
        back, flows = self._came_from, self._catalogue.flows()
        has_filters = self._only_gaps or bool(self._known.gaps.all)
        read = tr("Read them now") if self._catalogue.as_of is None else tr("Read again")
        self._set_state(
            FlowsState(
                query=self._query,
                search_hint=tr("Search flows, steps, people"),
                chosen=self._chosen,
                step_id=self._step_id,
                flow=self._page,
                has_flows=bool(flows),
                filters=(FlowFilter(tr("All flows")), FlowFilter(tr("With gaps")))
                if has_filters
                else (),
                only_gaps=self._only_gaps,
                nothing_listed_words=self._no_gaps_words(),
                missing_words=missing_words(self._catalogue.missing),
                empty_words=self._empty_words(),
                empty_action="" if self._asked_for or self._page or flows else read,
                came_from=back if back and self._catalogue.flow(back.flow_id) else None,
            )
        )

    def _empty_words(self) -> str:
        page, query = self._page, self._query.strip()
        if page is not None:
            return "" if page.steps else _no_steps_words(page)
        if self._catalogue.as_of is None:
            return (
                tr("Reading the flows.")
                if self._asked_for
                else tr("The flows have not been read yet.")
            )
        if not self._catalogue.flows():
            none = tr("The account has no people flows yet. Make them on the account's own page.")
            return missing_words(self._catalogue.missing) or none
        if not self._wanted or self._no_gaps_words():
            return self._no_gaps_words() or tr("Reading the flows.")
        if self._looking:
            return tr("Looking for “{query}”.", query=query)
        return tr(
            "No flow, step or administrator matches “{query}”. "
            "Empty the search line to see every flow.",
            query=query,
        )

    def _no_gaps_words(self) -> str:
        """That flows with gaps alone are listed, and there is none."""
        if not self._only_gaps or self._known.gaps.all or not self._catalogue.flows():
            return ""
        return tr("No flow has a gap. Choose All flows to see every flow again.")


def _no_steps_words(page: FlowPage) -> str:
    if page.steps_told:
        return tr("This flow has no steps yet. Steps are made on the account's own page.")
    return tr("The account did not tell the steps of this flow.")


def _nobody(_person_id: str) -> None:
    return None
