"""The workspace of the account that is shown, one at a time, with the files behind it.

It follows the session from account to account, and the choice what to keep on this computer.
"""

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from msgspec.structs import replace

from app.accounts.account import Account, AuthMethod
from app.accounts.folders import AccountFolders
from app.accounts.session import Session, SessionChanged, SessionState
from app.model.errors import ExpectedError
from app.outbox.unsent_people import UnsentPeople
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.settings.column_choices import ColumnChoices
from app.settings.saved_states import SavedStateStore
from app.settings.settings import SettingsChanged, SettingsStore
from app.viewmodels.importing.list_import import ListImport, ListSource
from app.viewmodels.notices import Notice, given_people_wait, kept_for_later
from app.viewmodels.window.session import SessionScreen
from app.views.window.main_window import MainWindow
from app.workspace.account_check import KnownAccount
from app.workspace.given_people import GivenPeople, put_together
from app.workspace.local_files import (
    LocalFiles,
    Unsent,
    in_memory,
    keep_left,
    known_account,
    open_local_files,
    set_aside_for_others,
    take_away,
    unsent_in,
    with_set_aside,
)
from app.workspace.workspace import Workspace

_log = logging.getLogger(__name__)
_SHOWN_SECONDS = 3
"""Kept lists are on the screen long before; where they are not, nobody waits for them."""


class WorkspaceSwitcher:
    """Opens, changes and closes the one workspace; `shown` is None while nobody is in."""

    def __init__(
        self,
        data_folder: Path,
        window: MainWindow,
        session: Session,
        session_screen: SessionScreen,
        events: EventBus,
        *,
        settings: SettingsStore,
        saved_states: SavedStateStore,
        columns: ColumnChoices,
        scope: TaskScope,
        report: Callable[[BaseException], None],
    ) -> None:
        """`report` takes what nobody expected."""
        self.folders = AccountFolders(data_folder)
        self.shown: Workspace | None = None
        self._window = window
        self._session = session
        self._screen = session_screen
        self._events = events
        self._settings = settings
        self._saved_states = saved_states
        self._columns = columns
        self._lists: list[ListSource] = []
        """Somebody wants them looked over as soon as there is an account for them."""
        self._asks_for_list = False
        """Somebody wants to choose a list by then."""
        self._lists_before: list[ListImport] = []
        """Those that were begun before the account was opened anew, once or several times."""
        self._report = report
        self._keeps = self._opened_to_keep = settings.settings.keep_on_this_computer
        self._given = GivenPeople(data_folder, on_disk=self._keeps)
        self._given_told: Notice | None = None
        self._build: Callable[[], None] | None = None
        self._unasked = False
        self._closed_one = False
        """Cycles of a workspace that was closed may be left."""
        self._turn = asyncio.Lock()
        self._ending = TaskScope("closing of accounts", report, ExpectedError)
        self._closing: asyncio.Task[None] | None = None
        """Closes the workspace that is shown, whoever stops waiting for that."""
        self._open_files: LocalFiles | None = None
        """Those of the workspace that was closed last, which is shown again from them."""
        self._is_shown = asyncio.Event()
        self._showing: asyncio.Task[object] | None = None
        self._goes_to: Account | None = None
        self._leaving: Workspace | None = None
        """One that is being closed because somebody went elsewhere, if only for a moment."""
        session.until_kept_is_shown = self._until_shown
        self._kept: dict[Path, Notice] = {}
        """What was said of people who are kept, by the folder they are in."""
        self._change = Action(
            scope, self._show, second="replace", on_error=session_screen.say_error
        )
        events.subscribe(SessionChanged, self._session_changed, scope)
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        if not self._keeps:
            self._take_away()

    async def close(self) -> None:
        """Close the workspace that is shown; what nobody wants kept is taken away then."""
        shown = self.shown
        try:
            left = await self._close_shown()
            if self._unasked and shown is not None and left.entries and not shown.kept:
                self._keep_left(shown.account, left)
            if not self._keeps:
                self._take_away()
        finally:
            await self._ending.close()

    async def changes_made(self) -> None:
        """Wait until all is done that somebody has asked for in lists that are looked over."""
        if self.shown is not None:
            await self.shown.screens.lists.changes_made()

    def end_unasked(self) -> None:
        """The program ends without a person being asked: who is not sent stays in any case."""
        self._unasked = True

    def add_from_list(self, source: ListSource) -> None:
        """Have a list looked over in the account that is shown, or in the next that is."""
        if self.shown is not None and self._closing is None:
            self.shown.add_from_list(source)
        else:
            self._lists.append(source)
            if self._screen.state.asks_to_sign_in:
                self._say_list_waits()

    def add_given_list(self, file: Path, *, for_demo: bool = False) -> None:
        """The same for one from outside the window, which gives way to no other; `for_demo` as in
        `add_people`.
        """
        if self.shown is not None and self._is_shown.is_set() and self._closing is None:
            self.shown.add_given_list(file)
            return
        self._given.append_list(file, for_demo=for_demo)
        if self._screen.state.asks_to_sign_in:
            self._tell_of_given()

    def add_people(self, text: str, *, for_demo: bool = False) -> None:
        """Have whoever `text` says put where they are added: one into the line, several as a list
        to be looked over; in the account that is shown, or in the next that is, but in the demo
        account only where that is shown already, or was asked for with them (`for_demo`).
        """
        shown = self.shown if self._is_shown.is_set() else None
        in_demo = shown is not None and shown.account.auth_method is AuthMethod.DEMO
        self._given.append(text, for_demo=for_demo or in_demo)
        if shown is not None:
            self._add_waiting(shown)
        elif self._screen.state.asks_to_sign_in:
            self._tell_of_given()

    def ask_for_list(self) -> None:
        """Ask which list to look over, now or as soon as there is an account for it."""
        self._asks_for_list = True
        if self.shown is not None and self._is_shown.is_set():
            self._add_waiting(self.shown)
        elif self._screen.state.asks_to_sign_in:
            self._say_list_waits()

    def _say_list_waits(self) -> None:
        self._screen.say(Notice(tr("The list is opened once you are signed in."), calm=True))

    def _add_waiting(self, workspace: Workspace) -> None:
        if self._asks_for_list:
            self._asks_for_list = False
            self._window.ask_for_list()
        account = workspace.account
        together, texts = put_together(self._given.hand_over(account))
        all_kept = True
        if together:
            self._window.type_person()
            workspace.add_lines(together)
        for text in texts:
            self._window.type_person()
            all_kept = workspace.add_people(text) and all_kept
        if all_kept and workspace.screens.lists.given_are_kept:
            self._given.are_kept()
        if account.auth_method is not AuthMethod.DEMO:
            self._take_back_given()
        else:
            self._tell_of_given(in_demo=True)

    def _take_back_given(self) -> None:
        before, self._given_told = self._given_told, None
        if before is not None:
            self._screen.take_back(before)

    def _tell_of_given(self, *, in_demo: bool = False) -> None:
        """Who was named from outside and waits for an account, as it is now."""
        self._take_back_given()
        if self._given.named:
            self._given_told = given_people_wait(
                self._given.named, in_demo=in_demo, lasts=self._given.lasts
            )
            self._screen.say_until_read(self._given_told)

    def tell_who_is_kept(self, left: Account | None = None) -> None:
        """While nobody is in: who is not sent yet, and for which account.

        `left` is one that was shown just now, which the list of accounts may not know.
        """
        known = [*self._screen.first_page.state.known, *([left] if left is not None else [])]
        accounts = {self.folders.of(account.id): account for account in known}
        for folder in dict.fromkeys([*self.folders.all(), *accounts]):
            account = accounts.get(folder)
            kept = unsent_in(self.folders, folder, account)
            if account is not None:
                kept = with_set_aside(self.folders, account, kept)
            self._tell(folder, kept, account.name if account is not None else "")
        others = set_aside_for_others(self.folders, known)
        self._tell(self.folders.root, others, tr("an account that is not known here"))
        self._tell_of_given()

    def _tell(self, folder: Path, kept: UnsentPeople, account: str) -> None:
        if not kept.nobody:
            self._kept[folder] = kept_for_later(kept, account)
            self._screen.say_until_read(self._kept[folder])

    def unsent_of(self, account: Account) -> UnsentPeople:
        """Who of this account is not sent, whether it is shown or not, and wherever they are."""
        return with_set_aside(self.folders, account, self._unsent_here(account))

    @contextlib.asynccontextmanager
    async def known(self, account: Account) -> AsyncIterator[KnownAccount]:
        """What this computer has to recognise the account by, shown or not; to be let go of."""
        async with self._turn:  # one that is being closed has let go of its files then
            shown = self.shown
            known = shown.known() if shown and shown.account.id == account.id else None
        if known is not None:
            yield known
            return
        async with known_account(self.folders, account) as kept:
            yield kept

    def show_anew(self, build: Callable[[], None]) -> None:
        """Show the same again, with what is typed in it, in a window that `build` builds anew."""
        if self.shown is not None:
            # Once it is remembered where somebody is, which the window shows.
            self._build = build
            self._go_to(self._coming)
            return
        build()
        if self._screen.state.asks_to_sign_in:
            self._take_back_kept(*self._kept)
            self.tell_who_is_kept()

    async def let_go(self, account_id: str) -> None:
        """Close the files of this account, where they are open: it is to be forgotten."""
        self._take_back_kept(self.folders.of(account_id))
        if self.shown is not None and self.shown.account.id == account_id:
            self._window.show_first_start()
            await self._close_shown()

    def _unsent_here(self, account: Account) -> UnsentPeople:
        folder, shown = self.folders.of(account.id), self.shown
        if shown is None or shown.account.id != account.id:
            return unsent_in(self.folders, folder, account)
        here = tuple(shown.unsent())
        if shown.kept:
            return UnsentPeople(here, rescue=shown.rescue)
        # It is shown from memory because its file could not be had, which is there all the same.
        kept = unsent_in(self.folders, folder, account)
        held = {entry.id for entry in here}
        others = tuple(entry for entry in kept.entries if entry.id not in held)
        return replace(kept, entries=(*here, *others))

    def _session_changed(self, event: SessionChanged) -> None:
        wanted = event.account if event.state is not SessionState.SIGNED_OUT else None
        # What is shown may be closing, and what comes need not be shown yet.
        coming = self._coming
        if (wanted and wanted.id) != (coming and coming.id):
            self._go_to(wanted)

    @property
    def _coming(self) -> Account | None:
        """The one to be shown: another one than is shown while that one is being closed."""
        if self._change.running:
            return self._goes_to
        return self.shown.account if self.shown is not None else None

    def _go_to(self, account: Account | None) -> None:
        self._goes_to = account
        self._change(account)

    def _settings_changed(self, event: SettingsChanged) -> None:
        if event.settings.keep_on_this_computer is self._keeps:
            return
        self._keeps = event.settings.keep_on_this_computer
        followed = [each.keep_on_disk(on=self._keeps) for each in (self._columns, self._given)]
        if not all(followed) and not self._keeps:
            self._say_not_deleted()
        if self.shown is not None:
            self._go_to(self._coming)
        elif not self._keeps:
            self._take_away()

    def _keep_left(self, account: Account, left: Unsent) -> None:
        demo = account.auth_method is AuthMethod.DEMO
        if not demo and not keep_left(self.folders, account, left):
            _log.warning("people who are not sent could not be kept at the end")

    def _take_back_kept(self, *folders: Path) -> None:
        for folder in folders:
            if (notice := self._kept.pop(folder, None)) is not None:
                self._screen.take_back(notice)

    async def _until_shown(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SHOWN_SECONDS):
                await self._is_shown.wait()

    async def _show(self, account: Account | None) -> None:
        self._is_shown.clear()
        self._showing = showing = asyncio.current_task()
        try:
            await self._show_account(account)
        finally:
            # Not for whoever came instead: their lines are not taken up yet.
            if self._showing is showing:
                self._is_shown.set()

    async def _show_account(self, account: Account | None) -> None:
        self._take_back_kept(*self._kept)
        was = self.shown.account if self.shown is not None else None
        shown = self.shown.account.id if self.shown is not None else None
        # Who signs out, and in again before it is closed, begins anew.
        same = account is not None and shown == account.id and self.shown is not self._leaving
        if shown is not None and not same:
            self._leaving = self.shown
            self._window.show_first_start()
        before = self.shown if same else None
        self._remember_lists(before.screens.lists if before is not None else None)
        keeps_files = same and self._build is not None and self._opened_to_keep is self._keeps
        left = await self._close_shown(keep_lists=same and not keeps_files, keep_files=keeps_files)
        build, self._build = self._build, None
        if build is not None:
            build()
            if same:
                account = self._session.account or account
        if not self._keeps and self._open_files is None:
            self._take_away()
        if account is None:
            self.tell_who_is_kept(was)
            return
        files = self._files_of(account, left if same else Unsent())
        told_apart = left.told_apart if same else ()
        self.shown = workspace = Workspace(
            account,
            self._session,
            self._screen,
            self._events,
            settings=self._settings,
            saved_states=self._saved_states,
            columns=self._columns,
            files=files,
            report=self._report,
            told_apart=told_apart,
            saved_state=before.saved_state if before is not None else None,
            holds=before.holds if before is not None else None,
            status=before.screens.status if before is not None else None,
            in_other_words=build is not None and account.auth_method is AuthMethod.DEMO,
        )
        await files.take_lists(left.lists)
        try:
            await workspace.read_list()
        except Exception as error:  # noqa: BLE001 - the page is there whatever is wrong with a list
            self._report(error)
        # Whoever was replaced while a file was read, which nothing cuts short, ends here: that
        # workspace is being closed, and would take the lists over in vain.
        await asyncio.sleep(0)
        await self._show_page(workspace)
        workspace.take_up()
        workspace.screens.lists.given_kept.connect(self._given.are_kept)
        self._window.go_on_typing()
        # Held no longer: the lists are read now, which may take long.
        before = None
        while self._lists_before:
            workspace.screens.lists.take_over(self._lists_before.pop(0))
        # A turn to ask for the painting, and one to paint.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self._is_shown.set()
        self._add_waiting(workspace)
        await workspace.open()
        if self._closed_one:
            # What is left of it would be taken for what is there to stay.
            gc.collect()
            self._closed_one = False
        # It is there to stay: looking through it for cycles would cost a frame, again and again.
        gc.freeze()
        waiting, self._lists = self._lists, []
        for source in (*waiting, *self._given.hand_over_lists(account)):
            workspace.add_given_list(source)

    async def _show_page(self, workspace: Workspace) -> None:
        with contextlib.closing(self._window.build_workspace(workspace.screens)) as steps:
            for _ in steps:
                # What is typed is held meanwhile, but not where the lists before are still seen.
                if self._window.screens is None:
                    await asyncio.sleep(0)
        self._window.show_workspace(workspace.screens)

    def _remember_lists(self, lists: ListImport | None) -> None:
        """For the workspace that comes next, where it is of the same account; None: of another."""
        if lists is None:
            self._lists_before = []
        elif lists not in self._lists_before:  # the one that is shown may be being closed still
            self._lists_before.append(lists)

    def _files_of(self, account: Account, left: Unsent) -> LocalFiles:
        """Those that stayed open for it, or what is kept of it."""
        files, self._open_files = self._open_files, None
        if files is None:
            files = self._open(account, left)
            self._opened_to_keep = self._keeps
        return files

    def _open(self, account: Account, left: Unsent) -> LocalFiles:
        """What is kept of the account; what was held before is never dropped on the way."""
        if account.auth_method is AuthMethod.DEMO:
            files = in_memory(tells_changes=self._keeps)
        else:
            files = open_local_files(self.folders, account, keep=self._keeps)
        if not files.take_over(left):
            files.close_now()
            files = in_memory(
                tr("This computer cannot keep what you type: it is gone when the window closes."),
                tells_changes=self._keeps,
            )
            files.take_over(left)
        return files

    async def _close_shown(self, *, keep_lists: bool = False, keep_files: bool = False) -> Unsent:
        """Whoever stops waiting for it leaves it to whoever comes next: half closed, an account
        would be of no use to anybody.
        """
        async with self._turn:
            shown = self.shown
            if shown is not None:
                # It stays known until it is closed: the window's end may come in between.
                if self._closing is None:
                    work = self._close_workspace(shown, lists=keep_lists, files=keep_files)
                    self._closing = self._ending.spawn(work)
                await asyncio.wait({self._closing})
            if self._open_files is not None and not keep_files:
                files, self._open_files = self._open_files, None
                await asyncio.wait({self._ending.spawn(files.close())})
            if shown is None:
                return Unsent()
            self._closing = self.shown = self._leaving = None
            # Now it is in the way: what refers to itself in it is found again.
            gc.unfreeze()
            self._closed_one = True
            left = shown.left
            if not keep_lists and left.lists is not None:
                # For whoever began to close it, and was overtaken.
                left.lists.close_now()
                left = replace(left, lists=None)
            return left

    async def _close_workspace(self, shown: Workspace, *, lists: bool, files: bool) -> None:
        await shown.close(keep_lists=lists, keep_files=files)
        if files:
            self._open_files = shown.files

    def _take_away(self) -> None:
        gone, unsent = take_away(self.folders)
        if not gone:
            self._say_not_deleted()
        elif unsent:
            self._screen.say(Notice(_still_kept_words(unsent), calm=True))

    def _say_not_deleted(self) -> None:
        self._screen.say_until_read(
            Notice(tr("What was kept on this computer could not be deleted completely."))
        )


def _still_kept_words(accounts: int) -> str:
    return trn(
        "Nothing is kept on this computer any more, but for the people of {n} account "
        "who are not sent yet: they stay until they are.",
        "Nothing is kept on this computer any more, but for the people of {n} accounts "
        "who are not sent yet: they stay until they are.",
        accounts,
    )
