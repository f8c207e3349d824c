"""The quick ways around the strict readers: a page of people in JSON that is as it was before is
known by its digest, and any other, as nearly every one is, decoded at once as what it is.

Anything that is not told so simply is left to the readers of the formats, which read it strictly
and in pieces; what is read here they would read in the same way.
"""

import re
from functools import lru_cache
from hashlib import blake2b
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from app.api.field_values import flag, identifier, moment, whole
from app.api.formats.decoding_budget import AT_ONCE
from app.api.formats.json import each_key_stands_once
from app.api.pagination.page_plan import PeoplePage
from app.api.requester import Items
from app.api.resources import OTHERS, read_list, read_others
from app.api.responses import Response
from app.model import field_limits
from app.model.person import Person
from app.runtime.memory import remembered_for_a_while

_MOST_FIELDS = 64
_LONGEST_RECORD = 16_384
"""Bytes; of a longer first record its fields are not looked for."""
_PAGE_KEYS = 8
"""Of the envelope and of the page in it, which have each of theirs once."""
_HEAD = 1_000
"""Bytes in front of the people; an answer with more is read each time."""
# What may be another although everybody on the page is as before.
_VARIES = re.compile(rb'("(?:generated_in|total)":"?)[0-9.]{1,20}')

_Plain: TypeAlias = str | int | bool | None
_Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=field_limits.NAME)] | None
_Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=field_limits.TEXT)] | None
_Id: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=field_limits.IDENTIFIER, pattern=r"^\S+\Z")
]
_Flag: TypeAlias = Literal["0", "1", "", "yes", "no", "true", "false", 0, 1] | bool | None
_FLAGS: "dict[_Flag, bool | None]" = {
    value: flag(value) for value in ("0", "1", "", "yes", "no", "true", "false", 0, 1, None)
}
_TYPES: dict[str, Any] = {
    "id": _Id,
    "firstname": _Name,
    "lastname": _Name,
    "email": _Text,
    "phone": _Text,
    "mobile": _Text,
    "date_added": _Text,
    "date_modified": _Text,
    "admin": _Flag,
    "archived": _Flag,
    "volunteer": _Flag,
    "preferred_name": _Name,
    "deceased": _Flag,
    **dict.fromkeys(OTHERS, _Text),
}


def read_page(body: bytes) -> Items[Person] | None:
    """Everybody on the page; None where it has to be looked at more closely, or has nobody."""
    if len(body) > AT_ONCE:
        return None
    fields = _fields_of_the_first(body)
    if fields is None:
        return None
    try:
        page = _decoder(fields)(body).people
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    records = page.person
    keys = len(records) * len(fields) + _PAGE_KEYS
    if not records or not each_key_stands_once(body, keys):
        return None
    listed = read_list(
        {"person": records, "per_page": page.per_page, "total": page.total}, "person"
    )
    if listed is None:
        return None
    people = tuple(map(_person, listed.items))
    return Items(people, listed.total, listed.per_page, len(people))


def _fields_of_the_first(body: bytes) -> frozenset[str] | None:
    """Which fields the first record has; None where it is not flat."""
    begin = body.find(b"[{") + 1
    end = body.find(b"}", begin, begin + _LONGEST_RECORD) + 1
    if not (begin and end):
        return None
    try:
        record = _decode_record(body[begin:end])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return frozenset(record) if "id" in record and len(record) <= _MOST_FIELDS else None


_decode_record = msgspec.json.Decoder(dict[str, _Plain]).decode


@lru_cache(8)
def _decoder(fields: frozenset[str]) -> Any:  # noqa: ANN401 - its type is made here
    """For pages whose every record has just these fields."""
    others = {f"other_{at}": name for at, name in enumerate(sorted(fields - _TYPES.keys()))}
    record = msgspec.defstruct(
        "Record",
        [
            *((name, kind) for name, kind in _TYPES.items() if name in fields),
            *((name, kind, None) for name, kind in _TYPES.items() if name not in fields),
            *((name, _Plain) for name in others),
        ],
        rename=others,
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
    )
    page = msgspec.defstruct(
        "Page",
        [
            *((name, str | int) for name in ("on_this_page", "page", "per_page", "total")),
            ("person", list[record]),  # type: ignore[valid-type]  # made above
        ],
        forbid_unknown_fields=True,
    )
    envelope = msgspec.defstruct(
        "Envelope",
        [("generated_in", str | int | float), ("status", Literal["ok"]), ("people", page)],
        forbid_unknown_fields=True,
    )
    return msgspec.json.Decoder(envelope).decode


def _person(record: Any) -> Person:  # noqa: ANN401 - its type is made above
    return Person(
        id=record.id,
        firstname=record.firstname,
        lastname=record.lastname,
        email=record.email,
        phone=record.phone,
        mobile=record.mobile,
        date_added=moment(record.date_added),
        date_modified=moment(record.date_modified),
        admin=_FLAGS[record.admin],
        archived=_FLAGS[record.archived],
        volunteer=_FLAGS[record.volunteer],
        preferred_name=record.preferred_name,
        deceased=_FLAGS[record.deceased],
        others=_others(
            (
                record.middle_name,
                record.contact,
                record.family,
                record.family_relationship,
                record.family_id,
                record.category,
                record.category_id,
                record.picture,
            )
        ),
    )


@remembered_for_a_while
@lru_cache(1_024)
def _others(values: tuple[str | None, ...]) -> tuple[tuple[str, str], ...]:
    """Of many people they are the same."""
    return read_others(dict(zip(OTHERS, values, strict=True)))


class _KnownPerson(msgspec.Struct, gc=False):
    id: str


class _KnownPeople(msgspec.Struct, gc=False):
    person: list[_KnownPerson]
    total: int | None = None
    per_page: int | None = None


class _KnownAnswer(msgspec.Struct, gc=False):
    status: str
    people: _KnownPeople


_decode_known = msgspec.json.Decoder(_KnownAnswer).decode


def digest_of(response: Response) -> bytes:
    """By which a page is told again, blank where it cannot be: of all there is, letter by letter,
    but for what each answer has of its own.
    """
    body = response.body
    begin = body.find(b"[", 0, _HEAD)
    if response.status != HTTPStatus.OK or begin < 0:
        return b""
    found = blake2b(_VARIES.sub(rb"\1", body[:begin]), digest_size=16)
    found.update(memoryview(body)[begin:])
    return found.digest()


def known_page(body: bytes, digest: bytes) -> PeoplePage | None:
    """A page that was read before, strictly, and is as it was: who is on it, and what it counts.

    None where that cannot be told so simply.
    """
    try:
        people = _decode_known(body).people
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    ids = tuple(person.id for person in people.person)
    if not ids or any(each != identifier(each) for each in ids):
        return None
    total, per_page = whole(people.total), whole(people.per_page)
    return PeoplePage((), total, per_page, len(ids), (), digest, ids)
