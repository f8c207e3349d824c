"""The gaps as they are listed: what is missing, where, who else there is, by kind and by search."""

import asyncio

import pytest

from app.flows.gaps import GapKind
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.gaps import GapRow, GapsScreen
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.viewmodels.formatting import moment_words
from tests.viewmodels.conftest import ADA, BOB, EVE, NOON, AccountFixture, Told

STRANGER = "1234-5678-9abc"
WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    admins=(ADA.id, BOB.id),
    steps=(
        Step(id="1", name="Card received", admins=(ADA.id,), entry_point="y"),
        Step(id="2", name="Coffee"),
        Step(id="3", name="Lunch", admins=(EVE.id, BOB.id)),
        Step(id="4", name="Find a group", admins=(EVE.id,), status="pending"),
        Step(id="5", name="Serving", admins=(STRANGER,)),
    ),
)
CAMP = PeopleFlow(id="c", name="Camp", admins=(EVE.id,))
KEYS = PeopleFlow(id="k", name="Keys", steps=(Step(id="6", name="Ask", admins=(BOB.id,)),))


def screen_of(account: AccountFixture) -> GapsScreen:
    flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    return GapsScreen(flows, account.directory, account.events, account.scope)


@pytest.fixture
async def screen(account: AccountFixture) -> GapsScreen:
    """Three flows with gaps of every kind."""
    await account.list_people(ADA, BOB, EVE)
    screen = screen_of(account)
    await account.list_flows(WELCOME, CAMP, KEYS)
    return screen


def rows(screen: GapsScreen) -> list[GapRow]:
    model = screen.list
    every = [model.data(model.index(at), ROW_ROLE) for at in range(model.rowCount())]
    return [row for row in every if isinstance(row, GapRow)]


def places(screen: GapsScreen) -> list[str]:
    return [row.place.step_id or row.place.flow_id for row in rows(screen)]


async def test_each_gap_says_what_is_missing_where_and_who_else_there_is(
    screen: GapsScreen,
) -> None:
    read = f"the list was read whole at {moment_words(NOON)}"
    assert [row.texts for row in rows(screen)] == [
        (
            "Nobody administers this step",
            "Welcome",
            "2 · Coffee",
            "the flow is run by Ada Lovelace and Bob Øst",
        ),
        ("Archived administrator: Eve Adams", "Welcome", "3 · Lunch", "with Bob Øst"),
        (
            "Archived administrator: Eve Adams",
            "Welcome",
            "4 · Find a group (pending)",
            "alone on this step",
        ),
        (
            "Somebody not in your list (…9abc)",
            "Welcome",
            "5 · Serving (pending)",
            f"{read} · alone on this step",
        ),
        ("Archived administrator: Eve Adams", "Camp", "", "alone on this flow"),
        ("No steps yet", "Camp", "", "the flow is run by Eve Adams (archived)"),
        ("Nobody administers this flow", "Keys", "", "steps are administered by Bob Øst"),
        ("No step is an entry point", "Keys", "", "so people may join at any step"),
    ]


async def test_a_gap_leads_to_its_step_or_to_its_flow(screen: GapsScreen) -> None:
    assert [row.place for row in rows(screen)][3:5] == [FlowPlace("w", "5"), FlowPlace("c")]


async def test_the_chips_count_each_kind_and_show_it_alone(screen: GapsScreen) -> None:
    assert [chip.text for chip in screen.state.chips if chip.shown] == [
        "All 8",
        "Nobody 2",
        "Not in your list 1",
        "Archived 3",
        "No steps 1",
        "No entry point 1",
    ]
    screen.show_kind(GapKind.ARCHIVED)
    assert places(screen) == ["3", "4", "c"]
    assert screen.state.chips[screen.state.chip_on].kind is GapKind.ARCHIVED
    screen.show_kind(None)
    assert len(places(screen)) == screen.count == 8


async def test_a_kind_of_which_there_is_none_has_no_chip(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_people(ADA, BOB, EVE)
    await account.list_flows(KEYS)
    await account.settle()
    shown = [chip.kind for chip in screen.state.chips if chip.shown]
    assert shown == [None, GapKind.NOBODY, GapKind.NO_ENTRY_POINT]


async def test_the_number_of_gaps_is_that_of_the_marks_at_the_flows(
    account: AccountFixture,
) -> None:
    flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    screen = GapsScreen(flows, account.directory, account.events, account.scope)
    await account.list_people(ADA, BOB, EVE)
    await account.list_flows(WELCOME, CAMP, KEYS)
    await account.settle()
    marks = [row.gaps_words for row in map(flows.list.row_at, range(3)) if row]
    assert marks == ["4 gaps", "2 gaps", "2 gaps"]
    assert screen.count == 4 + 2 + 2


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("nobody", ["2", "k"]),
        ("gap", ["2", "3", "4", "5", "c", "c", "k", "k"]),
        ("ARCHIVED", ["3", "4", "c", "c"]),
        ("pending", ["4", "5"]),
        ("archived pending", ["4"]),
        ("9abc", ["5"]),
        ("coffee", ["2"]),
        ("camp", ["c", "c"]),
        ("lovelace", ["2"]),
        ("entry", ["k"]),
        ("zz", []),
    ],
)
async def test_gaps_are_found_by_kind_place_and_people(
    account: AccountFixture, screen: GapsScreen, query: str, found: list[str]
) -> None:
    screen.search(query)
    await account.settle()
    assert (places(screen), screen.found) == (found, len(found))


async def test_a_search_marks_what_was_found(screen: GapsScreen) -> None:
    screen.search("coffee")
    assert rows(screen)[0].highlights == ((), (), ((4, 6),), ())


async def test_what_matches_nothing_is_said(screen: GapsScreen) -> None:
    assert screen.state.empty_words == ""
    screen.search("zz")
    assert screen.state.empty_words == "No gap matches “zz”."
    screen.search("coffee")
    screen.show_kind(GapKind.ARCHIVED)
    assert screen.state.empty_words == "No gap of this kind matches what is searched."


async def test_nothing_is_a_gap_before_the_people_were_read(account: AccountFixture) -> None:
    screen, gate = screen_of(account), asyncio.Event()
    await account.list_flows(WELCOME, CAMP, KEYS)
    reading = asyncio.create_task(account.read([ADA], gate, [BOB, EVE], total=3))
    await account.until(lambda: account.directory.row_of(ADA.id) is not None)
    await account.settle()
    assert (screen.count, screen.found, rows(screen)) == (0, 0, [])
    assert screen.state.empty_words.startswith("What is missing can be told once the list")
    gate.set()
    await reading
    await account.settle()
    assert (screen.count, screen.state.empty_words) == (8, "")


async def test_a_list_that_was_not_read_whole_is_told_of(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_people(ADA, BOB, EVE, total=7)
    await account.list_flows(WELCOME)
    await account.settle()
    screen.show_kind(GapKind.NOT_IN_LIST)
    assert rows(screen)[0].remark.startswith(f"the list read at {moment_words(NOON)} was not whole")
    # The same people, all of whom there are.
    await account.list_people(ADA, BOB, EVE)
    await account.settle()
    assert rows(screen)[0].remark.startswith("the list was read whole")


async def test_who_has_died_is_missing_wherever_they_administer_something(
    account: AccountFixture,
) -> None:
    ivy = Person(id="ivy", firstname="Ivy", deceased=True)
    screen = screen_of(account)
    await account.list_people(ADA, ivy)
    first = Step(id="1", name="Call", admins=(ivy.id,), entry_point="y")
    await account.list_flows(PeopleFlow(id="f", name="F", admins=(ivy.id, ADA.id), steps=(first,)))
    await account.settle()
    words = "Deceased administrator: Ivy"
    assert [row.texts for row in rows(screen)] == [
        (words, "F", "", "with Ada Lovelace"),
        (words, "F", "1 · Call", "alone on this step"),
    ]
    assert [chip.text for chip in screen.state.chips if chip.shown] == ["All 2", "Deceased 2"]
    screen.search("deceased")
    assert len(rows(screen)) == 2


async def test_who_is_archived_and_has_died_stands_under_both(account: AccountFixture) -> None:
    ivy = Person(id="ivy", firstname="Ivy", deceased=True, archived=True)
    screen = screen_of(account)
    await account.list_people(ADA, ivy, EVE)
    steps = (Step(id="1", admins=(ivy.id,), entry_point="y"), Step(id="2", admins=(EVE.id,)))
    await account.list_flows(PeopleFlow(id="f", name="F", admins=(ADA.id,), steps=steps))
    await account.settle()
    listed = {}
    for kind in (None, GapKind.ARCHIVED, GapKind.DECEASED):
        screen.show_kind(kind)
        listed[kind] = places(screen)
    assert listed == {None: ["1", "2"], GapKind.ARCHIVED: ["1", "2"], GapKind.DECEASED: ["1"]}
    chips = [chip.text for chip in screen.state.chips if chip.shown]
    assert chips == ["All 2", "Archived 2", "Deceased 1"]


async def test_where_nothing_is_missing_that_is_said(account: AccountFixture) -> None:
    screen = screen_of(account)
    await account.list_people(ADA)
    first = Step(id="1", admins=(ADA.id,), entry_point="y")
    await account.list_flows(PeopleFlow(id="f", admins=(ADA.id,), steps=(first,)))
    await account.settle()
    assert screen.state.empty_words.startswith("Nothing is missing")


async def test_many_administrators_are_counted(account: AccountFixture) -> None:
    people = [Person(id=f"p{at}", firstname=f"P{at}") for at in range(5)]
    screen = screen_of(account)
    await account.list_people(*people)
    steps = (Step(id="1", entry_point="y"),)
    await account.list_flows(
        PeopleFlow(id="f", admins=tuple(one.id for one in people), steps=steps)
    )
    await account.settle()
    assert rows(screen)[0].remark == "the flow is run by P0, P1, P2 and 2 more"


async def test_a_gap_keeps_its_place_when_all_is_read_again(
    account: AccountFixture, screen: GapsScreen
) -> None:
    told = Told(screen.list.modelReset)
    lunch = screen.list.key_at(1)
    await account.list_flows(WELCOME, CAMP, KEYS)
    assert told.times == 0
    await account.list_flows(KEYS, WELCOME)
    assert (told.times, screen.list.position_of(lunch)) == (1, 3)


async def test_those_who_run_the_flows_that_are_shown_can_be_written_to(
    screen: GapsScreen,
) -> None:
    meant = [screen.run_by]
    can_write = [screen.state.can_write]
    screen.show_kind(GapKind.NO_ENTRY_POINT)
    meant.append(screen.run_by)
    screen.show_kind(None)
    for query in ("camp", "nothing is called so"):
        screen.search(query)
        meant.append(screen.run_by)
    can_write.append(screen.state.can_write)
    assert meant == [(ADA.id, BOB.id, EVE.id, STRANGER), (BOB.id,), (EVE.id,), ()]
    assert can_write == [True, False]
