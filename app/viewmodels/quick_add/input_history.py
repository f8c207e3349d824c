"""The lines of this run, newest last, and which of them stands in the quick-add line again.

They are kept as a shell keeps its commands. Who still waits to be sent is edited in the line, and
stays in the outbox meanwhile.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.outbox import Outbox
from app.runtime.words import tr
from app.viewmodels.quick_add.typed_line import FIELDS, LineReader, TypedLine, line_of

_LEFT = frozenset({EntryState.SENDING, EntryState.ADDED, EntryState.NOT_SURE})


class PastLine(msgspec.Struct, frozen=True):
    """One line. `entry_id` is the entry it became; None where it was not added."""

    line: TypedLine
    entry_id: str | None = None


class LineRecall:
    """Going back and forward. Methods take the line as it stands and give the one that stands there
    next; the line being typed comes back behind the newest.

    `editing` is the entry that stands in the line, held until it is saved or left.
    """

    def __init__(self, outbox: Outbox, reader: LineReader) -> None:
        """Nothing has been typed yet."""
        self._outbox = outbox
        self._reader = reader
        self._past: list[PastLine] = []
        self._position: int | None = None
        self._draft = TypedLine()
        self._shown = TypedLine()
        self._waiting: list[TypedLine] = []
        self.editing: OutboxEntry | None = None

    @property
    def recalled(self) -> bool:
        """Whether an earlier line stands there."""
        return self._position is not None

    @property
    def behind_count(self) -> int:
        """How many lines wait behind this one, to come into the line by themselves."""
        return sum(not line.empty for line in self._waiting)

    @property
    def next_waiting(self) -> str:
        """The text of the first of them; blank where none waits."""
        line = next(iter(self._waiting), TypedLine())
        return line.typed or line.reading(self._reader).full_name

    def unsaved(self, line: TypedLine) -> tuple[TypedLine, ...]:
        """`line`, as it stands, and those behind it, where they are in no list."""
        here = () if self.is_saved(line) else (line,)
        return (*here, self._draft, *self._waiting)

    def is_saved(self, line: TypedLine) -> bool:
        """Whether `line` is that of an entry: one that is edited, or a copy not yet changed."""
        if self._position is None or self._edits:
            return self._edits
        return self._past[self._position].entry_id is not None and line == self._shown

    def repeats(self, person: NewPerson) -> bool:
        """Whether `person` is the very one of the line that was copied, and was saved before."""
        if self._position is None or self.editing is not None:
            return False
        before = self._shown.reading(self._reader)
        same = all(getattr(before, name) == getattr(person, name) for name in FIELDS)
        return same and self._past[self._position].entry_id is not None

    # Moving

    def back(self, line: TypedLine) -> TypedLine | None:
        """The line before this one, or None. The first is who was typed last before this run."""
        newest = None if self._past else self._outbox.index.newest_waiting()
        if newest is not None:
            self._past.append(PastLine(line_of(newest, self._reader), newest.id))
        before = len(self._past) if self._position is None else self._position
        if not before:
            return None
        self._put_aside(line)
        return self._go(before - 1)

    def forward(self, line: TypedLine) -> TypedLine | None:
        """The line after this one, at last the one that was being typed; None where it stands."""
        if self._position is None:
            return None
        after, count = self._position + 1, len(self._past)
        self._put_aside(line)
        return self._go(after) if after < count else self._to_draft()

    def edit(self, entry_id: str, line: TypedLine) -> TypedLine | None:
        """The line of an entry that waits or was refused; None for any other."""
        entry = self._outbox.index.get(entry_id)
        if entry is None or entry.state in _LEFT:
            return None
        self._put_aside(line)
        found = (n for n, one in enumerate(self._past) if one.entry_id == entry_id)
        position = next(found, len(self._past))
        if position == len(self._past):
            self._past.append(PastLine(line_of(entry, self._reader), entry_id))
        return self._go(position)

    def leave(self, line: TypedLine) -> TypedLine:
        """The line that was being typed. An entry stays as it was; Up brings any other line back
        first.
        """
        if not line.empty and not self.is_saved(line):
            self._drop_unsaved()
            self._past.append(PastLine(line))
        return self._to_draft()

    def typed_over(self, line: TypedLine) -> TypedLine:
        """Another person is typed over all of `line`: Up brings it back."""
        if self.editing is None and not line.empty and all(one.line != line for one in self._past):
            self._past.append(PastLine(line))
        return TypedLine(kept=line.kept)

    def entry_is_gone(self) -> None:
        """The entry that is edited was taken off the list elsewhere: its line is a new one, and the
        one that was being typed before waits behind it.
        """
        if not self._draft.empty:
            self._waiting.insert(0, self._draft)
        self._draft = TypedLine()
        self._position = self.editing = None

    # Lines that come by themselves

    def take_up(self, lines: Sequence[TypedLine]) -> None:
        """Lines of an earlier run come after the one that stands there."""
        self._waiting = list(lines)

    def give(self, text: str) -> None:
        """Have a line that says `text` come into the line, after those given before it."""
        given = sum(line.given for line in self._waiting)
        self._waiting.insert(given, TypedLine(text, given=True))

    def bring_waiting(self, line: TypedLine) -> TypedLine | None:
        """The first line that waits; None where there is none, or `line` does not give way to it.

        Whoever was named outside of the window comes before what is being typed.
        """
        if self._position is not None or not self._waiting:
            return None
        if not line.empty and (line.given or not self._waiting[0].given):
            return None
        if not line.empty or line.kept:
            self._waiting.append(line)
        return self._waiting.pop(0)

    # Saving and taking back

    def hand_over(self, line: TypedLine, person: NewPerson) -> OutboxEntry:
        """Give the person to the outbox: as a new entry, or in the place of the one edited."""
        if self.editing is None:
            return self._outbox.add(line.typed, person)
        # What is kept beside somebody stands in no line.
        before = self.editing.new_person
        phone, leftover = person.phone or before.phone, person.leftover or before.leftover
        person = replace(person, phone=phone, leftover=leftover)
        entry = self._outbox.edit(self.editing.id, line.typed, person)
        if entry is None:
            raise ExpectedError(
                tr("Too late"),
                tr("That person was sent meanwhile. Press Escape to leave the line."),
            )
        return entry

    def saved(self, entry: OutboxEntry, *, keep_last_name: bool) -> TypedLine:
        """What is typed next, after this line became `entry`."""
        following = self._following(entry.new_person, keep_last_name=keep_last_name)
        self._drop_unsaved()
        self._past = [one for one in self._past if one.entry_id != entry.id]
        self._past.append(PastLine(line_of(entry, self._reader), entry.id))
        self._draft = following
        return self._to_draft()

    def take_back(self, entry_id: str, line: TypedLine) -> TypedLine | None:
        """Take a held entry out of the list. Gives its line, and `line` back where that is not
        empty: then Up leads to it. None if the entry has left. Raises ExpectedError.
        """
        entry = self._outbox.undo(entry_id)
        if entry is None:
            return None
        here = None if self._position is None else self._past[self._position]
        self._past = [one for one in self._past if one.entry_id != entry_id]
        self._position = next((n for n, one in enumerate(self._past) if one is here), None)
        undone = line_of(entry, self._reader)
        if line.empty and self._position is None:
            return undone
        self._past.append(PastLine(undone))
        return line

    def bring_back(self) -> TypedLine | None:
        """The newest line where it was not added, to be typed on; else None."""
        if not self._past or self._past[-1].entry_id is not None:
            return None
        return self._past.pop().line

    def newest_held(self) -> str | None:
        """The entry that was saved last of those still held: of this run first."""
        held = (one for one in self._entries_of_this_run() if one.state is EntryState.WAITING)
        newest = next(held, None) or self._outbox.index.newest_waiting()
        return None if newest is None else newest.id

    def newest_sent(self) -> str:
        """The name of who was saved last in this run and has left; blank where nobody has."""
        left = (one for one in self._entries_of_this_run() if one.state in _LEFT)
        newest = next(left, None)
        return "" if newest is None else newest.new_person.full_name

    # How it is done

    @property
    def _edits(self) -> bool:
        """Whether the entry in the line is still held for it: closing sends whoever is held."""
        return self.editing is not None and self._outbox.index.edited == self.editing.id

    def _entries_of_this_run(self) -> Sequence[OutboxEntry]:
        entries = (self._outbox.index.get(one.entry_id) for one in reversed(self._past))
        return [entry for entry in entries if entry is not None]

    def _following(self, person: NewPerson, *, keep_last_name: bool) -> TypedLine:
        from app.people.parsing.entry_parser import last_name_to_keep  # noqa: PLC0415 - not to start

        if self._position is None or (keep_last_name and self._draft.empty):
            return TypedLine(kept=last_name_to_keep(person) if keep_last_name else "")
        line, edited = self._draft, self.editing
        if edited and line.kept and line.kept == last_name_to_keep(edited.new_person):
            # The one who gave the family its name was corrected.
            return replace(line, kept=last_name_to_keep(person))
        return line

    def _put_aside(self, line: TypedLine) -> None:
        """`line` is left by moving: the one being typed waits, a copy that was changed is kept."""
        if self._position is None:
            self._draft = line
        elif not line.empty and line != self._shown and not self._edits:
            self._past.append(PastLine(line))

    def _drop_unsaved(self) -> None:
        """Forget the line here where it was not added: it is remembered anew."""
        if self._position is not None and self._past[self._position].entry_id is None:
            del self._past[self._position]
            self._position = None

    def _go(self, position: int) -> TypedLine:
        self._position, past = position, self._past[position]
        self.editing = self._outbox.begin_edit(past.entry_id)
        self._shown = past.line if self.editing is None else line_of(self.editing, self._reader)
        return self._shown

    def _to_draft(self) -> TypedLine:
        self._position = self.editing = None
        self._outbox.end_edit()
        line, self._draft = self._draft, TypedLine()
        return line
