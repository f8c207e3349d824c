"""What a flow, a step and a name offer in the Flows tab, and what is copied of them."""

import msgspec
import pytest

from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.command_palette.command import commands_of
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.copying import words_of
from app.viewmodels.flows.flows import FlowsScreen, KnownFlows
from app.viewmodels.flows.menu import (
    FlowAction,
    menu_of_change,
    menu_of_name,
    menu_of_person,
    menu_of_place,
    with_gaps,
)
from app.viewmodels.flows.what_is_new.news_rows import NewsRow
from app.viewmodels.menu_items import Groups, MenuItem
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture

FLOW = PeopleFlow(
    id="w",
    name="Welcome",
    access="",
    admins=("bob",),
    steps=(
        Step(id="s1", name="Call", admins=("ada", "bob"), entry_point="y"),
        Step(
            id="s2",
            name="=1+1",
            status="pending",
            steps=(Step(id="s21", name="Tea", admins=("eve", "gone-9abc")),),
        ),
        Step(id="s3", name="Visit", admins=("ada",)),
    ),
)
FINE = PeopleFlow(
    id="f",
    name="Fine",
    admins=("zoe",),
    steps=(Step(id="f1", name="One", admins=("zoe",), entry_point="y"),),
)
COPIED = ("name", "email", "phone", "mobile")
ZOE = Person(id="zoe", firstname="Zoe", email="zoe@x.org")


@pytest.fixture
async def known(account: AccountFixture) -> KnownFlows:
    await account.list_people(msgspec.structs.replace(ADA, phone="+61 400"), BOB, EVE, ZOE)
    screen = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    await account.list_flows(FLOW, FINE)
    return screen.known


def lines(groups: Groups) -> dict[str, MenuItem]:
    return {each.words: each for group in groups for each in group if isinstance(each, MenuItem)}


async def test_a_flow_is_copied_with_its_steps_and_who_runs_them(known: KnownFlows) -> None:
    assert words_of(known, FlowPlace("w")).split("\n") == [
        "Welcome",
        "3 steps · open to everybody",
        "Run by Bob Øst.",
        "1 Call: Ada Lovelace, Bob Øst",
        "2 =1+1 (pending): nobody administers this step",
        "2.1 Tea (pending): Eve Adams (archived), somebody not in your list (…9abc)",
        "3 Visit (pending): Ada Lovelace",
    ]


async def test_a_step_is_copied_with_those_inside_it(known: KnownFlows) -> None:
    assert words_of(known, FlowPlace("w", "s2")).split("\n") == [
        "Welcome",
        "2 =1+1 (pending): nobody administers this step",
        "2.1 Tea (pending): Eve Adams (archived), somebody not in your list (…9abc)",
    ]
    assert words_of(known, FlowPlace("w", "gone")) == ""
    assert words_of(known, FlowPlace("gone")) == ""


async def test_what_is_copied_is_not_calculated(account: AccountFixture) -> None:
    screen = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    await account.list_flows(PeopleFlow(id="x", name="=HYPERLINK(1)"))
    assert words_of(screen.known, FlowPlace("x")).startswith("'=HYPERLINK(1)\n")


async def test_a_flow_offers_to_write_to_those_who_run_it(known: KnownFlows) -> None:
    offered = lines(menu_of_place(known, FlowPlace("w")))
    assert list(offered) == [
        "Copy flow",
        "Copy flow as a picture",
        "Write to everybody who runs the flow",
        "Write to everybody who runs the flow or a step",
        "Write to everybody whose flows have gaps",
    ]
    assert offered["Write to everybody who runs the flow"].value == ("bob",)
    everybody = offered["Write to everybody who runs the flow or a step"].value
    assert everybody == ("bob", "ada", "eve", "gone-9abc")
    assert offered["Copy flow"].keys == "Ctrl+C"
    assert offered["Copy flow as a picture"].value == "w"


async def test_a_step_offers_its_own_and_what_its_flow_does(known: KnownFlows) -> None:
    offered = lines(menu_of_place(known, FlowPlace("w", "s1")))
    assert offered["Write to everybody who runs the step"].value == ("ada", "bob")
    assert offered["Copy step"].keys == "Ctrl+C"
    assert offered["Copy flow"].keys == ""
    nobody = lines(menu_of_place(known, FlowPlace("w", "s2")))
    assert not nobody["Write to everybody who runs the step"].enabled


async def test_a_line_is_remembered_by_the_same_name_in_every_menu(known: KnownFlows) -> None:
    line = NewsRow("Welcome", place=FlowPlace("w", "s1"))
    menus = (
        menu_of_place(known, FlowPlace("w")),
        menu_of_place(known, FlowPlace("w", "s1")),
        menu_of_name(known, FlowPlace("w"), "ada"),
        menu_of_change(known, line, None, ("ada", "bob")),
    )
    words: dict[str, set[str]] = {}
    for groups in menus:
        commands = [command for command, _ in commands_of(groups)]
        assert len({each.id for each in commands}) == len(commands)
        for each in commands:
            words.setdefault(each.id, set()).add(each.words)
    assert words["action:FlowAction.COPY.flow"] == {"Copy flow"}
    assert [said for said in words.values() if len(said) > 1] == []


async def test_those_whose_flows_have_gaps_are_written_to_and_no_others(known: KnownFlows) -> None:
    assert with_gaps(known) == ("bob", "ada", "eve", "gone-9abc")


async def test_a_name_offers_the_person_and_what_can_be_copied_of_them(known: KnownFlows) -> None:
    offered = lines(menu_of_name(known, FlowPlace("w", "s1"), "ada"))
    assert list(offered) == [
        "Show Ada Lovelace",
        "Copy name",
        "Copy email",
        "Copy phone",
        "Copy mobile",
        "Write an email",
        "Copy step",
        "Write to everybody who runs the step",
    ]
    assert offered["Write to everybody who runs the step"].value == ("ada", "bob")
    assert offered["Show Ada Lovelace"].action is FlowAction.SHOW_PERSON
    assert offered["Copy phone"].value == "+61 400"
    assert not offered["Copy mobile"].enabled
    assert offered["Write an email"].value == "ada"
    bob = lines(menu_of_name(known, FlowPlace("w"), "bob"))
    assert not bob["Write an email"].enabled
    assert list(bob)[-4:] == [
        "Copy flow",
        "Copy flow as a picture",
        "Write to everybody who runs the flow",
        "Write to everybody who runs the flow or a step",
    ]
    assert bob["Copy flow"].keys == "Ctrl+C"
    gone = lines(menu_of_name(known, FlowPlace("gone"), "bob"))
    assert list(gone) == list(lines(menu_of_person(BOB)))


async def test_nothing_that_is_copied_of_a_person_is_calculated() -> None:
    odd = Person(id="odd", firstname="=1+1", email="+a@x.org, b@x.org", phone="=2", mobile="+61 4")
    offered = lines(menu_of_person(odd))
    values = [offered[words].value for words in (f"Copy {each}" for each in COPIED)]
    assert values == ["'=1+1", ("<+a@x.org>", "b@x.org"), "'=2", "+61 4"]


async def test_what_is_gone_has_no_menu(known: KnownFlows) -> None:
    assert menu_of_place(known, FlowPlace("gone")) == ()


async def test_a_line_of_what_is_new_offers_what_it_leads_to_and_itself(known: KnownFlows) -> None:
    step = NewsRow("Welcome has a new step, 3 · Visit", place=FlowPlace("w", "s3"))
    offered = lines(menu_of_change(known, step, None, ()))
    assert list(offered)[:2] == ["Copy line", "Copy step"]
    assert offered["Copy line"].value == "Welcome has a new step, 3 · Visit"
    came = NewsRow("Zoe came", person_id="zoe")
    offered = lines(menu_of_change(known, came, ZOE, ()))
    assert next(iter(offered)) == "Show Zoe"
    assert list(offered)[-1] == "Copy line"
    several = NewsRow("=1+1 and 3 more came", folded=True)
    offered = lines(menu_of_change(known, several, None, ("ada", "bob")))
    assert offered["Write to everybody in this line"].value == ("ada", "bob")
    assert offered["Copy line"].value == "'=1+1 and 3 more came"
    gone = NewsRow("The flow Choir is gone")
    assert list(lines(menu_of_change(known, gone, None, ()))) == ["Copy line"]
