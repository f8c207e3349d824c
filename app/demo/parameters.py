"""Reading what a caller sent, in any of the three ways (api-spec, Common conventions).

Where the contract is silent: a POST may carry query parameters beside its body, and what stands in
the body wins; the body of a GET means nothing; a POST that does not say what it carries, or calls
it plain text, is read as JSON where it begins like an object and as a form where it does not.
"""

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from app.demo.envelope import invalid_input

HEAVIEST_BODY = 1024 * 1024
NAMES = re.compile(r"[A-Za-z0-9_., -]*")
_INDEX = re.compile(r"\[\d*\]$")
_WHOLE = re.compile(r"[0-9]{1,18}")
_UTF_8 = re.compile(r"^(?!.*;\s*charset=)|;\s*charset=\"?(utf-?8|us-ascii)\"?\s*(;|$)")
_FORMS = frozenset({"application/x-www-form-urlencoded", "text/plain", ""})
# In Python, and in JSON Schema, 1 is 1.0; in Python true is 1, too.
_YES: frozenset[object] = frozenset({"yes", "1", "true", 1})
_NO: frozenset[object] = frozenset({"no", "0", "false", 0})

Values = Mapping[str, Sequence[object]]


class Parameters:
    """What one request asks, by name; every reader raises a `CallError` (250) for nonsense."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def __bool__(self) -> bool:
        """Whether anything was asked at all."""
        return bool(self._values)

    def text(self, name: str) -> str:
        """The value as sent, blanks included; missing and null are blank."""
        value = self._last(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise invalid_input(f"{name} must be text.")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise invalid_input(f"{name} holds half a character.") from None
        return value

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        """A whole number in these bounds, written as a number or as text."""
        value = self._last(name)
        if value is None:
            return default
        number = _whole(value)
        if number is None or not low <= number <= high:
            raise invalid_input(f"{name} must be a whole number from {low} to {high}.")
        return number

    def choice(self, name: str) -> bool | None:
        """`yes` or `no`; None when it was not given."""
        value = self._last(name)
        if value is None:
            return None
        word = value.lower() if isinstance(value, str) else value
        if not isinstance(word, str | int | float) or word not in _YES | _NO:
            raise invalid_input(f"{name} must be yes or no.")
        return word in _YES

    def names(self, name: str) -> frozenset[str]:
        """A list of words: repeated, with brackets, comma separated or a JSON array."""
        found: set[str] = set()
        for value in self._values.get(name, ()):
            for part in value if isinstance(value, list) else ["" if value is None else value]:
                if not isinstance(part, str) or not NAMES.fullmatch(part):
                    raise invalid_input(f"{name} must be a list of names.")
                found.update(word.strip() for word in part.split(","))
        return frozenset(found - {""})

    def _last(self, name: str) -> object:
        values = self._values.get(name, ())
        return values[-1] if values else None


async def read_parameters(request: Request) -> Parameters:
    """Everything the request carries; what stands in the body wins over the query.

    Raises `CallError` (400, 250) for a body that cannot be read.
    """
    body = await read_body(request)
    sent = await _from_body(request, body) if request.method == "POST" else {}
    return Parameters(parse_pairs(request.scope["query_string"]) | sent)


async def read_body(request: Request) -> bytes:
    """The body, or a `CallError` when it is heavier than the service takes."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > HEAVIEST_BODY:
                raise invalid_input("The request is too large.")
    except ClientDisconnect:
        raise invalid_input("The request broke off.") from None
    return bytes(body)


def parse_pairs(encoded: bytes) -> dict[str, list[object]]:
    """The pairs of a query string or a form, every value of a name kept in order."""
    values: dict[str, list[object]] = {}
    try:
        pairs = parse_qsl(encoded.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        raise invalid_input("The parameters are not correctly URL-encoded.") from None
    for name, value in pairs:
        values.setdefault(_INDEX.sub("", name), []).append(value)
    return values


async def _from_body(request: Request, body: bytes) -> dict[str, list[object]]:
    if not body.strip():
        return {}
    content_type = request.headers.get("content-type", "").lower()
    kind = content_type.partition(";")[0].strip()
    if not _UTF_8.search(content_type):
        raise invalid_input("The request must be written in UTF-8.")
    # Command-line clients label a JSON body as a form unless told otherwise.
    if kind.endswith("json") or body.lstrip().startswith(b"{"):
        return _from_json(body)
    if kind in _FORMS:
        return parse_pairs(body)
    if kind == "multipart/form-data":
        return await _from_multipart(request, body)
    raise invalid_input("The request's content type is not known.")


def _from_json(body: bytes) -> dict[str, list[object]]:
    try:
        content = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise invalid_input("The request is not valid JSON.") from None
    if not isinstance(content, dict):
        raise invalid_input("The request must be a JSON object.")
    return {str(name): [value] for name, value in content.items()}


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


async def _from_multipart(request: Request, body: bytes) -> dict[str, list[object]]:
    async def replay() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    values: dict[str, list[object]] = {}
    try:
        body.decode()  # what is no UTF-8 would be read as Latin-1 without a word
        async with Request(request.scope, replay).form() as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    raise invalid_input(f"{name} must be text, not a file.")
                values.setdefault(_INDEX.sub("", name), []).append(value)
    except (HTTPException, UnicodeDecodeError):
        raise invalid_input("The form cannot be read.") from None
    return values


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return None
