"""The detail pane with the screens it follows, over an account's real rooms."""

from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.person_pane import Detail, PersonPane, Several
from app.viewmodels.quick_add.quick_add import QuickAdd
from tests.viewmodels.conftest import AccountFixture


class Pane:
    """The pane with the screens it follows."""

    def __init__(self, account: AccountFixture) -> None:
        events, scope = account.events, account.scope
        self.people = PeopleScreen(account.directory, account.outbox, events, scope)
        self.flows = FlowsScreen(account.catalogue, account.directory, events, scope)
        self.quick_add = QuickAdd(
            account.outbox, account.duplicates, account.settings, events, scope
        )
        self.pane = PersonPane(
            self.people, self.flows, self.quick_add, account.outbox, events=events, scope=scope
        )

    @property
    def detail(self) -> Detail:
        assert isinstance(self.pane.state, Detail)
        return self.pane.state

    @property
    def several(self) -> Several:
        assert isinstance(self.pane.state, Several)
        return self.pane.state

    @property
    def hint(self) -> str:
        """What is said where neither one nor several are shown."""
        assert isinstance(self.pane.state, str)
        return self.pane.state

    @property
    def fields(self) -> list[tuple[str, str, str]]:
        return [(field.name, field.value, field.copy) for field in self.detail.fields]
