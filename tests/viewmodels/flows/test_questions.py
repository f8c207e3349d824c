"""Questions in plain words: what is looked for, which view answers, and what is read there."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.runtime.words import use_language
from app.viewmodels.flows import flows_tab
from app.viewmodels.flows.by_person import ByPersonScreen, LoadOrder
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.flows.questions import AskedFor, read_question
from app.viewmodels.flows.what_is_new.change_sentences import date_words
from app.viewmodels.formatting import moment_words
from tests.viewmodels.flows.what_is_new_fixture import (
    ADA,
    BOB,
    EVE,
    MONDAY,
    ReadingsFixture,
    but,
    flow,
    person,
    step,
)

TRANSLATIONS = Path(__file__).parents[3] / "resources" / "translations"
WELCOME = flow("Welcome", step("Call", "bob", "ada"), step("Tea", "ada"), admins=("ada",))
CHOIR = flow("Choir", step("Greet Ada", "bob"), step("Sing"))


@pytest.mark.parametrize(
    ("query", "words", "asked"),
    [
        ("who is alone?", "alone", AskedFor.ALONE),
        ("¿who is alone?", "alone", AskedFor.ALONE),
        ("who administers «Welcome call»؟", "welcome call", AskedFor.RUNS),
        ("What does Imani run?", "imani", AskedFor.RUNS),
        ("what is on Imani's plate", "imani", AskedFor.RUNS),
        ("who administers Welcome call?", "welcome call", AskedFor.RUNS),
        ("who covers Harriet", "harriet", AskedFor.COVERS),
        ("which steps has nobody", "nobody", AskedFor.MISSING),
        ("which flow has no administrator?", "nobody", AskedFor.MISSING),
        ("what has no steps", "no steps", AskedFor.MISSING),
        ("which flows are without entry point?", "no entry point", AskedFor.MISSING),
        ("what is missing in Welcome?", "gap welcome", AskedFor.MISSING),
        ("what changed since the 3rd?", "since 3rd", AskedFor.NEWS),
        ("what's new?", "", AskedFor.NEWS),
        ("who left last week?", "left last week", AskedFor.NEWS),
        ("Who joined yesterday?", "joined yesterday", AskedFor.NEWS),
        ("who has been archived since Monday", "archived since monday", AskedFor.NEWS),
        ("who was archived on 3 March?", "archived 3 march", AskedFor.NEWS),
        ("who died on March 3?", "died march 3", AskedFor.NEWS),
        ("what does Imani do?", "imani", AskedFor.RUNS),
        ("who does the Welcome call?", "welcome call", AskedFor.RUNS),
        ("who looks after Welcome call?", "welcome call", AskedFor.RUNS),
        ("what is on Graces plate?", "grace", AskedFor.RUNS),
        ("steps without anybody", "nobody", AskedFor.MISSING),
        ("which flows are without anybody?", "nobody", AskedFor.MISSING),
        ("flows with nobody", "flows with nobody", None),
        ("steps without fear", "steps without fear", None),
        ("who is gone?", "gone", AskedFor.NEWS),
        ("who left?", "left", AskedFor.NEWS),
        ("who came last week?", "came last week", AskedFor.NEWS),
        ("what came last week?", "last week", AskedFor.NEWS),
        ("who is archived?", "archived", AskedFor.MISSING),
        ("who is archived in Monday lunch?", "archived monday lunch", AskedFor.MISSING),
        ("who is archived in step 3?", "archived 3", AskedFor.MISSING),
        ("who runs Left behind?", "left behind", AskedFor.RUNS),
        ("who is Imani?", "imani", None),
        ("Imani runs؟", "imani", AskedFor.RUNS),
        ("Who", "Who", None),
        ("who is", "who is", None),
        ("Card received", "Card received", None),
        ("Run the choir", "Run the choir", None),
    ],
)
def test_the_words_of_a_question_are_left_out(
    query: str, words: str, asked: AskedFor | None
) -> None:
    question = read_question(query)
    assert (question.words, question.asked) == (words, asked)


@pytest.fixture
def _in_arabic() -> Iterator[None]:
    use_language(TRANSLATIONS, ["ar"])
    yield
    use_language(TRANSLATIONS, ["en"])


@pytest.mark.usefixtures("_in_arabic")
@pytest.mark.parametrize(
    ("query", "words", "asked", "of_steps"),
    [
        ("من مسؤول عن Welcome؟", "welcome", AskedFor.RUNS, None),
        ("أي خطوة بلا مسؤول؟", "لا احد", AskedFor.MISSING, True),
        ("أي مسار بلا مسؤول؟", "لا احد", AskedFor.MISSING, False),
        ("أي مسار ليس فيه خطوات؟", "بلا خطوات", AskedFor.MISSING, None),
        ("من ينوب عن Ada؟", "ada", AskedFor.COVERS, None),
        ("ما الجديد منذ أمس؟", "منذ امس", AskedFor.NEWS, None),
    ],
)
def test_a_question_can_be_asked_in_a_language_whose_nobody_is_two_words(
    query: str, words: str, asked: AskedFor, of_steps: bool | None
) -> None:
    question = read_question(query)
    assert (question.words, question.asked, question.of_steps) == (words, asked, of_steps)


@pytest.fixture
def speak() -> Iterator[Callable[[str], None]]:
    """Have the questions asked in a language, until the end."""
    yield lambda language: use_language(TRANSLATIONS, [language])
    use_language(TRANSLATIONS, ["en"])


@pytest.mark.parametrize(
    ("language", "query", "words", "asked"),
    [
        ("de", "was macht Imani?", "imani", AskedFor.RUNS),
        ("de", "Was tut Imani?", "imani", AskedFor.RUNS),
        ("de", "wer ist weg?", "weg", AskedFor.NEWS),
        ("de", "wer springt ein, wenn Imani weg ist?", "imani", AskedFor.COVERS),
        ("de", "Schritte ohne jemanden", "niemand", AskedFor.MISSING),
        ("de", "wer kümmert sich um Begrüßungsanruf?", "begrussungsanruf", AskedFor.RUNS),
        ("de", "was liegt auf Graces Tisch?", "grace", AskedFor.RUNS),
        ("de", "wer ist allein?", "allein", AskedFor.ALONE),
        ("fr", "que fait Imani ?", "imani", AskedFor.RUNS),
        ("fr", "étapes sans personne", "personne", AskedFor.MISSING),
        ("fr", "qui est seule ?", "seul(e)", AskedFor.ALONE),
        ("es", "¿qué hace Imani?", "imani", AskedFor.RUNS),
        ("es", "pasos sin nadie", "nadie", AskedFor.MISSING),
        ("es", "¿quién está sola?", "solitario", AskedFor.ALONE),
        ("pt_BR", "o que Imani faz?", "imani", AskedFor.RUNS),
        ("pt_BR", "etapas sem ninguém", "ninguem", AskedFor.MISSING),
        ("pt_BR", "quem está sozinha?", "sozinho(a)", AskedFor.ALONE),
        ("ar", "ماذا تفعل Imani؟", "imani", AskedFor.RUNS),
    ],
)
def test_the_same_is_asked_in_every_language(
    speak: Callable[[str], None], language: str, query: str, words: str, asked: AskedFor
) -> None:
    speak(language)
    question = read_question(query)
    assert (question.words, question.asked) == (words, asked)


@pytest.fixture
async def office(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[ReadingsFixture]:
    monkeypatch.setattr("app.viewmodels.flows.what_is_new.what_is_new._REST", 0)
    monkeypatch.setattr(flows_tab, "_A_FRAME", 0)
    office = ReadingsFixture()
    yield office
    await office.close()


@pytest.fixture
async def tab(office: ReadingsFixture) -> FlowsTabScreen:
    """Ada is alone with a flow and the tea, Bob with greeting her; nobody sings."""
    tab = FlowsTabScreen(
        office.flows,
        by_person=ByPersonScreen(office.flows, office.scope),
        gaps=GapsScreen(office.flows, office.directory, office.events, office.scope),
        what_is_new=office.screen,
        scope=office.scope,
    )
    await office.read((ADA, BOB), WELCOME, CHOIR)
    await office.read((ADA, BOB, EVE), WELCOME, CHOIR, days=1)
    return tab


ANSWERS = {
    "who is alone?": (FlowsView.BY_PERSON, "2 people: Ada Lovelace and Bob Øst."),
    "what does Ada run?": (
        FlowsView.BY_PERSON,
        "Ada Lovelace: 2 steps, 1 whole flow, in 1 flow, alone on 2.",
    ),
    "who administers the call?": (
        FlowsView.FLOWS,
        "Welcome, step 1, Call: Bob Øst and Ada Lovelace.",
    ),
    "what is new?": (FlowsView.WHAT_IS_NEW, "1 change: Eve Adams came."),
    "what changed since the 3rd?": (FlowsView.WHAT_IS_NEW, "1 change: Eve Adams came."),
}


@pytest.mark.parametrize("shown", [*FlowsView])
@pytest.mark.parametrize("query", [*ANSWERS])
async def test_a_question_is_answered_in_every_view_and_enter_leads_to_the_answer(
    office: ReadingsFixture, tab: FlowsTabScreen, shown: FlowsView, query: str
) -> None:
    view, words = ANSWERS[query]
    tab.show(shown)
    tab.search(query)
    await office.settle()
    # The view that answers says it itself.
    assert tab.state.answer_words == (words if shown is not view else "")
    tab.go_to_found()
    assert tab.state.view is view


async def test_enter_leads_to_no_news_of_another_search_before_a_slow_one_is_through(
    office: ReadingsFixture, tab: FlowsTabScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab.show(FlowsView.WHAT_IS_NEW)
    await office.look()
    assert office.screen.found
    tab.show(FlowsView.FLOWS)
    seconds = itertools.count()
    monkeypatch.setattr("app.runtime.turns.perf_counter", lambda: float(next(seconds)))
    tab.search("zz")
    tab.go_to_found()
    assert tab.state.view is FlowsView.FLOWS


async def test_who_is_alone_on_most_comes_first_until_something_else_is_asked(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    busy = flow("Tea", *(step(f"Cup {at}", "ada", "bob") for at in range(3)), admins=("eve",))
    shared = flow("Choir", step("Sing", "eve"), admins=("eve",))
    await office.read((ADA, BOB, EVE), busy, shared)
    by_person = tab.by_person

    def listed() -> tuple[LoadOrder, list[str]]:
        return by_person.state.order, list(by_person.people.keys)

    by_load = LoadOrder.LOAD, ["ada", "bob", "eve"]
    tab.show(FlowsView.BY_PERSON)
    assert listed() == by_load
    tab.search("who is alone?")
    tab.go_to_found()
    assert listed() == (LoadOrder.ALONE, ["eve"])
    assert tab.saved_state()["by_person_order"] == LoadOrder.LOAD.value
    tab.search("")
    assert listed() == by_load
    tab.search("who is alone?")
    by_person.sort_by(LoadOrder.NAME)
    assert listed() == (LoadOrder.NAME, ["eve"])


async def test_who_is_asked_for_is_shown_rather_than_who_has_a_step_of_that_name(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    tab.by_person.choose("bob")
    tab.search("what does Ada run?")
    await office.settle()
    assert tab.by_person.state.chosen == "ada"
    tab.search("who runs greet Ada?")
    tab.go_to_found()
    assert (tab.state.view, tab.flows.state.step_id) == (FlowsView.FLOWS, "greet ada")


async def test_who_covers_somebody_is_said_beside_what_nobody_covers(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    tab.search("who covers Ada?")
    await office.settle()
    words = "If Ada is away: nobody for 2 of 3 steps and flows. The others are covered by Bob Øst."
    assert tab.state.answer_words == words
    tab.go_to_found()
    assert (tab.state.view, tab.by_person.state.away) == (FlowsView.BY_PERSON, True)
    assert tab.state.answer_words == words
    tab.search("ada")
    await office.settle()
    assert not tab.by_person.state.away


async def test_only_steps_are_told_of_who_asks_for_steps(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    tab.search("which steps has nobody?")
    await office.settle()
    words = "1 gap: Nobody administers this step, Choir, 2 · Sing."
    assert tab.state.answer_words == words
    tab.search("which flows has nobody?")
    await office.settle()
    assert tab.state.answer_words == "1 gap: Nobody administers this flow, Choir."
    tab.search("nobody")
    await office.settle()
    assert (tab.state.answer_words, tab.gaps.found) == ("", 2)
    tab.search("which steps has nobody?")
    tab.go_to_found()
    assert (tab.state.view, tab.flows.state.step_id) == (FlowsView.FLOWS, "sing")


async def test_who_is_archived_is_no_gap_beside_which_somebody_archived_stands(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    camp = flow("Camp", admins=("eve",))
    await office.read((ADA, BOB, EVE), WELCOME, CHOIR, camp, days=1)
    tab.search("who is archived?")
    await office.settle()
    assert tab.state.answer_words == "1 gap: Archived administrator: Eve Adams, Camp."
    tab.search("archived")
    await office.settle()
    assert tab.gaps.found == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [("what changed last week?", 2), ("what changed since last month", 3), ("this week", 2)],
)
async def test_a_week_and_a_month_are_counted_back_from_today(
    office: ReadingsFixture, tab: FlowsTabScreen, query: str, found: int
) -> None:
    await office.read((ADA, BOB, EVE), WELCOME, days=3)
    await office.read((ADA, BOB, EVE), WELCOME, flow("Camp"), days=7)
    await office.look()
    tab.search(query)
    await office.settle()
    assert office.screen.found == found


@pytest.mark.parametrize(
    ("question", "of_steps"),
    [
        ("which flows have gaps?", None),
        ("which flows have archived administrators?", None),
        ("which flows have nobody?", False),
        ("which flows are without administrator?", False),
        ("which steps have gaps?", True),
    ],
)
def test_a_flow_has_the_gaps_of_its_steps_but_is_run_by_its_own(
    question: str, of_steps: bool | None
) -> None:
    assert read_question(question).of_steps is of_steps


async def test_who_left_came_or_was_archived_at_a_time_is_told_and_nobody_else(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    kim = person("Kim Old", deceased=False)
    await office.read((ADA, BOB, EVE, kim), WELCOME, CHOIR, days=2)
    camp = flow("Camp")
    later = (ADA, but(BOB, archived=True), person("Noor Haddad"), but(kim, deceased=True))
    await office.read(later, WELCOME, CHOIR, camp, days=10)
    asked = {
        "who left last week?": ("Bob Øst was", "Eve Adams is no longer"),
        "who has left since yesterday?": ("Bob Øst was", "Eve Adams is no longer"),
        "left today": ("Bob Øst was", "Eve Adams is no longer"),
        "who joined last week?": ("Noor Haddad came",),
        "who came this month": ("Eve Adams came", "Kim Old came", "Noor Haddad came"),
        "who joined?": ("Eve Adams came", "Kim Old came", "Noor Haddad came"),
        "who is new since the 4th?": ("Kim Old came", "Noor Haddad came"),
        "who joined on March 5?": ("Kim Old came",),
        "who was archived yesterday?": (),
        "who was archived today?": ("Bob Øst was",),
        "who died this week?": ("Kim Old was marked",),
        "bob left last week": ("Bob Øst was",),
        "what came last week?": ("Bob Øst", "Camp", "Eve Adams", "Kim Old", "Noor Haddad"),
        # As they are written, where nothing says when.
        "left": (),
        "archived": ("Bob Øst was",),
    }
    for query, meant in asked.items():
        tab.search(query)
        tab.go_to_found()
        await office.settle()
        tab.show(FlowsView.WHAT_IS_NEW)
        await office.settle()
        said = sorted(row.words for row in office.rows if not row.heading)
        assert len(said) == len(meant), (query, said)
        assert all(map(str.startswith, said, meant)), (query, said)
    tab.search("who was archived yesterday?")
    await office.settle()
    tab.go_to_found()
    assert office.screen.state.empty_words == "Nothing new matches “archived yesterday”."


async def test_it_is_said_that_nothing_has_changed_since_a_day(
    office: ReadingsFixture, tab: FlowsTabScreen
) -> None:
    await office.read((ADA, BOB, EVE), WELCOME, CHOIR, days=2)
    tab.search("what changed since the 4th?")
    await office.settle()
    day = date_words(date(2026, 3, 4))
    assert tab.state.answer_words == f"Nothing has changed since {day}."


async def test_of_the_time_before_anything_was_told_nobody_says_that_nothing_has_changed(
    office: ReadingsFixture,
) -> None:
    await office.read((ADA, BOB), WELCOME)
    office.screen.search("since february 20", asked=True)
    await office.settle()
    when = moment_words(MONDAY)
    assert office.screen.answer_words == f"Nothing has changed since {when}."
