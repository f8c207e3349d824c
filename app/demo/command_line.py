"""The command line of `frontdesk demo-service`: its flags, and waiting to be told to end."""

import argparse
import signal
import socket
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from app.demo.options import FAULTS, MOST_FLOWS, MOST_PEOPLE, WEEK, DemoOptions, Fault

HIGHEST_PORT = 65_535


def parse(arguments: Sequence[str]) -> DemoOptions:
    """The options of a command line. Raises SystemExit as argparse does, with 2 for misuse."""
    given = vars(_parser().parse_args(arguments))
    return DemoOptions(**{**given, "faults": tuple(given["faults"])})


class EndSignals:
    """While entered, Ctrl+C and a request to terminate wake `wait` and do nothing else.

    Only for the main thread. A pipe carries the signal, because a lock cannot be set safely from
    a signal handler.
    """

    def __enter__(self) -> Self:
        self._reading, self._writing = socket.socketpair()
        self._writing.settimeout(0)
        self._old_descriptor = signal.set_wakeup_fd(
            self._writing.fileno(), warn_on_full_buffer=False
        )
        self._numbers = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGBREAK"):
            self._numbers.append(signal.SIGBREAK)
        self._old = {number: signal.signal(number, lambda *_: None) for number in self._numbers}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_descriptor)
        self._reading.close()
        self._writing.close()

    def wait(self) -> None:
        """Return once one of the signals arrives, or has arrived since entering."""
        while self._reading.recv(1)[0] not in self._numbers:
            pass


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
