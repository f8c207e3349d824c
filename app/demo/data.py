"""What the demo account holds: its people and its flows; who may read it is left to `service`."""

from dataclasses import dataclass

from app.demo.flows import Flow, make_flows
from app.demo.options import DemoOptions
from app.demo.people import People

ORGANISATION = "Riverside Community"


@dataclass(frozen=True, slots=True)
class Account:
    """The organisation's data; `people` grows as people are added, the flows stand."""

    people: People
    flows: tuple[Flow, ...]


def make_account(options: DemoOptions) -> Account:
    """The same account for the same options, every time."""
    flows = make_flows(options.flows, options.people, nested_steps=options.nested_steps)
    return Account(People(options.people), flows)
