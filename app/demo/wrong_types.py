"""Answers that can be read and are not what the contract says: values of other types."""

from collections.abc import Callable, Mapping
from itertools import cycle

_Change = Callable[[object], object]


class Twister:
    """Changes the types in one answer after another, each time in the next of its ways."""

    def __init__(self) -> None:
        self._ways = cycle((_numbers_and_text_swapped, _lists_broken, _leaves_replaced, _hollow))

    def twist(self, envelope: Mapping[str, object]) -> dict[str, object]:
        """The same answer with wrong types; `status` stays, so that it looks like a success."""
        while (twisted := _all_but_status(next(self._ways), envelope)) == envelope:
            pass  # a way that finds nothing to change in this answer
        return twisted


def _all_but_status(change: _Change, envelope: Mapping[str, object]) -> dict[str, object]:
    return {name: value if name == "status" else change(value) for name, value in envelope.items()}


def _numbers_and_text_swapped(value: object) -> object:
    """Numbers as text, digits as numbers, any other text as a list of one."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return int(value) if value.isdecimal() else [value]
    return _inside(value, _numbers_and_text_swapped)


def _lists_broken(value: object) -> object:
    """A list as its one entry, as an object by number, or as blank text."""
    if isinstance(value, list):
        entries = [_lists_broken(entry) for entry in value]
        if len(entries) == 1:
            return entries[0]
        return {str(place): entry for place, entry in enumerate(entries)} if entries else ""
    return _inside(value, _lists_broken)


def _leaves_replaced(value: object) -> object:
    """Truth values, nothing and objects where text should stand."""
    if isinstance(value, str):
        return {"0": False, "1": True, "": None}.get(value, {"value": value})
    if isinstance(value, int):
        return float(value)
    return _inside(value, _leaves_replaced)


def _hollow(value: object) -> object:
    """Text where an object or a list should stand."""
    return "none" if isinstance(value, Mapping | list) else value


def _inside(value: object, change: _Change) -> object:
    if isinstance(value, dict):
        return {name: change(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [change(inner) for inner in value]
    return value
