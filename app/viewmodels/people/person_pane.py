"""The detail beside the table: one person with what they administer, or one entry on its way."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.exporting.mail_list import mail_link
from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged, PauseChanged
from app.outbox.outbox import Outbox
from app.people.events import PeopleChanged
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import in_a_row, tr, trn
from app.viewmodels.exporting.mail_writing import OpenMail
from app.viewmodels.flows.cards import MOST_LINKS, Administers
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.formatting import (
    and_more_words,
    badges,
    day_and_clock,
    field_text,
    field_words,
    given,
    initials,
    name_of,
)
from app.viewmodels.outbox.entry_actions import Decision, EntryAction, what_happened
from app.viewmodels.people.copying import What
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.people_state import PeopleState
from app.viewmodels.people.table import state_words
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.screen import Screen

_SEVERAL = 2
_NAMED = 8
"""How many of several chosen people are named."""


class DetailField(msgspec.Struct, frozen=True):
    """One line of the detail; `copy` is blank where there is nothing to copy."""

    name: str
    value: str
    copy: str = ""
    mail: str = ""
    """A link that opens a new mail to the value; blank where it is no address."""


class Several(msgspec.Struct, frozen=True):
    """What the pane shows while more than one row is chosen."""

    heading: str
    names: tuple[str, ...]
    more: str
    """How many there are besides those named; blank for none."""


class Detail(msgspec.Struct, frozen=True):
    """What the pane shows of one row."""

    name: str
    initials: str
    badges: tuple[str, ...]
    fields: tuple[DetailField, ...]
    administers: tuple[Administers, ...] = ()
    administers_more: str = ""
    """How much somebody administers besides that; blank for no more."""
    person_id: str = ""
    """Of somebody in the list."""
    entry: OutboxEntry | None = None
    sentence: str = ""
    """What happened to an entry, in one sentence; blank for a person."""
    candidate: tuple[DetailField, ...] = ()
    """Of somebody in the list who may be the one an entry stands for: name, email, when added."""
    actions: tuple[EntryAction, ...] = ()
    """What can be decided about an entry."""

    @property
    def needs_person(self) -> bool:
        """Whether the entry goes no further before somebody decides."""
        return self.entry is not None and self.entry.needs_person


PaneState = Detail | Several | str
"""What is shown of one row, of several, or what to do next where there is nobody to show."""


class PersonPane(Screen[PaneState]):
    """Follows the rows that are chosen in the People table."""

    def __init__(
        self,
        people: PeopleScreen,
        flows: FlowsScreen,
        quick_add: QuickAdd,
        outbox: Outbox,
        *,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Listens to what is chosen in `people`, and to everything that is said of it."""
        super().__init__("")
        self._people = people
        self._flows = flows
        self._quick_add = quick_add
        self._outbox = outbox
        self.state = self._state()
        self._follows = self._followed(people.state)
        people.state_changed.connect(self._list_changed)
        flows.administrators_changed.connect(self._tell)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(PauseChanged, self._entries_changed, scope)

    def copy_emails(self) -> None:
        """Copy the email addresses of all who are chosen."""
        self._people.copying.copy(What.EMAIL)

    def write(self, open_mail: OpenMail) -> None:
        """Have one mail begun to all who are chosen."""
        self._people.copying.write(open_mail)

    def decide(self, entry: OutboxEntry, decision: Decision) -> None:
        """Do what a person says about an entry; correcting it is the quick-add line's."""
        if decision is Decision.UNDO:
            self._quick_add.undo(entry.id)
        else:
            self._people.entry_actions.decide(entry.id, decision)

    # What is heard

    def _list_changed(self, state: PeopleState) -> None:
        """How many people there are, and how far a reading has come, is said elsewhere."""
        followed = self._followed(state)
        if followed != self._follows:
            self._follows = followed
            self._tell()

    def _people_changed(self, event: PeopleChanged) -> None:
        keys = self._people.selection.seen
        one = keys[0] if len(keys) == 1 else None
        # What is said of an entry depends on the list, too.
        if isinstance(one, str) or one in event.changed:
            self._tell()

    def _entries_changed(self, _event: EntriesChanged | PauseChanged) -> None:
        """What is said of one entry depends on the others, and on what is paused."""
        keys = self._people.selection.seen
        # Entries stand above people: where one is chosen, the first is one.
        if keys and isinstance(keys[0], str):
            self._tell()

    @staticmethod
    def _followed(state: PeopleState) -> tuple[object, ...]:
        return state.chosen_in_list, state.detail_hint

    # What is shown

    def _tell(self) -> None:
        self._set_state(self._state())

    def _state(self) -> PaneState:
        if len(self._people.selection.seen) >= _SEVERAL:
            return self._of_several()
        if (entry := self._people.chosen_entry) is not None:
            return self._of_entry(entry)
        if (person := self._people.chosen_person) is not None:
            listed = _first_of(
                self._flows.administered_by(person.id), self._flows.posts_of(person.id)
            )
            beside = self._outbox.index.unsendable_details(person.id)
            return _of_person(person, listed, beside)
        return self._people.state.detail_hint

    def _of_several(self) -> Several:
        count = len(self._people.selection.seen)
        names = self._people.copying.first_names(_NAMED)
        more = count - len(names)
        return Several(
            heading=trn("{n} person chosen", "{n} people chosen", count),
            names=names,
            more=and_more_words(more),
        )

    def _of_entry(self, entry: OutboxEntry) -> Detail:
        entry_actions, new_person = self._people.entry_actions, entry.new_person
        return Detail(
            name=new_person.full_name,
            initials=initials(new_person.full_name),
            badges=(state_words(entry.state),) if entry.state is not EntryState.WAITING else (),
            fields=(
                DetailField(tr("Email"), given(new_person.email), new_person.email),
                *_beside(new_person),
                *_service_words(entry),
                DetailField(tr("Typed"), " ".join(entry.typed.split()), entry.typed),
                DetailField(tr("Typed at"), day_and_clock(entry.typed_at)),
            ),
            entry=entry,
            sentence=what_happened(
                entry, entry_actions.held_up_by(entry), entry_actions.pause_reason
            ),
            candidate=self._candidate(entry),
            actions=entry_actions.actions_for(entry),
        )

    def _candidate(self, entry: OutboxEntry) -> tuple[DetailField, ...]:
        asked = entry.state is EntryState.NOT_SURE and entry.doubt is Doubt.LOOKS_LIKE
        person = self._people.person(entry.candidate_id) if asked else None
        if person is None:
            return ()
        return (
            DetailField(tr("In the list"), name_of(person)),
            DetailField(tr("Email"), given(person.email)),
            DetailField(tr("Added"), _moment(person.date_added)),
        )


def _of_person(
    person: Person, administers: tuple[tuple[Administers, ...], str], beside: NewPerson | None
) -> Detail:
    name = name_of(person)
    listed, more = administers
    return Detail(
        name=name,
        initials=initials(name),
        badges=badges(person),
        fields=(
            _email(person.email),
            _field(tr("Mobile"), person.mobile),
            _field(tr("Phone"), person.phone),
            DetailField(tr("Added"), _moment(person.date_added)),
            DetailField(tr("Changed"), _moment(person.date_modified)),
            *_flags_not_given(person),
            *_beyond(person),
            *_beside(beside),
        ),
        administers=listed,
        administers_more=more,
        person_id=person.id,
    )


def _first_of(
    administers: Sequence[Administers], posts: int
) -> tuple[tuple[Administers, ...], str]:
    """As much of this as a card can list, and the words that count the rest of all `posts`."""
    kept, left = [], MOST_LINKS
    for flow in administers:
        lines = flow.lines[:left]
        if lines:
            ids = flow.step_ids[: len(lines)]
            kept.append(Administers(flow.flow_id, flow.flow_name, lines, ids))
        left -= len(lines)
    return tuple(kept), and_more_words(posts - (MOST_LINKS - left))


def _field(name: str, value: str | None) -> DetailField:
    return DetailField(name, given(value), (value or "").strip())


def _email(value: str | None) -> DetailField:
    address = (value or "").strip()
    # A link to something that is no address would only open a mail program that complains.
    mail = mail_link([address]) if "@" in address else ""
    return DetailField(tr("Email"), given(value), address, mail)


def _flags_not_given(person: Person) -> tuple[DetailField, ...]:
    """One line for all of them: without it, no badge would look like a no."""
    flags = (
        (person.volunteer, tr("Volunteer")),
        (person.admin, tr("Account administrator")),
        (person.archived, tr("Archived")),
    )
    missing = [name for flag, name in flags if flag is None]
    return (DetailField(in_a_row(missing), given(None)),) if missing else ()


_IDS = frozenset({"family_id", "category_id"})
"""Tell nobody anything: only the account knows what they stand for."""


def _beyond(person: Person) -> tuple[DetailField, ...]:
    """What the service tells beyond the document's fields, where it says anything by it."""
    preferred = (person.preferred_name or "").strip()
    told = [(tr("Preferred name"), preferred, preferred)]
    for name, sent in person.others:
        if name not in _IDS:
            text = field_text(name, sent)
            told.append((field_words(name), text, text if text == sent.strip() else ""))
    # Nearly everybody is no contact, and in no family.
    return tuple(DetailField(*field) for field in told if field[1])


def _moment(moment: datetime | None) -> str:
    return given(None) if moment is None else day_and_clock(moment)


def _service_words(entry: OutboxEntry) -> tuple[DetailField, ...]:
    said = entry.service_words
    return (DetailField(tr("The service said"), said, said),) if said else ()


def _beside(typed: NewPerson | None) -> tuple[DetailField, ...]:
    """What was typed and cannot be sent, to be copied from here."""
    if typed is None:
        return ()
    fields = ((tr("Phone, kept here"), typed.phone), (tr("Kept, not sent"), typed.leftover))
    return tuple(DetailField(name, value, value) for name, value in fields if value)
