"""People, people flows and steps out of the trees the service sends (api-spec, Resources)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

import msgspec

from app.api.field_values import COUNTS, collection, flag, identifier, moment, text, whole
from app.api.formats.tree import Tree
from app.model import field_limits
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

_DEEPEST_PLACE = 3
_STEPS = ("step", "steps", "people_flow_step", "item")
_ADMINS = ("admin", "admins", "person", "person_id", "id", "item")
"""Under which names the items of a nested list may stand; seen in the field."""
OTHERS = (
    "middle_name",
    "contact",
    "family",
    "family_relationship",
    "family_id",
    "category",
    "category_id",
    "picture",
)
"""Beyond the document's fields, in the order they are shown; seen in the field."""
_SENT_BLANK = {name: (name, "") for name in OTHERS}
_MORE = frozenset({"preferred_name", "deceased", *OTHERS})


class ListResult(msgspec.Struct, frozen=True):
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
    counts = whole(value.get("total")), whole(value.get("per_page"))
    if item_key in value:
        return ListResult(collection(value[item_key]), *counts)
    if "id" in value or all(key.isdigit() for key in value):
        return ListResult(collection(value), *counts)
    holds_others = any(each and isinstance(each, dict | list) for each in value.values())
    return None if holds_others or COUNTS.isdisjoint(value) else ListResult([], *counts)


def read_person(value: Tree) -> Person | None:
    """One person; None where there is no object with an id."""
    if not isinstance(value, dict):
        return None
    get = value.get
    known_as = identifier(get("id"))
    if known_as is None:
        return None
    more = not _MORE.isdisjoint(value)
    return Person(
        id=known_as,
        firstname=text(get("firstname"), field_limits.NAME),
        lastname=text(get("lastname"), field_limits.NAME),
        email=text(get("email")),
        phone=text(get("phone")),
        mobile=text(get("mobile")),
        date_added=moment(get("date_added")),
        date_modified=moment(get("date_modified")),
        admin=flag(get("admin")),
        archived=flag(get("archived")),
        volunteer=flag(get("volunteer")),
        preferred_name=text(get("preferred_name"), field_limits.NAME) if more else None,
        deceased=flag(get("deceased")) if more else None,
        others=read_others(value) if more else (),
    )


def read_others(person: Mapping[str, Tree]) -> tuple[tuple[str, str], ...]:
    """Each of these fields that was sent, as text, blank where it was sent blank."""
    found: list[tuple[str, str]] = []
    for name, blank in _SENT_BLANK.items():
        value = person.get(name)
        if value is None:
            continue
        if value == "":  # nearly all
            found.append(blank)
            continue
        words = text(value)
        # Where a picture stands itself in the place of its address, there is nothing to show.
        if words is not None and not words.startswith("data:"):
            found.append((name, words.strip()))
    return tuple(found)


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
    """One people flow with its steps in order; None where there is no object with an id.

    Also None where steps or administrators are there and cannot be read: without them a flow would
    look as if nobody looked after it.
    """
    if not isinstance(value, dict):
        return None
    known_as = identifier(value.get("id"))
    steps, admins = _read_steps(value.get("steps")), _read_admins(value.get("admins"))
    if known_as is None or steps is None or admins is None:
        return None
    return PeopleFlow(
        id=known_as,
        name=text(value.get("name"), field_limits.NAME),
        status=_word(value.get("status")),
        access=_word(value.get("access")),
        steps=steps[: field_limits.STEPS],
        admins=admins[: field_limits.ADMINS],
        steps_told="steps" in value,
        admins_told="admins" in value,
        left_out=_left_out(steps, admins),
        locations=_kept_as_sent(value.get("locations"), "location"),
        demographics=_kept_as_sent(value.get("demographics"), "demographic"),
    )


def _kept_as_sent(value: Tree, name: str) -> tuple[Tree, ...]:
    """As the service has it, since the document shows no shape; no more than could be shown."""
    items = collection(value, (name, "item"))
    return tuple(_showable(item) for item in items[: field_limits.PLACES])


def _showable(value: Tree, depth: int = 0) -> Tree:
    if isinstance(value, str):
        return field_limits.shortened(value, field_limits.NAME)
    if isinstance(value, dict | list) and depth == _DEEPEST_PLACE:
        return None
    if isinstance(value, dict):
        fields = list(value.items())[: field_limits.PLACES]
        return {
            field_limits.shortened(name, field_limits.WORD): _showable(each, depth + 1)
            for name, each in fields
        }
    if isinstance(value, list):
        return [_showable(each, depth + 1) for each in value[: field_limits.PLACES]]
    return value


def _read_steps(value: Tree) -> tuple[Step, ...] | None:
    """All steps in order; None where something stands there that is none."""
    read = [_read_step(item) for item in collection(value, _STEPS)]
    steps = tuple(step for step in read if step is not None)
    return steps if len(steps) == len(read) else None


def _read_step(value: Tree) -> Step | None:
    if not isinstance(value, dict):
        return None
    known_as = identifier(value.get("id"))
    # No deeper than a reader lets any document be.
    steps, admins = _read_steps(value.get("steps")), _read_admins(value.get("admins"))
    if known_as is None or steps is None or admins is None:
        return None
    return Step(
        id=known_as,
        name=text(value.get("name"), field_limits.NAME),
        status=_word(value.get("status")),
        entry_point=_word(value.get("entry_point")),
        steps=steps[: field_limits.STEPS],
        admins=admins[: field_limits.ADMINS],
        steps_told="steps" in value,
        admins_told="admins" in value,
        left_out=_left_out(steps, admins),
    )


def _word(value: Tree) -> str | None:
    """Without the blanks that XML is laid out with: a status that is blank means active."""
    found = text(value, field_limits.TEXT)
    return None if found is None else field_limits.shortened(found.strip(), field_limits.WORD)


def _left_out(steps: Sequence[Step], admins: Sequence[str]) -> int:
    """How many are too many to be kept."""
    too_many = len(steps) - field_limits.STEPS, len(admins) - field_limits.ADMINS
    return sum(max(0, count) for count in too_many)


def _read_admins(value: Tree) -> tuple[str, ...] | None:
    """All person ids, each once; None where something stands there that names nobody.

    Seen in the field: bare, as `{id, role}` or as `{person_id}`.
    """
    ids: dict[str, None] = {}
    for item in collection(value, _ADMINS):
        if item is None or item == "":
            continue
        record = item if isinstance(item, dict) else {"id": item}
        known_as = identifier(record.get("person_id")) or identifier(record.get("id"))
        if known_as is None:
            return None
        ids[known_as] = None
    return tuple(ids)


class PeopleFlows(Sequence[PeopleFlow]):
    """The flows in the service's order; `total` is how many it counts, at least those it sent.

    `unreadable` of those it sent could not be read. Of more than `field_limits.FLOWS` only the
    first are here. Not `counted`: it did not say how many there are.
    """

    __slots__ = ("_flows", "counted", "total", "unreadable")

    def __init__(
        self, flows: tuple[PeopleFlow, ...], total: int | None = None, unreadable: int = 0
    ) -> None:
        """`total` as told by the service; None when it told nothing."""
        self._flows = flows[: field_limits.FLOWS]
        self.counted = total is not None
        different = len({flow.id for flow in flows}) + unreadable
        self.total = max(len(flows) + unreadable if total is None else total, different)
        self.unreadable = unreadable

    @overload
    def __getitem__(self, index: int) -> PeopleFlow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PeopleFlow, ...]: ...
    def __getitem__(self, index: int | slice) -> PeopleFlow | tuple[PeopleFlow, ...]:
        return self._flows[index]

    def __len__(self) -> int:
        return len(self._flows)

    def __iter__(self) -> Iterator[PeopleFlow]:
        return iter(self._flows)

    def __repr__(self) -> str:
        return f"PeopleFlows({len(self._flows)} of {self.total})"
