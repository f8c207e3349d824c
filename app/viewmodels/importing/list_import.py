"""Lists on their way to the page on which they are looked over: read behind the scenes, and kept
until their people are added or they are discarded.

All ways in lead here: what was pasted, copied, dropped, chosen in a dialog or named on the command
line. What is on the page is known in `review`.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.importing.source import SourceTable
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.outbox import Outbox
from app.people.parsing.entry_parser import NameOrder
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.settings.column_choices import ColumnChoices
from app.settings.settings import SettingsStore
from app.viewmodels.guarded import Guarded

if TYPE_CHECKING:
    from app.importing.review import Review
    from app.viewmodels.importing.review import ReviewScreen

_PATIENCE = 0.4
"""Seconds before it is said that a list is being read."""
_MOST_OPEN = 5
"""Lists that were begun and left, kept until somebody goes on with them."""


@dataclass(frozen=True, slots=True)
class CopiedList:
    """Rows as the clipboard has them: as text, and as a table where that was copied, too."""

    text: str
    html: str = ""


ListSource = Path | SourceTable | CopiedList


class ListImport(Guarded, QObject):
    """Reads one list at a time; a newer one takes the place of one that is still being read."""

    opened = Signal(object)
    """Carries the `ReviewScreen` of the list that somebody wants to look over now."""
    ended = Signal(object)
    """Carries the `ReviewScreen` of a list that is added or discarded."""
    taken = Signal(object)
    """Carries the `Batch` that a list has become."""
    failed = Signal(object)
    """Carries the error of a list that cannot be read."""
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
    ) -> None:
        """No list."""
        super().__init__()
        self._outbox = outbox
        self._duplicates = duplicates
        self._settings = settings
        self._choices = choices
        self._events = events
        self._scope = scope
        self._open: list[ReviewScreen] = []
        self.reading_words = ""
        """What is being read, where that takes its time."""
        self._reading = Action(
            scope,
            self._read,
            second="replace",
            on_error=self.failed.emit,
            on_change=self._reading_changed,
        )

    @property
    def begun(self) -> "ReviewScreen | None":
        """The list to go on with: the last that was begun and is neither added nor discarded."""
        return self._open[-1] if self._open else None

    @property
    def begun_lists(self) -> Sequence["ReviewScreen"]:
        """All that are neither added nor discarded, the newest last."""
        return self._open

    @property
    def changed(self) -> str:
        """What the newest of the lists is called that somebody changed something in, or blank."""
        changed = (each for each in reversed(self._open) if each.has_changes)
        return next((each.state.title for each in changed), "")

    def add_from_list(self, source: ListSource) -> None:
        """Read a list and have it looked over; where it cannot be read, everything stays."""
        self._reading(source, None, None)

    def go_on(self) -> None:
        """Look on over the list that was begun."""
        if self.begun is not None:
            self.opened.emit(self.begun)

    def take_over(self, before: "ListImport") -> None:
        """Go on with the lists that were begun here before the account was opened anew."""
        for each in before.begun_lists:
            each.review.compare_with(self._duplicates.duplicates)
            self._open.append(self._screen(each.review, each.path))
        self.begun_changed.emit()

    # How it is done

    async def _read(
        self, source: ListSource, sheet: str | None, instead: "ReviewScreen | None"
    ) -> None:
        waiting = asyncio.get_running_loop().call_later(_PATIENCE, self._say_reading, source)
        try:
            review = await asyncio.to_thread(self._review, source, sheet)
        finally:
            waiting.cancel()
        self._show(review, source if isinstance(source, Path) else None, instead)

    def _review(self, source: ListSource, sheet: str | None) -> "Review":
        # Reading lists is imported when there is one: no start has to wait for it.
        from app.importing.columns import guess_columns  # noqa: PLC0415 - see above
        from app.importing.reading import read_clipboard, read_file  # noqa: PLC0415 - as above
        from app.importing.review import Review  # noqa: PLC0415 - as above

        if isinstance(source, Path):
            table = read_file(source, sheet)
        elif isinstance(source, CopiedList):
            table = read_clipboard(source.text, source.html)
        else:
            table = source
        columns = guess_columns(table, self._choices.all(), self._order)
        return Review(table, columns, self._duplicates.duplicates)

    @property
    def _order(self) -> NameOrder:
        return NameOrder[self._settings.settings.name_order.name]

    def _show(self, review: "Review", path: Path | None, instead: "ReviewScreen | None") -> None:
        screen = self._screen(review, path)
        untouched = [each for each in self._open if each is instead or not each.has_changes]
        self._open = [each for each in self._open if each not in untouched][-_MOST_OPEN:]
        for each in untouched:
            each.close()
            self.ended.emit(each)
        self._open.append(screen)
        self.begun_changed.emit()
        self.opened.emit(screen)

    def _screen(self, review: "Review", path: Path | None) -> "ReviewScreen":
        from app.viewmodels.importing.review import ReviewScreen  # noqa: PLC0415 - as above

        screen = ReviewScreen(
            review,
            self._outbox,
            self._duplicates,
            choices=self._choices,
            events=self._events,
            scope=self._scope,
            path=path,
            order=self._order,
        )
        screen.added.connect(lambda batch: self._added(screen, batch))
        screen.discarded.connect(lambda: self._end(screen))
        if path is not None:
            screen.sheet_wanted.connect(lambda sheet: self._reading(path, sheet, screen))
        return screen

    def _added(self, screen: "ReviewScreen", batch: object) -> None:
        self._end(screen)
        self.taken.emit(batch)

    def _end(self, screen: "ReviewScreen") -> None:
        if screen in self._open:
            self._open.remove(screen)
            screen.close()
            self.ended.emit(screen)
            self.begun_changed.emit()

    def _say_reading(self, source: ListSource) -> None:
        name = source.name if not isinstance(source, CopiedList) else tr("what was copied")
        self.reading_words = tr("Reading {list}…", list=name)
        self.begun_changed.emit()

    def _reading_changed(self) -> None:
        if not self._reading.running and self.reading_words:
            self.reading_words = ""
            self.begun_changed.emit()
