"""A list as somebody looks it over before it is added: a verdict for every row, and what they
change, with undo and redo.

It knows no window and sends nothing. Who stands in a row is read in `people_in_rows`, who is here
already is known in `people/duplicates`.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Protocol

import msgspec

from app.importing.columns import ColumnField, Columns, HalfMissing
from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import SourceRow, SourceTable
from app.importing.people_in_rows import (
    FoundPerson,
    Other,
    RowReader,
    heading_of,
    new_person,
)
from app.model.field_limits import NAME
from app.model.outbox import NewPerson
from app.model.verdict import Verdict
from app.people.duplicates import Repeats
from app.people.parsing.email import EmailRemark, check_email
from app.runtime.words import tr

_CANNOT_BE_SENT = frozenset({Verdict.EMPTY, Verdict.NEEDS_A_NAME})
_MANY_TYPED = 300
"""Rows that are others at once: with more, all are looked over anew, which takes no longer."""
_LOOKED_AT = 8
"""Rows of one email: whom it says besides is found among the first of them."""
_WORDS = re.compile(r"[^\W\d_]+|@")
_COUNT_WORDS = frozenset(
    {"total", "totals", "subtotal", "sum", "count"}
    | {"summe", "gesamt", "gesamtsumme", "insgesamt", "anzahl"}
    | {"totaux", "somme", "totale", "somma", "totaal", "totalt"}
)
"""What begins the last line of a list that is counted, in the languages lists come in."""
_COUNTED = frozenset(
    {"of", "people", "persons", "rows", "entries", "names"}
    | {"personen", "zeilen", "einträge", "personnes", "personas", "persone", "pessoas"}
)
"""What may stand behind it beside numbers, without being somebody's name."""
_EDITABLE = {ColumnField.FIRSTNAME: 0, ColumnField.LASTNAME: 1, ColumnField.EMAIL: 2}


class PeopleHere(Protocol):
    """Who is in the account, or waits to be sent: `Duplicates` of `app.people.duplicates`."""

    def certain(self, firstname: str, lastname: str, email: str) -> Hashable | None:
        """The id of who is almost surely the same person; asked in any thread."""


class ReviewRow(msgspec.Struct, frozen=True, gc=False):
    """One person of the list as they stand now. `line` and `cells` are those of the source.

    `other` is kept and not sent. `origin` is what several people were made of. `detail` is one
    sentence about the verdict; `repair` the email as it was probably meant. `here` is the id of who
    is here already. `twin` is the line of the row that says the same person, or None.
    """

    line: int
    cells: tuple[str, ...]
    firstname: str = ""
    lastname: str = ""
    email: str = ""
    other: Other = ()
    origin: str = ""
    verdict: Verdict = Verdict.READY
    detail: str = ""
    here: Hashable | None = None
    repair: str | None = None
    twin: int | None = None
    left_out: bool = False

    @property
    def can_be_sent(self) -> bool:
        """Whether there is enough for the service."""
        return self.verdict not in _CANNOT_BE_SENT

    @property
    def new_person(self) -> NewPerson:
        """The person as the outbox takes one."""
        return new_person(self.firstname, self.lastname, self.email, self.other)


_Key = tuple[int, int]
"""A row of the review for as long as the list is open: its place in the source, and which of the
people there it is.
"""
_Typed = tuple[str | None, str | None, str | None]
"""What somebody typed into first name, last name and email; None where it is as it was read."""
_UNTOUCHED: _Typed = (None, None, None)


class ReviewStep(msgspec.Struct, frozen=True):
    """One thing that was done: each row of it, as it was before and is after."""

    typed: tuple[tuple[_Key, _Typed, _Typed], ...] = ()
    chosen: tuple[tuple[_Key, bool | None, bool | None], ...] = ()
    columns: tuple[Columns, Columns] | None = None


_MOST_KEPT = 1_000
"""Rows of steps that are kept over a restart, the newest first; a step counts as one more."""


class ReviewChanges(msgspec.Struct, frozen=True):
    """What differs from a list that nobody has touched. Names of rows are as in `Review`."""

    columns: Columns
    typed: tuple[tuple[_Key, _Typed], ...] = ()
    chosen: tuple[tuple[_Key, bool], ...] = ()
    changed: bool = False
    """Whether somebody did anything: what the columns were taken for at first is not told."""
    done: tuple[ReviewStep, ...] = ()
    """The newest of what can be undone; the last is undone first."""


class Review:
    """The list. Whatever changes it gives the places of the rows that are others now, or None
    where that may be all of them; `rows` has them at once.

    A change of the columns, and making it, take a while for a long list: both may run in a worker
    thread, as long as nobody asks anything else of it meanwhile. Where `reading_stop` says so, both
    raise ReadingStoppedError within a moment.
    """

    def __init__(
        self,
        table: SourceTable,
        columns: Columns,
        known: PeopleHere | None = None,
        changes: ReviewChanges | None = None,
    ) -> None:
        """Look over `table`, its columns taken as `columns` says; without `known`, nobody is here
        already. With `changes`, go on where somebody was: the verdicts are made anew.
        """
        self.table = table
        self._known = known
        self._typed: dict[_Key, _Typed] = dict(changes.typed) if changes else {}
        self._chosen: dict[_Key, bool] = dict(changes.chosen) if changes else {}
        self._changed_before = changes is not None and changes.changed
        self._done: list[ReviewStep] = list(changes.done) if changes else []
        self._undone: list[ReviewStep] = []
        self._read(changes.columns if changes else columns)

    # What is in it

    @property
    def rows(self) -> Sequence[ReviewRow]:
        """Everybody, in the order of the source."""
        return self._rows

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many rows have each verdict."""
        return self._counts

    @property
    def taken_in(self) -> int:
        """How many are to be added."""
        return self._taken_in

    @property
    def has_changes(self) -> bool:
        """Whether somebody has done anything to it that would be lost with it."""
        return bool(self._done) or self._changed_before

    def changes(self) -> ReviewChanges:
        """Those there are now, to go on with later; costs as much as there are."""
        return ReviewChanges(
            self.columns,
            tuple(self._typed.copy().items()),
            tuple(self._chosen.copy().items()),
            self.has_changes,
            _newest(self._done),
        )

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is anything to do again."""
        return bool(self._undone)

    @property
    def undo_size(self) -> int:
        """How many rows undoing looks at: what is many is better done in a worker thread."""
        return self._size(self._done)

    @property
    def redo_size(self) -> int:
        """The same for doing it again."""
        return self._size(self._undone)

    def _size(self, steps: Sequence[ReviewStep]) -> int:
        if not steps:
            return 0
        last = steps[-1]
        if last.columns or len(last.typed) > _MANY_TYPED:
            return len(self._rows)
        typed = sum(self._beside(key, each) for key, *both in last.typed for each in both)
        return typed + len(last.chosen)

    def edit_size(self, place: int, field: ColumnField, text: str) -> int:
        """The same for what somebody typed: of very many who are written alike, or share an email,
        all may be others.
        """
        typed = list(self._typed.get(self._keys[place], _UNTOUCHED))
        typed[_EDITABLE[field]] = text
        row, repeats = self._rows[place], self._repeats
        before = repeats.how_many_beside(place, row.firstname, row.lastname, row.email)
        return before + self._beside(self._keys[place], (typed[0], typed[1], typed[2]))

    def repair_size(self, places: Collection[int]) -> int:
        """The same for putting the emails of these rows right."""
        if len(places) > _MANY_TYPED:
            return len(places)
        repairs = ((place, self._rows[place].repair) for place in places)
        return sum(
            self.edit_size(place, ColumnField.EMAIL, repair)
            for place, repair in repairs
            if repair is not None
        )

    def _beside(self, key: _Key, typed: _Typed) -> int:
        """How many rows may be others once this one is or was `typed`."""
        place = self._places.get(key)
        return (
            0 if place is None else self._repeats.how_many_beside(place, *self._said(place, typed))
        )

    def places_of(self, verdict: Verdict) -> list[int]:
        """The places of the rows with this verdict."""
        return [place for place, row in enumerate(self._rows) if row.verdict is verdict]

    # What can be done

    def edit(self, place: int, field: ColumnField, text: str) -> Sequence[int] | None:
        """Have a first name, last name or email be what somebody typed."""
        return self._edit({place: text}, _EDITABLE[field])

    def repair(self, places: Collection[int] | None = None) -> Sequence[int] | None:
        """Put the emails of these rows, or of all, right where it is known how."""
        wanted = range(len(self._rows)) if places is None else places
        mended = {
            place: repair for place in wanted if (repair := self._rows[place].repair) is not None
        }
        return self._edit(mended, _EDITABLE[ColumnField.EMAIL])

    def leave_out(self, places: Iterable[int], *, out: bool = True) -> Sequence[int] | None:
        """Leave rows out, or take them in; what cannot be sent stays out."""
        chosen: list[tuple[_Key, bool | None, bool | None]] = []
        for place in dict.fromkeys(places):
            row, key = self._rows[place], self._keys[place]
            if row.left_out != out and (out or row.can_be_sent):
                chosen.append((key, self._chosen.get(key), not out))
        return self._do(ReviewStep(chosen=tuple(chosen))) if chosen else ()

    def take_columns(self, columns: Columns) -> Sequence[int] | None:
        """Take the columns for something else; what somebody typed stays where it is."""
        if columns == self.columns:
            return ()
        return self._do(ReviewStep(columns=(self.columns, columns)))

    def compare_with(self, known: PeopleHere) -> None:
        """Ask this from now on who is here; the verdicts follow as rows are looked at again."""
        self._known = known

    def look_again(self, places: Iterable[int]) -> Sequence[int]:
        """Compare rows with who is here by now; the other rows are others only where theirs are."""
        changed: set[int] = set()
        for place in places:
            if self._rows[place].here != self._alone(place).here:
                changed |= self._look_again(self._keys[place])
        return self._judge_all(changed)

    def undo(self) -> Sequence[int] | None:
        """Take back what was done last."""
        if not self._done:
            return ()
        self._undone.append(self._done.pop())
        return self._apply(self._undone[-1], after=False)

    def redo(self) -> Sequence[int] | None:
        """Do again what was taken back last."""
        if not self._undone:
            return ()
        self._done.append(self._undone.pop())
        return self._apply(self._done[-1], after=True)

    # How it is done

    def _edit(self, texts: Mapping[int, str], which: int) -> Sequence[int] | None:
        typed: list[tuple[_Key, _Typed, _Typed]] = []
        for place, text in texts.items():
            row, key = self._rows[place], self._keys[place]
            plain = " ".join(text.split())
            if plain == (row.firstname, row.lastname, row.email)[which]:
                continue
            before = self._typed.get(key, _UNTOUCHED)
            after = list(before)
            after[which] = plain
            typed.append((key, before, (after[0], after[1], after[2])))
        return self._do(ReviewStep(typed=tuple(typed))) if typed else ()

    def _do(self, step: ReviewStep) -> Sequence[int] | None:
        self._done.append(step)
        self._undone.clear()
        return self._apply(step, after=True)

    def _apply(self, step: ReviewStep, *, after: bool) -> Sequence[int] | None:
        changed: set[int] = set()
        for key, *typed in step.typed:
            if typed[after] == _UNTOUCHED:
                self._typed.pop(key, None)
            else:
                self._typed[key] = typed[after]
        if len(step.typed) > _MANY_TYPED:
            return self._look_over()
        for key, *_ in step.typed:
            changed |= self._look_again(key)
        for key, *chosen in step.chosen:
            now = chosen[after]
            if now is None:
                self._chosen.pop(key, None)
            else:
                self._chosen[key] = now
            if (place := self._places.get(key)) is not None:
                changed.add(place)
        if step.columns is not None:
            self._read(step.columns[after])
            return None
        return self._judge_all(changed)

    def _read(self, columns: Columns) -> None:
        """Everything anew: who stands in the rows is read by other columns."""
        self.columns = columns
        count = _count_below(self.table.rows[columns.first_person :])
        reader = RowReader(columns)
        source = self.table.rows[columns.first_person :]
        repeated = tuple(columns.headings) if columns.first_row_is_headings else None
        self._found: list[FoundPerson] = []
        self._keys: list[_Key] = []
        self._rows: list[ReviewRow] = []
        stop = reading_stop()
        for number, row in enumerate(source):
            stop.check()
            if repeated is not None and _same(row.cells, repeated):
                people: tuple[FoundPerson, ...] = (FoundPerson(),)
            elif number == count:
                words = " ".join(filter(None, row.cells))
                people = (FoundPerson(not_used=(words,)),)
            else:
                people = reader.people(row)
            for part, person in enumerate(people):
                self._keys.append((number, part))
                self._found.append(person)
                self._rows.append(ReviewRow(row.line, row.cells))
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._look_over()

    def _look_over(self) -> Sequence[int]:
        """A verdict for every row, none of which counts on another's: gives the places of those
        that are others now.
        """
        stop = reading_stop()
        before = self._rows[:]
        self._repeats = Repeats()
        self._counts: Counter[Verdict] = Counter()
        self._taken_in = 0
        for place in range(len(self._rows)):
            stop.check()
            self._rows[place] = self._alone(place)
            self._take_in_repeats(place)
        self._counts.update(row.verdict for row in self._rows)
        self._taken_in = sum(not row.left_out for row in self._rows)
        self._judge_all(range(len(self._rows)))
        return [place for place, row in enumerate(self._rows) if row != before[place]]

    def _look_again(self, key: _Key) -> set[int]:
        """What a row says is something else: gives the rows that may have another verdict now."""
        place = self._places.get(key)
        if place is None:
            return set()
        changed = {place, *self._dependent(place)}
        self._repeats.discard(place)
        before = self._rows[place]
        self._replace(place, before, self._alone(place))
        self._take_in_repeats(place)
        return changed.union(self._dependent(place))

    def _take_in_repeats(self, place: int) -> None:
        row = self._rows[place]
        if row.can_be_sent:
            self._repeats.add(place, row.firstname, row.lastname, row.email)

    def _dependent(self, place: int) -> Iterator[int]:
        """Rows of which something else may have to be said once this one is another."""
        for places in self._repeats.dependent_on(place):
            yield from places
        yield from islice(self._repeats.at_the_same_email(place), _LOOKED_AT)

    def _alone(self, place: int) -> ReviewRow:
        """A row by what it says itself, and who is here already."""
        row, found = self._rows[place], self._found[place]
        first, last, email = self._said(place, self._typed.get(self._keys[place], _UNTOUCHED))
        remark = check_email(email) if email else None
        verdict, here = self._own_verdict(first, last, email, found, remark)
        return ReviewRow(
            row.line,
            row.cells,
            first,
            last,
            email,
            found.other,
            found.origin,
            verdict,
            here=here,
            repair=remark.repair if remark is not None else None,
            detail=remark.sentence if remark is not None else "",
            left_out=verdict is not Verdict.READY,
        )

    def _said(self, place: int, typed: _Typed) -> tuple[str, str, str]:
        """First name, last name and email: as `typed`, else as they were read."""
        found = self._found[place]
        first, last, email = typed
        return (
            found.firstname if first is None else first,
            found.lastname if last is None else last,
            found.email if email is None else email,
        )

    def _own_verdict(
        self, first: str, last: str, email: str, found: FoundPerson, remark: EmailRemark | None
    ) -> tuple[Verdict, Hashable | None]:
        if not (first or last):
            nothing = not (email or found.other)
            return (Verdict.EMPTY if nothing else Verdict.NEEDS_A_NAME), None
        if max(len(first), len(last)) > NAME:
            return Verdict.NEEDS_A_NAME, None
        if remark is not None:
            return Verdict.EMAIL_LOOKS_WRONG, None
        here = self._known.certain(first, last, email) if self._known is not None else None
        return (Verdict.READY if here is None else Verdict.ALREADY_HERE), here

    def _judge_all(self, places: Iterable[int]) -> Sequence[int]:
        """Rows, and those that follow from them: gives the places of all."""
        pending = set(places)
        waiting = [self._rank(place) for place in pending]
        heapify(waiting)
        stop = reading_stop()
        while waiting:
            stop.check()
            _, place = heappop(waiting)
            was_twice = self._rows[place].verdict is Verdict.TWICE
            self._judge(place)
            is_twice = self._rows[place].verdict is Verdict.TWICE
            if was_twice is is_twice or len(pending) == len(self._rows):
                continue
            rank = self._rank(place)
            for at, alike in enumerate(self._repeats.dependent_on(place)):
                if at == 0 and alike[0] != place:
                    # The others look at the first of those who are written alike.
                    break
                for each in alike:
                    if each not in pending and self._rank(each) > rank:
                        pending.add(each)
                        heappush(waiting, self._rank(each))
        return sorted(pending)

    def _rank(self, place: int) -> tuple[bool, int]:
        """Which of two who are the same is kept: one with an email before one without, and the
        first before the others.
        """
        return not self._rows[place].email, place

    def _judge(self, place: int) -> None:
        """A row among the others: whether it is there twice, and whether it is left out."""
        row = self._rows[place]
        verdict, twin = row.verdict, None
        if verdict in {Verdict.READY, Verdict.TWICE}:
            twin = self._twin(place)
            verdict = Verdict.READY if twin is None else Verdict.TWICE
        chosen = self._chosen.get(self._keys[place])
        taken_in = verdict is Verdict.READY if chosen is None else chosen
        now = msgspec.structs.replace(
            row,
            verdict=verdict,
            twin=self._rows[twin].line if twin is not None else None,
            left_out=not taken_in or verdict in _CANNOT_BE_SENT,
        )
        now = msgspec.structs.replace(now, detail=self._detail(place, now))
        if now != row:
            self._replace(place, row, now)

    def _replace(self, place: int, before: ReviewRow, now: ReviewRow) -> None:
        self._rows[place] = now
        if before.verdict is not now.verdict:
            self._counts[before.verdict] -= 1
            self._counts[now.verdict] += 1
        self._taken_in += int(before.left_out) - int(now.left_out)

    def _twin(self, place: int) -> int | None:
        """The row that says the same person and is sent instead."""
        own = self._rank(place)
        ranks = (self._rank(places[0]) for places in self._repeats.of(place))
        before = (
            rank for rank in ranks
            if rank < own and self._rows[rank[1]].verdict is not Verdict.TWICE
        )  # fmt: skip
        return min(before, default=(False, None))[1]

    def _detail(self, place: int, row: ReviewRow) -> str:
        found = self._found[place]
        if row.verdict is Verdict.EMAIL_LOOKS_WRONG:
            return row.detail
        if row.verdict is Verdict.TWICE:
            # The line number says it all: the verdict stands beside it.
            return tr("line {line}", line=row.twin)
        if row.verdict is Verdict.NEEDS_A_NAME and (
            found.is_too_long or row.firstname or row.lastname
        ):
            return tr("this is too long for a name")
        said = []
        if row.origin:
            said.append(tr("from “{origin}”", origin=row.origin))
        if found.more_emails:
            said.append(tr("also {emails}", emails=", ".join(found.more_emails)))
        if found.not_used:
            words = "; ".join(found.not_used)
            said.append(tr("“{words}” is kept, but not sent as part of the name", words=words))
        if found.beside:
            said.append(tr("{words} is kept, not sent", words="; ".join(found.beside)))
        if (line := self._same_email(place, row)) is not None:
            said.append(tr("same email as line {line}", line=line))
        return " · ".join(said)

    def _same_email(self, place: int, row: ReviewRow) -> int | None:
        """The line of somebody else with this email: two of a family, or a slip of the list."""
        if row.verdict is not Verdict.READY or not row.email:
            return None
        others = islice(self._repeats.at_the_same_email(place), _LOOKED_AT)
        lines = (self._rows[other].line for other in others)
        return next((line for line in lines if line != row.line), None)


def _newest(steps: Sequence[ReviewStep]) -> tuple[ReviewStep, ...]:
    left, kept = _MOST_KEPT, len(steps)
    while (
        kept and (left := left - 1 - len(steps[kept - 1].typed) - len(steps[kept - 1].chosen)) >= 0
    ):
        kept -= 1
    return tuple(steps[kept:])


def half_missing_words(columns: Columns, missing: HalfMissing) -> str:
    """That everybody comes with one half of a name, and where the other may be."""
    heading = heading_of(columns, missing.column)
    if missing.half is ColumnField.LASTNAME:
        return tr(
            "Everybody here is added with a first name alone. “{heading}” looks like their last "
            "names, and is not sent.",
            heading=heading,
        )
    return tr(
        "Everybody here is added with a last name alone. “{heading}” looks like their first "
        "names, and is not sent.",
        heading=heading,
    )


def _count_below(rows: Sequence[SourceRow]) -> int | None:
    """The place of a last row that only says how many there are above it: `Total: 2`."""
    places = range(len(rows) - 1, -1, -1)
    last = next((place for place in places if any(map(str.strip, rows[place].cells))), None)
    if not last:
        return None
    words = _WORDS.findall(" ".join(rows[last].cells).casefold().replace("grand total", "total"))
    counts = bool(words) and words[0] in _COUNT_WORDS and _COUNTED.issuperset(words[1:])
    return last if counts else None


def _same(cells: Sequence[str], headings: Sequence[str]) -> bool:
    """Whether a row says the headings once more, as printed pages that were joined do."""
    return tuple(" ".join(cell.split()) for cell in cells) == tuple(headings)
