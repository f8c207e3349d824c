"""The list most tests of it begin with."""

import pytest

from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import screen_of


@pytest.fixture
async def screen(account: AccountFixture) -> PeopleScreen:
    """Ada (administrator), Bob (volunteer, no email) and Eve (archived), by first name."""
    await account.list_people(ADA, BOB, EVE)
    return screen_of(account)
