"""Each rule of the API document has a row, and each row names code and tests that are there."""

import pytest

from tests.contract.breach_plugin import make
from tests.contract.table import Rule, Side, exists, rules

SECTIONS = (
    "What the service does",
    "Response envelope",
    "Page object",
    "Person",
    "People flow",
    "Step",
    "Resources and their fields",
    "States and transitions",
    "Common conventions",
    "people/getAll",
    "people/create",
    "peopleFlows/getAll",
    "OAuth endpoints",
    "Endpoints",
    "Authentication",
    "Registration",
    "Permissions",
    "Web application flow",
    "User-agent flow",
    "Refreshing",
    "Using an access token",
    "API key",
    "Events",
    "HTTP status codes",
    "Error body",
    "OAuth exchange errors",
    "Errors",
    "Limits",
    "Versioning",
)
LINES = 285
WITHOUT_A_RULE = (
    "1-6 8 10 12-16 23 25-27 37-39 53 55 57-59 70-72 81 83 87-89 91 93-97 111-113 120 122-124 "
    "131-133 140 142 149 154-156 158-160 162 174 176-178 188 200 208-210 214 218 220-222 224 230 "
    "232-234 236-240 248-250 252 259 261-263 265 274 276-278 281-283"
)
"""Blank lines of the document, its headings and what introduces them."""
FEWEST_BROKEN = 100
BROKEN = [rule for rule in rules() if rule.breaches]


def each(rule: Rule) -> str:
    return rule.id


def test_every_part_of_the_document_has_rows_in_its_order_and_no_rule_has_two() -> None:
    assert tuple(dict.fromkeys(rule.section for rule in rules())) == SECTIONS
    begins = [rule.numbers[0] for rule in rules()]
    assert begins == sorted(begins)
    assert len({rule.id for rule in rules()}) == len(rules())


def test_no_line_of_the_document_is_left_without_a_row() -> None:
    told = {number for rule in rules() for number in rule.numbers}
    bare: set[int] = set()
    for span in WITHOUT_A_RULE.split():
        first, _, last = span.partition("-")
        bare.update(range(int(first), int(last or first) + 1))
    assert told.isdisjoint(bare)
    assert told | bare == set(range(1, LINES + 1))


@pytest.mark.parametrize("rule", rules(), ids=each)
def test_a_rule_is_carried_on_both_sides_or_says_why_not(rule: Rule) -> None:
    for side in rule.sides:
        assert is_whole(side), side
    assert rule.is_untold or any(side.code for side in rule.sides)


def is_whole(side: Side) -> bool:
    if side.why_not:
        return not side.code and not side.test
    tested = side.test.startswith("tests/") and "::test_" in side.test
    return tested and side.code.startswith("app/") and exists(side.code) and exists(side.test)


@pytest.mark.parametrize("rule", BROKEN, ids=each)
def test_a_breach_fits_the_code_as_it_is(rule: Rule) -> None:
    for breach in rule.breaches:
        assert make(breach, really=False), breach.told
        assert breach.turns_red
        assert all(exists(test) for test in breach.turns_red), breach.turns_red


@pytest.mark.parametrize("rule", BROKEN, ids=each)
def test_a_breach_is_on_a_side_that_carries_the_rule(rule: Rule) -> None:
    for breach in rule.breaches:
        assert breach.place.startswith(("app/api/", "app/demo/"))
        side = rule.client if breach.place.startswith("app/api/") else rule.service
        assert side.code, breach.place


@pytest.mark.parametrize("rule", BROKEN, ids=each)
def test_breaking_a_side_turns_the_test_of_that_side_red(rule: Rule) -> None:
    for side, room in zip(rule.sides, ("app/api/", "app/demo/"), strict=True):
        breaches = [breach for breach in rule.breaches if breach.place.startswith(room)]
        red = {test.partition("[")[0] for breach in breaches for test in breach.turns_red}
        assert not breaches or side.test in red


def test_enough_rules_can_be_broken() -> None:
    assert len(BROKEN) >= FEWEST_BROKEN
