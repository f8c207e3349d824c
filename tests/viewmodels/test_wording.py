"""Names, dates, blanks and counts as a person reads them, in their own zone and format."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QLocale

from app.model.person import Person
from app.viewmodels.formatting import (
    and_more_words,
    badges,
    clock,
    day,
    day_and_clock,
    given,
    initials,
    is_today,
    list_names,
    name_of,
    names_in_sentence,
    number,
)

LATE = datetime(2024, 5, 3, 23, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _somewhere() -> Iterator[None]:
    """Whatever a test says of place and zone ends with it."""
    before = QLocale()
    yield
    QLocale.setDefault(before)
    if hasattr(time, "tzset"):
        time.tzset()


def be_in(monkeypatch: pytest.MonkeyPatch, zone: str, country: QLocale.Country) -> None:
    if not hasattr(time, "tzset"):
        pytest.skip("the zone cannot be set here")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    QLocale.setDefault(QLocale(QLocale.Language.English, country))


def test_moments_are_told_in_the_persons_own_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    be_in(monkeypatch, "Europe/Berlin", QLocale.Country.UnitedKingdom)
    assert (day(LATE), clock(LATE)) == ("04/05/2024", "01:30")
    assert day_and_clock(LATE) == "04/05/2024, 01:30"


def test_moments_are_told_in_the_persons_own_format(monkeypatch: pytest.MonkeyPatch) -> None:
    be_in(monkeypatch, "America/New_York", QLocale.Country.UnitedStates)
    assert day(LATE) == "5/3/24"
    assert clock(LATE).split() == ["7:30", "PM"]


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("America/New_York", datetime.min.replace(tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_a_moment_that_the_calendar_here_cannot_hold_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch, zone: str, moment: datetime
) -> None:
    be_in(monkeypatch, zone, QLocale.Country.UnitedKingdom)
    assert day(moment)[-4:] == f"{moment.year:04}"
    assert clock(moment)
    assert not is_today(moment)


def test_a_date_that_was_not_given_is_blank() -> None:
    assert day(None) == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "not given"), ("", "none"), ("  ", "none"), (" ada@x.org ", "ada@x.org")],
)
def test_what_was_not_sent_is_told_apart_from_what_is_blank(value: str | None, words: str) -> None:
    assert given(value) == words


def test_counts_have_the_persons_own_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    be_in(monkeypatch, "UTC", QLocale.Country.UnitedKingdom)
    assert [number(value) for value in (0, 999, 100_000)] == ["0", "999", "100,000"]
    # More than 32 bits hold.
    assert number(5_000_000_000) == "5,000,000,000"


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ada Lovelace", "AL"),
        ("Ada King Lovelace", "AL"),
        ("ada", "A"),
        ("Ada (Countess)", "A"),
        ("Émile Østergård", "ÉØ"),
        ("- Ada", "A"),
        ("민준 김", "민"),
        ("山田 太郎", "山"),
        ("王小明", "王"),
        ("김민준", "김"),
        ("ジョン・スミス", "ジ"),
        ("Wang Xiaoming 王小明", "WX"),
        ("David 王", "D"),
        ("...", ""),
        ("", ""),
    ],
)
def test_initials_are_of_the_first_and_the_last_word(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("person", "name"),
    [
        (Person(id="1", firstname="Ada", lastname="Lovelace"), "Ada Lovelace"),
        (Person(id="1", lastname="Lovelace"), "Lovelace"),
        (Person(id="1", firstname="", lastname=""), "(no name)"),
        (Person(id="1", email="ada@x.org"), "(no name)"),
    ],
)
def test_somebody_without_a_name_is_said_to_have_none(person: Person, name: str) -> None:
    assert name_of(person) == name


def test_flags_that_are_set_are_words_and_others_are_not() -> None:
    everything = Person(id="1", volunteer=True, admin=True, archived=True)
    assert badges(everything) == ("volunteer", "admin", "archived")
    assert badges(Person(id="1", volunteer=False, admin=None)) == ()
    assert badges(Person(id="1", archived=True)) == ("archived",)


@pytest.mark.parametrize(
    ("names", "more", "in_a_row", "in_a_sentence"),
    [
        ([], 0, "", ""),
        (["Ada"], 0, "Ada", "Ada"),
        (["Ada", "Bo", "Cy"], 0, "Ada, Bo, Cy", "Ada, Bo and Cy"),
        (["Ada", "Bo"], 1, "Ada, Bo and 1 more", "Ada, Bo and 1 more"),
        (["Ada"], 2000, "Ada and 2,000 more", "Ada and 2,000 more"),
        ([], 2000, "2,000 more", "2,000 more"),
    ],
)
def test_who_is_not_named_is_counted(
    names: list[str], more: int, in_a_row: str, in_a_sentence: str
) -> None:
    assert list_names(names, more) == in_a_row
    assert names_in_sentence(names, more) == in_a_sentence


def test_below_a_list_stands_how_many_more_there_are() -> None:
    assert [and_more_words(more) for more in (-1, 0, 1, 2000)] == [
        *("", "", "and 1 more", "and 2,000 more")
    ]
