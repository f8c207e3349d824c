"""What a view lists, as the rows of a file that a spreadsheet opens."""

from collections.abc import Callable, Iterator

import msgspec


class ListedTable(msgspec.Struct, frozen=True):
    """The rows of one view, as they are listed when it is asked for."""

    title: str
    """What is saved and how much of it, in words."""
    name: str
    """What the file is called until a person chooses another name."""
    headings: tuple[str, ...]
    rows: Callable[[], Iterator[tuple[str, ...]]]
    """Gives each row from the top; there may be many, so they are read when they are saved."""
