"""The Flows tab over real lists: ids become names, a search finds, the chosen flow stays."""

import asyncio
import itertools
from typing import TYPE_CHECKING, cast

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.api.resources import PeopleFlows
from app.model import field_limits
from app.model.flow import PeopleFlow, Step
from app.viewmodels.flows.cards import Administers
from app.viewmodels.flows.flow_list import FlowRow
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told

if TYPE_CHECKING:
    from app.api.service import Service

WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    admins=(ADA.id,),
    steps=(
        Step(id="1", name="Card received", admins=(ADA.id,), entry_point="y"),
        Step(id="2", name="Lunch", admins=(ADA.id,), steps=(Step(id="3", name="Seating"),)),
    ),
)
BAPTISM = PeopleFlow(
    id="b",
    name="Baptism",
    admins=(BOB.id,),
    steps=(Step(id="4", name="Evening", admins=(BOB.id,), entry_point="y"),),
)
EMPTY = PeopleFlow(id="e", name="Empty")


def screen_of(account: AccountFixture) -> FlowsScreen:
    return FlowsScreen(account.catalogue, account.directory, account.events, account.scope)


@pytest.fixture
async def screen(account: AccountFixture) -> FlowsScreen:
    """Welcome and Baptism, with the people who administer them listed."""
    await account.list_people(ADA, BOB, EVE)
    screen = screen_of(account)
    await account.list_flows(WELCOME, BAPTISM)
    return screen


def listed(screen: FlowsScreen, role: int = Qt.ItemDataRole.DisplayRole) -> list[object]:
    model = screen.list
    return [model.data(model.index(at), role) for at in range(model.rowCount())]


def rows(screen: FlowsScreen) -> list[FlowRow]:
    return [row for row in listed(screen, ROW_ROLE) if isinstance(row, FlowRow)]


def gaps(screen: FlowsScreen) -> list[str]:
    return [row.gaps_words for row in rows(screen)]


async def test_flows_are_listed_with_their_steps_and_what_is_missing(screen: FlowsScreen) -> None:
    assert listed(screen) == ["Welcome", "Baptism"]
    assert [row.second_line for row in rows(screen)] == ["2 steps", "1 step"]
    assert gaps(screen) == ["1 gap", ""]
    spoken = listed(screen, int(Qt.ItemDataRole.AccessibleTextRole))
    assert spoken == ["Welcome, 2 steps, 1 gap", "Baptism, 1 step"]


async def test_the_first_flow_is_shown_until_another_is_chosen(screen: FlowsScreen) -> None:
    assert screen.state.flow is not None
    assert (screen.state.chosen, screen.state.flow.name) == ("w", "Welcome")
    told = Told(screen.state_changed)
    screen.choose("b")
    assert (screen.state.flow.name, told.since()) == ("Baptism", 1)
    assert screen.state.flow.steps[0].pills[0].text == "Bob Øst"
    screen.choose("b")
    assert told.since() == 0


async def test_nothing_is_said_to_be_missing_before_the_people_are_known(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await account.list_flows(WELCOME, BAPTISM)
    assert gaps(screen) == ["", ""]
    await account.list_people(ADA, EVE)
    await account.settle()
    screen.read_again()
    await account.settle()
    assert gaps(screen) == ["1 gap", "2 gaps"]


async def test_what_is_missing_is_said_once_the_first_reading_of_people_has_ended(
    account: AccountFixture,
) -> None:
    screen, gate = screen_of(account), asyncio.Event()
    await account.list_flows(WELCOME)
    reading = asyncio.create_task(account.read([ADA], gate, total=1))
    await account.until(lambda: account.directory.row_of(ADA.id) is not None)
    await account.settle()
    gate.set()
    await reading
    await account.settle()
    assert gaps(screen) == ["1 gap"]


async def test_an_id_becomes_a_name_when_the_person_arrives(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_flows(WELCOME)
    assert screen.state.flow is not None
    pill = screen.state.flow.steps[0].pills[0]
    assert pill.text.startswith("somebody (")
    assert (pill.missing, pill.can_follow) == (False, False), "nobody can say yet who that is"
    # That the list was read to its end is news as well.
    await account.list_people(BOB)
    await account.settle()
    assert screen.state.flow.steps[0].pills[0].text.startswith("somebody not in your list")
    told, read = Told(screen.state_changed), Told(screen.administrators_changed)
    await account.list_people(BOB, ADA)
    await account.settle()
    assert screen.state.flow.steps[0].pills[0].text == "Ada Lovelace"
    assert told.times == 1
    assert read.times


async def test_people_who_administer_nothing_do_not_disturb_the_page(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    told = Told(screen.state_changed)
    await account.directory.took(msgspec.structs.replace(EVE, email="new@x.org"))
    await account.settle()
    assert told.times == 0


async def test_an_administrator_who_is_gone_is_missing(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    await account.list_people(ADA)
    await account.settle()
    assert gaps(screen) == ["1 gap", "2 gaps"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Welcome", "Baptism"]),
        ("  ", ["Welcome", "Baptism"]),
        ("WELC", ["Welcome"]),
        ("evening", ["Baptism"]),
        ("seating", ["Welcome"]),
        ("lovelace", ["Welcome"]),
        ("ost", ["Baptism"]),
        ("card ada", ["Welcome"]),
        ("card bob", []),
        ("eve adams", []),
    ],
)
async def test_a_search_finds_flows_by_name_step_and_administrator(
    screen: FlowsScreen, query: str, found: list[str]
) -> None:
    screen.search(query)
    assert listed(screen) == found


async def test_a_search_finds_who_administers_a_flow_as_a_whole(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    await account.list_flows(WELCOME, msgspec.structs.replace(EMPTY, admins=(EVE.id,)))
    screen.search("adams")
    assert listed(screen) == ["Empty"]


async def test_a_search_finds_a_step_administrator_whose_name_came_later(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await account.list_flows(WELCOME, BAPTISM)
    screen.search("lovelace")
    assert listed(screen) == []
    await account.list_people(ADA, BOB)
    await account.settle()
    assert listed(screen) == ["Welcome"]


async def test_a_flow_without_a_name_is_listed_as_such(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    await account.list_flows(PeopleFlow(id="n"))
    assert [(row.name, row.second_line) for row in rows(screen)] == [("(no name)", "no steps yet")]


async def test_a_search_that_hides_the_chosen_flow_chooses_the_first_found(
    screen: FlowsScreen,
) -> None:
    screen.search("baptism")
    assert screen.state.flow is not None
    assert (screen.state.chosen, screen.state.flow.name) == ("b", "Baptism")


async def test_a_search_that_finds_the_chosen_flow_keeps_it(screen: FlowsScreen) -> None:
    screen.choose("b")
    screen.search("a")
    assert (listed(screen), screen.state.chosen) == (["Welcome", "Baptism"], "b")


async def test_a_search_points_out_the_step_it_was_found_by(screen: FlowsScreen) -> None:
    told = Told(screen.step_wanted)
    screen.search("seating")
    assert (screen.state.chosen, screen.state.step_id, told.since()) == ("w", "3", 1)
    screen.search("seating ")
    assert told.since() == 0
    screen.search("evening")
    assert (screen.state.chosen, screen.state.step_id, told.since()) == ("b", "4", 1)
    screen.search("")
    assert (screen.state.chosen, screen.state.step_id, told.since()) == ("b", None, 0)


async def test_of_two_found_flows_each_points_out_its_own_step(screen: FlowsScreen) -> None:
    screen.search("e")
    first = screen.state.step_id
    told = Told(screen.step_wanted)
    screen.choose("b")
    assert (first, screen.state.step_id, told.times) == (None, "4", 1)


async def test_the_flows_with_gaps_can_be_listed_alone(screen: FlowsScreen) -> None:
    assert [each.text for each in screen.state.filters] == ["All flows", "With gaps"]
    screen.choose("b")
    screen.show_only_gaps(only=True)
    assert (listed(screen), screen.state.chosen) == (["Welcome"], "w")
    screen.search("baptism")
    assert listed(screen) == []
    screen.search("lunch")
    assert listed(screen) == ["Welcome"]
    screen.show_only_gaps(only=False)
    screen.search("")
    assert listed(screen) == ["Welcome", "Baptism"]


async def test_once_the_last_gap_is_closed_it_is_said_why_no_flow_is_listed(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    screen.choose("w")
    screen.show_only_gaps(only=True)
    closed = Step(id="2", name="Lunch", admins=(ADA.id,))
    await account.list_flows(msgspec.structs.replace(WELCOME, steps=(WELCOME.steps[0], closed)))
    said = "No flow has a gap. Choose All flows to see every flow again."
    assert (listed(screen), screen.state.nothing_listed_words) == ([], said)
    assert screen.state.flow is not None  # it stays in sight
    for query in ("baptism", ""):
        screen.search(query)
        assert screen.state.empty_words == said
    screen.show_only_gaps(only=False)
    assert (listed(screen), screen.state.nothing_listed_words) == (["Welcome"], "")


async def test_where_no_flow_has_a_gap_there_is_nothing_to_choose(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_people(BOB)
    await account.list_flows(BAPTISM)
    assert screen.state.filters == ()


async def test_the_chosen_flow_stays_chosen_when_flows_are_read_again(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    screen.choose("b")
    told = Told(screen.state_changed)
    await account.list_flows(EMPTY, BAPTISM, WELCOME)
    assert screen.state.chosen == "b"
    assert told.since() == 0
    await account.list_flows(WELCOME, msgspec.structs.replace(BAPTISM, name="Baptisms"))
    assert screen.state.flow is not None
    assert (screen.state.flow.name, told.since()) == ("Baptisms", 1)


async def test_a_chosen_flow_that_is_gone_gives_way_to_the_first(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    screen.choose("b")
    await account.list_flows(WELCOME)
    assert screen.state.chosen == "w"


async def test_a_flow_that_a_search_hides_can_be_gone_to(screen: FlowsScreen) -> None:
    screen.search("welcome")
    screen.choose("b")
    assert screen.state.flow is not None
    assert screen.state.flow.name == "Baptism"
    assert screen.list.position_of("b") is None


async def test_a_flow_gone_to_during_a_search_stays_when_there_is_news(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    screen.search("welcome")
    screen.choose("b")
    await account.directory.took(msgspec.structs.replace(EVE, email="new@x.org"))
    await account.settle()
    assert screen.state.chosen == "b"


async def test_what_somebody_administers_is_known_by_their_id(screen: FlowsScreen) -> None:
    assert screen.administered_by(BOB.id) == [
        Administers("b", "Baptism", ("the whole flow", "1 · Evening"), (None, "4"))
    ]
    assert screen.administered_by(EVE.id) == []


async def test_an_empty_page_says_why(account: AccountFixture) -> None:
    screen = screen_of(account)
    assert "not been read yet" in screen.state.empty_words
    await account.list_flows()
    assert screen.state.empty_words.startswith("The account has no people flows yet.")
    screen.search("zz")
    assert screen.state.empty_words.startswith("The account has no people flows yet.")
    await account.list_flows(EMPTY, WELCOME)
    assert screen.state.empty_words.startswith("No flow, step or administrator matches “zz”.")
    assert "Empty the search line" in screen.state.empty_words
    screen.search("")
    assert screen.state.empty_words.startswith("This flow has no steps yet.")
    screen.choose("w")
    assert screen.state.empty_words == ""


async def test_a_page_that_becomes_empty_is_told(screen: FlowsScreen) -> None:
    told = Told(screen.state_changed)
    screen.search("zz")
    assert (screen.state.flow, screen.state.chosen) == (None, None)
    assert told.times == 1


async def test_flows_that_are_being_asked_for_are_not_called_unread(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    told = Told(screen.state_changed)
    screen.being_read(True)
    assert (screen.state.empty_words, screen.state.empty_action) == ("Reading the flows.", "")
    screen.being_read(False)
    assert told.times == 2
    assert "not been read yet" in screen.state.empty_words
    assert screen.state.empty_action == "Read them now"


async def test_a_list_shorter_than_the_service_counts_is_told_until_it_is_whole(
    account: AccountFixture, screen: FlowsScreen
) -> None:
    told = Told(screen.state_changed)
    assert screen.state.missing_words == ""
    await refresh(account, PeopleFlows((WELCOME,), total=3))
    assert listed(screen) == ["Welcome", "Baptism"]
    assert screen.state.missing_words == (
        "The account gave 1 of its 3 flows. 1 is shown as it was before, at the end."
    )
    await refresh(account, PeopleFlows((WELCOME, BAPTISM), unreadable=2))
    assert screen.state.missing_words == "The account gave 2 of its 4 flows. 2 could not be read."
    assert told.since() == 2
    await refresh(account, PeopleFlows((WELCOME, BAPTISM)))
    assert (screen.state.missing_words, told.since()) == ("", 1)


async def test_a_first_reading_that_gives_fewer_than_it_counts_says_so(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await refresh(account, PeopleFlows((WELCOME,), total=3))
    assert screen.state.missing_words == "The account gave 1 of its 3 flows."


async def test_an_account_that_counts_flows_and_gives_none_is_not_said_to_have_none(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await refresh(account, PeopleFlows((), total=3))
    assert screen.state.empty_words == "The account gave 0 of its 3 flows."


async def refresh(account: AccountFixture, flows: PeopleFlows) -> None:
    account.scripted.flows = flows
    await account.catalogue.refresh(cast("Service", account.scripted))
    await account.settle()


async def test_of_too_many_flows_the_first_are_shown_and_that_is_said(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field_limits, "FLOWS", 2)
    screen = screen_of(account)
    for flows in ((WELCOME, BAPTISM, EMPTY), (EMPTY, BAPTISM, WELCOME)):
        account.scripted.flows = PeopleFlows(flows, 3)
        await account.catalogue.refresh(cast("Service", account.scripted))
        await account.settle()
        assert listed(screen) == [flow.name for flow in flows[:2]]
        assert screen.state.missing_words == "The account has 3 flows; no more than 2 can be shown."


async def test_who_means_what_is_found_waits_for_no_slow_search(
    account: AccountFixture, screen: FlowsScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count()
    slow = "app.runtime.turns.perf_counter"
    monkeypatch.setattr(slow, lambda: float(next(seconds)))
    screen.search("evening")
    assert screen.state.chosen == "w"
    screen.finish_search()
    assert (listed(screen), screen.state.chosen, screen.state.step_id) == (["Baptism"], "b", "4")
    await account.settle()
    assert (listed(screen), screen.state.chosen, screen.state.step_id) == (["Baptism"], "b", "4")
