"""What the demo service can be asked to do, as frozen data; `server` reads the command line."""

import math
from dataclasses import dataclass
from enum import StrEnum

MOST_PEOPLE = 1_000_000
MOST_FLOWS = 10_000
REDIRECT_URI = "http://127.0.0.1:38973/signed-in"
WEEK = 7 * 24 * 60 * 60


class FaultKind(StrEnum):
    """The ways the service can be told to behave badly, named as on the command line."""

    SLOW = "slow"
    DRIP = "drip"
    CUT = "cut"
    RESET = "reset"
    LOST = "lost"
    TOO_MANY = "429"
    BROKEN = "500"
    HTML = "html"
    WRONG_TYPES = "wrong-types"
    EXPIRED = "expired"
    HANG = "hang"


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of bad behaviour and the share of requests (0 to 1) that meet it."""

    kind: FaultKind
    rate: float = 1.0

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """Read `KIND` or `KIND:RATE`. Raises ValueError with a sentence that says what is wrong."""
        name, colon, share = text.partition(":")
        if name not in tuple(FaultKind):
            raise ValueError(f"there is no fault '{name}'; choose from {', '.join(FaultKind)}")
        try:
            rate = float(share) if colon else 1.0
        except ValueError:
            rate = math.nan
        if not 0 <= rate <= 1:
            raise ValueError(f"the rate of '{name}' is a number from 0 to 1, not '{share}'")
        return cls(FaultKind(name), rate)


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """Everything a start of the demo service can choose.

    `flows=None` means the hand-written ones. `page_size_max` caps what a page really holds,
    whatever was asked. `token_lifetime` and `slow_seconds` are seconds.
    """

    port: int = 0
    people: int = 240
    flows: int | None = None
    nested_steps: bool = False
    page_size_max: int | None = None
    ignore_paging: bool = False
    token_lifetime: int = WEEK
    faults: tuple[Fault, ...] = ()
    slow_seconds: float = 2.0
    redirect_uri: str = REDIRECT_URI
