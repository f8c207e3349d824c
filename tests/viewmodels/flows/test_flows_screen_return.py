"""The Flows tab keeps its place: through storms of news, to a person and back, to a step."""

import asyncio
from collections.abc import Iterable

import msgspec
import pytest

from app.flows.catalogue import FlowsChanged
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.people.events import PeopleChanged
from app.viewmodels.flows.flow_list import FlowRow
from app.viewmodels.flows.flows import FlowsScreen, FlowsState, ReturnPoint
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told

WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    steps=(Step(id="1", name="Card", admins=(ADA.id,)), Step(id="2", name="Lunch")),
)
BAPTISM = PeopleFlow(id="b", name="Baptism", steps=(Step(id="3", admins=(BOB.id,)),))
PLACE = ReturnPoint("w", "1", ADA.id, 40)


def screen_of(account: AccountFixture) -> FlowsScreen:
    return FlowsScreen(account.catalogue, account.directory, account.events, account.scope)


@pytest.fixture
async def screen(account: AccountFixture) -> FlowsScreen:
    await account.list_people(ADA, BOB, EVE)
    screen = screen_of(account)
    await account.list_flows(WELCOME, BAPTISM)
    return screen


def listed(screen: FlowsScreen) -> list[str]:
    return list(screen.list.keys)


def marked(screen: FlowsScreen) -> list[str]:
    assert screen.state.flow is not None
    return [step.name for step in screen.state.flow.steps if step.highlights]


class Asked:
    """Counts how often the people are asked for by id."""

    def __init__(self, account: AccountFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        self._answer = account.directory.people_by_id
        monkeypatch.setattr(account.directory, "people_by_id", self)

    async def __call__(self, ids: Iterable[str]) -> dict[str, Person]:
        self.times += 1
        return await self._answer(ids)


async def test_a_storm_of_news_is_read_once_or_twice(
    account: AccountFixture, screen: FlowsScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.flows.flows._PAUSE", 0.05)
    asked, told = Asked(account, monkeypatch), Told(screen.administrators_changed)
    for _ in range(50):
        account.events.publish(PeopleChanged(changed=(1,)))
        account.events.publish(FlowsChanged())
        await asyncio.sleep(0)
    await account.settle()
    assert 1 <= asked.times <= 2
    assert told.times == 0


async def test_the_last_news_of_a_storm_is_not_lost(
    account: AccountFixture, screen: FlowsScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.flows.flows._PAUSE", 0.05)
    monkeypatch.setattr("app.people.directory._BETWEEN_ADDITIONS", 0.005)
    for name in ("Abel", "Adele", "Ada"):
        await account.directory.took(msgspec.structs.replace(ADA, firstname=name))
    await account.directory.took(msgspec.structs.replace(ADA, firstname="Augusta"))
    await account.settle()
    assert screen.state.flow is not None
    assert screen.state.flow.steps[0].pills[0].text == "Augusta Lovelace"


async def test_an_empty_account_is_told_apart_from_one_that_was_not_read(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    told = Told(screen.state_changed)
    assert not screen.state.has_flows
    await account.list_flows()
    assert told.times == 1
    assert screen.state.empty_words.startswith("The account has no people flows yet.")


async def test_the_one_next_thing_is_offered_where_nothing_is_shown(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    asked = Told(screen.refresh_wanted)
    assert screen.state.empty_action == "Read them now"
    screen.refresh()
    assert asked.times == 1
    await account.list_flows()
    assert screen.state.empty_action == "Read again"
    await account.list_flows(WELCOME)
    assert screen.state.empty_action == ""
    screen.search("zz")
    assert screen.state.empty_action == ""


async def test_a_search_of_many_flows_ends_with_all_that_match(account: AccountFixture) -> None:
    await account.list_people(ADA)
    screen = screen_of(account)
    flows = [PeopleFlow(id=str(n), name=f"Flow {n:03}") for n in range(4_000)]
    await account.list_flows(*flows, msgspec.structs.replace(WELCOME, name="Flow last"))
    screen.search("ada")
    assert listed(screen) == []
    assert screen.state.chosen == "0"
    await account.settle()
    assert listed(screen) == ["w"]
    assert screen.state.chosen == "w"


async def test_a_newer_search_takes_the_place_of_one_under_way(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_flows(*(PeopleFlow(id=str(n), name=f"Flow {n:03}") for n in range(100)))
    screen.search("099")
    screen.search("flow 098")
    await account.settle()
    assert listed(screen) == ["98"]
    screen.search("")
    assert len(listed(screen)) == 100


async def test_a_found_flow_says_why_and_marks_it(screen: FlowsScreen) -> None:
    screen.search("lovel")
    row = screen.list.data(screen.list.index(0), ROW_ROLE)
    assert isinstance(row, FlowRow)
    assert (row.second_line, row.found_highlights) == ("Ada Lovelace", ((4, 5),))
    screen.search("welc")
    row = screen.list.data(screen.list.index(0), ROW_ROLE)
    assert isinstance(row, FlowRow)
    assert (row.second_line, row.name_highlights) == ("2 steps", ((0, 4),))


async def test_a_search_marks_its_words_on_the_page_and_takes_the_marks_away(
    screen: FlowsScreen,
) -> None:
    screen.search("lunch")
    assert marked(screen) == ["Lunch"]
    screen.search("")
    assert marked(screen) == []


async def test_somebody_can_come_for_one_step(screen: FlowsScreen) -> None:
    told = Told(screen.step_wanted)
    screen.choose("w", "2")
    assert (screen.state.step_id, told.since()) == ("2", 1)
    screen.choose("w", "2")
    assert told.since() == 1
    screen.choose("w")
    assert (screen.state.step_id, told.since()) == ("2", 0)
    screen.choose("b")
    assert (screen.state.step_id, told.since()) == (None, 0)


async def test_a_flow_chosen_before_the_flows_are_read_is_shown_once_they_are(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    screen.choose("b")
    await account.list_flows(WELCOME, BAPTISM)
    assert screen.state.flow is not None
    assert screen.state.flow.name == "Baptism"


async def test_whoever_follows_a_name_can_come_back_once(screen: FlowsScreen) -> None:
    told = Told(screen.state_changed)
    screen.follow_from(PLACE)
    assert (screen.state.came_from, told.since()) == (PLACE, 1)
    assert screen.go_back() == PLACE
    assert (screen.state.came_from, told.since()) == (None, 1)
    assert screen.go_back() is None
    assert told.since() == 0


async def test_coming_back_shows_the_flow_again_also_when_a_search_hides_it(
    screen: FlowsScreen,
) -> None:
    screen.follow_from(PLACE)
    screen.search("baptism")
    assert screen.state.chosen == "b"
    assert screen.go_back() == PLACE
    assert screen.state.chosen == "w"


async def test_choosing_another_flow_leaves_the_place_behind(screen: FlowsScreen) -> None:
    screen.follow_from(PLACE)
    screen.choose("w")
    assert screen.state.came_from == PLACE
    screen.choose("b")
    assert screen.state.came_from is None


async def test_there_is_no_way_back_to_a_flow_that_is_gone(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    screen.follow_from(PLACE)
    shown: list[FlowsState] = []
    screen.state_changed.connect(shown.append)
    await account.list_flows(BAPTISM)
    assert {state.came_from for state in shown} == {None}
    await account.list_flows(WELCOME, BAPTISM)
    assert screen.state.came_from is None
    assert screen.go_back() is None
