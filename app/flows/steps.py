"""How the steps of a flow are read: numbered, one after the other, which of them wait for which.

It knows what the fields mean (seen in the field; the document does not say); the words and the
colours for it are the window's.
"""

from collections.abc import Iterator

import msgspec

from app.model.flow import PeopleFlow, Step


class PlacedStep(msgspec.Struct, frozen=True):
    """A step and its place in the flow."""

    step: Step
    number: str
    """`4`, or `4.1` for the first step inside the fourth."""
    depth: int
    """0 for a step of the flow itself, 1 for one inside such a step, and so on."""
    pending: bool
    """Not active: by its own status, or because a step before it is not."""
    pending_behind: str | None
    """The number of the step it waits for; None when it is active or pending by its own status."""
    people_join_here: bool
    """People may join the flow at this step, be it because they may join anywhere."""
    administrators: tuple[str, ...]
    """Person ids, each once, in the service's order; they may match nobody."""


def read_steps(flow: PeopleFlow) -> tuple[PlacedStep, ...]:
    """The steps of `flow` in reading order, each followed by the steps inside it.

    A blank status means active, any other pending, and everything that comes after a pending step
    is pending with it. A flow that is pending itself says nothing about its steps.
    """
    anywhere = people_join_anywhere(flow)
    placed: list[PlacedStep] = []
    behind: str | None = None
    for number, depth, step in _numbered(flow.steps):
        placed.append(
            PlacedStep(
                step=step,
                number=number,
                depth=depth,
                pending=step.pending or behind is not None,
                pending_behind=None if step.pending else behind,
                people_join_here=anywhere or step.people_join_here,
                administrators=tuple(dict.fromkeys(step.admins)),
            )
        )
        if step.pending and behind is None:
            behind = number
    return tuple(placed)


def people_join_anywhere(flow: PeopleFlow) -> bool:
    """Whether no step is an entry point: people may then join the flow at any step."""
    return not any(step.people_join_here for step in all_steps(flow))


def all_steps(flow: PeopleFlow) -> Iterator[Step]:
    """Every step of `flow` in reading order, those inside others too."""
    return _flat(flow.steps)


def _flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        # Hardly any step has others inside: an empty generator each would cost more than the rest.
        if step.steps:
            yield from _flat(step.steps)


def _numbered(
    steps: tuple[Step, ...], above: str = "", depth: int = 0
) -> Iterator[tuple[str, int, Step]]:
    for place, step in enumerate(steps, 1):
        number = f"{above}{place}"
        yield number, depth, step
        yield from _numbered(step.steps, f"{number}.", depth + 1)
