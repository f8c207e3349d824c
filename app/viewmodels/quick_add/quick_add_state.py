"""What a view shows of the quick-add line, and what it says: of its reading, of where the line came
from, of what was done.
"""

import msgspec

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.duplicate_index import KnownPerson
from app.outbox.uncompared_people import FirstReading
from app.people.duplicates import Match
from app.people.parsing.email import EmailRemark
from app.runtime.words import in_a_row, tr, trn
from app.viewmodels.already_here import DuplicateHint, duplicate_hint, hints_spoken
from app.viewmodels.notices import shortened
from app.viewmodels.quick_add.typed_line import FIELDS, Field, TypedLine


class Remark(msgspec.Struct, frozen=True):
    """One sentence below the line; `calm` where nothing has to be decided."""

    words: str
    calm: bool = True


class QuickAddFacts(msgspec.Struct, frozen=True):
    """What is known of the line."""

    line: TypedLine = msgspec.field(default_factory=TypedLine)
    person: NewPerson = msgspec.field(default_factory=NewPerson)
    """As the line is read."""
    email_remark: EmailRemark | None = None
    said: Remark | None = None
    """What was just done, or was in the way."""
    editing: OutboxEntry | None = None
    """The entry that is edited."""
    recalled: bool = False
    """Whether an earlier line stands here."""
    unsaved: bool = False
    """Whether something was typed that is in no list."""
    matches: tuple[Match[KnownPerson], ...] = ()
    """Who may be the same person."""
    warned: bool = False
    """Whether Enter was pressed once although it is almost surely somebody who is there."""
    first_reading: FirstReading = FirstReading.DONE
    """Whether there is a list that the person can be compared with."""
    behind: int = 0
    """How many lines wait behind this one, to come into the line by themselves."""
    several: bool = False
    """Whether the line says several people, of whom `person` is the first."""


class QuickAddState(msgspec.Struct, frozen=True):
    """What a view shows of the line. What does not apply is blank."""

    typed: str = ""
    """The text of the line."""
    empty: bool = True
    """Whether there is nothing to save."""
    holds_words: bool = False
    """Whether closing now would lose something that was typed."""
    recalled: bool = False
    """Whether an earlier line stands here, so that Up and Down go on from it."""
    kept_last_name: str = ""
    """The last name that the next person gets."""
    shows_reading: bool = False
    """Whether the fields of the reading say something."""
    placeholder: str = ""
    """What stands in the empty line."""
    person: NewPerson = msgspec.field(default_factory=NewPerson)
    """The line as it is read."""
    next_field: Field | None = None
    """What comes next after what stands in the line: where Tab leads; None where all is there."""
    repair: str | None = None
    """The email as it was probably meant; None where nothing better is known."""
    repair_words: str = ""
    """The offer to put it right."""
    email_fault: str = ""
    """What looks wrong with the email where nothing better is known."""
    hint: Remark = msgspec.field(default_factory=lambda: Remark(""))
    """What stands where the reading would be, while there is nothing to read."""
    remarks: tuple[Remark, ...] = ()
    """What to know about this line before saving; nothing of it blocks."""
    behind_words: str = ""
    """How many lines are not added yet, where more of them wait behind this one."""
    waiting_words: str = ""
    """The same for who does not see the line, if it is this one alone, too."""
    hints: tuple[DuplicateHint, ...] = ()
    """Who may be the same person, the likeliest first."""
    warning: str = ""
    """What another Enter does, where one was not enough."""

    said: str = ""
    """What stands there instead of how to begin: what became of somebody, or of a line."""

    @property
    def spoken(self) -> str:
        """The reading and the remarks as a screen reader tells them."""
        words = [reading_words(self.person), self.repair_words, self.email_fault]
        words += [remark.words for remark in self.remarks]
        words += [hints_spoken(self.hints), self.warning]
        words.append(self.behind_words)
        if not self.shows_reading:
            words.append(self.hint.words)
        return " ".join(part for part in words if part)

    @property
    def read_out(self) -> str:
        """What is read out as soon as it is true; the rest is heard of the line it describes.

        Not so what looks wrong with an email: while it is typed that is true of every one.
        """
        words = [self.repair_words, *(remark.words for remark in self.remarks)]
        words += [hints_spoken(self.hints), self.warning]
        return " ".join(part for part in words if part) or self.said


def quick_add_state(facts: QuickAddFacts) -> QuickAddState:
    """What a view shows once these are the facts."""
    line, looks_wrong = facts.line, facts.email_remark
    repair = looks_wrong.repair if looks_wrong is not None else None
    shows_reading = not line.empty or bool(line.kept)
    return QuickAddState(
        typed=line.typed,
        empty=line.empty,
        holds_words=facts.unsaved,
        recalled=facts.recalled,
        kept_last_name=line.kept,
        shows_reading=shows_reading,
        placeholder=placeholder(line.kept),
        person=facts.person,
        next_field=next((name for name in FIELDS if not getattr(facts.person, name)), None),
        repair=repair,
        repair_words=tr("Did you mean {email}?", email=repair) if repair else "",
        email_fault=looks_wrong.sentence if looks_wrong is not None and repair is None else "",
        hint=facts.said or Remark(idle_words()),
        said=facts.said.words if facts.said is not None else "",
        remarks=_remarks(facts, shows_reading=shows_reading),
        behind_words=_lines_words(facts) if facts.behind else "",
        waiting_words=_lines_words(facts),
        hints=tuple(map(duplicate_hint, facts.matches)),
        warning=_warning(facts) if facts.warned else "",
    )


def _remarks(facts: QuickAddFacts, *, shows_reading: bool) -> tuple[Remark, ...]:
    person, kept, said = facts.person, facts.line.kept, facts.said
    remarks = (
        said if shows_reading else None,
        editing_remark(facts.editing) if facts.editing is not None else None,
        Remark(kept_words(kept)) if kept else None,
        unread_remark(facts.first_reading) if shows_reading else None,
        Remark(phone_words()) if person.phone else None,
        Remark(several_words())
        if facts.several
        else Remark(leftover_words(person.leftover))
        if person.leftover
        else None,
    )
    return tuple(remark for remark in remarks if remark is not None)


def _lines_words(facts: QuickAddFacts) -> str:
    lines = facts.behind + facts.line.given
    return trn("{n} line not added yet", "{n} lines not added yet", lines) if lines else ""


def _warning(facts: QuickAddFacts) -> str:
    certain = any(match.certain for match in facts.matches)
    if facts.first_reading is FirstReading.MISSING and not certain:
        return all_the_same_words()
    return second_words()


def unread_remark(first_reading: FirstReading) -> Remark | None:
    """What is said while there is no list to compare with; None where there is one."""
    if first_reading is FirstReading.UNDER_WAY:
        return Remark(
            tr(
                "The list of the account is not read yet. Whoever you add waits until they "
                "are compared with it."
            )
        )
    if first_reading is FirstReading.MISSING:
        return Remark(
            tr(
                "The list of the account has not been read, so nobody knows who is there already. "
                "F5 reads it again."
            ),
            calm=False,
        )
    return None


def all_the_same_words() -> str:
    """What is said before somebody is added who was compared with nobody."""
    return tr("Enter again adds and sends all the same. Once sent, nobody can be taken back.")


def idle_words() -> str:
    """What stands below the empty line."""
    return tr(
        "Name in either order, email if there is one. Enter adds, Shift+Enter also keeps the last "
        "name for the next, Up brings the last line back."
    )


def placeholder(kept: str) -> str:
    """What stands in the empty line."""
    if kept:
        return tr("First name of the next {lastname}", lastname=kept)
    return tr("Add a person: Ada Lovelace ada@example.org")


def saved_words(person: NewPerson, *, going_on: bool) -> str:
    """What is said when the list has taken somebody, for as long as the entry waits; `going_on`:
    something stands in the line again, where Up first leads to its beginning.
    """
    if going_on:
        return tr("{name} added. Undo (Ctrl+Z)", name=person.full_name)
    return tr("{name} added. Undo (Ctrl+Z) · Edit (Up)", name=person.full_name)


def kept_words(kept: str) -> str:
    """What is said while a last name is kept."""
    return tr("The last name stays {lastname}. Escape drops it.", lastname=kept)


def phone_words() -> str:
    """What is said of a phone number."""
    return tr("The account takes no phone number here, so it stays beside the entry to copy.")


def several_words() -> str:
    """What is said where the line says several people."""
    return tr("Several people: Enter looks them over as a list.")


def leftover_words(leftover: str) -> str:
    """What is said of words that no field took."""
    return tr("Kept, not sent: {text}", text=" ".join(leftover.split()))


def second_words() -> str:
    """What is said before somebody is added who is almost surely there."""
    return tr("Enter again adds a second one. Once sent, nobody can be taken back.")


def left_words() -> str:
    """What is said when a line was put away, or an entry was taken back behind another line."""
    return tr("Not added. Press Up to bring it back.")


def unchanged_words() -> str:
    """What is said when the line of an entry was left."""
    return tr("Nothing was changed.")


def at_sign_words() -> str:
    """What is said of a name that has an at sign."""
    return tr("A name has no @. Put an email into its own field.")


def too_late_words() -> str:
    """What is said when an entry can no longer be taken back."""
    return tr("Too late to take back: that person was sent, and sent is final.")


def sent_words(name: str) -> str:
    """What is said to whoever wants somebody back who has left."""
    return tr("{name} was sent, and sent is final: the service takes nobody back.", name=name)


def editing_remark(entry: OutboxEntry) -> Remark:
    """What has to be known about the line of an entry that is edited."""
    if entry.state is EntryState.REFUSED:
        refused = entry.reason_words or tr("The account did not take this person.")
        return Remark(f"{refused} {tr('Correct it, then press Enter to send it.')}", calm=False)
    name = entry.new_person.full_name
    return Remark(tr("Editing {name}. Enter saves, Esc leaves it as it was.", name=name))


def reading_words(person: NewPerson) -> str:
    """The reading as a screen reader says it; blank when there is none."""
    parts = (
        (person.firstname, tr("first name {text}", text=person.firstname)),
        (person.lastname, tr("last name {text}", text=person.lastname)),
        (person.email, tr("email {text}", text=person.email)),
        (person.phone, tr("phone {text}", text=person.phone)),
    )
    read = in_a_row(words for value, words in parts if value)
    return tr("Read as {parts}.", parts=read) if read else ""


def given_words() -> str:
    """What is said of somebody who was named outside of the window."""
    return tr("You asked for this from outside the window. It is not added yet: Enter adds it.")


def behind_words(text: str) -> str:
    """What is said of somebody who was named so while another who was stands in the line."""
    return tr("“{text}” comes after this line.", text=shortened(text))


def draft_words() -> str:
    """What is said when a line stands there that was typed before the program ended, or before
    somebody signed out.
    """
    return tr("You had typed this earlier. It is not added yet.")
