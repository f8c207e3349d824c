"""People who are there twice, side by side, as a view-model gives them to the page."""

import csv
from pathlib import Path

from app.model.person import Person
from app.outbox.duplicate_groups import DuplicateGroups
from app.viewmodels.people.duplicate_groups import ON_A_PAGE, DuplicateGroupsScreen
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.person_pane import Detail
from tests.viewmodels.conftest import ADA, EVE, AccountFixture
from tests.viewmodels.people.pane_room import Pane

LIZ = Person(id="liz", firstname="Liz", lastname="Fry", phone="020 7946 0100")
ELIZABETH = Person(
    id="elizabeth", firstname="Elizabeth", lastname="Fry", phone="+442079460100", archived=True
)
ADA_AGAIN = Person(id="ada-2", firstname="Ada", lastname="Lovelace", phone="0411 222 333")
ADA_THIRD = Person(id="ada-3", firstname="Ada", lastname="Lovelace", phone="0411222333")


async def screen_of(
    account: AccountFixture, *people: Person, beside: PeopleScreen | None = None
) -> DuplicateGroupsScreen:
    found = DuplicateGroups(
        account.duplicates, account.directory, account.store, account.events, account.scope
    )
    room = beside or PeopleScreen(account.directory, account.outbox, account.events, account.scope)
    screen = DuplicateGroupsScreen(found, room, account.events, account.scope)
    await account.list_people(*people)
    await account.until(lambda: found.known and not found.busy)
    return screen


async def test_the_chip_counts_them_and_nobody_is_read_before_it_is_on(
    account: AccountFixture,
) -> None:
    screen = await screen_of(account, ADA, EVE, ADA_AGAIN)
    assert (screen.state.text, screen.state.spoken) == ("Maybe twice 1", "Maybe twice, 1")
    assert not screen.state.groups
    screen.show()
    assert len(screen.state.groups) == 1
    screen.hide()
    assert not screen.state.shown
    assert not screen.state.groups


async def test_what_differs_is_marked_and_said(account: AccountFixture) -> None:
    screen = await screen_of(account, LIZ, EVE, ELIZABETH)
    screen.show()
    (group,) = screen.state.groups
    assert group.words == "Liz is short for Elizabeth"
    assert [person.name for person in group.people] == ["Liz Fry", "Elizabeth Fry"]
    assert [[field.label for field in p.fields if field.differs] for p in group.people] == [
        ["First name", "Phone"],
        ["First name", "Phone"],
    ]
    assert group.people[1].badges == ("archived",)
    assert group.people[1].spoken.startswith("Elizabeth Fry. archived. First name: Elizabeth, diff")


async def test_a_number_that_is_blanked_otherwise_does_not_differ(account: AccountFixture) -> None:
    screen = await screen_of(account, ADA_AGAIN, EVE, ADA_THIRD)
    screen.show()
    (group,) = screen.state.groups
    assert not any(field.differs for person in group.people for field in person.fields)


async def test_those_told_apart_leave_the_page_and_come_back_when_that_is_undone(
    account: AccountFixture,
) -> None:
    screen = await screen_of(account, ADA, LIZ, ADA_AGAIN, ADA_THIRD, ELIZABETH)
    screen.show()
    three = next(group for group in screen.state.groups if len(group.people) == 3)
    screen.tell_apart(three, three.people[0])
    left = next(g for g in screen.state.groups if g.people[0].name == "Ada Lovelace")
    assert [person.key for person in left.people] == [p.key for p in three.people[1:]]
    assert screen.state.remark == "Not the same person: that is remembered."
    screen.tell_apart(left)
    assert screen.state.count_words == "1 group"
    screen.take_back()
    assert screen.state.count_words == "2 groups"
    # That was the last of two.
    assert screen.state.can_take_back
    screen.take_back()
    assert three in screen.state.groups
    assert not screen.state.can_take_back


async def test_how_many_more_there_are_than_are_shown_side_by_side_is_said(
    account: AccountFixture, tmp_path: Path
) -> None:
    adas = [Person(id=f"a{n}", firstname="Ada", lastname="Lovelace") for n in range(30)]
    screen = await screen_of(account, EVE, *adas)
    screen.show()
    (group,) = screen.state.groups
    more = 30 - len(group.people)
    assert group.more == f"and {more} more who are as likely the same"
    screen.save(str(tmp_path / "twice.csv"))
    await account.until(lambda: bool(screen.state.remark))
    saved = (tmp_path / "twice.csv").read_text("utf-8-sig").splitlines()
    assert len(saved) == 1 + len(group.people)
    assert f"same name, {group.more}" in saved[1]


async def test_many_are_shown_a_page_at_a_time(account: AccountFixture) -> None:
    screen = await screen_of(
        account,
        *(
            Person(
                id=f"{twin}{n}", firstname=f"Otti{chr(97 + n)}lie", lastname=f"Wo{chr(97 + n)}od"
            )
            for n in range(ON_A_PAGE + 3)
            for twin in "ab"
        ),
    )
    screen.show()
    first = screen.state.groups
    assert (len(first), screen.state.page_words) == (ON_A_PAGE, "1 to 10 of 13")
    assert (screen.state.can_go_back, screen.state.can_go_on) == (False, True)
    screen.go_on()
    assert (len(screen.state.groups), screen.state.page_words) == (3, "11 to 13 of 13")
    assert (screen.state.can_go_back, screen.state.can_go_on) == (True, False)
    screen.go_on()
    assert screen.state.page_words == "11 to 13 of 13"
    screen.go_back()
    assert screen.state.groups == first


async def test_all_of_them_are_copied_and_saved_and_no_cell_is_a_formula(
    account: AccountFixture, tmp_path: Path
) -> None:
    odd = Person(id="odd", firstname="=1+1", lastname="Lovelace", email="ada@x.org")
    screen = await screen_of(account, LIZ, ELIZABETH, ADA, odd, ADA_AGAIN)
    texts: list[object] = []
    screen.copied.connect(texts.append)
    screen.copy()
    await account.settle()
    assert screen.state.remark.endswith("rows copied.")
    lines = str(texts[0]).splitlines()
    assert lines[0].split("\t")[:4] == ["Group", "Why", "First name", "Last name"]
    assert any("Liz is short for Elizabeth\tLiz\tFry" in line for line in lines)

    path = tmp_path / screen.file_name
    screen.save(str(path))
    await account.settle()
    assert path.name == "maybe-twice.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert ["\t".join(row) for row in rows] == lines
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)

    screen.save(str(tmp_path / "nowhere" / "x.csv"))
    await account.settle()
    assert "x.csv could not be saved" in screen.state.remark


async def test_it_says_what_it_does_before_anybody_was_found(account: AccountFixture) -> None:
    found = DuplicateGroups(
        account.duplicates, account.directory, account.store, account.events, account.scope
    )
    people = PeopleScreen(account.directory, account.outbox, account.events, account.scope)
    screen = DuplicateGroupsScreen(found, people, account.events, account.scope)
    screen.show()
    assert screen.state.text == "Maybe twice"
    assert screen.state.empty_words == "Front Desk is still looking for people who are here twice."
    await account.list_people(ADA, EVE)
    await account.until(lambda: found.known)
    assert screen.state.empty_words == "Nobody seems to be here twice."
    assert screen.state.text == "Maybe twice 0"


async def test_the_pane_beside_them_shows_who_is_chosen_of_those_who_are_shown(
    account: AccountFixture,
) -> None:
    pane = Pane(account)
    screen = await screen_of(account, ADA, EVE, ADA_AGAIN, beside=pane.people)
    pane.people.choose_person(EVE.id)
    assert pane.detail.name.startswith("Eve")
    screen.show()
    assert pane.hint.startswith("The search or the filter hides whom you chose.")
    assert pane.people.selection.all
    screen.hide()
    assert pane.detail.name.startswith("Eve")
    # Somebody of a group is seen there even where a search has them out of the list.
    pane.people.choose_person(ADA.id)
    pane.people.search("eve")
    assert not isinstance(pane.pane.state, Detail)
    screen.show()
    assert pane.detail.name == "Ada Lovelace"
