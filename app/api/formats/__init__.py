"""The one door to the formats of an answer (api-spec, Common conventions): bytes in, a tree out."""

from typing import Protocol

from app.api.formats import json, php, xml
from app.api.formats.decoding_budget import Budget
from app.api.formats.tree import Tree


class _FormatReader(Protocol):
    def __call__(self, body: bytes, budget: Budget) -> Tree: ...


_READERS: dict[str, _FormatReader] = {"json": json.read, "xml": xml.read, "php": php.read}


def check_format(name: str) -> str:
    """Give `name` back when it can be read; raises ValueError with a sentence otherwise."""
    if name not in _READERS:
        known = ", ".join(_READERS)
        raise ValueError(f"there is no reader for the format {name!r}; choose from: {known}")
    return name


def decode(
    body: bytes,
    format: str,  # noqa: A002 - outside programs use this name
    *,
    budget: Budget | None = None,
) -> Tree:
    """The tree of dicts, lists and scalars that `body` holds.

    XML tells no numbers from text, and one element alone from a list of one as little.

    Raises UnreadableAnswer for anything but one well-formed document of that format that costs no
    more than `budget` (one of its own unless given), and ValueError for a format there is no
    reader for.
    """
    reader = _READERS[check_format(format)]
    return reader(body, budget or Budget())
