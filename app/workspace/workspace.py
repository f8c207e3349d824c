"""One account's rooms and screens: built when somebody signs in to it, closed when they leave.

Where its files are, and which account comes next, is left to `switcher`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from app.accounts.account import Account, AuthMethod
from app.accounts.session import ConnectionChanged, Session, SessionChanged, SessionState
from app.api.errors import Unreachable
from app.api.service import Service
from app.exporting.mail_list import COMMA, SEMICOLON
from app.flows.catalogue import FlowCatalogue
from app.importing.list_name import GIVEN
from app.model.errors import ExpectedError
from app.model.outbox import OutboxEntry
from app.outbox.account_matching import SAMPLE_SIZE
from app.outbox.duplicate_groups import DuplicateGroups, Two
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.events import EntriesChanged, PauseChanged, PauseReason
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReading, FirstReadingChanged, UncomparedPeople
from app.people.directory import PeopleDirectory
from app.people.events import PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.settings.column_choices import ColumnChoices
from app.settings.saved_states import SavedState, SavedStateStore
from app.settings.settings import SettingsChanged, SettingsStore
from app.store.errors import StoreError
from app.store.ordering import SortKey
from app.store.outbox.outbox import Rescue
from app.viewmodels.command_palette.named_in_account import NamedInAccount
from app.viewmodels.exporting.print_preview import PrintScreen
from app.viewmodels.exporting.saving import Saving
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_tab import FlowsTabScreen
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewScreen
from app.viewmodels.importing.list_import import CopiedList, ListImport, ListSource
from app.viewmodels.notices import Notice, NoticeAction, not_compared
from app.viewmodels.people.duplicate_groups import DuplicateGroupsScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.person_pane import PersonPane
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.screen import ActionFeedback
from app.viewmodels.small_window.recent_entries import RecentEntries
from app.viewmodels.window.notice_queue import FailureNotice
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.status_bar import StatusBarScreen
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.workspace.account_check import AccountCheck, KnownAccount
from app.workspace.local_files import LocalFiles, Unsent
from app.workspace.memory_after_reading import MemoryAfterReading
from app.workspace.startup_notices import DecisionNotice, StartupNotices

_log = logging.getLogger(__name__)


class Workspace:
    """The lists, the outbox and the screens of one account; its events stay inside it."""

    def __init__(
        self,
        account: Account,
        session: Session,
        session_screen: SessionScreen,
        session_events: EventBus,
        *,
        settings: SettingsStore,
        saved_states: SavedStateStore,
        columns: ColumnChoices,
        files: LocalFiles,
        report: Callable[[BaseException], None],
        told_apart: Sequence[Two] = (),
        saved_state: SavedState | None = None,
        holds: Mapping[str, float] | None = None,
        status: StatusBarScreen | None = None,
        in_other_words: bool = False,
    ) -> None:
        """`session` is signed in to `account`, or was; `report` takes what nobody expected.

        `files` is what this computer keeps of the account; it is closed with the workspace.
        `told_apart`: who was, while this account was shown in another workspace; `saved_state`:
        where somebody was in that, in place of what is kept of it; `holds`: those of its outbox.
        `status`: what its status bar told of.
        `in_other_words`: the account itself speaks another language than it did, which is no news.
        """
        self.account = account
        self._settings = settings
        self._saved_states = saved_states
        self._saved_state = saved_state
        self._is_restored = False
        self._in_other_words = in_other_words
        self._columns = columns
        self._session = session
        self._scope = scope = TaskScope(f"workspace {account.id}", report, ExpectedError)
        events = EventBus(report)
        self._screen = session_screen
        self.files = files
        """What this computer keeps of the account."""
        self._report = report
        self._directory = PeopleDirectory(files.cache, events)
        self._catalogue = FlowCatalogue(files.cache, events)
        self._outbox = Outbox(
            events,
            scope,
            session,
            store=files.store,
            people=DirectoryPeople(self._directory, events, scope, self._read_list_again),
            hold_seconds=settings.settings.hold_seconds,
            holds=holds,
        )
        self._shown_before = holds is not None
        self._account_check = AccountCheck(
            self._outbox,
            self._directory,
            session,
            session_screen,
            scope,
            go_on=self._go_on,
            on_change=self._reading_changed,
        )
        self._started = StartupNotices(files, self._outbox, session_screen, events, scope)
        self._needed = DecisionNotice(self._outbox, session_screen, events, scope)
        self.left = Unsent()
        self._reading_list: Notice | None = None
        self._list_failure = FailureNotice(
            session_screen.say_error_of_moment, session_screen.take_back
        )
        self._said_of_taking: Notice | None = None
        self._people_failure, self._flows_failure = failures = (
            FailureNotice(session_screen.report, session_screen.take_back),
            FailureNotice(session_screen.report, session_screen.take_back),
        )
        self._read_people, self._read_flows = (
            Action(
                scope,
                read,
                second="drop",
                on_error=failure.failed,
                on_change=self._reading_changed,
            )
            for read, failure in zip(
                (self._refresh_people, self._refresh_flows), failures, strict=True
            )
        )
        self._duplicates = DuplicateIndex(self._directory, self._outbox, events, scope)
        self._uncompared = UncomparedPeople(
            self._outbox, self._directory, self._duplicates, events, scope
        )
        self._uncompared_told: Notice | None = None
        self._duplicate_groups = DuplicateGroups(
            self._duplicates,
            self._directory,
            files.store,
            events,
            scope,
            keep=files.kept and settings.settings.keep_on_this_computer,
            told_apart=told_apart,
        )
        self._memory = MemoryAfterReading(files.cache, events, scope)
        self.screens = self._build_screens(events, scope, status)
        self._opening = True
        self._was = session.state
        self._lists_followed()
        self._leave: Callable[[], None] | None = None
        self._sends_nobody_more = False
        self._follow: Callable[[], None] = lambda: None
        self.screens.quick_add.state_changed.connect(self._typed_changed)
        self.screens.named.used.connect(self._keep_used)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(PauseChanged, self._entries_changed, scope)
        events.subscribe(PeopleRefreshed, self._people_refreshed, scope)
        events.subscribe(FirstReadingChanged, self._tell_of_uncompared, scope)
        session_events.subscribe(SettingsChanged, self._settings_changed, scope)
        session_events.subscribe(SessionChanged, self._session_changed, scope)
        session_events.subscribe(ConnectionChanged, self._connection_changed, scope)

    async def read_list(self) -> None:
        """Have the list as it is kept ready to be shown, in its order and at its place: whoever
        sees the page sees nothing on it move.
        """
        with self._said_where_it_fails():
            by, descending = self._saved_order()
            await self._directory.open(by, descending=descending)
            await self.screens.people.recently_added.read_history()
            self._screen.shows_lists_of(self._directory.as_of)
            self._restore_state()

    def take_up(self) -> None:
        """The page is shown: before anybody can have pressed a key."""
        self.screens.quick_add.take_up_draft(at_start=not self._shown_before)
        self._started.tell_of_files()

    async def open(self) -> None:
        """Read what else is kept on this computer, then ask the service; ends early where it is
        closed.

        Whoever stops waiting for it leaves it to `close`, which ends it before the files are let
        go.
        """
        await asyncio.wait({self._scope.spawn(self._read_kept(), on_error=self._screen.say_error)})

    async def _read_kept(self) -> None:
        with self._said_where_it_fails():
            await self.screens.lists.read_left()
        # What cannot be read here is read from the service, which comes next.
        with self._said_where_it_fails():
            await self._directory.read_keys()
        with self._said_where_it_fails():
            self._duplicates.take_up()
        self._uncompared.begin()
        with self._said_where_it_fails():
            # Before the list is read, which would tell of them.
            await self._directory.were_added_here(await self._outbox.store.added_people())
        with self._said_where_it_fails():
            await self._catalogue.open()
        self._opening = False
        if self._session.state is not SessionState.RETURNING:
            self._go_on()
        self._lists_followed()

    @contextlib.contextmanager
    def _said_where_it_fails(self) -> Iterator[None]:
        """Whatever it is: the rest has to be done, or somebody would be sent uncompared."""
        try:
            yield
        except ExpectedError as error:
            self._screen.report(error)
        except Exception as error:  # noqa: BLE001 - as of a task that ends
            self._report(error)

    def refresh(self) -> None:
        """Read both lists again, unless that is under way, or it may be another account's list."""
        if self._account_check.in_doubt:
            self._account_check.look()
            return
        self._read_people()
        self._read_flows()

    def _is_kept_from_reading(self) -> bool:
        """Whether that has a sentence of its own, and the list is read once it is over."""
        in_doubt = self._account_check.looking or self._account_check.in_doubt
        return in_doubt or self._session.service is None or not self._session.online

    def _tell_of_uncompared(self, _event: object = None) -> None:
        """Nobody waits for a list that does not come without a word, and a way to do without."""
        missing = self._uncompared.first_reading is FirstReading.MISSING
        waits = missing and self._outbox.holds_uncompared
        notice = not_compared(self._outbox.to_send_count) if waits else None
        if notice == self._uncompared_told:
            return
        before, self._uncompared_told = self._uncompared_told, notice
        if before is not None:
            self._screen.take_back(before)
        if notice is not None:
            self._screen.say_until_read(notice, on_yes=self._send_uncompared)

    def _send_uncompared(self) -> None:
        try:
            self._uncompared.send_all_the_same()
        except StoreError as error:
            self._screen.report(error)

    def _reading(self) -> bool:
        lists = self._read_people.running or self._read_flows.running
        # What is kept is not up to date before the service was asked.
        return self._opening or lists or self._account_check.looking

    def _in_touch(self) -> bool:
        """A service that answers, but not with its lists, leaves them as they were."""
        failed = self._read_people.failed or self._read_flows.failed or self._account_check.failed
        return not (self._screen.state.needs_attention or failed)

    def _reading_changed(self) -> None:
        self._lists_followed()
        self.screens.people.being_read(self._read_people.running)
        self.screens.flows.being_read(self._read_flows.running)

    def _lists_followed(self) -> None:
        self._uncompared.being_read(
            now=self._opening or self._read_people.running, later=self._is_kept_from_reading()
        )
        self.screens.status.follow_lists(reading=self._reading(), in_touch=self._in_touch())

    def add_from_list(self, source: ListSource) -> None:
        """Have a list looked over, wherever it comes from: all ways in lead here."""
        self.screens.lists.add_from_list(source)

    def add_given_list(self, source: ListSource) -> None:
        """The same for one from outside the window, which gives way to no other."""
        self.screens.lists.add_given(source)

    def add_people(self, text: str) -> bool:
        """Put whoever `text` says into the line, or have several looked over as a list: False, and
        they are kept once `ListImport.given_kept` says so.
        """
        if self.screens.quick_add.give(text):
            return True
        # Reading lists is imported when there is one: no start has to wait for it.
        from app.importing.reading import looks_like_many  # noqa: PLC0415 - see above

        self.add_given_list(CopiedList(text, name=GIVEN, lines=not looks_like_many(text)))
        return False

    def add_lines(self, text: str) -> None:
        """Have the people in these lines looked over as a list, one in each; they are kept as those
        of `add_people` are.
        """
        self.add_given_list(CopiedList(text, name=GIVEN, lines=True))

    @property
    def losing_lists_words(self) -> str:
        """What is said of lists that are not added and would be lost with this window; blank for
        none.
        """
        return self.screens.lists.losing_words

    @property
    def writes_file(self) -> bool:
        """Whether a file is being saved, or pages are printed, that would be lost."""
        return self.screens.saving.busy or self.screens.printing.working

    @property
    def files_failed(self) -> int:
        """How many of these are said not to have been written, so far."""
        return self.screens.saving.failures + self.screens.printing.failures

    @property
    def unsent_count(self) -> int:
        """How many entries are not added."""
        return self._outbox.unsent_count

    def unsent(self) -> Sequence[OutboxEntry]:
        """The entries that are not added: lost with the workspace where nothing is `kept`."""
        return self._outbox.unsent()

    def nobody_taken_off(self, entry_ids: Iterable[str]) -> bool:
        """Whether all of these are still on the list, whatever became of them since."""
        return all(self._outbox.index.get(each) is not None for each in entry_ids)

    @property
    def rescue(self) -> Rescue | None:
        """What became of a damaged file of people who are not sent, until somebody has read it."""
        return self.files.store.rescue

    @property
    def kept(self) -> bool:
        """Whether what is typed here outlives this run."""
        return self.files.kept

    def known(self) -> KnownAccount:
        """What this account is recognised by while it is shown."""
        sample = frozenset(self._outbox.known_people)
        return KnownAccount(
            lambda one: one in sample or self._directory.row_of(one) is not None,
            self._directory.count() + len(sample),
            self._outbox.unsent_count,
            half_typed=self.half_typed or self.screens.lists.begun is not None,
        )

    @property
    def asks_for_account(self) -> bool:
        """Whether somebody is asked if this is the right account."""
        return self._account_check.asking

    @property
    def leaving(self) -> bool:
        """Whether the window closes once everything is sent."""
        return self._leave is not None

    @property
    def to_send_count(self) -> int:
        """How many people wait or are on their way."""
        return self._outbox.to_send_count

    @property
    def has_to_send(self) -> bool:
        """Whether somebody would still be sent while the window stays open."""
        return self._outbox.has_to_send

    @property
    def cannot_send(self) -> PauseReason | None:
        """What keeps people from being sent, also where nobody has been tried since; else None."""
        if self._outbox.pause_reason is not None:
            return self._outbox.pause_reason
        if self._session.service is None:
            return PauseReason.SIGN_IN
        return None if self._session.online else PauseReason.UNREACHABLE

    def leave_when_sent(self, leave: Callable[[], None]) -> None:
        """Send what is held without waiting any longer, and call `leave` when nothing is left.

        Where they are `kept`, also once it is seen that they cannot be sent now.
        """
        self._leave = leave
        self._outbox.send_now()

    def leave_when_arrived(self, leave: Callable[[], None]) -> None:
        """Send nobody more, and call `leave` when nobody is on the way."""
        self._leave, self._sends_nobody_more = leave, True
        self._outbox.pause()
        self._entries_changed()

    def stay(self) -> None:
        """The window is not to close after all."""
        self._leave = None
        if self._sends_nobody_more:
            self._sends_nobody_more = False
            self._outbox.resume()

    def follow_typed(self, follow: Callable[[], None]) -> None:
        """Call `follow` whenever the line, or what became of somebody added here, is another."""
        self._follow = follow

    @property
    def half_typed(self) -> bool:
        """Whether the line for adding a person is not empty."""
        return self.screens.quick_add.state.holds_words

    @property
    def undecided(self) -> int:
        """How many of the unsent go no further before somebody decides."""
        return self._outbox.needs_person_count

    def _entries_changed(self, _event: EntriesChanged | PauseChanged | None = None) -> None:
        if self._leave is not None and not self._waits_to_leave():
            self._leave()
        self._tell_of_uncompared()
        self._typed_changed()

    def _waits_to_leave(self) -> bool:
        """Those who are kept go at the next start; only a person settles who is not sure."""
        if not self.kept:
            return bool(self._outbox.unsent_count)
        may_go = self._outbox.has_to_send and self._outbox.pause_reason is None
        return may_go or self._outbox.is_on_the_way

    def _typed_changed(self) -> None:
        self._follow()

    @property
    def holds(self) -> Mapping[str, float]:
        """Until when each entry is held; also once this is closed."""
        return self._outbox.holds

    async def close(self, *, keep_lists: bool = False, keep_files: bool = False) -> None:
        """Remember where somebody is, end the work and close the local files.

        `keep_lists`: this account is shown again at once, from other files, with what it shows.
        `keep_files`: from the same, which stay open.
        """
        self._save_state()
        self._account_check.close()
        self._started.close()
        self._needed.close()
        for failure in (self._people_failure, self._flows_failure):
            # Where the account is shown again, its lists are read again: that says it anew.
            failure.succeeded()
        self._screen.shows_lists_of(None)
        await self.screens.lists.settle()
        await self._outbox.close()
        await self._scope.close()
        told_apart = self._duplicate_groups.told_apart
        self.left = replace(self.files.what_is_left(), told_apart=told_apart)
        if keep_lists:
            self.left = replace(self.left, lists=await self.files.lists_in_memory())
        if not keep_files:
            await self.files.close()

    def _build_screens(
        self, events: EventBus, scope: TaskScope, status_before: StatusBarScreen | None
    ) -> WorkspaceScreens:
        people = PeopleScreen(self._directory, self._outbox, events, scope)
        people.refresh_wanted.connect(self.refresh)
        status = StatusBarScreen(people, self._directory, self._outbox, events, scope)
        if status_before is not None:
            status.take_over(status_before)
        quick_add = QuickAdd(
            self._outbox,
            self._duplicates,
            self._settings,
            events,
            scope,
            lists=status.progress,
            uncompared=self._uncompared,
        )
        flows = FlowsScreen(self._catalogue, self._directory, events, scope)
        flows.refresh_wanted.connect(self.refresh)
        flows.failed.connect(self._screen.report)
        people.writing.separator = flows.separator = self._separator()
        news = WhatIsNewScreen(
            self.files.cache, self._catalogue, self._directory, flows, events=events, scope=scope
        )
        news.failed.connect(self._screen.report)
        flows_tab = FlowsTabScreen(
            flows,
            by_person=ByPersonScreen(flows, scope),
            gaps=GapsScreen(flows, self._directory, events, scope),
            what_is_new=news if news.there else None,
            scope=scope,
        )
        person = PersonPane(people, flows, quick_add, self._outbox, events=events, scope=scope)
        lists = ListImport(
            self._outbox,
            self._duplicates,
            self._settings,
            choices=self._columns,
            events=events,
            scope=scope,
            kept=self.files.kept,
            uncompared=self._uncompared,
        )
        lists.failed.connect(self._list_not_read)
        lists.opened.connect(self._list_opened)
        lists.begun_changed.connect(self._list_read)
        status.progress.failed.connect(self._screen.report)
        status.progress.returned.connect(lists.add_from_list)
        status.results.look_over_wanted.connect(lists.add_from_list)
        saving = Saving(
            people,
            flows.list,
            self._directory,
            self._outbox,
            catalogue=self._catalogue,
            scope=scope,
        )
        # A method each: what holds the one who speaks would keep both for good.
        people.writing.feedback.changed.connect(self._mail_told)
        saving.feedback.changed.connect(self._file_told)
        for goes_on in (
            people.selection.changed,
            people.refresh_wanted,
            flows.refresh_wanted,
            lists.opened,
            lists.taken,
        ):
            goes_on.connect(self._screen.went_on)
        self._screen.went_on.connect(self._take_back_remark)
        scope.call_on_close(self._hear_no_more)
        return WorkspaceScreens(
            people=people,
            duplicate_groups=DuplicateGroupsScreen(self._duplicate_groups, people, events, scope),
            person=person,
            quick_add=quick_add,
            recent_entries=RecentEntries(
                self._outbox, quick_add, people.entry_actions, events, scope, lists=lists
            ),
            flows_tab=flows_tab,
            status=status,
            lists=lists,
            saving=saving,
            named=NamedInAccount(self._directory, self._duplicates, flows, scope),
            printing=PrintScreen(
                self._catalogue, self._directory, self._settings, self._screen, scope
            ),
        )

    def _hear_no_more(self) -> None:
        self._screen.went_on.disconnect(self._take_back_remark)

    def _mail_told(self) -> None:
        self._taken_along(self.screens.people.writing.feedback)

    def _file_told(self) -> None:
        self._taken_along(self.screens.saving.feedback)

    def _taken_along(self, feedback: ActionFeedback) -> None:
        """What became of a mail, or of a file that is being saved."""
        before, self._said_of_taking = self._said_of_taking, None
        if before is not None:
            self._screen.take_back(before)
        if feedback.sentence:
            action = NoticeAction.COPY_DETAILS if feedback.details else NoticeAction.NOTHING
            self._said_of_taking = Notice(
                feedback.sentence, action, calm=not feedback.is_error, details=feedback.details
            )
            self._screen.say(self._said_of_taking)
            self._screen.go_on_in_time()

    def _take_back_remark(self) -> None:
        """Somebody goes on, or has had the time to read it; what went wrong is put away by hand."""
        said = self._said_of_taking
        done = said is not None and said.calm and not said.details
        if done and not self.screens.saving.busy:
            for each in (self.screens.people.writing, self.screens.saving):
                each.feedback.say("")

    def _separator(self) -> str:
        return SEMICOLON if self._settings.settings.semicolons else COMMA

    def _list_read(self) -> None:
        """A list that takes its time is said to be read, until it is."""
        before, words = self._reading_list, self.screens.lists.reading_words
        self._reading_list = Notice(words, calm=True) if words else None
        if before is not None:
            self._screen.take_back(before)
        if self._reading_list is not None:
            self._screen.say(self._reading_list)

    def _list_not_read(self, error: object) -> None:
        if isinstance(error, Exception):
            self._list_failure.failed(error)

    def _list_opened(self, _list: object) -> None:
        """What was said of another one does not stand above it."""
        self._list_failure.succeeded()

    def _saved_order(self) -> tuple[SortKey, bool]:
        """As the names are shown, first name first, unless somebody chose another order here."""
        saved = self.saved_state
        for by in SortKey:
            if by.value == saved.sort:
                return by, saved.descending
        return SortKey.FIRST_NAME, False

    def _restore_state(self) -> None:
        self._is_restored = True
        saved = self.saved_state
        self.screens.people.restore(saved)
        self.screens.flows_tab.restore(saved)
        self.screens.named.restore(saved)

    def _keep_used(self) -> None:
        """At once, whatever becomes of the program; where somebody is, is kept as they leave."""
        if self.account.auth_method is not AuthMethod.DEMO:
            kept = self._saved_states.of(self.account.id)
            kept = replace(kept, **self.screens.named.saved_state())
            self._saved_states.keep(self.account.id, kept)

    def _save_state(self) -> None:
        if not self._is_restored:
            # It was closed before it was shown: where somebody was before that is where they are.
            return
        kept = self.screens.people.saved_state() | self.screens.flows_tab.saved_state()
        kept |= self.screens.named.saved_state()
        self._saved_state = replace(self.saved_state, **kept)
        if self.account.auth_method is not AuthMethod.DEMO:
            self._saved_states.keep(self.account.id, self._saved_state)

    @property
    def saved_state(self) -> SavedState:
        """Where somebody was in this account, or is, once it is closed."""
        return self._saved_state or self._saved_states.of(self.account.id)

    def _settings_changed(self, event: SettingsChanged) -> None:
        self._outbox.set_hold_seconds(event.settings.hold_seconds)
        self.screens.quick_add.reread()
        people, flows = self.screens.people, self.screens.flows
        people.writing.separator = flows.separator = self._separator()

    async def _refresh_people(self) -> None:
        if self._session.service is not None:
            await self._read_people_of(self._session.service)

    async def _read_list_again(self) -> bool:
        service = self._session.service
        if service is None:
            raise Unreachable(tr("Not signed in"), tr("The list cannot be read now."))
        return await self._read_people_of(service)

    async def _read_people_of(self, service: Service) -> bool:
        """Whether the list came whole."""
        try:
            complete = (await self._directory.refresh(service)).complete
        finally:
            self.screens.people.stop_progress()
        self._people_failure.succeeded()
        return complete

    async def _refresh_flows(self) -> None:
        service = self._session.service
        if service is not None:
            await self._catalogue.refresh(service, is_news=not self._in_other_words)
            self._in_other_words = False
            self._flows_failure.succeeded()

    def _people_refreshed(self, _event: PeopleRefreshed) -> None:
        """The lists may be lost; by whom this account is known again is kept with who waits."""
        self._screen.shows_lists_of(self._directory.as_of)
        self._outbox.service_answered()
        if self._account_check.in_doubt:
            return
        try:
            known, rows = self._outbox.known_people, self._directory.ordered_rows()
            there = all(self._directory.row_of(one) is not None for one in known)
            if not there or len(known) < min(len(rows), SAMPLE_SIZE):
                spread = rows[:: max(1, len(rows) // SAMPLE_SIZE)][:SAMPLE_SIZE]
                people = self._directory.people(spread).values()
                self._outbox.remember_people(person.id for person in people)
        except StoreError as error:
            # The lists are there all the same, and the next reading tries again.
            _log.warning("whom this account is known by could not be kept: %s", error.details)

    def _session_changed(self, event: SessionChanged) -> None:
        self._lists_followed()
        came_back = self._was is SessionState.RETURNING
        self._was = event.state
        # Where what is kept is still being read, that goes on by itself.
        if not self._opening and (came_back or event.state is SessionState.SIGNED_IN):
            self._go_on()

    def _connection_changed(self, event: ConnectionChanged) -> None:
        self._lists_followed()
        if event.online:
            self._go_on()

    def _go_on(self) -> None:
        self._account_check.signed_in()
        self.refresh()
        self._outbox.resume()
