"""The detail beside the table: one person with what they administer, or one entry on its way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from PySide6.QtCore import QObject, Signal

from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.runtime.words import tr, trn
from app.viewmodels.formatting import badges, day_and_clock, given, initials, name_of, number
from app.viewmodels.guarded import Guarded
from app.viewmodels.outbox.entry_actions import Decision, EntryAction, what_happened
from app.viewmodels.people.copying import What, mail_link
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import state_words

_SEVERAL = 2
_NAMED = 8
"""How many of several chosen people are named."""
MOST_LINKS = 60
"""Flows and steps that are listed of what one person administers; the others are counted."""


@dataclass(frozen=True, slots=True)
class DetailField:
    """One line of the detail; `copy` is blank where there is nothing to copy."""

    name: str
    value: str
    copy: str = ""
    mail: str = ""
    """A link that opens a new mail to the value; blank where it is no address."""


@dataclass(frozen=True, slots=True)
class FlowLink:
    """Words that lead to a flow, and to a step of it where `step_id` says which."""

    words: str
    flow_id: str
    step_id: str | None = None


@dataclass(frozen=True, slots=True)
class Administers:
    """One flow a person administers something of: the whole flow, some steps, or both."""

    flow_id: str
    flow_name: str
    lines: tuple[str, ...]
    step_ids: tuple[str | None, ...] = ()
    """For each line the step it is about; None for the whole flow."""

    @property
    def flow_link(self) -> FlowLink:
        """Leads to the flow as a whole."""
        return FlowLink(self.flow_name, self.flow_id)

    @property
    def links(self) -> tuple[FlowLink, ...]:
        """Each line as what it leads to."""
        places = zip_longest(self.lines, self.step_ids[: len(self.lines)])
        return tuple(FlowLink(words, self.flow_id, step_id) for words, step_id in places)


@dataclass(frozen=True, slots=True)
class Several:
    """What the pane shows while more than one row is chosen."""

    heading: str
    names: tuple[str, ...]
    more: str
    """How many there are besides those named; blank for none."""
    mail: str
    """A link that opens one mail to all of them; blank where that cannot be done."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What the pane shows of one row."""

    name: str
    initials: str
    badges: tuple[str, ...]
    fields: tuple[DetailField, ...]
    administers: tuple[Administers, ...] = ()
    administers_more: str = ""
    """How much somebody administers besides that; blank for no more."""
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


class PersonPane(Guarded, QObject):
    """Follows the row that is chosen in the People table."""

    changed = Signal()

    def __init__(
        self,
        people: PeopleScreen,
        administers: Callable[[str], Sequence[Administers]],
        posts: Callable[[str], int],
        undo: Callable[[str], object],
        typed_beside: Callable[[str], NewPerson | None],
    ) -> None:
        """`administers` gives a person's flows and steps, the first of them where there are very
        many, and `posts` how many steps and whole flows they are; `undo` takes a held entry back.

        `typed_beside` gives what was typed for a person and could not be sent, or None.
        """
        super().__init__()
        self._people = people
        self._administers = administers
        self._posts = posts
        self._undo = undo
        self._typed_beside = typed_beside
        people.chosen_changed.connect(self.changed)
        people.detail_changed.connect(self.changed)

    @property
    def several(self) -> Several | None:
        """What to show of several rows, or None when no more than one is chosen and seen."""
        count = len(self._people.chosen_in_list)
        if count < _SEVERAL:
            return None
        names = self._people.copying.first_names(_NAMED)
        more = count - len(names)
        return Several(
            heading=trn(
                "{count} person chosen", "{count} people chosen", count, count=number(count)
            ),
            names=names,
            more=trn("and {count} more", "and {count} more", more, count=number(more))
            if more
            else "",
            mail=self._people.copying.mail_link,
        )

    @property
    def detail(self) -> Detail | None:
        """What to show of one row, or None when nobody or more than one is chosen."""
        if len(self._people.chosen_in_list) >= _SEVERAL:
            return None
        if (entry := self._people.chosen_entry) is not None:
            return self._of_entry(entry)
        if (person := self._people.chosen_person) is not None:
            beside = self._typed_beside(person.id)
            listed = _first_of(self._administers(person.id), self._posts(person.id))
            return _of_person(person, listed, beside)
        return None

    @property
    def hint(self) -> str:
        """What to say where there is neither `detail` nor `several` to show."""
        return self._people.detail_hint

    def copy_emails(self) -> None:
        """Copy the email addresses of all who are chosen."""
        self._people.copying.copy(What.EMAIL)

    def decide(self, entry: OutboxEntry, decision: Decision) -> None:
        """Do what a person says about an entry; correcting it is the quick-add line's."""
        if decision is Decision.UNDO:
            self._undo(entry.id)
        else:
            self._people.entry_actions.decide(entry.id, decision)

    def _of_entry(self, entry: OutboxEntry) -> Detail:
        entry_actions, new_person = self._people.entry_actions, entry.new_person
        return Detail(
            name=new_person.full_name,
            initials=initials(new_person.full_name),
            badges=(state_words(entry.state),) if entry.state is not EntryState.WAITING else (),
            fields=(
                DetailField(tr("Email"), given(new_person.email), new_person.email),
                *_beside(new_person),
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
            *_beside(beside),
        ),
        administers=listed,
        administers_more=more,
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
    others = posts - (MOST_LINKS - left)
    more = trn("and {count} more", "and {count} more", others, count=number(others))
    return tuple(kept), more if others > 0 else ""


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
        (person.admin, tr("Administrator")),
        (person.archived, tr("Archived")),
    )
    missing = [name for flag, name in flags if flag is None]
    return (DetailField(", ".join(missing), given(None)),) if missing else ()


def _moment(moment: datetime | None) -> str:
    return given(None) if moment is None else day_and_clock(moment)


def _beside(typed: NewPerson | None) -> tuple[DetailField, ...]:
    """What was typed and cannot be sent, to be copied from here."""
    if typed is None:
        return ()
    fields = ((tr("Phone, kept here"), typed.phone), (tr("Not used"), typed.leftover))
    return tuple(DetailField(name, value, value) for name, value in fields if value)
