"""What is told of the list of people: how far a reading is, who came, changed or went.

Published by `directory`, and by `list_reader` while it reads.
"""

import msgspec


class PeopleProgress(msgspec.Struct, frozen=True):
    """A part of the list has come: `received` people of `total`, None when nobody knows."""

    received: int
    total: int | None


class PeopleChanged(msgspec.Struct, frozen=True):
    """Rows that came, changed or went; the directory already is as it will be."""

    added: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()


class NewsCorrected(msgspec.Struct, frozen=True):
    """Somebody who was told as news was added from this computer."""


class PeopleRefreshed(msgspec.Struct, frozen=True):
    """The list was read to the end the service gives it."""

    complete: bool
    """Whether that was everybody."""
