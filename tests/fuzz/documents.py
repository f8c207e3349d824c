"""Good answers of the service, and how each format writes one: made for the tests alone.

It shares nothing with the client's readers or the demo service's writers, so that neither can
hide a mistake of the other.
"""

import json
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

Data: TypeAlias = "dict[str, Data] | list[Data] | str | int | float | bool | None"

_ATTRIBUTES = {"person": {"id", "admin", "archived", "volunteer"}, "error": {"code"}}
_WRAPPED = {
    "steps": "step",
    "admins": "admin",
    "locations": "location",
    "demographics": "demographic",
}


def as_json(envelope: Data) -> bytes:
    """`envelope` in JSON."""
    return json.dumps(envelope, ensure_ascii=False).encode()


def as_xml(envelope: dict[str, Data]) -> bytes:
    """`envelope` in XML: the shape of api-spec, Common conventions and Person."""
    head = "".join(f" {key}={quoteattr(str(envelope[key]))}" for key in ("generated_in", "status"))
    rest = {key: value for key, value in envelope.items() if key not in {"generated_in", "status"}}
    return f'<?xml version="1.0" encoding="UTF-8"?><rsp{head}>{_children(rest)}</rsp>'.encode()


def _children(fields: dict[str, Data]) -> str:
    return "".join(_elements(key, value) for key, value in fields.items())


def _elements(name: str, value: Data) -> str:
    if isinstance(value, list):
        if name not in _WRAPPED:
            return "".join(_elements(name, item) for item in value)
        return f"<{name}>{''.join(_elements(_WRAPPED[name], item) for item in value)}</{name}>"
    if isinstance(value, dict):
        outside = _ATTRIBUTES.get(name, set())
        attributes = "".join(
            f" {key}={quoteattr(_scalar(value[key]), _LINES)}" for key in value if key in outside
        )
        inside = {key: inner for key, inner in value.items() if key not in outside}
        return f"<{name}{attributes}>{_children(inside)}</{name}>"
    return f"<{name}>{escape(_scalar(value), _LINES)}</{name}>"


_LINES = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def _scalar(value: Data) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def as_php(value: Data) -> bytes:
    """`value` as PHP serializes it, with an array for each object."""
    if isinstance(value, dict):
        inside = b"".join(as_php(key) + as_php(inner) for key, inner in value.items())
        return b"a:%d:{%b}" % (len(value), inside)
    if isinstance(value, list):
        inside = b"".join(as_php(place) + as_php(inner) for place, inner in enumerate(value))
        return b"a:%d:{%b}" % (len(value), inside)
    if isinstance(value, str):
        written = value.encode()
        return b's:%d:"%b";' % (len(written), written)
    if isinstance(value, bool):
        return b"b:%d;" % value
    if value is None:
        return b"N;"
    return f"{'i' if isinstance(value, int) else 'd'}:{value};".encode()


def _person(number: int) -> dict[str, Data]:
    names = ["Ada", "Zoë", "“Bo” & <Co>", "李", "O'Neill", "\U0001f600 \\ %41 +", ""]
    return {
        "id": f"5d1f0e0c-00{number:02}-11e4-9c21-0cc47a6c1f6a",
        "date_added": "2024-05-03 14:02:09",
        "date_modified": "0000-00-00 00:00:00",
        "firstname": names[number % len(names)],
        "lastname": "Lovelace\n",
        "email": f"ada{number}@example.org",
        "phone": "",
        "mobile": "0400 000 000",
        "admin": number % 2,
        "archived": "0",
        "volunteer": "1",
    }


def _step(number: int, steps: list[Data]) -> dict[str, Data]:
    admins: list[Data] = ["p1", "p2"]
    return {
        "id": f"s{number}",
        "name": "Welcome",
        "status": "",
        "entry_point": "y",
        "steps": steps,
        "admins": admins[: number % 3],
    }


def _page(key: str, item_key: str, items: list[Data]) -> dict[str, Data]:
    page: dict[str, Data] = {"on_this_page": len(items), "page": 1, "per_page": 50}
    return _ok(key, {**page, "total": "1240", item_key: items})


def _ok(key: str, value: Data) -> dict[str, Data]:
    return {"generated_in": "0.012", "status": "ok", key: value}


ENVELOPES: tuple[dict[str, Data], ...] = (
    _page("people", "person", [_person(number) for number in range(4)]),
    _page("people", "person", []),
    _page(
        "people_flows",
        "people_flow",
        [
            {
                "id": "f1",
                "name": "Newcomers",
                "status": "",
                "access": "admin",
                "steps": [_step(1, []), _step(2, [_step(3, [])])],
                "admins": ["p1"],
                "locations": [{"id": "l1", "name": "North"}],
                "demographics": [],
            }
        ],
    ),
    _ok("person", _person(1)),
    _ok("odd", {"none": None, "yes": True, "small": 1.5e-7, "large": -(2**62), "half": 0.5}),
    {
        "generated_in": "0.001",
        "status": "fail",
        "error": {"code": 102, "message": "Invalid API Key."},
    },
)
