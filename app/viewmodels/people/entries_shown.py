"""Which entries of the outbox stand above the people, and who of them is brought into sight.

What a row of them says is the table's.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from itertools import compress

import msgspec

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.events import EntriesChanged, added_of
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.people.search import PeopleFilter, fold, matches, query_words
from app.runtime.turns import in_turns
from app.viewmodels.people.table import EntryRowsChanged, Key, PeopleTable

_MOST_HELD = 100
_ENTRIES_PASS = frozenset(
    {PeopleFilter.EVERYBODY, PeopleFilter.RECENTLY_ADDED, PeopleFilter.WITHOUT_EMAIL}
)


class _Snapshot(msgspec.Struct):
    """All entries at one moment, with what each key of a search asks of ten thousand of them."""

    entries: tuple[OutboxEntry, ...]
    ids: frozenset[str]
    added: tuple[OutboxEntry, ...]
    not_added: list[OutboxEntry]
    """All but those who were added."""
    texts: list[str] | None = None
    """What `not_added` are searched by, in their order; put together when it is first asked for."""


class EntriesShown:
    """Looks at the outbox through the search and the filter in force, and knows who has a row."""

    def __init__(self, directory: PeopleDirectory, outbox: Outbox, table: PeopleTable) -> None:
        """Nothing is searched or filtered. `table` has the rows that were told of here before."""
        self._directory = directory
        self._outbox = outbox
        self._table = table
        self._wanted: tuple[str, ...] = ()
        self._only = PeopleFilter.EVERYBODY
        self._snapshot = _Snapshot((), frozenset(), (), [])
        self._typed_before = self._snapshot.ids
        self._known: set[str] = set()
        # What was put into `_known` whole; `change` goes on from there with what it is told.
        self._known_of = self._snapshot
        # What each is searched by: at a key all of them are looked through.
        self._texts: dict[str, str] = {}
        # The rows of those who were added, by the service's ids; others may come.
        self._rows: dict[str, int] = {}
        # Few, and for a moment: sent, and not in the list yet, or hidden by what is searched.
        self._added_on_top: dict[str, OutboxEntry] = {}
        self._holds = False
        self._held: dict[str, None] = {}
        """Of a list, seen below as people, and still on top; who came first is first."""

    def hold(self, *, on: bool) -> None:
        """Whether those of a list who are sent keep their rows for now: one after the other would
        take the rows away from under whoever is about to click one.
        """
        self._holds = on
        if on:
            self._hold_more(self._added_on_top.values())
        else:
            self._held.clear()

    def look_for(self, query: str, only: PeopleFilter) -> None:
        """Another question is asked: entries typed until now have to fit it."""
        self._wanted = query_words(query)
        self._only = only
        self._typed_before = self._look_at_all().ids
        # Those who are in the list are looked for there.
        held = filter(None, map(self._outbox.index.get, self._held))
        self._held = {entry.id: None for entry in held if self.row_of(entry) is None}

    async def make_texts(self) -> None:
        """Have ready what each is searched by, so that the first key need not wait for it."""
        async for entry in in_turns(self._outbox.entries()):
            # Some may have been corrected since the first turn, or have left.
            now = self._outbox.index.get(entry.id) if entry.id not in self._texts else None
            if now is not None:
                self._text(now)
        self._look_at_all()
        await asyncio.sleep(0)
        # Anew: in that turn, too, some may have been corrected.
        self._look_at_all()
        self._texts_of_not_added()

    def people_gone(self, rows: Collection[int]) -> None:
        """These rows are in the list no longer."""
        gone = frozenset(rows)
        self._rows = {one: row for one, row in self._rows.items() if row not in gone}

    def all_shown(self) -> list[OutboxEntry]:
        """The entries to show, newest last, without those who are seen in the list as people.

        Looks at all of them: for another question, or when people have gone from the list.
        """
        snapshot, before = self._look_at_all(), self._typed_before
        entries = snapshot.entries
        if snapshot is not self._known_of:
            self._known, self._known_of = set(snapshot.ids), snapshot
        self._look_for_rows(snapshot.added)
        # Ten thousand may wait, and nearly all of them were typed before.
        # The very same as long as nobody has come, changed or gone since the question was asked.
        if before is snapshot.ids:
            many = snapshot.not_added
            shown = self._fitting(many, self._texts_of_not_added() if self._wanted else ())
        else:
            many = [entry for entry in snapshot.not_added if entry.id in before]
            shown = self._fitting(many, map(self._text, many))
        if len(many) < len(entries):
            alone = self._known.difference([entry.id for entry in many])
            fitting = {entry.id for entry in shown}
            shown = [
                entry
                for entry in entries
                if entry.id in fitting or (entry.id in alone and self._is_shown(entry))
            ]
        if len(self._texts) > len(entries):
            self._texts = {one: self._texts[one] for one in self._known & self._texts.keys()}
        self._added_on_top = {entry.id: entry for entry in added_of(shown)}
        return shown

    def change(self, event: EntriesChanged, removed: Sequence[str]) -> EntryRowsChanged | None:
        """What becomes of the rows with what is told, of which these are the ids of `removed`.

        None where one comes back among the others: `all_shown` tells its place.
        """
        entries, ids = event.changed, event.ids
        if not (removed or event.added or self._any_known(ids)):
            # Ten thousand come at once: all of them fit, and none is looked at alone.
            self._known.update(ids)
            return EntryRowsChanged(entries)
        for one in ids:
            self._texts.pop(one, None)  # some may have been corrected
        fresh, changed, gone = [], [], [one for one in removed if self._table.has_entry(one)]
        self._hold_more(entries)
        for entry in entries:
            has_row, shown = self._table.has_entry(entry.id), self._is_shown(entry)
            if shown and has_row:
                changed.append(entry)
            elif shown and entry.id in self._known:
                return None
            elif shown:
                fresh.append(entry)
            elif has_row:
                gone.append(entry.id)
            if shown and entry.state is EntryState.ADDED:
                self._added_on_top[entry.id] = entry
        self._known.update(ids)
        self._known.difference_update(removed)
        told = {*ids, *removed}
        on_top = self._added_on_top.items() if len(self._held) >= _MOST_HELD else ()
        gone += [one for one, entry in on_top if one not in told and not self._is_shown(entry)]
        self._without(gone)
        return EntryRowsChanged(fresh, changed, gone)

    def listed_meanwhile(self) -> EntryRowsChanged:
        """What becomes of the rows when people have come, or a whole list came without them."""
        # Held since they were sent: who was let go for newer ones is not to come in behind them.
        gone = [entry.id for entry in self._added_on_top.values() if not self._is_shown(entry)]
        self._without(gone)
        return EntryRowsChanged(gone=gone)

    def rows_on_top(self) -> frozenset[int]:
        """The rows of those who are held on top, and would be found in the list as well."""
        held = filter(None, map(self._added_on_top.get, self._held))
        rows = (self._rows.get(entry.person_id or "") for entry in held)
        seen = (row for row in rows if row is not None)
        if self._wanted or self._only.flag is not None:
            return frozenset(filter(self._finds, seen))
        # Asked several times for each of a list who is sent, of a hundred.
        return frozenset(seen)

    def knows(self, entry_id: str) -> bool:
        """Whether this one was there when the entries were looked at last, shown or not."""
        return entry_id in self._known

    def _any_known(self, ids: Sequence[str]) -> bool:
        return not (self._known.isdisjoint(ids) and self._typed_before.isdisjoint(ids))

    def _without(self, gone: Sequence[str]) -> None:
        for entry_id in gone:
            self._added_on_top.pop(entry_id, None)

    def _is_shown(self, entry: OutboxEntry) -> bool:
        if entry.state is EntryState.ADDED:
            row = self.row_of(entry)
            if row is not None:
                if entry.id in self._held:
                    return True
                # Whoever is added while something is searched does not vanish for being sent.
                return entry.id not in self._typed_before and not self._finds(row)
            if self._directory.would_have(entry.ended_at):
                return False
        if entry.id not in self._typed_before:
            return True
        return bool(self._fitting([entry], map(self._text, (entry,))))

    def _hold_more(self, entries: Iterable[OutboxEntry]) -> None:
        """Whoever of these is sent, and was seen on top, stays there while rows are held."""
        if not self._holds:
            return
        for entry in entries:
            if entry.batch is not None and self._table.has_entry(entry.id):
                self._held[entry.id] = None
        # The oldest stand lowest, and out of sight where there are so many.
        for entry_id in list(self._held)[: max(len(self._held) - _MOST_HELD, 0)]:
            del self._held[entry_id]

    def row_of(self, entry: OutboxEntry) -> int | None:
        """The row of the person an entry has become; None as long as nobody is listed for it."""
        if entry.person_id is None or entry.state is not EntryState.ADDED:
            return None
        row = self._rows.get(entry.person_id)
        if row is None:
            row = self._directory.row_of(entry.person_id)
            if row is None or not self._directory.has_taken_in(row):
                return None
            self._rows[entry.person_id] = row
        return row

    def _finds(self, row: int) -> bool:
        """Whether search and filter leave this person in the list."""
        flag, directory = self._only.flag, self._directory
        passes = flag is None or bool(directory.flags(row) & flag)
        return passes and matches(directory.key(row), self._wanted)

    def _fitting(self, entries: Sequence[OutboxEntry], texts: Iterable[str]) -> list[OutboxEntry]:
        """Those of them whom search and filter find, who were typed before these were asked; each
        of `texts`, of which none is asked for where nothing is searched, is searched for an entry.
        """
        if self._only not in _ENTRIES_PASS:
            return []
        fitting = list(entries)
        for word in self._wanted:
            texts = list(texts)
            found = [word in text for text in texts]
            fitting, texts = list(compress(fitting, found)), compress(texts, found)
        if self._only is PeopleFilter.WITHOUT_EMAIL:
            fitting = [entry for entry in fitting if not entry.new_person.email]
        return fitting

    def _look_at_all(self) -> _Snapshot:
        """Anew only where somebody has come, changed or gone since."""
        entries = self._outbox.entries()
        if entries is not self._snapshot.entries:
            added = EntryState.ADDED  # as in `added_of`
            not_added = [entry for entry in entries if entry.state is not added]
            ids = frozenset([entry.id for entry in entries])
            self._snapshot = _Snapshot(entries, ids, added_of(entries), not_added)
        return self._snapshot

    def _texts_of_not_added(self) -> list[str]:
        snapshot = self._snapshot
        if snapshot.texts is None:
            snapshot.texts = [self._text(entry) for entry in snapshot.not_added]
        return snapshot.texts

    def _text(self, entry: OutboxEntry) -> str:
        """What it is searched by."""
        text = self._texts.get(entry.id)
        if text is None:
            new = entry.new_person
            text = self._texts[entry.id] = fold(f"{new.full_name} {new.email}")
        return text

    def _look_for_rows(self, added: Iterable[OutboxEntry]) -> None:
        """Of all at once whose row is not known: one by one they would take many times as long."""
        ids = (entry.person_id for entry in added)
        unknown = [one for one in ids if one is not None and one not in self._rows]
        if unknown:
            found, listed = self._directory.rows_of(unknown), self._directory.has_taken_in
            self._rows |= {one: row for one, row in found.items() if listed(row)}


class NewEntryFollower:
    """Follows who was added just now: tells of their row once waiting and once added."""

    def __init__(self, outbox: Outbox, entries: EntriesShown) -> None:
        """Those whom `entries` knows are no news."""
        self._outbox = outbox
        self._entries = entries
        self._followed: str | None = None
        self._was_on_top = False

    def hear(self, ids: Sequence[str]) -> None:
        """Entries with these ids are new or not as they were, and `entries` has not heard of it
        yet; of several new ones the last is followed.
        """
        last_new = next((one for one in reversed(ids) if not self._entries.knows(one)), None)
        if last_new is not None:
            self._followed, self._was_on_top = last_new, False

    def let_go(self) -> None:
        """Somebody has gone elsewhere in the list: follow nobody there."""
        self._followed = None

    def come(self, table: PeopleTable) -> Key | None:
        """The row of `table` that they have come to, each once; None for none."""
        entry = self._outbox.index.get(self._followed)
        if entry is None:
            return None
        row = self._entries.row_of(entry)
        if row is None:
            first, self._was_on_top = not self._was_on_top, True
            return entry.id if first else None
        if table.position_of(row) is None:
            return None
        self._followed = None
        return row
