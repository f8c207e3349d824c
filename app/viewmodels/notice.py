"""A sentence across the window, as data: what it says and the one thing it offers to do."""

from dataclasses import dataclass
from enum import Enum, auto


class Offer(Enum):
    """What a sentence across the window offers to do."""

    NOTHING = auto()
    SIGN_IN_AGAIN = auto()
    COPY_DETAILS = auto()
    CLOSE_ANYWAY = auto()
    SIGN_OUT_ANYWAY = auto()


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence across the window, with the one thing to do about it."""

    sentence: str
    offer: Offer = Offer.NOTHING
    calm: bool = False
    details: str = ""
    about_line: bool = False
    """Said because the line is down; it is no longer true once the line is back."""
