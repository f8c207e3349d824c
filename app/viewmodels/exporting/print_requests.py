"""What somebody wants on paper: a view says it, and the window opens the preview of it."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from app.flows.gaps import Gap

_MOST_PEOPLE = 500
"""A page each: nobody means to print the whole list so."""


class PrintedNewsRow(msgspec.Struct, frozen=True):
    """One row of what is new, in words."""

    words: str
    is_day: bool = False
    """Whether it is the day above its rows."""
    is_inside: bool = False
    """Whether it is one of those that the row above has joined."""


class PrintFlow(msgspec.Struct, frozen=True):
    """One flow as the strip of its steps."""

    flow_id: str


class PrintAllFlows(msgspec.Struct, frozen=True):
    """Every flow in the service's order, with contents before them."""


class PrintPeople(msgspec.Struct, frozen=True):
    """What each of these people administers, everybody on a page of their own."""

    person_ids: tuple[str, ...]
    """In the order of the pages."""
    left_out: int = 0
    """How many more were chosen who administer something, too many to be printed."""


def print_first_of(person_ids: Sequence[str]) -> PrintPeople:
    """As many of these as are ever printed; the preview says that there are more."""
    first = tuple(person_ids[:_MOST_PEOPLE])
    return PrintPeople(first, left_out=len(person_ids) - len(first))


class PrintAway(msgspec.Struct, frozen=True):
    """What would have nobody if somebody were away, and who could take it over."""

    person_id: str


class PrintNews(msgspec.Struct, frozen=True):
    """What is new, as it is shown."""

    title: str
    notes: tuple[str, ...]
    """What is said of all of it."""
    rows: Callable[[], Iterator[PrintedNewsRow]]
    """Gives each row from the top; there may be many, so they are read when pages are made."""


class PrintGaps(msgspec.Struct, frozen=True):
    """The gaps that are listed, to be ticked."""

    title: str
    notes: tuple[str, ...]
    """What is said of all of it: how many, and what they were searched for."""
    gaps: tuple[Gap, ...]


class PrintNothing(msgspec.Struct, frozen=True):
    """A list on which nothing stands, and why."""

    title: str
    notes: tuple[str, ...]


PrintRequest = (
    PrintFlow | PrintAllFlows | PrintPeople | PrintAway | PrintNews | PrintGaps | PrintNothing
)
