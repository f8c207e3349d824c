"""The detail pane with the screens it follows, over an account's real rooms."""

from app.outbox.unsendable_details import UnsendableDetails
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.person import Detail, PersonPane
from tests.viewmodels.conftest import AccountFixture


class Pane:
    """The pane with the screens it follows; `undone` is what it asked to be taken back."""

    def __init__(self, office: AccountFixture) -> None:
        self.undone: list[str] = []
        self.people = PeopleScreen(
            office.directory, office.outbox, office.events, office.scope, refresh=lambda: None
        )
        self.flows = FlowsScreen(office.catalogue, office.directory, office.events, office.scope)
        beside = UnsendableDetails(office.events, office.scope)
        self.pane = PersonPane(
            self.people,
            self.flows.administered_by,
            self.flows.posts_of,
            self.undone.append,
            beside.of,
        )
        self.flows.administrators_changed.connect(self.pane.changed)

    @property
    def detail(self) -> Detail:
        detail = self.pane.detail
        assert detail is not None
        return detail

    @property
    def fields(self) -> list[tuple[str, str, str]]:
        return [(field.name, field.value, field.copy) for field in self.detail.fields]
