"""The keys of the page in hand, those of the window, and a short help for staff.

The keys of the window come from its own actions. Those of a page are told here: many are heard by
what has the keyboard, and have no action.
"""

from collections.abc import Sequence
from enum import Enum, auto

import msgspec

from app.runtime.words import tr
from app.viewmodels.people.menu import sort_keys
from app.viewmodels.people.table import SORT_OF


class PageKind(Enum):
    """Where somebody is when they ask."""

    PEOPLE = auto()
    FLOWS = auto()
    REVIEW = auto()
    """A list of people that is looked over."""
    ROWS = auto()
    """The history, or what became of each row of a list."""
    PREVIEW = auto()
    """Pages before they are printed."""
    PAGE = auto()
    """Any other page of the window's own."""
    NO_ACCOUNT = auto()
    """The first page."""


class KeyBinding(msgspec.Struct, frozen=True):
    """Keys, as Qt writes them in any language, and what each of them does."""

    keys: tuple[str, ...]
    words: str

    @property
    def line(self) -> str:
        """The words where nothing stands before them."""
        return self.words[:1].upper() + self.words[1:]


class HelpSection(msgspec.Struct, frozen=True):
    """A heading and what stands below it."""

    title: str
    text: str


class Help(msgspec.Struct, frozen=True):
    """Everything the page says, in its order."""

    of_page: tuple[KeyBinding, ...]
    of_window: tuple[KeyBinding, ...]
    sections: tuple[HelpSection, ...]


def help_of(page_kind: PageKind, of_window: Sequence[KeyBinding]) -> Help:
    """What is told to somebody who asks at `page_kind`."""
    return Help(keys_of(page_kind), tuple(of_window), _sections())


def keys_of(page_kind: PageKind) -> tuple[KeyBinding, ...]:
    """What the keys do there that do something else elsewhere, or nothing."""
    copy = KeyBinding(
        ("Ctrl+C", "Menu"), tr("copy what is chosen; everything else that can be done with it")
    )
    mend = KeyBinding(("Alt+M",), tr("put the email right as offered"))
    look = KeyBinding(
        ("Alt+1", "Alt+2", "Alt+3"),
        tr("while you type: look at somebody who may be here already"),
    )
    back = KeyBinding(("Escape", "Alt+Left"), tr("back"))
    save_rows = KeyBinding(("Ctrl+S",), tr("save the rows as a file"))
    return {
        PageKind.PEOPLE: (
            KeyBinding(("Enter",), tr("in the line: save; in the list: on to the details")),
            KeyBinding(("Shift+Enter",), tr("save, and keep the last name for the next one")),
            KeyBinding(("Tab",), tr("in the line: on to the field that comes next")),
            KeyBinding(("Up", "Down"), tr("in the empty line: the lines before")),
            mend,
            look,
            KeyBinding(("Ctrl+V",), tr("on the list: look over the rows that were copied")),
            copy,
            KeyBinding(
                tuple(sort_keys(column + 1) for column in SORT_OF),
                tr("sort the list by that column"),
            ),
        ),
        PageKind.FLOWS: (
            KeyBinding(("1", "2", "3", "4", "Left", "Right"), tr("read the flows in another way")),
            KeyBinding(("Enter",), tr("into the flow, or to the place that is meant")),
            KeyBinding(("Ctrl+Enter",), tr("by person: what has nobody if the chosen one is away")),
            copy,
        ),
        PageKind.REVIEW: (
            KeyBinding(("Ctrl+Enter",), tr("add everybody who is not left out")),
            KeyBinding(("F2", "Enter"), tr("change a cell")),
            KeyBinding(("Tab",), tr("in a cell: on to the next one")),
            KeyBinding(("Delete", "Insert"), tr("leave a row out; take it in")),
            KeyBinding(("Alt+M",), tr("put a row right as offered")),
            look,
            KeyBinding(("Ctrl+Shift+Z", "Ctrl+Y"), tr("do again what was taken back")),
            KeyBinding(("Alt+Down",), tr("say what the column is taken for")),
            save_rows,
            back,
        ),
        PageKind.ROWS: (
            KeyBinding(("Enter",), tr("in a list: go to the person")),
            save_rows,
            copy,
            back,
        ),
        PageKind.PREVIEW: (
            KeyBinding(("PgDown", "PgUp"), tr("the next page, the page before")),
            KeyBinding(("Ctrl++",), tr("Larger")),
            KeyBinding(("Ctrl+-",), tr("Smaller")),
            KeyBinding(("Ctrl+0",), tr("Whole page")),
            KeyBinding(("Ctrl+S",), tr("save as PDF")),
            back,
        ),
        PageKind.PAGE: (back,),
        PageKind.NO_ACCOUNT: (mend,),
    }[page_kind]


def _sections() -> tuple[HelpSection, ...]:
    return (
        HelpSection(
            tr("Adding people"),
            tr(
                "Type a name into the line, with an email or without, and press Enter. The person "
                "is in the list at once, waiting for a few seconds: Undo takes them back. Once "
                "sent, nobody can be taken back. Who may be here already stands below the line "
                "while you type; it never stops you."
            ),
        ),
        HelpSection(
            tr("A list of people"),
            tr(
                "Copy rows in a spreadsheet, a web page or a mail and paste them on the list of "
                "people, drop a file on the window, or choose Add from a list in the menu. Nobody "
                "is added before you have seen how each row is read."
            ),
        ),
        HelpSection(
            tr("Waiting, refused, not sure"),
            tr(
                "Waiting: held on this computer, until the seconds are over or the connection "
                "is back. Refused: the account said no; choose the row to see why, correct it "
                "and send it again. Not sure: the answer got lost; the list is read again, and "
                "you are asked where that does not tell."
            ),
        ),
        HelpSection(
            tr("Finding people and everything else"),
            tr(
                "The search looks in every field as you type, with or without accents. One field "
                "for everything finds what can be done, each page, people and flows, also with a "
                "slip in what you type."
            ),
        ),
        HelpSection(
            tr("Flows"),
            tr(
                "Each step shows who administers it and, in amber, what is missing. Other views "
                "tell who runs what, what is missing in all flows, and what is new. A name leads "
                "to the person."
            ),
        ),
        HelpSection(
            tr("What you typed is kept"),
            tr(
                "It is written to this computer before the line clears, unless nothing is to be "
                "kept on it: a closed window or a connection that is down costs nothing, and the "
                "next start goes on."
            ),
        ),
    )
