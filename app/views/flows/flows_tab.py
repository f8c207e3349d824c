"""The Flows tab, built when first gone to: chips for the ways to read the flows, and the one that
is chosen below.
"""

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.exporting.spreadsheet import spreadsheet_cell
from app.runtime.words import tr
from app.viewmodels.exporting.print_requests import PrintAllFlows, PrintRequest
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsTabState, FlowsView
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.flows.by_person_page import ByPersonPage
from app.views.flows.flow_menus import FlowMenus
from app.views.flows.flows_page import FlowsPage
from app.views.flows.flows_tab_page import FlowsTabPage
from app.views.flows.gaps_page import GapsPage
from app.views.flows.what_is_new_page import WhatIsNewPage
from app.views.widgets.buttons import bind_keys, button, label
from app.views.widgets.chips import Chips
from app.views.widgets.labels import set_tip
from app.views.widgets.layouts import FocusInset
from app.views.widgets.menus import ListMenuRequests, RowMenu


class FlowsTab(GuardedOverrides, QWidget):
    """Bound to a `FlowsTabScreen`. A page is made when it is first shown."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""
    people_wanted = Signal(object)
    """Somebody goes back, or forward, to the people: carries the `Visit` there."""
    print_wanted = Signal(object)
    """Carries a `PrintRequest`."""
    write_wanted = Signal(object)
    """Carries the ids of people who are to be written to."""
    picture_wanted = Signal(object)
    """Carries the id of a flow that is to be copied as a picture."""

    forward_wanted = Signal()
    """Somebody wants to be where they were before they went back."""

    def __init__(self, screen: FlowsTabScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.chips = Chips(tr("How the flows are read"))
        self.chips.chosen.connect(self._choose)
        # All of them now, or Tab would lead to them after the views.
        self.chips.show_choices(screen.state.chips, screen.state.chip_on)
        self._back = button("", self.go_back, "link", icon="back")
        set_tip(self._back, tr("Alt+Left, and Alt+Right to go there again"))
        self._forward = button("", self.forward_wanted.emit, "link", icon="arrow")
        set_tip(self._forward, tr("Alt+Right, to where you were before you went back"))
        self._also = label(tr("Also found:"), "small")
        self._links: dict[FlowsView, QPushButton] = {}
        self._makers = {
            FlowsView.BY_PERSON: self._make_by_person,
            FlowsView.GAPS: self._make_gaps,
            FlowsView.WHAT_IS_NEW: self._make_what_is_new,
        }
        self._pages: dict[FlowsView, FlowsTabPage] = {}
        self._stack = QStackedWidget()
        self._rows = QVBoxLayout(self)
        self._menus = FlowMenus(screen.flows, self)
        self._menus.person_wanted.connect(self._follow)
        self._menus.write_wanted.connect(self.write_wanted)
        self._menus.picture_wanted.connect(self.picture_wanted)
        self._lay_out()
        self.flows = FlowsPage(screen.flows)
        self.flows.person_wanted.connect(self._follow)
        self.flows.print_wanted.connect(self.print_wanted)
        self.flows.write_wanted.connect(self.write_wanted)
        self.flows.picture_wanted.connect(self.picture_wanted)
        self._add(FlowsView.FLOWS, self.flows)
        for place, view in enumerate(screen.shown_views, 1):
            bind_keys(self, str(place), partial(self.show_view, view))
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right lead on to the next view where nothing inside has a use for them."""
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        ways = {Qt.Key.Key_Right: -1 if mirrored else 1, Qt.Key.Key_Left: 1 if mirrored else -1}
        way = ways.get(Qt.Key(event.key()))
        views = self._screen.shown_views
        if way is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        place = views.index(self._screen.state.view) + way
        self.show_view(views[max(0, min(place, len(views) - 1))])

    def show_view(self, view: FlowsView) -> None:
        """Read the flows this way, and put the keyboard there."""
        self._screen.show(view)
        self.focus_list()

    def _show_found(self, view: FlowsView) -> None:
        self._screen.show_found(view)
        self.focus_list()

    def page(self, view: FlowsView) -> FlowsTabPage:
        """The page of a view."""
        if view not in self._pages:
            self._add(view, self._makers[view]())
        return self._pages[view]

    def focus_list(self) -> None:
        """Put the keyboard on the rows of the view that is shown."""
        # Not by way of the page: what had the keyboard first is told to a screen reader last.
        page = self.page(self._screen.state.view)
        rows = page.rows_to_focus()
        # Where nothing is listed, the page has it; one of a single list hands it on once there is.
        (rows if rows.isVisible() else page).setFocus(Qt.FocusReason.OtherFocusReason)

    def print_request(self) -> PrintRequest:
        """What is printed of the view that is shown: where nothing stands in it, that and why."""
        shown = self.page(self._screen.state.view).print_request()
        return shown or self._screen.print_nothing() or PrintAllFlows()

    def flow_in_sight(self) -> str | None:
        """The id of the flow that is shown; None where another view is."""
        page = self.page(self._screen.state.view)
        request = page.print_request() if isinstance(page, FlowsPage) else None
        return request.flow_id if request is not None else None

    def row_menu(self) -> RowMenu | None:
        """What can be done with the flow, the person, the gap or the change that is chosen, or what
        of it has the keyboard.
        """
        view = self._screen.state.view
        page = self.page(view)
        if isinstance(page, FlowsPage):
            place, person_id = page.sheet.in_hand()
            return self._menus.row_menu(place, person_id) if place is not None else None
        if isinstance(page, ByPersonPage):
            post = self._screen.by_person.posts.key_at(page.posts.currentIndex().row())
            if page.posts.hasFocus() and post is not None:
                return self._menus.row_menu(post.place)
            person_id = self._screen.by_person.people.key_at(page.people.currentIndex().row())
            return self._menus.row_menu_of_person(person_id) if person_id is not None else None
        if isinstance(page, GapsPage):
            gap = self._screen.gaps.list.row_at(page.list.currentIndex().row())
            return self._menus.row_menu(gap.place) if gap is not None else None
        news = self._screen.what_is_new
        if isinstance(page, WhatIsNewPage) and news is not None:
            row = page.list.currentIndex().row()
            change = news.list.row_at(row)
            if change is not None:
                person = news.person(change.person_id)
                return self._menus.row_menu_of_change(change, person, news.people_at(row))
        return None

    def lead_to(self, place: object) -> None:
        """Show a flow, or a step of it, with a way back to the view that is left."""
        self._screen.lead_to(place)  # type: ignore[arg-type]  # pages send places only
        self.focus_list()

    def go_back(self) -> bool:
        """Go back to the view, or to the people, that somebody came from; False when there is
        nowhere to go back to.
        """
        if self._screen.go_back():
            self.focus_place()
            return True
        last = self._screen.last_visit
        if self._screen.return_to_people():
            self.people_wanted.emit(last)
            return True
        return False

    def focus_place(self) -> None:
        """Put the keyboard on the name that was followed from here, or else on the rows."""
        if self._screen.state.view is not FlowsView.FLOWS or not self.flows.return_to_place():
            self.focus_list()

    # How it is put together

    def _lay_out(self) -> None:
        rows = self._rows
        rows.setContentsMargins(20, 0, 20, 8)
        rows.setSpacing(6)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.chips, 1)
        line.addLayout(FocusInset(self._back, air=False))
        line.addLayout(FocusInset(self._forward, air=False))
        line.addWidget(self._also)
        for view in self._screen.shown_views:
            link = button("", partial(self._show_found, view), "link")
            self._links[view] = link
            line.addWidget(link)
        rows.addLayout(line)
        rows.addWidget(self._stack, 1)

    def _add(self, view: FlowsView, page: FlowsTabPage) -> None:
        stops = _stops(page)
        self._pages[view] = page
        self._stack.addWidget(page)
        # Tab goes in reading order, whenever a page was made.
        for one, following in pairwise([*self._links.values(), *stops]):
            QWidget.setTabOrder(one, following)

    def _make_by_person(self) -> FlowsTabPage:
        page = ByPersonPage(self._screen.by_person)
        page.place_wanted.connect(self.lead_to)
        page.person_wanted.connect(self._follow)
        page.print_wanted.connect(self.print_wanted)
        page.write_wanted.connect(self.write_wanted)
        of_people = ListMenuRequests(page.people)
        of_people.asked.connect(self._open_menu_of_person)
        of_people.copied.connect(self._copy_posts_of_person)
        of_posts = ListMenuRequests(page.posts)
        of_posts.asked.connect(self._open_menu_of_post)
        of_posts.copied.connect(self._copy_post)
        return page

    def _make_gaps(self) -> FlowsTabPage:
        page = GapsPage(self._screen.gaps)
        page.print_wanted.connect(self.print_wanted)
        page.place_wanted.connect(self.lead_to)
        page.write_wanted.connect(self.write_wanted)
        menu = ListMenuRequests(page.list)
        menu.asked.connect(self._open_menu_of_gap)
        menu.copied.connect(self._copy_place_of_gap)
        return page

    def _open_menu_of_person(self, row: int, at: QPoint) -> None:
        person_id = self._screen.by_person.people.key_at(row)
        if person_id is not None:
            self._menus.open_for_person(person_id, at)

    def _open_menu_of_post(self, row: int, at: QPoint) -> None:
        post = self._screen.by_person.posts.key_at(row)
        if post is not None:
            self._menus.open_for(post.place, None, at)

    def _copy_posts_of_person(self, _row: int, _at: QPoint) -> None:
        """All that the chosen one administers, as *Copy* does."""
        self._screen.by_person.copy()

    def _copy_post(self, row: int, at: QPoint) -> None:
        post = self._screen.by_person.posts.key_at(row)
        if post is not None:
            self._menus.copy(post.place, at)

    def _open_menu_of_gap(self, row: int, at: QPoint) -> None:
        gap = self._screen.gaps.list.row_at(row)
        if gap is not None:
            self._menus.open_for(gap.place, None, at)

    def _copy_place_of_gap(self, row: int, at: QPoint) -> None:
        gap = self._screen.gaps.list.row_at(row)
        if gap is not None:
            self._menus.copy(gap.place, at)

    def _make_what_is_new(self) -> FlowsTabPage:
        screen = self._screen.what_is_new
        if screen is None:
            raise LookupError(FlowsView.WHAT_IS_NEW)
        page = WhatIsNewPage(screen)
        page.print_wanted.connect(self.print_wanted)
        page.place_wanted.connect(self.lead_to)
        page.person_wanted.connect(self._follow)
        menu = ListMenuRequests(page.list)
        menu.asked.connect(self._open_menu_of_change)
        menu.copied.connect(self._copy_change)
        return page

    def _open_menu_of_change(self, row: int, at: QPoint) -> None:
        screen = self._screen.what_is_new
        change = screen.list.row_at(row) if screen is not None else None
        if screen is not None and change is not None:
            person = screen.person(change.person_id)
            self._menus.open_for_change(change, person, screen.people_at(row), at)

    def _copy_change(self, row: int, at: QPoint) -> None:
        screen = self._screen.what_is_new
        change = screen.list.row_at(row) if screen is not None else None
        if change is not None:
            self._menus.copy_words(spreadsheet_cell(change.words), at)

    # What is shown

    def _show(self, state: FlowsTabState) -> None:
        # Once for all that appear: each would have the view below laid out anew.
        self._rows.setEnabled(False)
        self._show_around(state)
        self._rows.setEnabled(True)
        self._rows.activate()
        self._stack.setCurrentWidget(self.page(state.view))

    def _show_around(self, state: FlowsTabState) -> None:
        self.chips.show_choices(state.chips, state.chip_on)
        self._back.setText(state.back_words)
        self._back.setVisible(bool(state.back_words))
        # What was found elsewhere needs the room; the arrow alone is understood beside it.
        self._forward.setText("" if state.elsewhere else state.forward_words)
        self._forward.setAccessibleName(state.forward_words)
        self._forward.setVisible(bool(state.forward_words))
        found = {one.view: one.words for one in state.elsewhere}
        self._also.setVisible(bool(found))
        for view, link in self._links.items():
            link.setText(found.get(view, ""))
            link.setVisible(view in found)

    def _choose(self, number: int) -> None:
        """The keyboard stays on the chips: the arrows lead on."""
        self._screen.show(self._screen.state.chips[number].view)

    def _follow(self, person_id: object) -> None:
        self._screen.leave_for_person()
        self.person_wanted.emit(person_id)


def _stops(page: QWidget) -> list[QWidget]:
    """What takes the keyboard in a page that stands nowhere yet, in its order."""
    stops: list[QWidget] = []
    each = page.nextInFocusChain()
    while each is not None and each is not page:
        if each.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            stops.append(each)
        each = each.nextInFocusChain()
    return stops
