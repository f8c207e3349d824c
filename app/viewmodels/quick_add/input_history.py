"""The lines of this run, newest last, and which of them stands in the quick-add line again.

Lines that were saved and lines that were put away, as a shell remembers its commands. What became
of a saved one is the outbox's to say.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.outbox import Outbox
from app.runtime.words import tr
from app.store.errors import StoreError
from app.viewmodels.quick_add.typed_line import FIELDS, LineReader, TypedLine, draft_of, line_of

_LEFT = frozenset({EntryState.SENDING, EntryState.ADDED, EntryState.NOT_SURE})


class Origin(StrEnum):
    """Where the line comes from, and with it what Enter and Escape do to it."""

    NEW = "new"
    """Being typed. Enter adds it."""
    CORRECTING = "correcting"
    """An entry that was held, out of the list. Enter adds it corrected, Escape as it was."""
    REFUSED = "refused"
    """An entry the service did not take. Enter sends it corrected, Escape leaves it alone."""
    NOT_ADDED = "not added"
    """Taken back or put away before. Enter adds it, Escape puts it away once more."""
    AGAIN = "again"
    """A copy of an entry that has left. Enter adds a second person, Escape does nothing to it."""


class PastLine(msgspec.Struct, frozen=True):
    """One line. `entry_id` is the entry it became; None while it is not, or no longer, in the list.

    `changed` is how the line stood when it was brought back, corrected, and left without saving.
    One that `waits` comes into the line by itself, and is kept over a restart until it is added or
    put away; one that was `given` was named outside of the window, and comes before what was typed.
    """

    line: TypedLine
    entry_id: str | None = None
    changed: TypedLine | None = None
    waits: bool = False
    given: bool = False


class InputHistory:
    """Going back and forward; `current` is None while a new line is being typed."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._lines: list[PastLine] = []
        self._place: int | None = None

    @property
    def current(self) -> PastLine | None:
        """The line that was brought back, or None."""
        return None if self._place is None else self._lines[self._place]

    @property
    def newest(self) -> PastLine | None:
        """The line that was remembered last, or None."""
        return self._lines[-1] if self._lines else None

    def newest_first(self) -> Iterator[PastLine]:
        """Every line, the newest first."""
        return reversed(self._lines)

    def remember(
        self,
        line: TypedLine,
        entry_id: str | None = None,
        *,
        waits: bool = False,
        given: bool = False,
    ) -> None:
        """Put a line behind the others."""
        self._lines.append(PastLine(line, entry_id, waits=waits, given=given))

    @property
    def waiting(self) -> Sequence[TypedLine]:
        """Those that wait, without the current one, in the order in which they come."""
        here = self.current
        lines = [self._lines[place] for place in self._waiting_places()]
        return [one.changed or one.line for one in lines if one is not here]

    def bring_waiting(self) -> PastLine:
        """Go to the first of them but the current one; raises LookupError where there is none."""
        places = [place for place in self._waiting_places() if place != self._place]
        if not places:
            raise LookupError
        self._place = places[0]
        return self._lines[self._place]

    def _waiting_places(self) -> Sequence[int]:
        """Whoever was given first, then what was typed; of both the oldest first."""
        places = (place for place, one in enumerate(self._lines) if one.waits)
        return sorted(places, key=lambda place: not self._lines[place].given)

    def set_waiting(self, *, waits: bool) -> None:
        """Whether the current line comes by itself; one that was put away does not: it comes back
        only where somebody goes to it.
        """
        if self._place is not None:
            self._lines[self._place] = replace(self._lines[self._place], waits=waits)

    @property
    def can_go_back(self) -> bool:
        """Whether there is an older line than the current one."""
        return bool(self._lines) and self._place != 0

    def back(self) -> PastLine:
        """Go to the line before; raises LookupError where there is none."""
        if not self.can_go_back:
            raise LookupError
        self._place = (len(self._lines) if self._place is None else self._place) - 1
        return self._lines[self._place]

    def forward(self) -> PastLine | None:
        """Go to the line after; None behind the newest, where a new line is typed."""
        after = None if self._place is None else self._place + 1
        self._place = after if after is not None and after < len(self._lines) else None
        return self.current

    def bring(self, entry_id: str, line: TypedLine) -> PastLine:
        """Go to the line that became this entry; `line` is remembered when none did."""
        places = [place for place, one in enumerate(self._lines) if one.entry_id == entry_id]
        if not places:
            self.remember(line, entry_id)
        self._place = places[-1] if places else len(self._lines) - 1
        return self._lines[self._place]

    def leave(self) -> None:
        """A new line is typed again."""
        self._place = None

    def leave_as_newest(self) -> None:
        """The same; going back finds the line that is left first."""
        if self._place is not None:
            self._lines.append(self._lines.pop(self._place))
            self._place = None

    def update(
        self, *, line: TypedLine | None = None, entry_id: str | None, changed: TypedLine | None
    ) -> None:
        """The current line is another one; without `line` its words stay. No-op when none is."""
        if self._place is not None:
            one = self._lines[self._place]
            self._lines[self._place] = replace(
                one, line=line or one.line, entry_id=entry_id, changed=changed
            )

    def drop(self) -> None:
        """Forget the current line: it is about to be remembered as something else."""
        if self._place is not None:
            del self._lines[self._place]
            self._place = None

    def taken_back(self, entry_id: str, line: TypedLine) -> None:
        """The line that became this entry is in the list no longer: it comes right after the
        current one, or is the newest where none is.
        """
        here = self.current
        self._lines = [one for one in self._lines if one.entry_id != entry_id]
        self._place = next((n for n, one in enumerate(self._lines) if one is here), None)
        after = len(self._lines) if self._place is None else self._place + 1
        self._lines.insert(after, PastLine(line))


class LineRecall:
    """Knows where the present line comes from (`origin`, and the `entry` if there is one).

    Methods take the line as it stands and give the one that stands there next. They raise
    ExpectedError, and change nothing, when the outbox does not take an entry; where something was
    done by then, `instead` is the line that stands there now.
    """

    def __init__(self, outbox: Outbox, reader: LineReader) -> None:
        """Nothing has been typed yet."""
        self._outbox = outbox
        self._reader = reader
        self._memory = InputHistory()
        self._draft = TypedLine()
        self._shown = TypedLine()
        self._may_wait_again = False
        self.origin = Origin.NEW
        self.entry: OutboxEntry | None = None
        self.instead: TypedLine | None = None

    @property
    def name(self) -> str:
        """The name of the entry the line comes from; blank without one."""
        return self.entry.new_person.full_name if self.entry is not None else ""

    @property
    def can_go_back(self) -> bool:
        """Whether there is a line before this one."""
        return self._memory.can_go_back

    @property
    def last_was_put_away(self) -> bool:
        """Whether the newest line is in no list: put away, or taken back."""
        newest = self._memory.newest
        return newest is not None and newest.entry_id is None

    @property
    def behind_count(self) -> int:
        """How many lines wait behind this one, to come into the line by themselves."""
        return len(self._memory.waiting)

    @property
    def next_waiting(self) -> str:
        """What the first of them says; blank where none waits."""
        line = next(iter(self._memory.waiting), TypedLine())
        return line.typed or line.reading(self._reader).full_name

    @property
    def has_waited(self) -> bool:
        """Whether this line came by itself, too, and is not added yet."""
        current = self._memory.current
        return current is not None and current.waits

    @property
    def is_given(self) -> bool:
        """Whether this line was named outside of the window."""
        current = self._memory.current
        return current is not None and current.given

    @property
    def holds_somebody(self) -> bool:
        """Whether an entry is out of the list for this line, or a line waits behind it."""
        behind = not self._draft.empty or bool(self._memory.waiting)
        return self.origin is Origin.CORRECTING or behind

    def unsaved(self, line: TypedLine) -> tuple[TypedLine, ...]:
        """`line`, as it stands, and those behind it, where they are in no list."""
        waiting = self._memory.waiting
        if self.origin is Origin.NEW:
            return (line, *waiting)
        elsewhere = self.origin in {Origin.REFUSED, Origin.AGAIN} and line == self._shown
        return (*(() if elsewhere else (line,)), *waiting, self._draft)

    def take_up(self, lines: Sequence[TypedLine]) -> None:
        """Lines of an earlier run: they come after the one that stands there, and going back finds
        them before that.
        """
        for line in lines:
            self._memory.remember(line, waits=not line.empty, given=True)

    @property
    def shown(self) -> TypedLine:
        """The line as it was brought back."""
        return self._shown

    def differs(self, person: NewPerson) -> bool:
        """Whether `person` is another one than the line said when it was brought back."""
        before = self.entry.new_person if self.entry else self._shown.reading(self._reader)
        return any(getattr(before, name) != getattr(person, name) for name in FIELDS)

    # Moving

    def back(self, line: TypedLine) -> TypedLine:
        """The line before this one; raises LookupError where there is none."""
        self._put_aside(line)
        return self._recall(self._memory.back())

    def forward(self, line: TypedLine) -> TypedLine:
        """The line after this one, at last the one that was being typed."""
        self._put_aside(line)
        later = self._memory.forward()
        return self._back_to_new() if later is None else self._recall(later)

    def leave(self, line: TypedLine) -> TypedLine:
        """The line that was being typed; what this one came from stays as it was.

        One that is in no list is what going back finds first.
        """
        not_added = self.origin is Origin.NOT_ADDED
        self._put_aside(line)
        if not_added:
            self._memory.set_waiting(waits=False)
            self._memory.leave_as_newest()
        return self._back_to_new()

    def leave_for_another(self, line: TypedLine, *, emptied: bool) -> TypedLine:
        """The same, for somebody who is typed in its place: going back finds both lines then, and
        where this one waited, they come back by themselves; not this one where it was `emptied`.
        """
        waits = self._may_wait_again = self.has_waited
        if not self._draft.empty:
            self._memory.remember(self._draft, waits=waits)
            self._draft = TypedLine(kept=self._draft.kept)
        if emptied or not waits:
            return self.leave(line)
        self._put_aside(line)
        self._memory.leave_as_newest()
        return self._back_to_new()

    def return_from_another(self, line: TypedLine) -> TypedLine:
        """The line that was left so: what was typed in its place, now `line`, is undone."""
        left = self.back(line)
        self._memory.set_waiting(waits=self._may_wait_again)
        return left

    def correct(self, entry: OutboxEntry, line: TypedLine) -> TypedLine:
        """The line of `entry`, wherever it was typed."""
        self._put_aside(line)
        return self._recall(self._memory.bring(entry.id, line_of(entry, self._reader)))

    def give(self, text: str) -> None:
        """Have a line that says `text` come into the line; those given before it come first."""
        self._memory.remember(TypedLine(text), waits=True, given=True)

    @property
    def next_may_come(self) -> bool:
        """Whether a line waits, and none that has waited stands there still."""
        return not self.has_waited and bool(self._memory.waiting)

    def bring_waiting(self, line: TypedLine) -> TypedLine:
        """The first line that waits; what is being typed, or was taken back and stands there, comes
        back after it. Raises LookupError where none waits.
        """
        if self.origin is Origin.NOT_ADDED and not line.empty:
            self._memory.set_waiting(waits=True)
        self._put_aside(line)
        return self._recall(self._memory.bring_waiting())

    def put_away(self, line: TypedLine) -> TypedLine:
        """An empty line; this one is remembered though it is not saved."""
        self._memory.remember(line)
        return TypedLine()

    # Saving and taking back

    def hand_over(self, line: TypedLine, person: NewPerson) -> OutboxEntry:
        """Give the person to the outbox: as a new entry, or in the place of a refused one."""
        if self.origin is not Origin.REFUSED or self.entry is None:
            return self._outbox.add(line.typed, person)
        entry = self._outbox.edit(self.entry.id, person)
        if entry is None:
            raise ExpectedError(
                tr("Too late"),
                tr("That person was sent meanwhile. Press Escape to leave the line."),
            )
        return entry

    def saved(self, entry: OutboxEntry, *, keep_last_name: bool) -> TypedLine:
        """What is typed next, after this line became `entry`."""
        following = self._following(entry.new_person, keep_last_name=keep_last_name)
        line, current = line_of(entry, self._reader), self._memory.current
        if self.origin is Origin.REFUSED:
            self._memory.update(line=line, entry_id=entry.id, changed=None)
        elif self.origin is Origin.AGAIN and current is not None:
            self._memory.update(entry_id=current.entry_id, changed=None)
            self._memory.leave()
            self._memory.remember(line, entry.id)
        else:
            self._memory.drop()
            self._memory.remember(line, entry.id)
        self._draft = following
        return self._back_to_new()

    def take_back(self, entry_id: str) -> OutboxEntry | None:
        """Take a held entry out of the list; its line comes after this one. None if it has left."""
        entry = self._outbox.undo(entry_id)
        if entry is not None:
            self._memory.taken_back(entry.id, line_of(entry, self._reader))
        return entry

    def newest_held(self) -> str | None:
        """The entry that was saved last of those still held: of this run first."""
        ours = (self._outbox.entry(one.entry_id) for one in self._memory.newest_first())
        held = (entry for entry in ours if entry and entry.state is EntryState.WAITING)
        newest = next(held, None) or self._outbox.newest_waiting()
        return None if newest is None else newest.id

    def newest_sent(self) -> str:
        """The name of who was saved last in this run and has left; blank where nobody has."""
        ours = (self._outbox.entry(one.entry_id) for one in self._memory.newest_first())
        left = (entry for entry in ours if entry and entry.state in _LEFT)
        newest = next(left, None)
        return "" if newest is None else newest.new_person.full_name

    # How it is done

    def _following(self, person: NewPerson, *, keep_last_name: bool) -> TypedLine:
        from app.people.parsing.entry_parser import last_name_to_keep  # noqa: PLC0415 - not to start

        if self.origin is Origin.NEW or (keep_last_name and self._draft.empty):
            return TypedLine(kept=last_name_to_keep(person) if keep_last_name else "")
        line = self._draft
        if self.entry and line.kept and line.kept == last_name_to_keep(self.entry.new_person):
            # The one who gave the family its name was corrected.
            return TypedLine(line.typed, line.edited, last_name_to_keep(person))
        return line

    def _put_aside(self, line: TypedLine) -> None:
        current = self._memory.current
        if current is None:
            self._draft = line
            return
        worth = line if line != self._shown and not line.empty else None
        if self.origin is Origin.NOT_ADDED:
            self._memory.update(line=worth, entry_id=None, changed=None)
            return
        entry_id = current.entry_id
        if self.origin is Origin.CORRECTING and self.entry is not None:
            entry_id = self._outbox.put_back(self.entry.typed, self.entry.new_person).id
        self._memory.update(entry_id=entry_id, changed=worth)

    def _recall(self, one: PastLine) -> TypedLine:
        self.entry = self._outbox.entry(one.entry_id)
        try:
            self.origin = self._origin_of(one)
        except StoreError:
            self.instead = self._back_to_new()
            raise
        self._shown = one.line if self.entry is None else line_of(self.entry, self._reader)
        return one.changed or self._shown

    def _origin_of(self, one: PastLine) -> Origin:
        if one.entry_id is None:
            return Origin.NOT_ADDED
        if self.entry is not None and self.entry.state is EntryState.REFUSED:
            return Origin.REFUSED
        return Origin.CORRECTING if self._taken_out() else Origin.AGAIN

    def _taken_out(self) -> bool:
        """Take the entry out of the list for correcting; False when it has left."""
        if self.entry is None or self.entry.state is not EntryState.WAITING:
            return False
        # Kept as half typed before it is in no list: the program may be killed in between.
        lines = (line_of(self.entry, self._reader), *self._memory.waiting, self._draft)
        self._outbox.keep_draft(draft_of(lines))
        return self._outbox.undo(self.entry.id) is not None

    def _back_to_new(self) -> TypedLine:
        self._memory.leave()
        self.origin, self.entry = Origin.NEW, None
        line, self._draft = self._draft, TypedLine()
        return line
