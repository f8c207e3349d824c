"""People as last seen: what a save changes, what a pass removes, what is read back."""

import asyncio
import sqlite3
import sys
import threading
from array import array
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.model.person import Person
from app.runtime.words import use_language
from app.store import people_rows
from app.store.cache import Cache, FullReads
from app.store.ordering import ROW, SortKey, ranks
from app.store.person_flags import PersonFlags
from app.store.search_keys import SEPARATOR
from tests.catalogues import write_catalogue

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
ADA = Person(
    id="ada",
    firstname="Ada",
    lastname="Lovelace",
    email="ada@x.org",
    phone="",
    date_added=datetime(1815, 12, 10, 1, 2, 3, tzinfo=UTC),
    date_modified=NOON,
    admin=True,
    archived=False,
)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", volunteer=True)
EVE = Person(id="eve")


def everybody(cache: Cache) -> list[Person]:
    return list(cache.read_people(range(1, 1000)).values())


async def test_people_are_read_back_as_they_were_given(cache: Cache) -> None:
    delta = await cache.save_people([ADA, BOB, EVE])
    assert delta.added == (1, 2, 3)
    assert delta.changed == ()
    assert cache.read_people([3, 1, 99]) == {1: ADA, 3: EVE}
    assert cache.person("bob") == BOB
    assert cache.row_of("bob") == 2
    assert await cache.people_by_id(["eve", "nobody"]) == {"eve": EVE}


async def test_text_of_any_kind_comes_back_unharmed(cache: Cache) -> None:
    odd = Person(id="\"'\\é山😀", firstname="a\x00b\x1f\n", lastname="&amp; <b>", email="'; DROP--")
    await cache.save_people([odd])
    assert everybody(cache) == [odd]
    assert cache.person(odd.id) == odd


async def test_nobody_has_an_unknown_id(cache: Cache) -> None:
    assert cache.person("nobody") is None
    assert cache.row_of("nobody") is None
    assert cache.read_people([]) == {}


async def test_the_same_again_is_no_change(cache: Cache) -> None:
    await cache.save_people([ADA, BOB])
    delta = await cache.save_people([BOB, ADA])
    assert (delta.added, delta.changed, delta.index) == ((), (), ())


async def test_a_change_keeps_the_row(cache: Cache) -> None:
    await cache.save_people([ADA, BOB])
    married = Person(id="ada", firstname="Ada", lastname="King")
    delta = await cache.save_people([married, EVE])
    assert (delta.added, delta.changed) == ((3,), (1,))
    row, key, flags, _ = delta.index[0]
    assert (row, key.split(SEPARATOR), flags) == (1, ["king", "ada", "ada@x.org", "", "", ""], 1)


async def test_what_was_not_given_leaves_what_is_known_and_a_blank_replaces_it(
    cache: Cache,
) -> None:
    await cache.save_people([ADA])
    await cache.save_people([Person(id="ada", firstname="Ada", lastname="", archived=True)])
    assert everybody(cache) == [
        Person(
            id="ada",
            firstname="Ada",
            lastname="",
            email="ada@x.org",
            phone="",
            date_added=ADA.date_added,
            date_modified=NOON,
            admin=True,
            archived=True,
        )
    ]


MORE = replace(
    EVE,
    firstname="Jonathan",
    preferred_name="Jonny",
    deceased=True,
    others=(
        ("contact", "1"),
        ("family", "Ada Lovelace (Spouse)"),
        ("category_id", "5abe-11"),
        ("picture", "https://pictures.example/mo.png"),
    ),
)


async def test_each_field_beyond_the_documents_is_kept_until_it_is_told_anew(cache: Cache) -> None:
    await cache.save_people([MORE])
    assert everybody(cache) == [MORE]
    assert not (await cache.save_people([MORE, EVE])).changed
    less = replace(EVE, deceased=False, others=(("family", ""), ("contact", "0")))
    assert (await cache.save_people([less])).changed == (1,)
    told = (("contact", "0"), *MORE.others[2:])
    assert everybody(cache) == [replace(MORE, deceased=False, others=told)]
    blank = tuple((name, "") for name, _ in MORE.others)
    await cache.save_people([replace(EVE, preferred_name="", others=blank)])
    assert everybody(cache) == [replace(MORE, preferred_name="", deceased=False, others=())]
    assert not (await cache.save_people([replace(EVE, others=blank)])).changed


async def test_what_is_said_beyond_the_names_is_in_the_key_where_somebody_says_it(
    cache: Cache,
) -> None:
    await cache.save_people([ADA, MORE])
    (_, plain, *_), (_, more, *_) = await cache.search_keys(0, 10)
    assert len(plain.split(SEPARATOR)) == 6
    # Neither numbers nor addresses: a few letters of a name stand in them by chance.
    assert more.split(SEPARATOR)[6] == "jonny deceased contact ada lovelace (spouse)"


async def test_a_long_list_has_the_same_order_in_the_file_and_in_memory(cache: Cache) -> None:
    same = [replace(MORE, id=f"{name}", preferred_name=name) for name in ("Zo", "", "Al", "Zo b")]
    await cache.save_people([*same, replace(MORE, id="last", others=(), preferred_name=None)])
    index = await cache.search_keys(0, 10)
    keys, added = ["", *(key for _, key, *_ in index)], [0] * 6
    for by in (SortKey.LAST_NAME, SortKey.FIRST_NAME):
        in_memory = sorted(range(1, 6), key=ranks(by, keys, added))
        assert list(await cache.order(by)) == in_memory


async def test_the_order_is_the_same_where_a_word_of_the_language_is_in_memory_besides(
    cache: Cache, tmp_path: Path
) -> None:
    write_catalogue(tmp_path / "words", "de", {"deceased": "verstorben"})
    use_language(tmp_path / "words", ["de"])
    try:
        await test_a_long_list_has_the_same_order_in_the_file_and_in_memory(cache)
    finally:
        use_language(tmp_path / "words", ["en"])


async def test_somebody_listed_twice_in_a_batch_is_one_person_as_told_last(cache: Cache) -> None:
    others = [Person(id=str(number)) for number in range(1_000)]
    delta = await cache.save_people([ADA, *others, Person(id="ada", firstname="Augusta")])
    assert len(delta.added) == 1_001
    assert delta.changed == ()
    assert cache.read_people([1])[1].firstname == "Augusta"


async def test_marks_are_set_by_what_was_given_only(cache: Cache) -> None:
    await cache.save_people([ADA, BOB, EVE])
    flags = [PersonFlags(flags) for _, _, flags, _ in await cache.search_keys(0, 10)]
    assert flags == [
        PersonFlags.ADMIN,
        PersonFlags.VOLUNTEER | PersonFlags.WITHOUT_EMAIL,
        PersonFlags(0),
    ]


async def test_keys_are_read_in_parts_by_row(cache: Cache) -> None:
    await cache.save_people([ADA, BOB, EVE])
    assert [row for row, *_ in await cache.search_keys(0, 2)] == [1, 2]
    assert [row for row, *_ in await cache.search_keys(2, 2)] == [3]
    assert await cache.search_keys(3, 2) == []


async def test_only_a_full_read_without_somebody_removes_them(cache: Cache) -> None:
    await cache.save_people([ADA, BOB, EVE])
    part = await cache.begin_full_read()
    await cache.save_people([ADA])
    assert await cache.finish_full_read(part, complete=False) == ()
    whole = await cache.begin_full_read()
    await cache.save_people([ADA, EVE])
    assert await cache.finish_full_read(whole, complete=True) == (2,)
    assert everybody(cache) == [ADA, EVE]


async def test_somebody_added_while_a_full_read_is_under_way_stays(cache: Cache) -> None:
    number = await cache.begin_full_read()
    await cache.save_people([ADA])
    await cache.save_people([BOB])
    await cache.save_people([ADA])
    assert await cache.finish_full_read(number, complete=True) == ()


def test_a_full_read_holds_no_object_for_each_whom_it_has_seen() -> None:
    reads = FullReads()
    number = reads.begin(1)
    met = array(ROW, range(1_000, 11_000))
    before = sys.getallocatedblocks()
    reads.saw(met)
    assert sys.getallocatedblocks() - before < 1_000
    reads.saw(array(ROW, (3, 2**32 - 1)))
    assert reads.end(number).missing_of((1, 3, 999, 1_000, 10_999, 11_000, 2**32 - 1, 2**32)) == (
        1,
        999,
        11_000,
        2**32,
    )


async def test_a_full_read_that_was_broken_off_cannot_be_finished(cache: Cache) -> None:
    number = await cache.begin_full_read()
    await cache.give_up_full_read(number)
    await cache.give_up_full_read(number)
    with pytest.raises(KeyError):
        await cache.finish_full_read(number, complete=True)


async def test_the_row_of_somebody_who_is_gone_is_never_given_again(cache: Cache) -> None:
    await cache.save_people([ADA, BOB])
    number = await cache.begin_full_read()
    await cache.save_people([ADA])
    await cache.finish_full_read(number, complete=True)
    assert (await cache.save_people([EVE])).added == (3,)


async def test_a_full_read_notes_when_the_list_was_read(cache: Cache) -> None:
    assert cache.people_as_of is None
    await cache.finish_full_read(await cache.begin_full_read(), complete=False)
    assert cache.people_as_of == NOON


async def in_order(cache: Cache, by: SortKey, *, descending: bool = False) -> list[str]:
    rows = await cache.order(by, descending=descending)
    return [cache.read_people([row])[row].id for row in rows]


async def test_names_are_sorted_as_people_read_them(cache: Cache) -> None:
    names = [("Zed", "Öst"), ("", "Ost"), ("Bo", ""), ("Ann", "ost"), ("", ""), ("Al", "Łąka")]
    await cache.save_people([Person(id=f"{f} {n}", firstname=f, lastname=n) for f, n in names])
    assert await in_order(cache, SortKey.LAST_NAME) == [
        "Al Łąka", " Ost", "Ann ost", "Zed Öst", " ", "Bo ",
    ]  # fmt: skip
    assert await in_order(cache, SortKey.FIRST_NAME) == [
        "Al Łąka", "Ann ost", "Bo ", "Zed Öst", " ", " Ost",
    ]  # fmt: skip


@pytest.mark.parametrize("by", list(SortKey))
async def test_those_without_a_value_come_last_in_either_direction(
    cache: Cache, by: SortKey
) -> None:
    full = {
        "firstname": "B",
        "lastname": "B",
        "email": "b",
        "phone": "2",
        "mobile": "2",
        "date_added": NOON,
    }
    more = {
        "firstname": "C",
        "lastname": "C",
        "email": "c",
        "phone": "3",
        "mobile": "3",
        "date_added": datetime(2025, 1, 1, tzinfo=UTC),
    }
    await cache.save_people([EVE, Person(id="c", **more), Person(id="b", **full)])  # type: ignore[arg-type]  # mypy sees one type for all values
    assert await in_order(cache, by) == ["b", "c", "eve"]
    assert await in_order(cache, by, descending=True) == ["c", "b", "eve"]


async def test_a_window_can_be_painted_while_a_large_save_is_under_way(
    cache: Cache, crowd: tuple[Person, ...]
) -> None:
    under_way = threading.Event()

    def save(connection: sqlite3.Connection) -> None:
        under_way.set()
        people_rows.save(connection, crowd)
        under_way.clear()

    await cache.save_people(crowd[:100])
    saving = asyncio.gather(cache._database.run(save))
    painted = 0
    while not saving.done():
        began = under_way.is_set()
        assert len(cache.read_people(range(1, 51))) == 50
        assert cache.row_of("7") == 8
        # A reader that has to wait for the save ends after it.
        painted += began and under_way.is_set()
        await asyncio.sleep(0)
    assert painted > 20


async def test_a_database_in_memory_is_not_held_up_by_a_sort(crowd: tuple[Person, ...]) -> None:
    """A sort is one long step, for which everybody else on the same connection would wait."""
    cache = Cache.open(None)
    await cache.save_people(crowd[:100])
    asked: list[str] = []
    cache._database._writer.set_trace_callback(asked.append)
    await cache.order(SortKey.EMAIL)
    cache._database._writer.set_trace_callback(None)
    assert asked
    assert not [statement for statement in asked if "ORDER BY" in statement]
    await cache.close()


async def test_a_first_reading_that_is_broken_off_and_begun_anew_has_each_once(
    cache: Cache,
) -> None:
    crowd = [Person(id=f"p{n}", lastname=f"Name {n}") for n in range(2_500)]
    await cache.give_up_full_read(await cache.begin_full_read())
    await cache.save_people(crowd[:1_700])
    changed = replace(crowd[1_200], lastname="Another")
    delta = await cache.save_people([*crowd[:1_200], changed, *crowd[1_201:]])
    assert delta.changed == (1_201,)
    assert delta.added == tuple(range(1_701, 2_501))
    rows = cache.rows_of(person.id for person in crowd)
    assert rows == {f"p{n}": n + 1 for n in range(2_500)}
    assert cache.person("p1200") == changed
    assert cache.person("p2400") == crowd[2_400]
