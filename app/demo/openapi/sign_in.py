"""The addresses beside /v1: authorisation, the exchange of tokens, and this description."""

from app.demo.openapi import schemas
from app.demo.openapi.calls import FORM, JSON, KEY_SCHEME, TOKEN_SCHEME
from app.demo.openapi.schemas import TEXT, Schema, reference
from app.demo.permissions import WORDING
from app.demo.redirects import ErrorValue

_HTML = "text/html"
_GRANTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("authorization_code", ("client_id", "client_secret", "code", "redirect_uri")),
    ("refresh_token", ("refresh_token",)),
)


def paths() -> dict[str, object]:
    """Where a program sends a browser, and where it gets tokens (api-spec, OAuth endpoints)."""
    return {
        "/oauth": {"get": _authorisation()},
        "/oauth/token": {"post": _exchange()},
        "/openapi.json": {"get": _description()},
    }


def security_schemes(base_url: str) -> dict[str, object]:
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


def error_schema() -> Schema:
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
