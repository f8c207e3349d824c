"""People of the list who are likely there twice, as they are shown side by side, a page at a time;
told apart where they are not the same; copied and saved for whoever merges them.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal

from app.exporting.table import write_table
from app.model.person import Person
from app.outbox.duplicate_groups import DuplicateGroups, DuplicateGroupsChanged
from app.outbox.duplicate_index import KnownPerson
from app.people.duplicates import DuplicateGroup
from app.people.events import PeopleChanged
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import in_a_row, tr, trn
from app.store.errors import StoreError
from app.store.folding import fold
from app.store.search_keys import phone_text, search_text
from app.viewmodels.exporting.copying import copy_rows
from app.viewmodels.exporting.saved_file import save_rows
from app.viewmodels.formatting import badges, day, name_of, number
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Key
from app.viewmodels.screen import ActionFeedback, Screen

_MANY = 99
"""Groups that a chip has room for before it is known how many there are."""
ON_A_PAGE = 10
"""Groups shown together: what is painted costs a frame, and nobody looks through more at once."""
_AT_ONCE = 4
_DIGITS = 20


class FieldShown(msgspec.Struct, frozen=True):
    """One field of one of them; `differs` where another of the group has something else there."""

    label: str
    value: str
    differs: bool

    @property
    def spoken(self) -> str:
        """For a screen reader, which sees no colour."""
        said = tr("{label}: {value}", label=self.label, value=self.value or tr("not given"))
        return tr("{field}, differs", field=said) if self.differs else said


class PersonShown(msgspec.Struct, frozen=True):
    """One of a group."""

    key: Key
    name: str
    badges: tuple[str, ...]
    fields: tuple[FieldShown, ...]

    @property
    def spoken(self) -> str:
        """All that is shown of them, in one go."""
        return ". ".join((self.name, *self.badges, *(field.spoken for field in self.fields)))


class GroupShown(msgspec.Struct, frozen=True):
    """People who are likely one, and why that is thought."""

    reasons: str
    people: tuple[PersonShown, ...]
    more: str = ""
    """How many more are as likely the same; blank where these are all."""

    @property
    def words(self) -> str:
        """The reasons as they stand above the people."""
        return self.reasons[:1].upper() + self.reasons[1:]

    @property
    def rows(self) -> tuple[int, ...]:
        """Theirs, in the order in which they are shown."""
        return tuple(each.key for each in self.people if isinstance(each.key, int))


class DuplicateGroupsState(msgspec.Struct, frozen=True):
    """What a view shows. What does not apply is blank."""

    text: str = ""
    """On the chip."""
    spoken: str = ""
    """The same for a screen reader."""
    shown: bool = False
    """Whether the groups stand in the place of the list."""
    groups: tuple[GroupShown, ...] = ()
    count_words: str = ""
    page_words: str = ""
    can_go_back: bool = False
    can_go_on: bool = False
    empty_words: str = ""
    remark: str = ""
    can_take_back: bool = False

    @property
    def keys(self) -> frozenset[Key]:
        """Everybody who is shown."""
        return frozenset(each.key for group in self.groups for each in group.people)

    @property
    def text_with_count(self) -> str:
        """As much as the chip may say once it is known how many there are."""
        return tr("{filter} {count}", filter=tr("Maybe twice"), count=number(_MANY))


class DuplicateGroupsScreen(Screen[DuplicateGroupsState]):
    """Reads a page of people only while it is shown."""

    copied = Signal(object)
    """Carries a text for the clipboard."""

    def __init__(
        self,
        found: DuplicateGroups,
        people: PeopleScreen,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Shows what `found` has in the place of `people`, once the chip is turned on."""
        super().__init__(DuplicateGroupsState())
        self._found = found
        self._people = people
        self._shown = False
        self._first = 0
        self._feedback = ActionFeedback(self)
        self._feedback.changed.connect(self._tell)
        self._copying = Action(
            scope, self._copy, second="replace", on_error=self._feedback.say_error
        )
        self._saving = Action(
            scope, self._save, second="replace", on_error=self._feedback.say_error
        )
        events.subscribe(DuplicateGroupsChanged, self._groups_changed, scope)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        self._tell()

    # What can be done

    def show(self) -> None:
        """Show the groups from the first one on."""
        self._shown, self._first = True, 0
        self._feedback.say("")
        self._tell()

    def hide(self) -> None:
        """The list is shown again."""
        if self._shown:
            self._shown = False
            self._feedback.say("")
            self._tell()

    def go_on(self) -> None:
        """The next page."""
        self._turn_to(self._first + ON_A_PAGE)

    def go_back(self) -> None:
        """The page before."""
        self._turn_to(self._first - ON_A_PAGE)

    def tell_apart(self, group: GroupShown, person: PersonShown | None = None) -> None:
        """These are not the same person; with a `person`, that one is none of the others."""
        pairs = combinations(group.rows, 2)
        try:
            self._found.tell_apart(two for two in pairs if person is None or person.key in two)
        except StoreError as error:
            self._feedback.say_error(error)
            return
        self._feedback.say(tr("Not the same person: that is remembered."))
        self._tell()

    def take_back(self) -> None:
        """Those who were told apart last may be the same after all."""
        try:
            self._found.take_back()
        except StoreError as error:
            self._feedback.say_error(error)
            return
        self._feedback.say("")
        self._tell()

    def copy(self) -> None:
        """Hand over all groups as rows for a spreadsheet."""
        self._copying()

    def save(self, path: str) -> None:
        """Write all groups to a file for a spreadsheet; says how that went."""
        self._saving(Path(path))

    @property
    def file_name(self) -> str:
        """What the file is called unless somebody chooses another name."""
        return f"{fold(tr('Maybe twice')).replace(' ', '-')}.csv"

    # How it is done

    def _groups_changed(self, _event: DuplicateGroupsChanged) -> None:
        self._tell()

    def _people_changed(self, _event: PeopleChanged) -> None:
        if self._shown:
            self._tell()

    def _turn_to(self, first: int) -> None:
        self._first = first
        self._feedback.say("")
        self._tell()

    def _tell(self) -> None:
        found, last = self._found, max(0, len(self._found.groups) - 1)
        self._first = min(max(0, self._first), last - last % ON_A_PAGE)
        page = found.groups[self._first : self._first + ON_A_PAGE] if self._shown else ()
        count = number(len(found.groups)) if found.known else ""
        words = tr("Maybe twice")
        behind = self._first + len(page)
        self._set_state(
            DuplicateGroupsState(
                text=tr("{filter} {count}", filter=words, count=count) if count else words,
                spoken=tr("{filter}, {count}", filter=words, count=count) if count else words,
                shown=self._shown,
                groups=self._read(page),
                count_words=_count_words(len(found.groups)) if found.known else "",
                page_words=_page_words(self._first, behind, len(found.groups)) if page else "",
                can_go_back=bool(page) and self._first > 0,
                can_go_on=bool(page) and behind < len(found.groups),
                empty_words="" if found.groups else _empty_words(known=found.known),
                remark=self._feedback.sentence,
                can_take_back=found.can_take_back,
            )
        )
        self._people.show_among(self.state.keys if self._shown else None)

    def _read(self, page: Sequence[DuplicateGroup[KnownPerson]]) -> tuple[GroupShown, ...]:
        try:
            shown = (_shown(group) for group in page)
            return tuple(group for group in shown if len(group.people) > 1)
        except StoreError as error:
            self._feedback.say_error(error)
            return ()

    async def _copy(self) -> None:
        rows = [row async for several in self._rows() for row in several]
        copied, said = copy_rows(_headings(), rows)
        self.copied.emit(copied)
        self._feedback.say(said)

    async def _save(self, path: Path) -> None:
        rows = [row async for several in self._rows() for row in several]
        write = partial(write_table, path, _headings(), rows)
        await save_rows(path, write, len(rows), self._feedback, rows)

    async def _rows(self) -> AsyncIterator[list[tuple[str, ...]]]:
        """A row for each of them, read a few groups at a time."""
        groups = self._found.groups
        for start in range(0, len(groups), _AT_ONCE):
            rows: list[tuple[str, ...]] = []
            for place, group in enumerate(groups[start : start + _AT_ONCE], start + 1):
                known, reasons = group.read()
                people = (each.known_as for each in known)
                why = in_a_row(filter(None, (*reasons, _more_words(group.more))))
                rows += [_row(place, why, one) for one in people if isinstance(one, Person)]
            yield rows
            await asyncio.sleep(0)


def _shown(group: DuplicateGroup[KnownPerson]) -> GroupShown:
    known, reasons = group.read()
    # In the order in which the list has had them.
    people = sorted(
        ((each.id, each.known_as) for each in known if isinstance(each.known_as, Person)),
        key=lambda each: str(each[0]).zfill(_DIGITS),
    )
    values = [_fields(person) for _, person in people]
    # When somebody was added tells nobody apart.
    differ = [
        len({_compared(value) for _, value in each}) > 1 and each[0][0] != tr("Added")
        for each in zip(*values, strict=True)
    ]
    return GroupShown(
        in_a_row(reasons),
        tuple(
            PersonShown(key, name_of(person), badges(person), _fields_shown(fields, differ))
            for (key, person), fields in zip(people, values, strict=True)
        ),
        _more_words(group.more),
    )


def _more_words(more: int) -> str:
    if not more:
        return ""
    return trn(
        "and {n} more who is as likely the same",
        "and {n} more who are as likely the same",
        more,
    )


def _compared(value: str) -> str:
    """A number is the same however it is blanked."""
    return phone_text(value) or search_text(value)


def _fields_shown(
    fields: Sequence[tuple[str, str]], differ: Sequence[bool]
) -> tuple[FieldShown, ...]:
    return tuple(
        FieldShown(label, value, differs)
        for (label, value), differs in zip(fields, differ, strict=True)
    )


def _fields(person: Person) -> tuple[tuple[str, str], ...]:
    return (
        (tr("First name"), (person.firstname or "").strip()),
        (tr("Last name"), (person.lastname or "").strip()),
        (tr("Email"), (person.email or "").strip()),
        (tr("Phone"), (person.phone or "").strip()),
        (tr("Mobile"), (person.mobile or "").strip()),
        (tr("Added"), day(person.date_added)),
    )


def _headings() -> tuple[str, ...]:
    labels = (label for label, _ in _fields(Person(id="-")))
    return (tr("Group"), tr("Why"), *labels, tr("Badges"), tr("Id in the account"))


def _row(place: int, why: str, person: Person) -> tuple[str, ...]:
    values = (value for _, value in _fields(person))
    return (str(place), why, *values, ", ".join(badges(person)), person.id)


def _count_words(groups: int) -> str:
    return trn("{n} group", "{n} groups", groups)


def _page_words(first: int, behind: int, everything: int) -> str:
    if everything <= ON_A_PAGE:
        return ""
    return tr(
        "{first} to {last} of {all}",
        first=number(first + 1),
        last=number(behind),
        all=number(everything),
    )


def _empty_words(*, known: bool) -> str:
    if known:
        return tr("Nobody seems to be here twice.")
    return tr("Front Desk is still looking for people who are here twice.")
