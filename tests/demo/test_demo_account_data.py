"""The made-up people and flows: the same every time, and with everything the field is known for."""

import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from itertools import product
from typing import Any, cast

from app.demo.flows import NOBODY, make_flows
from app.demo.operations import make_account
from app.demo.options import DemoOptions
from app.demo.people import People, invent

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
RESERVED = (".example", "example.org", "example.net", "example.com")
EVERYBODY = People(240).page(0, 240)


def name_of(person: dict[str, str]) -> str:
    return f"{person['firstname']} {person['lastname']}".strip()


def flows(count: int | None = None, *, nested_steps: bool = False) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], list(make_flows(count, 240, nested_steps=nested_steps)))


def steps(*, nested_steps: bool = False) -> list[dict[str, Any]]:
    return [step for flow in flows(nested_steps=nested_steps) for step in flow["steps"]]


def test_everybody_is_the_same_every_time_and_for_every_size() -> None:
    assert EVERYBODY == People(240).page(0, 240) == People(5000).page(0, 240)
    assert flows() == flows() == flows(300)[:9]


def test_ids_look_like_uuids_and_are_never_given_twice() -> None:
    ids = [person["id"] for person in People(5_000).page(0, 5_000)]
    assert all(UUID.fullmatch(one) for one in ids)
    assert len(set(ids)) == 5_000


def test_exactly_two_people_share_one_name() -> None:
    shared = [name for name, count in Counter(map(name_of, EVERYBODY)).items() if count > 1]
    assert shared == ["Daniel Kim"]


def test_names_stay_apart_in_a_large_account() -> None:
    some = range(0, 900_000, 131)
    assert len({name_of(invent(number)) for number in some}) == len(some)


def test_the_people_staff_will_look_for_are_there() -> None:
    known = {name_of(person): person for person in EVERYBODY}
    grace = known["Grace Lindqvist"]
    assert (grace["email"], grace["volunteer"], grace["admin"]) == (
        "grace@lindqvist.example",
        "1",
        "1",
    )
    assert known.keys() >= {
        *("Imani Mwangi", "Kaito Mori", "Hana Kováčová", "Amélie Brandt"),
        *("Jørgen Sæther", "Łukasz Zieliński"),
    }


def test_names_come_in_many_scripts_and_with_letters_that_do_not_decompose() -> None:
    letters = {letter for person in EVERYBODY for letter in name_of(person) if letter.isalpha()}
    scripts = {unicodedata.name(letter).split(" ")[0].split("-")[0] for letter in letters}
    assert scripts >= {
        *("LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "CJK", "HIRAGANA", "HANGUL"),
        "DEVANAGARI",
    }
    assert letters >= set("łøđðßæœıŁØ")


def test_every_combination_of_flags_occurs() -> None:
    found = {(person["admin"], person["archived"], person["volunteer"]) for person in EVERYBODY}
    assert found == set(product("01", repeat=3))


def test_some_lack_an_email_a_number_or_half_a_name() -> None:
    for field in ("email", "phone", "mobile", "firstname", "lastname"):
        missing = sum(1 for person in EVERYBODY if not person[field])
        assert 0 < missing < 200, field
    assert any(" van der " in f" {name_of(person)} " for person in EVERYBODY)
    assert any("&#39;" in person["lastname"] for person in EVERYBODY)


def test_addresses_are_reserved_ones_and_dates_are_past_and_in_order() -> None:
    for person in People(3000).page(0, 3000):
        assert not person["email"] or person["email"].endswith(RESERVED)
        assert person["email"].isascii()
        added, modified = (
            datetime.strptime(person[name], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
            for name in ("date_added", "date_modified")
        )
        assert added <= modified < datetime(2026, 11, 1, tzinfo=UTC)


def test_the_archived_can_be_paged_without_counting_through_everybody() -> None:
    people = People(1234)
    people.add("Ada", "Lovelace", "")
    everybody = people.page(0, 2000)
    for archived, flag in ((True, "1"), (False, "0")):
        expected = [person for person in everybody if person["archived"] == flag]
        assert people.total(archived=archived) == len(expected)
        paged = [
            person
            for start in range(0, 1300, 70)
            for person in people.page(start, 70, archived=archived)
        ]
        assert paged == expected


def test_nobody_is_invented_in_an_account_smaller_than_the_written_people() -> None:
    assert People(3).page(0, 100) == EVERYBODY[:3]
    assert (People(3).total(archived=True), People(3).total(archived=False)) == (0, 3)


def test_newcomers_goes_step_by_step_as_staff_know_it() -> None:
    newcomers = flows()[0]
    assert newcomers["name"] == "Newcomers"
    assert [step["name"] for step in newcomers["steps"]] == [
        *("Card received", "Welcome call", "Coffee with staff"),
        *("Invite to lunch", "Find a group", "Serving conversation"),
    ]
    assert newcomers["steps"][0]["entry_point"] == "y"
    assert newcomers["steps"][2]["admins"] == []
    assert newcomers["steps"][4]["status"] == "pending"
    assert newcomers["steps"][5]["admins"] == [NOBODY]


def test_flows_show_what_the_field_is_known_for() -> None:
    people = {person["id"]: person for person in EVERYBODY}
    administrators = [one for step in steps() for one in step["admins"]]
    assert NOBODY not in people
    assert set(administrators) - people.keys() == {NOBODY}
    assert any(people[one]["archived"] == "1" for one in administrators if one in people)
    assert [flow["name"] for flow in flows() if not flow["steps"]] == ["Summer camp 2027"]
    assert {flow["access"] for flow in flows()} == {"", "admin"}
    assert any(flow["locations"] for flow in flows())
    assert any(flow["demographics"] for flow in flows())
    assert len(flows()) == 9


def test_steps_hold_steps_only_when_asked_for() -> None:
    assert not any(step["steps"] for step in steps())
    nested = [inner for step in steps(nested_steps=True) for inner in step["steps"]]
    assert "Dietary needs" in [step["name"] for step in nested]
    assert all(set(step) == set(steps()[0]) for step in nested)


def test_more_flows_than_written_have_their_own_names_ids_and_real_administrators() -> None:
    many = flows(500)
    people = {person["id"] for person in EVERYBODY}
    assert len({flow["id"] for flow in many}) == len({flow["name"] for flow in many}) == 500
    ids = [step["id"] for flow in many for step in flow["steps"]]
    assert len(set(ids)) == len(ids)
    assert {one for flow in many[9:] for step in flow["steps"] for one in step["admins"]} <= people


def test_flows_and_steps_are_said_in_the_language_that_is_spoken_now() -> None:
    spoken = ["en"]

    def names() -> str:
        flows = account.flows()
        assert flows is not None
        return flows.fragment("json").decode()

    options = DemoOptions(language=lambda: spoken[0], tr=lambda words: f"{spoken[0]}:{words}")
    account = make_account(options)
    assert "en:Newcomers" in names()
    assert "en:Welcome call" in names()
    spoken[:] = ["de"]
    assert "de:Newcomers" in names()
    assert "en:" not in names()


def test_an_office_has_some_people_of_its_own_language_in_the_place_of_invented_ones() -> None:
    at_home = People(240, "de").page(0, 240)
    others = [
        (here, there) for here, there in zip(at_home, EVERYBODY, strict=True) if here != there
    ]
    assert others
    assert all(here["id"] == there["id"] for here, there in others)
    assert {"Karl-Heinz Vogel", "Grace Lindqvist"} <= {name_of(person) for person in at_home}
    emails = [person["email"] for person in at_home if person["email"]]
    assert len(set(emails)) == len(emails)
    assert People(240, "it").page(0, 240) == EVERYBODY
