"""What is shown of the flows besides the rows of their list: the open one, or why there is none."""

from dataclasses import dataclass

from app.model.flow import PeopleFlow
from app.runtime.words import tr
from app.store.cache import Shortfall
from app.viewmodels.flows.cards import FlowPage
from app.viewmodels.flows.sentences import flow_name, missing_words


@dataclass(frozen=True, slots=True)
class FlowPlace:
    """A name in a flow. It holds for as long as the flow is there."""

    flow_id: str
    step_id: str | None
    """The step the name stands in; None among those who run the flow."""
    person_id: str
    scrolled: int
    """How far down the page was scrolled, in pixels."""


@dataclass(frozen=True, slots=True)
class FlowsFacts:
    """What is known of the flows."""

    query: str = ""
    """What is searched, as it was typed."""
    searching: bool = False
    """Whether that holds any words."""
    looking: bool = False
    """Whether a long search has not come to its end."""
    chosen: str | None = None
    step_id: str | None = None
    page: FlowPage | None = None
    """The chosen flow; None where there is none, or it is not there."""
    any_flows: bool = False
    missing: Shortfall | None = None
    """How many the account did not give; None where it gave all."""
    read_before: bool = False
    """Whether the flows were ever read."""
    asked_for: bool = False
    """Whether the service is being asked for them."""
    came_from: FlowPlace | None = None
    came_from_flow: PeopleFlow | None = None
    """The flow of that place; None once it is gone."""


@dataclass(frozen=True, slots=True)
class FlowsState:
    """What a view shows of the flows. What does not apply is blank."""

    query: str = ""
    """What is searched, as it was typed."""
    search_hint: str = ""
    """What stands in the empty search line."""
    chosen: str | None = None
    """The id of the chosen flow, also where a search hides it."""
    step_id: str | None = None
    """The step of it that somebody came for."""
    flow: FlowPage | None = None
    has_flows: bool = False
    """Whether there is anything to list or to search."""
    missing_words: str = ""
    """That the account gave fewer flows than it counts."""
    empty_words: str = ""
    """What to say where nothing can be shown."""
    empty_action: str = ""
    """What the button under these words does; it asks for the lists."""
    came_from: FlowPlace | None = None
    """Where somebody was when they followed a name; None once that flow is gone."""
    back_words: str = ""
    """What leads back there."""


def flows_state(facts: FlowsFacts) -> FlowsState:
    """What a view shows once these are the facts."""
    back = facts.came_from_flow
    return FlowsState(
        query=facts.query,
        search_hint=tr("Search flows, steps, people"),
        chosen=facts.chosen,
        step_id=facts.step_id,
        flow=facts.page,
        has_flows=facts.any_flows,
        missing_words=missing_words(facts.missing),
        empty_words=_empty_words(facts),
        empty_action=_empty_action(facts),
        came_from=facts.came_from if back is not None else None,
        back_words=tr("Back to {flow}", flow=flow_name(back)) if back is not None else "",
    )


def _empty_words(facts: FlowsFacts) -> str:
    if facts.page is not None:
        steps_made = tr("This flow has no steps yet. Steps are made on the account's own page.")
        return "" if facts.page.steps else steps_made
    if not facts.read_before:
        return (
            tr("Reading the flows.") if facts.asked_for else tr("The flows have not been read yet.")
        )
    if not facts.any_flows:
        none = tr("The account has no people flows yet. Make them on the account's own page.")
        return missing_words(facts.missing) or none
    if not facts.searching:
        return tr("Reading the flows.")
    query = facts.query.strip()
    if facts.looking:
        return tr("Looking for “{query}”.", query=query)
    return tr(
        "No flow, step or administrator matches “{query}”. "
        "Empty the search line to see every flow.",
        query=query,
    )


def _empty_action(facts: FlowsFacts) -> str:
    if facts.asked_for or facts.page is not None or facts.any_flows:
        return ""
    return tr("Read again") if facts.read_before else tr("Read them now")
