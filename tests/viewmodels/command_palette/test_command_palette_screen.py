"""One field for everything: actions, flows and people, what was used last before all else."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from PySide6.QtWidgets import QApplication

from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.settings.saved_states import SavedState
from app.store.errors import StoreError
from app.viewmodels.command_palette import command_palette, named_in_account
from app.viewmodels.command_palette.command import Command, CommandKind, key_of_place
from app.viewmodels.command_palette.command_palette import CommandPaletteScreen
from app.viewmodels.command_palette.name_fit import fits
from app.viewmodels.command_palette.named_in_account import NamedInAccount
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told

ACTIONS = [
    Command(CommandKind.ACTION, "add", "Add a person", keys="Ctrl+N"),
    Command(CommandKind.ACTION, "history", "History", keys="Ctrl+Shift+H"),
    Command(CommandKind.ACTION, "settings", "Settings"),
]


@pytest.fixture
async def account(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[AccountFixture]:
    # However busy this computer is.
    monkeypatch.setattr(named_in_account, "_AT_ONCE_SECONDS", 10.0)
    account = AccountFixture()
    await account.open()
    await account.list_people(ADA, BOB, EVE)
    await account.list_flows(PeopleFlow(id="f1", name="Adult baptism", steps=()))
    yield account
    await account.close()
    assert account.crashes == []


async def named_in(account: AccountFixture) -> NamedInAccount:
    flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
    flows.read_again()
    await account.settle()
    return NamedInAccount(account.directory, account.duplicates, flows, account.scope)


def words(screen: CommandPaletteScreen) -> list[str]:
    return [row.words for row in screen.state.rows]


LEAVE = Command(CommandKind.ACTION, "leave", "Sign out", further_words="log off history")
MOTION = Command(CommandKind.SETTING, "motion", "Animations", further_words="Settings trace")


async def test_a_setting_is_found_and_is_not_in_the_way(account: AccountFixture) -> None:
    tran = Person(id="t", firstname="Minh", lastname="Trần", email="t@x.org")
    await account.list_people(ADA, tran)
    screen = CommandPaletteScreen()
    screen.open([*ACTIONS, MOTION], await named_in(account))
    assert words(screen) == ["Add a person", "History", "Settings"]
    screen.search("tra")
    assert words(screen) == ["Minh Trần", "Animations"]
    screen.search("trace")
    assert words(screen) == ["Animations"]
    screen.search("settings")
    assert words(screen) == ["Settings", "Animations"]
    # What is called so itself, before what others call so.
    screen.open([LEAVE, *ACTIONS, MOTION], None)
    screen.search("history")
    assert words(screen) == ["History", "Sign out"]
    screen.search("settings")
    screen.use(screen.state.rows[1])
    screen.search("")
    assert words(screen)[0] == "Animations"
    screen.close()


async def test_letters_lead_to_actions_flows_and_people(account: AccountFixture) -> None:
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    assert words(screen) == ["Add a person", "History", "Settings"]
    screen.search("ada")
    assert words(screen) == ["Ada Lovelace", "Eve Adams"]
    screen.search("ad")
    assert words(screen)[:2] == ["Add a person", "Adult baptism"]
    screen.search("ada@x")
    assert words(screen) == ["Ada Lovelace"]
    screen.search("bob ost")
    assert words(screen) == ["Bob Øst"]
    screen.search("nobody is called so")
    assert words(screen) == []
    assert "nobody is called so" in screen.state.empty_words
    screen.close()


GRACE = Person(id="grace", firstname="Grace", lastname="Hopper", email="g@x.org")
INGRAM = Person(id="ingram", firstname="Al", lastname="Ingram", phone="0151 234567")
ZED = Person(id="zed", firstname="Zed", lastname="Young", others=(("notes", "grants"),))


async def test_nobody_is_offered_for_what_is_not_seen_and_names_that_begin_so_are_first(
    account: AccountFixture,
) -> None:
    await account.list_people(GRACE, INGRAM, ZED)
    screen = CommandPaletteScreen()
    screen.open((), await named_in(account))
    screen.search("gra")
    assert words(screen) == ["Grace Hopper", "Al Ingram"]
    screen.search("grants")
    assert [(row.words, row.remark) for row in screen.state.rows] == [("Zed Young", "grants")]
    screen.search("234567")
    assert [(row.words, row.remark) for row in screen.state.rows] == [("Al Ingram", "0151 234567")]
    screen.close()


COFFEE = Step(id="1", name="Coffee with staff", admins=(ADA.id, BOB.id))
NEWCOMERS = PeopleFlow(
    id="n",
    name="Sunday newcomers",
    steps=(
        Step(id="0", name="Iced coffee, decaffeinated"),
        COFFEE,
        Step(id="2", name="Lunch", steps=(Step(id="3", name="Wélcome seating"),)),
    ),
)
KITCHEN = PeopleFlow(id="k", name="Coffee kitchen", steps=(Step(id="1", name="Wash up"),))


async def test_a_step_is_found_with_its_flow_and_who_runs_it(account: AccountFixture) -> None:
    await account.list_flows(NEWCOMERS, KITCHEN)
    screen = CommandPaletteScreen()
    screen.open((), await named_in(account))
    screen.search("coffee")
    # A flow before the steps of others, and what is begun so before what only has it.
    assert words(screen) == ["Coffee kitchen", "Iced coffee, decaffeinated", "Coffee with staff"]
    remarks = [row.remark for row in screen.state.rows]
    assert remarks[1:] == [
        "Sunday newcomers · nobody",
        "Sunday newcomers · Ada Lovelace and Bob Øst",
    ]
    led = screen.state.rows[2]
    assert (led.kind, led.place) == (CommandKind.STEP, FlowPlace("n", "1"))
    assert screen.state.rows[0].place == FlowPlace("k")
    # Steps inside others too, and by what the flow is called as well, in any order.
    for typed in ("seat", "sunday wel", "WELC sund", "sunday coffee staff"):
        screen.search(typed)
        assert len(words(screen)) == 1, typed
    # What the name of the flow says alone leads to the flow.
    screen.search("sunday")
    assert words(screen) == ["Sunday newcomers"]
    # Where nothing is begun so, what stands within; and no more of it than is looked through.
    screen.search("offee")
    assert len(words(screen)) == 3
    # All of it in its own name, before some of it in that of its flow.
    by_weekday = Step(id="1", name="Sunday welcome")
    await account.list_flows(NEWCOMERS, PeopleFlow(id="w", name="Weekdays", steps=(by_weekday,)))
    screen.search("sunday wel")
    assert words(screen) == ["Sunday welcome", "Wélcome seating"]
    screen.close()


async def test_a_step_without_a_name_is_no_blank_row(account: AccountFixture) -> None:
    await account.list_flows(PeopleFlow(id="n", name="Newcomers", steps=(Step(id="1"),)))
    named = await named_in(account)
    named.use(Command(CommandKind.STEP, key_of_place(FlowPlace("n", "1")), ""))
    screen = CommandPaletteScreen()
    screen.open((), named)
    assert [(row.words, row.remark) for row in screen.state.rows] == [
        ("(no name)", "Newcomers · nobody")
    ]
    screen.close()


@pytest.mark.parametrize("typed", ["cofee staf", "stafff", "sundya seatng"])
async def test_a_step_is_found_by_what_was_mistyped(account: AccountFixture, typed: str) -> None:
    await account.list_flows(NEWCOMERS, KITCHEN)
    screen = CommandPaletteScreen()
    screen.open((), await named_in(account))
    screen.search(typed)
    await account.settle()
    assert words(screen) == ["Wélcome seating" if "seat" in typed else "Coffee with staff"]
    screen.close()


async def test_a_flow_is_found_by_letters_in_order_where_nothing_else_is(
    account: AccountFixture,
) -> None:
    await account.list_flows(NEWCOMERS, KITCHEN)
    screen = CommandPaletteScreen()
    screen.open((), await named_in(account))
    screen.search("sdnwc")
    await account.settle()
    assert words(screen) == ["Sunday newcomers"]
    screen.close()


async def test_who_runs_a_step_is_not_said_before_the_people_were_read(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
) -> None:
    fresh = AccountFixture()
    await fresh.open()
    await fresh.list_flows(NEWCOMERS)
    screen = CommandPaletteScreen()
    screen.open((), await named_in(fresh))
    screen.search("coffee staff")
    assert [row.remark for row in screen.state.rows] == ["Sunday newcomers"]
    screen.close()
    await fresh.close()


async def test_a_step_that_was_chosen_stands_first_as_long_as_it_is_there(
    account: AccountFixture,
) -> None:
    await account.list_flows(NEWCOMERS, KITCHEN)
    screen, named = CommandPaletteScreen(), await named_in(account)
    screen.open(ACTIONS, named)
    screen.search("coffee staff")
    screen.use(screen.state.rows[0])
    screen.search("")
    assert words(screen)[0] == "Coffee with staff"
    screen.close()
    await account.list_flows(KITCHEN)
    await account.settle()
    screen.open(ACTIONS, named)
    assert words(screen)[0] == "Add a person"
    screen.close()


async def test_flows_that_are_read_while_it_is_open_are_found(account: AccountFixture) -> None:
    screen, named = CommandPaletteScreen(), await named_in(account)
    screen.open(ACTIONS, named)
    screen.search("coffee")
    assert words(screen) == []
    await account.list_flows(NEWCOMERS)
    await account.settle()
    assert "Coffee with staff" in words(screen)
    screen.close()


async def test_people_who_are_found_later_are_shown_then(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody_at_once(_slices: object, _seconds: float) -> tuple[list[int], bool]:
        return [], True

    monkeypatch.setattr(named_in_account, "found_at_once", nobody_at_once)
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    screen.search("lovel")
    # Nobody can say yet that nothing is called so.
    assert (screen.state.empty_words, screen.state.is_looking) == ("", True)
    assert words(screen) == ["Add a person", "History", "Settings"]
    await account.settle()
    assert words(screen) == ["Ada Lovelace"]
    assert not screen.state.is_looking
    screen.search("xyz")
    assert words(screen) == ["Ada Lovelace"]
    await account.settle()
    assert words(screen) == []
    assert (screen.state.empty_words, screen.state.is_looking) == (
        "Nothing here matches “xyz”.", False
    )  # fmt: skip
    screen.close()


async def test_more_is_looked_for_behind_the_painting_of_what_was_found_at_once(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    compared: list[str] = []

    def nobody(query: str, **_: object) -> Iterator[list[int]]:
        looked.append(query)
        yield []

    def compare(wanted: list[str], names: Sequence[tuple[str, str]]) -> list[float]:
        compared.extend(wanted)
        return fits(wanted, names)

    monkeypatch.setattr(named_in_account, "_AT_ONCE_SECONDS", -1)
    monkeypatch.setattr(account.directory, "slices", nobody)
    monkeypatch.setattr(command_palette, "fits", compare)
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    screen.search("hist")
    # What is to be painted is painted by the time that the loop comes to its tasks.
    await asyncio.sleep(0)
    assert (words(screen), looked) == (["History"], [])
    await account.settle()
    assert (words(screen), set(looked)) == (["History"], {"hist"})
    # And what can be done has been compared by then.
    assert compared == ["hist"]
    screen.close()


async def test_of_those_whose_names_begin_so_no_more_are_compared_than_are_shown(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    adas = [Person(id=str(at), firstname="Ada", lastname=f"{at:02}") for at in range(40)]
    await account.list_people(*adas)
    compared, key = set[int](), account.directory.key

    def compare(row: int) -> str:
        compared.add(row)
        return key(row)

    monkeypatch.setattr(account.directory, "key", compare)
    screen, named = CommandPaletteScreen(), await named_in(account)
    screen.open((), named)
    screen.search("ada")
    assert words(screen) == [f"Ada {at:02}" for at in range(6)]
    assert len(compared) == 6
    # Those chosen before are among them, and take nobody's place.
    named.use(screen.state.rows[2])
    named.use(Command(CommandKind.PERSON, "30", ""))
    screen.search("ada")
    assert words(screen) == ["Ada 30", "Ada 02", "Ada 00", "Ada 01", "Ada 03", "Ada 04"]
    screen.close()


async def test_a_search_that_comes_to_no_end_is_over(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(*_: object, **__: object) -> Iterator[list[int]]:
        yield []
        raise StoreError("The list could not be read", "Try again.")

    monkeypatch.setattr(named_in_account, "_AT_ONCE_SECONDS", -1)
    monkeypatch.setattr(account.directory, "slices", breaks_off)
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    screen.search("lovel")
    assert screen.state.is_looking
    await account.settle()
    assert (words(screen), screen.state.is_looking) == ([], False)
    screen.close()


@pytest.mark.parametrize("typed", ["lovelase", "lvoelace", "Lovelacce"])
async def test_one_name_with_a_slip_finds_the_person(account: AccountFixture, typed: str) -> None:
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    screen.search(typed)
    await account.settle()
    assert words(screen) == ["Ada Lovelace"]
    # Whoever comes while it is open is found by the next slip.
    await account.list_people(ADA, BOB, EVE, Person(id="zora", firstname="Zora", lastname="Neale"))
    screen.search("neaale")
    await account.settle()
    assert words(screen) == ["Zora Neale"]
    screen.close()


async def test_people_who_are_not_called_so_are_looked_at_up_to_a_number(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await account.list_people(
        *(Person(id=str(at), firstname="Ada", email=f"a{at}@choir.org") for at in range(5))
    )
    monkeypatch.setattr(named_in_account, "_MOST_LOOKED_AT", 3)
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, await named_in(account))
    screen.search("choir")
    await account.settle()
    assert words(screen) == ["Ada"] * 3
    screen.close()


async def test_a_whole_name_with_a_slip_finds_the_person(account: AccountFixture) -> None:
    screen = CommandPaletteScreen()
    named = await named_in(account)
    await account.settle_duplicates()
    screen.open(ACTIONS, named)
    screen.search("ada lovelase")
    assert words(screen) == ["Ada Lovelace"]
    screen.search("zzz qqq")
    assert words(screen) == []
    screen.close()


async def test_what_was_chosen_last_stands_first_also_in_another_run(
    account: AccountFixture,
) -> None:
    screen, named = CommandPaletteScreen(), await named_in(account)
    told = Told(named.used)
    screen.open(ACTIONS, named)
    screen.use(ACTIONS[1])
    screen.search("eve")
    screen.use(screen.state.rows[0])
    screen.close()
    assert told.since() == 2
    saved = SavedState(**named.saved_state())  # type: ignore[arg-type]  # of this one field
    assert saved.recent_commands == ("person:eve", "action:history")

    again, later = await named_in(account), CommandPaletteScreen()
    again.restore(saved)
    later.open(ACTIONS, again)
    assert words(later) == ["Eve Adams", "History", "Add a person", "Settings"]
    later.search("ad")
    assert words(later)[0] == "Eve Adams"
    later.close()


async def test_people_who_cannot_be_read_are_not_there(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_rows: object) -> None:
        raise StoreError("The list could not be read", "Try again.")

    screen, named = CommandPaletteScreen(), await named_in(account)
    named.restore(SavedState(recent_commands=("person:eve",)))
    monkeypatch.setattr(account.directory, "people", fails)
    screen.open(ACTIONS, named)
    assert words(screen) == ["Add a person", "History", "Settings"]
    screen.search("ad")
    assert words(screen) == ["Add a person", "Adult baptism"]
    screen.close()


async def test_an_account_whose_lists_are_being_closed_has_nobody(qapp: QApplication) -> None:  # noqa: ARG001 - Qt must be there
    account = AccountFixture()
    await account.open()
    await account.list_people(ADA, EVE)
    screen, named = CommandPaletteScreen(), await named_in(account)
    named.restore(SavedState(recent_commands=("person:eve",)))
    screen.open(ACTIONS, named)
    screen.search("ad")
    assert "Ada Lovelace" in words(screen)
    await account.close()
    assert words(screen) == ["Add a person"]
    screen.search("ada lovelace")
    assert words(screen) == []
    screen.search("")
    assert words(screen) == ["Add a person", "History", "Settings"]
    assert account.crashes == []
    screen.close()


async def test_whoever_has_left_the_account_is_not_offered(account: AccountFixture) -> None:
    named = await named_in(account)
    named.restore(SavedState(recent_commands=("person:eve", "flow:gone", "action:no-more")))
    await account.list_people(ADA, BOB)
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, named)
    assert words(screen) == ["Add a person", "History", "Settings"]
    screen.close()


def test_without_an_account_there_are_actions_and_those_used_first(qapp: QApplication) -> None:  # noqa: ARG001 - Qt must be there
    screen = CommandPaletteScreen()
    screen.open(ACTIONS, None)
    screen.use(ACTIONS[2])
    screen.close()
    screen.open(ACTIONS, None)
    assert words(screen) == ["Settings", "Add a person", "History"]
    screen.search("histroy")
    assert words(screen) == ["History"]
