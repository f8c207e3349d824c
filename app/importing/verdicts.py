"""The verdict on every row of a list: by what it says itself, by who is here already, and by the
other rows; which of those who are the same is kept, and what is told of a row.

Who stands in a row is read in `people_in_rows`, who is here already is known in
`people/duplicates`; what somebody changes, and takes back, is kept in `review`.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Protocol

import msgspec

from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import SourceRow
from app.importing.people_in_rows import FoundPerson, Other, new_person
from app.model.field_limits import NAME
from app.model.outbox import NewPerson
from app.model.verdict import Verdict
from app.people.duplicates import Repeats
from app.people.parsing.email import EmailRemark, check_email
from app.people.parsing.families import halves_of
from app.people.parsing.names import NameOrder
from app.runtime.words import in_a_row, tr

_CANNOT_BE_SENT = frozenset({Verdict.EMPTY, Verdict.NEEDS_A_NAME})
_LOOKED_AT = 8
"""Rows of one email: whom it says besides is found among the first of them."""
_NOT_IN_NAMES = re.compile(
    r"[:;|=<>^~\[\]{}\\@#%*?!\ufffd]|[ÂÃÄÅÐÑ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
)
"""Signs of another cell, of a sentence, and of letters that were encoded twice."""
_NOT_IN_ADDRESSES = re.compile(r"[\^|~{}]")
"""Signs that some programs set between cells."""


class PeopleHere(Protocol):
    """Who is in the account, or waits to be sent: `Duplicates` of `app.people.duplicates`."""

    def certain(self, firstname: str, lastname: str, email: str) -> Hashable | None:
        """The id of who is almost surely the same person; asked in any thread."""


Typed = tuple[str | None, str | None, str | None]
"""What somebody typed into first name, last name and email; None where it is as it was read."""
UNTOUCHED: Typed = (None, None, None)


class ReviewRow(msgspec.Struct, frozen=True, gc=False):
    """One person of the list as they stand now. `line` and `cells` are those of the source.

    `other` is kept and not sent. `origin` is what several people were made of. `detail` is one
    sentence about the verdict; `repair` the email as it was probably meant, and `halves` are the
    first and last name where the first name seems to be both. `here` is the id of who
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
    halves: tuple[str, str] | None = None
    twin: int | None = None
    left_out: bool = False

    @property
    def can_be_sent(self) -> bool:
        """Whether there is enough for the service."""
        return self.verdict not in _CANNOT_BE_SENT

    @property
    def repaired(self) -> Typed | None:
        """What is probably meant in the place of what stands there; None where nothing better is
        known.
        """
        if self.repair is not None:
            return None, None, self.repair
        if self.halves is not None and self.verdict is Verdict.READY:
            return *self.halves, None
        return None

    @property
    def new_person(self) -> NewPerson:
        """The person as the outbox takes one."""
        return new_person(self.firstname, self.lastname, self.email, self.other)


RowKey = tuple[int, int]
"""A row of the review for as long as the list is open: its position in the source, and which of the
people there it is.
"""


class JudgedRows:
    """Everybody in a list, in the order of the source. Whatever makes verdicts anew gives the
    positions of the rows that are others now.

    Making it takes a while for a long list; where `reading_stop` says so, it raises
    ReadingStoppedError within a moment.
    """

    def __init__(
        self,
        people: Iterable[tuple[RowKey, SourceRow, FoundPerson]],
        typed: Mapping[RowKey, Typed],
        chosen: Mapping[RowKey, bool],
        known: PeopleHere | None,
        order: NameOrder = NameOrder.FIRST_LAST,
        *,
        letters_are_sure: bool = True,
        are_halves: bool = False,
    ) -> None:
        """`people` as they were read; in `typed` is what somebody changed of them and in `chosen`
        whether they are to be added, as it is whenever a verdict is made. Without `known`, nobody
        is here already. `order` is how names are read where they do not say it themselves. Names
        are to be checked where it is not sure that letters other than ASCII are as they were
        written, and where the list has one half of the names.
        """
        self.known = known
        self._letters_are_sure = letters_are_sure
        self._are_halves = are_halves
        self._order = order
        self.keys: list[RowKey] = []
        self.rows: list[ReviewRow] = []
        self._found: list[FoundPerson] = []
        for key, row, person in people:
            self.keys.append(key)
            self.rows.append(ReviewRow(row.line, row.cells))
            self._found.append(person)
        self._typed = typed
        self._chosen = chosen
        self._positions = {key: position for position, key in enumerate(self.keys)}
        self.look_over()

    def position_of(self, key: RowKey) -> int | None:
        """Where the row is; None where the columns say no such row now."""
        return self._positions.get(key)

    def here_by_now(self, position: int) -> Hashable | None:
        """The id of who is here already, asked anew."""
        return self._alone(position).here

    def how_many_beside(self, position: int, typed: Typed | None = None) -> int:
        """How many rows may be others once this one is another, and where it is `typed`."""
        row = self.rows[position]
        said = (row.firstname, row.lastname, row.email)
        if typed is not None:
            said = self.said(position, typed)
        return self._repeats.how_many_beside(position, *said)

    def look_over(self) -> Sequence[int]:
        """A verdict for every row, none of which counts on another's: gives the positions of those
        that are others now.
        """
        stop = reading_stop()
        before = self.rows[:]
        self._repeats = Repeats()
        self.counts: Counter[Verdict] = Counter()
        self.taken_in = 0
        for position in range(len(self.rows)):
            stop.check()
            self.rows[position] = self._alone(position)
            self._take_in_repeats(position)
        self.counts.update(row.verdict for row in self.rows)
        self.taken_in = sum(not row.left_out for row in self.rows)
        self.judge(range(len(self.rows)))
        return [position for position, row in enumerate(self.rows) if row != before[position]]

    def look_again(self, key: RowKey) -> set[int]:
        """What a row says is something else: gives the rows that may have another verdict now."""
        position = self._positions.get(key)
        if position is None:
            return set()
        changed = {position, *self._dependent(position)}
        self._repeats.discard(position)
        before = self.rows[position]
        self._replace(position, before, self._alone(position))
        self._take_in_repeats(position)
        return changed.union(self._dependent(position))

    def _take_in_repeats(self, position: int) -> None:
        row = self.rows[position]
        if row.can_be_sent:
            self._repeats.add(position, row.firstname, row.lastname, row.email)

    def _dependent(self, position: int) -> Iterator[int]:
        """Rows of which something else may have to be said once this one is another."""
        for positions in self._repeats.dependent_on(position):
            yield from positions
        yield from islice(self._repeats.at_the_same_email(position), _LOOKED_AT)

    def _alone(self, position: int) -> ReviewRow:
        """A row by what it says itself, and who is here already."""
        row, found = self.rows[position], self._found[position]
        first, last, email = self.said(position, self._typed.get(self.keys[position], UNTOUCHED))
        remark = check_email(email) if email else None
        is_typed = (first, last) != (found.firstname, found.lastname)
        verdict, here = self._own_verdict(first, last, email, found, remark, is_typed=is_typed)
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
            halves=None if last or not first else halves_of(first, self._order),
            detail=remark.sentence if remark is not None else "",
            left_out=verdict is not Verdict.READY,
        )

    def said(self, position: int, typed: Typed) -> tuple[str, str, str]:
        """First name, last name and email: as `typed`, else as they were read."""
        found = self._found[position]
        first, last, email = typed
        return (
            found.firstname if first is None else first,
            found.lastname if last is None else last,
            found.email if email is None else email,
        )

    def _own_verdict(
        self,
        first: str,
        last: str,
        email: str,
        found: FoundPerson,
        remark: EmailRemark | None,
        *,
        is_typed: bool,
    ) -> tuple[Verdict, Hashable | None]:
        if not (first or last):
            return (Verdict.NEEDS_A_NAME if email or found.other else Verdict.EMPTY), None
        if max(len(first), len(last)) > NAME:
            return Verdict.NEEDS_A_NAME, None
        if not is_typed and not found.is_person:
            return Verdict.NOT_A_PERSON, None
        if remark is not None:
            return Verdict.EMAIL_LOOKS_WRONG, None
        here = self.known.certain(first, last, email) if self.known is not None else None
        if here is not None:
            return Verdict.ALREADY_HERE, here
        name = f"{first} {last}"
        unsure = self._are_halves or not (self._letters_are_sure or name.isascii())
        unsure = unsure or found.is_labelled or _NOT_IN_ADDRESSES.search(email) is not None
        odd = not is_typed and (unsure or _NOT_IN_NAMES.search(name) is not None)
        return (Verdict.CHECK_NAME if odd else Verdict.READY), None

    def judge(self, positions: Iterable[int]) -> Sequence[int]:
        """Rows, and those that follow from them: gives the positions of all."""
        pending = set(positions)
        waiting = [self._rank(position) for position in pending]
        heapify(waiting)
        stop = reading_stop()
        while waiting:
            stop.check()
            _, position = heappop(waiting)
            was_twice = self.rows[position].verdict is Verdict.TWICE
            self._judge_one(position)
            is_twice = self.rows[position].verdict is Verdict.TWICE
            if was_twice is is_twice or len(pending) == len(self.rows):
                continue
            rank = self._rank(position)
            for at, alike in enumerate(self._repeats.dependent_on(position)):
                if at == 0 and alike[0] != position:
                    # The others look at the first of those who are written alike.
                    break
                for each in alike:
                    if each not in pending and self._rank(each) > rank:
                        pending.add(each)
                        heappush(waiting, self._rank(each))
        return sorted(pending)

    def _rank(self, position: int) -> tuple[bool, int]:
        """Which of two who are the same is kept: one with an email before one without, and the
        first before the others.
        """
        return not self.rows[position].email, position

    def _judge_one(self, position: int) -> None:
        """A row among the others: whether it is there twice, and whether it is left out."""
        row = self.rows[position]
        verdict, twin = row.verdict, None
        if verdict in {Verdict.READY, Verdict.TWICE}:
            twin = self._twin(position)
            verdict = Verdict.READY if twin is None else Verdict.TWICE
        chosen = self._chosen.get(self.keys[position])
        taken_in = verdict is Verdict.READY if chosen is None else chosen
        now = msgspec.structs.replace(
            row,
            verdict=verdict,
            twin=self.rows[twin].line if twin is not None else None,
            left_out=not taken_in or verdict in _CANNOT_BE_SENT,
        )
        now = msgspec.structs.replace(now, detail=self._detail(position, now))
        if now != row:
            self._replace(position, row, now)

    def _replace(self, position: int, before: ReviewRow, now: ReviewRow) -> None:
        self.rows[position] = now
        if before.verdict is not now.verdict:
            self.counts[before.verdict] -= 1
            self.counts[now.verdict] += 1
        self.taken_in += int(before.left_out) - int(now.left_out)

    def _twin(self, position: int) -> int | None:
        """The row that says the same person and is sent instead."""
        own = self._rank(position)
        ranks = (self._rank(positions[0]) for positions in self._repeats.of(position))
        before = (
            rank for rank in ranks
            if rank < own and self.rows[rank[1]].verdict is not Verdict.TWICE
        )  # fmt: skip
        return min(before, default=(False, None))[1]

    def _detail(self, position: int, row: ReviewRow) -> str:
        found = self._found[position]
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
        if row.halves is not None and row.verdict is Verdict.READY:
            said.append(halves_words(*row.halves))
        if row.origin:
            said.append(tr("from “{origin}”", origin=row.origin))
        if found.more_emails:
            said.append(tr("also {emails}", emails=in_a_row(found.more_emails)))
        if found.not_used:
            words = "; ".join(found.not_used)
            said.append(tr("“{words}” is kept, but not sent as part of the name", words=words))
        if found.beside:
            said.append(tr("{words} is kept, not sent", words="; ".join(found.beside)))
        if (line := self._same_email(position, row)) is not None:
            said.append(tr("same email as line {line}", line=line))
        return " · ".join(said)

    def _same_email(self, position: int, row: ReviewRow) -> int | None:
        """The line of somebody else with this email: two of a family, or a slip of the list."""
        if row.verdict is not Verdict.READY or not row.email:
            return None
        others = islice(self._repeats.at_the_same_email(position), _LOOKED_AT)
        lines = (self.rows[other].line for other in others)
        return next((line for line in lines if line != row.line), None)


def halves_words(first: str, last: str) -> str:
    """That what stands as the first name seems to be both."""
    return tr("Did you mean first name {first}, last name {last}?", first=first, last=last)
