"""What somebody wants on paper: a view says it, and the window opens the preview of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrintFlow:
    """One flow as the strip of its steps."""

    flow_id: str


@dataclass(frozen=True, slots=True)
class PrintAllFlows:
    """Every flow in the service's order, with contents before them."""


@dataclass(frozen=True, slots=True)
class PrintPeople:
    """What each of these people administers, everybody on a page of their own."""

    person_ids: tuple[str, ...]
    """In the order of the pages."""


@dataclass(frozen=True, slots=True)
class PrintGaps:
    """What is missing, as a list to tick."""

    kind: str | None = None
    """One kind of gap alone, by the name it has in the view; None for all of them."""


PrintRequest = PrintFlow | PrintAllFlows | PrintPeople | PrintGaps
