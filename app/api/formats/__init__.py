"""The one door to the formats of an answer (api-spec, Common conventions): bytes in, a tree out."""

from collections.abc import Callable

from app.api.formats import json, php, xml
from app.api.formats.tree import Tree

_READERS: dict[str, Callable[[bytes], Tree]] = {"json": json.read, "xml": xml.read, "php": php.read}


def check_format(name: str) -> str:
    """Give `name` back when it can be read; raises ValueError with a sentence otherwise."""
    if name not in _READERS:
        known = ", ".join(_READERS)
        raise ValueError(f"there is no reader for the format {name!r}; choose from: {known}")
    return name


def decode(body: bytes, format: str) -> Tree:  # noqa: A002 - outside programs use this name
    """The tree of dicts, lists and scalars that `body` holds.

    XML tells no numbers from text, and one element alone from a list of one as little.

    Raises UnreadableAnswer for anything but one well-formed document of that format, and
    ValueError for a format there is no reader for.
    """
    return _READERS[check_format(format)](body)
