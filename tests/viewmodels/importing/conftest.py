"""The lists of an account in which Ada is."""

import pytest

from tests.viewmodels.conftest import ADA, AccountFixture
from tests.viewmodels.importing.lists import Lists


@pytest.fixture
async def lists(account: AccountFixture) -> Lists:
    await account.list_people(ADA)
    await account.settle_duplicates()
    return Lists(account)
