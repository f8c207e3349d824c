"""What is said of a flow as a whole, also where the service sends what nobody has described."""

import pytest

from app.exporting.flow_table import flow_rows
from app.flows.administrators import Administrators
from app.flows.gaps import GapKind, Gaps, gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.exporting.print_content import flow_section
from app.viewmodels.flows.cards import FlowPlace, flow_page, marked_page
from app.viewmodels.flows.copying import words_of
from app.viewmodels.flows.flows import KnownFlows
from app.viewmodels.flows.gaps import gap_words
from app.viewmodels.flows.sentences import (
    Fact,
    facts,
    gap_kind_words,
    gap_sentence,
    gap_sentences,
    named,
    short_words,
    summary_words,
)
from tests.viewmodels.conftest import ADA, EVE

PEOPLE = {person.id: person for person in (ADA, EVE)}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((), None),
        (("North", " South "), "North, South"),
        ((3, 2.5, 4.0), "3, 2.5, 4"),
        (({"name": "North"}, {"title": "South"}, {"label": 7}), "North, South, 7"),
        (({"name": "", "label": "West"},), "West"),
        (({"id": "x"}, ["a"], None, True, ""), "5 places"),
        (("North", {"id": "x"}), "North, 1 more"),
        (({"name": {"en": "North"}},), "1 place"),
    ],
)
def test_locations_are_shown_by_what_can_be_read_of_them(
    values: tuple[object, ...], words: str | None
) -> None:
    flow = PeopleFlow(id="f", locations=values)
    assert facts(flow) == ((Fact("Locations", words),) if words else ())


def test_demographics_are_shown_beside_the_locations() -> None:
    flow = PeopleFlow(id="f", locations=("North",), demographics=("Families", {"id": 1}))
    assert facts(flow) == (Fact("Locations", "North"), Fact("Demographics", "Families, 1 more"))


def test_the_list_says_that_a_flow_is_not_active() -> None:
    assert short_words(PeopleFlow(id="f", status="pending", steps=(Step(id="1"),))) == (
        "1 step · not active yet"
    )
    assert short_words(PeopleFlow(id="f", status="")) == "no steps yet"


def test_each_gap_is_told_in_a_sentence() -> None:
    flow = PeopleFlow(
        id="f",
        admins=("1234-9abc",),
        steps=(
            Step(id="1", name="Call"),
            Step(id="2", name="Lunch", admins=(EVE.id, ADA.id, "1234-9abc")),
        ),
    )
    assert gap_sentences(gaps_in(flow, Administrators([flow], PEOPLE.get))) == (
        "Run by somebody not in your list (…9abc).",
        "No step is an entry point.",
        "Step 1, Call: nobody administers it.",
        "Step 2, Lunch: Eve Adams (archived).",
        "Step 2, Lunch: somebody not in your list (…9abc).",
    )


def test_each_kind_of_gap_is_said_in_words_of_its_own() -> None:
    ivy = Person(id="ivy", firstname="Ivy", deceased=True)
    flow = PeopleFlow(id="f", steps=(Step(id="1", admins=("1234-9abc", EVE.id, "ivy")),))
    known = Administrators([flow], {**PEOPLE, "ivy": ivy}.get)
    gaps = [*gaps_in(flow, known), *gaps_in(PeopleFlow(id="g", admins=(ADA.id,)), known)]
    assert {gap.kind for gap in gaps} == set(GapKind)
    for words in (gap_words, gap_sentence, lambda gap: gap_kind_words(gap.kind)):
        assert len({words(gap) for gap in gaps}) == len(gaps)


def test_those_who_can_act_are_named_before_those_who_cannot() -> None:
    ivy = Person(id="ivy", firstname="Ivy", deceased=True)
    known = {**PEOPLE, ivy.id: ivy}
    assert named(Administrators((), known.get).of_ids((ivy.id, EVE.id, ADA.id))) == (
        "Ada Lovelace, Ivy (deceased) and Eve Adams (archived)"
    )


def test_each_gap_of_the_flow_itself_is_told_in_a_sentence() -> None:
    flow = PeopleFlow(id="f")
    assert gap_sentences(gaps_in(flow, Administrators([flow], PEOPLE.get))) == (
        "Nobody administers the flow as a whole.",
        "It has no steps yet.",
    )


def test_a_step_that_waits_is_told_apart_from_one_that_is_pending_itself() -> None:
    steps = (Step(id="1", status="x"), Step(id="2"), Step(id="3", status="x"))
    shown = flow_page(PeopleFlow(id="f", steps=steps), Administrators((), PEOPLE.get))
    assert [(step.is_pending, step.waits) for step in shown.steps] == [
        (True, False),
        (True, True),
        (True, False),
    ]


def test_the_steps_inside_a_card_come_in_reading_order_with_how_deep_they_lie() -> None:
    inner = Step(id="a", steps=(Step(id="b", steps=(Step(id="c"),)), Step(id="d")))
    (card,) = flow_page(PeopleFlow(id="f", steps=(inner,)), Administrators((), PEOPLE.get)).steps
    assert [(depth, step.step_id) for depth, step in card.inside()] == [
        (1, "b"),
        (2, "c"),
        (1, "d"),
    ]


def test_searched_words_are_marked_in_names_and_not_in_what_stands_for_a_name() -> None:
    step = Step(id="1", name="Adam’s call", admins=(EVE.id, "1234-adam"))
    flow = PeopleFlow(id="f", name="Adams", steps=(step,))
    page = marked_page(flow_page(flow, Administrators([flow], PEOPLE.get)), ("adam",))
    assert page.highlights == ((0, 4),)
    assert page.steps[0].highlights == ((0, 4),)
    assert [pill.highlights for pill in page.steps[0].pills] == [((4, 4),), ()]


def test_what_was_not_told_is_never_called_nobody() -> None:
    """Nor "no steps": in the flow, in its copied words, on paper and in the table."""
    step = Step(id="c", name="Call", admins_told=False)
    flow = PeopleFlow(id="f", name="Welcome", steps=(step,), admins_told=False)
    bare = PeopleFlow(id="g", name="Choir", steps_told=False, admins_told=False)
    administrators = Administrators((flow, bare), lambda _: None)
    known = KnownFlows((flow, bare), administrators, Gaps(), people_read=True)
    table = [cell for row in flow_rows((flow, bare), lambda _: None) for cell in row]
    said = [
        flow_page(flow, administrators).steps[0].accessible_name,
        words_of(known, FlowPlace("f")),
        flow_section(flow, administrators).steps[0].missing_words,
        *(cell for cell in table if "Call" not in cell),
    ]
    assert all("who administers this step was not told" in words for words in said[:3])
    assert "who administers this step was not told" in table
    assert "its steps were not told" in table
    assert "its steps were not told" in words_of(known, FlowPlace("g"))
    assert not any("nobody" in words or "no steps" in words for words in said)


def test_a_flow_says_that_there_is_more_than_can_be_shown() -> None:
    flow = PeopleFlow(id="f", left_out=2, steps=(Step(id="c", left_out=1),))
    assert "3 more steps or administrators cannot be shown" in summary_words(flow)
