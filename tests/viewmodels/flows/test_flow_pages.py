"""One flow in words: numbers, steps inside steps, who waits for what, who is missing."""

from collections.abc import Iterator

import pytest

from app.flows.administrators import Administrators
from app.flows.gaps import gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.runtime.words import use_number_format
from app.viewmodels.flows.cards import (
    MOST_STEPS,
    Administers,
    FlowPage,
    StepCard,
    administers,
    flow_page,
)
from app.viewmodels.flows.sentences import gaps_words, steps_words
from tests.viewmodels.conftest import ADA, BOB, EVE

STRANGER = "1234-5678-9abc"
NAMELESS = Person(id="nameless")
PEOPLE = {person.id: person for person in (ADA, BOB, EVE, NAMELESS)}


def flow(*steps: Step, name: str | None = "Welcome", **fields: str | None) -> PeopleFlow:
    return PeopleFlow(id="f", name=name, steps=steps, status=fields.get("status"))


def page(flow: PeopleFlow) -> FlowPage:
    return flow_page(flow, Administrators([flow], PEOPLE.get))


def step(name: str, *inside: Step, status: str = "", entry_point: str = "") -> Step:
    return Step(
        id=name,
        name=name,
        steps=inside,
        status=status,
        entry_point=entry_point,
        admins=(ADA.id,),
    )


def outline(cards: tuple[StepCard, ...]) -> list[object]:
    """The cards as nested lists of number and name."""
    return [(card.number, card.name, *outline(card.nested)) for card in cards]


def every_card(cards: tuple[StepCard, ...]) -> list[StepCard]:
    return [each for card in cards for each in (card, *every_card(card.nested))]


def test_steps_are_numbered_in_the_order_of_the_service() -> None:
    shown = page(flow(step("Call"), step("Lunch"), step("Group")))
    assert outline(shown.steps) == [("1", "Call"), ("2", "Lunch"), ("3", "Group")]


def test_steps_inside_steps_stand_inside_their_cards() -> None:
    shown = page(
        flow(
            step("a"),
            step("b", step("c", step("d"), step("e")), step("f")),
            step("g", step("h")),
            step("i"),
        )
    )
    assert outline(shown.steps) == [
        ("1", "a"),
        ("2", "b", ("2.1", "c", ("2.1.1", "d"), ("2.1.2", "e")), ("2.2", "f")),
        ("3", "g", ("3.1", "h")),
        ("4", "i"),
    ]


@pytest.fixture
def _arabic_digits() -> Iterator[None]:
    use_number_format(lambda count: str(count).translate(str.maketrans("0124", "٠١٢٤")))
    yield
    use_number_format("{:,}".format)


@pytest.mark.usefixtures("_arabic_digits")
def test_steps_are_numbered_with_the_digits_that_counts_have() -> None:
    shown = page(flow(step("a"), step("b", step("c"), status="pending"), step("d")))
    assert [card.number for card in every_card(shown.steps)] == ["١", "٢", "٢.١", "3"]
    assert shown.steps[-1].pending_words == "pending, after step ٢"


def test_a_pending_step_and_all_behind_it_say_so() -> None:
    shown = page(
        flow(step("a"), step("b", step("c"), status="pending"), step("d", status="x"), step("e"))
    )
    assert [card.pending_words for card in every_card(shown.steps)] == [
        "",
        "pending",
        "pending, after step 2",
        "pending",
        "pending, after step 2",
    ]
    assert [card.is_pending for card in shown.steps] == [False, True, True, True]


def test_a_step_waits_for_the_one_inside_another_by_its_number() -> None:
    shown = page(flow(step("a", step("b", status="pending")), step("c")))
    assert shown.steps[1].pending_words == "pending, after step 1.1"


def test_only_the_steps_where_people_join_are_marked() -> None:
    shown = page(flow(step("a"), step("b", step("c", entry_point="y")), step("d", entry_point="1")))
    marked = [card.name for card in every_card(shown.steps) if card.people_join_here]
    assert marked == ["c", "d"]
    assert "any step" not in shown.summary


def test_where_people_may_join_anywhere_it_is_said_once_and_no_step_is_marked() -> None:
    shown = page(flow(step("a"), step("b")))
    assert not any(card.people_join_here for card in shown.steps)
    assert shown.summary == "2 steps · people may join at any step"


def test_a_flow_without_steps_has_nowhere_to_join() -> None:
    assert page(flow()).summary == "no steps yet"


@pytest.mark.parametrize(
    ("access", "words"),
    [
        (None, "1 step"),
        ("", "1 step · open to everybody"),
        ("admin", "1 step · for administrators only"),
        ("leaders", "1 step · leaders"),
    ],
)
def test_the_summary_says_whom_a_flow_is_open_to(access: str | None, words: str) -> None:
    whole = PeopleFlow(id="f", access=access, steps=(step("a", entry_point="y"),))
    assert page(whole).summary == words


def test_the_summary_says_that_a_flow_is_not_active() -> None:
    assert page(flow(step("a", entry_point="y"), status="pending")).summary == (
        "1 step · not active yet"
    )


def test_steps_inside_others_are_not_counted() -> None:
    assert steps_words(flow(step("a", step("b"), step("c")))) == "1 step"


def test_what_has_no_name_is_still_shown() -> None:
    shown = page(flow(Step(id="s"), name=None))
    assert (shown.name, shown.steps[0].name) == ("(no name)", "(no name)")


def test_a_step_that_nobody_administers_says_so() -> None:
    shown = page(flow(Step(id="a"), Step(id="b", admins=(STRANGER,))))
    assert [card.missing_words for card in shown.steps] == ["nobody administers this step", ""]


def test_administrators_are_named_as_far_as_they_are_known() -> None:
    admins = (ADA.id, EVE.id, STRANGER, NAMELESS.id, ADA.id)
    (card,) = page(flow(Step(id="a", admins=admins))).steps
    assert [pill.text for pill in card.pills] == [
        "Ada Lovelace",
        "Eve Adams (archived)",
        "somebody not in your list (…9abc)",
        "(no name)",
    ]
    assert [pill.name for pill in card.pills] == ["Ada Lovelace", "Eve Adams", "", "(no name)"]
    assert [pill.person_id for pill in card.pills] == [ADA.id, EVE.id, STRANGER, NAMELESS.id]
    assert [pill.can_follow for pill in card.pills] == [True, True, False, True]
    assert [pill.missing for pill in card.pills] == [False, True, True, False]


def test_a_screen_reader_is_told_who_is_an_administrator_and_who_is_unknown() -> None:
    (card,) = page(flow(Step(id="a", admins=(EVE.id, STRANGER)))).steps
    assert [pill.accessible_name for pill in card.pills] == [
        "Administrator Eve Adams (archived)",
        "somebody not in your list (…9abc)",
    ]


def test_the_administrators_of_the_whole_flow_stand_beside_its_name() -> None:
    whole = PeopleFlow(id="f", steps=(step("a"),), admins=(BOB.id,))
    assert [pill.text for pill in page(whole).pills] == ["Bob Øst"]


def test_a_screen_reader_hears_all_that_a_card_shows() -> None:
    shown = page(
        flow(
            step("Call", entry_point="y"),
            Step(id="s", name="Lunch", status="pending"),
            Step(id="t", name="Group", admins=(ADA.id, BOB.id)),
        )
    )
    assert [card.accessible_name for card in shown.steps] == [
        "Step 1: Call, people join here, Ada Lovelace",
        "Step 2: Lunch, pending, nobody administers this step",
        "Step 3: Group, pending, after step 2, Ada Lovelace, Bob Øst",
    ]


def test_what_is_missing_is_counted_and_nothing_is_said_where_nothing_is() -> None:
    runs, start = (ADA.id,), step("first", entry_point="y")
    whole = PeopleFlow(id="f", admins=runs, steps=(start,))
    one = PeopleFlow(id="f", admins=runs, steps=(start, Step(id="a")))
    two = (Step(id="a"), Step(id="b", admins=(STRANGER, EVE.id)))
    many = PeopleFlow(id="f", admins=runs, steps=(start, *two))
    assert [
        gaps_words(gaps_in(each, Administrators([each], PEOPLE.get))) for each in (whole, one, many)
    ] == [
        "",
        "1 gap",
        "3 gaps",
    ]


def test_what_somebody_administers_is_told_flow_by_flow() -> None:
    flows = [
        PeopleFlow(
            id="w", name="Welcome", admins=(ADA.id,), steps=(Step(id="x"), step("b", step("c")))
        ),
        PeopleFlow(id="n", steps=(Step(id="y", admins=(ADA.id,)),)),
        PeopleFlow(id="o", name="Other", steps=(Step(id="z", admins=(BOB.id,)),)),
    ]
    administered = Administrators(flows, PEOPLE.get).administered_by(ADA.id)
    assert [administers(each) for each in administered] == [
        Administers("w", "Welcome", ("the whole flow", "2 · b", "2.1 · c"), (None, "b", "c")),
        Administers("n", "(no name)", ("1 · (no name)",), ("y",)),
    ]


def test_of_more_steps_than_anybody_reads_the_others_are_counted() -> None:
    shown = page(flow(*(step(str(number)) for number in range(399))))
    assert (len(shown.steps), shown.other_steps_words) == (MOST_STEPS, "and 99 more steps")
