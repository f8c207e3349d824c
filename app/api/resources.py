"""People, people flows and steps out of the trees the service sends (api-spec, Resources)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import overload

import msgspec

from app.api.field_values import (
    ADDRESSES,
    COUNTS,
    collection,
    counted,
    flag,
    identifier,
    in_wrapper,
    is_blank,
    is_keyed_by_id,
    moment,
    text,
    unwrapped,
    whole,
)
from app.api.formats.tree import Tree, Unreadable
from app.model import field_limits
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

_DEEPEST_PLACE = 3
_STEPS = ("steps", "people_flow_steps", "people_flow_step", "step")
_ADMINS = ("admins", "administrators", "administrator", "admin", "admin_ids", "admin_id")
_PEOPLE = ("person", "people", "persons", "person_id", "person_ids")
"""What a mapping that has an id of its own, that of a post, says of those who hold it."""
_PERSON_IDS = ("person_id", "id", "admin_id", "user_id")
_ABOUT_SOMEBODY = frozenset({"role", "name", "title", "firstname", "lastname", "email"})
_SMALL_TO_LARGE = re.compile("(?<=[a-z])(?=[A-Z])")
_A_COUNT = re.compile(
    r"(?:steps?|admins?|administrators?)[^a-z0-9]?count|(?:steps|admins|administrators)[^a-z0-9]?total"
    r"|(?:count|total|num|number)[^a-z0-9]?(?:of[^a-z0-9]?)?(?:steps|admins|administrators)"
)
"""Tells how many there are; the number of a step, or "step total", tells where it stands."""
_BETWEEN_IDS = re.compile("[,;|]")
_HAS_A_DIGIT = re.compile(r"[^\W\d]*\d[\w-]*")
_ADDRESS = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?/")
"""Where somebody stands. Further behind, a stroke may well be part of an id."""
_UUID = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_LIKE_AN_ID = re.compile(
    rf"(?=\D*\d)(?:{_UUID}|[0-9A-Za-z]{{16,200}}|[A-Za-z]*[0-9][0-9A-Za-z]*(?:-[0-9A-Za-z]+){{1,8}})"
)
_WRITTEN_AS_DATA = re.compile(r"[][{}\"']|.*[][{}\"']\Z", re.DOTALL)
"""A list or mapping that was written into a text. Signs of one in the middle may be an id's own."""
_NO_IDS = frozenset(
    {
        *("none", "null", "nil", "nobody", "nan", "n/a", "na", "undefined", "unknown"),
        *("unassigned", "array", "object", "no", "yes", "true", "false", "error"),
    }
)
"""Words that say that there is none, or nothing at all, rather than who."""
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
_NAMED_BY = ("name", "url", "title", "value")
"""What a mapping that stands for one thing is called by."""


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
    if isinstance(value, Unreadable):
        return None
    with_counts = not COUNTS.isdisjoint(value)
    items = unwrapped(value[item_key]) if item_key in value else _under_another_name(value)
    if items is None or not (items or with_counts or item_key in value or not value):
        return None
    return ListResult(items, whole(value.get("total")), whole(value.get("per_page")))


def _under_another_name(page: dict[str, Tree]) -> list[Tree] | None:
    """The items of a page that has none where they belong; texts beside them only describe it."""
    if "id" in page or all(key.isdigit() for key in page):
        return collection(page)
    found = [value for key, value in page.items() if key not in COUNTS and _holds_some(value)]
    if not found:
        return []
    return unwrapped(found[0]) if len(found) == 1 else None


def _holds_some(value: Tree) -> bool:
    return isinstance(value, dict | list) and (bool(value) or isinstance(value, Unreadable))


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
        deceased=_has_died(get("deceased")) if more else None,
        others=read_others(value) if more else (),
    )


def _has_died(value: Tree) -> bool | None:
    """A flag; a day is a yes."""
    told = flag(value)
    return True if told is None and moment(value) is not None else told


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
        words: str | None
        if value.__class__ is str and len(value) <= field_limits.TEXT:  # nearly all
            words = value.strip()
        else:
            words = _words(value)
        # Where a picture stands itself in the place of its address, there is nothing to show.
        if words is not None and not (words and words.startswith("data:")):
            found.append((name, words))
    return tuple(found)


def _words(value: Tree, depth: int = 0) -> str | None:
    """What somebody would read out of a value of any shape; None where nothing was sent."""
    if value is None or isinstance(value, Unreadable) or depth > _DEEPEST_PLACE:
        return None
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, dict):
        return _words_of_mapping(value, depth)
    return _joined(value, depth) if isinstance(value, list) else (text(value) or "").strip()


def _words_of_mapping(value: dict[str, Tree], depth: int) -> str | None:
    name = next((name for name in _NAMED_BY if name in value), None)
    if name is not None:
        return _words(value[name], depth + 1)
    told = [each for key, each in value.items() if not key.endswith("id")]
    return _joined(told or list(value.values()), depth, " " if "firstname" in value else ", ")


def _joined(values: Sequence[Tree], depth: int, between: str = ", ") -> str:
    words = (_words(value, depth + 1) for value in values[: field_limits.PLACES])
    return field_limits.shortened(between.join(each for each in words if each), field_limits.TEXT)


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
    steps, admins = _read_steps(_under(value, _STEPS)), _read_admins(_under(value, _ADMINS))
    if known_as is None or steps is None or admins is None:
        return None
    if _has_fewer_than_counted(value, steps, admins):
        return None
    return PeopleFlow(
        id=known_as,
        name=text(value.get("name"), field_limits.NAME),
        status=_word(value.get("status")),
        access=_word(value.get("access")),
        steps=steps[: field_limits.STEPS],
        admins=admins[: field_limits.ADMINS],
        steps_told=_is_told(value, _STEPS),
        admins_told=_is_told(value, _ADMINS),
        left_out=_left_out(steps, admins),
        locations=_kept_as_sent(value.get("locations")),
        demographics=_kept_as_sent(value.get("demographics")),
    )


def _kept_as_sent(value: Tree) -> tuple[Tree, ...]:
    """As the service has it, since the document shows no shape; no more than could be shown."""
    found = unwrapped(value)
    items = collection(value) if found is None else found
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
    """All steps in order; None where something stands there that is none, or more are counted."""
    found = unwrapped(value)
    read = None if found is None else [_read_step(item) for item in found if not is_blank(item)]
    if read is None or None in read:
        return None
    steps = tuple(step for step in read if step is not None)
    return None if counted(value) > len(steps) + _inside(steps) else steps


def _inside(steps: Iterable[Step]) -> int:
    """How many steps stand inside these; a count may mean them as well."""
    return sum(len(step.steps) + _inside(step.steps) for step in steps)


def _has_fewer_than_counted(
    record: dict[str, Tree], steps: Sequence[Step], admins: Sequence[str]
) -> bool:
    """Whether a count beside the lists that were sent says that there are more, or somebody where
    there is nobody. A count may mean those inside the steps as well.
    """
    for name, value in record.items():
        lists = _counted_by(name)
        many = whole(value) if lists is not None and _is_told(record, lists) else None
        if not many:
            continue
        if lists is _STEPS and many > len(steps) + _inside(steps):
            return True
        if lists is _ADMINS and (not admins or many > len({*admins, *_admins_of(steps)})):
            return True
    return False


def _admins_of(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield from step.admins
        yield from _admins_of(step.steps)


@lru_cache(maxsize=256)
def _counted_by(name: str) -> Sequence[str] | None:
    """The names of the list that a field of this name counts: `admin_count`, `number_of_steps`."""
    counted_as = _A_COUNT.fullmatch(_SMALL_TO_LARGE.sub("_", name[: field_limits.WORD]).lower())
    if counted_as is None:
        return None
    return _STEPS if "step" in counted_as.group() else _ADMINS


def _read_step(value: Tree) -> Step | None:
    inside = _alone(value)
    if not isinstance(inside, dict):
        return None
    known_as = identifier(inside.get("id"))
    # No deeper than a reader lets any document be.
    steps, admins = _read_steps(_under(inside, _STEPS)), _read_admins(_under(inside, _ADMINS))
    if known_as is None or steps is None or admins is None:
        return None
    if _has_fewer_than_counted(inside, steps, admins):
        return None
    return Step(
        id=known_as,
        name=text(inside.get("name"), field_limits.NAME),
        status=_word(inside.get("status")),
        entry_point=_word(inside.get("entry_point")),
        steps=steps[: field_limits.STEPS],
        admins=admins[: field_limits.ADMINS],
        steps_told=_is_told(inside, _STEPS),
        admins_told=_is_told(inside, _ADMINS),
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
    """All person ids, each once; None where something stands there that names nobody, or more are
    counted.

    Seen in the field: bare, as `{id, role}`, as `{person_id}`, several in one text, by id. What may
    mean another than it says, a word for nobody or a number that is an id or a place, names nobody.
    """
    found = _administrators_in(value)
    if found is None or _is_a_stroke(value):
        return None
    ids = [_ids_of_administrator(item) for item in found if not is_blank(item)]
    if not all(ids) or counted(value) > sum(map(len, ids)):
        return None
    return tuple(dict.fromkeys(chain.from_iterable(ids)))


def _is_a_stroke(value: Tree) -> bool:
    """Whether a zero or a stroke stands in the place of a list: none, or nothing that is an id."""
    if isinstance(value, list | dict) or is_blank(value):
        return False
    return whole(value) == 0 or not any(map(str.isalnum, text(value) or ""))


def _administrators_in(value: Tree) -> list[Tree] | None:
    """The items of the list in any shape; None where it is none, or only its address is here."""
    if not isinstance(value, dict) or isinstance(value, Unreadable):
        return unwrapped(value)
    if not ADDRESSES.isdisjoint(value):
        told = _without_addresses(value)
        return _administrators_in(told) if told else None
    if _tells_of(value):
        return [value]
    if found := _by_id(value):
        return found
    if _tells_of_nobody(value) or _may_be_told_by_id(value):
        return None
    return _wrapped_administrators(value)


def _wrapped_administrators(value: dict[str, Tree]) -> list[Tree] | None:
    name, within = next(iter(value.items()), ("", None))
    if len(value) == 1 and isinstance(within, dict) and not name.isdigit():
        return in_wrapper(name, _administrators_in(within))
    return unwrapped(value)


def _may_be_told_by_id(value: dict[str, Tree]) -> bool:
    """Whether numbers may be ids as well as places: what stands under them are then no ids."""
    if "0" in value or not all(key.isdigit() for key in value):
        return False
    bare = [each for each in value.values() if not isinstance(each, dict | list | None)]
    named = any(isinstance(each, str) and not any(map(str.isdigit, each)) for each in bare)
    marked = bool(bare) and all(map(flag, bare))
    return named or (marked and any(text(each) != key for key, each in value.items()))


def _by_id(value: dict[str, Tree]) -> list[Tree]:
    """The ids where a mapping has them for its keys, with what somebody does under each."""
    several = next((value[key] for key in _PERSON_IDS if isinstance(value.get(key), list)), None)
    if isinstance(several, list):
        return several
    numbers = all(key.isdigit() for key in value)
    if numbers:
        roles = all(isinstance(each, dict) and _tells_of_nobody(each) for each in value.values())
        marks = all(not each or flag(each) for each in value.values()) and not any(
            flag(each) is False for each in value.values()
        )
        numbered = set(value) <= {str(number) for number in range(len(value) + 1)}
        return list(value) if (roles or marks) and not numbered else []
    refused = any(flag(each) is False for each in value.values())
    return list(value) if all(map(_LIKE_AN_ID.fullmatch, value)) and not refused else []


def _ids_of_administrator(item: Tree) -> Sequence[str]:
    """Whom it names; nobody where that cannot be read, or only their address is here."""
    if isinstance(item, dict) and not ADDRESSES.isdisjoint(item):
        item = _without_addresses(item)
    as_it_is = isinstance(item, dict) and (_tells_of(item) or _tells_of_nobody(item))
    inside = item if as_it_is else _alone(item)
    if isinstance(item, dict) and _may_be_told_by_id(item):
        return ()
    if as_it_is and isinstance(item, dict) and (several := _those_of_a_post(item)) is not None:
        return _read_admins(several) or ()
    if isinstance(inside, dict):
        inside = None if _tells_of_nobody(inside) else _tells_of(inside)
    if not isinstance(inside, str):
        return [known_as] if (known_as := _id_of_somebody(inside)) else ()
    if _ADDRESS.match(inside):
        return ()
    parts = [part.split() for part in _BETWEEN_IDS.split(inside) if part.strip()]
    if not all(len(part) == 1 or all(map(_HAS_A_DIGIT.fullmatch, part)) for part in parts):
        return ()  # names rather than ids
    ids = [_id_of_somebody(each) for part in parts for each in part]
    return [each for each in ids if each is not None] if None not in ids else ()


def _id_of_somebody(value: Tree) -> str | None:
    """None for a word that means nobody, and for what was written into a text instead of sent."""
    found = identifier(value)
    if found is None or _WRITTEN_AS_DATA.match(found) or found.lower() in _NO_IDS:
        return None
    return found


def _without_addresses(value: dict[str, Tree]) -> dict[str, Tree]:
    return {name: each for name, each in value.items() if name not in ADDRESSES}


def _tells_of(value: dict[str, Tree]) -> str | None:
    """The id of the person a mapping is about; its own id may be that of the post."""
    within = value.get("person")
    if isinstance(within, dict) and (found := _tells_of(within)):
        return found
    named = (value.get("person_id"), within, *(value.get(key) for key in _PERSON_IDS))
    return next((found for each in named if (found := identifier(each))), None)


def _those_of_a_post(value: dict[str, Tree]) -> Tree:
    """A list of those whom a mapping with an id of its own is about; None where it has none."""
    for within in (value.get(name) for name in _PEOPLE):
        if isinstance(within, list | Unreadable):
            return within
        if isinstance(within, dict) and _tells_of(within) is None and unwrapped(within):
            return within
    return None


def _tells_of_nobody(value: dict[str, Tree]) -> bool:
    """Whether it tells what somebody is or does, and not who."""
    about = not _ABOUT_SOMEBODY.isdisjoint(value) or is_keyed_by_id(value)
    return about and _tells_of(value) is None and not _by_id(value)


def _under(record: dict[str, Tree], names: Sequence[str]) -> Tree:
    """What stands under the first of the `names` that has anything; the first is the document's."""
    found = [record[name] for name in names if _is_told(record, (name,))]
    held = (value for value in found if not _is_empty(value))
    return next(held, found[0] if found else None)


def _is_told(record: dict[str, Tree], names: Sequence[str]) -> bool:
    """Whether anything was sent under one of the `names`, be it none; a mark is no list."""
    return any(
        name in record and not (name == "admin" and flag(record[name]) is not None)
        for name in names
    )


def _is_empty(value: Tree) -> bool:
    """Whether it is a list of none, in however many wrappers."""
    found = unwrapped(value)
    return found is not None and all(map(is_blank, found)) and not counted(value)


def _alone(value: Tree) -> Tree:
    """An item of a list, out of a wrapper of its own."""
    found = unwrapped(value)
    return found[0] if found is not None and len(found) == 1 else value


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
