"""Lists of people on their way: how far each is, and pausing, stopping or taking it back.

What became of each row is `result`'s; looking over what was not sent is `review`'s.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec
from PySide6.QtCore import Signal

from app.importing.list_name import list_name
from app.outbox.batches import BatchProgress
from app.outbox.events import BatchesChanged, EntriesChanged, PauseChanged, PauseReason
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import in_a_row, tr, trn
from app.store.errors import StoreError
from app.viewmodels.formatting import moment_words, number
from app.viewmodels.importing.returned_list import returned_list
from app.viewmodels.notices import shortened
from app.viewmodels.screen import Screen

MOST_SHOWN = 2
"""Lists that have a line of their own; with more, the lists of people would have no room."""
_QUARTERS = 4


class ListProgress(msgspec.Struct, frozen=True):
    """One list as it is shown. What does not apply is blank."""

    id: str
    name_words: str
    progress_words: str
    """How many were added, refused, and how long it takes yet or what it waits for."""
    pace_words: str
    done: int
    """Of `total`: those of whom something became."""
    total: int
    pause_words: str
    """What the button says that pauses it or goes on."""
    stop_words: str
    """What the button says that stops it, takes it back, or puts the line away."""
    ended: bool = False
    """Whether that button puts the line away."""


class ProgressState(msgspec.Struct, frozen=True):
    """The lists that have a line, in their places: a list keeps its own as long as it has a line.

    Those under way have one first, as they are sent; then those that ended here, first of them
    those that were not added whole.
    """

    lists: tuple[ListProgress, ...] = ()
    in_front: str = ""
    """The id of the one that is shown where there is room for one; blank where there is none."""
    more_words: str = ""
    """How many there are besides."""
    more_than_one_words: str = ""
    """How many there are besides the first."""
    more_details: str = ""
    """How far each of those is, a line each: also of one that ended and gave its line away."""
    more_than_one_details: str = ""
    """The same besides the one in front."""
    status_bar_words: str = ""
    """All that are under way, in a few words."""
    spoken: str = ""
    """What a screen reader says, another at every quarter of a list."""


class ProgressFacts(msgspec.Struct, frozen=True):
    """What is known: each list, the oldest first; why nothing is sent; what was said last."""

    lists: tuple[BatchProgress, ...] = ()
    pause: PauseReason | None = None
    spoken: str = ""
    times: Mapping[str, str] = msgspec.field(default_factory=dict)
    """When those were taken that are called alike, by their ids."""
    places: tuple[str, ...] = ()
    """The ids of those that have a line already, in their places."""
    in_front: str = ""
    """The id of the one that is in front of them."""
    undone_next: str = ""
    """The id of the one that the key for undoing takes back; blank where that is something else."""


def progress_state(facts: ProgressFacts) -> ProgressState:
    """What is shown once these are the facts."""
    shown = _in_places(facts.lists, facts.places)
    in_front = min(shown, key=lambda one: _claim(one, (facts.in_front,)), default=None)
    going = [one for one in facts.lists if not one.ended]
    with_line = {one.id for one in shown}
    more = [one for one in facts.lists if one.id not in with_line]
    more_than_one = [one for one in facts.lists if one is not in_front]
    return ProgressState(
        lists=tuple(_line(one, facts) for one in shown),
        in_front="" if in_front is None else in_front.id,
        more_words=_more_words(len(more)),
        more_than_one_words=_more_words(len(more_than_one)),
        more_details=_more_details(more, facts),
        more_than_one_details=_more_details(more_than_one, facts),
        status_bar_words=_added_words(
            sum(one.added for one in going), sum(one.total for one in going)
        )
        if going
        else "",
        spoken=facts.spoken,
    )


def _more_words(more: int) -> str:
    return trn("and {n} more list", "and {n} more lists", more) if more > 0 else ""


def _more_details(more: Sequence[BatchProgress], facts: ProgressFacts) -> str:
    lines = (_line(one, facts) for one in more)
    return "\n".join(f"{line.name_words}: {line.progress_words}" for line in lines)


def _in_places(lists: Sequence[BatchProgress], places: Sequence[str]) -> Sequence[BatchProgress]:
    """Those that have a line: who has one stays where it is, who comes goes where nobody is."""
    shown = sorted(lists, key=lambda one: _claim(one, places))[:MOST_SHOWN]
    known = {one.id: one for one in shown}
    new = iter([one for one in shown if one.id not in places])
    stay = [known.get(place) or next(new, None) for place in places]
    return [*filter(None, stay), *new]


def _claim(one: BatchProgress, shown: Sequence[str]) -> tuple[bool, bool, bool]:
    """The least is shown first: a list that has ended takes no buttons from one that has not, and
    nothing from one that ended before it.
    """
    return one.ended, one.id not in shown, one.added == one.total


def _line(one: BatchProgress, facts: ProgressFacts) -> ListProgress:
    going = not one.ended and not one.paused and facts.pause is None
    name = in_a_row(filter(None, (shortened(list_name(one.name)), facts.times.get(one.id, ""))))
    undone_next = one.id == facts.undone_next
    return ListProgress(
        id=one.id,
        name_words=tr("Added from {name}", name=name)
        if one.ended
        else tr("Adding from {name}", name=name),
        progress_words=progress_words(one, facts.pause, undone_next=undone_next),
        pace_words=tr("{n} a minute", n=number(round(one.pace)))
        if going and one.pace is not None and one.pace >= 1
        else "",
        done=one.total - one.waiting,
        total=one.total,
        pause_words="" if one.ended else tr("Go on") if one.paused else tr("Pause"),
        stop_words=_stop_words(one),
        ended=one.ended,
    )


def _stop_words(one: BatchProgress) -> str:
    if one.ended:
        return tr("Close")
    return tr("Take back") if one.undoable else tr("Stop")


def progress_words(
    one: BatchProgress, pause: PauseReason | None, *, undone_next: bool = True
) -> str:
    """How far a list is, as one sentence without its name; `undone_next`: whether the key for
    undoing would take it back.
    """
    counts = (
        (one.refused, trn("{n} refused", "{n} refused", one.refused)),
        (one.not_sure, trn("{n} not sure", "{n} not sure", one.not_sure)),
        (one.not_sent, trn("{n} not sent", "{n} not sent", one.not_sent)),
    )
    said = [_added_words(one.added, one.total), *(words for count, words in counts if count)]
    if one.came_late:
        said.append(
            trn(
                "{n} of them only came back after it was stopped",
                "{n} of them only came back after it was stopped",
                one.came_late,
            )
        )
    if not one.ended:
        said.append(_what_next(one, pause, undone_next=undone_next))
    if one.left_out:
        said.append(trn("{n} left out", "{n} left out", one.left_out))
    return in_a_row(words for words in said if words)


def _added_words(added: int, total: int) -> str:
    return trn(
        "{added} of {n} added", "{added} of {n} added", total, added=number(added),
    )  # fmt: skip


def _what_next(one: BatchProgress, pause: PauseReason | None, *, undone_next: bool) -> str:
    if one.paused:
        return tr("paused")
    waits = {
        PauseReason.UNREACHABLE: tr("waiting for the connection"),
        PauseReason.SERVICE_FAULT: tr("waiting for the service"),
        PauseReason.SIGN_IN: tr("waiting for you to sign in"),
        PauseReason.OTHER_ORGANISATION: tr("waiting until it is certain whose list this is"),
        PauseReason.NOT_COMPARED: tr("waiting for the list of the account"),
        PauseReason.NO_ROOM: tr("waiting for room on this computer"),
        PauseReason.BY_HAND: tr("paused"),
    }
    if pause is not None:
        return waits[pause]
    if one.undoable and undone_next:
        return tr("not sent yet, Ctrl+Z takes all of them back")
    return _time_left(one.seconds_left)


_MINUTE, _HOUR, _STEP = 60, 3600, 10


def _time_left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < _STEP:
        return tr("a few seconds left")
    if seconds < _MINUTE - _STEP / 2:
        near = max(_STEP, round(seconds / _STEP) * _STEP)
        return trn("about {n} second left", "about {n} seconds left", near)
    if seconds < _HOUR:
        return trn("about {n} minute left", "about {n} minutes left", round(seconds / _MINUTE))
    return trn("about {n} hour left", "about {n} hours left", round(seconds / _HOUR))


class ProgressScreen(Screen[ProgressState]):
    """Shows every list that is under way, and those that ended here until they are put away."""

    returned = Signal(object)
    """Carries a `ReturnedList` of those who were not sent or left out, to be looked over again."""
    failed = Signal(object)
    """Carries the ExpectedError that kept something from being done."""

    def __init__(self, outbox: Outbox, events: EventBus, scope: TaskScope) -> None:
        """Takes up those that were under way when the program ended."""
        super().__init__(ProgressState())
        self._outbox = outbox
        self._batches = outbox.batches
        self._shown: dict[str, None] = {}
        self._late_told: dict[str, int] = {}
        """How many had come late to a list that was put away."""
        self._quarters: dict[str, int] = {}
        self._spoken = ""
        self._taking_back = Action(scope, self._take_back, second="drop", on_error=self.failed.emit)
        events.subscribe(BatchesChanged, self._batches_changed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)
        events.subscribe(PauseChanged, self._tell, scope)
        self._look(tuple(batch.id for batch in reversed(self._batches.unfinished())))

    def take_over(self, before: "ProgressScreen") -> None:
        """Show those that `before` showed of the same account, which is shown anew."""
        self._shown = dict.fromkeys((*before.shown, *self._shown))
        self._tell()

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of those that are shown, the oldest first."""
        return tuple(self._shown)

    def pause_or_go_on(self, batch_id: str) -> None:
        """Send nobody more of it for now, or go on."""
        one = self._batches.progress(batch_id)
        if one is not None and not one.ended:
            act = self._batches.go_on if one.paused else self._batches.pause
            self._try(act, batch_id)

    def stop(self, batch_id: str) -> None:
        """Stop it, and give back who was not sent, with those who were left out."""
        one = self._batches.progress(batch_id)
        if one is not None and not one.ended:
            self._taking_back(batch_id)

    def put_away(self, batch_id: str) -> None:
        """Show this list no longer, once it has ended."""
        one = self._batches.progress(batch_id)
        if one is None or one.ended:
            self._shown.pop(batch_id, None)
            if one is not None:
                self._late_told[batch_id] = one.came_late
            self._tell()

    def take_back_newest(self) -> bool:
        """Take back the list that was taken last, if nobody of it has left and nobody was typed
        since; False where there is no such list.
        """
        newest = self.newest_to_take_back()
        if newest is not None:
            self._taking_back(newest)
        return newest is not None

    def newest_to_take_back(self) -> str | None:
        """The id of the list that this would take back, or None."""
        newest = next((entry for entry in reversed(self._outbox.entries()) if not entry.done), None)
        if newest is None or newest.batch is None:
            return None
        one = self._batches.progress(newest.batch)
        return None if one is None or not one.undoable or one.ended else one.id

    # How it is done

    def _entries_changed(self, event: EntriesChanged) -> None:
        """Somebody who is typed is undone before a list, which says no longer that it were next."""
        under_way = any(not line.ended for line in self.state.lists)
        if under_way and any(one.batch is None for one in (*event.changed, *event.removed)):
            self._tell()

    def _batches_changed(self, event: BatchesChanged) -> None:
        self._look(event.ids)

    def _look(self, batch_ids: Sequence[str]) -> None:
        for batch_id in batch_ids:
            one = self._batches.progress(batch_id)
            if one is not None and one.came_late > self._late_told.get(batch_id, 0):
                self._shown[batch_id] = None
                self._quarters.pop(batch_id, None)
            elif one is None or one.end is not None:
                self._shown.pop(batch_id, None)
            elif not one.ended:
                if batch_id not in self._shown:
                    self._put_away_whole()
                self._shown[batch_id] = None
            if one is not None and batch_id in self._shown:
                self._speak(one)
        self._tell()

    def _put_away_whole(self) -> None:
        """With a list that comes, those go that were added whole: the page has been another."""
        for batch_id in tuple(self._shown):
            one = self._batches.progress(batch_id)
            if one is None or (one.ended and one.added == one.total and not one.left_out):
                del self._shown[batch_id]

    def _speak(self, one: BatchProgress) -> None:
        """By quarters: each person told would keep a screen reader from ever saying its own."""
        quarter = _QUARTERS * (one.total - one.waiting) // one.total if one.total else _QUARTERS
        before = self._quarters.get(one.id)
        if before is None or quarter > before:
            self._quarters[one.id] = quarter
            line = _line(one, self._facts((one,)))
            self._spoken = f"{line.name_words}: {line.progress_words}."

    def _tell(self, _event: object = None) -> None:
        known = (self._batches.progress(batch_id) for batch_id in self._shown)
        lists = tuple(one for one in known if one is not None)
        self._set_state(progress_state(self._facts(lists)))

    def _facts(self, lists: Sequence[BatchProgress]) -> ProgressFacts:
        undoable = any(one.undoable and not one.ended for one in lists)
        return ProgressFacts(
            lists=tuple(lists),
            pause=self._outbox.pause_reason,
            spoken=self._spoken,
            times=self._times_of_namesakes(lists),
            places=tuple(line.id for line in self.state.lists),
            in_front=self.state.in_front,
            undone_next=(self.newest_to_take_back() or "") if undoable else "",
        )

    def _times_of_namesakes(self, lists: Sequence[BatchProgress]) -> Mapping[str, str]:
        names = Counter(one.name for one in lists)
        if len(names) == len(lists):
            return {}
        return {
            batch.id: moment_words(batch.taken_at)
            for batch in self._batches.all()
            if names[batch.name] > 1
        }

    def _try(self, act: Callable[[str], None], batch_id: str) -> None:
        try:
            act(batch_id)
        except StoreError as error:
            self.failed.emit(error)

    async def _take_back(self, batch_id: str) -> None:
        one = self._batches.progress(batch_id)
        batch = next((batch for batch in self._batches.all() if batch.id == batch_id), None)
        if one is None or batch is None:
            return
        rows = await (self._batches.undo if one.undoable else self._batches.stop)(batch_id)
        if rows:
            self.returned.emit(await asyncio.to_thread(returned_list, batch, rows))
