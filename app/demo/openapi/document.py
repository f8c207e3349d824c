"""The whole description: the operations, one path for each format since the address chooses it, the
addresses beside /v1, and the address the description is served at; anybody may read it.
"""

from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.demo import envelope
from app.demo.authorisation import ErrorValue
from app.demo.credentials import WORDING, Permission
from app.demo.envelope import CallError
from app.demo.formats.writers import FORMATS
from app.demo.openapi import schemas
from app.demo.openapi.schemas import SCHEMAS, TEXT, Schema, reference
from app.demo.operations import OPERATIONS, ORGANISATION

KEY_SCHEME, TOKEN_SCHEME = "apiKey", "accessToken"
JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"


class About(msgspec.Struct, frozen=True):
    """What a reader wants to know of an operation.

    It gives a `result` (the name of its schema) under `key`. What it takes, by name: in the query
    of a GET, and in the form or the JSON of a POST; `rule` is what both bodies have to keep.
    """

    summary: str
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
        "/openapi.json": {"get": _description()},
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
            "description": "The API key is the user; the password is not looked at.",
        },
        TOKEN_SCHEME: {
            "type": "oauth2",
            "flows": {"implicit": authorise, "authorizationCode": {**authorise, **exchange}},
        },
    }


def _error_schema() -> Schema:
    """How an exchange fails: no envelope, one of the six values and a sentence."""
    values = {"type": "string", "enum": [str(value) for value in ErrorValue]}
    return schemas.object_of({"error": values, "error_description": TEXT})


def _authorisation() -> dict[str, object]:
    kinds: Schema = {"type": "string", "enum": ["web_server", "user_agent"]}
    asked = {"type": kinds, "client_id": TEXT, "redirect_uri": TEXT, "scope": TEXT}
    page = {"content": {_HTML: {"schema": TEXT}}}
    return {
        "operationId": "oauth.begin",
        "tags": ["oauth"],
        "summary": "Where a person signs in and allows or refuses what a program asks for.",
        "security": [],
        "parameters": [
            *(
                {"name": name, "in": "query", "required": True, "schema": schema}
                for name, schema in asked.items()
            ),
            {
                "name": "state",
                "in": "query",
                "schema": TEXT,
                "description": "For a web_server alone: it comes back as it was.",
            },
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
        "tags": ["oauth"],
        "summary": "Tokens for a code, or for a refresh token.",
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
    return schemas.object_of(
        {"grant_type": {"type": "string", "const": kind}, **dict.fromkeys(fields, given)}
    )


def _description() -> dict[str, object]:
    return {
        "operationId": "openapi",
        "tags": ["openapi"],
        "summary": "This description.",
        "security": [],
        "responses": {"200": _json("OpenAPI 3.1.", {"type": "object", "required": ["openapi"]})},
    }


def _json(description: str, schema: Schema) -> dict[str, object]:
    return {"description": description, "content": {JSON: {"schema": schema}}}


_ABOUT = (
    "A demo account with made-up people, on this computer only. Every answer under /v1, success "
    "or failure, is the one envelope in the format that the address ends in; an address, a format "
    "or an HTTP method that the service does not have is 404 in the envelope. What the body of a "
    "POST may hold may stand in its query as well; where both do, the body wins. Parameters that "
    "the service does not know are left aside."
)


def document(base_url: str) -> dict[str, object]:
    """OpenAPI 3.1, as a tree, of the service that is found at this address."""
    return {
        "openapi": "3.1.0",
        "info": {"title": ORGANISATION, "version": "1", "description": _ABOUT},
        "servers": [{"url": base_url}],
        "paths": {**_operation_paths(), **_sign_in_paths()},
        "components": {
            "schemas": {**SCHEMAS, "OAuthError": _error_schema()},
            "securitySchemes": _security_schemes(base_url),
        },
    }


def route() -> Route:
    """Where it is found."""
    return Route("/openapi.json", _answer, methods=["GET"])


async def _answer(request: Request) -> Response:
    host, port = request.scope["server"]
    return JSONResponse(document(f"http://{host}:{port}"))
