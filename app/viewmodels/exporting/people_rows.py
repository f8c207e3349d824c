"""People as rows of a saved table: every field the list has of them, a column each."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from app.model.person import Person
from app.runtime.words import tr
from app.viewmodels.formatting import field_words, local

_MOST_COLUMNS = 40
"""Fields beyond the document's that have a column."""
_Column = tuple[str, Callable[[Person], str]]


class PeopleRows:
    """The columns that these people need; safe in a thread of its own."""

    def __init__(self, people: Sequence[Person], states: Sequence[str]) -> None:
        """`states` says for each how they stand on their way to the account; blank: they are in."""
        self._people = people
        self._states = states
        self._columns = list(_columns(people))
        self._with_state = any(states)

    @property
    def headings(self) -> list[str]:
        """What the columns are called; a list with these headings is read as it was meant."""
        state = [tr("State")] if self._with_state else []
        return [*(name for name, _ in self._columns), *state]

    def __iter__(self) -> Iterator[list[str]]:
        """The rows, in order."""
        for person, state in zip(self._people, self._states, strict=True):
            cells = [read(person).strip() for _, read in self._columns]
            yield [*cells, state] if self._with_state else cells


def _columns(people: Sequence[Person]) -> Iterator[_Column]:
    yield tr("First name"), lambda one: one.firstname or ""
    yield tr("Last name"), lambda one: one.lastname or ""
    if any(one.preferred_name for one in people):
        yield tr("Preferred name"), lambda one: one.preferred_name or ""
    yield tr("Email"), lambda one: one.email or ""
    yield tr("Phone"), lambda one: one.phone or ""
    yield tr("Mobile"), lambda one: one.mobile or ""
    yield tr("Added"), lambda one: _day(one.date_added)
    yield tr("Changed"), lambda one: _day(one.date_modified)
    yield tr("Volunteer"), lambda one: _flag(one.volunteer)
    yield tr("Administrator"), lambda one: _flag(one.admin)
    yield tr("Archived"), lambda one: _flag(one.archived)
    if any(one.deceased is not None for one in people):
        yield tr("Deceased"), lambda one: _flag(one.deceased)
    names = dict.fromkeys(name for one in people for name, _ in one.others)
    for name in list(names)[:_MOST_COLUMNS]:
        yield field_words(name), lambda one, name=name: dict(one.others).get(name, "")  # type: ignore[misc]  # bound now
    yield tr("Id in the account"), lambda one: one.id


def _day(moment: datetime | None) -> str:
    """As every spreadsheet reads it, whatever its language."""
    return "" if moment is None else local(moment).date().isoformat()


def _flag(value: bool | None) -> str:  # noqa: FBT001 - a field as the list has it
    return tr("yes") if value else ""
