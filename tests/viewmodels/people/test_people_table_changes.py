"""Rows of the People table that come, change and go, told so that any view can follow."""

import random
from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from app.model.outbox import EntryState, OutboxEntry
from app.store.ordering import SortKey
from app.viewmodels.cell_table import CELL_ROLE, KEY_ROLE
from app.viewmodels.people.table import STATE_ROLE, Column, EntryRowsChanged, PeopleTable
from tests.viewmodels.people.rows import People, cells, entry, keys


def watched(table: QAbstractItemModel) -> QAbstractItemModelTester:
    """Warns, which fails the test, of everything a view could not follow."""
    return QAbstractItemModelTester(
        table, QAbstractItemModelTester.FailureReportingMode.Warning, table
    )


class Followed:
    """What a view would hear: changed rows as pairs of first and last, and everything else."""

    def __init__(self, table: PeopleTable) -> None:
        self.changed: list[tuple[int, int]] = []
        self.other: list[str] = []
        table.dataChanged.connect(self._changed)
        table.modelReset.connect(self._reset)
        table.rowsInserted.connect(self._inserted)
        table.rowsRemoved.connect(self._removed)

    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        assert (first.column(), last.column()) == (0, len(Column) - 1)
        self.changed.append((first.row(), last.row()))

    def _reset(self) -> None:
        self.other.append("reset")

    def _inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.other.append(f"in {first}-{last}")

    def _removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.other.append(f"out {first}-{last}")


@pytest.fixture
def people() -> People:
    return People()


@pytest.fixture
def table(qapp: QApplication, people: People) -> PeopleTable:  # noqa: ARG001 - Qt must be there
    return PeopleTable(people)


def test_reading_again_shows_what_has_changed(table: PeopleTable, people: People) -> None:
    table.show_entries([entry("Zora"), entry("Yan")])
    table.show_rows([1, 2, 3])
    assert cells(table, 2)[Column.PHONE] == "1"
    followed = Followed(table)
    people.phone = "9"
    table.reread()
    assert cells(table, 2)[Column.PHONE] == "9"
    assert (followed.changed, followed.other) == ([(2, 4)], [])


def test_reading_an_empty_list_again_tells_nothing(table: PeopleTable) -> None:
    table.show_entries([entry("Zora")])
    followed = Followed(table)
    table.reread()
    assert (followed.changed, followed.other) == ([], [])


def test_an_entry_in_another_state_changes_its_row_and_moves_nothing(table: PeopleTable) -> None:
    table.show_rows([1])
    table.show_entries([entry("Zora"), entry("Yan")])
    followed = Followed(table)
    table.show_entries([entry("Zora", EntryState.SENDING), entry("Yan")])
    assert table.data(table.index(1, 0), STATE_ROLE) is EntryState.SENDING
    assert (followed.changed, followed.other) == ([(0, 1)], [])


def test_entries_that_come_and_go_leave_the_people_their_places(table: PeopleTable) -> None:
    table.show_rows([1, 2])
    second = QPersistentModelIndex(table.index(1, 0))
    table.show_entries([entry("Zora"), entry("Yan")])
    assert second.row() == 3
    table.show_entries([entry("Yan")])
    assert (second.row(), second.data(KEY_ROLE)) == (2, 2)
    table.show_entries([])
    assert (second.row(), second.data(KEY_ROLE)) == (1, 2)


def test_the_same_people_again_leave_the_view_alone(table: PeopleTable) -> None:
    table.show_rows([1, 2])
    followed = Followed(table)
    table.show_rows([1, 2])
    table.append_rows([])
    assert followed.other == []


def test_an_entry_more_or_less_leaves_the_other_entries_their_rows(table: PeopleTable) -> None:
    table.show_entries([entry("Zora"), entry("Yan"), entry("Xenia")])
    followed = Followed(table)
    table.show_entries([entry("Zora"), entry("Yan"), entry("Xenia"), entry("Will")])
    table.show_entries([entry("Zora"), entry("Xenia"), entry("Will")])
    assert followed.other == ["in 0-0", "out 2-2"]
    assert keys(table) == ["Will", "Xenia", "Zora"]


def test_other_words_to_mark_change_what_is_painted_and_move_nothing(table: PeopleTable) -> None:
    table.show_rows([1, 2])
    cells(table, 0)
    followed = Followed(table)
    table.mark(("person",))
    table.mark(("person",))
    assert (followed.changed, followed.other) == ([(0, 1)], [])


def test_rows_appended_leave_the_list_they_were_given_with_alone(table: PeopleTable) -> None:
    rows = range(3)
    table.show_rows(rows)
    table.append_rows([7])
    assert (rows, keys(table)) == (range(3), [0, 1, 2, 7])


def test_other_people_are_read_anew(table: PeopleTable) -> None:
    table.show_rows([1, 2])
    assert cells(table, 0)[0] == "Person 1"
    followed = Followed(table)
    table.show_rows([2, 1])
    assert cells(table, 0)[0] == "Person 2"
    assert followed.other == ["reset"]


def test_more_people_stand_behind_the_others_also_in_a_block_already_read(
    table: PeopleTable,
) -> None:
    table.show_entries([entry("Zora")])
    table.show_rows([1])
    cells(table, 1)
    followed = Followed(table)
    table.append_rows([5, 6])
    assert keys(table) == ["Zora", 1, 5, 6]
    assert cells(table, 3)[0] == "Person 6"
    assert followed.other == ["in 2-3"]


def test_only_the_rows_that_changed_or_moved_are_put_into_words_again(table: PeopleTable) -> None:
    table.show_entries([entry("Ada"), entry("Bob"), entry("Cleo"), entry("Dan")])

    def painted() -> list[object]:
        return [table.data(table.index(at, 0), CELL_ROLE) for at in range(table.rowCount())]

    before = painted()
    sending = entry("Bob", EntryState.SENDING)
    _change(table, EntryRowsChanged(changed=[sending]))
    now = painted()
    same = [one is other for one, other in zip(before, now, strict=True)]
    assert same == [True, True, False, *[True] * (len(same) - 3)]
    _change(table, EntryRowsChanged(gone=["Bob"]))
    after = painted()
    assert [one is other for one, other in zip(now, after, strict=False)][:3] == [True, True, False]
    assert after[2:] == now[3:]


def test_many_entries_at_once_come_change_and_go_as_one_step_each(table: PeopleTable) -> None:
    table.show_entries([entry("Zora")])
    table.show_rows([1])
    followed = Followed(table)
    many = [entry(f"E{n}") for n in range(50)]
    table.change_entries(EntryRowsChanged(fresh=many))
    assert keys(table)[:2] == ["E49", "E48"]
    assert keys(table)[-2:] == ["Zora", 1]
    sending = [msgspec.structs.replace(one, state=EntryState.SENDING) for one in many[10:20]]
    table.change_entries(EntryRowsChanged(changed=sending))
    assert table.data(table.index(39, 0), STATE_ROLE) is EntryState.SENDING
    table.change_entries(EntryRowsChanged(gone=[one.id for one in many]))
    assert keys(table) == ["Zora", 1]
    assert (followed.changed, followed.other) == ([(30, 39)], ["in 0-49", "out 0-49"])


@pytest.mark.parametrize("seed", range(3))
def test_deltas_show_the_same_as_everything_shown_anew(
    table: PeopleTable, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.people.table._MOST_SPANS", 3)
    tester = watched(table)
    chance = random.Random(seed)  # noqa: S311 - the same changes every time
    there: list[OutboxEntry] = []
    typed = 0
    table.show_rows([1, 2])
    for _ in range(12):
        gone = set(chance.sample(range(len(there)), chance.randrange(len(there) + 1) // 2))
        there, removed = (
            [one for at, one in enumerate(there) if (at in gone) is out] for out in (False, True)
        )
        state = chance.choice(list(EntryState))
        changed = [
            msgspec.structs.replace(one, state=state) for one in there if chance.random() < 0.3
        ]
        by_id = {one.id: one for one in changed}
        there = [by_id.get(one.id, one) for one in there]
        fresh = [entry(f"E{n}") for n in range(typed, typed + chance.randrange(12))]
        typed, there = typed + len(fresh), [*there, *fresh]
        table.change_entries(EntryRowsChanged(fresh, changed, [one.id for one in removed]))
        assert table.entries == tuple(reversed(there))
        assert [table.position_of(one.id) for one in reversed(there)] == list(range(len(there)))
        assert keys(table)[len(there) :] == [1, 2]
        assert all(table.position_of(one.id) is None for one in removed)
    assert tester.model() is table


ZORA, YAN, XENIA = entry("Zora"), entry("Yan"), entry("Xenia")
SENDING = msgspec.structs.replace(YAN, state=EntryState.SENDING)


def _change(table: PeopleTable, change: EntryRowsChanged) -> None:
    """What of it can happen to the entries there are."""
    there = {one.id for one in table.entries}
    table.change_entries(
        EntryRowsChanged(
            [one for one in change.fresh if one.id not in there],
            [one for one in change.changed if one.id in there],
            [entry_id for entry_id in change.gone if entry_id in there],
        )
    )


CHANGES: dict[str, Callable[[PeopleTable], None]] = {
    "an entry comes": lambda table: table.show_entries([ZORA, YAN, XENIA]),
    "an entry goes": lambda table: table.show_entries([YAN]),
    "an entry changes": lambda table: table.show_entries([ZORA, SENDING]),
    "an entry goes while another changes": lambda table: table.show_entries([SENDING]),
    "other entries": lambda table: table.show_entries([XENIA]),
    "an entry more": lambda table: _change(table, EntryRowsChanged(fresh=[XENIA])),
    "an entry as it is now": lambda table: _change(table, EntryRowsChanged(changed=[SENDING])),
    "an entry less": lambda table: _change(table, EntryRowsChanged(gone=[YAN.id])),
    "no entries": lambda table: table.show_entries([]),
    "more people": lambda table: table.append_rows(range(100, 120)),
    "no more people": lambda table: table.append_rows([]),
    "other people": lambda table: table.show_rows([9, 8, 7]),
    "the same people": lambda table: table.show_rows(range(70)),
    "fewer people": lambda table: table.show_rows(range(3)),
    "nobody": lambda table: table.show_rows([]),
    "the same people anew": lambda table: table.reread(),
    "other words to mark": lambda table: table.mark(("zora",)),
    "another order": lambda table: table.show_sort(SortKey.EMAIL, descending=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_view_can_follow_each_change(
    table: PeopleTable, change: Callable[[PeopleTable], None]
) -> None:
    table.show_entries([ZORA, YAN])
    table.show_rows(range(70))
    tester = watched(table)
    change(table)
    assert tester.model() is table


@pytest.mark.parametrize("seed", range(2))
def test_a_view_can_follow_any_changes_one_after_the_other(table: PeopleTable, seed: int) -> None:
    tester = watched(table)
    chance = random.Random(seed)  # noqa: S311 - the same changes every time
    for _ in range(40):
        change = chance.choice(list(CHANGES.values()))
        change(table)
        assert len(set(keys(table))) <= table.rowCount()
        for position in range(0, table.rowCount(), 17):
            assert cells(table, position)[0]
    assert tester.model() is table
