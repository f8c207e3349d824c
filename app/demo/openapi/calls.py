"""The operations as OpenAPI paths: one path for each format, since the address chooses it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.demo import envelope
from app.demo.envelope import CallError
from app.demo.formats.known import FORMATS
from app.demo.openapi import schemas
from app.demo.openapi.schemas import Schema, reference
from app.demo.operations import OPERATIONS
from app.demo.permissions import Permission

KEY_SCHEME, TOKEN_SCHEME = "apiKey", "accessToken"
JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"


@dataclass(frozen=True, slots=True)
class About:
    """What a reader wants to know of an operation.

    It gives a `result` (the name of its schema) under `key`. What it takes, by name: in the query
    of a GET, and in the form or the JSON of a POST; `rule` is what both bodies have to keep.
    """

    summary: str
    key: str
    result: str
    kind: str
    in_query: Mapping[str, Schema] = field(default_factory=dict)
    in_form: Mapping[str, Schema] = field(default_factory=dict)
    in_json: Mapping[str, Schema] = field(default_factory=dict)
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
        "One page of people.",
        "people",
        "PeoplePage",
        "people",
        in_query=schemas.LISTING,
        in_form=schemas.LISTING_IN_FORM,
        in_json=schemas.LISTING_IN_JSON,
    ),
    "people/create": About(
        "Add a person; the service does not compare: the same person twice is two people.",
        "person",
        "Person",
        "people",
        in_form=schemas.NEW_PERSON,
        in_json=schemas.NEW_PERSON_IN_JSON,
        rule=schemas.A_NAME,
    ),
    "peopleFlows/getAll": About(
        "Every people flow, with its steps and who administers each.",
        "people_flows",
        "FlowsPage",
        "people flows",
    ),
}


def paths() -> dict[str, object]:
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
        "tags": [name.partition("/")[0]],
        "summary": about.summary,
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
    success = schemas.envelope(about.key, reference(about.result))
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
