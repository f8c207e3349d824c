"""What the menu of the People table offers, and for whom."""

from collections.abc import Sequence

import msgspec
import pytest

from app.api.errors import InputRefused, Unreachable
from app.model.outbox import EntryState
from app.store.ordering import SortKey
from app.viewmodels.flows.cards import Administers
from app.viewmodels.menu_items import Groups, MenuGroups, MenuItem
from app.viewmodels.people.menu import MenuAction, menu_of
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, AccountFixture
from tests.viewmodels.people.people_room import row_of


def menu(screen: PeopleScreen, *flows: Administers) -> Groups:
    def administered_by(_person_id: str) -> Sequence[Administers]:
        return flows

    return menu_of(screen, administered_by)


def words(groups: Groups) -> list[str]:
    return [item.words for group in groups for item in group]


def item(groups: Groups, action: MenuAction) -> MenuItem:
    return next(
        each
        for group in groups
        for each in group
        if isinstance(each, MenuItem) and each.action is action
    )


async def test_with_nobody_chosen_the_list_can_be_sorted(screen: PeopleScreen) -> None:
    assert words(menu(screen)) == ["Sort by"]


async def test_a_person_can_be_copied_and_written_to(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose(row_of(account, ADA))
    shown = menu(screen)
    assert words(shown) == [
        "Copy row",
        "Copy email",
        "Copy as a mail list",
        "Copy phone",
        "Copy mobile",
        "Copy name",
        "Write an email",
        "Save as a spreadsheet…",
        "Save as a contact card…",
        "Sort by",
    ]
    assert item(shown, MenuAction.COPY_EMAILS).enabled
    assert item(shown, MenuAction.WRITE).enabled


async def test_somebody_without_email_cannot_be_written_to(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose(row_of(account, BOB))
    shown = menu(screen)
    assert not item(shown, MenuAction.COPY_EMAILS).enabled
    assert not item(shown, MenuAction.COPY_MAIL_LIST).enabled
    assert not item(shown, MenuAction.WRITE).enabled


async def test_only_a_number_that_is_there_can_be_copied(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.directory.took(msgspec.structs.replace(ADA, phone="1", mobile=" "))
    screen.choose(row_of(account, ADA))
    assert item(menu(screen), MenuAction.COPY_PHONES).enabled
    assert not item(menu(screen), MenuAction.COPY_MOBILES).enabled


async def test_several_are_copied_together(screen: PeopleScreen) -> None:
    screen.choose_spans([(0, 2)])
    assert words(menu(screen)) == [
        "Copy 3 rows",
        "Copy emails",
        "Copy as a mail list",
        "Copy phones",
        "Copy mobiles",
        "Copy names",
        "Write an email",
        "Save 3 people as a spreadsheet…",
        "Save 3 people as contact cards…",
        "Sort by",
    ]


async def test_an_administrator_is_shown_in_each_of_their_flows(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    flows = Administers("1", "Newcomers", ()), Administers("2", "Care", ())
    screen.choose(row_of(account, ADA))
    lines = [line for group in menu(screen, *flows) for line in group]
    shown = next(each for each in lines if each.words == "Show in flows")
    assert isinstance(shown, MenuGroups)
    assert [(each.words, each.value) for each in shown.items] == [
        ("Newcomers", "1"),
        ("Care", "2"),
    ]
    screen.choose_spans([(0, 1)])
    assert "Show in flows" not in words(menu(screen, *flows))


async def test_a_waiting_entry_can_be_undone(account: AccountFixture, screen: PeopleScreen) -> None:
    screen.choose(account.add("Zora", "Neale").id)
    assert words(menu(screen))[0] == "Undo"


@pytest.mark.parametrize(
    ("answer", "state", "offered"),
    [
        (
            InputRefused("Not taken", "Too long."),
            EntryState.REFUSED,
            ["Correct and send", "Send again", "Take off the list"],
        ),
        (
            Unreachable("No connection", "No connection.", outcome_unknown=True),
            EntryState.NOT_SURE,
            ["They are there", "Send again", "Take off the list"],
        ),
    ],
)
async def test_an_entry_that_needs_somebody_offers_what_can_be_done(
    account: AccountFixture,
    screen: PeopleScreen,
    answer: Exception,
    state: EntryState,
    offered: list[str],
) -> None:
    account.scripted.answers = [answer]
    entry = await account.sent(account.add("Zora", "Neale"), state)
    screen.choose(entry.id)
    assert words(menu(screen))[: len(offered)] == offered
    assert "Copy row" in words(menu(screen))[len(offered)]
    screen.choose_spans([(0, 1)])
    assert words(menu(screen))[0] == "Copy 2 rows"


async def test_the_order_in_force_is_ticked_and_each_column_has_its_keys(
    screen: PeopleScreen,
) -> None:
    sort = menu(screen)[-1][0]
    assert isinstance(sort, MenuGroups)
    assert [each.value for each in sort.items if each.checked] == [SortKey.FIRST_NAME]
    assert {str(each.value): each.keys for each in sort.items} == {
        "first name": "Ctrl+Shift+1",
        "last name": "",
        "email": "Ctrl+Shift+2",
        "phone": "Ctrl+Shift+3",
        "mobile": "Ctrl+Shift+4",
        "added": "Ctrl+Shift+5",
    }
