"""The shapes of what the service takes and gives (api-spec, Resources and their fields; Errors)."""

from collections.abc import Mapping
from types import MappingProxyType

from app.demo.formats import xml
from app.demo.further_fields import FURTHER_FIELDS
from app.demo.operations import (
    LARGEST_PAGE,
    LAST_PAGE,
    PAGE_SIZE,
    SMALLEST_PAGE,
)
from app.demo.parameters import NAMES

Schema = Mapping[str, object]

TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "string", "enum": ["0", "1"]}
_MOMENT: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
    "description": "UTC, without saying so.",
}
_PERSON: Mapping[str, Schema] = {
    "id": TEXT,
    "date_added": _MOMENT,
    "date_modified": _MOMENT,
    "firstname": TEXT,
    "lastname": TEXT,
    "email": TEXT,
    "phone": TEXT,
    "mobile": TEXT,
    "admin": _FLAG,
    "archived": _FLAG,
    "volunteer": _FLAG,
}
_NOTHING: Schema = {"type": "null"}


def reference(name: str) -> Schema:
    """A reference to one of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_of(
    properties: Mapping[str, Schema], *, optional: frozenset[str] = frozenset()
) -> Schema:
    """An object with these properties, all of them required but the optional ones."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": dict(properties)}


def envelope(key: str, inner: Schema) -> Schema:
    """The envelope of a success with `inner` under this resource key."""
    return _envelope("ok", key, inner)


def _envelope(status: str, key: str, inner: Schema) -> Schema:
    generated_in = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?$", "xml": {"attribute": True}}
    outcome = {"type": "string", "const": status, "xml": {"attribute": True}}
    properties = {"generated_in": generated_in, "status": outcome, key: inner}
    return {**object_of(properties), "additionalProperties": False, "xml": {"name": xml.ROOT}}


def _page(key: str, item: Schema) -> Schema:
    counts = dict.fromkeys(("on_this_page", "page", "per_page", "total"), _COUNT)
    items = {"type": "array", "minItems": 1, "items": item}
    return {**object_of({**counts, key: items}), "additionalProperties": False}


def _person(further: Mapping[str, Schema] = MappingProxyType({})) -> Schema:
    attributes = xml.ATTRIBUTES["person"]
    properties = {
        name: {**schema, "xml": {"attribute": True}} if name in attributes else schema
        for name, schema in {**_PERSON, **further}.items()
    }
    named = {**object_of(properties, optional=frozenset(further)), "xml": {"name": "person"}}
    return {**named, "additionalProperties": False}


def _list(key: str, item: Schema) -> Schema:
    named = {**item, "xml": {"name": xml.ITEMS[key]}}
    return {"type": "array", "items": named, "xml": {"wrapped": True}}


_STEP = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "status": TEXT,
        "entry_point": TEXT,
        "steps": _list("steps", reference("Step")),
        "admins": _list("admins", TEXT),
    }
)
_FLOW = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "status": TEXT,
        "access": TEXT,
        "steps": _list("steps", reference("Step")),
        "admins": _list("admins", TEXT),
        "locations": _list("locations", reference("Place")),
        "demographics": _list("demographics", reference("Place")),
    }
)
_FAILURE = object_of(
    {"code": {"type": "integer", "xml": {"attribute": True}}, "message": {**TEXT, "minLength": 1}}
)

SCHEMAS: Mapping[str, Schema] = {
    "Person": _person(),
    "ListedPerson": _person(dict.fromkeys(FURTHER_FIELDS, TEXT)),
    "PeoplePage": _page("person", reference("ListedPerson")),
    "Place": object_of({"id": TEXT, "name": TEXT}),
    "Step": {**_STEP, "additionalProperties": False},
    "Flow": {**_FLOW, "additionalProperties": False},
    "FlowsPage": _page("people_flow", reference("Flow")),
    "Failure": _envelope("fail", "error", {**_FAILURE, "additionalProperties": False}),
    "Tokens": object_of(
        {
            "access_token": {**TEXT, "minLength": 1},
            "expires_in": {"type": "integer", "minimum": 1},
            "refresh_token": {**TEXT, "minLength": 1},
        },
        optional=frozenset({"refresh_token"}),
    ),
}


def _whole(low: int, high: int, usual: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high, "default": usual}


def _or_as_text(schema: Schema, pattern: str) -> Schema:
    """In JSON, a number may be written as its digits, and null is as good as nothing."""
    digits = {"type": "string", "pattern": f"^0*({pattern})$", "maxLength": len(str(LAST_PAGE))}
    return {"anyOf": [schema, digits, _NOTHING]}


def _or_nothing(schema: Schema) -> Schema:
    return {"anyOf": [schema, _NOTHING]}


_PAGE = _whole(1, LAST_PAGE, 1)
_PAGE_SIZE = _whole(SMALLEST_PAGE, LARGEST_PAGE, PAGE_SIZE)
_NAMES: Schema = {**TEXT, "pattern": f"^{NAMES.pattern}$"}
_FIELDS: Schema = {"type": "array", "items": _NAMES}
_YES_OR_NO = ["yes", "no", "1", "0", "true", "false"]

LISTING: Mapping[str, Schema] = {
    "page": _PAGE,
    "page_size": _PAGE_SIZE,
    "fields": _FIELDS,
    "archived": {**TEXT, "enum": _YES_OR_NO},
}
"""What people/getAll can be asked, in a query."""

_FIELDS_OR_TEXT: Schema = {"anyOf": [_FIELDS, _NAMES]}

LISTING_IN_FORM: Mapping[str, Schema] = {**LISTING, "fields": _FIELDS_OR_TEXT}

LISTING_IN_JSON: Mapping[str, Schema] = {
    "page": _or_as_text(_PAGE, "[1-9][0-9]*"),
    "page_size": _or_as_text(_PAGE_SIZE, "[1-9][0-9]{1,2}|1000"),
    "fields": _or_nothing(_FIELDS_OR_TEXT),
    "archived": {"enum": [*_YES_OR_NO, True, False, 1, 0, None]},
}

NEW_PERSON: Mapping[str, Schema] = dict.fromkeys(("firstname", "lastname", "email"), TEXT)
"""What people/create takes, in a form."""

NEW_PERSON_IN_JSON = {name: _or_nothing(schema) for name, schema in NEW_PERSON.items()}

A_NAME: Schema = {
    "anyOf": [
        {"required": [name], "properties": {name: {**TEXT, "pattern": r"\S"}}}
        for name in ("firstname", "lastname")
    ]
}
"""One of the two names at least says something."""
