"""Pages as data: what stands where on each. The layout sets them, a painter draws them.

A booklet has a few hundred thousand marks, and nothing in them leads back to them: the collector of
reference cycles, which would look at each of them again and again, passes them by.
"""

from enum import StrEnum

import msgspec

POINT = 10
"""Units of a page in one point (1/72 inch): fine enough for letters that are set in whole ones."""


class TextStyle(StrEnum):
    """How a text is set."""

    COVER = "cover"
    TITLE = "title"
    HEADING = "heading"
    NAME = "name"
    BODY = "body"
    SMALL = "small"


class Ink(StrEnum):
    """What a colour is for; pages have those of the light theme, whatever the window wears."""

    TEXT = "text"
    SOFT = "soft"
    ACCENT = "accent"
    AMBER = "amber"
    EDGE = "edge"


class Side(StrEnum):
    """Where in its place a text stands, in the direction the page is read."""

    BEGIN = "begin"
    END = "end"
    MIDDLE = "middle"


class Text(msgspec.Struct, frozen=True, gc=False):
    """A text in lines of `width`; what `most_lines` have no room for ends with dots."""

    x: float
    y: float
    width: float
    words: str
    style: TextStyle
    ink: Ink = Ink.TEXT
    side: Side = Side.BEGIN
    most_lines: int = 1


class Box(msgspec.Struct, frozen=True, gc=False):
    """A rectangle with round corners; `ground` names a colour of the theme, blank for none."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    edge: Ink | None = None
    ground: str = ""
    dashed: bool = False


class Arrow(msgspec.Struct, frozen=True, gc=False):
    """From one step to the next, in the direction the page is read."""

    x: float
    y: float
    width: float


Mark = Text | Box | Arrow


class PrintedPage(msgspec.Struct, frozen=True, gc=False):
    """One sheet, in units from its upper left corner."""

    width: float
    height: float
    marks: tuple[Mark, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Its texts from the top, as they were set."""
        texts = [mark for mark in self.marks if isinstance(mark, Text)]
        return tuple(text.words for text in texts)
