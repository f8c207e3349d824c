"""What the demo service takes and gives, as OpenAPI: the shapes (api-spec, Resources and their
fields; Errors), and the whole description, with one path for each format since the address chooses
it.
"""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from app.demo import envelope
from app.demo.authorisation_attempts import ErrorValue
from app.demo.credentials import WORDING, Permission
from app.demo.envelope import CallError
from app.demo.formats import xml
from app.demo.formats.writers import FORMATS
from app.demo.operations import (
    LARGEST_PAGE,
    LAST_PAGE,
    OPERATIONS,
    ORGANISATION,
    PAGE_SIZE,
    SMALLEST_PAGE,
)
from app.demo.parameters import NAMES
from app.demo.people import FURTHER_FIELDS

Schema = Mapping[str, object]

TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "string", "enum": ["0", "1"]}
_MOMENT: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
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


def _success(key: str, inner: Schema) -> Schema:
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
        "locations": _list("locations", reference("Named")),
        "demographics": _list("demographics", reference("Named")),
    }
)
_FAILURE = object_of(
    {"code": {"type": "integer", "xml": {"attribute": True}}, "message": {**TEXT, "minLength": 1}}
)

SCHEMAS: Mapping[str, Schema] = {
    "Person": _person(),
    "ListedPerson": _person(dict.fromkeys(FURTHER_FIELDS, TEXT)),
    "PeoplePage": _page("person", reference("ListedPerson")),
    "Named": object_of({"id": TEXT, "name": TEXT}),
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


# The description

KEY_SCHEME, TOKEN_SCHEME = "apiKey", "accessToken"
JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"


class About(msgspec.Struct, frozen=True):
    """An operation gives a `result` (the name of its schema) under `key`.

    What it takes, by name: in the query of a GET, and in the form or the JSON of a POST; `rule` is
    what both bodies have to keep.
    """

    key: str
    result: str
    kind: str
    in_query: Mapping[str, Schema] = msgspec.field(default_factory=dict)
    in_form: Mapping[str, Schema] = msgspec.field(default_factory=dict)
    in_json: Mapping[str, Schema] = msgspec.field(default_factory=dict)
    rule: Schema | None = None

    def bodies(self) -> dict[str, Schema]:
        """The schemas of the bodies of a POST by media type."""
        shapes = {JSON: self.in_json, FORM: self.in_form, PARTS: self.in_form}
        return {
            kind: {"type": "object", "properties": dict(shape), **(self.rule or {})}
            for kind, shape in shapes.items()
        }


ABOUT: Mapping[str, About] = {
    "people/getAll": About(
        "people",
        "PeoplePage",
        "people",
        in_query=LISTING,
        in_form=LISTING_IN_FORM,
        in_json=LISTING_IN_JSON,
    ),
    "people/create": About(
        "person",
        "Person",
        "people",
        in_form=NEW_PERSON,
        in_json=NEW_PERSON_IN_JSON,
        rule=A_NAME,
    ),
    "peopleFlows/getAll": About(
        "people_flows",
        "FlowsPage",
        "people flows",
    ),
}


def _operation_paths() -> dict[str, object]:
    """Every operation in every format."""
    return {
        f"/v1/{name}.{format_name}": {
            method.lower(): _operation(name, method, format_name)
            for method in sorted(OPERATIONS[name].methods)
        }
        for name in OPERATIONS
        for format_name in FORMATS
    }


def _operation(name: str, method: str, format_name: str) -> dict[str, object]:
    about = ABOUT[name]
    described: dict[str, object] = {
        "operationId": f"{name.replace('/', '.')}.{format_name}.{method.lower()}",
        "security": _security(OPERATIONS[name].permission),
        "responses": _responses(about, format_name),
    }
    if method == "GET":
        described["parameters"] = [
            {"name": parameter, "in": "query", "schema": schema}
            for parameter, schema in about.in_query.items()
        ]
    elif about.in_form:
        described["requestBody"] = {
            "required": about.rule is not None,
            "content": {kind: {"schema": schema} for kind, schema in about.bodies().items()},
        }
    return described


def _security(permission: Permission) -> list[object]:
    return [{KEY_SCHEME: []}, {TOKEN_SCHEME: [str(permission)]}]


def _responses(about: About, format_name: str) -> dict[str, object]:
    """The five statuses of the contract (api-spec, HTTP status codes)."""
    success = _success(about.key, reference(about.result))
    return {
        "200": _response("Call processed successfully.", success, format_name),
        **{
            str(error.status): _response(error.message, reference("Failure"), format_name)
            for error in _errors(about)
        },
    }


def _errors(about: About) -> tuple[CallError, ...]:
    return (
        envelope.nothing_given(),
        envelope.invalid_key(),
        envelope.no_match(about.kind),
        envelope.unhandled(),
    )


def _response(description: str, schema: Schema, format_name: str) -> dict[str, object]:
    media_type = FORMATS[format_name].media_type.partition(";")[0]
    return {"description": description, "content": {media_type: {"schema": schema}}}


_HTML = "text/html"
_GRANTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("authorization_code", ("client_id", "client_secret", "code", "redirect_uri")),
    ("refresh_token", ("refresh_token",)),
)


def _sign_in_paths() -> dict[str, object]:
    """Where a program sends a browser, and where it gets tokens (api-spec, OAuth endpoints)."""
    return {
        "/oauth": {"get": _authorisation()},
        "/oauth/token": {"post": _exchange()},
    }


def _security_schemes(base_url: str) -> dict[str, object]:
    """The two methods (api-spec, Authentication), with the whole addresses OpenAPI asks for."""
    scopes = {str(permission): wording.grants for permission, wording in WORDING.items()}
    authorise = {"authorizationUrl": f"{base_url}/oauth", "scopes": scopes}
    exchange = dict.fromkeys(("tokenUrl", "refreshUrl"), f"{base_url}/oauth/token")
    return {
        KEY_SCHEME: {
            "type": "http",
            "scheme": "basic",
        },
        TOKEN_SCHEME: {
            "type": "oauth2",
            "flows": {"implicit": authorise, "authorizationCode": {**authorise, **exchange}},
        },
    }


def _error_schema() -> Schema:
    """How an exchange fails: no envelope, one of the six values and a sentence."""
    values = {"type": "string", "enum": [str(value) for value in ErrorValue]}
    return object_of({"error": values, "error_description": TEXT})


def _authorisation() -> dict[str, object]:
    kinds: Schema = {"type": "string", "enum": ["web_server", "user_agent"]}
    asked = {"type": kinds, "client_id": TEXT, "redirect_uri": TEXT, "scope": TEXT}
    page = {"content": {_HTML: {"schema": TEXT}}}
    return {
        "operationId": "oauth.begin",
        "security": [],
        "parameters": [
            *(
                {"name": name, "in": "query", "required": True, "schema": schema}
                for name, schema in asked.items()
            ),
            {"name": "state", "in": "query", "schema": TEXT},
        ],
        "responses": {
            "200": {"description": "A page to sign in on, or to decide on.", **page},
            "302": {"description": "An error, told at the redirect address."},
            "400": {"description": "An error that no redirect address may be told.", **page},
            "500": {"description": "A fault of the service.", **page},
        },
    }


def _exchange() -> dict[str, object]:
    return {
        "operationId": "oauth.token",
        "security": [],
        "requestBody": {
            "required": True,
            "content": {FORM: {"schema": {"oneOf": [_grant(*grant) for grant in _GRANTS]}}},
        },
        "responses": {
            "200": _json("The tokens.", reference("Tokens")),
            "400": _json("Why there are none.", reference("OAuthError")),
            "500": _json("A fault of the service.", reference("OAuthError")),
        },
    }


def _grant(kind: str, fields: tuple[str, ...]) -> Schema:
    given: Schema = {**TEXT, "minLength": 1}
    return object_of(
        {"grant_type": {"type": "string", "const": kind}, **dict.fromkeys(fields, given)}
    )


def _json(description: str, schema: Schema) -> dict[str, object]:
    return {"description": description, "content": {JSON: {"schema": schema}}}


def document(base_url: str) -> dict[str, object]:
    """OpenAPI 3.1, as a tree, of the service that is found at this address."""
    return {
        "openapi": "3.1.0",
        "info": {"title": ORGANISATION, "version": "1"},
        "servers": [{"url": base_url}],
        "paths": {**_operation_paths(), **_sign_in_paths()},
        "components": {
            "schemas": {**SCHEMAS, "OAuthError": _error_schema()},
            "securitySchemes": _security_schemes(base_url),
        },
    }
