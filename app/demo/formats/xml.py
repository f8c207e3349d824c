"""Writing XML in the shape of the contract (api-spec, Common conventions; Person).

A value is an element named for its key. Attributes are what the contract makes one; a page repeats
its items under itself, any other list holds them in an element of its own. A character that XML 1.0
cannot hold (most control characters) is replaced by U+FFFD, so that what is left can be read and
everybody sees that something was there.
"""

import re
from collections.abc import Iterable, Mapping

MEDIA_TYPE = "application/xml"

ROOT = "rsp"
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "person": ("id", "admin", "archived", "volunteer"),
    "error": ("code",),
}
ITEMS_OF_A_PAGE = frozenset({"person", "people_flow"})
ITEMS: Mapping[str, str] = {
    "steps": "step",
    "admins": "admin",
    "locations": "location",
    "demographics": "demographic",
}
ANY_ITEM = "item"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CANNOT_BE = "\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"
# A reader turns a bare CR into LF, and in an attribute every line end and tab into a blank.
_ODD_IN_TEXT = re.compile(f"[&<>\r{_CANNOT_BE}]")
_ODD_IN_ATTRIBUTE = re.compile(f'[&<>"\t\n\r{_CANNOT_BE}]')
_ESCAPED = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
}
_REPLACEMENT = "\ufffd"


def fragment(key: str, value: object) -> bytes:
    """The element, or for the items of a page the elements, that `value` is under `key`."""
    into: list[str] = []
    _write(key, value, into)
    return "".join(into).encode()


def envelope(head: Mapping[str, object], _key: str, written: bytes) -> bytes:
    """The root with the head's values as attributes, around what is written already."""
    into: list[str] = []
    opening = _opening(ROOT, head, tuple(head))
    _write_all(_left(head, tuple(head)), into)
    start = f"{_DECLARATION}{opening}>{''.join(into)}"
    return b"%b%b</%b>" % (start.encode(), written, ROOT.encode())


def _write(key: str, value: object, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(f"<{key}>{_text(value)}</{key}>" if value else f"<{key}/>")
    elif isinstance(value, Mapping):
        attributes = ATTRIBUTES.get(key, ())
        into.append(f"{_opening(key, value, attributes)}>")
        _write_all(_left(value, attributes), into)
        into.append(f"</{key}>")
    elif isinstance(value, list | tuple) and key in ITEMS_OF_A_PAGE:
        for item in value:
            _write(key, item, into)
    elif isinstance(value, list | tuple):
        into.append(f"<{key}>")
        name = ITEMS.get(key, ANY_ITEM)
        for item in value:
            _write(name, item, into)
        into.append(f"</{key}>")
    else:
        into.append(f"<{key}>{_scalar(value)}</{key}>")


def _write_all(pairs: Iterable[tuple[str, object]], into: list[str]) -> None:
    for name, value in pairs:
        _write(name if _NAME.fullmatch(name) else ANY_ITEM, value, into)


def _opening(key: str, value: Mapping[str, object], attributes: tuple[str, ...]) -> str:
    """The beginning of an element, still open for its bracket."""
    given = [
        f' {name}="{_ODD_IN_ATTRIBUTE.sub(_escape, _scalar(value[name]))}"'
        for name in attributes
        if name in value and not isinstance(value[name], Mapping | list | tuple)
    ]
    return f"<{key}{''.join(given)}"


def _left(value: Mapping[str, object], attributes: tuple[str, ...]) -> Iterable[tuple[str, object]]:
    """What is no attribute, because it is none or because an attribute cannot hold it."""
    if not attributes:
        return value.items()
    return [
        (name, inner)
        for name, inner in value.items()
        if name not in attributes or isinstance(inner, Mapping | list | tuple)
    ]


def _text(value: str) -> str:
    return _ODD_IN_TEXT.sub(_escape, value)


def _escape(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[0], _REPLACEMENT)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
