"""The whole description, and the address it is served at; anybody may read it."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.demo.data import ORGANISATION
from app.demo.openapi import calls, sign_in
from app.demo.openapi.schemas import SCHEMAS

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
        "paths": {**calls.paths(), **sign_in.paths()},
        "components": {
            "schemas": {**SCHEMAS, "OAuthError": sign_in.error_schema()},
            "securitySchemes": sign_in.security_schemes(base_url),
        },
    }


def route() -> Route:
    """Where it is found."""
    return Route("/openapi.json", _answer, methods=["GET"])


async def _answer(request: Request) -> Response:
    host, port = request.scope["server"]
    return JSONResponse(document(f"http://{host}:{port}"))
