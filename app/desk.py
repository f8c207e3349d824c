"""One account's rooms and screens: built when somebody signs in to it, closed when they leave."""

from collections.abc import Callable, Sequence

from app.accounts.account import Account
from app.accounts.session import LineChanged, Session, SessionChanged, SessionState
from app.api.service import Service
from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.email import check_email
from app.people.entry import read_entry
from app.people.outbox import Outbox
from app.people.outbox_events import EntryChanged, EntryRemoved, PersonAdded
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.store.cache import Cache
from app.store.ordering import SortKey
from app.viewmodels.desk import DeskScreens
from app.viewmodels.flows import FlowsScreen
from app.viewmodels.people import PeopleScreen
from app.viewmodels.person import PersonPane
from app.viewmodels.quick_add import QuickAdd
from app.viewmodels.session import SessionScreen
from app.viewmodels.status import StatusLine

HOLD_SECONDS = 5.0
"""How long a new entry is held, so that it can be undone: there is no delete in the contract."""


class Desk:
    """The lists, the outbox and the screens of one account; its events stay inside it."""

    def __init__(
        self,
        account: Account,
        session: Session,
        session_screen: SessionScreen,
        session_events: EventBus,
        report: Callable[[BaseException], None],
    ) -> None:
        """`session` is signed in to `account`, or was; `report` takes what nobody expected."""
        self.account = account
        self._session = session
        self._scope = scope = TaskScope(f"desk {account.id}", report, ExpectedError)
        events = EventBus(report)
        self._cache = Cache.open(None)
        self._directory = PeopleDirectory(self._cache, events)
        self._catalogue = FlowCatalogue(self._cache, events)
        self._outbox = Outbox(events, scope, self._service, hold_seconds=_hold_seconds)
        self._read_people = Action(
            scope, self._refresh_people, second="drop", on_error=session_screen.report
        )
        self._read_flows = Action(
            scope, self._refresh_flows, second="drop", on_error=session_screen.report
        )
        self.screens = self._build_screens(events, scope)
        self._leave: Callable[[], None] | None = None
        events.subscribe(PersonAdded, self._person_added, scope)
        events.subscribe(EntryChanged, self._entry_changed, scope)
        events.subscribe(EntryRemoved, self._entry_changed, scope)
        session_events.subscribe(SessionChanged, self._session_changed, scope)
        session_events.subscribe(LineChanged, self._line_changed, scope)

    async def open(self) -> None:
        """Read what is kept on this computer, then ask the service."""
        await self._directory.open()
        # As the names are shown: first name first.
        await self._directory.sort(SortKey.FIRST_NAME)
        await self._catalogue.open()
        self.refresh()

    def refresh(self) -> None:
        """Read both lists again, unless that is under way."""
        self._read_people()
        self._read_flows()

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

    def _entry_changed(self, _event: EntryChanged | EntryRemoved) -> None:
        if self._leave is not None and not self._outbox.unsent():
            self._leave()

    async def close(self) -> None:
        """End the work and close the local copy."""
        await self._outbox.close()
        await self._scope.close()
        await self._cache.close()

    def _build_screens(self, events: EventBus, scope: TaskScope) -> DeskScreens:
        people = PeopleScreen(self._directory, self._outbox, events, scope, self.refresh)
        quick_add = QuickAdd(self._outbox, read_entry, _remark_on)
        flows = FlowsScreen(self._catalogue, self._directory, events, scope)
        person = PersonPane(people, flows.administered_by, quick_add.undo)
        flows.administrators_changed.connect(person.changed)
        return DeskScreens(
            people=people,
            person=person,
            quick_add=quick_add,
            flows=flows,
            status=StatusLine(people, self._directory, self._outbox, events, scope),
        )

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
        if event.state is SessionState.SIGNED_IN:
            self._go_on()

    def _line_changed(self, event: LineChanged) -> None:
        if event.online:
            self._go_on()

    def _go_on(self) -> None:
        self.refresh()
        self._outbox.resume()


def _hold_seconds() -> float:
    return HOLD_SECONDS


def _remark_on(email: str) -> str:
    remark = check_email(email) if email else None
    return remark.sentence if remark else ""
