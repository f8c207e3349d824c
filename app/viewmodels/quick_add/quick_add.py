"""The quick-add line: what is typed, how it is read, and handing it to the outbox."""

from collections.abc import Sequence
from threading import Thread

from msgspec.structs import replace
from PySide6.QtCore import Signal

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.duplicate_index import DuplicateIndex, DuplicatesKnown, Key, KnownPerson
from app.outbox.events import BatchesChanged, EntriesChanged
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReading, FirstReadingChanged, UncomparedPeople
from app.people.duplicates import Match
from app.people.parsing.email import EmailRemark, check_email
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.settings import SettingsStore
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.quick_add.input_history import LineRecall
from app.viewmodels.quick_add.quick_add_state import (
    QuickAddFacts,
    QuickAddState,
    Remark,
    at_sign_words,
    behind_words,
    draft_words,
    given_words,
    left_words,
    quick_add_state,
    saved_words,
    sent_words,
    too_late_words,
    unchanged_words,
)
from app.viewmodels.quick_add.typed_line import (
    Field,
    LineReader,
    TypedLine,
    draft_of,
    has_at_sign,
    lines_of,
    same_at_start,
)
from app.viewmodels.screen import Screen

_SEVERAL = 2
_LONGEST_LINE = 5_000
"""Characters, several times what a signature has; what is longer is nobody's line, and would be
read anew at each key.
"""


class QuickAdd(Screen[QuickAddState]):
    """One line being typed, and those before it.

    A line is cleared only once the outbox has taken it; Escape puts it where Up finds it again. An
    entry that is edited stays in the outbox, held, and as it was until Enter replaces it.
    Key by key it is kept as half typed, so that a killed program has it at its next start.
    """

    line_replaced = Signal()
    """The typed line itself was set from here: cleared after saving, or filled again."""
    list_pasted = Signal(object)
    """Carries a text that says several people, to be looked over as a list."""
    line_offered = Signal()
    """What stands in the line may be another person's soon: typing is to replace it as a whole."""
    line_mended = Signal()
    """A word of the typed line was set right from here, as if somebody had typed it."""

    def __init__(
        self,
        outbox: Outbox,
        duplicates: DuplicateIndex,
        settings: SettingsStore,
        events: EventBus,
        scope: TaskScope,
        *,
        lists: ProgressScreen | None = None,
        uncompared: UncomparedPeople | None = None,
    ) -> None:
        """An empty line, read as `settings` say; `lists` are on their way beside it. Whoever is
        added is held by `uncompared` while there is no list to compare them with.
        """
        super().__init__(quick_add_state(QuickAddFacts()))
        self._outbox = outbox
        self._lists = lists
        self._uncompared = uncompared
        self._duplicates = duplicates
        self._reader = LineReader(settings)
        self._is_ready = False
        self._recall = LineRecall(outbox, self._reader)
        self._line = TypedLine()
        self._said: Remark | None = None
        self._saved: OutboxEntry | None = None
        self._matches: tuple[Match[KnownPerson], ...] = ()
        self._warned = False
        self._person = NewPerson()
        self._email_remark: EmailRemark | None = None
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(BatchesChanged, self._batches_changed, scope)
        events.subscribe(DuplicatesKnown, self._duplicates_known, scope)
        events.subscribe(FirstReadingChanged, self._first_reading_changed, scope)

    # Typing

    def take_up_draft(self, *, at_start: bool = True) -> None:
        """Bring back what was half typed when the program ended, or this account was closed."""
        lines = lines_of(self._outbox.store.draft())
        if lines:
            self._recall.take_up(lines[1:])
            self._fill(lines[0])
            if at_start:
                self._say(draft_words())

    def type(self, text: str, *, over: tuple[int, int] | None = None) -> None:
        """The line now says `text`; fields corrected by hand stay as they were corrected.

        `over`: from where to where of what stood there it was typed. Over all of it, that is
        somebody else, and Up brings back whoever stood there. Several people that are pasted are a
        list: the line stays as it was. Emptying the line of an entry leaves that as it was.
        """
        before = self._line.typed
        pasted = _inserted(before, text, over)
        if len(pasted) > 1 and _is_list(pasted):
            self.line_replaced.emit()
            self.list_pasted.emit(pasted)
            return
        if self._recall.editing is not None and not text.strip():
            self._leave()
            return
        if before and over == (0, len(before)):
            self._line = self._recall.typed_over(self._line)
        self._set(self._line.saying(text))

    def edit(self, name: Field, value: str) -> None:
        """The person corrected one field of the reading by hand."""
        self._set(self._line.with_field(name, value, self._reader))

    def put_email_in_its_field(self) -> None:
        """Somebody has left a field: an email in that of a name was meant for its own."""
        line = self._line.with_email_in_its_field(self._reader)
        if line != self._line:
            self._set(line)

    def mend(self) -> None:
        """Put the email right as offered: in the line if it stands there, else in its field."""
        wrong, meant = self._person.email, self.state.repair
        if meant is None:
            return
        mended = self._line.saying(self._line.typed.replace(wrong, meant))
        if mended != self._line and mended.reading(self._reader).email == meant:
            self._set(mended)
            self.line_mended.emit()
        else:
            self.edit("email", meant)

    def give(self, text: str) -> bool:
        """Put somebody into the line who was named outside of the window, once whoever was named
        so before is added or put away, and say so while that one stands there; what was being typed
        there comes back after them all. False, and nothing happens, where `text` says several.
        """
        if says_several(text):
            return False
        given = " ".join(text.split())
        if given:
            self._recall.give(given)
            line = self._recall.bring_waiting(self._line)
            if line is not None:
                self._fill(line)
            self._keep_draft()
            self._say_who_comes()
            self._tell()
        return True

    def drop_last_name(self) -> bool:
        """Keep the last name no longer; False when none is kept."""
        kept = bool(self._line.kept)
        if kept:
            self._set(replace(self._line, kept=""))
        return kept

    def reread(self) -> None:
        """Read the line anew: the order of names is another."""
        self._show_reading()

    # Saving

    def save(self, *, keep_last_name: bool = False) -> bool:
        """Hand the line to the outbox; True when it was taken and the next can be typed.

        `keep_last_name`: the next person has the same last name, unless the line says another.
        A line put aside for this one comes back; who is almost surely there has to be saved twice.
        """
        self.put_email_in_its_field()
        if self._line.empty or self._is_handed_over() or self._warns():
            return False
        person = self._person
        if has_at_sign(person.firstname) or has_at_sign(person.lastname):
            self._say(at_sign_words(), calm=False)
            self.line_offered.emit()
            return False
        try:
            if self._uncompared is not None and self._first_reading is FirstReading.MISSING:
                self._uncompared.send_all_the_same()
            entry = self._recall.hand_over(self._line, person)
        except ExpectedError as error:
            self._say(error.message, calm=False)
            self.line_offered.emit()
            return False
        self._come_to(self._recall.saved(entry, keep_last_name=keep_last_name))
        # What was half typed is gone on with: nothing of it is offered to be typed over.
        if not self._line.given:
            self._say(saved_words(person, going_on=not self._line.empty))
            self._saved = entry
        return True

    def _is_handed_over(self) -> bool:
        """Several people that were typed one behind the other are a list as well."""
        if not self._is_several:
            return False
        typed = self._line.typed
        self._fill(self._recall.leave(self._line))
        self.list_pasted.emit(typed)
        return True

    def _warns(self) -> bool:
        """Who was sent already, or is almost surely there, is added only by a second Enter."""
        if self._warned or not self._person.full_name:
            return False
        if self._duplicates.busy:
            self._duplicates.look_up(self._person)
            self._matches = self._who_is_alike()
        again = self._recall.repeats(self._person)
        nobody_knows = self._first_reading is FirstReading.MISSING
        self._warned = again or nobody_knows or any(match.certain for match in self._matches)
        self._tell()
        if self._warned:
            self.line_offered.emit()
        return self._warned

    # Going back

    def back(self) -> bool:
        """Bring the line before this one back; False when there is none.

        An entry that still waits, or was refused, is edited.
        """
        return self._go(self._recall.back(self._line))

    def forward(self) -> bool:
        """Go on to the line after this one; False where a new line is being typed."""
        return self._go(self._recall.forward(self._line))

    def correct(self, entry: OutboxEntry) -> None:
        """Edit an entry in the line; what stood there comes back after it."""
        line = self._recall.edit(entry.id, self._line)
        if line is None:
            self._say(too_late_words(), calm=False)
        else:
            self._go(line)
            self._offered()

    def escape(self) -> bool:
        """Leave an earlier line, else drop the last name kept, else put the line away.

        False when there was nothing of it: then the person wants to leave the line itself.
        """
        if not self._recall.recalled:
            if self.drop_last_name():
                return True
            if self._line.empty:
                return False
        self._leave()
        return True

    # Taking back

    def undo_last(self) -> bool:
        """Undo the last thing; False when there is nothing to undo.

        That is: leave an earlier line, or take back a list that is still held and was taken after
        everybody else, or bring back the line that was put away, or take back the newest entry
        that is still held.
        """
        if self._recall.recalled:
            self._leave()
            self._offered()
            return True
        if self._line.empty and self._lists is not None and self._lists.take_back_newest():
            return True
        if self._line.empty and (line := self._recall.bring_back()) is not None:
            self._fill(line)
            self._offered()
            return True
        entry_id = self._recall.newest_held()
        if entry_id is not None:
            return self.undo(entry_id)
        if name := self._recall.newest_sent():
            self._say(sent_words(name), calm=False)
        return False

    def undo(self, entry_id: str) -> bool:
        """Take one held entry back: into the line, or behind it while something stands there."""
        if self._recall.editing is not None and self._recall.editing.id == entry_id:
            self._leave()
        try:
            line = self._recall.take_back(entry_id, self._line)
        except ExpectedError as error:
            self._say(error.message, calm=False)
            return False
        if line is None:
            self._say(too_late_words(), calm=False)
        elif line is self._line:
            self._say(left_words())
        else:
            self._fill(line)
            self._offered()
        return line is not None

    # How it is done

    def _entries_changed(self, event: EntriesChanged) -> None:
        """What was said about saving somebody ends once they no longer wait to be sent."""
        edited = self._recall.editing
        if edited is not None and any(one.id == edited.id for one in event.removed):
            self._recall.entry_is_gone()
            self._set(self._line)
        if self._saved is None:
            return
        saved = self._saved.id
        if any(one.id == saved and one.state is not EntryState.WAITING for one in event.changed):
            self._said = self._saved = None
            self._tell()

    def _batches_changed(self, _event: BatchesChanged) -> None:
        """What was promised of a key ends once it takes back a list."""
        undoes_list = self._lists is not None and self._lists.newest_to_take_back() is not None
        if self._saved is not None and undoes_list:
            self._said = self._saved = None
            self._tell()

    def _offered(self) -> None:
        """What stands in the line now may be typed over."""
        if not self._line.empty:
            self.line_offered.emit()

    def _go(self, line: TypedLine | None) -> bool:
        if line is not None:
            self._fill(line)
        return line is not None

    def _leave(self) -> None:
        unchanged = self._recall.is_saved(self._line)
        self._come_to(self._recall.leave(self._line))
        if not self._line.given:
            self._say(unchanged_words() if unchanged else left_words())

    def _come_to(self, line: TypedLine) -> None:
        """Have `line` stand here, or what waits behind it."""
        self._fill(self._recall.bring_waiting(line) or line)
        self._say_who_comes()

    def _say_who_comes(self) -> None:
        """Who stands there was named outside of the window, and who comes next."""
        if self._line.given:
            behind = self._recall.next_waiting
            self._say(" ".join([given_words(), *([behind_words(behind)] if behind else ())]))

    def _fill(self, line: TypedLine) -> None:
        self._set(line)
        self.line_replaced.emit()

    def _set(self, line: TypedLine) -> None:
        self._line = line
        self._said = self._saved = None
        self._warned = False
        self._keep_draft()
        self._show_reading()

    def _keep_draft(self) -> None:
        self._outbox.store.keep_draft(draft_of(self._recall.unsaved(self._line)))

    def _duplicates_known(self, _event: DuplicatesKnown) -> None:
        if not self._is_ready:
            self._is_ready = True
            Thread(target=self._reader.load, name="loading", daemon=True).start()
        before, self._matches = self._matches, self._who_is_alike()
        if not _certain(self._matches) <= _certain(before):
            # Of these nobody was warned.
            self._warned = False
        self._tell()

    @property
    def _first_reading(self) -> FirstReading:
        uncompared = self._uncompared
        return FirstReading.DONE if uncompared is None else uncompared.first_reading

    def _first_reading_changed(self, _event: FirstReadingChanged) -> None:
        # What another Enter does is another now.
        self._warned = False
        self._tell()

    def _who_is_alike(self) -> tuple[Match[KnownPerson], ...]:
        """Nobody, where there is nobody yet to be like."""
        if self._line.empty:
            return ()
        entry = self._recall.editing
        return self._duplicates.of(self._person, besides=None if entry is None else entry.id)

    def _show_reading(self) -> None:
        before, self._person = self._person, self._line.reading(self._reader)
        if self._person.email != before.email:
            self._email_remark = check_email(self._person.email)
        self._matches = self._who_is_alike()
        self._tell()

    def _say(self, words: str, *, calm: bool = True) -> None:
        self._said, self._saved = Remark(words, calm), None
        self._tell()

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the line."""
        self._set_state(quick_add_state(self._facts()))

    def _facts(self) -> QuickAddFacts:
        return QuickAddFacts(
            line=self._line,
            person=self._person,
            email_remark=self._email_remark,
            matches=self._matches,
            warned=self._warned,
            said=self._said,
            editing=self._recall.editing,
            recalled=self._recall.recalled,
            unsaved=any(not line.empty for line in self._recall.unsaved(self._line)),
            behind=self._recall.behind_count,
            first_reading=self._first_reading,
            several=self._is_several,
        )

    @property
    def _is_several(self) -> bool:
        """Whether Enter leads to a list, as the card then says."""
        return not self._recall.recalled and _is_list(self._line.typed)


def _certain(matches: Sequence[Match[KnownPerson]]) -> frozenset[Key]:
    return frozenset(match.person.id for match in matches if match.certain)


def _inserted(before: str, text: str, over: tuple[int, int] | None) -> str:
    """What of `text` has come between the beginning and the end that it has from `before`.

    Where nobody knows what was typed `over`, they are as long as can be.
    """
    if over is not None:
        head, behind = before[: over[0]], before[over[1] :]
        if text.startswith(head) and text[len(head) :].endswith(behind):
            return text[len(head) : len(text) - len(behind)]
    first = same_at_start(before, text)
    last = same_at_start(before[first:][::-1], text[first:][::-1])
    return text[first : len(text) - last]


def says_several(text: str) -> bool:
    """Whether somebody who names people outside of the window names several: there, each line is
    somebody.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= _SEVERAL or _is_list(text)


def _is_list(text: str) -> bool:
    """Whether `text` says several people; also where only a list has room for it."""
    if len(text) > _LONGEST_LINE:
        return True
    if len(text.splitlines()) < _SEVERAL and text.count("@") < _SEVERAL:
        return False
    # Reading lists is imported when there is one: no start has to wait for it.
    from app.importing.reading import looks_like_many  # noqa: PLC0415 - see above

    return looks_like_many(text)
