"""Trees written in the three formats, doubled keys and impossible letters included.

It shares nothing with the client's readers or the demo service's writers.
"""

import json
import re
from dataclasses import dataclass
from random import Random
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

Value: TypeAlias = "Made | list[Value] | str | int | float | bool | None"
_ATTRIBUTES = frozenset({"id", "admin", "archived", "volunteer", "code", "status", "generated_in"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WELL_FORMED = 0.95
_INNER = {"steps": "step", "admins": "admin", "locations": "location"}


@dataclass(frozen=True, slots=True)
class Made:
    """An object, whose keys need not be different."""

    fields: tuple[tuple[str, Value], ...]


def written(value: Value, format_name: str, random: Random) -> bytes:
    """The document. What XML cannot hold is left out, but for some documents that are broken."""
    if format_name == "json":
        text = _json(value, ascii_only=random.random() < 0.5)
        # Half a sign is written as `\ud800`; as bytes it would spoil the whole document.
        return text.encode("utf-8", "backslashreplace")
    if format_name == "php":
        return _php(value)
    whole = random.random() < _WELL_FORMED
    text = _element("rsp", value)
    return (_NOT_IN_XML.sub("", text) if whole else text).encode("utf-8", "replace")


def _json(value: Value, *, ascii_only: bool) -> str:
    if isinstance(value, Made):
        inside = (
            f"{json.dumps(key, ensure_ascii=ascii_only)}:{_json(inner, ascii_only=ascii_only)}"
            for key, inner in value.fields
        )
        return f"{{{','.join(inside)}}}"
    if isinstance(value, list):
        return f"[{','.join(_json(inner, ascii_only=ascii_only) for inner in value)}]"
    return json.dumps(value, ensure_ascii=ascii_only)


def _element(name: str, value: Value) -> str:
    tag = name if _NAME.fullmatch(name) else "item"
    if isinstance(value, Made):
        attributes, inside, had = "", "", set()
        for key, inner in value.fields:
            if key in _ATTRIBUTES and key not in had and not isinstance(inner, Made | list):
                attributes += f" {key}={quoteattr(_scalar(inner))}"
                had.add(key)
            elif isinstance(inner, list) and key not in _INNER:
                inside += "".join(_element(key, item) for item in inner)
            else:
                inside += _element(key, inner)
        return f"<{tag}{attributes}>{inside}</{tag}>"
    if isinstance(value, list):
        each = _INNER.get(name, "item")
        return f"<{tag}>{''.join(_element(each, item) for item in value)}</{tag}>"
    return f"<{tag}>{escape(_scalar(value))}</{tag}>"


def _scalar(value: Value) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def _php(value: Value) -> bytes:
    if isinstance(value, Made | list):
        fields = value.fields if isinstance(value, Made) else tuple(enumerate(value))
        inside = b"".join(_php(key) + _php(inner) for key, inner in fields)
        return b"a:%d:{%b}" % (len(fields), inside)
    if isinstance(value, str):
        raw = value.encode("utf-8", "replace")
        return b's:%d:"%b";' % (len(raw), raw)
    if isinstance(value, bool):
        return b"b:%d;" % value
    if value is None:
        return b"N;"
    return f"{'i' if isinstance(value, int) else 'd'}:{value};".encode()
