"""Batches in the file: whole or not there, damage noticed, kept with their people."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from app.model.outbox import Batch, BatchRow, EntryState, NewPerson, OutboxEntry
from app.store.outbox import batches as outbox_batches
from app.store.outbox import outbox
from app.store.outbox import rows as outbox_rows
from app.store.outbox.outbox import OutboxStore
from tests.store.outbox_entries import NOON, entry

HERE = "an-id https://a.example.org"


def batch(rows: int, name: str = "b") -> Batch:
    return Batch(
        id=name * 32,
        name="sign-up.csv",
        headings=("Name", "Note"),
        taken_at=NOON,
        rows=rows,
        total=rows - 1,
    )


def rows_of(count: int) -> list[BatchRow]:
    """The last of them is left out."""
    found = [
        BatchRow(number + 2, (f"Ada{number}", "choir"), NewPerson(firstname=f"Ada{number}"))
        for number in range(count - 1)
    ]
    return [*found, BatchRow(count + 1, ("Bob", ""), None, "already here")]


def entries_of(one: Batch, rows: list[BatchRow]) -> list[OutboxEntry]:
    return [
        entry(number, id=one.entry_id(number), new_person=row.new_person, batch=one.id, row=number)
        for number, row in enumerate(rows)
        if row.new_person is not None
    ]


async def taken(store: OutboxStore, count: int, name: str = "b") -> tuple[Batch, list[BatchRow]]:
    one, rows = batch(count, name), rows_of(count)
    await store.take_batch(one, rows, entries_of(one, rows))
    return one, rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one" / "outbox.sqlite3"


async def test_a_batch_is_there_after_a_restart_with_every_row_and_everybody(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    one, rows = await taken(store, 250)
    store.write(entry(2))
    done = msgspec.structs.replace(
        store.entries()[2], state=EntryState.ADDED, person_id="p", ended_at=NOON
    )
    store.write(done)
    store.write_batch(msgspec.structs.replace(one, paused=True))
    await store.close()
    store = OutboxStore.open(file)
    assert store.rescue is None
    assert store.batches() == (msgspec.structs.replace(one, paused=True),)
    assert await store.batch_rows(one.id) == tuple(rows)
    assert await store.batch_done(one.id) == (done,)
    assert len(store.entries()) == 250
    in_work, done_states = store.batch_states(one.id)
    assert (len(in_work), set(in_work.values())) == (248, {"waiting"})
    assert done_states == {1: "added"}
    await store.close()


async def test_where_it_cannot_be_kept_nothing_of_it_is_there(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = OutboxStore.open(file)
    one, rows = batch(250), rows_of(250)
    people = entries_of(one, rows)
    people[-1] = msgspec.structs.replace(people[-1], id=people[0].id)
    monkeypatch.setattr(outbox_rows, "_OPEN", "INSERT INTO entries VALUES (NULL, ?, ?, ?, ?)")
    with pytest.raises(sqlite3.IntegrityError):
        await store.take_batch(one, rows, people)
    assert (store.batches(), store.entries()) == ((), ())
    await store.close()
    monkeypatch.undo()
    store = OutboxStore.open(file)
    assert (store.rescue, store.batches(), store.entries()) == (None, (), ())
    await store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM batches",
        "DELETE FROM batch_rows WHERE place = 2",
        "UPDATE batch_rows SET rows = replace(rows, 'choir', 'board') WHERE place = 1",
        "UPDATE batches SET batch = replace(batch, 'sign-up', 'sign-in')",
    ],
)
async def test_damage_to_a_batch_is_noticed_and_costs_nobody(file: Path, damage: str) -> None:
    store = OutboxStore.open(file)
    one, _ = await taken(store, 250)
    await store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(damage)
    store = OutboxStore.open(file)
    assert store.rescue is not None
    assert len(store.entries()) == 249
    assert all(known.batch == one.id for known in store.entries())
    if "FROM batch_rows" in damage or "UPDATE batch_rows" in damage:
        left = await store.batch_rows(one.id)
        assert len(left) == 250
        assert {row.cells[1] for row in left} == {"choir", ""}
        assert store.batches() == (one,)
        assert store.rescue.lists == (one.name,)
    await store.close()


def overwritten(file: Path, *pages: int) -> None:
    """As a bad piece of a disk leaves it."""
    with file.open("r+b") as opened:
        for page in pages:
            opened.seek((page - 1) * 8192)
            opened.write(b"\xa5" * 8192)


def first_page(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        asked = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return int(connection.execute(asked, (table,)).fetchone()[0])


@pytest.mark.parametrize(
    "tables", [("batches",), ("batch_rows",), ("batches", "batch_rows"), ("sqlite_schema",)]
)
@pytest.mark.parametrize("note", ["choir", "a long remark, " * 60])
async def test_where_the_first_page_of_a_table_is_gone_its_batches_are_read_all_the_same(
    file: Path, tables: tuple[str, ...], note: str
) -> None:
    store = OutboxStore.open(file)
    one = msgspec.structs.replace(batch(250), paused=True)
    rows = [msgspec.structs.replace(row, cells=(row.cells[0], note)) for row in rows_of(250)]
    await store.take_batch(one, rows, entries_of(one, rows))
    await store.close()
    schema = tables == ("sqlite_schema",)
    overwritten(file, *([1] if schema else [first_page(file, table) for table in tables]))
    store = OutboxStore.open(file)
    assert store.rescue is not None
    assert len(store.entries()) == 249
    assert {entry.batch for entry in store.entries()} == {one.id}
    (known,) = store.batches()
    found = await store.batch_rows(one.id)
    assert found == tuple(rows)
    if "batches" in tables:
        # What stood on the page that is gone is told by the people and their rows.
        assert (known.rows, known.total) == (250, 249)
        assert store.rescue.lists == (known.name,)
    else:
        assert (known, store.rescue.lists) == (one, ())
    in_work, _ = store.batch_states(one.id)
    assert len(in_work) == 249
    await store.close()


async def test_rows_that_are_gone_are_made_anew_in_their_places(file: Path) -> None:
    store = OutboxStore.open(file)
    one, rows = await taken(store, 450)
    await store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM batch_rows WHERE place IN (2, 5)")
        connection.execute("DELETE FROM entries WHERE id LIKE '%.000150'")
    store = OutboxStore.open(file)
    found = await store.batch_rows(one.id)
    assert [row.line for row in found] == [row.line for row in rows]
    assert found[:100] == tuple(rows[:100])
    assert found[200:400] == tuple(rows[200:400])
    assert [row.new_person for row in found[100:150]] == [row.new_person for row in rows[100:150]]
    assert [found[at].left_out for at in (150, 449)] == ["not readable in the damaged file"] * 2
    assert store.rescue is not None
    assert store.rescue.lists == (one.name,)
    await store.close()


@pytest.mark.parametrize("other", ["000110", "000500", "-00100"])
async def test_rows_whose_number_is_damaged_stand_in_nobody_else_s_place(
    file: Path, other: str
) -> None:
    """The id of so many rows is not signed with them."""
    store = OutboxStore.open(file)
    one, rows = await taken(store, 350)
    await store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        changed = "UPDATE batch_rows SET id = replace(id, '/000100', '/' || ?) WHERE place = 2"
        assert connection.execute(changed, (other,)).rowcount == 1
    store = OutboxStore.open(file)
    found = await store.batch_rows(one.id)
    assert len(found) == 350
    assert len(store.entries()) == 349
    read = [at for at, row in enumerate(found) if row == rows[at]]
    assert read == [*range(100), *range(200, 350)]
    assert [row.new_person for row in found[100:200]] == [row.new_person for row in rows[100:200]]
    await store.close()


async def test_whoever_is_only_in_a_row_of_a_batch_any_more_is_not_sure(file: Path) -> None:
    store = OutboxStore.open(file)
    one, rows = await taken(store, 20)
    await store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM entries WHERE id LIKE '%.000007'")
    store = OutboxStore.open(file)
    (lost,) = [known for known in store.entries() if known.row == 7]
    assert (lost.new_person, lost.batch) == (rows[7].new_person, one.id)
    assert (lost.state, lost.reason != "") == (EntryState.NOT_SURE, True)
    assert len(store.entries()) == 19
    await store.close()


async def test_a_batch_that_was_forgotten_does_not_come_back_out_of_a_damaged_file(
    file: Path,
) -> None:
    store = OutboxStore.open(file)
    old, rows = batch(20), rows_of(20)
    ended = [
        msgspec.structs.replace(known, state=EntryState.ADDED, person_id=known.id)
        for known in entries_of(old, rows)
    ]
    store.write(*ended)
    new = msgspec.structs.replace(batch(20, "c"), taken_at=NOON.replace(year=2025))
    await store.take_batch(new, rows, entries_of(new, rows))
    await store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM entries WHERE id LIKE '%.000005'")
    store = OutboxStore.open(file)
    assert store.rescue is not None
    assert store.batches() == (new,)
    await store.close()


async def test_a_batch_comes_back_with_its_people_from_a_file_that_was_set_aside(
    file: Path,
) -> None:
    store = OutboxStore.open(file, HERE)
    one, rows = await taken(store, 120)
    await store.close()
    elsewhere = OutboxStore.open(file, "an-id https://b.example.org")
    assert (elsewhere.batches(), elsewhere.entries()) == ((), ())
    other, _ = await taken(elsewhere, 3, "c")
    await elsewhere.close()
    back = OutboxStore.open(file, HERE)
    assert back.batches() == (one,)
    assert await back.batch_rows(one.id) == tuple(rows)
    assert len(back.entries()) == 119
    await back.close()
    again = OutboxStore.open(file, "an-id https://b.example.org")
    assert again.batches() == (other,)
    await again.close()


async def test_the_newest_batches_keep_their_entries_and_older_ones_go_with_theirs(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "ROWS_OF_BATCHES_KEPT", 45)
    monkeypatch.setattr(outbox, "KEPT_IN_HISTORY", 2)
    store = OutboxStore.open(file)
    for name in "bcde":
        one, rows = await taken(store, 20, name)
        ended = EntryState.WAITING if name == "b" else EntryState.ADDED
        people = [msgspec.structs.replace(known, state=ended) for known in entries_of(one, rows)]
        store.write(*people)
    await store.close()
    store = OutboxStore.open(file)
    # Of the oldest somebody still waits; the next one is too old.
    assert [one.id[0] for one in store.batches()] == ["b", "d", "e"]
    assert len(await store.batch_done("e" * 32)) == 19
    assert len(await store.batch_done("d" * 32)) == 19
    assert len(await store.batch_done("c" * 32)) == 2
    assert await store.batch_rows("c" * 32) == ()
    await store.close()


def test_a_text_that_was_changed_is_not_readable(tmp_path: Path) -> None:
    kept = outbox_batches.chunk(batch(2), 0, rows_of(2))
    with closing(sqlite3.connect(tmp_path / "file")) as connection:
        connection.execute("CREATE TABLE batch_rows (place INTEGER PRIMARY KEY, id, rows)")
        for place in range(len(kept.text)):
            changed = kept.text[:place] + "~" + kept.text[place + 1 :]
            connection.execute("INSERT INTO batch_rows (id, rows) VALUES (?, ?)", ("x", changed))
        connection.execute("INSERT INTO batch_rows (id, rows) VALUES (?, ?)", kept[1:])
        assert outbox_rows.read_texts(connection) == [kept]
