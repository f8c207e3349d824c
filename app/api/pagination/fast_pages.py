"""The quick way around the strict readers: a page of people in JSON as nearly every one is, decoded
at once as what it is.

Anything that is not told so simply is left to the readers of the formats, which read it strictly
and in pieces; what is read here they would read in the same way.
"""

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from app.api.field_values import flag, moment
from app.api.requester import Items
from app.api.resources import OTHERS, read_list, read_others
from app.model import field_limits
from app.model.person import Person
from app.runtime.memory import remembered_for_a_while

_LARGEST = 1024 * 1024
"""Bytes that are decoded in half a frame."""
_MOST_FIELDS = 64
_LONGEST_RECORD = 16_384
"""Bytes; of a longer first record its fields are not looked for."""
_PAGE_KEYS = 8
"""Of the envelope and of the page in it, which have each of theirs once."""
_BLANKS = b" \t\n\r"

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
    if len(body) > _LARGEST:
        return None
    fields = _fields_of_the_first(body)
    if fields is None:
        return None
    try:
        page = _decoder(fields)(body).people
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    records = page.person
    # Of a key that stands twice the library gives one: more quotes have a colon behind them then.
    # Those inside of texts are counted as well, and such a page is looked at more closely.
    keys = body.translate(None, _BLANKS).count(b'":')
    if not records or keys != len(records) * len(fields) + _PAGE_KEYS:
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
