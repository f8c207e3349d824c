"""Lists that are looked over, in the file: there after a restart, gone with what became of them,
and no less than people who are not sent yet where a file is damaged or another account's.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.model.outbox import Batch
from app.store.errors import StoreDamaged, StoreError
from app.store.outbox import rows as outbox_rows
from app.store.outbox.outbox import OutboxStore
from app.store.outbox.reviews import KeptReview
from tests.store.outbox_entries import NOON, entry

HERE = "an-id https://a.example.org"
ONE, TWO = "1" * 32, "2" * 32
LIST = b"Ada Lovelace, Grace Hopper " * 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one" / "outbox.sqlite3"


def lose_first_page(file: Path) -> None:
    file.write_bytes(bytes(8192) + file.read_bytes()[8192:])


async def test_a_list_is_there_after_a_restart_as_it_stood_last(file: Path) -> None:
    store = OutboxStore.open(file)
    await store.keep_review(KeptReview(ONE, "fresh"), LIST)
    await store.keep_review(KeptReview(TWO, "the second"), b"")
    await store.keep_review(KeptReview(ONE, "changed"))
    await store.close()
    store = OutboxStore.open(file)
    assert store.rescue is None
    assert store.reviews() == (KeptReview(ONE, "changed"), KeptReview(TWO, "the second"))
    assert await store.review_source(ONE) == LIST
    assert await store.review_source(TWO) == b""
    await store.close()


async def test_a_list_that_is_discarded_leaves_no_byte(file: Path) -> None:
    store = OutboxStore.open(file)
    await store.keep_review(KeptReview(ONE, "typed by somebody"), LIST)
    await store.keep_review(KeptReview(TWO, "another"), LIST)
    await store.forget_review(ONE)
    assert [review.id for review in store.reviews()] == [TWO]
    with pytest.raises(StoreDamaged):
        await store.review_source(ONE)
    await store.close()
    with closing(sqlite3.connect(file)) as connection:
        assert b"typed by somebody" not in connection.serialize()
    store = OutboxStore.open(file)
    assert ([review.id for review in store.reviews()], store.rescue) == ([TWO], None)
    await store.close()


async def test_a_list_is_gone_once_its_people_are_taken_and_not_before(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise StoreError("No room", "The disk is full.")

    store = OutboxStore.open(file)
    await store.keep_review(KeptReview(ONE, "changed"), LIST)
    one = Batch(id="b" * 32, name="list", headings=(), taken_at=NOON, rows=0, total=0)
    with monkeypatch.context() as patched:
        patched.setattr(outbox_rows, "put_new", full)
        with pytest.raises(StoreError):
            await store.take_batch(one, [], [], ONE)
    assert ([review.id for review in store.reviews()], store.batches()) == ([ONE], ())
    await store.take_batch(one, [], [], ONE)
    await store.close()
    store = OutboxStore.open(file)
    assert (store.reviews(), store.batches(), store.rescue) == ((), (one,), None)
    await store.close()


async def test_a_list_is_read_out_of_a_damaged_file(file: Path) -> None:
    store = OutboxStore.open(file, HERE)
    store.write(entry(1))
    await store.keep_review(KeptReview(ONE, "changed"), LIST)
    await store.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE entries SET state = 'added'")
    store = OutboxStore.open(file, HERE)
    assert store.rescue is not None
    assert store.reviews() == (KeptReview(ONE, "changed"),)
    assert await store.review_source(ONE) == LIST
    await store.close()


async def test_lists_and_somebody_of_many_pages_come_out_of_a_file_without_its_first_page(
    file: Path,
) -> None:
    long, store = entry(1, typed="x" * 30_000), OutboxStore.open(file, HERE)
    store.write(long)
    for one in (ONE, TWO):
        await store.keep_review(KeptReview(one, "fresh"), LIST)
    await store.close()
    lose_first_page(file)
    store = OutboxStore.open(file, HERE)
    assert [known.typed for known in store.entries()] == [long.typed]
    assert store.reviews() == (KeptReview(ONE, "fresh"), KeptReview(TWO, "fresh"))
    assert await store.review_source(TWO) == LIST
    await store.close()


async def test_a_list_without_its_rows_is_not_offered(file: Path) -> None:
    store = OutboxStore.open(file, HERE)
    await store.keep_review(KeptReview(ONE, "changed"), LIST)
    await store.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE review_sources SET source = replace(source, 'A', 'B')")
    store = OutboxStore.open(file, HERE)
    assert store.rescue is not None
    assert store.reviews() == ()
    await store.close()


async def test_a_list_of_another_account_is_set_aside_and_comes_back_with_it(file: Path) -> None:
    store = OutboxStore.open(file, HERE)
    await store.keep_review(KeptReview(ONE, "changed"), LIST)
    await store.close()
    store = OutboxStore.open(file, "another https://b.example.org")
    assert store.reviews() == ()
    assert store.rescue is not None
    assert store.rescue.other_account
    await store.close()
    ours = file.parent.parent / "two" / file.name
    store = OutboxStore.open(ours, HERE)
    assert store.reviews() == (KeptReview(ONE, "changed"),)
    assert await store.review_source(ONE) == LIST
    await store.close()


async def test_the_lists_of_one_outbox_are_put_into_another(file: Path) -> None:
    before, store = OutboxStore.open(None), OutboxStore.open(file)
    await before.keep_review(KeptReview(ONE, "changed"), LIST)
    store.add_batch_texts(before.review_texts())
    await before.close()
    await store.close()
    store = OutboxStore.open(file)
    assert (store.reviews(), store.rescue) == ((KeptReview(ONE, "changed"),), None)
    assert await store.review_source(ONE) == LIST
    await store.close()
