"""What the demo service can be asked to do, as frozen data and on the command line of
`frontdesk demo-service`.
"""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

import msgspec

MOST_PEOPLE = 1_000_000
MOST_FLOWS = 10_000
REDIRECT_URI = "http://127.0.0.1:38973/signed-in"
WEEK = 7 * 24 * 60 * 60


class FaultKind(StrEnum):
    """The ways the service can be told to behave badly, named as on the command line."""

    SLOW = "slow"
    DRIP = "drip"
    CUT = "cut"
    HALF = "half"
    RESET = "reset"
    LOST = "lost"
    HANG = "hang"
    TOO_MANY = "429"
    BROKEN = "500"
    FAIL_200 = "fail-200"
    EXPIRED = "expired"
    HTML = "html"
    EMPTY = "empty"
    REDIRECT = "redirect"
    BOMB = "bomb"
    WRONG_TYPES = "wrong-types"


class Moment(StrEnum):
    """When a fault strikes: before the work is done, inside its answer, or after the work."""

    BEFORE = "before"
    INSIDE = "inside"
    AFTER = "after"


_B, _I, _A = Moment

FAULTS: Mapping[FaultKind, tuple[str, tuple[Moment, ...]]] = {
    FaultKind.SLOW: ("answers two seconds late", (_A, _B, _I)),
    FaultKind.DRIP: ("sends the answer in tiny pieces, four a second", (_I,)),
    FaultKind.CUT: ("closes the connection", (_I, _B, _A)),
    FaultKind.HALF: ("sends half the answer as if it were all of it", (_I,)),
    FaultKind.RESET: ("resets the connection", (_B, _I, _A)),
    FaultKind.LOST: ("does the work and closes without an answer", (_A,)),
    FaultKind.HANG: ("never goes on", (_B, _I, _A)),
    FaultKind.TOO_MANY: ("too many requests, with the time to come back", (_B, _I, _A)),
    FaultKind.BROKEN: ("a fault of the service", (_B, _I, _A)),
    FaultKind.FAIL_200: ("a fault of the service under HTTP status 200", (_B, _I, _A)),
    FaultKind.EXPIRED: ("the access token has expired", (_B, _I, _A)),
    FaultKind.HTML: ("the page of a hotel's wireless", (_B, _I, _A)),
    FaultKind.EMPTY: ("HTTP status 200 and nothing else", (_B, _A)),
    FaultKind.REDIRECT: ("sends the caller to another host", (_B, _A)),
    FaultKind.BOMB: ("a small answer that unpacks to a quarter of a gigabyte", (_B, _A)),
    FaultKind.WRONG_TYPES: ("values of other types than the contract says", (_I,)),
}
"""What each kind does in a few words, and when it can strike; the first moment is the usual one."""


class Fault(msgspec.Struct, frozen=True):
    """One kind of bad behaviour and the share of requests (0 to 1) that meet it.

    `moment` is one of the kind's moments in `FAULTS`, None for the usual one.
    """

    kind: FaultKind
    rate: float = 1.0
    moment: Moment | None = None

    @property
    def strikes(self) -> Moment:
        """The moment it really strikes."""
        return self.moment or FAULTS[self.kind][1][0]

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """Read `KIND[@MOMENT][:RATE]`. Raises ValueError with a sentence on what is wrong."""
        start, colon, share = text.partition(":")
        name, at, when = start.partition("@")
        if name not in tuple(FaultKind):
            raise ValueError(f"there is no fault '{name}'; choose from {', '.join(FaultKind)}")
        kind = FaultKind(name)
        moments = FAULTS[kind][1]
        if at and when not in moments:
            raise ValueError(f"'{name}' can strike {' or '.join(moments)}, not '{when}'")
        try:
            rate = float(share) if colon else 1.0
        except ValueError:
            rate = math.nan
        if not 0 <= rate <= 1:
            raise ValueError(f"the rate of '{name}' is a number from 0 to 1, not '{share}'")
        return cls(kind, rate, Moment(when) if at else None)


def english() -> str:
    """The code of the language that the account is written in."""
    return "en"


def as_written(sentence: str) -> str:
    """What is hand-written, in no other language."""
    return sentence


class DemoOptions(msgspec.Struct, frozen=True):
    """Everything a start of the demo service can choose.

    `flows=None` means the hand-written ones. `page_size_max` caps what a page really holds,
    whatever was asked. `token_lifetime` and `slow_seconds` are seconds. Not `renews_refresh_token`:
    an answer to a refresh leaves the refresh token out (seen in the field), and so is the PHP of
    `php_lists_as_objects`: a list as a stdClass with the keys 0, 1, 2.

    `tr` gives what is hand-written in the language of the code that `language` gives; it is asked
    again when that is another. Only a program that runs the service within itself has one.
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
    renews_refresh_token: bool = True
    php_lists_as_objects: bool = False
    language: Callable[[], str] = english
    tr: Callable[[str], str] = as_written


HIGHEST_PORT = 65_535


def parse_options(arguments: Sequence[str]) -> DemoOptions:
    """The options of a command line. Raises SystemExit as argparse does, with 2 for misuse."""
    given = vars(_parser().parse_args(arguments))
    return DemoOptions(**{**given, "faults": tuple(given["faults"])})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="frontdesk demo-service",
        description="The demo service alone, on this machine only.",
        epilog=_about_faults(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--port", type=_number(0, HIGHEST_PORT), required=True, metavar="N", help="0 picks one")
    add("--people", type=_number(0, MOST_PEOPLE), default=240, metavar="N", help="how many people")
    add("--flows", type=_number(0, MOST_FLOWS), metavar="N", help="how many people flows")
    add("--nested-steps", action="store_true", help="give some steps steps of their own")
    add(
        "--page-size-max",
        type=_number(1, MOST_PEOPLE),
        metavar="N",
        help="never put more on a page, whatever is asked",
    )
    add("--ignore-paging", action="store_true", help="answer every page with the first")
    add(
        "--php-lists-as-objects",
        action="store_true",
        help="write a list in serialized PHP as a stdClass with the keys 0, 1, 2",
    )
    add(
        "--token-lifetime",
        type=_number(1, 10 * 52 * WEEK),
        default=WEEK,
        metavar="SECONDS",
        help="how long a sign-in lasts",
    )
    add(
        "--fault",
        dest="faults",
        action="append",
        default=[],
        type=_fault,
        metavar="KIND[@MOMENT][:RATE]",
        help="behave badly; may be given several times",
    )
    return parser


def _about_faults() -> str:
    lines = [
        f"  {kind:12} {words} ({', '.join(moments)})" for kind, (words, moments) in FAULTS.items()
    ]
    return "\n".join(
        [
            "Kinds of fault, and in brackets the moments each can strike, the usual one first:",
            *lines,
            "",
            "before: nothing was done yet. inside: half the answer was sent. after: the work was",
            "done, and this comes instead of its answer. A rate goes from 0 to 1: lost:0.2 loses",
            "one answer in five, 500@after does the work and then says that it failed. Only calls",
            "under /v1 meet faults.",
        ]
    )


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"give a whole number from {low} to {high}")
        return int(text)

    return read


def _fault(text: str) -> Fault:
    try:
        return Fault.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
