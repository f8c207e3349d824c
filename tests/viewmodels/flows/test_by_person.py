"""*By person* over real lists: who has how much, what one of them administers, if they are away."""

import asyncio
import re

import pytest

from app.exporting.spreadsheet import CopiedRows
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.settings.saved_states import SavedState
from app.viewmodels.flows.by_person import ByPersonScreen, LoadOrder, PersonPage
from app.viewmodels.flows.by_person_rows import LoadRow, PostRow
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture

IMANI = Person(id="imani", firstname="Imani", lastname="Mwangi")
STRANGER = "5e1d0c7a-9f2c"
NEWCOMERS = PeopleFlow(
    id="newcomers",
    name="Newcomers",
    admins=(ADA.id, IMANI.id),
    steps=(
        Step(id="card", name="Card received", admins=(BOB.id,)),
        Step(
            id="lunch",
            name="Invite to lunch",
            admins=(ADA.id, EVE.id),
            steps=(Step(id="seats", name="Seating plan", admins=(IMANI.id, BOB.id)),),
        ),
        Step(id="group", name="Find a group", admins=(IMANI.id,), status="pending"),
    ),
)
CARE = PeopleFlow(
    id="care",
    name="Pastoral care",
    steps=(
        Step(id="visit", name="First visit", admins=(IMANI.id,)),
        Step(id="meals", name="Meals", admins=(BOB.id, STRANGER)),
    ),
)


@pytest.fixture
async def screen(account: AccountFixture) -> ByPersonScreen:
    """Two flows, with the people who administer them listed; Eve is archived."""
    await account.list_people(ADA, BOB, EVE, IMANI)
    screen = screen_of(account)
    await account.list_flows(NEWCOMERS, CARE)
    return screen


def screen_of(account: AccountFixture) -> ByPersonScreen:
    flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    return ByPersonScreen(flows, account.scope)


def rows(screen: ByPersonScreen) -> list[LoadRow]:
    model = screen.people
    found = [model.row_at(at) for at in range(model.rowCount())]
    return [row for row in found if isinstance(row, LoadRow)]


def names(screen: ByPersonScreen) -> list[str]:
    return [row.name for row in rows(screen)]


def lines(screen: ByPersonScreen) -> list[str]:
    shown = map(screen.posts.row_at, range(screen.posts.rowCount()))
    return [row.accessible_name for row in shown if row]


def page_of(screen: ByPersonScreen) -> PersonPage:
    assert screen.state.page is not None
    return screen.state.page


async def test_everybody_is_listed_with_how_much_they_have_and_on_how_much_they_are_alone(
    screen: ByPersonScreen,
) -> None:
    assert [(row.name, row.counts_words, row.posts, row.alone_words) for row in rows(screen)] == [
        ("Imani Mwangi", "3 steps, 1 whole flow, in 2 flows", 4, "alone on 2"),
        ("Bob Øst", "3 steps, in 2 flows", 3, "alone on 2"),
        ("Ada Lovelace", "1 step, 1 whole flow, in 1 flow", 2, "alone on 1"),
        ("Eve Adams", "1 step, in 1 flow", 1, ""),
        ("Somebody not in your list (…9f2c)", "1 step, in 1 flow", 1, ""),
    ]
    assert [row.badges for row in rows(screen)] == [(), (), (), ("archived",), ()]
    assert [row.missing for row in rows(screen)] == [False, False, False, True, True]


async def test_the_bars_are_read_out_as_numbers(screen: ByPersonScreen) -> None:
    bars = [(row.share, row.accessible_name) for row in rows(screen)]
    assert bars[1] == (
        0.75,
        "Bob Øst, 3 steps, in 2 flows, load 3, where the most is 4, alone on 2",
    )
    assert screen.state.figure_words == (
        "5 people. Most: Imani Mwangi, 4. Half have no more than 2."
    )


async def test_the_figure_is_about_those_who_are_listed(screen: ByPersonScreen) -> None:
    whole = screen.state.figure_words
    screen.search("meals")
    assert screen.found == 2
    assert screen.state.figure_words == "2 people. Most: Bob Øst, 3. Half have no more than 1."
    screen.search("imani")
    assert (screen.found, screen.state.figure_words) == (1, "")
    screen.search("zz")
    assert screen.state.figure_words == ""
    screen.search("")
    assert screen.state.figure_words == whole


async def test_of_two_with_as_much_the_figure_names_the_one_who_is_listed_first(
    account: AccountFixture,
) -> None:
    await account.list_people(ADA, BOB)
    screen = screen_of(account)
    await account.list_flows(PeopleFlow(id="f", admins=(BOB.id, ADA.id)))
    assert screen.state.figure_words.startswith("2 people. Most: Ada Lovelace, 1.")
    assert names(screen)[0] == "Ada Lovelace"


async def test_choosing_one_shows_all_of_it_by_flow_in_step_order(screen: ByPersonScreen) -> None:
    screen.choose(IMANI.id)
    assert lines(screen) == [
        "Newcomers",
        "the whole flow, with Ada Lovelace",
        "2.1 · Seating plan, with Bob Øst",
        "3 · Find a group, pending, alone",
        "Pastoral care",
        "1 · First visit, alone",
    ]
    page = page_of(screen)
    assert (page.name, page.summary) == (
        "Imani Mwangi",
        "3 steps, 1 whole flow, in 2 flows, alone on 2",
    )
    assert [row.place for row in screen.posts.keys] == [
        FlowPlace("newcomers"),
        FlowPlace("newcomers"),
        FlowPlace("newcomers", "seats"),
        FlowPlace("newcomers", "group"),
        FlowPlace("care"),
        FlowPlace("care", "visit"),
    ]


async def test_alone_beside_somebody_who_cannot_act_says_so(screen: ByPersonScreen) -> None:
    screen.choose(ADA.id)
    assert lines(screen)[-1] == "2 · Invite to lunch, alone, besides Eve Adams (archived)"
    screen.choose(BOB.id)
    assert lines(screen)[-1] == "2 · Meals, alone, besides somebody not in your list (…9f2c)"


async def test_an_id_that_matches_nobody_can_be_chosen_but_not_followed(
    screen: ByPersonScreen,
) -> None:
    screen.choose(STRANGER)
    assert (page_of(screen).can_follow, lines(screen)[-1]) == (False, "2 · Meals, with Bob Øst")
    screen.choose(EVE.id)
    assert (page_of(screen).can_follow, page_of(screen).badges) == (True, ("archived",))


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (LoadOrder.LOAD, ["Imani Mwangi", "Bob Øst", "Ada Lovelace", "Eve Adams"]),
        (LoadOrder.NAME, ["Ada Lovelace", "Bob Øst", "Eve Adams", "Imani Mwangi"]),
        (LoadOrder.ALONE, ["Bob Øst", "Imani Mwangi", "Ada Lovelace", "Eve Adams"]),
    ],
)
async def test_people_are_sorted_by_load_by_name_or_by_what_they_are_alone_with(
    screen: ByPersonScreen, order: LoadOrder, first: list[str]
) -> None:
    screen.sort_by(order)
    assert names(screen)[:4] == first
    assert names(screen)[4].startswith("Somebody")


async def test_the_order_and_who_was_chosen_come_back_at_the_next_start(
    account: AccountFixture, screen: ByPersonScreen
) -> None:
    screen.sort_by(LoadOrder.NAME)
    screen.choose(BOB.id)
    saved = SavedState(**screen.saved_state())  # type: ignore[arg-type]  # as it is written
    later = screen_of(account)
    later.restore(saved)
    assert later.saved_state() == screen.saved_state()
    await account.list_flows(NEWCOMERS, CARE)
    await account.settle()
    assert (later.state.order, page_of(later).name) == (LoadOrder.NAME, "Bob Øst")


async def test_if_somebody_is_away_the_steps_are_shown_that_then_have_nobody(
    screen: ByPersonScreen,
) -> None:
    screen.choose(IMANI.id)
    assert page_of(screen).away_words == "If Imani is away"
    screen.show_away(yes=True)
    assert page_of(screen).summary == "If Imani is away: nobody for 2 of 4 steps and flows."
    assert lines(screen) == [
        "Newcomers",
        "3 · Find a group, pending, Ada Lovelace runs this flow",
        "Pastoral care",
        "1 · First visit, nobody else runs this flow; in it: Bob Øst",
    ]
    assert page_of(screen).write_to == (ADA.id, BOB.id)
    screen.show_away(yes=False)
    assert len(lines(screen)) == 6
    assert page_of(screen).write_to == ()


async def test_whoever_has_somebody_beside_them_everywhere_leaves_nothing_behind(
    screen: ByPersonScreen,
) -> None:
    screen.choose(EVE.id, away=True)
    page = page_of(screen)
    assert page.summary == "Without Eve: every step and flow still has somebody."
    assert page.empty_words
    assert lines(screen) == []


async def test_what_is_shown_is_copied_as_text(
    account: AccountFixture, screen: ByPersonScreen
) -> None:
    copied: list[object] = []
    screen.copied.connect(copied.append)
    screen.choose(IMANI.id, away=True)
    screen.copy()
    await account.settle()
    (text,) = copied
    assert str(text).split("\n") == [
        "Imani Mwangi",
        "If Imani is away: nobody for 2 of 4 steps and flows.",
        "Newcomers",
        "• 3 · Find a group, pending, Ada Lovelace runs this flow",
        "Pastoral care",
        "• 1 · First visit, nobody else runs this flow; in it: Bob Øst",
    ]


async def test_the_same_is_copied_as_a_table_a_row_a_step(
    account: AccountFixture, screen: ByPersonScreen
) -> None:
    copied: list[object] = []
    screen.copied.connect(copied.append)
    screen.choose(IMANI.id)
    screen.copy()
    await account.settle()
    (rows,) = copied
    assert isinstance(rows, CopiedRows)
    table = [re.findall(r">([^<>]*)</t[hd]>", row) for row in rows.html.split("</tr>")]
    assert table[:4] == [
        ["Name", "Flow", "Step number", "Step", "Pending", "Remark"],
        ["Imani Mwangi", "Newcomers", "", "the whole flow", "", "with Ada Lovelace"],
        ["Imani Mwangi", "Newcomers", "2.1", "Seating plan", "", "with Bob Øst"],
        ["Imani Mwangi", "Newcomers", "3", "Find a group", "pending", "alone"],
    ]


async def test_nothing_that_is_copied_is_calculated(account: AccountFixture) -> None:
    await account.list_people(Person(id="odd", firstname="=1+1"))
    screen = screen_of(account)
    step = Step(id="s", name="-1", admins=("odd",))
    await account.list_flows(PeopleFlow(id="f", name="=HYPERLINK(1)", steps=(step,)))
    copied: list[object] = []
    screen.copied.connect(copied.append)
    screen.copy()
    await account.settle()
    (text,) = copied
    lines = str(text).split("\n")
    assert lines[:1] + lines[2:] == ["'=1+1", "'=HYPERLINK(1)", "• 1 · -1, alone"]


async def test_everybody_who_could_take_over_is_written_to(account: AccountFixture) -> None:
    many = [Person(id=f"p{n}", firstname=f"P{n}") for n in range(260)]
    await account.list_people(ADA, *many)
    screen = screen_of(account)
    steps = (Step(id="s", admins=(ADA.id,)),)
    runs = tuple(one.id for one in many)
    await account.list_flows(PeopleFlow(id="f", admins=runs, steps=steps))
    screen.choose(ADA.id, away=True)
    assert page_of(screen).write_to == runs


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("imani", ["Imani Mwangi"]),
        ("ost", ["Bob Øst"]),
        ("pastoral", ["Imani Mwangi", "Bob Øst", "Somebody not in your list (…9f2c)"]),
        ("seating", ["Imani Mwangi", "Bob Øst"]),
        ("seating imani", ["Imani Mwangi"]),
        ("archived", ["Eve Adams"]),
        ("alone", ["Imani Mwangi", "Bob Øst", "Ada Lovelace"]),
        ("pending", ["Imani Mwangi"]),
        ("not in your list", ["Somebody not in your list (…9f2c)"]),
        ("nobody", []),
        ("zzz", []),
    ],
)
async def test_people_are_found_by_name_flow_step_and_mark(
    screen: ByPersonScreen, query: str, found: list[str]
) -> None:
    screen.search(query)
    assert names(screen) == found
    assert screen.found == len(found)
    assert bool(screen.state.empty_words) is (not found)
    screen.search("")
    assert screen.found == 5


async def test_somebody_is_found_by_the_name_they_go_by_and_whoever_has_died_is_marked(
    account: AccountFixture,
) -> None:
    jon = Person(id="jon", firstname="Jonathan", lastname="Reed", preferred_name="Jonny")
    ivy = Person(id="ivy", firstname="Ivy", lastname="Moss", deceased=True)
    await account.list_people(jon, ivy)
    screen = screen_of(account)
    await account.list_flows(
        PeopleFlow(id="f", name="F", steps=(Step(id="s", admins=("jon", "ivy")),))
    )
    screen.search("jonny")
    assert names(screen) == ["Jonathan Reed"]
    screen.search("deceased")
    assert [(row.name, row.badges, row.missing) for row in rows(screen)] == [
        ("Ivy Moss", ("deceased",), True)
    ]
    screen.search("")
    screen.choose("jon")
    assert lines(screen)[-1] == "1 · (no name), alone, besides Ivy Moss (deceased)"
    screen.show_away(yes=True)
    assert page_of(screen).write_to == ()


async def test_a_row_says_why_it_was_found_and_what_was_searched_is_marked(
    screen: ByPersonScreen,
) -> None:
    screen.search("imani seating")
    (row,) = rows(screen)
    assert (row.second_line, row.name_highlights) == ("step: Seating plan", ((0, 5),))
    assert page_of(screen).name == "Imani Mwangi"
    marked = [row for row in map(screen.posts.row_at, range(6)) if isinstance(row, PostRow)]
    assert [row.name for row in marked if row.highlights] == ["Seating plan"]


async def test_a_search_shows_somebody_who_is_found_and_then_whoever_was_chosen_again(
    screen: ByPersonScreen,
) -> None:
    screen.choose(ADA.id)
    screen.search("archived")
    assert page_of(screen).name == "Eve Adams"
    screen.search("seating")
    assert page_of(screen).name == "Imani Mwangi"
    screen.search("zzz")
    assert screen.state.page is None
    screen.search("")
    assert page_of(screen).name == "Ada Lovelace"


async def test_nobody_is_said_to_be_missing_before_the_people_are_known(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    assert screen.state.empty_words == "The flows have not been read yet."
    await account.list_flows(NEWCOMERS)
    assert (names(screen), screen.state.has_people) == ([], False)
    assert "people have been read" in screen.state.empty_words
    await account.list_people(ADA, BOB, EVE, IMANI)
    await account.settle()
    assert (len(rows(screen)), screen.state.empty_words) == (4, "")


async def test_flows_that_nobody_administers_say_so(account: AccountFixture) -> None:
    await account.list_people(ADA)
    screen = screen_of(account)
    await account.list_flows(PeopleFlow(id="f", name="F", steps=(Step(id="s"),)))
    assert screen.state.empty_words == "Nobody administers any of the flows yet."


async def test_whoever_is_chosen_stays_so_when_the_flows_are_read_again(
    account: AccountFixture, screen: ByPersonScreen
) -> None:
    screen.choose(BOB.id)
    resets: list[object] = []
    screen.posts.modelReset.connect(lambda: resets.append(None))
    await account.list_flows(NEWCOMERS, CARE)
    assert (page_of(screen).name, resets) == ("Bob Øst", [])
    await account.list_flows(CARE)
    assert (page_of(screen).name, lines(screen)) == (
        "Bob Øst",
        ["Pastoral care", "2 · Meals, alone, besides somebody not in your list (…9f2c)"],
    )
    await account.list_flows(PeopleFlow(id="x", steps=(Step(id="y", admins=(ADA.id,)),)))
    assert page_of(screen).name == "Ada Lovelace"


async def test_very_much_of_one_comes_line_by_line_and_all_of_it(account: AccountFixture) -> None:
    await account.list_people(ADA)
    screen = screen_of(account)
    steps = tuple(Step(id=f"s{n}", name=f"Step {n}", admins=(ADA.id,)) for n in range(40))
    many = [PeopleFlow(id=f"f{n}", name=f"Flow {n}", steps=steps) for n in range(150)]
    await account.list_flows(*many)
    screen.show_away(yes=True)
    at_once = screen.posts.rowCount()
    assert 0 < at_once < 150 * 41
    await asyncio.sleep(0)
    await account.settle()
    assert screen.posts.rowCount() == 150 * 41
    assert screen.posts.position_of(screen.posts.keys[-1]) == 150 * 41 - 1


async def test_who_looks_alone_in_a_list_that_was_cut_off_may_not_be(
    account: AccountFixture,
) -> None:
    """Nor is nobody there without them: whoever is beside them may be among those left out."""
    doubt = "The list of people was not read whole: somebody else may be there."
    screen = screen_of(account)
    await account.list_people(ADA, BOB, EVE, IMANI, total=9)
    await account.list_flows(NEWCOMERS, CARE)
    screen.choose(BOB.id)
    assert page_of(screen).summary.endswith(doubt)
    screen.show_away(yes=True)
    assert page_of(screen).summary.endswith(doubt)
    await account.list_people(ADA, BOB, EVE, IMANI)
    await account.settle()
    assert doubt not in page_of(screen).summary


async def test_nobody_is_said_to_administer_nothing_where_that_was_not_told(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await account.list_people(ADA)
    await account.list_flows(PeopleFlow(id="f", steps=(Step(id="s", admins_told=False),)))
    assert screen.state.empty_words == "The account did not tell who administers the flows."
