"""Counts of people with the digit groups that the person's own language has."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from app.model.person import Person
from app.runtime.words import use_number_format
from app.viewmodels.formatting import number
from app.viewmodels.people.copying import What
from app.viewmodels.people.people_state import count_words, search_hint
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.people.pane_room import Pane


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The groups of 1,000 as they are written in Britain."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    use_number_format(number)
    yield
    QLocale.setDefault(before)
    use_number_format("{:,}".format)


def test_a_long_list_is_counted_in_groups() -> None:
    assert count_words(100_000, 100_000, narrowed=False) == "100,000 people"
    assert count_words(1_234, 100_000, narrowed=True) == "1,234 of 100,000"
    assert search_hint(100_000) == "Search 100,000 people"
    assert count_words(1, 1, narrowed=False) == "1 person"


def test_the_groups_are_those_of_the_language() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    assert count_words(100_000, 100_000, narrowed=False) == "100.000 people"


async def test_so_are_those_who_are_chosen_and_copied(account: AccountFixture) -> None:
    await account.list_people(*(Person(id=str(n), firstname=f"P{n:04}") for n in range(1_200)))
    room = Pane(account)
    room.people.choose_spans([(0, 1_199)])
    several = room.several
    assert (several.heading, several.more) == ("1,200 people chosen", "and 1,192 more")
    assert room.people.state.filters[0].text == "Everybody 1,200"
    room.people.copying.copy(What.EMAIL)
    await account.settle()
    assert room.people.state.remark == (
        "There is no email address to copy. "
        "1,200 people have none: P0000, P0001, P0002 and 1,197 more."
    )
