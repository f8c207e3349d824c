"""What the demo account holds: its people and its flows; who may read it is left to `service`."""

from dataclasses import dataclass

from app.demo.flows import make_flows
from app.demo.formats.known import CachedValue
from app.demo.options import DemoOptions
from app.demo.people import People

ORGANISATION = "Riverside Community"
FLOWS_KEY = "people_flows"
ROOM_ON_A_PAGE = 1000


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """The organisation's data; `people` grows as people are added, the flows stand.

    `flows` is the one page that lists all of them, None where there are none.
    """

    people: People
    flows: CachedValue | None


def make_account(options: DemoOptions) -> DemoAccount:
    """The same account for the same options, every time."""
    flows = make_flows(options.flows, options.people, nested_steps=options.nested_steps)
    count = len(flows)
    page = {
        "on_this_page": count,
        "page": 1,
        "per_page": max(count, ROOM_ON_A_PAGE),
        "total": count,
        "people_flow": flows,
    }
    return DemoAccount(People(options.people), CachedValue(FLOWS_KEY, page) if flows else None)
