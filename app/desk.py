"""One account's rooms and screens: built when somebody signs in to it, closed when they leave."""

from collections.abc import Callable, Sequence

import msgspec

from app.accounts.account import Account, WayIn
from app.accounts.session import LineChanged, Session, SessionChanged, SessionState
from app.api.service import Service
from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.outbox import NewPerson, OutboxEntry
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.email import check_email
from app.people.entry import NameOrder, read_entry
from app.people.kept_beside import KeptBeside
from app.people.outbox import Outbox
from app.people.outbox_events import EntryChanged, EntryRemoved, PersonAdded
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.settings.places import PlacesBook
from app.settings.settings import SettingsBook, SettingsChanged
from app.store.cache import Cache
from app.store.ordering import SortKey
from app.viewmodels.desk import DeskScreens
from app.viewmodels.flows import FlowsScreen
from app.viewmodels.people import PeopleScreen
from app.viewmodels.person import PersonPane
from app.viewmodels.quick_add import QuickAdd
from app.viewmodels.session import SessionScreen
from app.viewmodels.status import StatusLine


class Desk:
    """The lists, the outbox and the screens of one account; its events stay inside it."""

    def __init__(
        self,
        account: Account,
        session: Session,
        session_screen: SessionScreen,
        session_events: EventBus,
        *,
        settings: SettingsBook,
        places: PlacesBook,
        report: Callable[[BaseException], None],
    ) -> None:
        """`session` is signed in to `account`, or was; `report` takes what nobody expected."""
        self.account = account
        self._settings = settings
        self._places = places
        self._session = session
        self._scope = scope = TaskScope(f"desk {account.id}", report, ExpectedError)
        events = EventBus(report)
        self._cache = Cache.open(None)
        self._directory = PeopleDirectory(self._cache, events)
        self._catalogue = FlowCatalogue(self._cache, events)
        self._outbox = Outbox(events, scope, self._service, hold_seconds=self._hold_seconds)
        self._beside = KeptBeside(events, scope)
        self._report = session_screen.report
        self._read_people, self._read_flows = (
            Action(
                scope,
                read,
                second="drop",
                on_error=session_screen.report,
                on_change=self._reading_changed,
            )
            for read in (self._refresh_people, self._refresh_flows)
        )
        self._in_touch = lambda: not session_screen.needs_attention
        self.screens = self._build_screens(events, scope)
        self._leave: Callable[[], None] | None = None
        events.subscribe(PersonAdded, self._person_added, scope)
        events.subscribe(EntryChanged, self._entry_changed, scope)
        events.subscribe(EntryRemoved, self._entry_changed, scope)
        session_events.subscribe(SettingsChanged, self._settings_changed, scope)
        session_events.subscribe(SessionChanged, self._session_changed, scope)
        session_events.subscribe(LineChanged, self._line_changed, scope)

    async def open(self) -> None:
        """Read what is kept on this computer, then ask the service."""
        await self._directory.open()
        # As the names are shown: first name first, unless somebody chose another order here.
        await self._directory.sort(SortKey.FIRST_NAME)
        self._return_to_places()
        await self._catalogue.open()
        self.refresh()

    def refresh(self) -> None:
        """Read both lists again, unless that is under way."""
        self._read_people()
        self._read_flows()

    def _reading(self) -> bool:
        return self._read_people.running or self._read_flows.running

    def _reading_changed(self) -> None:
        self.screens.status.look_again()
        self.screens.people.being_read(self._read_people.running)
        self.screens.flows.reading_changed()

    def unsent(self) -> Sequence[OutboxEntry]:
        """The entries that would be lost if the desk were closed now."""
        return self._outbox.unsent()

    @property
    def leaving(self) -> bool:
        """Whether the window closes once everything is sent."""
        return self._leave is not None

    def leave_when_sent(self, leave: Callable[[], None]) -> None:
        """Send what is held without waiting any longer, and call `leave` when nothing is left."""
        self._leave = leave
        self._outbox.send_now()

    def stay(self) -> None:
        """The window is not to close after all."""
        self._leave = None

    @property
    def half_typed(self) -> bool:
        """Whether the line for adding a person is not empty."""
        return self.screens.quick_add.holds_words

    @property
    def undecided(self) -> int:
        """How many of the unsent go no further before somebody decides."""
        return self._outbox.needs_person_count

    def _entry_changed(self, event: EntryChanged | EntryRemoved) -> None:
        if isinstance(event, EntryChanged):
            self.screens.quick_add.follow(event.entry)
        if self._leave is not None and not self._outbox.unsent():
            self._leave()

    async def close(self) -> None:
        """Remember where somebody is, end the work and close the local copy."""
        self._remember_places()
        self.screens.quick_add.put_back()
        await self._outbox.close()
        await self._scope.close()
        await self._cache.close()

    def _build_screens(self, events: EventBus, scope: TaskScope) -> DeskScreens:
        people = PeopleScreen(self._directory, self._outbox, events, scope, self.refresh)
        quick_add = QuickAdd(self._outbox, self._read_entry, _remark_on)
        flows = FlowsScreen(
            self._catalogue,
            self._directory,
            events,
            scope,
            refresh=self.refresh,
            reading=lambda: self._read_flows.running,
            on_error=self._report,
        )
        person = PersonPane(people, flows.administered_by, quick_add.undo, self._beside.of)
        flows.administrators_changed.connect(person.changed)
        return DeskScreens(
            people=people,
            person=person,
            quick_add=quick_add,
            flows=flows,
            status=StatusLine(
                people,
                self._directory,
                self._outbox,
                events,
                scope,
                reading=self._reading,
                in_touch=self._in_touch,
            ),
        )

    def _return_to_places(self) -> None:
        places = self._places.of(self.account.id)
        self.screens.people.restore(places)
        if places.chosen_flow is not None:
            self.screens.flows.choose(places.chosen_flow)

    def _remember_places(self) -> None:
        if self.account.way_in is WayIn.DEMO:
            return
        before = self._places.of(self.account.id)
        kept = self.screens.people.places() | {"chosen_flow": self.screens.flows.chosen}
        self._places.keep(self.account.id, msgspec.structs.replace(before, **kept))

    def _settings_changed(self, _event: SettingsChanged) -> None:
        self.screens.quick_add.reread()

    def _hold_seconds(self) -> float:
        return float(self._settings.settings.hold_seconds)

    def _read_entry(self, text: str) -> NewPerson:
        return read_entry(text, NameOrder[self._settings.settings.name_order.name])

    def _service(self) -> Service | None:
        return self._session.service

    async def _refresh_people(self) -> None:
        service = self._session.service
        if service is not None:
            try:
                await self._directory.refresh(service)
            finally:
                self.screens.people.stop_progress()

    async def _refresh_flows(self) -> None:
        service = self._session.service
        if service is not None:
            await self._catalogue.refresh(service)

    def _person_added(self, event: PersonAdded) -> None:
        self._scope.spawn(self._put_in(event.person))

    async def _put_in(self, person: Person) -> None:
        await self._directory.took(person)

    def _session_changed(self, event: SessionChanged) -> None:
        self.screens.status.look_again()
        if event.state is SessionState.SIGNED_IN:
            self._go_on()

    def _line_changed(self, event: LineChanged) -> None:
        self.screens.status.look_again()
        if event.online:
            self._go_on()

    def _go_on(self) -> None:
        self.refresh()
        self._outbox.resume()


def _remark_on(email: str) -> str:
    remark = check_email(email) if email else None
    return remark.sentence if remark else ""
