"""The People table as a model, without a view: rows, words, and how little of the list is read."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QLocale, QModelIndex, Qt
from PySide6.QtWidgets import QApplication

from app.model.outbox import EntryState
from app.model.person import Person
from app.store.ordering import SortKey
from app.viewmodels.cell_table import CELL_ROLE, KEY_ROLE, Cell
from app.viewmodels.formatting import day, day_and_clock
from app.viewmodels.people.table import (
    BADGES_ROLE,
    STATE_ROLE,
    Column,
    Key,
    PeopleTable,
    cells_of_person,
)
from app.views.look.language import speak
from tests.catalogues import write_catalogue
from tests.viewmodels.people.rows import NOON, People, cells, entry, keys

SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)


@pytest.fixture
def people() -> People:
    return People()


@pytest.fixture
def table(qapp: QApplication, people: People) -> PeopleTable:  # noqa: ARG001 - Qt must be there
    return PeopleTable(people)


@pytest.mark.parametrize("chosen", [[4_000], [4_000, 9_000, 7]])
def test_who_is_chosen_in_a_long_list_is_found_where_the_order_has_them(
    table: PeopleTable, chosen: list[int]
) -> None:
    asked: list[int] = []

    def position(rows: Sequence[int], row: int) -> int | None:
        asked.append(row)
        return rows.index(row) if row in rows else None

    table.show_rows(list(range(1, 9_001)), position)
    table.show_entries([entry("first")])
    assert table.positions_of(chosen) == sorted(chosen)
    assert sorted(asked) == sorted(row for row in chosen if row > 256)
    table.show_rows(list(range(1, 4_000)), position)
    assert table.positions_of(chosen) == [row for row in chosen if row < 4_000]

    def cannot_tell(_rows: Sequence[int], row: int) -> int | None:
        raise LookupError(row)

    table.show_rows(list(range(9_000, 0, -1)), cannot_tell)
    assert table.position_of(4_000) == 5_001


def test_the_newest_entry_stands_on_top_and_the_people_below_in_their_order(
    table: PeopleTable,
) -> None:
    table.show_rows([7, 3, 5])
    table.show_entries([entry("first"), entry("second")])
    assert keys(table) == ["second", "first", 7, 3, 5]
    assert [table.position_of(key) for key in keys(table)] == [0, 1, 2, 3, 4]
    assert [table.data(table.index(at, 0), KEY_ROLE) for at in range(5)] == keys(table)


@pytest.mark.parametrize("key", [None, "nobody", 99])
def test_what_is_not_shown_has_no_position(table: PeopleTable, key: Key | None) -> None:
    table.show_rows([1])
    table.show_entries([entry("somebody")])
    assert table.position_of(key) is None


@pytest.mark.parametrize("position", [-1, 2])
def test_there_is_no_key_outside_the_table(table: PeopleTable, position: int) -> None:
    table.show_rows([1])
    table.show_entries([entry("somebody")])
    assert table.key_at(position) is None
    assert table.entry_at(position) is None


def test_only_an_entry_is_an_entry(table: PeopleTable) -> None:
    table.show_rows([1])
    table.show_entries([entry("somebody")])
    assert table.entry_at(0) == entry("somebody")
    assert table.entry_at(1) is None


def test_every_column_has_its_name_and_rows_have_none(table: PeopleTable) -> None:
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    names = [table.headerData(column, across) for column in Column]
    assert names == ["Name", "Email", "Phone", "Mobile", "Added"]
    assert table.headerData(0, down) is None
    assert table.headerData(0, across, Qt.ItemDataRole.DecorationRole) is None


def test_a_person_is_shown_field_by_field(table: PeopleTable) -> None:
    table.show_rows([7])
    assert cells(table, 0) == ["Person 7", "7@x.org", "1", "2", day(NOON)]


def test_fields_that_the_list_did_not_give_are_told_apart_from_blank_ones(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
) -> None:
    people = {1: Person(id="x"), 2: Person(id="y", email="", phone="", mobile="")}
    table = PeopleTable(lambda rows: {row: people[row] for row in rows})
    table.show_rows([1, 2])
    assert cells(table, 0) == ["(no name)", *["not given"] * 4]
    assert cells(table, 1) == ["(no name)", "", "", "", "not given"]
    given = [table.data(table.index(0, column), CELL_ROLE) for column in Column]
    assert [isinstance(cell, Cell) and cell.is_given for cell in given] == [True, *[False] * 4]


def test_an_entry_shows_what_was_typed_of_it(table: PeopleTable) -> None:
    table.show_entries([entry("Zora")])
    assert cells(table, 0) == ["Zora Typed", "Zora@y.org", "", "", day(NOON)]


@pytest.mark.parametrize("role", [Qt.ItemDataRole.DecorationRole, Qt.ItemDataRole.FontRole])
def test_a_view_that_asks_for_something_else_gets_nothing_and_nothing_is_read(
    table: PeopleTable, people: People, role: int
) -> None:
    table.show_rows([1])
    assert table.data(table.index(0, 0), role) is None
    assert table.data(QModelIndex()) is None
    assert people.asked == []


def test_badges_stand_beside_the_name_only(table: PeopleTable) -> None:
    table.show_rows([4, 2, 1])
    name = [table.data(table.index(row, Column.NAME), BADGES_ROLE) for row in range(3)]
    assert name == [("volunteer", "admin"), ("volunteer",), ()]
    assert table.data(table.index(0, Column.EMAIL), BADGES_ROLE) == ()


def test_that_somebody_has_died_is_said_in_the_narrowest_cell() -> None:
    died = Person(id="1", firstname="Otto", volunteer=True, archived=True, deceased=True)
    name, *_ = cells_of_person(died, ())
    assert (name.badges[0], name.keeps_first_badge) == ("deceased", True)
    assert name.spoken == "Otto, deceased, volunteer, archived"
    name, *_ = cells_of_person(msgspec.structs.replace(died, deceased=False), ())
    assert (name.badges, name.keeps_first_badge) == (("volunteer", "archived"), False)


def test_a_screen_reader_hears_the_badges_after_the_name(table: PeopleTable) -> None:
    table.show_rows([4, 1])
    spoken = [table.data(table.index(row, Column.NAME), SPOKEN) for row in range(2)]
    assert spoken == ["Person 4, volunteer, admin", "Person 1"]
    assert table.data(table.index(0, Column.EMAIL), SPOKEN) == "4@x.org"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (EntryState.WAITING, "waiting"),
        (EntryState.SENDING, "sending"),
        (EntryState.ADDED, "added"),
        (EntryState.REFUSED, "refused"),
        (EntryState.NOT_SURE, "not sure"),
    ],
)
def test_an_entry_says_how_it_stands(table: PeopleTable, state: EntryState, words: str) -> None:
    table.show_rows([1])
    table.show_entries([entry("Zora", state)])
    index = table.index(0, Column.NAME)
    assert table.data(index, BADGES_ROLE) == (words,)
    assert table.data(index, SPOKEN) == f"Zora Typed, {words}"
    assert table.data(index, STATE_ROLE) is state
    assert table.data(table.index(1, Column.NAME), STATE_ROLE) is None


def test_nothing_is_read_before_it_is_painted(table: PeopleTable, people: People) -> None:
    table.show_rows(range(1000))
    table.append_rows(range(1000, 1100))
    assert keys(table)[-1] == 1099
    assert people.asked == []


def test_painting_a_screenful_reads_one_block_once(table: PeopleTable, people: People) -> None:
    table.show_rows(range(1000))
    for position in range(64):
        assert cells(table, position)[0] == f"Person {position}"
        table.data(table.index(position, 0), BADGES_ROLE)
    assert people.asked == [list(range(64))]


def test_a_screenful_across_two_blocks_reads_those_two(table: PeopleTable, people: People) -> None:
    table.show_rows(range(1000))
    for position in range(60, 70):
        cells(table, position)
    assert people.asked == [list(range(64)), list(range(64, 128))]


def test_the_last_block_is_as_short_as_the_list(table: PeopleTable, people: People) -> None:
    table.show_rows(range(100))
    assert cells(table, 99)[0] == "Person 99"
    assert people.asked == [list(range(64, 100))]


def test_who_is_about_to_be_painted_is_read_in_one_go_and_nobody_besides(
    table: PeopleTable, people: People
) -> None:
    table.show_rows(range(1000))
    table.make_ready(500, 521)
    assert [cells(table, position)[0] for position in (500, 521)] == ["Person 500", "Person 521"]
    table.make_ready(503, 524)
    assert cells(table, 524)[0] == "Person 524"
    table.mark(("person",))
    table.make_ready(503, 524)
    assert cells(table, 503)[0] == "Person 503"
    assert people.asked == [list(range(500, 522)), [522, 523, 524]]


def test_who_was_in_sight_is_read_anew_once_something_has_changed(
    table: PeopleTable, people: People
) -> None:
    table.show_entries([entry("Zora")])
    table.show_rows(range(1000))
    table.make_ready(0, 3)
    table.reread()
    table.make_ready(0, 3)
    assert cells(table, 3)[0] == "Person 2"
    assert people.asked == [[0, 1, 2], [0, 1, 2]]


def test_entries_that_come_and_go_cost_no_reading(table: PeopleTable, people: People) -> None:
    table.show_rows(range(64))
    cells(table, 5)
    table.show_entries([entry("Zora")])
    assert cells(table, 6)[0] == "Person 5"
    table.show_entries([])
    assert cells(table, 63)[0] == "Person 63"
    assert people.asked == [list(range(64))]


def test_a_few_blocks_are_kept_and_those_seen_long_ago_are_read_again(
    table: PeopleTable, people: People
) -> None:
    table.show_rows(range(64 * 17))
    for block in range(17):
        cells(table, block * 64)
    assert len(people.asked) == 17
    cells(table, 16 * 64 + 1)
    assert len(people.asked) == 17
    assert cells(table, 1)[0] == "Person 1"
    assert people.asked[17:] == [list(range(64))]


def test_somebody_gone_between_list_and_paint_is_a_blank_row(qapp: QApplication) -> None:  # noqa: ARG001
    people = People(2)
    table = PeopleTable(people)
    table.show_rows([1, 2, 3])
    assert cells(table, 1)[1:] == ["", "", "", ""]
    assert "Person" not in str(cells(table, 1)[0])
    assert table.data(table.index(1, 0), BADGES_ROLE) == ()
    assert [cells(table, at)[0] for at in (0, 2)] == ["Person 1", "Person 3"]
    assert len(people.asked) == 1


def test_there_is_no_tree_below_a_row(table: PeopleTable) -> None:
    table.show_rows([1])
    row = table.index(0, 0)
    assert (table.rowCount(row), table.columnCount(row)) == (0, 0)
    assert (table.rowCount(QModelIndex()), table.columnCount(QModelIndex())) == (1, len(Column))


@pytest.mark.parametrize(
    ("by", "descending", "shown", "spoken"),
    [
        (SortKey.FIRST_NAME, False, "Name ▴", "Name, sorted"),
        (SortKey.FIRST_NAME, True, "Name ▾", "Name, sorted from the end"),
        (SortKey.LAST_NAME, False, "Name, by last name ▴", "Name, by last name, sorted"),
    ],
)
def test_the_header_says_what_the_list_is_sorted_by(
    table: PeopleTable, by: SortKey, *, descending: bool, shown: str, spoken: str
) -> None:
    across = Qt.Orientation.Horizontal
    table.show_sort(by, descending=descending)
    assert table.headerData(Column.NAME, across) == shown
    assert table.headerData(Column.NAME, across, SPOKEN) == spoken
    assert table.headerData(Column.EMAIL, across) == "Email"


def test_the_letters_found_are_marked_in_every_field(table: PeopleTable) -> None:
    table.show_rows([7])
    table.mark(("7",))
    found = [table.data(table.index(0, column), CELL_ROLE) for column in Column]
    assert [cell.highlights for cell in found if isinstance(cell, Cell)] == [
        ((7, 8),),
        ((0, 1),),
        (),
        (),
        (),
    ]


def test_the_letters_found_in_an_entry_are_marked(table: PeopleTable) -> None:
    table.show_entries([entry("Zora")])
    table.mark(("zo",))
    name = table.data(table.index(0, Column.NAME), CELL_ROLE)
    assert isinstance(name, Cell)
    assert (name.highlights, name.state) == (((0, 2),), EntryState.WAITING)


def test_somebody_added_just_now_says_so(qapp: QApplication) -> None:  # noqa: ARG001
    table = PeopleTable(People(), added={"id-2": NOON})
    table.show_rows([1, 2])
    badges = [table.data(table.index(row, Column.NAME), BADGES_ROLE) for row in range(2)]
    assert badges == [(), (f"added {day_and_clock(NOON)}", "volunteer")]


def test_the_keys_of_some_rows_are_given_from_the_top(table: PeopleTable) -> None:
    table.show_rows([7, 3, 5])
    table.show_entries([entry("first"), entry("second")])
    assert list(table.keys_between(1, 3)) == ["first", 7, 3]
    assert list(table.keys_between(3, 9)) == [3, 5]
    assert list(table.keys_between(0, 0)) == ["second"]
    assert table.positions_of([5, "second", 99]) == [0, 4]
    assert (table.people_count, list(table.people_rows)) == (3, [7, 3, 5])


def test_a_day_is_written_as_the_language_writes_it_that_is_spoken_now(
    qapp: QApplication, tmp_path: Path
) -> None:
    person = Person(id="1", firstname="Ada", date_added=datetime(2024, 3, 9, 12, tzinfo=UTC))
    written = QLocale()
    write_catalogue(tmp_path, "de", {"People": "Personen"})
    try:
        speak(qapp, tmp_path, ["en"])
        assert cells_of_person(person, [])[-1].text == "09/03/2024"
        speak(qapp, tmp_path, ["de"])
        assert cells_of_person(person, [])[-1].text == "09.03.24"
    finally:
        speak(qapp, tmp_path, ["en"])
        QLocale.setDefault(written)
