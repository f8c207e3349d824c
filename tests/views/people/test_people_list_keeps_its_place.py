"""What is chosen and seen in the People table stays so while its rows become others."""

import msgspec
import shiboken6

from app.model.outbox import EntryState
from app.model.person import Person
from app.people.search import PeopleFilter
from app.settings.saved_views import SavedView
from app.store.ordering import SortKey
from app.viewmodels.people.table import Column
from tests.views.people.people_desk import CTRL, SHIFT, PeopleDesk, Run, crowd, with_desk

ABEL = Person(id="abel", firstname="Abel")
MANY = crowd(200)


def test_people_who_come_above_move_nothing(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.scroll_to(100)
        desk.click(103, Column.NAME)
        assert (desk.first, desk.selected) == ("P100", ["P103"])
        await desk.office.directory.took(ABEL)
        assert (desk.first, desk.selected, desk.current) == ("P100", ["P103"], "P103")
        assert desk.screen.chosen_person == MANY[103]

    with_desk(run, work, *MANY)


def test_at_the_start_of_the_list_whoever_was_typed_is_seen(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.click(2, Column.NAME)
        entry = desk.office.add("Zora", "Neale")
        assert (desk.first, desk.selected) == ("Zora Neale", ["P002"])
        desk.office.outbox.undo(entry.id)
        assert (desk.first, desk.selected) == ("P000", ["P002"])

    with_desk(run, work, *MANY)


def test_whoever_was_typed_is_seen_wherever_the_list_was_and_nobody_else_is_chosen(
    run: Run,
) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.scroll_to(100)
        desk.click(103, Column.NAME)
        entry = desk.office.add("P050a")
        assert (desk.first, desk.selected, desk.current) == ("P050a", ["P103"], "P103")
        await desk.office.sent(entry, EntryState.ADDED)
        await desk.office.directory.took(desk.office.scripted.created[0])
        at = desk.screen.table.position_of(desk.office.directory.row_of("new-1"))
        assert at == 51
        assert desk.view.viewport().rect().contains(desk.view.visualRect(desk.index(at)))
        assert (desk.selected, desk.current) == (["P103"], "P103")
        assert desk.screen.chosen_person == MANY[103]

    with_desk(run, work, *MANY)


def test_whoever_scrolls_away_from_an_entry_is_not_taken_to_the_person_it_becomes(
    run: Run,
) -> None:
    async def work(desk: PeopleDesk) -> None:
        entry = desk.office.add("P050a")
        desk.scroll_to(100)
        await desk.office.sent(entry, EntryState.ADDED)
        await desk.office.directory.took(desk.office.scripted.created[0])
        assert desk.first == "P099"

    with_desk(run, work, *MANY)


def test_news_of_the_chosen_person_does_not_scroll_back_to_them(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.click(3, Column.NAME)
        desk.scroll_to(100)
        await desk.office.directory.took(msgspec.structs.replace(MANY[3], phone="1"))
        assert (desk.first, desk.selected) == ("P100", ["P003"])

    with_desk(run, work, *MANY)


def test_somebody_who_is_changed_or_gone_leaves_the_others_where_they_are(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.scroll_to(100)
        desk.click(103, Column.NAME)
        renamed = msgspec.structs.replace(MANY[150], firstname="A")
        await desk.office.list_people(*MANY[10:150], renamed, *MANY[151:])
        assert (desk.first, desk.selected) == ("P100", ["P103"])

    with_desk(run, work, *MANY)


def test_several_stay_chosen(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.click(3, Column.NAME)
        desk.click(5, Column.EMAIL, SHIFT)
        desk.click(9, Column.NAME, CTRL)
        chosen = ["P003", "P004", "P005", "P009"]
        assert desk.selected == chosen
        await desk.office.directory.took(ABEL)
        assert desk.selected == chosen
        desk.screen.order.sort_by(SortKey.EMAIL, descending=True)
        await desk.office.settle()
        assert sorted(desk.selected) == chosen
        assert len(desk.screen.selection.all) == 4

    with_desk(run, work, *MANY)


def test_a_search_is_read_from_its_start_and_left_for_the_place_before(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.scroll_to(100)
        desk.click(103, Column.NAME)
        desk.screen.search("p1")
        assert (desk.first, desk.selected) == ("P100", ["P103"])
        desk.screen.search("p10")
        desk.screen.show_only(PeopleFilter.VOLUNTEERS)
        assert (desk.first, desk.selected) == ("P102", [])
        desk.screen.search("")
        desk.screen.show_only(PeopleFilter.EVERYBODY)
        assert (desk.first, desk.selected) == ("P100", ["P103"])

    with_desk(run, work, *MANY)


def test_whoever_is_chosen_among_those_found_is_seen_among_everybody(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.screen.search("p17")
        desk.click(2, Column.NAME)
        desk.screen.search("")
        assert (desk.first, desk.selected) == ("P170", ["P172"])

    with_desk(run, work, *MANY)


def test_in_another_order_the_chosen_one_stays_under_the_eyes(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.scroll_to(100)
        desk.click(104, Column.NAME)
        desk.screen.order.sort_by_column(Column.NAME)
        await desk.office.settle()
        assert (desk.first, desk.selected) == ("P108", ["P104"])

    with_desk(run, work, *MANY)


def test_the_entry_that_is_chosen_becomes_the_person_that_is_chosen(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        entry = desk.office.add("P050a")
        desk.click(0, Column.NAME)
        assert desk.selected == ["P050a"]
        await desk.office.sent(entry, EntryState.ADDED)
        await desk.office.directory.took(desk.office.scripted.created[0])
        assert desk.selected == ["P050a"]
        assert desk.screen.chosen_person == desk.office.scripted.created[0]

    with_desk(run, work, *MANY)


def test_places_of_an_earlier_time_are_come_back_to(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.view.setColumnWidth(Column.NAME, 222)
        desk.scroll_to(120)
        desk.click(122, Column.NAME)
        kept = msgspec.structs.replace(SavedView(), **desk.screen.saved_view())
        again = PeopleDesk(desk.office)
        await again.show()
        again.screen.restore(kept)
        await desk.office.settle()
        assert (again.first, again.selected) == ("P120", ["P122"])
        assert again.view.columnWidth(Column.NAME) == 222
        again.window.resize(900, 500)
        assert again.view.columnWidth(Column.NAME) == 222
        shiboken6.delete(again.window)

    with_desk(run, work, *MANY)


def test_a_list_that_comes_in_parts_is_come_back_to_all_the_same(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.screen.restore(SavedView(chosen_person="p122", top_person="p120"))
        await desk.office.read(MANY[100:], MANY[:100], total=200)
        assert (desk.first, desk.selected) == ("P120", ["P122"])

    with_desk(run, work)


def test_scrolling_by_hand_ends_coming_back(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.screen.restore(SavedView(top_person="p150"))
        desk.scroll_to(20)
        await desk.office.directory.took(MANY[150])
        assert desk.first == "P020"

    with_desk(run, work, *MANY[:150])
