"""What the menu of the history offers for the rows that are chosen."""

from collections.abc import Sequence
from enum import Enum, auto

from app.model.outbox import OutboxEntry
from app.runtime.spreadsheet import spreadsheet_cell
from app.runtime.words import tr, trn
from app.viewmodels.menu_items import Groups, MenuItem
from app.viewmodels.people.copying import as_address


class HistoryAction(Enum):
    """What can be asked for."""

    SHOW = auto()
    COPY_ROWS = auto()
    COPY = auto()
    """The value is the text, which a spreadsheet does not calculate."""


def menu_of_rows(entries: Sequence[OutboxEntry]) -> Groups:
    """The menu of these rows."""
    if not entries:
        return ()
    many = len(entries)
    words = trn("Copy row", "Copy {n} rows", many)
    rows = MenuItem(words, HistoryAction.COPY_ROWS, icon="copy", keys="Ctrl+C")
    if many > 1:
        return ((rows,),)
    new = entries[0].new_person
    return (
        (
            MenuItem(
                tr("Show in the list of people"),
                HistoryAction.SHOW,
                icon="person",
                keys="Return",
                enabled=can_be_shown(entries[0]),
            ),
        ),
        (
            rows,
            MenuItem(
                tr("Copy email"), HistoryAction.COPY, as_address(new.email), enabled=bool(new.email)
            ),
            MenuItem(tr("Copy name"), HistoryAction.COPY, spreadsheet_cell(new.full_name)),
        ),
    )


def can_be_shown(entry: OutboxEntry) -> bool:
    """Whether the list of people has, or may have, a row for it: somebody who was added, or whose
    outcome is open.
    """
    return entry.person_id is not None or not entry.done
