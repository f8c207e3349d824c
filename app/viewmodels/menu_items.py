"""A menu as data: lines in groups, each with what it asks for; painted by the views."""

from enum import Enum

import msgspec


class MenuItem(msgspec.Struct, frozen=True):
    """One line of the menu."""

    words: str
    action: Enum
    value: object = None
    """What the action needs: a flow's id, what to sort by, what is decided."""
    icon: str = ""
    keys: str = ""
    """The keys that do the same, as Qt writes them."""
    checked: bool | None = None
    """Whether it is in force already; None where that is no question."""
    enabled: bool = True
    name: str = ""
    """Tells it from other lines of the same action, here or in another menu; of no language."""


class MenuGroups(msgspec.Struct, frozen=True):
    """Lines that open beside one of the menu."""

    words: str
    items: tuple[MenuItem, ...]
    icon: str = ""


Groups = tuple[tuple[MenuItem | MenuGroups, ...], ...]
