"""The screens of one account, together: what the window shows once somebody is signed in."""

import msgspec

from app.viewmodels.command_palette.named_in_account import NamedInAccount
from app.viewmodels.exporting.print_preview import PrintScreen
from app.viewmodels.exporting.saving import Saving
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_tab import FlowsTabScreen
from app.viewmodels.importing.list_import import ListImport
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.importing.result import ResultScreen
from app.viewmodels.outbox.history import HistoryScreen
from app.viewmodels.people.duplicate_groups import DuplicateGroupsScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.person_pane import PersonPane
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.small_window.recent_entries import RecentEntries
from app.viewmodels.window.status_bar import StatusBarScreen


class WorkspaceScreens(msgspec.Struct, frozen=True):
    """Built once per account; a view binds to each."""

    people: PeopleScreen
    duplicate_groups: DuplicateGroupsScreen
    person: PersonPane
    quick_add: QuickAdd
    recent_entries: RecentEntries
    flows_tab: FlowsTabScreen
    status: StatusBarScreen
    lists: ListImport
    saving: Saving
    printing: PrintScreen
    named: NamedInAccount

    @property
    def flows(self) -> FlowsScreen:
        """The flows themselves, which every view of their tab is read from."""
        return self.flows_tab.flows

    @property
    def progress(self) -> ProgressScreen:
        """Lists of people on their way."""
        return self.status.progress

    @property
    def results(self) -> ResultScreen:
        """What became of each row of a list."""
        return self.status.results

    @property
    def history(self) -> HistoryScreen:
        """Everybody typed here, and what became of them."""
        return self.status.history
