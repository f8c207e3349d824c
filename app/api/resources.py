"""People, people flows and steps out of the trees the service sends (api-spec, Resources)."""

from dataclasses import dataclass

from app.api.formats.tree import Tree
from app.api.reading import collection, flag, identifier, moment, text, whole
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

COUNTS = frozenset({"on_this_page", "page", "per_page", "total"})
"""What a page object tells beside its items (api-spec, Page object)."""


@dataclass(frozen=True, slots=True)
class ListResult:
    """One page of a list as sent: its items unread, its counts None where they were not told."""

    items: list[Tree]
    total: int | None = None
    per_page: int | None = None


def read_list(value: Tree, item_key: str) -> ListResult | None:
    """The page object under a resource key in any of its shapes; None for anything else.

    A mapping with neither items nor counts is refused: taking it for an empty list would make
    people disappear.
    """
    if not isinstance(value, dict):
        blank = value is None or (isinstance(value, str) and not value.strip())
        return ListResult(collection(value)) if blank or isinstance(value, list) else None
    known = item_key in value or not COUNTS.isdisjoint(value)
    if known:
        items = collection(value.get(item_key))
        return ListResult(items, whole(value.get("total")), whole(value.get("per_page")))
    numbered_or_bare = "id" in value or all(key.isdigit() for key in value)
    return ListResult(collection(value)) if numbered_or_bare else None


def read_person(value: Tree) -> Person | None:
    """One person; None where there is no object with an id."""
    if not isinstance(value, dict):
        return None
    get = value.get
    known_as = identifier(get("id"))
    if known_as is None:
        return None
    return Person(
        id=known_as,
        firstname=text(get("firstname")),
        lastname=text(get("lastname")),
        email=text(get("email")),
        phone=text(get("phone")),
        mobile=text(get("mobile")),
        date_added=moment(get("date_added")),
        date_modified=moment(get("date_modified")),
        admin=flag(get("admin")),
        archived=flag(get("archived")),
        volunteer=flag(get("volunteer")),
    )


def read_created(envelope: dict[str, Tree]) -> Person | None:
    """The person of a single-person answer: an object, a list of one, or only an id.

    Seen in the field: the answer to people/create may hold just the id.
    """
    if "person" not in envelope:
        return read_person({"id": envelope.get("id")})
    found = [
        person
        for item in collection(envelope["person"], ("person",))
        if (person := read_person(item))
    ]
    return found[0] if len(found) == 1 else None


def read_flow(value: Tree) -> PeopleFlow | None:
    """One people flow with its steps in order; None where there is no object with an id."""
    if not isinstance(value, dict):
        return None
    known_as = identifier(value.get("id"))
    if known_as is None:
        return None
    return PeopleFlow(
        id=known_as,
        name=text(value.get("name")),
        status=text(value.get("status")),
        access=text(value.get("access")),
        steps=_read_steps(value.get("steps")),
        admins=_read_admins(value.get("admins")),
        locations=tuple(collection(value.get("locations"), ("location",))),
        demographics=tuple(collection(value.get("demographics"), ("demographic",))),
    )


def _read_steps(value: Tree) -> tuple[Step, ...]:
    found = (_read_step(item) for item in collection(value, ("step",)))
    return tuple(step for step in found if step is not None)


def _read_step(value: Tree) -> Step | None:
    if not isinstance(value, dict):
        return None
    known_as = identifier(value.get("id"))
    if known_as is None:
        return None
    return Step(
        id=known_as,
        name=text(value.get("name")),
        status=text(value.get("status")),
        entry_point=text(value.get("entry_point")),
        # No deeper than a reader lets any document be.
        steps=_read_steps(value.get("steps")),
        admins=_read_admins(value.get("admins")),
    )


def _read_admins(value: Tree) -> tuple[str, ...]:
    """Person ids, each once: bare, or as `{id, role}` (seen in the field)."""
    found = (
        identifier(item.get("id") if isinstance(item, dict) else item)
        for item in collection(value, ("admin", "person"))
    )
    return tuple(dict.fromkeys(known_as for known_as in found if known_as is not None))
