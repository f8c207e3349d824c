"""What the demo account holds: its people and its flows; who may read it is left to `service`."""

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from app.demo.credentials import Permission
from app.demo.envelope import Result, invalid_input, no_match, nothing_given
from app.demo.flows import make_flows
from app.demo.formats.writers import CachedValue
from app.demo.options import DemoOptions
from app.demo.parameters import Parameters
from app.demo.people import People, further_fields

ORGANISATION = "Riverside Community"
FLOWS_KEY = "people_flows"
ROOM_ON_A_PAGE = 1000


class DemoAccount(msgspec.Struct, frozen=True):
    """The organisation's data; `people` grows as people are added, the flows stand.

    `flows` gives the one page that lists all of them, None where there are none.
    """

    people: People
    flows: Callable[[], CachedValue | None]


def make_account(options: DemoOptions) -> DemoAccount:
    """The same account for the same options, every time."""

    @cache
    def flows_in(_language: str) -> CachedValue | None:
        flows = make_flows(
            options.flows, options.people, nested_steps=options.nested_steps, tr=options.tr
        )
        count = len(flows)
        page = {
            "on_this_page": count,
            "page": 1,
            "per_page": max(count, ROOM_ON_A_PAGE),
            "total": count,
            "people_flow": flows,
        }
        return CachedValue(FLOWS_KEY, page) if flows else None

    people = People(options.people, options.language())
    return DemoAccount(people, lambda: flows_in(options.language()))


PAGE_SIZE = 50
SMALLEST_PAGE = 10
LARGEST_PAGE = 1000
LAST_PAGE = 10**18 - 1


class Operation(msgspec.Struct, frozen=True):
    """One operation: the HTTP methods it answers, what a caller needs, and the work."""

    methods: frozenset[str]
    permission: Permission
    work: Callable[[DemoAccount, DemoOptions, Parameters], Result]


def list_people(account: DemoAccount, options: DemoOptions, parameters: Parameters) -> Result:
    """people/getAll: one page of people. Raises `CallError` 404 where the page would be empty."""
    page = parameters.number("page", 1, low=1, high=LAST_PAGE)
    asked = parameters.number("page_size", PAGE_SIZE, low=SMALLEST_PAGE, high=LARGEST_PAGE)
    fields = parameters.names("fields")
    archived = parameters.choice("archived")
    if options.ignore_paging:
        page, asked = 1, PAGE_SIZE
    per_page = min(asked, options.page_size_max or LARGEST_PAGE)
    people = account.people.page((page - 1) * per_page, per_page, archived=archived)
    if not people:
        raise no_match("people")
    listed = {
        "on_this_page": len(people),
        "page": page,
        "per_page": per_page,
        "total": account.people.total(archived=archived),
        "person": [_with_further(person, fields) for person in people],
    }
    return Result("people", listed)


def create_person(account: DemoAccount, _options: DemoOptions, parameters: Parameters) -> Result:
    """people/create: add somebody. Raises `CallError` 400 when both names are blank."""
    if not parameters:
        raise nothing_given()
    firstname = parameters.text("firstname")
    lastname = parameters.text("lastname")
    email = parameters.text("email")
    if not firstname.strip() and not lastname.strip():
        raise invalid_input("Please give a first name or a last name.")
    return Result("person", account.people.add(firstname, lastname, email))


def list_flows(account: DemoAccount, _options: DemoOptions, _parameters: Parameters) -> Result:
    """peopleFlows/getAll: every flow on one page."""
    flows = account.flows()
    if flows is None:
        raise no_match("people flows")
    return Result(FLOWS_KEY, flows)


OPERATIONS: Mapping[str, Operation] = {
    "people/getAll": Operation(frozenset({"GET", "POST"}), Permission.MANAGE_PEOPLE, list_people),
    "people/create": Operation(frozenset({"POST"}), Permission.MANAGE_PEOPLE, create_person),
    "peopleFlows/getAll": Operation(frozenset({"POST"}), Permission.MANAGE_PEOPLE, list_flows),
}


def _with_further(person: dict[str, str], fields: frozenset[str]) -> dict[str, str]:
    further = further_fields(person, fields)
    return {**person, **further} if further else person
