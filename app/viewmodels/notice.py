"""A sentence across the window, as data: what it says and the one thing it offers to do."""

from dataclasses import dataclass
from enum import Enum, auto


class Offer(Enum):
    """What a sentence across the window, or the header, offers to do."""

    NOTHING = auto()
    SIGN_IN_AGAIN = auto()
    TRY_AGAIN = auto()
    """Ask the vault of this computer once more."""
    TRY_LINE = auto()
    """Ask the service now whether it answers."""
    COPY_DETAILS = auto()
    SIGN_OUT = auto()
    CLOSE_ANYWAY = auto()
    SIGN_OUT_ANYWAY = auto()
    SEND_THERE = auto()
    """It is the right account: send those who wait there."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence across the window, with the one thing to do about it, rarely a second."""

    sentence: str
    offer: Offer = Offer.NOTHING
    calm: bool = False
    details: str = ""
    about_line: bool = False
    """Said because the line is down; it is no longer true once the line is back."""
    also: Offer = Offer.NOTHING
