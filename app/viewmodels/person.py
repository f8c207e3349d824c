"""The detail beside the table: one person with what they administer, or one entry on its way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.runtime.words import tr
from app.viewmodels.people import PeopleScreen
from app.viewmodels.table import state_words
from app.viewmodels.wording import badges, day_and_clock, given, initials, name_of


@dataclass(frozen=True, slots=True)
class DetailField:
    """One line of the detail; `copy` is blank where there is nothing to copy."""

    name: str
    value: str
    copy: str = ""


@dataclass(frozen=True, slots=True)
class Administers:
    """One flow a person administers something of: the whole flow, some steps, or both."""

    flow_id: str
    flow_name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """What the pane shows of one row."""

    name: str
    initials: str
    badges: tuple[str, ...]
    fields: tuple[DetailField, ...]
    administers: tuple[Administers, ...] = ()
    entry: OutboxEntry | None = None
    sentence: str = ""
    """What happened to an entry, in one sentence; blank for a person."""

    @property
    def can_undo(self) -> bool:
        """Whether the entry is still held on this computer."""
        return self.entry is not None and self.entry.state is EntryState.WAITING

    @property
    def needs_person(self) -> bool:
        """Whether the entry goes no further before somebody decides."""
        return self.entry is not None and self.entry.state in {
            EntryState.REFUSED,
            EntryState.NOT_SURE,
        }

    @property
    def can_correct(self) -> bool:
        """Whether the entry can be put into the line again."""
        return self.entry is not None and self.entry.state is EntryState.REFUSED


class PersonPane(QObject):
    """Follows the row that is chosen in the People table."""

    changed = Signal()

    def __init__(
        self,
        people: PeopleScreen,
        administers: Callable[[str], Sequence[Administers]],
        undo: Callable[[str], object],
    ) -> None:
        """`administers` gives a person's flows and steps; `undo` takes a held entry back."""
        super().__init__()
        self._people = people
        self._administers = administers
        self._undo = undo
        people.chosen_changed.connect(self.changed)

    @property
    def detail(self) -> Detail | None:
        """What to show, or None when nobody is chosen."""
        if (entry := self._people.chosen_entry) is not None:
            return _of_entry(entry)
        if (person := self._people.chosen_person) is not None:
            return _of_person(person, tuple(self._administers(person.id)))
        return None

    def undo(self, entry: OutboxEntry) -> None:
        """Take a held entry back into the quick-add line."""
        self._undo(entry.id)

    def send_again(self, entry: OutboxEntry) -> None:
        """Send an entry once more, because a person says so."""
        self._people.send_again(entry.id)

    def dismiss(self, entry: OutboxEntry) -> None:
        """Take an entry off the list for good."""
        self._people.dismiss(entry.id)


def _of_person(person: Person, administers: tuple[Administers, ...]) -> Detail:
    added = day_and_clock(person.date_added) if person.date_added else given(None)
    name = name_of(person)
    return Detail(
        name=name,
        initials=initials(name),
        badges=badges(person),
        fields=(
            DetailField(tr("Email"), given(person.email), person.email or ""),
            DetailField(tr("Mobile"), given(person.mobile), person.mobile or ""),
            DetailField(tr("Phone"), given(person.phone), person.phone or ""),
            DetailField(tr("Added"), added),
        ),
        administers=administers,
    )


def _of_entry(entry: OutboxEntry) -> Detail:
    new_person = entry.new_person
    fields = [DetailField(tr("Email"), new_person.email or tr("none"), new_person.email)]
    if new_person.phone:
        fields.append(DetailField(tr("Phone, kept here"), new_person.phone, new_person.phone))
    fields.append(DetailField(tr("Typed"), entry.typed, entry.typed))
    return Detail(
        name=new_person.full_name,
        initials=initials(new_person.full_name),
        badges=(state_words(entry.state),) if entry.state is not EntryState.WAITING else (),
        fields=tuple(fields),
        entry=entry,
        sentence=_what_happened(entry),
    )


def _what_happened(entry: OutboxEntry) -> str:
    return {
        EntryState.WAITING: tr("Waiting to be sent. Once sent, it cannot be taken back."),
        EntryState.SENDING: tr("On its way to the account."),
        EntryState.ADDED: tr("Added to the account."),
        EntryState.REFUSED: entry.reason or tr("The account did not take this person."),
        EntryState.NOT_SURE: tr(
            "The answer got lost, so this person may or may not have been added. "
            "Look in the list before you send it again."
        ),
    }[entry.state]
