"""Where somebody was in the Flows tab when they followed a name, to come back to it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FlowPlace:
    """A name in a flow. It holds for as long as the flow is there."""

    flow_id: str
    step_id: str | None
    """The step the name stands in; None among those who run the flow."""
    person_id: str
    scrolled: int
    """How far down the page was scrolled, in pixels."""
