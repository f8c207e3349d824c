"""The Flows tab: the same flows read in several ways, one of them shown, one search for all.

Each reading is a screen of its own; how somebody gets from one to the other is known here.
"""

import asyncio
from enum import StrEnum
from typing import Protocol

import msgspec
from PySide6.QtCore import SignalInstance

from app.runtime.tasks import Action, TaskScope
from app.runtime.words import in_a_row, tr
from app.settings.saved_states import SavedState
from app.viewmodels.exporting.print_requests import PrintNothing
from app.viewmodels.exporting.saved_file import ListedTable
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen, ReturnPoint
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.flows.navigation import AMONG_PEOPLE, Visit, Visits
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewScreen
from app.viewmodels.formatting import number
from app.viewmodels.screen import Screen

_A_FRAME = 0.016
"""Seconds."""


class FlowsView(StrEnum):
    """One way to read the flows; the value is what it is remembered by."""

    FLOWS = "flows"
    BY_PERSON = "by-person"
    GAPS = "gaps"
    WHAT_IS_NEW = "what-is-new"


class SearchedView(Protocol):
    """What the screen of every view offers."""

    @property
    def state_changed(self) -> SignalInstance:
        """Told, among else, whenever `found` is another."""

    @property
    def found(self) -> int:
        """How many rows match what is searched; all of them where nothing is."""

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""


class ListedView(SearchedView, Protocol):
    """What the screens of the views beside the flows themselves offer."""

    def table(self) -> ListedTable | None:
        """What is listed, for a file; None where nothing is."""


class ViewChip(msgspec.Struct, frozen=True):
    """One view to choose."""

    view: FlowsView
    text: str
    """Its name, with how many there are where that says something."""

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return self.text


class FoundElsewhere(msgspec.Struct, frozen=True):
    """What another view found by the same search; it leads there."""

    view: FlowsView
    words: str


class FlowsTabState(msgspec.Struct, frozen=True):
    """What stands around the view that is shown. What does not apply is blank."""

    view: FlowsView = FlowsView.FLOWS
    chips: tuple[ViewChip, ...] = ()
    query: str = ""
    """What is searched, as it was typed."""
    search_hint: str = ""
    """What stands in the empty search line."""
    elsewhere: tuple[FoundElsewhere, ...] = ()
    back_words: str = ""
    """What leads to the view, or to the people, that somebody came from to what is shown."""
    return_words: str = ""
    """What leads back here from a person who was followed."""
    forward_words: str = ""
    """What leads on from what is shown, to where somebody was before they went back."""
    onward_words: str = ""
    """The same from the people."""

    @property
    def found_words(self) -> str:
        """What was searched for and found, in words alone; blank where nothing is searched."""
        if not self.query:
            return ""
        found = (self.chips[self.chip_on].spoken, *(each.words for each in self.elsewhere))
        return in_a_row(found)

    @property
    def chip_on(self) -> int:
        """The place of the chip that is on."""
        return next(at for at, chip in enumerate(self.chips) if chip.view is self.view)


class FlowsTabScreen(Screen[FlowsTabState]):
    """Holds the views, and hands them what is searched: the one that is shown first."""

    def __init__(
        self,
        flows: FlowsScreen,
        *,
        by_person: ByPersonScreen,
        gaps: GapsScreen,
        what_is_new: WhatIsNewScreen | None = None,
        scope: TaskScope,
    ) -> None:
        """Shows the flows themselves; without `what_is_new`, nothing of it is kept."""
        super().__init__(FlowsTabState())
        self.flows = flows
        self.by_person = by_person
        self.gaps = gaps
        self.what_is_new = what_is_new
        self._views: dict[FlowsView, ListedView] = {
            FlowsView.BY_PERSON: by_person,
            FlowsView.GAPS: gaps,
        }
        if what_is_new is not None:
            self._views[FlowsView.WHAT_IS_NEW] = what_is_new
        self._view = FlowsView.FLOWS
        self._visits = Visits()
        self._at_people = False
        """Whether the last way that somebody was led ended among the people."""
        self._name: ReturnPoint | None = None
        """The name that somebody came back to, as long as they are led nowhere else."""
        self._query = ""
        self._telling = True
        """Not while a key is followed up: what comes of it is told once, at the end."""
        self._search_others = Action(scope, self._hand_to_others, second="replace")
        flows.list.listed.connect(self._tell)
        flows.state_changed.connect(self._tell)
        for view in self._views.values():
            view.state_changed.connect(self._tell)
        self._tell()

    @property
    def shown_views(self) -> tuple[FlowsView, ...]:
        """The views there are, in the order of their chips."""
        return tuple(view for view in FlowsView if view in {FlowsView.FLOWS, *self._views})

    # What can be done

    def show(self, view: FlowsView) -> None:
        """Read the flows this way, with the same search."""
        if view is not self._view:
            if not self._at_people:
                self._visits.forget()
            self._turn_to(view)

    def search(self, query: str) -> None:
        """Search in the view that is shown, and count what the others would find."""
        if query != self._query:
            self._query, self._telling = query, False
            try:
                self._search_in(self._view, shown=True)
                self._search_others()
            finally:
                self._telling = True
            self._tell()

    def show_found(self, view: FlowsView) -> None:
        """Show what was found in a view, of whatever kind it is; there is a way back to the one
        that is left.
        """
        if view is FlowsView.GAPS:
            self.gaps.show_kind(None)
        if view is not self._view:
            self._leave()
            self._turn_to(view)

    def go_to_found(self) -> None:
        """Show the first view that found something, where the one shown found nothing."""
        if self._query.strip():
            for view in self.shown_views:
                self._search_in(view, shown=view is self._view)
            self.flows.finish_search()
            self.gaps.finish_search()
            if self.what_is_new is not None:
                self.what_is_new.finish_search()
            if not self._screen(self._view).found:
                found = (view for view in self.shown_views if self._screen(view).found)
                self.show_found(next(found, self._view))
                self.flows.finish_search()

    def lead_to(self, place: FlowPlace) -> None:
        """Show a flow, and point out the step; there is a way back to the view that is left."""
        if self._view is not FlowsView.FLOWS:
            self._leave()
        self._point_out(place)

    def open(self, place: FlowPlace, here: Visit | None = None) -> None:
        """The same for who is led there from elsewhere, with a way back: to `here` among the
        people, or to the view that is shown.
        """
        self._leave(here)
        self._point_out(place)

    def open_person(self, person_id: str, here: Visit = AMONG_PEOPLE) -> None:
        """Show all that one of the people administers, with a way back there."""
        self._leave(here)
        self.search("")
        self._turn_to(FlowsView.BY_PERSON)
        self.by_person.choose(person_id)
        self._tell()

    def return_to_people(self) -> bool:
        """Whether somebody came from the people to what is shown; they are back there now."""
        last = self._visits.last
        if self._at_people or last is None or last.view is not None:
            return False
        self._back_to(last)
        return True

    def go_back(self) -> bool:
        """Show the view that somebody came from; False when there is nowhere to go back to."""
        last = self._visits.last
        if self._at_people or last is None or last.view is None:
            return False
        self._back_to(last)
        return True

    @property
    def last_visit(self) -> Visit | None:
        """Where the way back leads; None where it leads nowhere."""
        return self._visits.last

    def leave_for_person(self) -> None:
        """Somebody follows a name from the view that is shown."""
        self._leave(self._here(self.flows.state.came_from))
        self._at_people = True
        self._tell()

    def forget_return_point(self) -> None:
        """Nobody was shown, so there is nothing to come back from."""
        self._visits.forget_last()
        self._at_people = False
        self.flows.forget_return_point()
        self._tell()

    def return_from_person(self, here: Visit = AMONG_PEOPLE) -> FlowsView | None:
        """Show the view a name was followed from; None when there is none to go back to."""
        last = self._visits.last
        if not self._at_people or last is None or last.view is None:
            return None
        self._back_to(last, here)
        return self._view

    def go_forward(self, *, among_people: bool, here: Visit = AMONG_PEOPLE) -> Visit | None:
        """Where somebody is led again after they went back; None where that leads nowhere.

        A view of the flows is shown; the people are left to whoever shows them.
        """
        if among_people is not self._at_people:
            return None
        found = self._visits.forward(here if among_people else self._here_again())
        if found is not None:
            self._come_to(found)
        return found

    def came_by_hand(self, *, among_people: bool) -> None:
        """Somebody has gone to the people, or to the flows, by themselves.

        Where the way back leads there, it is gone; to the flows they are back where they were.
        """
        last = self._visits.last
        if among_people is self._at_people or last is None:
            return
        if among_people and last.view is None:
            self._visits.forget()
            self._tell()
        elif not among_people and last.view is not None:
            self._back_to(last)
            self.flows.forget_return_point()

    def saved_state(self) -> dict[str, object]:
        """The fields of `SavedState` that tell of the tab and each of its views."""
        return {
            "flows_view": self._view.value,
            **self.flows.saved_state(),
            **self.by_person.saved_state(),
            **self.gaps.saved_state(),
        }

    def restore(self, saved: SavedState) -> None:
        """Show the view of an earlier run as it was; a name of no view changes nothing."""
        for screen in (self.flows, self.by_person, self.gaps):
            screen.restore(saved)
        for each in self.shown_views:
            if each.value == saved.flows_view:
                self.show(each)

    def table(self) -> ListedTable | None:
        """What the view shown lists, for a file; None for the flows, and where that is nothing."""
        view = self._views.get(self._view)
        return view.table() if view is not None else None

    def print_nothing(self) -> PrintNothing | None:
        """Why nothing stands in the view shown, which is what is in hand then; None where something
        does, and before any flow is searched for: that is all of them.
        """
        if self._view is FlowsView.FLOWS and not self._query.strip():
            return None
        words = {
            FlowsView.FLOWS: self.flows.state.empty_words,
            FlowsView.BY_PERSON: self.by_person.state.empty_words,
            FlowsView.GAPS: self.gaps.state.empty_words,
            FlowsView.WHAT_IS_NEW: self.what_is_new.state.empty_words if self.what_is_new else "",
        }[self._view]
        return PrintNothing(view_name(self._view), (words,)) if words else None

    # How it is shown

    def _here(self, name: ReturnPoint | None = None) -> Visit:
        """The place in the view that is shown; `name` is what is followed from there."""
        flows = self.flows.state
        shown = flows.chosen is not None and self._view is FlowsView.FLOWS
        place = FlowPlace(flows.chosen, flows.step_id) if shown and flows.chosen else None
        return Visit(self._view.value, place, name if self._view is FlowsView.FLOWS else None)

    def _here_again(self) -> Visit:
        """The same for who goes back or forward: with the name they came back to, if its flow is
        shown still.
        """
        name = self._name
        same = name is not None and name.flow_id == self.flows.state.chosen
        return self._here(name if same else None)

    def _leave(self, here: Visit | None = None) -> None:
        """Somebody is led on from here, unless another place is where they come from."""
        self._visits.leave(here or self._here())
        self._at_people = False

    def _back_to(self, last: Visit, here: Visit = AMONG_PEOPLE) -> None:
        self._visits.back(here if self._at_people else self._here_again())
        self._come_to(last)

    def _come_to(self, visit: Visit) -> None:
        self._at_people = visit.view is None
        if visit.view is None:
            self._tell()
            return
        self._turn_to(FlowsView(visit.view))
        place, name = visit.place, visit.name
        if place is not None and place.flow_id != self.flows.state.chosen:
            self.flows.choose(place.flow_id, None if name else place.step_id)
        elif place is not None and place.step_id and name is None:
            self.flows.choose(place.flow_id, place.step_id)
        self._name = name
        if name is not None:
            self.flows.follow_from(name)
        else:
            self.flows.forget_return_point()
        self._tell()

    def _point_out(self, place: FlowPlace) -> None:
        self._turn_to(FlowsView.FLOWS)
        self.flows.choose(place.flow_id, place.step_id)
        self._tell()

    def _turn_to(self, view: FlowsView) -> None:
        self._view, self._name = view, None
        self._search_in(view, shown=True)
        self._tell()

    def _search_in(self, view: FlowsView, *, shown: bool) -> None:
        if view is FlowsView.FLOWS:
            self.flows.search(self._query, choose=shown)
        elif view is FlowsView.BY_PERSON:
            self.by_person.search(self._query)
        elif view is FlowsView.GAPS:
            self.gaps.search(self._query)
        elif self.what_is_new is not None:
            self.what_is_new.search(self._query)

    async def _hand_to_others(self) -> None:
        """Once the view in sight is painted; somebody who types on is not held up by the others."""
        await asyncio.sleep(_A_FRAME)
        for view in self.shown_views:
            if view is not self._view:
                await asyncio.sleep(0)
                self._search_in(view, shown=False)
        self._tell()

    def _tell(self, *_what: object) -> None:
        if not self._telling:
            return
        self._visits.keep(self._is_there)
        self._set_state(
            FlowsTabState(
                view=self._view,
                chips=tuple(ViewChip(view, self._chip_words(view)) for view in self.shown_views),
                query=self._query,
                search_hint=self._screen(self._view).search_hint,
                elsewhere=self._elsewhere(),
                back_words=self._back_words(),
                return_words=self._return_words(),
                forward_words="" if self._at_people else self._forward_words(),
                onward_words=self._forward_words() if self._at_people else "",
            )
        )

    def _screen(self, view: FlowsView) -> SearchedView:
        return self.flows if view is FlowsView.FLOWS else self._views[view]

    def _chip_words(self, view: FlowsView) -> str:
        count = self.gaps.count if view is FlowsView.GAPS else 0
        if view is FlowsView.WHAT_IS_NEW and self.what_is_new is not None:
            count = self.what_is_new.state.unseen
        name = view_name(view)
        return tr("{view} {count}", view=name, count=number(count)) if count else name

    def _elsewhere(self) -> tuple[FoundElsewhere, ...]:
        if not self._query.strip():
            return ()
        found = ((view, self._screen(view).found) for view in self.shown_views)
        return tuple(
            FoundElsewhere(
                view, tr("{count} in “{view}”", count=number(count), view=view_name(view))
            )
            for view, count in found
            if count and view is not self._view
        )

    def _is_there(self, visit: Visit) -> bool:
        """Whether a name that was followed still stands in its flow's place."""
        return visit.name is None or self.flows.name_of(visit.name.flow_id) is not None

    def _back_words(self) -> str:
        last = self._visits.last
        if last is None or self._at_people:
            return ""
        return tr("Back to {view}", view=_seen_there(last))

    def _forward_words(self) -> str:
        following = self._visits.next
        return tr("On to {view}", view=_seen_there(following)) if following is not None else ""

    def _return_words(self) -> str:
        last = self._visits.last
        if last is None or not self._at_people or last.view is None:
            return ""
        flow = self.flows.name_of(last.place.flow_id) if last.place is not None else None
        if flow is not None:
            return tr("Back to {flow}", flow=flow)
        return tr("Back to {view}", view=view_name(FlowsView(last.view)))


def _seen_there(visit: Visit) -> str:
    return tr("People") if visit.view is None else view_name(FlowsView(visit.view))


def view_name(view: FlowsView) -> str:
    """What a view is called."""
    names = {
        FlowsView.FLOWS: tr("Flows"),
        FlowsView.BY_PERSON: tr("By person"),
        FlowsView.GAPS: tr("Gaps"),
        FlowsView.WHAT_IS_NEW: tr("What is new"),
    }
    return names[view]
