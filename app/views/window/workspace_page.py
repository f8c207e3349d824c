"""The two tabs of one account; following a link leads from one to the other and back."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.runtime.words import tr, trn
from app.viewmodels.exporting.print_requests import (
    PrintAllFlows,
    PrintPeople,
    PrintRequest,
    print_first_of,
)
from app.viewmodels.exporting.saving import SavedAs
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows_tab import FlowsTabState, FlowsView
from app.viewmodels.flows.navigation import Visit
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.people.people_state import PeopleState
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.mail_program import open_mail
from app.views.exporting.save_dialog import (
    ask_for_file,
    card_kinds,
    table_kinds,
)
from app.views.importing.list_sources import copied_list
from app.views.people.people_tab import PeopleTab
from app.views.widgets.buttons import button
from app.views.widgets.labels import announce, set_tip
from app.views.widgets.layouts import FocusInset
from app.views.widgets.menus import RowMenu
from app.views.window.escape_first import EscapeFirst

if TYPE_CHECKING:
    from app.views.flows.flows_tab import FlowsTab

PEOPLE, FLOWS = 0, 1
_REST_MS = 1_000
"""After which somebody has seen the people, and the other tab is got ready."""
_READ_MS = 800
"""Without another key for so long, what was found is read out."""
_READING_MODULES = tuple(
    f"app.people.parsing.{name}" for name in ("east_asian", "tokenizer", "entry_parser")
)
"""What reads a line that somebody types."""
_FLOWS_MODULES = tuple(
    f"app.views.flows.{name}"
    for name in (
        "row_list_view",
        "by_person_lists",
        "by_person_page",
        "flow_menus",
        "step_body",
        "step_strip",
        "flow_sheet",
        "flows_page",
        "gaps_page",
        "people_added_chart",
        "what_is_new_page",
    )
)
"""What the tab of flows loads, in the order in which each needs those before it."""


class WorkspacePage(GuardedOverrides, QStackedWidget):
    """People and Flows; which one is shown is chosen in the header."""

    people_wanted = Signal()
    flows_wanted = Signal()
    list_given = Signal(object)
    """Carries a `ListSource` that was pasted."""
    print_wanted = Signal(object)
    """Carries a `PrintRequest`: somebody pressed *Print* beside what is to be printed."""
    history_wanted = Signal()
    """Somebody goes back to the row of the history that led to whom they see."""
    searched_elsewhere = Signal()
    """The search was changed, but not by typing into it."""

    def __init__(self, screens: WorkspaceScreens, *, whole: bool = True) -> None:
        """Bind both tabs to `screens`; where it is not `whole` yet, whoever asks for it builds it
        before it is shown.
        """
        super().__init__()
        self.screens = screens
        self.people = PeopleTab(screens)
        self._flows: FlowsTab | None = None
        self._steps = self._to_get_ready()
        self._left: QWidget | None = None
        self._had_keyboard: dict[QWidget, QWidget] = {}
        """By tab: what had it when the other one was shown."""
        self._left_history = False
        """Whether a row of the history led to whom is seen among the people."""
        if whole:
            for _ in self.build():
                pass

    def build(self) -> Iterator[None]:
        """Put it together, a part at each step: all at once would be felt under the hands."""
        screens = self.screens
        self._back = button("", self.go_back, "link", icon="back")
        set_tip(self._back, tr("Alt+Left, and Alt+Right to go there again"))
        self._forward = button("", self.go_forward, "link", icon="arrow")
        set_tip(self._forward, tr("Alt+Right, to where you were before you went back"))
        self.addWidget(self._with_way_back(self.people))
        self._flows_placeholder = QWidget()
        self.addWidget(self._flows_placeholder)
        yield from self.people.build()
        yield
        escape = EscapeFirst(self, self._is_list_read, screens.lists.stop_reading)
        screens.lists.begun_changed.connect(escape.follow)
        self.people.list.paste_wanted.connect(self._paste)
        screens.quick_add.list_pasted.connect(self._take_pasted)
        self.people.flow_wanted.connect(self._show_flow)
        self.people.load_wanted.connect(self._show_load)
        self.people.save_wanted.connect(partial(self._save_people, chosen=True))
        screens.people.writing.copied.connect(put_on_clipboard)
        screens.printing.copied.connect(put_on_clipboard)
        self.currentChanged.connect(self._came_by_hand)
        self.people.quick_add.return_wanted.connect(self._return_from_adding)
        self.people.person_opened.connect(self.searched_elsewhere)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._get_ready)
        self._rest.start()
        self._found = QTimer(self, singleShot=True, interval=_READ_MS)
        self._found.timeout.connect(self._tell_found)
        screens.flows_tab.state_changed.connect(self._show_way_back)
        self._show_way_back(screens.flows_tab.state)
        yield

    @property
    def flows(self) -> "FlowsTab":
        """The tab of flows, built when somebody first goes there or nothing else is to be done."""
        flows = self._made_flows()
        if self.indexOf(flows) < 0:
            self.removeWidget(self._flows_placeholder)
            self._flows_placeholder.deleteLater()
            self.addWidget(flows)
        return flows

    def _made_flows(self) -> "FlowsTab":
        """The same, which may have no place yet."""
        if self._flows is None:
            from app.views.flows.flows_tab import FlowsTab  # noqa: PLC0415 - not to start with

            # Its place from the start: see `PeopleTab.build`.
            self._flows = flows = FlowsTab(self.screens.flows_tab, self)
            flows.write_wanted.connect(self._write_to)
            flows.people_wanted.connect(self._return_to_people)
            flows.forward_wanted.connect(self.go_forward)
            flows.picture_wanted.connect(self.copy_picture)
            flows.person_wanted.connect(self.show_person)
            flows.print_wanted.connect(self.print_wanted)
        return self._flows

    def _is_list_read(self) -> bool:
        return bool(self.screens.lists.reading_words)

    def _get_ready(self) -> None:
        """A step in each turn: all at once would be felt under the hands."""
        if next(self._steps, None) is not None:
            self._rest.start(0)

    def _to_get_ready(self) -> Iterator[object]:
        for name in (*_READING_MODULES, *_FLOWS_MODULES):
            yield import_module(name)
        # Asked what kind of widget one of Qt's own is, PySide builds a class for every kind.
        yield self.people.list.horizontalHeader().viewport()
        yield self._made_flows()
        yield self.flows

    def setCurrentIndex(self, index: int) -> None:
        """Show that tab."""
        if index != PEOPLE:
            self.forget_history()
        if index == FLOWS:
            _ = self.flows
        here, tab = QApplication.focusWidget(), self.currentWidget()
        leaves = index != self.currentIndex()
        if leaves and here is not None and tab is not None and tab.isAncestorOf(here):
            # Qt would lead it on as Tab does, over what stands in the header, all of it read out.
            self._had_keyboard[tab] = here
            here.clearFocus()
            super().setCurrentIndex(index)
            self.focus_again()
            shown = self.currentWidget()
            if QApplication.focusWidget() is None and shown is not None:
                # What it goes to is not seen yet, and gets it once it is; the keys of the tab work
                # meanwhile.
                shown.setFocus(Qt.FocusReason.OtherFocusReason)
                self.focus_again()
        else:
            super().setCurrentIndex(index)

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return self._state.search_hint

    def search(self, text: str) -> None:
        """Search in the tab that is shown."""
        self._found.start()
        if self.currentIndex() == PEOPLE:
            self.screens.people.search(text)
        else:
            self.screens.flows_tab.search(text)

    def print_request(self) -> PrintRequest:
        """What the view in hand shows: of the list of people, what the chosen ones administer."""
        if self.currentIndex() == FLOWS:
            return self.flows.print_request()
        people = self.screens.people
        busy = people.chosen_among(self.screens.flows.known.administrators.everybody())
        if busy:
            return print_first_of(busy)
        chosen = people.chosen_ids(1)
        return PrintPeople(chosen) if chosen else PrintAllFlows()

    @property
    def flow_in_sight(self) -> str | None:
        """The id of the flow that is shown, if one is."""
        return self.flows.flow_in_sight() if self.currentIndex() == FLOWS else None

    def copy_picture(self, flow_id: object) -> None:
        """Copy a flow as a picture."""
        from app.views.exporting.typesetter import PageTypesetter  # noqa: PLC0415 - no start needs it

        self.screens.printing.copy_picture_of(str(flow_id), PageTypesetter())

    def go_to_found(self) -> None:
        """Somebody means what was found: where the view shown has nothing of it, in another."""
        if self.currentIndex() == FLOWS:
            self.screens.flows_tab.go_to_found()

    def _tell_found(self) -> None:
        """Whoever does not see the list hears what is in it, once they have typed."""
        words = self._state.found_words
        # In the small window nobody has it in front of them.
        if words and self.isVisible():
            announce(self, words)

    def search_text(self) -> str:
        """What the shown tab is searched for."""
        return self._state.query

    @property
    def _state(self) -> PeopleState | FlowsTabState:
        """That of the tab that is shown."""
        people = self.currentIndex() == PEOPLE
        return self.screens.people.state if people else self.screens.flows_tab.state

    @property
    def can_go_back(self) -> bool:
        """Whether `go_back` leads anywhere."""
        on_page = self.currentIndex() == FLOWS and self.screens.flows_tab.last_visit is not None
        typed = self.currentIndex() == PEOPLE and self.people.can_go_back_to_typing
        return bool(self._back.text()) or on_page or typed

    @property
    def can_go_forward(self) -> bool:
        """Whether `go_forward` leads anywhere."""
        state = self.screens.flows_tab.state
        people = self.currentIndex() == PEOPLE
        return bool(state.onward_words if people else state.forward_words)

    def row_menu(self) -> RowMenu | None:
        """What can be done with what is chosen in the tab that is shown."""
        people = self.currentIndex() == PEOPLE
        return self.people.row_menu() if people else self.flows.row_menu()

    def open_place(self, place: FlowPlace) -> None:
        """Somebody looked for this flow, or this step, by name: there is a way back."""
        if self.currentIndex() == PEOPLE:
            self._show_flow(place)
        else:
            self.screens.flows_tab.open(place)
            self.flows.focus_list()

    def open_person(self, person_id: str, *, from_line: bool) -> None:
        """Somebody looked for this person by name: there is a way back, `from_line` to the line for
        adding.
        """
        if self.currentIndex() == FLOWS:
            self.screens.flows_tab.leave_for_person()
        self.show_person(person_id)
        self.people.came_to_person(from_line=from_line)

    def focus_list(self) -> None:
        """Put the keyboard on the list of the tab that is shown."""
        if self.currentIndex() == PEOPLE:
            self.people.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.flows.focus_list()

    def focus_again(self) -> None:
        """Put the keyboard where it was last in the tab that is shown, or on its list."""
        tab = self.currentWidget()
        last = tab.focusWidget() if tab is not None else None
        if last is None and tab is not None:
            had = self._had_keyboard.get(tab)
            last = had if had is not None and shiboken6.isValid(had) else None
        # Qt gives it to the first control of a tab that is shown for the first time.
        flows = self._flows
        on_chips = last is not None and flows is not None and flows.chips.isAncestorOf(last)
        usable = last is not None and last.isVisible() and last.isEnabled()
        if last is not None and last is not tab and usable and not on_chips:
            last.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_list()

    def close_detail(self) -> bool:
        """Let the list be seen that the detail lies above, with the keyboard; False where none is
        covered.
        """
        return self.currentIndex() == PEOPLE and self.people.close_detail()

    def show_entry(self) -> None:
        """The row of an entry was chosen from elsewhere: go there."""
        self.people_wanted.emit()
        self.searched_elsewhere.emit()
        self.focus_list()
        self.people.show_detail()

    def leave_history(self) -> None:
        """A row of the history led to whom is seen now: there is a way back to it."""
        self._left_history = True
        self._show_way_back(self.screens.flows_tab.state)

    def forget_history(self) -> None:
        """Somebody has gone elsewhere since."""
        self._left_history = False
        self._show_way_back(self.screens.flows_tab.state)

    def go_back(self) -> None:
        """Return to the row of the history, to where somebody was typed, or to the name that was
        followed, if one was.
        """
        if self._left_history:
            self.forget_history()
            self.history_wanted.emit()
            return
        if self.currentIndex() == PEOPLE and self.people.back_to_typing():
            return
        if self.currentIndex() == PEOPLE and self.screens.flows_tab.state.return_words:
            self.screens.flows_tab.return_from_person(self._visit_of_person())
            self.flows_wanted.emit()
            self.flows.focus_place()
        elif self.currentIndex() == FLOWS:
            self.flows.go_back()

    def go_forward(self) -> None:
        """Go where somebody was before they went back."""
        among_people = self.currentIndex() == PEOPLE
        here = self._visit_among_people()
        visit = self.screens.flows_tab.go_forward(among_people=among_people, here=here)
        if visit is None:
            return
        if visit.view is None:
            # To whoever was followed there, and not to where the people were left before.
            self._left = None
            self._return_to_people(visit)
        else:
            if among_people:
                self._leave_people()
                self.flows_wanted.emit()
            self.flows.focus_place()

    def save_table(self) -> None:
        """Ask for a place for a spreadsheet of what the tab shows: people, flows, or what the view
        of the flows lists.
        """
        saving = self.screens.saving
        if self.currentIndex() == PEOPLE:
            self._save_people(SavedAs.TABLE)
        elif self.screens.flows_tab.state.view is not FlowsView.FLOWS:
            if (table := self.screens.flows_tab.table()) is not None:
                name = tr("{what} {date}", what=table.name, date=_today())
                save = partial(saving.save_listed, table=table)
                ask_for_file(self, table.title, name, table_kinds(), save)
            else:
                saving.tell_nothing()
        elif many := saving.flow_count:
            title = trn("Save {n} flow", "Save {n} flows", many)
            name = tr("Flows {date}", date=_today())
            ask_for_file(self, title, name, table_kinds(), saving.save_flows)
        else:
            saving.tell_nothing()

    def save_cards(self) -> None:
        """Ask for a place for contact cards of those who are chosen, or of all that are shown."""
        self._save_people(SavedAs.CARDS)

    def _save_people(self, saved_as: SavedAs, *, chosen: bool = False) -> None:
        saving = self.screens.saving
        many = len(self.screens.people.selection.seen) if chosen else saving.people_count
        if not many:
            saving.tell_nothing()
            return
        title = trn("Save {n} person", "Save {n} people", many)
        kinds = table_kinds() if saved_as is SavedAs.TABLE else card_kinds()
        save = partial(saving.save_people, saved_as=saved_as, chosen=chosen)
        ask_for_file(self, title, tr("People {date}", date=_today()), kinds, save)

    def _write_to(self, person_ids: object) -> None:
        """Those who run something, by their ids; or one who is meant alone, by theirs."""
        writing = self.screens.people.writing
        if isinstance(person_ids, str):
            writing.write_to((person_ids,), open_mail, alone=True)
        elif isinstance(person_ids, Collection):
            writing.write_to(person_ids, open_mail)

    def _take_pasted(self, text: str) -> None:
        """A list that was pasted into the line, which has no room for all of a long one."""
        copied = copied_list()
        whole = isinstance(copied, CopiedList) and _packed(copied.text).startswith(_packed(text))
        self.list_given.emit(copied if whole else CopiedList(text))

    def _paste(self) -> None:
        source = copied_list()
        if source is not None:
            self.list_given.emit(source)

    def _with_way_back(self, tab: QWidget) -> QWidget:
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        line = QHBoxLayout()
        line.setContentsMargins(20, 0, 20, 0)
        line.addLayout(FocusInset(self._back, air=False))
        line.addLayout(FocusInset(self._forward))
        rows.addLayout(line)
        rows.addWidget(tab, 1)
        return page

    def _show_way_back(self, state: FlowsTabState) -> None:
        words = tr("Back to History") if self._left_history else state.return_words
        self._back.setText(words)
        self._back.setVisible(bool(words))
        self._forward.setText(state.onward_words)
        self._forward.setVisible(bool(state.onward_words))

    def _show_flow(self, target: object) -> None:
        # A person's pane sends the flow, and the step where it knows one.
        flow_id = getattr(target, "flow_id", target)
        step_id = getattr(target, "step_id", None)
        self._leave_people()
        place = FlowPlace(str(flow_id), step_id)
        here = self._visit_among_people()
        self.screens.flows_tab.open(place, here)
        self.flows_wanted.emit()
        self.flows.focus_list()

    def _show_load(self, person_id: object) -> None:
        self._leave_people()
        self.screens.flows_tab.open_person(str(person_id), self._visit_among_people())
        self.flows_wanted.emit()
        self.flows.focus_list()

    def _leave_people(self) -> None:
        """Whoever comes back finds the keyboard where it is now."""
        self._left = QApplication.focusWidget()

    def _visit_among_people(self) -> Visit:
        people = self.screens.people
        chosen = next(iter(people.chosen_ids(1)), None)
        return Visit(None, person_id=chosen, query=people.state.query)

    def _visit_of_person(self) -> Visit:
        """The same for who was led to somebody: a filter may hide them by now."""
        person_id = self.screens.people.first_chosen_id()
        return Visit(None, person_id=person_id, query=self.screens.people.state.query)

    def _return_to_people(self, visit: object) -> None:
        self.people_wanted.emit()
        people, left = self.screens.people, self._left
        if isinstance(visit, Visit) and visit != self._visit_among_people():
            people.search(visit.query)
            if visit.person_id is not None:
                people.choose_person(visit.person_id)
            self.searched_elsewhere.emit()
        if left is not None and shiboken6.isValid(left) and left.isVisible():
            left.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.people.list.setFocus()

    def _came_by_hand(self, shown: int) -> None:
        """Who was led there has said so before."""
        self.screens.flows_tab.came_by_hand(among_people=shown == PEOPLE)

    def _return_from_adding(self, came_from: object) -> None:
        flows = self._flows
        if isinstance(came_from, QWidget) and flows is not None and flows.isAncestorOf(came_from):
            self.flows_wanted.emit()
            came_from.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.people.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_person(self, person_id: object) -> None:
        """Choose them in the list and lead to their details; nobody where they are not in it."""
        if self.screens.people.choose_person(str(person_id)):
            self.people_wanted.emit()
            self.searched_elsewhere.emit()
            self.people.list.setFocus()
            self.people.show_detail()
        else:
            # Nobody was shown, so there is nothing to come back from.
            self.screens.flows_tab.forget_return_point()


def _today() -> str:
    return datetime.now(UTC).astimezone().strftime("%Y-%m-%d")


def _packed(text: str) -> str:
    """Without the blanks and line ends, of which an edit has others than the clipboard."""
    return "".join(text.split())
