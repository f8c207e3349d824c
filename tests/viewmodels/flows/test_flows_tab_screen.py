"""The ways to read the flows: one is shown, all are searched, and there are ways back."""

import asyncio
import itertools

import msgspec
import pytest

from app.flows.gaps import GapKind
from app.model.flow import PeopleFlow, Step
from app.settings.saved_states import SavedState
from app.viewmodels.flows import flows_tab
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen, ReturnPoint
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.flows.navigation import AMONG_PEOPLE, Visit
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told

WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    admins=(ADA.id,),
    steps=(
        Step(id="1", name="Card received", admins=(ADA.id,), entry_point="y"),
        Step(id="2", name="Lunch"),
    ),
)
BAPTISM = PeopleFlow(
    id="b",
    name="Baptism",
    admins=(BOB.id,),
    steps=(Step(id="4", name="Evening", admins=(EVE.id,), entry_point="y"),),
)


def tab_of(account: AccountFixture) -> FlowsTabScreen:
    flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    return FlowsTabScreen(
        flows,
        by_person=ByPersonScreen(flows, account.scope),
        gaps=GapsScreen(flows, account.directory, account.events, account.scope),
        scope=account.scope,
    )


@pytest.fixture
async def tab(account: AccountFixture) -> FlowsTabScreen:
    """Welcome, in which nobody has the lunch, and Baptism, where somebody archived has a step."""
    await account.list_people(ADA, BOB, EVE)
    tab = tab_of(account)
    await account.list_flows(WELCOME, BAPTISM)
    return tab


def elsewhere(tab: FlowsTabScreen) -> list[tuple[FlowsView, str]]:
    return [(one.view, one.words) for one in tab.state.elsewhere]


async def test_the_flows_are_shown_until_another_view_is_chosen(tab: FlowsTabScreen) -> None:
    assert tab.state.view is FlowsView.FLOWS
    told = Told(tab.state_changed)
    tab.show(FlowsView.GAPS)
    assert (tab.state.view, told.times) == (FlowsView.GAPS, 1)
    assert tab.state.chips[tab.state.chip_on].view is FlowsView.GAPS


async def test_the_chip_says_how_many_gaps_there_are(tab: FlowsTabScreen) -> None:
    words = {chip.view: chip.text for chip in tab.state.chips}
    assert (words[FlowsView.FLOWS], words[FlowsView.GAPS]) == ("Flows", "Gaps 2")


async def test_each_view_says_what_it_is_searched_for(tab: FlowsTabScreen) -> None:
    flows = tab.state.search_hint
    tab.show(FlowsView.GAPS)
    assert (flows, tab.state.search_hint) == ("Search flows, steps, people", "Search gaps")


async def test_a_search_lists_in_the_view_shown_and_counts_in_the_others(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    tab.search("lunch")
    await account.settle()
    assert tab.flows.list.keys == ("w",)
    assert elsewhere(tab) == [(FlowsView.GAPS, "1 in “Gaps”")]
    tab.show(FlowsView.GAPS)
    assert [gap.flow.id for gap in tab.gaps.list.keys] == ["w"]
    assert (tab.state.query, elsewhere(tab)) == ("lunch", [(FlowsView.FLOWS, "1 in “Flows”")])
    tab.search("")
    await account.settle()
    assert elsewhere(tab) == []


async def test_a_search_in_another_view_leaves_the_chosen_flow_alone(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    tab.show(FlowsView.GAPS)
    tab.search("evening")
    await account.settle()
    found = [(FlowsView.FLOWS, "1 in “Flows”"), (FlowsView.BY_PERSON, "1 in “By person”")]
    assert (tab.flows.state.chosen, elsewhere(tab)) == ("w", found)
    tab.show(FlowsView.FLOWS)
    assert tab.flows.state.chosen == "b"


async def test_a_gap_leads_to_its_step_and_back(tab: FlowsTabScreen) -> None:
    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    assert (tab.state.view, tab.state.back_words) == (FlowsView.FLOWS, "Back to Gaps")
    assert (tab.flows.state.chosen, tab.flows.state.step_id) == ("b", "4")
    assert tab.go_back()
    assert (tab.state.view, tab.state.back_words) == (FlowsView.GAPS, "")
    assert not tab.go_back()


async def test_who_chooses_a_view_has_no_way_back_to_the_one_before(tab: FlowsTabScreen) -> None:
    tab.show(FlowsView.GAPS)
    tab.show(FlowsView.FLOWS)
    assert tab.state.back_words == ""
    assert not tab.go_back()


async def test_who_comes_from_the_people_has_a_way_back_until_they_go_elsewhere(
    tab: FlowsTabScreen,
) -> None:
    tab.open(FlowPlace("b", "4"), AMONG_PEOPLE)
    told = [tab.state.back_words]
    assert tab.return_to_people()
    assert not tab.return_to_people()
    tab.open_person(ADA.id)
    told += [tab.state.view, tab.state.back_words]
    tab.show(FlowsView.GAPS)
    told.append(tab.state.back_words)
    assert told == ["Back to People", FlowsView.BY_PERSON, "Back to People", ""]
    assert not tab.return_to_people()


async def test_who_follows_a_name_from_a_view_comes_back_to_it(tab: FlowsTabScreen) -> None:
    tab.show(FlowsView.GAPS)
    tab.leave_for_person()
    assert tab.state.return_words == "Back to Gaps"
    assert tab.return_from_person() is FlowsView.GAPS
    assert tab.state.return_words == ""


ADA_CHOSEN = Visit(None, person_id="ada", query="lovelace")


async def test_all_that_one_of_the_people_administers_is_shown_with_a_way_back_to_them(
    tab: FlowsTabScreen,
) -> None:
    tab.search("nothing like that")
    tab.open_person(ADA.id, ADA_CHOSEN)
    assert (tab.state.view, tab.state.back_words) == (FlowsView.BY_PERSON, "Back to People")
    assert tab.by_person.state.chosen == ADA.id
    assert tab.last_visit == ADA_CHOSEN


async def test_the_way_back_leads_through_every_place_and_forward_again(
    tab: FlowsTabScreen,
) -> None:
    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    name = ReturnPoint("b", "4", "ada", 0)
    tab.flows.follow_from(name)
    tab.leave_for_person()
    tab.open(FlowPlace("w", "2"), ADA_CHOSEN)
    told = [tab.state.back_words]
    assert tab.last_visit == ADA_CHOSEN
    assert tab.return_to_people()
    told.append(tab.state.return_words)
    assert tab.return_from_person(ADA_CHOSEN) is FlowsView.FLOWS
    told.append(tab.state.back_words)
    assert (tab.flows.state.chosen, tab.flows.state.came_from) == ("b", name)
    assert tab.go_back()
    assert (tab.state.view, tab.state.back_words, tab.go_back()) == (FlowsView.GAPS, "", False)
    assert told == ["Back to People", "Back to Baptism", "Back to Gaps"]

    ahead = []
    for among_people in (False, False, True, False):
        visit = tab.go_forward(among_people=among_people, here=ADA_CHOSEN)
        flow, words = tab.flows.state.chosen, tab.state.back_words or tab.state.return_words
        ahead.append((visit and visit.view, visit and visit.person_id, flow, words))
    assert ahead == [
        ("flows", None, "b", "Back to Gaps"),
        (None, "ada", "b", "Back to Baptism"),
        ("flows", None, "w", "Back to People"),
        (None, None, "w", "Back to People"),
    ]
    assert tab.flows.state.step_id == "2"
    assert tab.go_forward(among_people=False) is None


async def test_the_way_forward_is_told_where_it_begins_and_nowhere_else(
    tab: FlowsTabScreen,
) -> None:
    def told() -> tuple[str, str]:
        return tab.state.forward_words, tab.state.onward_words

    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    tab.leave_for_person()
    assert told() == ("", "")
    tab.return_from_person(ADA_CHOSEN)
    assert told() == ("On to People", "")
    tab.go_back()
    assert told() == ("On to Flows", "")
    tab.go_forward(among_people=False)
    assert told() == ("On to People", "")
    tab.go_forward(among_people=False)
    assert told() == ("", "")
    tab.open(FlowPlace("w", "2"), ADA_CHOSEN)
    tab.return_to_people()
    assert told() == ("", "On to Flows")
    tab.came_by_hand(among_people=False)
    assert told()[1] == ""
    tab.show(FlowsView.BY_PERSON)
    assert told() == ("", "")


async def test_who_is_led_elsewhere_has_no_way_forward_any_more(tab: FlowsTabScreen) -> None:
    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    assert tab.go_back()
    tab.leave_for_person()
    assert tab.go_forward(among_people=True) is None
    assert tab.return_from_person() is FlowsView.GAPS
    tab.show(FlowsView.BY_PERSON)
    assert tab.go_forward(among_people=False) is None


async def test_who_goes_back_by_hand_is_back(tab: FlowsTabScreen) -> None:
    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    tab.leave_for_person()
    tab.came_by_hand(among_people=False)
    assert (tab.state.back_words, tab.state.return_words) == ("Back to Gaps", "")
    tab.came_by_hand(among_people=True)
    assert (tab.state.back_words, tab.state.return_words) == ("Back to Gaps", "")
    tab.open(FlowPlace("w"), AMONG_PEOPLE)
    tab.came_by_hand(among_people=True)
    assert (tab.state.back_words, tab.state.return_words) == ("", "")


async def test_nobody_is_led_back_to_a_name_in_a_flow_that_is_gone(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    tab.show(FlowsView.GAPS)
    tab.lead_to(FlowPlace("b", "4"))
    tab.flows.follow_from(ReturnPoint("b", "4", EVE.id, 0))
    tab.leave_for_person()
    assert tab.state.return_words == "Back to Baptism"
    await account.list_flows(WELCOME, msgspec.structs.replace(BAPTISM, name="Christening"))
    assert tab.state.return_words == "Back to Christening"
    await account.list_flows(WELCOME)
    assert tab.state.return_words == "Back to Gaps"
    assert tab.return_from_person() is FlowsView.GAPS
    assert tab.return_from_person() is None


async def test_the_oldest_places_are_forgotten(tab: FlowsTabScreen) -> None:
    for _ in range(200):
        tab.show_found(FlowsView.GAPS)
        tab.show_found(FlowsView.FLOWS)
    back = 0
    while tab.go_back():
        back += 1
    assert back == 50


async def test_the_view_of_an_earlier_run_is_shown_again(tab: FlowsTabScreen) -> None:
    tab.restore(SavedState(flows_view="no such view"))
    assert tab.state.view is FlowsView.FLOWS
    for view in (FlowsView.BY_PERSON, FlowsView.GAPS, FlowsView.FLOWS):
        tab.restore(SavedState(flows_view=view.value))
        assert tab.state.view is view


@pytest.mark.parametrize(
    ("shown", "query", "view"),
    [
        (FlowsView.FLOWS, "lunch", FlowsView.FLOWS),
        (FlowsView.FLOWS, "zz", FlowsView.FLOWS),
        (FlowsView.GAPS, "lunch", FlowsView.GAPS),
        (FlowsView.GAPS, "gap", FlowsView.GAPS),
        (FlowsView.GAPS, "card", FlowsView.FLOWS),
        (FlowsView.GAPS, "øst", FlowsView.FLOWS),
        (FlowsView.BY_PERSON, "lovelace", FlowsView.BY_PERSON),
        (FlowsView.GAPS, "", FlowsView.GAPS),
    ],
)
async def test_enter_leads_to_the_view_that_found_something(
    tab: FlowsTabScreen, shown: FlowsView, query: str, view: FlowsView
) -> None:
    tab.show(shown)
    tab.search(query)
    tab.go_to_found()
    assert tab.state.view is view


async def test_enter_leads_there_also_before_a_slow_search_is_through(
    tab: FlowsTabScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab.show(FlowsView.GAPS)
    monkeypatch.setattr("app.viewmodels.flows.search._SLICE", 1)
    seconds = itertools.count()
    monkeypatch.setattr("app.runtime.turns.perf_counter", lambda: float(next(seconds)))
    tab.search("card")
    tab.go_to_found()
    state = tab.flows.state
    assert (tab.state.view, state.chosen, state.step_id) == (FlowsView.FLOWS, "w", "1")


async def test_who_was_led_to_what_another_view_found_has_a_way_back(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    tab.show(FlowsView.GAPS)
    tab.search("card")
    await account.settle()
    tab.go_to_found()
    assert (tab.state.view, tab.state.back_words) == (FlowsView.FLOWS, "Back to Gaps")
    assert tab.go_back()
    assert (tab.state.view, tab.state.query, tab.state.back_words) == (FlowsView.GAPS, "card", "")


async def test_who_follows_what_another_view_found_has_a_way_back(tab: FlowsTabScreen) -> None:
    tab.search("lunch")
    tab.show_found(FlowsView.GAPS)
    assert tab.state.back_words == "Back to Flows"
    assert tab.go_back()
    assert (tab.state.view, tab.state.back_words) == (FlowsView.FLOWS, "")


async def test_what_was_chosen_in_each_view_comes_back_at_the_next_start(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    tab.flows.choose("b")
    tab.flows.show_only_gaps(only=True)
    tab.flows.choose("b")
    tab.gaps.show_kind(GapKind.ARCHIVED)
    tab.show(FlowsView.GAPS)
    saved = SavedState(**tab.saved_state())  # type: ignore[arg-type]  # as it is written
    later = tab_of(account)
    later.restore(saved)
    assert later.saved_state() == tab.saved_state()
    await account.list_flows(WELCOME, BAPTISM, PeopleFlow(id="f", name="Fine"))
    await account.settle()
    assert later.state.view is FlowsView.GAPS
    assert later.flows.state.only_gaps
    assert later.flows.state.chosen == "b"
    assert {gap.kind for gap in later.gaps.list.keys} == {GapKind.ARCHIVED}


async def test_a_kind_of_which_no_gap_is_left_says_so_and_one_of_no_name_is_nothing(
    account: AccountFixture, tab: FlowsTabScreen
) -> None:
    later = tab_of(account)
    later.restore(SavedState(gaps_kind="no-steps"))
    await account.list_flows(WELCOME)
    await account.settle()
    assert later.gaps.state.empty_words == "There is no gap of this kind."
    tab.restore(SavedState(gaps_kind="of another time"))
    assert tab.gaps.state.kind is None


async def test_what_another_view_found_is_shown_of_every_kind(tab: FlowsTabScreen) -> None:
    tab.gaps.show_kind(GapKind.ARCHIVED)
    tab.search("lunch")
    tab.show_found(FlowsView.GAPS)
    assert [gap.kind for gap in tab.gaps.list.keys] == [GapKind.NOBODY]


async def test_the_other_views_are_searched_once_the_one_shown_has_been_painted(
    account: AccountFixture, tab: FlowsTabScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flows_tab, "_A_FRAME", 60, raising=False)
    tab.search("lunch")
    for _ in range(10):
        await asyncio.sleep(0)
    assert (tab.flows.state.query, tab.gaps.state.query) == ("lunch", "")
    monkeypatch.setattr(flows_tab, "_A_FRAME", 0)
    tab.search("evening")
    await account.settle()
    assert (tab.flows.state.query, tab.gaps.state.query) == ("evening", "evening")


async def test_what_a_key_changes_around_the_view_is_told_once(tab: FlowsTabScreen) -> None:
    for view in tab.shown_views:
        tab.show(view)
        told = Told(tab.state_changed)
        tab.search("card")
        assert told.times == 1
        tab.search("")
