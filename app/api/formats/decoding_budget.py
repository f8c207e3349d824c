"""What reading one answer may cost: how deep it may nest, how long a text in it may be, and memory,
values and lists, counted while it is read.

A few bytes can stand for a large tree, and a tree holds up whatever else this program does: the
readers spend here, piece by piece, and stop where nothing is left or nobody waits any more. Only
JSON that is short and plain, or was read before, is decoded in one piece, which spends nothing.

How many bytes an answer may have, and how long it may take, is told with the requests.
"""

from typing import Self

from app.api.errors import UnreadableAnswer
from app.api.formats.tree import unreadable
from app.runtime.words import tr

DEEPEST = 64
"""Levels of nesting; a flow with nested steps needs about ten."""

LONGEST_TEXT = 1024 * 1024
"""Of one text: characters in JSON, bytes in PHP. In XML characters, and bytes from one `<` to the
next, so of a tag, too.
"""

AT_ONCE = 1024 * 1024
"""Bytes of JSON that are decoded in half a frame. As short a page of plain records cannot hold
as much as a budget allows, nor a text that is too long.
"""

_MIB = 1024 * 1024


class TooCostly(UnreadableAnswer):
    """The document holds more than any answer of the service may."""

    @classmethod
    def of(cls, reason: str) -> Self:
        """The error with `reason`, which holds nothing of the body."""
        return cls(
            tr("Answer too large"),
            tr("The service sent more than Front Desk can take in one answer."),
            details=reason,
        )


def too_deep() -> UnreadableAnswer:
    """The error for a document that is nested deeper than DEEPEST."""
    return unreadable(f"nested deeper than {DEEPEST} levels")


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


class Budget:
    """What is left to spend on one answer; spent on one thread and given up on any.

    100,000 people in one page, eleven fields each, need six tenths of the values, a quarter of the
    lists and mappings and nine tenths of the memory.
    """

    def __init__(
        self,
        memory: int = 142 * _MIB,
        values: int = 2_000_000,
        containers: int = 400_000,
        names: int = 250_000,
    ) -> None:
        """`memory` in bytes, `containers` are lists and mappings, `names` the keys of one."""
        self.names = names
        self.memory = memory
        self.values = values
        self.containers = containers
        self._given_up = False

    def give_up(self) -> None:
        """Nobody waits any more: the next piece is not read."""
        self._given_up = True

    def check(self) -> None:
        """Raises Abandoned when nobody waits any more."""
        if self._given_up:
            raise Abandoned

    def spend(self, memory: int, values: int = 1, containers: int = 0) -> None:
        """Take this from what is left; raises TooCostly where that is not enough, or Abandoned."""
        self.memory -= memory
        self.values -= values
        self.containers -= containers
        if self.memory < 0 or self.values < 0 or self.containers < 0:
            raise TooCostly.of("more than an answer may hold")
        if self._given_up:
            raise Abandoned
