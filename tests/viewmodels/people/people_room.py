"""A People screen over the account's list, and what stands in its table."""

from app.model.person import Person
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Column
from tests.viewmodels.conftest import AccountFixture


def screen_of(account: AccountFixture) -> PeopleScreen:
    return PeopleScreen(account.directory, account.outbox, account.events, account.scope)


def names(screen: PeopleScreen) -> list[object]:
    table = screen.table
    return [table.data(table.index(at, Column.NAME)) for at in range(table.rowCount())]


def row_of(account: AccountFixture, person: Person) -> int:
    row = account.directory.row_of(person.id)
    assert row is not None
    return row
