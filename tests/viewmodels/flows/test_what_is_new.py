"""What is new, as it is told: since when, by day, with a way there, and nothing that is not so."""

import time
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.model.change import Change, ChangeKind, FieldChange, Named
from app.store import change_log
from app.store.errors import StoreError, damaged
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.what_is_new.change_sentences import change_sentence
from app.viewmodels.formatting import day_and_clock
from tests.viewmodels.flows.what_is_new_fixture import (
    ADA,
    BOB,
    CALL,
    CARD,
    CHOIR,
    EVE,
    MONDAY,
    TEA,
    WELCOME,
    ReadingsFixture,
    but,
    flow,
    person,
    step,
)


@pytest.fixture(autouse=True)
def without_a_pause(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Between two looks at what has changed; Qt must be there."""
    monkeypatch.setattr("app.viewmodels.flows.what_is_new.what_is_new._REST", 0)


@pytest.fixture
async def office() -> AsyncIterator[ReadingsFixture]:
    office = ReadingsFixture()
    yield office
    await office.close()


EVERYBODY = (ADA, BOB, EVE)
ALL = (WELCOME, CHOIR)
FLOWS = {
    "a new flow": ((*ALL, flow("Camp")), "Camp is a new flow"),
    "a flow gone": ((WELCOME,), "The flow Choir is gone"),
    "a flow renamed": (
        (WELCOME, msgspec.structs.replace(CHOIR, name="Band")),
        "Band was called Choir",
    ),
    "a flow pending": (
        (WELCOME, msgspec.structs.replace(CHOIR, status="draft")),
        "Choir is not active any more",
    ),
    "a flow closed": (
        (WELCOME, msgspec.structs.replace(CHOIR, access="admin")),
        "Choir is for administrators only now",
    ),
    "flows moved": ((CHOIR, WELCOME), "Choir comes before Welcome now"),
    "a first one to run it": (
        (WELCOME, msgspec.structs.replace(CHOIR, admins=("ada", "bob"))),
        "Ada Lovelace and Bob Øst run Choir now",
    ),
    "somebody else runs it": (
        (msgspec.structs.replace(WELCOME, admins=("bob",)), CHOIR),
        "Welcome went from Ada Lovelace to Bob Øst",
    ),
    "nobody runs it": (
        (msgspec.structs.replace(WELCOME, admins=()), CHOIR),
        "Welcome lost its administrator, Ada Lovelace",
    ),
    "a new step": (
        (flow("Welcome", CARD, CALL, TEA, step("Letter"), admins=("ada",)), CHOIR),
        "Welcome has a new step, 4 · Letter",
    ),
    "a step gone": (
        (flow("Welcome", CARD, TEA, admins=("ada",)), CHOIR),
        "Welcome no longer has the step Call",
    ),
    "a step renamed": (
        (
            flow("Welcome", CARD, msgspec.structs.replace(CALL, name="Ring"), TEA, admins=("ada",)),
            CHOIR,
        ),
        "Ring in Welcome was called Call",
    ),
    "a step pending": (
        (
            flow("Welcome", CARD, CALL, msgspec.structs.replace(TEA, status="x"), admins=("ada",)),
            CHOIR,
        ),
        "Tea in Welcome is pending now",
    ),
    "a way in": (
        (
            flow(
                "Welcome",
                msgspec.structs.replace(CARD, entry_point="y"),
                CALL,
                TEA,
                admins=("ada",),
            ),
            CHOIR,
        ),
        "People may join Welcome at Card now",
    ),
    "steps moved": (
        (flow("Welcome", TEA, CARD, CALL, admins=("ada",)), CHOIR),
        "Welcome: Tea comes before Card now",
    ),
    "one administrator more": (
        (flow("Welcome", CARD, step("Call", "ada", "bob"), TEA, admins=("ada",)), CHOIR),
        "Bob Øst administers Call in Welcome now",
    ),
    "one administrator fewer": (
        (flow("Welcome", step("Card", "ada"), CALL, TEA, admins=("ada",)), CHOIR),
        "Bob Øst no longer administers Card in Welcome",
    ),
    "somebody who is in no list": (
        (flow("Welcome", CARD, step("Call", "ada", "x-9f2c"), TEA, admins=("ada",)), CHOIR),
        "somebody not in your list (…9f2c) administers Call in Welcome now",
    ),
    "a step without administrator": (
        (flow("Welcome", CARD, step("Call"), TEA, admins=("ada",)), CHOIR),
        "Call in Welcome lost its administrator, Ada Lovelace",
    ),
}
PEOPLE = {
    "came": ((*EVERYBODY, person("Noor Haddad")), "Noor Haddad came"),
    "gone": ((ADA, EVE), "Bob Øst is no longer in the list"),
    "archived": (
        (ADA, but(BOB, archived=True), EVE),
        "Bob Øst was archived and still administers 2 steps and flows",
    ),
    "back": ((ADA, BOB, but(EVE, archived=False)), "Eve Adams is back from the archive"),
    "renamed": ((ADA, but(BOB, lastname="West"), EVE), "Bob West: was called Bob Øst"),
    "another email": (
        (ADA, but(BOB, email="b@x.org"), EVE),
        "Bob Øst: email now b@x.org, was bob@x.org",
    ),
    "no email": ((ADA, but(BOB, email=""), EVE), "Bob Øst: email taken out, was bob@x.org"),
    "a phone": (
        (ADA, but(BOB, phone="044", mobile="079"), EVE),
        "Bob Øst: phone added, 044, mobile added, 079",
    ),
    "flags": (
        (ADA, but(BOB, admin=True, volunteer=True), EVE),
        "Bob Øst: an administrator of the account now, a volunteer now",
    ),
}


@pytest.mark.parametrize("case", [*FLOWS, *PEOPLE])
async def test_what_has_changed_is_said_in_one_sentence(office: ReadingsFixture, case: str) -> None:
    flows, meant = FLOWS.get(case, (ALL, ""))
    people, of_people = PEOPLE.get(case, (EVERYBODY, ""))
    await office.read(EVERYBODY, *ALL)
    await office.read(people, *flows, days=1)
    await office.look()
    assert office.words == ["Today", meant or of_people]


async def test_a_death_is_a_line_of_its_own_among_those_who_have_changed(
    office: ReadingsFixture,
) -> None:
    some = [person(f"{name} New", deceased=False) for name in ("Kim", "Lea", "Max")]
    bob = but(BOB, deceased=False)
    await office.read((ADA, bob, *some), *ALL)
    changed = [but(one, email="new@x.org") for one in some]
    await office.read((ADA, but(bob, deceased=True), *changed), *ALL, days=1)
    assert office.screen.state.status_bar_words.endswith(
        ": 1 person marked as deceased, 3 other changes"
    )
    await office.look()
    assert office.words[1:] == [
        "Bob Øst was marked as deceased and still administers 2 steps and flows",
        "3 people changed: Max New, Lea New and Kim New",
    ]
    alive = (ADA, bob, but(changed[0], deceased=True), but(changed[1], deceased=True), changed[2])
    await office.read(alive, *ALL, days=1)
    assert office.words[1:3] == [
        "2 people marked as deceased: Lea New and Kim New",
        "Bob Øst: not marked as deceased any more",
    ]


async def test_fields_beyond_the_documents_are_said_in_words(office: ReadingsFixture) -> None:
    before = {"contact": "0", "family_relationship": "Spouse", "category": "Members"}
    after = {"contact": "1", "family_relationship": "", "category": "Guests"}
    await office.read([but(BOB, others=tuple(before.items()))])
    await office.read([but(BOB, others=tuple(after.items()))], days=1)
    await office.look()
    assert office.words[1] == (
        "Bob Øst: a contact now, place in the family taken out, was Spouse, "
        "category now Guests, was Members"
    )


async def test_several_who_went_at_once_were_its_administrators(office: ReadingsFixture) -> None:
    both = flow("Welcome", CARD, step("Tea", "ada", "bob"), admins=("ada", "bob"))
    await office.read(EVERYBODY, both)
    await office.read(EVERYBODY, flow("Welcome", CARD, step("Tea")), days=1)
    await office.look()
    assert sorted(office.words) == [
        "Tea in Welcome lost its administrators, Ada Lovelace and Bob Øst",
        "Today",
        "Welcome lost its administrators, Ada Lovelace and Bob Øst",
    ]


async def test_the_status_bar_says_in_one_line_what_nobody_has_seen(tmp_path: Path) -> None:
    office = ReadingsFixture(tmp_path / "cache.db")
    await office.read(EVERYBODY, *ALL)
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == ("", 0)
    newcomers = [person(f"N{number} New") for number in range(12)]
    alone = flow("Welcome", step("Card"), step("Call"), TEA, admins=("ada",))
    await office.read([*EVERYBODY, *newcomers], alone, CHOIR, days=3)
    meant = "Since Monday: 12 people new, 2 steps lost their administrator"
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == (meant, 14)
    await office.start_again()
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == (meant, 14)
    await office.look()
    assert office.screen.state.heading == "Since Monday"
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == ("", 0)
    assert [row.unseen for row in office.rows] == [False, True, True, True]
    office.screen.closed()
    await office.start_again()
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == ("", 0)
    await office.read([*EVERYBODY, *newcomers[1:]], alone, CHOIR, days=1)
    assert office.screen.state.status_bar_words == "Since yesterday: 1 person gone"
    await office.look()
    assert [row.unseen for row in office.rows] == [False, True, False, False, False, False]
    await office.close()


async def test_many_people_of_a_day_are_one_line_that_unfolds(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    more = [person(f"{name} New") for name in ("Kim", "Lea", "Max", "Noa", "Pat")]
    await office.read([*EVERYBODY, *more], *ALL, days=1)
    await office.look()
    line = "5 people came: Pat New, Noa New, Max New and 2 more"
    assert office.words == ["Today", line]
    assert (office.rows[1].way_words, office.rows[1].folded) == ("Show all 5", True)
    office.screen.fold(1)
    assert office.words[2:] == [f"{name} New came" for name in ("Pat", "Noa", "Max", "Lea", "Kim")]
    assert [row.person_id for row in office.rows[2:]] == ["pat", "noa", "max", "lea", "kim"]
    office.screen.fold(1)
    assert office.words == ["Today", line]


async def test_each_leads_to_its_place_and_what_is_gone_nowhere(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read(
        (BOB, EVE, person("Noor Haddad")),
        flow("Welcome", CARD, TEA, step("Letter"), admins=("ada",)),
        days=1,
    )
    await office.look()
    ways = {row.words: (row.place, row.person_id, row.way_words) for row in office.rows[1:]}
    assert ways == {
        "Noor Haddad came": (None, "noor", "Show"),
        "Ada Lovelace is no longer in the list": (None, None, ""),
        "Welcome no longer has the step Call": (FlowPlace("welcome"), None, "Show"),
        "Welcome has a new step, 3 · Letter": (FlowPlace("welcome", "letter"), None, "Show"),
        "The flow Choir is gone": (None, None, ""),
    }


async def test_days_come_latest_first_and_can_be_asked_for(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((BOB, EVE), *ALL, days=1)
    await office.read((EVE,), *ALL, days=1)
    await office.read((EVE,), WELCOME, days=8)
    await office.look()
    days = [row.words for row in office.rows if row.heading]
    assert (days[0], len(days)) == ("Today", 3)
    asked = {
        "today": 1,
        "wednesday": 1,
        "march 3": 1,
        "choir": 1,
        "ada": 1,
        "ada today": 0,
        "administrators": 0,
    }
    found = {}
    for query in asked:
        office.screen.search(query)
        await office.settle()
        found[query] = office.screen.found
    assert found == asked
    office.screen.search("ada tuesday")
    await office.settle()
    assert office.words[1:] == ["Ada Lovelace is no longer in the list"]


async def test_nothing_is_said_to_match_before_the_changes_are_read(
    office: ReadingsFixture,
) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((*EVERYBODY, person("Noor Haddad")), WELCOME, days=1)
    assert office.screen.found == 2
    office.screen.search("imani")
    assert office.screen.found == 0
    await office.settle()
    assert office.screen.found == 0


async def test_administrators_that_are_counted_are_counted_on_their_own_side(
    office: ReadingsFixture,
) -> None:
    crowd = [person(f"P{number:02} X") for number in range(50)]
    old, new = (tuple(one.id for one in part) for part in (crowd[:25], crowd[25:]))
    await office.read(crowd, flow("Choir", admins=old))
    await office.read(crowd, flow("Choir", admins=new), days=1)
    await office.read(crowd, flow("Choir", admins=(*new, *old)), days=1)
    await office.look()
    assert [row.words for row in office.rows if not row.heading] == [
        "P00 X, P01 X, P02 X and 22 more run Choir now",
        "Choir went from P00 X, P01 X, P02 X and 22 more to P25 X, P26 X, P27 X and 22 more",
    ]


@pytest.mark.parametrize("kind", ChangeKind)
def test_each_kind_of_change_is_said_in_words_of_its_own(kind: ChangeKind) -> None:
    def words(kind: ChangeKind) -> str:
        fields = (FieldChange("email", "", "a@x.org"),)
        change = Change(kind=kind, name="A", step=Named("s", "S"), fields=fields)
        return change_sentence(change, {}).text

    assert [other for other in ChangeKind if words(other) == words(kind)] == [kind]


async def test_what_is_searched_is_found_before_anybody_has_looked(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((*EVERYBODY, person("Noor Haddad")), WELCOME, days=1)
    office.screen.search("noor")
    await office.settle()
    assert (office.screen.found, office.screen.state.unseen) == (1, 2)


async def test_who_was_added_here_is_listed_and_no_news(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.directory.took(person("Noor Haddad"))
    await office.read((*EVERYBODY, person("Noor Haddad")), *ALL)
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == ("", 0)
    await office.look()
    assert [(row.words, row.unseen) for row in office.rows[1:]] == [
        ("Noor Haddad was added here", False)
    ]


async def test_who_is_added_here_while_somebody_looks_is_counted_in_the_chart_at_once(
    office: ReadingsFixture,
) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.look()
    before = office.screen.state.added
    await office.directory.took(person("Noor Haddad", date_added=MONDAY))
    await office.settle()
    after = office.screen.state.added
    assert before is not None
    assert after is not None
    assert office.words[-1] == "Noor Haddad was added here"
    assert after.months[-1].count == before.months[-1].count + 1


async def test_nothing_is_there_where_nothing_is_kept() -> None:
    office = ReadingsFixture(tells_changes=False)
    await office.read(EVERYBODY, *ALL)
    await office.read((ADA,), days=1)
    assert not office.screen.there
    assert (office.screen.state.status_bar_words, office.screen.state.unseen) == ("", 0)
    await office.close()


async def test_it_is_said_that_nothing_has_changed_and_for_how_long_it_is_kept(
    office: ReadingsFixture,
) -> None:
    await office.look()
    assert "second reading" in office.screen.state.empty_words
    await office.read(EVERYBODY, *ALL)
    assert "Nothing has changed" in office.screen.state.empty_words
    assert office.screen.state.bounds_words == "Changes are kept for 90 days."


async def test_it_is_said_where_changes_are_only_counted(
    office: ReadingsFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "MOST", 100)
    crowd = [person(f"P{number} Crowd") for number in range(300)]
    await office.read(crowd, *ALL)
    await office.read([but(one, email="new@x.org") for one in crowd], *ALL, days=1)
    await office.look()
    assert office.words[1].startswith("300 people changed: ")
    assert "200 more are only counted" in office.screen.state.bounds_words
    assert office.screen.found == 300


async def test_a_day_of_which_only_the_number_is_kept_says_that_number(
    office: ReadingsFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "MOST", 10)
    await office.read(EVERYBODY, *ALL)
    await office.read([*EVERYBODY, *(person(f"P{n} X") for n in range(5))], *ALL, days=1)
    await office.read([*EVERYBODY, *(person(f"P{n} X") for n in range(20))], *ALL, days=1)
    await office.look()
    assert office.words[-1] == "5 people came"


async def test_people_added_are_counted_by_month(office: ReadingsFixture) -> None:
    added = {2019: 4, 2025: 24, 2026: 3}
    people = [
        person(
            f"P{year}x{number} X",
            date_added=datetime(year, 1 + number % 3, 2, 12).astimezone(UTC),
        )
        for year, count in added.items()
        for number in range(count)
    ]
    unknown = person("Un Known", date_added=None)
    future = person("Not Yet", date_added=MONDAY + timedelta(days=400))
    await office.read([*people, unknown, future])
    await office.look()
    chart = office.screen.state.added
    assert chart is not None
    counts = {(one.year, one.month): one.count for one in chart.months if one.count}
    assert counts == {
        **{(2025, month): 8 for month in (1, 2, 3)},
        **{(2026, month): 1 for month in (1, 2, 3)},
    }
    assert (chart.months[0].year, chart.months[0].month) == (2022, 1)
    assert chart.summary == "1 a month over 4 years, 1 this month, 4 before 2022"
    assert "January 2025: 8 people." in chart.spoken


async def test_who_followed_a_change_comes_back_to_the_same_list(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((ADA, EVE), *ALL, days=1)
    await office.look()
    office.screen.closed()
    await office.look()
    assert (office.screen.state.heading, office.rows[1].unseen) == ("Since yesterday", True)
    office.screen.closed()
    office.time += timedelta(hours=1)
    await office.look()
    assert (office.screen.state.heading, office.rows[1].unseen) == ("Since yesterday", False)


async def test_the_heading_says_of_which_time_it_is_what_stands_below(
    office: ReadingsFixture,
) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((ADA, EVE), *ALL, days=1)
    await office.look()
    told = [(office.screen.state.heading, office.screen.state.bounds_words)]
    office.screen.closed()
    for people in ((ADA, EVE), (ADA,)):
        office.time += timedelta(hours=1)
        await office.read(people, *ALL)
        await office.look()
        told.append((office.screen.state.heading, office.screen.state.bounds_words))
        office.screen.closed()
    kept = "Changes are kept for 90 days."
    first, second = (day_and_clock(MONDAY + timedelta(days=1, hours=each)) for each in range(2))
    assert told == [
        ("Since yesterday", kept),
        ("Since yesterday", f"{kept} Nothing is new since {first}."),
        ("Since yesterday", f"{kept} A dot marks what is new since {second}."),
    ]
    request = office.screen.print_request()
    assert request is not None
    assert request.notes == (kept,)


async def test_on_paper_the_heading_says_the_day_of_a_time_of_today(
    office: ReadingsFixture,
) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((ADA, EVE), *ALL)
    await office.look()
    since = office.screen.state.heading.removeprefix("Since ")
    assert since in day_and_clock(MONDAY)
    assert since != day_and_clock(MONDAY)
    request = office.screen.print_request()
    assert request is not None
    assert request.title == f"Since {day_and_clock(MONDAY)}"


async def test_what_came_while_somebody_was_elsewhere_for_a_moment_is_alone_new(
    office: ReadingsFixture,
) -> None:
    await office.read(EVERYBODY, *ALL)
    await office.read((ADA, EVE), *ALL, days=1)
    await office.look()
    office.screen.closed()
    await office.read((ADA, EVE, person("Noor Haddad")), *ALL)
    await office.look()
    told = {row.words: row.unseen for row in office.rows if not row.heading}
    assert told == {"Noor Haddad came": True, "Bob Øst is no longer in the list": False}


async def test_a_time_in_which_nothing_was_kept_is_not_said_to_have_had_no_news(
    tmp_path: Path,
) -> None:
    """Who came and went in it is told nowhere: nothing has changed since it ended."""
    office = ReadingsFixture(tmp_path / "cache.db")
    await office.read(EVERYBODY, *ALL)
    await office.look()
    assert day_and_clock(MONDAY) in office.screen.state.empty_words
    office.cache.tells_changes = False
    await office.read((ADA,), WELCOME, days=1)
    office.cache.tells_changes = True
    await office.start_again()
    await office.look()
    assert "from the next reading" in office.screen.state.empty_words
    office.screen.closed()
    await office.read((ADA,), WELCOME, days=1)
    await office.look()
    assert office.rows == []
    when = day_and_clock(MONDAY + timedelta(days=2))
    assert office.screen.state.empty_words == f"Nothing has changed since {when}."
    await office.close()


async def test_what_is_listed_is_saved_a_row_a_line_with_its_day(office: ReadingsFixture) -> None:
    await office.read(EVERYBODY, *ALL)
    assert office.screen.table() is None
    await office.read((*EVERYBODY, person("Noor Haddad")), WELCOME, days=1)
    await office.look()
    table = office.screen.table()
    assert table is not None
    assert table.headings == ("Day", "What is new")
    assert sorted(table.rows()) == sorted(("Today", words) for words in office.words[1:])


@pytest.mark.parametrize(
    ("zone", "eve"),
    [
        # The evening before the clocks are changed, there and back.
        pytest.param("America/New_York", date(2026, 3, 7), id="a day of 23 hours"),
        pytest.param("Pacific/Auckland", date(2026, 4, 4), id="a day of 25 hours"),
        pytest.param("Europe/Berlin", date(2026, 3, 28), id="23 hours, late in the month"),
        pytest.param("Asia/Kathmandu", date(2026, 3, 7), id="no whole hour"),
    ],
)
async def test_days_are_those_of_the_place_also_where_the_clocks_are_changed(
    office: ReadingsFixture, monkeypatch: pytest.MonkeyPatch, zone: str, eve: date
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        try:
            evening = datetime.combine(eve, clock(23, 30)).astimezone(UTC)
            office.time = evening - timedelta(hours=1)
            await office.read((ADA,), *ALL)
            office.time = evening
            await office.read((ADA, EVE), *ALL)
            office.time += timedelta(hours=1)
            await office.read(EVERYBODY, *ALL)
            office.time = datetime.combine(eve + timedelta(days=2), clock(0, 15)).astimezone(UTC)
            await office.read((ADA, BOB), *ALL)
            await office.look()
            days = [row.words for row in office.rows if row.heading]
            named = {}
            for name in ("today", "yesterday"):
                office.screen.search(name)
                await office.settle()
                named[name] = office.screen.found
        finally:
            there.undo()
            time.tzset()
    assert [day.partition(" ")[0].rstrip(",") for day in days[:2]] == ["Today", "Yesterday"]
    assert len(days) == 3
    assert named == {"today": 1, "yesterday": 1}


@pytest.mark.parametrize("asked", ["times_added", "unseen_changes"])
async def test_what_cannot_be_read_from_this_computer_is_told_and_ends_nothing(
    office: ReadingsFixture, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    await office.read(EVERYBODY, *ALL)
    told: list[object] = []
    office.screen.failed.connect(told.append)
    error = StoreError("The local copy cannot be used", "It cannot be read.")

    def fails(*_asked: object) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(office.directory if asked == "times_added" else office.cache, asked, fails)
        await office.look()
    assert told == [error]
    office.screen.closed()
    await office.read((ADA,), *ALL, days=1)
    await office.look()
    assert office.screen.state.added is not None
    assert any("Bob Øst" in words for words in office.words)


async def test_where_the_copy_is_begun_anew_people_are_counted_when_they_are_read(
    office: ReadingsFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.read(EVERYBODY, *ALL)
    told: list[object] = []
    office.screen.failed.connect(told.append)

    def is_damaged() -> None:
        raise damaged("half a page")

    with monkeypatch.context() as broken:
        broken.setattr(office.directory, "times_added", is_damaged)
        await office.look()
    assert (told, office.screen.state.added) == ([], None)
    await office.read(EVERYBODY, *ALL, days=1)
    assert office.screen.state.added is not None
