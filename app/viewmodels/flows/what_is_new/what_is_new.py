"""What is new: what the readings of an account have changed, day by day, and since when.

The rows are made of what the cache keeps when somebody looks; before that only the numbers are
known, for the chip and for the status bar.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from math import inf
from time import perf_counter

import msgspec
from PySide6.QtCore import Signal

from app.flows.catalogue import FlowCatalogue, FlowsChanged
from app.flows.steps import all_steps
from app.model.change import Change, ChangeKind, LoggedChange
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.events import NewsCorrected, PeopleChanged, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import AT_ONCE_SECONDS, found_at_once, found_in_turns
from app.runtime.words import tr
from app.store.cache import Cache
from app.store.change_log import DAYS, MOST, CutChanges, Unseen
from app.store.errors import StoreDamaged
from app.store.search_keys import search_text
from app.viewmodels.exporting.print_requests import PrintedNewsRow, PrintNews
from app.viewmodels.exporting.saved_file import ListedTable
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.search import Highlights, highlights, wanted_words
from app.viewmodels.flows.what_is_new.change_sentences import (
    change_sentence,
    day_words,
    dot_words,
    news_count,
    people_sentence,
    since_words,
    status_bar_words,
)
from app.viewmodels.flows.what_is_new.news_rows import (
    ChangesByDay,
    ListedChanges,
    NewsKey,
    NewsList,
    NewsRow,
    is_same_row,
)
from app.viewmodels.flows.what_is_new.people_added import PeopleAdded, PeopleAddedScreen
from app.viewmodels.formatting import day_and_clock, local, moment_words, number
from app.viewmodels.screen import Screen

_PAGE = 500
"""Changes read in one go."""
_SLICE = 100
"""Changes looked at before the time is asked for."""
_PAUSE = 0.15
"""Seconds between two readings, and how many times as long as one took."""
_REST = 5
_A_MOMENT = timedelta(minutes=10)


class WhatIsNewState(msgspec.Struct, frozen=True):
    """What a view shows besides the rows. What does not apply is blank."""

    query: str = ""
    found: int = 0
    heading: str = ""
    """Since when it is what is listed."""
    can_print: bool = False
    """Whether there is a line to be printed."""
    empty_words: str = ""
    bounds_words: str = ""
    """For how long changes are kept, where they are cut, and what is new among them."""
    unseen: int = 0
    """How many changes nobody has looked at."""
    status_bar_words: str = ""
    """The same in one line; blank while they are looked at."""
    added: PeopleAdded | None = None
    """The chart; None before it was counted."""


class WhatIsNewScreen(Screen[WhatIsNewState]):
    """Tells what has changed since somebody looked last; being looked at is what makes it seen."""

    failed = Signal(object)
    """Carries the error that kept what is new from being read from this computer."""

    def __init__(
        self,
        cache: Cache,
        catalogue: FlowCatalogue,
        directory: PeopleDirectory,
        flows: FlowsScreen,
        *,
        events: EventBus,
        scope: TaskScope,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Listens to the readings of one account; `flows` knows who administers what."""
        super().__init__(WhatIsNewState())
        self._cache = cache
        self._catalogue = catalogue
        self._directory = directory
        self._flows = flows
        self._now = now
        self.there = cache.tells_changes
        """Whether anything is ever told: not where nothing is kept on this computer."""
        self._unseen = Unseen()
        self._looking = False
        self._looked_from: Unseen | None = None
        """What nobody had seen when somebody began to look."""
        self._left_at: datetime | None = None
        """When somebody looked last, and went elsewhere."""
        self._read_to: int | None = None
        """The serial number of the last change that is listed; None before any were read."""
        self._cut: list[CutChanges] = []
        self._oldest: LoggedChange | None = None
        """Of those that are kept one by one; None where there are none."""
        self._names: dict[str, str] = {}
        self._keys: dict[int, str] = {}
        self._lines: tuple[ListedChanges, ...] = ()
        self._shown_lines: tuple[ListedChanges, ...] = ()
        self._open: set[tuple[date, ChangeKind]] = set()
        self._query = ""
        self._wanted: tuple[str, ...] = ()
        self._found = 0
        self._added = PeopleAddedScreen(directory, scope, now)
        self._added.failed.connect(self.failed)
        self._added.state_changed.connect(self._tell)
        self.list = NewsList(self._row, self, same=is_same_row)
        self._reading = Action(scope, self._read, second="drop", on_error=self.failed.emit)
        self._again = False
        self._are_others = False
        """Whether people came, changed or went whom the chart does not count yet."""
        self._finding = Action(scope, self._find, second="replace")
        if self.there:
            events.subscribe(FlowsChanged, self._read_again, scope)
            events.subscribe(PeopleRefreshed, self._refreshed, scope)
            events.subscribe(PeopleChanged, self._changed, scope)
            events.subscribe(NewsCorrected, self._corrected, scope)
            self._read_again()

    @property
    def found(self) -> int:
        """How many changes match what is searched; all of them where nothing is.

        Before they are read nobody knows which match: none, or Enter would lead here for nothing.
        """
        if self._read_to is not None:
            return self._found
        return 0 if self._query.strip() else sum(self._unseen.counts.values())

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return tr("Search what is new")

    # What can be done

    def search(self, query: str) -> None:
        """List the changes in whose sentence or day each word occurs."""
        if query != self._query:
            self._query, self._wanted = query, wanted_words(query)
            if self._read_to is None and query.strip():
                self._read_again()
            self._list()

    def finish_search(self) -> None:
        """Somebody means what is found: find all of it now, in what has been read."""
        if self._finding.running:
            self._list(seconds=inf)

    def opened(self) -> None:
        """Somebody looks: all of it is seen from now on.

        Who has only followed one of the changes comes back to the same list.
        """
        self._looking = True
        away = None if self._left_at is None else self._now() - self._left_at
        # What has come meanwhile is to be told from what was seen before.
        if away is None or away > _A_MOMENT or self._unseen.counts:
            self._looked_from = None
        self._read_again()
        self._added.count()

    def closed(self) -> None:
        """Nobody looks any more."""
        self._looking = False
        self._left_at = self._now()
        self._tell()

    def fold(self, position: int) -> None:
        """Show those whom a line joins, or put them away again."""
        key = self.list.key_at(position)
        if key is not None and key.line is not None and key.change is None:
            self._open ^= {(key.line.day, key.line.kind)}
            self._show()

    def print_request(self) -> PrintNews | None:
        """What is shown, as a list by day; None where nothing is."""
        keys, state = self.list.keys, self.state
        if not keys:
            return None
        query = self._query.strip()
        searched = (tr("Only what matches “{query}”.", query=query),) if query else ()
        rows = partial(self._printed, keys)
        since = (self._looked_from or self._unseen).since
        heading = state.heading if since is None else self._heading(since, on_paper=True)
        return PrintNews(heading, (*searched, self._bounds_words()), rows)

    def table(self) -> ListedTable | None:
        """What is listed, a row a line with its day; None where nothing is."""
        request = self.print_request()
        if request is None:
            return None

        def rows() -> Iterator[tuple[str, ...]]:
            day = ""
            for row in request.rows():
                if row.is_day:
                    day = row.words
                else:
                    yield day, row.words

        title, headings = tr("Save what is new"), (tr("Day"), tr("What is new"))
        return ListedTable(title, tr("What is new"), headings, rows)

    def people_at(self, position: int) -> tuple[str, ...]:
        """The ids of those whom the line at `position` joins and the list still has."""
        key = self.list.key_at(position)
        if key is None or key.line is None or key.change is not None:
            return ()
        return tuple(one.change.id for one in key.line.changes if self._is_there(one.change))

    def person(self, person_id: str | None) -> Person | None:
        """Somebody of the list; None where it does not have them."""
        row = None if person_id is None else self._directory.row_of(person_id)
        return None if row is None else self._directory.people([row]).get(row)

    # How it is read

    def _read_again(self, _event: object = None) -> None:
        self._again = True
        if self.there:
            self._reading()

    def _refreshed(self, _event: PeopleRefreshed) -> None:
        self._read_again()
        if self._looking:
            self._added.count()

    def _changed(self, _event: PeopleChanged) -> None:
        """Somebody was added here, or in the middle of a reading: nobody else is told of it yet."""
        if self._looking:
            self._are_others = True
            self._read_again()

    def _corrected(self, _event: NewsCorrected) -> None:
        self._read_to = None
        self._read_again()

    async def _read(self) -> None:
        while self._again:
            self._again = False
            # Another file then, in which nothing has changed yet.
            begun = perf_counter()
            with contextlib.suppress(StoreDamaged):
                await self._read_once()
            if self._are_others:
                self._are_others = False
                self._added.count()
            await asyncio.sleep(max(_PAUSE, _REST * (perf_counter() - begun)))

    async def _read_once(self) -> None:
        self._unseen = await self._cache.unseen_changes()
        wanted = self._looking or bool(self._query.strip())
        if wanted and self._read_to != self._unseen.last_serial:
            await self._read_log()
        if self._looking and self._unseen.since is not None:
            if self._looked_from is None:
                self._looked_from = self._unseen
            last = self._unseen.last_serial
            await self._cache.mark_changes_seen(last)
            self._unseen = Unseen(self._now(), {}, last, last, self._unseen.told_since)
        self._list()

    async def _read_log(self) -> None:
        days, ids, last = ChangesByDay(), set[str](), 0
        oldest: LoggedChange | None = None
        before: int | None = None
        while page := await self._cache.changes(before, _PAGE):
            last, oldest = last or page[0].serial, page[-1]
            before = oldest.serial
            days.put_in(page)
            ids.update(one.id for each in page for one in (*each.change.came, *each.change.gone))
        self._cut = await self._cache.cut_changes()
        for each in self._cut:
            days.count(each)
        people = await self._directory.people_by_id(ids) if ids else {}
        self._names = {each: person.full_name for each, person in people.items()}
        self._keys.clear()
        self._lines = tuple(days.lines())
        self._read_to, self._oldest = last, oldest

    # How it is shown

    def _list(self, seconds: float = AT_ONCE_SECONDS) -> None:
        self._finding.cancel()
        slices = self._matching()
        lines, is_more = found_at_once(slices, seconds)
        if is_more:
            self._finding(lines, slices)
        else:
            self._take(lines)

    async def _find(
        self, lines: list[ListedChanges], slices: Iterator[list[ListedChanges]]
    ) -> None:
        async for some in found_in_turns(slices):
            lines += some
        self._take(lines)

    def _matching(self) -> Iterator[list[ListedChanges]]:
        today = self._today()
        days: dict[date, str] = {}
        for line in self._lines:
            if line.day not in days:
                days[line.day] = search_text(day_words(line.day, today))
            words = [word for word in self._wanted if word not in days[line.day]]
            if not words:
                yield [line]
                continue
            found: list[LoggedChange] = []
            for start in range(0, len(line.changes), _SLICE):
                part = line.changes[start : start + _SLICE]
                found += [one for one in part if all(word in self._key(one) for word in words)]
                yield []
            if found:
                yield [ListedChanges(line.day, line.kind, found)]

    def _key(self, logged: LoggedChange) -> str:
        if logged.serial not in self._keys:
            self._keys[logged.serial] = search_text(
                change_sentence(logged.change, self._names).text
            )
        return self._keys[logged.serial]

    def _take(self, lines: Sequence[ListedChanges]) -> None:
        self._shown_lines = tuple(lines)
        self._found = sum(line.count for line in lines)
        self._show()

    def _show(self) -> None:
        keys: list[NewsKey] = []
        last: date | None = None
        for line in self._shown_lines:
            if line.day != last:
                last = line.day
                keys.append(NewsKey(line.day))
            keys.append(NewsKey(line.day, line))
            if line.count > 1 and (line.day, line.kind) in self._open:
                keys += [NewsKey(line.day, line, one) for one in line.changes]
        self.list.show(keys)
        self._tell()

    def _tell(self, _added: PeopleAdded | None = None) -> None:
        now, unseen = self._now(), self._unseen
        counts = {} if self._looking else unseen.counts
        since = (self._looked_from or unseen).since
        self._set_state(
            WhatIsNewState(
                query=self._query,
                found=self.found,
                heading=self._heading(since) if since is not None else tr("What is new"),
                can_print=bool(self.list.keys),
                empty_words=self._empty_words(since),
                bounds_words=" ".join(filter(None, (self._bounds_words(), self._dot_words(since)))),
                unseen=news_count(counts),
                status_bar_words=status_bar_words(counts, unseen.since, now)
                if unseen.since
                else "",
                added=self._added.state,
            )
        )

    def _heading(self, since: datetime, *, on_paper: bool = False) -> str:
        """From when on what is listed has happened: when somebody looked last, unless anything
        older stands there, too. Paper is read on another day than today, too.
        """
        first, now = since, self._now()
        if self._is_older_listed(since):
            first = self._unseen.told_since or since
            if self._oldest is not None:
                first = min(first, self._oldest.at)
        if on_paper and local(first).date() == local(now).date():
            # Only of today is there the time alone.
            return tr("Since {when}", when=day_and_clock(first))
        return since_words(first, now)

    def _is_older_listed(self, since: datetime) -> bool:
        """Whether somebody has seen any of what is kept before they looked last."""
        seen, oldest = (self._looked_from or self._unseen).seen, self._oldest
        is_kept = oldest is not None and oldest.serial <= seen
        return is_kept or (seen > 0 and any(one.at < since for one in self._cut))

    def _dot_words(self, since: datetime | None) -> str:
        if since is None or not self._lines or not self._is_older_listed(since):
            return ""
        seen = (self._looked_from or self._unseen).seen
        return dot_words(since, is_any=(self._read_to or 0) > seen)

    def _empty_words(self, since: datetime | None) -> str:
        if self._read_to is None or self._shown_lines:
            return ""
        told = self._unseen.told_since
        if self._query.strip():
            return tr("Nothing new matches “{query}”.", query=self._query.strip())
        if since is None:
            return tr(
                "What changes in the account is told here, from the second reading of its lists on."
            )
        if told is None:
            return tr(
                "What changes in the account is told here, from the next reading of its lists on."
            )
        return tr("Nothing has changed since {when}.", when=moment_words(told))

    def _bounds_words(self) -> str:
        said = [tr("Changes are kept for {n} days.", n=DAYS)]
        besides = sum(one.count for one in self._cut)
        if besides:
            said.append(
                tr(
                    "There were so many that only the last {most} are kept one by one; "
                    "{n} more are only counted.",
                    most=number(MOST),
                    n=number(besides),
                )
            )
        return " ".join(said)

    def _row(self, key: NewsKey) -> NewsRow:
        line = key.line
        if line is None:
            return NewsRow(day_words(key.day, self._today()), heading=True)
        if key.change is not None:
            return self._row_of(key.change, inside=True)
        if line.count == 1 and line.changes:
            return self._row_of(line.changes[0])
        names = [one.change.name or tr("(no name)") for one in line.changes]
        said = people_sentence(line.kind, line.count, names)
        return NewsRow(
            said.text,
            said.strong,
            found=self._marks(said.text),
            unseen=bool(line.changes) and self._is_unseen(line.changes[0]),
            folded=(line.day, line.kind) not in self._open if line.changes else None,
            unfold_words=_unfold_words(len(line.changes), all_of_them=not line.besides),
        )

    def _printed(self, keys: Sequence[NewsKey]) -> Iterator[PrintedNewsRow]:
        for key in keys:
            row = self._row(key)
            yield PrintedNewsRow(row.words, is_day=row.heading, is_inside=row.inside)

    def _row_of(self, logged: LoggedChange, *, inside: bool = False) -> NewsRow:
        change = logged.change
        unable = change.kind in {ChangeKind.ARCHIVED, ChangeKind.DECEASED}
        posts = self._flows.posts_of(change.id) if unable else 0
        said = change_sentence(change, self._names, posts)
        return NewsRow(
            said.text,
            said.strong,
            said.amber,
            self._marks(said.text),
            inside=inside,
            unseen=self._is_unseen(logged),
            place=None if change.kind.of_person else self._place_of(change),
            person_id=change.id if self._is_there(change) else None,
        )

    def _marks(self, text: str) -> Highlights:
        return highlights(text, self._wanted)

    def _is_unseen(self, logged: LoggedChange) -> bool:
        seen = (self._looked_from or self._unseen).seen
        return logged.serial > seen and logged.change.kind is not ChangeKind.ADDED_HERE

    def _is_there(self, change: Change) -> bool:
        return change.kind.of_person and self._directory.row_of(change.id) is not None

    def _place_of(self, change: Change) -> FlowPlace | None:
        """Where it leads: the step, or what is left of it, the flow."""
        flow = self._catalogue.flow(change.id)
        if flow is None:
            return None
        step = change.step
        known = step is not None and any(one.id == step.id for one in all_steps(flow))
        return FlowPlace(flow.id, step.id if known and step is not None else None)

    def _today(self) -> date:
        return local(self._now()).date()


def _unfold_words(count: int, *, all_of_them: bool) -> str:
    if all_of_them:
        return tr("Show all {count}", count=number(count))
    return tr("Show {count} of them", count=number(count))
