"""The menus of the Flows tab: opened where somebody asks for one, and what they ask for done."""

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from app.model.person import Person
from app.runtime.words import tr
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.copying import words_of
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.menu import (
    FlowAction,
    menu_of_change,
    menu_of_name,
    menu_of_person,
    menu_of_place,
    with_gaps,
)
from app.viewmodels.flows.what_is_new.news_rows import NewsRow
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.menu_items import Groups, MenuItem
from app.views.exporting.clipboard import put_on_clipboard
from app.views.widgets.labels import announce, show_tip
from app.views.widgets.menus import RowMenu, menu_of_items


class FlowMenus(GuardedOverrides, QObject):
    """For the widgets of one page."""

    person_wanted = Signal(object)
    """Carries a person's id."""
    write_wanted = Signal(object)
    """Carries the ids of people to write to, or the id of one who is meant alone."""
    picture_wanted = Signal(object)
    """Carries the id of a flow that is to be copied as a picture."""

    def __init__(self, screen: FlowsScreen, page: QWidget) -> None:
        """`page` is what the menus belong to."""
        super().__init__(page)
        self._screen = screen
        self._page = page
        self._at = QPoint()

    def row_menu(self, place: FlowPlace, person_id: str | None = None) -> RowMenu:
        """The menu of a flow, a step or a name there; what is said of it stands in the middle of
        the page.
        """
        return self._menu_of(place, person_id), self._do_in_the_middle

    def row_menu_of_person(self, person_id: str) -> RowMenu | None:
        """The same of somebody who administers something."""
        person = self._screen.known.administrators.person(person_id)
        if person is None:
            return None
        return menu_of_person(person), self._do_in_the_middle

    def row_menu_of_change(
        self, row: NewsRow, person: Person | None, joined: tuple[str, ...]
    ) -> RowMenu | None:
        """The same of a line of what is new."""
        if row.heading:
            return None
        return menu_of_change(self._screen.known, row, person, joined), self._do_in_the_middle

    def open_for(self, place: FlowPlace, person_id: str | None, at: QPoint) -> None:
        """The menu of a flow, a step or a name there; `at` is a point of the screen."""
        self._pop_up(self._menu_of(place, person_id), at)

    def open_for_person(self, person_id: str, at: QPoint) -> None:
        """The menu of somebody who administers something."""
        person = self._screen.known.administrators.person(person_id)
        if person is not None:
            self._pop_up(menu_of_person(person), at)

    def open_for_change(
        self, row: NewsRow, person: Person | None, joined: tuple[str, ...], at: QPoint
    ) -> None:
        """The menu of a line of what is new; see `menu_of_change`."""
        if not row.heading:
            self._pop_up(menu_of_change(self._screen.known, row, person, joined), at)

    def copy(self, place: FlowPlace, at: QPoint) -> None:
        """Copy a flow or a step as words."""
        self.copy_words(words_of(self._screen.known, place), at)

    def copy_words(self, words: str, at: QPoint) -> None:
        """Copy these; `at` is where that is said."""
        self._at = at
        self._copy(words)

    def _menu_of(self, place: FlowPlace, person_id: str | None) -> Groups:
        known = self._screen.known
        if person_id is None:
            return menu_of_place(known, place)
        return menu_of_name(known, place, person_id)

    def _pop_up(self, groups: Groups, at: QPoint) -> None:
        if groups:
            self._at = at
            menu_of_items(groups, self._do, self._page).popup(at)

    def _do_in_the_middle(self, item: MenuItem) -> None:
        self._at = self._page.mapToGlobal(self._page.rect().center())
        self._do(item)

    def _do(self, item: MenuItem) -> None:
        match item.action, item.value:
            case FlowAction.COPY, str(text):
                self._copy(text)
            case FlowAction.COPY_ADDRESSES, tuple(addresses):
                self._copy(self._screen.separator.join(addresses))
            case FlowAction.SHOW_PERSON, person_id:
                self.person_wanted.emit(person_id)
            case FlowAction.PICTURE, flow_id:
                self.picture_wanted.emit(flow_id)
            case FlowAction.WRITE_ABOUT_GAPS, _:
                self.write_wanted.emit(with_gaps(self._screen.known))
            case FlowAction.WRITE, ids:
                self.write_wanted.emit(ids)
            case unknown:
                raise ValueError(unknown)

    def _copy(self, text: str) -> None:
        if text:
            put_on_clipboard(text)
            announce(self._page, tr("Copied"))
            show_tip(self._at, tr("Copied"), self._page)
