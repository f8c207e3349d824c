"""What the cells and the header of the People table say, and which of their letters are marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import IntEnum
from functools import lru_cache

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.people.search import Span, marked, marked_name, marked_number
from app.runtime.words import tr
from app.store.ordering import SortKey
from app.viewmodels.wording import badges, clock, day, given, is_today, local, name_of


class Column(IntEnum):
    """The columns, in the order they are first shown."""

    NAME = 0
    EMAIL = 1
    PHONE = 2
    MOBILE = 3
    ADDED = 4


SORT_OF = {
    Column.NAME: SortKey.FIRST_NAME,
    Column.EMAIL: SortKey.EMAIL,
    Column.PHONE: SortKey.PHONE,
    Column.MOBILE: SortKey.MOBILE,
    Column.ADDED: SortKey.ADDED,
}
"""What a click on a header sorts by; names as they are shown, first name first."""
_COLUMN_OF = {by: column for column, by in SORT_OF.items()} | {SortKey.LAST_NAME: Column.NAME}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as it is painted."""

    text: str
    badges: tuple[str, ...] = ()
    shorter: tuple[str, ...] | None = None
    """The badges where there is little room; None: those that fit are shown, and how many more."""
    state: EntryState | None = None
    """How the entry of the row stands; None for a person."""
    needs_person: bool = False
    """Whether the entry of the row goes on only when somebody decides."""
    marks: tuple[Span, ...] = ()
    """The pieces of `text` in which something that is searched was found."""
    is_given: bool = True
    """False where the list did not say: `text` tells that, and is nobody's."""
    is_number: bool = False
    """A phone number reads from the left, whatever way the lines of the window run."""

    @property
    def can_undo(self) -> bool:
        """Whether the entry of the row can be taken back beside this cell's text."""
        return bool(self.badges) and self.state is EntryState.WAITING

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return ", ".join((self.text, *self.badges))


def cells_of_person(person: Person, wanted: Sequence[str], *, is_new: bool) -> tuple[Cell, ...]:
    """The row of a person, cell by cell, with the `wanted` words (see `search.words`) marked."""
    flags = (tr("new"), *badges(person)) if is_new else badges(person)
    return (
        Cell(name_of(person), flags, marks=marked_name(person, wanted)),
        _not_given() if person.email is None else _email(person.email, wanted),
        _not_given() if person.phone is None else _number(person.phone, wanted),
        _not_given() if person.mobile is None else _number(person.mobile, wanted),
        _not_given() if person.date_added is None else Cell(_day(local(person.date_added).date())),
    )


def _not_given() -> Cell:
    return Cell(given(None), is_given=False)


def _email(text: str, wanted: Sequence[str]) -> Cell:
    return Cell(text, marks=marked(text, wanted))


def _number(text: str, wanted: Sequence[str]) -> Cell:
    return Cell(text, marks=marked_number(text, wanted), is_number=True)


@lru_cache(4_096)
def _day(local: date) -> str:
    """Writing a date takes longer than reading a person, and many were added on the same days."""
    return day(datetime.combine(local, time(12)))


def cells_of_entry(entry: OutboxEntry, wanted: Sequence[str]) -> tuple[Cell, ...]:
    """The row of an entry on its way, cell by cell."""
    name, email, state = entry.new_person.full_name, entry.new_person.email, entry.state
    words = state_words(state)
    # Whoever waits is known by what undoes it; any other state has to be read.
    shorter = () if state is EntryState.WAITING else (words,)
    return (
        Cell(name, (words,), shorter, state, entry.needs_person, marked(name, wanted)),
        Cell(email, state=state, marks=marked(email, wanted)),
        Cell("", state=state),
        Cell("", state=state),
        Cell(_typed(entry.typed_at), state=state),
    )


def _typed(moment: datetime) -> str:
    """When an entry was typed: mostly today, and then at which time."""
    return clock(moment) if is_today(moment) else day(moment)


def state_words(state: EntryState) -> str:
    """What is said beside an entry's name."""
    return {
        EntryState.WAITING: tr("waiting"),
        EntryState.SENDING: tr("sending"),
        EntryState.ADDED: tr("added"),
        EntryState.REFUSED: tr("refused"),
        EntryState.NOT_SURE: tr("not sure"),
    }[state]


def column_of(by: SortKey) -> Column:
    """The column that shows what the list is sorted by."""
    return _COLUMN_OF[by]


def heading(column: Column, sort: tuple[SortKey, bool] | None, *, spoken: bool) -> str:
    """A column's name, with an arrow where the list is sorted by it, or words for the arrow."""
    by, descending = sort if sort is not None else (None, False)
    name = column_words(column)
    if by is None or column_of(by) is not column:
        return name
    if by is SortKey.LAST_NAME:
        name = tr("Name, by last name")
    if spoken:
        if descending:
            return tr("{column}, sorted from the end", column=name)
        return tr("{column}, sorted", column=name)
    return f"{name} {'▾' if descending else '▴'}"


def column_words(column: Column) -> str:
    """A column's name."""
    return {
        Column.NAME: tr("Name"),
        Column.EMAIL: tr("Email"),
        Column.PHONE: tr("Phone"),
        Column.MOBILE: tr("Mobile"),
        Column.ADDED: tr("Added"),
    }[column]
