"""The quick-add line: what is typed, how it is read, and handing it to the outbox."""

from collections.abc import Callable
from typing import Literal

import msgspec
from PySide6.QtCore import QObject, Signal

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.people.outbox import Outbox
from app.runtime.words import tr

Field = Literal["firstname", "lastname", "email"]


class QuickAdd(QObject):
    """One line being typed. Nothing typed is cleared before the outbox has taken it."""

    changed = Signal()
    """The reading, the remark or the problem is another one."""
    line_replaced = Signal()
    """The typed line itself was set from here: cleared after saving, or filled again."""

    def __init__(
        self,
        outbox: Outbox,
        read: Callable[[str], NewPerson],
        remark_on: Callable[[str], str],
        parent: QObject | None = None,
    ) -> None:
        """`read` reads a line; `remark_on` says what looks wrong with an email, or nothing."""
        super().__init__(parent)
        self._outbox = outbox
        self._read = read
        self._remark_on = remark_on
        self._edited: dict[str, str] = {}
        self._editing: str | None = None
        self.typed = ""
        self.new_person = NewPerson()
        self.problem = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to save."""
        return not self.typed.strip() and not self._edited

    @property
    def remark(self) -> str:
        """What the person should know about this line before saving; it never blocks."""
        if self.problem:
            return self.problem
        kept = self.new_person.phone
        said = [
            self._remark_on(self.new_person.email),
            tr(
                "The account takes no phone number here: {phone} stays beside the entry.",
                phone=kept,
            )
            if kept
            else "",
            tr("Not used: {text}", text=self.new_person.leftover)
            if self.new_person.leftover
            else "",
        ]
        return "  ".join(sentence for sentence in said if sentence)

    def type(self, text: str) -> None:
        """The line now says `text`; fields corrected by hand stay as they were corrected."""
        self.typed = text
        if not text.strip():
            self._edited.clear()
        self.problem = ""
        self._reread()

    def edit(self, field: Field, value: str) -> None:
        """The person corrected one field of the reading by hand."""
        self._edited[field] = value
        self.problem = ""
        self._reread()

    def save(self) -> bool:
        """Hand the line to the outbox; True when it was taken and the line is clear again."""
        if self.empty:
            return False
        try:
            self._hand_over()
        except ExpectedError as error:
            self.problem = error.message
            self.changed.emit()
            return False
        self.clear()
        return True

    def clear(self) -> None:
        """Forget the line; an entry that was being corrected stays as it was."""
        self._editing = None
        self._fill("", {})

    def undo_last(self) -> bool:
        """Take back the newest entry that is still held, into the line."""
        waiting = [e for e in self._outbox.entries() if e.state is EntryState.WAITING]
        return bool(waiting) and self.undo(waiting[-1].id)

    def undo(self, entry_id: str) -> bool:
        """Take one held entry back into the line, unless something else is being typed there."""
        if (entry := self._outbox.undo(entry_id)) is None:
            return False
        if self.empty:
            self._fill_from(entry)
        return True

    def correct(self, entry: OutboxEntry) -> None:
        """Put an entry into the line to be corrected; saving replaces it."""
        self._editing = entry.id
        self._fill_from(entry)

    def _hand_over(self) -> None:
        if self._editing is None:
            self._outbox.add(self.typed, self.new_person)
        elif self._outbox.edit(self._editing, self.new_person) is None:
            raise ExpectedError(
                tr("Too late"),
                tr("That person was sent meanwhile. Press Escape to leave the line."),
            )

    def _fill_from(self, entry: OutboxEntry) -> None:
        read = self._read(entry.typed)
        kept = {
            field: getattr(entry.new_person, field)
            for field in ("firstname", "lastname", "email")
            if getattr(entry.new_person, field) != getattr(read, field)
        }
        self._fill(entry.typed, kept)

    def _fill(self, typed: str, edited: dict[str, str]) -> None:
        self.typed = typed
        self._edited = edited
        self.problem = ""
        self._reread()
        self.line_replaced.emit()

    def _reread(self) -> None:
        self.new_person = msgspec.structs.replace(self._read(self.typed), **self._edited)
        self.changed.emit()
