"""Lists on their way to the page on which they are looked over: read behind the scenes, and kept,
over a restart too, until their people are added or they are discarded.

All ways in lead here: what was pasted, copied, dropped, chosen in a dialog or named on the command
line. What is on the page is known in `review_state`.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from app.importing.formats.reading_stop import ReadingStop
from app.importing.formats.source_table import SourceTable
from app.importing.list_name import COPIED, list_name, list_title
from app.model import field_limits
from app.model.errors import ExpectedError
from app.outbox.duplicate_index import DuplicateIndex, DuplicatesKnown
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReadingChanged, UncomparedPeople
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.settings.column_choices import ColumnChoices
from app.settings.settings import SettingsStore
from app.store.errors import StoreError
from app.store.outbox.reviews import KeptReview
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.importing.autosave import ReviewAutosave
from app.viewmodels.notices import losing_list_words, losing_lists_words, shortened

if TYPE_CHECKING:
    from app.importing.review import Review, ReviewChanges
    from app.people.parsing.entry_parser import NameOrder
    from app.viewmodels.importing.review import PutAwayList, ReviewScreen

_log = logging.getLogger(__name__)
_SAID_AFTER = 0.4
"""Seconds before it is said that a list is being read."""
_MOST_OPEN = 5
"""Lists that were begun and left, held ready to go on with; others are in the file alone."""


class CopiedList(msgspec.Struct, frozen=True):
    """Rows as the clipboard has them: as text, and as a table where that was copied, too.

    `name` is COPIED, or GIVEN for text that came another way. With `lines` somebody is in each of
    them, whatever they look like together.
    """

    text: str
    html: str = ""
    name: str = COPIED
    lines: bool = False


class LeftList(msgspec.Struct, frozen=True):
    """A list that was left, in an earlier run or long ago: it is in the account's file alone."""

    id: str
    title: str
    changed: bool
    given: bool
    """Whether it was named outside of the window."""
    path: Path | None


class ReturnedList(msgspec.Struct, frozen=True):
    """Rows of a list that was added, to be looked over again; places among `table.rows`. The first
    three columns are first name, last name and email, and nothing behind them is sent. `path` is
    the file they were read from, if they were.
    """

    table: SourceTable
    path: Path | None = None
    left_out: tuple[int, ...] = ()
    """Those somebody had left out who are to be added for all that the review knows."""
    taken_in: tuple[int, ...] = ()
    """Those somebody had taken in whom the review leaves out."""


ListSource = Path | SourceTable | CopiedList | ReturnedList


class ListImport(GuardedOverrides, QObject):
    """Reads one list at a time; a newer one takes the place of one that is still being read, and
    of one that nobody has changed anything in. Those from outside the window give way to none.
    """

    opened = Signal(object)
    """Carries the `ReviewScreen` of the list that somebody wants to look over now."""
    ended = Signal(object)
    """Carries the `ReviewScreen` of a list that is added or discarded."""
    taken = Signal(object)
    """Carries the `Batch` that a list has become."""
    failed = Signal(object)
    """Carries the error of a list that cannot be read."""
    given_kept = Signal()
    """Each list from outside the window is in the account's file now, or was told to be none."""
    taken_over = Signal()
    """The lists that were begun before the account was opened anew are there again."""
    begun_changed = Signal()
    """Which lists are begun, or whether one is being read, is another now."""

    def __init__(
        self,
        outbox: Outbox,
        duplicates: DuplicateIndex,
        settings: SettingsStore,
        *,
        choices: ColumnChoices,
        events: EventBus,
        scope: TaskScope,
        kept: bool = False,
        uncompared: UncomparedPeople | None = None,
    ) -> None:
        """No list yet, `read_left` has those that were left. `kept`: what is typed here outlives
        this run; `uncompared` knows whether there is a list to compare people with.
        """
        super().__init__()
        self._outbox = outbox
        self._duplicates = duplicates
        self._settings = settings
        self._choices = choices
        self._scope = scope
        self._open: list[ReviewScreen] = []
        self._kept = kept
        self._uncompared = uncompared
        self._left: list[LeftList] = []
        self._ids: set[str] = set()
        """Of the lists that were opened in this run."""
        self.given: deque[ListSource] = deque()
        """From outside the window, and not read to the end."""
        self._ending: list[ReviewAutosave] = []
        self._reading_given = False
        """Whether the first of them is being read."""
        self._given_lost = False
        """Whether one of them ended in an error that nobody expected."""
        self.reading_words = ""
        """What is being read, where that takes its time."""
        self._reading = Action(
            scope,
            self._read,
            second="replace",
            on_error=self.failed.emit,
            on_change=self._reading_changed,
        )
        self._fetching = Action(
            scope,
            self._fetch,
            second="replace",
            on_error=self.failed.emit,
            on_change=self._reading_changed,
        )

        # Heard here for all of them: a list that is gone is held by nothing.
        events.subscribe(DuplicatesKnown, self._people_known, scope)
        events.subscribe(FirstReadingChanged, self._first_reading_changed, scope)
        scope.call_on_close(self._stop_saving)

    @property
    def begun(self) -> "ReviewScreen | LeftList | None":
        """The list to go on with: the last that was begun and is neither added nor discarded."""
        if self._open:
            return self._open[-1]
        return self._left[-1] if self._left else None

    def go_on_words(self, most: int | None = None) -> str:
        """What leads to the list to go on with, and how many are begun besides; blank for none. Of
        the name there stand `most` characters.
        """
        if self.begun is None:
            return ""
        name = self.begun.title if most is None else field_limits.shortened(self.begun.title, most)
        words, more = tr("Go on with “{list}”", list=name), len(self._open) + len(self._left) - 1
        others = trn("and {n} more list", "and {n} more lists", more) if more else ""
        return " · ".join(filter(None, (words, others)))

    @property
    def begun_lists(self) -> Sequence["ReviewScreen"]:
        """All of this run that are neither added nor discarded, the newest last."""
        return self._open

    @property
    def losing_words(self) -> str:
        """What is said before the lists are lost that do not outlive this run; blank for none."""
        lost = self._lost
        if len(lost) == 1:
            return losing_list_words(lost[0].title, given=_is_given(lost[0]))
        return losing_lists_words(len(lost)) if lost else ""

    @property
    def _lost(self) -> "list[ReviewScreen | LeftList]":
        """The newest first: those that somebody did something in, or gave as text to the window."""
        lasts = self._kept and self._settings.settings.keep_on_this_computer
        changed = (each for each in reversed(self._open) if each.has_changes)
        lost: list[ReviewScreen | LeftList] = [
            each for each in changed if each.autosave.fails or not lasts
        ]
        if not lasts:
            lost += [each for each in reversed(self._left) if each.changed]
        return lost

    def add_from_list(self, source: ListSource) -> None:
        """Read a list and have it looked over; where it cannot be read, everything stays."""
        self._read_now(source, None)

    def add_given(self, source: ListSource) -> None:
        """The same for a list from outside the window, once those given before it are read: each of
        them is there to go on with until it is added or discarded.
        """
        self.given.append(source)
        self._read_given()

    def stop_reading(self) -> None:
        """The list that is being read is not wanted any more; one that was left stays offered."""
        if self._reading_given:
            self.given.popleft()
            self._reading_given = False
        self._reading.cancel()
        self._fetching.cancel()
        self._tell_given_kept()

    def go_on(self) -> None:
        """Look on over the list that was begun."""
        if self._open:
            self.opened.emit(self._open[-1])
        elif self._left:
            self._fetching(self._left[-1])

    def go_back_to(self, screen: "ReviewScreen") -> None:
        """Look on over the list that somebody was opened from; nothing where it is gone."""
        if screen in self._open:
            self.opened.emit(screen)

    async def read_left(self) -> None:
        """Offer the lists that an earlier run left, once the window is there: a long one takes a
        while. Raises StoreError.
        """
        kept = await self._outbox.store.read_reviews()
        if not kept:
            return
        found = await asyncio.to_thread(_left_lists, kept)
        self._left[:0] = [left for left in found if left.id not in self._ids]
        if self._open:
            newest = self._open[-1]
            newest_left = await self._left_to_put_away(newest.path)
            self._put_left_away(newest, newest.path, newest_left)
        self.begun_changed.emit()

    async def settle(self) -> None:
        """Have the account's file say how every list stands, before it is closed; what somebody has
        asked for in them is done first.
        """
        await self.changes_made()
        for each in (*self._ending, *(screen.autosave for screen in self._open)):
            await each.settle()

    async def changes_made(self) -> None:
        """Wait until all is done that somebody has asked for in the lists."""
        for each in tuple(self._open):
            await each.changes_made()

    def take_over(self, before: "ListImport") -> None:
        """Go on with the lists that were begun here before the account was opened anew."""
        for each in before.begun_lists:
            each.review.compare_with(self._duplicates.duplicates)
            self._left = [left for left in self._left if left.id != each.autosave.id]
            kept_as, given = each.autosave.id, each.autosave.given
            screen = self._screen(each.review, each.path, kept_as, given=given)
            screen.show_only(each.state.shown)
            self._open.append(screen)
        for source in before.given:
            self.add_given(source)
        self._given_lost = before._given_lost  # noqa: SLF001 - of its own kind
        self._tell_given_kept()
        self.begun_changed.emit()
        self.taken_over.emit()

    # How it is done

    def _people_known(self, _event: DuplicatesKnown) -> None:
        for each in self._open:
            each.people_known()

    def _first_reading_changed(self, _event: FirstReadingChanged) -> None:
        for each in self._open:
            each.first_reading_changed()

    def _stop_saving(self) -> None:
        for each in (*self._ending, *(screen.autosave for screen in self._open)):
            each.close()

    def _read_now(self, source: ListSource, sheet: str | None) -> None:
        # One from outside that gives way to it is read anew behind it.
        self._reading_given = False
        self._reading(source, sheet)

    def _read_given(self) -> None:
        # Closed, it leaves them to the one after it.
        busy = self._reading.running or self._fetching.running or self._scope.closed
        if self.given and not busy and self._reading(self.given[0], None):
            self._reading_given = True

    async def _read(self, source: ListSource, sheet: str | None) -> None:
        waiting = asyncio.get_running_loop().call_later(_SAID_AFTER, self._say_reading, source)
        stop = ReadingStop()
        given, given_up = self._reading_given, False
        # Of what was given as text there is no other copy.
        lasts = given and not isinstance(source, Path)
        try:
            review = await asyncio.to_thread(self._review, source, sheet, stop, lasts=lasts)
            left = await self._left_to_put_away(source if isinstance(source, Path) else None)
        except asyncio.CancelledError:
            given_up = True
            raise
        except ExpectedError as error:
            if isinstance(source, Path):
                raise _NotOpened(source.name, error) from error
            # Too long, or damaged: they may be looked over another time, or in another version.
            blank = isinstance(source, CopiedList) and not source.text.strip()
            self._given_lost = self._given_lost or (given and not blank)
            raise
        except Exception:
            self._given_lost = self._given_lost or given
            raise
        finally:
            waiting.cancel()
            stop.stop()  # a thread goes on when nobody waits for it, and the program's end waits
            if given and not given_up:
                self.given.popleft()
                self._reading_given = False
        self._show(review, source, left, given=given)

    def _review(
        self, source: ListSource, sheet: str | None, stop: ReadingStop, *, lasts: bool
    ) -> "Review":
        """`lasts`: it gives way to no other, as if somebody had changed something in it."""
        # Reading lists is imported when there is one: no start has to wait for it.
        from app.importing.column_guess import guess_columns  # noqa: PLC0415 - see above
        from app.importing.reading import (  # noqa: PLC0415 - as above
            read_clipboard,
            read_file,
            read_lines,
        )
        from app.importing.review import Review, ReviewChanges  # noqa: PLC0415 - as above

        with stop.applied():
            if isinstance(source, Path):
                table = read_file(source, sheet)
            elif isinstance(source, CopiedList) and source.lines:
                table = read_lines(source.text, source.name)
            elif isinstance(source, CopiedList):
                table = read_clipboard(source.text, source.html, source.name)
            else:
                table = source.table if isinstance(source, ReturnedList) else source
            stop.check()
            if isinstance(source, ReturnedList):
                changes = _changes_of(source)
                return Review(table, changes.columns, self._duplicates.duplicates, changes)
            columns = guess_columns(table, self._choices.all(), self._order)
            given = ReviewChanges(columns, changed=True) if lasts else None
            review = Review(table, columns, self._duplicates.duplicates, given)
        review.check_somebody_is_in_it()
        return review

    @property
    def _order(self) -> "NameOrder":
        from app.people.parsing.entry_parser import NameOrder  # noqa: PLC0415 - a start has no list

        return NameOrder[self._settings.settings.name_order.name]

    def _show(
        self,
        review: "Review",
        source: ListSource,
        left: "tuple[LeftList, PutAwayList] | None",
        *,
        given: bool,
    ) -> None:
        reread = source if isinstance(source, Path) else None
        path = source.path if isinstance(source, ReturnedList) else reread
        gone = self._put_untouched_away(reread)
        given = given or any(each.autosave.given for each in gone)
        screen = self._screen(review, path, given=given)
        self._offer_back(gone, screen, reread)
        self._put_left_away(screen, reread, left)
        for each in self._open[:-_MOST_OPEN]:
            if not (each.autosave.fails or each.is_being_changed):
                self._open.remove(each)
                kept = each.autosave
                self._left.append(
                    LeftList(kept.id, each.title, each.has_changes, kept.given, each.path)
                )
                self._scope.spawn(kept.settle())
                each.close()
                self.ended.emit(each)
        self._begin(screen)

    def _put_untouched_away(self, reread: Path | None) -> "list[ReviewScreen]":
        """All but those from outside; of the file that is `reread`, another sheet perhaps, the one
        from before in any case.
        """
        untouched = [
            each
            for each in self._open
            if not each.has_changes
            and (not each.autosave.given or (reread and each.path == reread))
        ]
        for each in untouched:
            self._open.remove(each)
            self._put_away(each)
        return untouched

    def _offer_back(
        self, gone: "Sequence[ReviewScreen]", screen: "ReviewScreen", reread: Path | None
    ) -> None:
        """Nobody is to look in vain for a list that gave way to the next one, whichever sheet of
        that is looked over by now.
        """
        from app.viewmodels.importing.review import PutAwayList  # noqa: PLC0415 - see `_review`

        for each in gone:
            if each.path is None or each.path != reread:
                source, sheet = each.path or each.review.table, each.state.sheet or None
                screen.tell_put_away(PutAwayList(each.title, source, sheet))
            elif each.put_away is not None:
                screen.tell_put_away(each.put_away)

    def _bring_back(self, put_away: "PutAwayList") -> None:
        self._read_now(put_away.source, put_away.sheet)

    def _choose_sheet(self, path: Path, sheet: str) -> None:
        """A sheet that somebody has changed something in is as they left it."""
        left = [each for each in self._open if each.path == path and each.state.sheet == sheet]
        if not left:
            self._read_now(path, sheet)
            return
        self._put_untouched_away(path)
        self._open.remove(left[0])
        self._begin(left[0])

    def _begin(self, screen: "ReviewScreen") -> None:
        self._open.append(screen)
        # To build the page takes a while: nobody is to see it below a word of its being read.
        self.reading_words = ""
        self.begun_changed.emit()
        self.opened.emit(screen)

    def _screen(
        self, review: "Review", path: Path | None, kept_as: str = "", *, given: bool
    ) -> "ReviewScreen":
        from app.viewmodels.importing.review import ReviewScreen  # noqa: PLC0415 - as above

        autosave = ReviewAutosave(review, path, self._outbox, self._scope, kept_as, given=given)
        self._ids.add(autosave.id)
        self._scope.spawn(self._keep(autosave))
        screen = ReviewScreen(
            review,
            self._outbox,
            self._duplicates,
            choices=self._choices,
            scope=self._scope,
            autosave=autosave,
            path=path,
            order=self._order,
            uncompared=self._uncompared,
        )
        screen.ended.connect(self._end)
        screen.added.connect(self.taken)
        screen.sheet_wanted.connect(self._choose_sheet)
        screen.back_wanted.connect(self._bring_back)
        screen.renamed.connect(self.begun_changed)
        return screen

    async def _keep(self, autosave: ReviewAutosave) -> None:
        await autosave.settle()
        self._tell_given_kept()

    @property
    def given_are_kept(self) -> bool:
        """Whether everybody in the lists from outside the window is in the account's file."""
        read = not (self.given or self._given_lost)
        return read and all(each.autosave.is_kept for each in self._open if each.autosave.given)

    def _tell_given_kept(self) -> None:
        if self.given_are_kept:
            self.given_kept.emit()

    def _end(self, screen: "ReviewScreen") -> None:
        if screen in self._open:
            self._open.remove(screen)
            self._put_away(screen)
            self.begun_changed.emit()

    def _put_away(self, screen: "ReviewScreen") -> None:
        screen.close()
        self._ending = [each for each in self._ending if not each.settled]
        if not screen.autosave.settled:
            self._ending.append(screen.autosave)
            screen.autosave.discard()
        self.ended.emit(screen)

    # Lists that are in the file alone

    async def _left_to_put_away(self, reread: Path | None) -> "tuple[LeftList, PutAwayList] | None":
        """The newest that nobody has changed anything in gives way to the next list, as those of
        this run do: it, and where it is to be read again. None where there is none.
        """
        from app.viewmodels.importing.review import PutAwayList  # noqa: PLC0415 - see `_review`

        untouched = [left for left in self._left if not left.changed and not left.given]
        others = [left for left in untouched if left.path is None or left.path != reread]
        if not others:
            return None
        newest = others[-1]
        try:
            table = await asyncio.to_thread(
                _decoded, await self._outbox.store.review_source(newest.id)
            )
        except (StoreError, msgspec.DecodeError) as error:
            _log.warning("a list that nobody changed could not be read: %s", error)
            return None
        return newest, PutAwayList(newest.title, newest.path or table, table.sheet)

    def _put_left_away(
        self,
        screen: "ReviewScreen",
        reread: Path | None,
        other: "tuple[LeftList, PutAwayList] | None",
    ) -> None:
        """Those of the file that is `reread`, and the `other`, where the way back can be told."""
        same = [left for left in self._left if left.path is not None and left.path == reread]
        gone = [left for left in same if not left.changed]
        if other is not None and other[0] in self._left and screen.put_away is None:
            gone.append(other[0])
            screen.tell_put_away(other[1])
        for left in gone:
            self._left.remove(left)
            self._scope.spawn(self._outbox.store.forget_review(left.id), on_error=_log_unforgotten)

    async def _fetch(self, left: LeftList) -> None:
        waiting = asyncio.get_running_loop().call_later(_SAID_AFTER, self._say_reading, left)
        stop = ReadingStop()
        try:
            source = await self._outbox.store.review_source(left.id)
            (text,) = (each.text for each in self._outbox.store.reviews() if each.id == left.id)
            review, path = await asyncio.to_thread(self._review_again, source, text, stop)
        finally:
            waiting.cancel()
            stop.stop()
        if left not in self._left:
            return  # another list was opened meanwhile, and nobody had changed anything in this one
        self._left.remove(left)
        self._begin(self._screen(review, path, left.id, given=left.given))

    def _review_again(
        self, source: bytes, text: str, stop: ReadingStop
    ) -> "tuple[Review, Path | None]":
        from app.importing import review_record as records  # noqa: PLC0415 - see `_review`
        from app.importing.review import Review  # noqa: PLC0415 - as above

        record = records.decode_record(text)
        table = records.decode_source(source)
        if record is None:
            raise ValueError("a list that is offered can be read")
        changes, known = record.changes, self._duplicates.duplicates
        with stop.applied():
            return Review(table, changes.columns, known, changes), record.file

    def _say_reading(self, source: ListSource | LeftList) -> None:
        if isinstance(source, LeftList):
            name = source.title
        else:
            name = list_name(source.table.name if isinstance(source, ReturnedList) else source.name)
        self.reading_words = tr("Reading {list}… Escape stops it.", list=name)
        self.begun_changed.emit()

    def _reading_changed(self) -> None:
        under_way = self._reading.running or self._fetching.running
        if not under_way and self.reading_words:
            self.reading_words = ""
            self.begun_changed.emit()
        if not under_way and self.given:
            # Whoever has ended it may be about to begin another.
            asyncio.get_running_loop().call_soon(self._read_given)
        if not under_way:
            self._tell_given_kept()


def _left_lists(kept: Sequence[KeptReview]) -> list[LeftList]:
    from app.importing.review_record import decode_record  # noqa: PLC0415 - see `_review`

    records = [(each.id, decode_record(each.text)) for each in kept]
    return [
        LeftList(
            review_id,
            list_title(record.name),
            record.changes.changed,
            record.given,
            record.file,
        )
        for review_id, record in records
        if record is not None
    ]


def _is_given(one: "ReviewScreen | LeftList") -> bool:
    """Whether it was named outside of the window: then nobody need have done anything in it."""
    return one.given if isinstance(one, LeftList) else one.autosave.given


def _decoded(source: bytes) -> SourceTable:
    from app.importing.review_record import decode_source  # noqa: PLC0415 - as above

    return decode_source(source)


class _NotOpened(ExpectedError):
    """A file cannot be read; the sentence may be read when its name is long forgotten."""

    def __init__(self, file: str, error: ExpectedError) -> None:
        super().__init__(
            error.title,
            tr("“{file}” is not opened. {why}", file=shortened(file), why=error.message),
            details=error.details,
        )


def _log_unforgotten(error: Exception) -> None:
    _log.warning("a list that nobody changed could not be forgotten: %s", error)


def _changes_of(returned: ReturnedList) -> "ReviewChanges":
    """What somebody had chosen before: where it comes from is gone, so it gives way to no other."""
    from app.importing.columns import ColumnField, Columns  # noqa: PLC0415 - see `_review`
    from app.importing.review import ReviewChanges  # noqa: PLC0415 - as above

    headings = returned.table.headings or ()
    sent = (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.EMAIL)
    fields = (*sent, *(ColumnField.OTHER for _ in headings[len(sent) :]))
    columns = Columns(headings, fields, first_row_is_headings=False)

    chosen = {(at, 0): False for at in returned.left_out} | {
        (at, 0): True for at in returned.taken_in
    }
    return ReviewChanges(columns, chosen=tuple(chosen.items()), changed=True)
