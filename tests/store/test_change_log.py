"""What the readings of an account have changed in its people, as it is kept to be told."""

import contextlib
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from app.model.change import Change, ChangeKind
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.store import change_log
from app.store.cache import Cache, Shortfall
from app.store.errors import StoreError

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
OLD = datetime(2020, 1, 1, tzinfo=UTC)
ADA = Person(
    id="ada",
    firstname="Ada",
    lastname="Lovelace",
    email="ada@x.org",
    phone="044 12",
    mobile="",
    date_added=OLD,
    admin=False,
    archived=False,
    volunteer=True,
    preferred_name="",
    deceased=False,
)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", archived=True)
EVE = Person(id="eve", firstname="Eve", lastname="Adams", email="eve@x.org")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = MONDAY

    def __call__(self) -> datetime:
        return self.time


class Account:
    """A cache, and readings of a service that has these people."""

    def __init__(self, path: Path | None = None, *, tells_changes: bool = True) -> None:
        self.clock = Clock()
        self.path = path
        self._tells = tells_changes
        self.cache = self._open()

    def _open(self) -> Cache:
        return Cache.open(self.path, now=self.clock, tells_changes=self._tells)

    async def read(self, *people: Person, complete: bool = True) -> None:
        number = await self.cache.begin_full_read()
        for start in range(0, len(people), 500):
            await self.cache.save_people(people[start : start + 500])
        missing = None if complete else Shortfall(len(people), len(people) + 1)
        await self.cache.finish_full_read(number, complete=complete, missing=missing)

    async def read_and_break_off(self, *people: Person) -> None:
        number = await self.cache.begin_full_read()
        await self.cache.save_people(people)
        await self.cache.give_up_full_read(number)

    async def start_again(self) -> None:
        await self.cache.close()
        self.cache = self._open()

    async def said(self) -> list[str]:
        """From the oldest on."""
        found = await self.cache.changes(limit=100_000)
        return [in_short(one.change) for one in reversed(found)]


def in_short(change: Change) -> str:
    fields = [f"{one.field}: {one.before} > {one.after}" for one in change.fields]
    return " ".join((change.kind, change.name, *fields))


def but(person: Person, **fields: object) -> Person:
    return msgspec.structs.replace(person, **fields)


@pytest.mark.parametrize(
    ("become", "said"),
    [
        (
            {"firstname": "Augusta Ada"},
            ["changed Augusta Ada Lovelace name: Ada Lovelace > Augusta Ada Lovelace"],
        ),
        ({"lastname": "King"}, ["changed Ada King name: Ada Lovelace > Ada King"]),
        ({"lastname": ""}, ["changed Ada name: Ada Lovelace > Ada"]),
        ({"email": "new@x.org"}, ["changed Ada Lovelace email: ada@x.org > new@x.org"]),
        ({"email": ""}, ["changed Ada Lovelace email: ada@x.org > "]),
        ({"phone": "044 13"}, ["changed Ada Lovelace phone: 044 12 > 044 13"]),
        ({"mobile": "079"}, ["changed Ada Lovelace mobile:  > 079"]),
        ({"admin": True}, ["changed Ada Lovelace admin:  > 1"]),
        ({"volunteer": False}, ["changed Ada Lovelace volunteer: 1 > "]),
        ({"deceased": True}, ["deceased Ada Lovelace"]),
        ({"preferred_name": "Gussie"}, ["changed Ada Lovelace preferred_name:  > Gussie"]),
        ({"others": (("family", "Byron"),)}, []),
        ({"archived": True}, ["archived Ada Lovelace"]),
        (
            {"archived": True, "email": "", "phone": ""},
            ["archived Ada Lovelace", "changed Ada Lovelace email: ada@x.org >  phone: 044 12 > "],
        ),
        # The same, written otherwise; and what is nobody's news.
        ({"email": "Ada@X.org"}, []),
        ({"phone": "(04)412"}, []),
        ({"firstname": " Ada  "}, []),
        ({"date_modified": MONDAY, "date_added": MONDAY}, []),
    ],
)
async def test_what_is_other_about_a_person_is_said(
    become: dict[str, object], said: list[str]
) -> None:
    account = Account()
    await account.read(ADA, EVE)
    await account.read(but(ADA, **become), EVE)
    assert await account.said() == said
    await account.read(but(ADA, **become), EVE)
    assert await account.said() == said
    await account.cache.close()


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("category", "Guests", ["category: Members > Guests"]),
        ("contact", "1", ["contact:  > 1"]),
        ("contact", "no", []),
        ("family_relationship", "", ["family_relationship: Child > "]),
        ("family", "Byron", []),  # told for the first time, as far as is known
        ("category_id", "c2", []),
        ("picture", "https://p.org/2", []),
    ],
)
async def test_what_is_other_beyond_the_documents_fields_is_said_where_it_tells_anything(
    field: str, text: str, said: list[str]
) -> None:
    told = {
        "contact": "0",
        "family_relationship": "Child",
        "category": "Members",
        "category_id": "c1",
        "picture": "https://p.org/1",
    }
    account = Account()
    await account.read(but(ADA, others=tuple(told.items())))
    await account.read(but(ADA, others=tuple({**told, field: text}.items())))
    assert await account.said() == [f"changed Ada Lovelace {one}" for one in said]
    await account.cache.close()


@pytest.mark.parametrize(
    "field",
    [
        *("firstname", "lastname", "email", "phone", "mobile", "admin", "archived", "volunteer"),
        *("preferred_name", "deceased"),
    ],
)
async def test_a_field_the_service_left_out_or_tells_for_the_first_time_is_no_news(
    field: str,
) -> None:
    account = Account()
    without = but(ADA, **{field: None})
    await account.read(ADA, without_id := but(without, id="first without"))
    await account.read(without, but(without_id, **{field: getattr(ADA, field)}))
    assert await account.said() == []
    await account.cache.close()


async def test_who_came_went_and_is_back_is_said_once_each() -> None:
    account = Account()
    await account.read(ADA, BOB)
    await account.read(ADA, but(BOB, archived=False), EVE)
    await account.read(EVE)
    await account.read(EVE, BOB)
    assert await account.said() == [
        "back Bob Øst",
        "came Eve Adams",
        "gone Ada Lovelace",
        "gone Bob Øst",
        "came Bob Øst",
    ]
    await account.cache.close()


async def test_the_first_whole_reading_is_no_news_however_it_came_about(tmp_path: Path) -> None:
    account = Account(tmp_path / "cache.db")
    await account.read_and_break_off(ADA)
    await account.start_again()
    await account.read_and_break_off(ADA, BOB)
    await account.read(but(ADA, email="other@x.org"), EVE)
    assert await account.said() == []
    await account.start_again()
    await account.read(but(ADA, email="other@x.org"), EVE, BOB)
    assert await account.said() == ["came Bob Øst"]
    await account.cache.close()


async def test_what_a_short_reading_left_out_has_neither_gone_nor_come_later() -> None:
    account = Account()
    await account.read(ADA, complete=False)
    await account.read(BOB, complete=False)
    await account.read(ADA, BOB, EVE)
    assert await account.said() == []
    await account.read(EVE, complete=False)
    await account.read(ADA, BOB, EVE)
    assert await account.said() == []
    await account.cache.close()


async def test_who_was_added_after_a_short_reading_is_new_all_the_same() -> None:
    account = Account()
    await account.read(ADA, complete=False)
    account.clock.time += timedelta(days=1)
    new = but(EVE, date_added=MONDAY + timedelta(hours=2))
    await account.read(ADA, new, but(BOB, date_added=OLD), complete=False)
    assert await account.said() == ["came Eve Adams"]
    await account.cache.close()


@pytest.mark.parametrize("reading_first", [False, True])
async def test_who_was_added_from_here_came_once_and_as_added_here(*, reading_first: bool) -> None:
    account = Account()
    await account.read(ADA)
    if reading_first:
        await account.read(ADA, EVE)
    await account.cache.save_people([Person(id="eve", firstname="Eve")], added_here=True)
    await account.read(ADA, EVE)
    assert (await account.said())[0].startswith("added here Eve")
    assert len(await account.said()) == 1
    (logged,) = await account.cache.changes()
    assert logged.change.kind is ChangeKind.ADDED_HERE
    assert (await account.cache.unseen_changes()).counts == {ChangeKind.ADDED_HERE: 1}
    await account.cache.close()


@pytest.mark.parametrize("reading_first", [False, True])
async def test_whoever_turns_out_to_be_added_from_here_is_no_news(*, reading_first: bool) -> None:
    """The program was killed before it could put them in, or their answer was lost."""
    account = Account()
    await account.read(ADA)
    if reading_first:
        await account.read(ADA, BOB, EVE)
    assert await account.cache.were_added_here(["eve", "ada", "nobody"]) is reading_first
    await account.read(ADA, BOB, EVE)
    assert sorted(await account.said()) == ["added here Eve Adams", "came Bob Øst"]
    assert not await account.cache.were_added_here(["eve"])
    await account.cache.close()


async def test_what_cannot_be_told_is_not_done_either(tmp_path: Path) -> None:
    """One transaction: whoever is killed in between has neither."""
    path = tmp_path / "cache.db"
    account = Account(path)
    await account.read(ADA, BOB)
    await account.cache.save_flows([PeopleFlow(id="w", name="Welcome")])
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TRIGGER no BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    with pytest.raises((StoreError, sqlite3.Error)):
        await account.cache.save_people([EVE])
    with pytest.raises((StoreError, sqlite3.Error)):
        await account.read(ADA)
    gone = Change(kind=ChangeKind.FLOW_GONE, id="w", name="Welcome")
    with pytest.raises((StoreError, sqlite3.Error)):
        await account.cache.save_flows([], changes=[gone])
    assert account.cache.person("eve") is None
    assert account.cache.person("bob") is not None
    assert [flow.id for flow in await account.cache.flows()] == ["w"]
    await account.cache.close()


async def test_nothing_is_kept_where_nothing_is_to_be_kept() -> None:
    kept, account = Account(), Account(tells_changes=False)
    await kept.read(ADA)
    await kept.read(ADA, BOB)
    # The setting was changed: what is shown goes on in memory.
    await kept.cache.copy_into(account.cache)
    await account.read(EVE)
    await account.cache.save_flows([PeopleFlow(id="w")])
    await account.cache.save_flows([], changes=[Change(kind=ChangeKind.FLOW_GONE)])
    assert await account.said() == []
    assert (await account.cache.unseen_changes()).counts == {}
    await account.cache.close()
    await kept.cache.close()


async def test_flows_of_which_nothing_was_kept_before_are_no_news() -> None:
    """As after damage: the file is made anew, while the window still holds the flows."""
    account = Account()
    came = Change(kind=ChangeKind.FLOW_CAME, id="w", name="Welcome")
    for said in ([], ["flow came Welcome"]):
        await account.cache.save_flows([PeopleFlow(id="w", name="Welcome")], changes=[came])
        assert await account.said() == said
    await account.cache.close()


async def test_changes_are_kept_for_ninety_days() -> None:
    account = Account()
    await account.read(ADA)
    await account.read(ADA, BOB)
    account.clock.time += timedelta(days=89)
    await account.read(ADA, BOB, EVE)
    assert await account.said() == ["came Bob Øst", "came Eve Adams"]
    account.clock.time += timedelta(days=2)
    assert await account.said() == ["came Eve Adams"]
    assert (await account.cache.unseen_changes()).counts == {ChangeKind.CAME: 1}
    await account.read(ADA, BOB, EVE)
    account.clock.time -= timedelta(days=2)
    assert await account.said() == ["came Eve Adams"]
    await account.cache.close()


async def test_too_many_to_keep_one_by_one_are_counted_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(change_log, "MOST", 1_000)
    account = Account()
    crowd = many(3_000)
    await account.read(*crowd)
    await account.read(*(but(one, email="new@x.org") for one in crowd))
    assert len(await account.said()) == 1_000
    cut = await account.cache.cut_changes()
    assert sum(one.count for one in cut) == 2_000
    assert {(one.kind, one.at) for one in cut} == {(ChangeKind.CHANGED, MONDAY)}
    unseen = await account.cache.unseen_changes()
    assert unseen.counts == {ChangeKind.CHANGED: 3_000}
    await account.cache.mark_changes_seen(unseen.last_serial)
    assert (await account.cache.unseen_changes()).counts == {}
    await account.cache.close()


async def test_of_those_only_counted_what_was_looked_at_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(change_log, "MOST", 100)
    account = Account()
    crowd = many(300)
    await account.read(*crowd)
    await account.read(*(but(one, email="new@x.org") for one in crowd))
    await account.cache.mark_changes_seen((await account.cache.unseen_changes()).last_serial)
    # Within the same quarter of an hour.
    newer = [but(one, email="newer@x.org") for one in crowd[:150]]
    await account.read(*newer, *(but(one, email="new@x.org") for one in crowd[150:]))
    assert sum(one.count for one in await account.cache.cut_changes()) == 350
    unseen = await account.cache.unseen_changes()
    assert unseen.counts == {ChangeKind.CHANGED: 150}
    # More come, and are only counted in part, while somebody looks at these.
    await account.read(*(but(one, email="newest@x.org") for one in crowd))
    await account.cache.mark_changes_seen(unseen.last_serial)
    assert (await account.cache.unseen_changes()).counts[ChangeKind.CHANGED] >= 300
    await account.cache.close()


async def test_it_is_known_over_a_restart_what_nobody_has_seen_and_since_when(
    tmp_path: Path,
) -> None:
    account = Account(tmp_path / "cache.db")
    assert (await account.cache.unseen_changes()).since is None
    await account.read(ADA)
    account.clock.time += timedelta(days=2)
    await account.read(ADA, BOB)
    await account.start_again()
    unseen = await account.cache.unseen_changes()
    assert (unseen.since, unseen.counts) == (MONDAY, {ChangeKind.CAME: 1})
    await account.cache.mark_changes_seen(unseen.last_serial)
    await account.start_again()
    unseen = await account.cache.unseen_changes()
    assert (unseen.since, unseen.counts) == (MONDAY + timedelta(days=2), {})
    # What is told once everything older was forgotten is unseen all the same.
    account.clock.time += timedelta(days=100)
    await account.read(ADA, BOB)
    await account.read(ADA)
    assert (await account.cache.unseen_changes()).counts == {ChangeKind.GONE: 1}
    await account.cache.close()


async def test_another_account_or_a_damaged_file_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    for owner in ("one", "other"):
        cache = Cache.open(path, owner)
        await cache.save_people([ADA if owner == "one" else BOB])
        number = await cache.begin_full_read()
        await cache.save_people([EVE])
        await cache.finish_full_read(number, complete=True)
        assert await cache.changes() == []
        assert (await cache.unseen_changes()).counts == {}
        await cache.close()


async def test_row_numbers_of_people_do_not_jump_with_the_changes() -> None:
    """Memory holds people by row number."""
    account = Account()
    crowd = many(300)
    await account.read(*crowd)
    for email in ("new@x.org", "newer@x.org"):
        await account.read(*(but(one, email=email) for one in crowd))
    assert (await account.cache.save_people([EVE])).added == (301,)
    await account.cache.close()


def many(count: int) -> Sequence[Person]:
    return [Person(id=str(number), firstname=f"P{number}", email="") for number in range(count)]
