"""The sorted order of the people: how SQLite sorts them, and how memory keeps that order current.

Both halves of the rule stand here because they must agree; when to sort is decided elsewhere.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import Protocol, TypeAlias, TypeVar

from app.store.search_keys import SEPARATOR

Rows: TypeAlias = "array[int]"
"""Row numbers, four bytes each."""
ROW = "I"
"""The type of one in an array."""

Text: TypeAlias = bytes | bytearray
_NO_NAME = SEPARATOR.encode()
_Value_co = TypeVar("_Value_co", covariant=True)


class ByRow(Protocol[_Value_co]):
    """Values that are looked up by row number."""

    def __getitem__(self, row: int, /) -> _Value_co:
        """Of one row."""


IndexRow = tuple[int, str, int, int | None]
"""What memory holds of a person: row, joined key, `PersonFlags`, when added (seconds, UTC)."""
NEVER = -(2**63)
"""In the place of seconds where there is no date."""


class SortKey(StrEnum):
    """What the list can be sorted by."""

    LAST_NAME = "last name"
    FIRST_NAME = "first name"
    EMAIL = "email"
    PHONE = "phone"
    MOBILE = "mobile"
    ADDED = "added"


KEY_COLUMNS = (
    "last_key",
    "first_key",
    "email_key",
    "phone_key",
    "mobile_key",
    "unspaced_key",
    "others_key",
)
"""The fields of a joined key, in their order; the last one is there where it is not blank."""

_COLUMNS = {
    SortKey.LAST_NAME: "last_key",
    SortKey.FIRST_NAME: "first_key",
    SortKey.EMAIL: "email_key",
    SortKey.PHONE: "phone_key",
    SortKey.MOBILE: "mobile_key",
    SortKey.ADDED: "date_added",
}
TEXT_FIELDS = {
    SortKey.LAST_NAME: 0,
    SortKey.FIRST_NAME: 1,
    SortKey.EMAIL: 2,
    SortKey.PHONE: 3,
    SortKey.MOBILE: 4,
}
"""Where the field stands in a joined key, of those orders that are by one."""

# Looking for one row costs about as much as looking at so many others in passing.
_MANY = 30

SortRank = tuple[bool, int | str, str, int]
"""What a row is sorted by: without a value, the value, the joined key, the row number."""


def order_by(by: SortKey, *, descending: bool) -> str:
    """The ORDER BY of the people table: those without a value come last in either direction."""
    column = _COLUMNS[by]
    blank = f"{column} IS NULL" if by is SortKey.ADDED else f"{column} = ''"
    way = " DESC" if descending else ""
    others = ", ".join(f"{each}{way}" for each in (column, *KEY_COLUMNS, "row"))
    return f"ORDER BY {blank}, {others}"


def ranks(by: SortKey, keys: ByRow[str], added: ByRow[int]) -> Callable[[int], SortRank]:
    """The same rule in memory: what tells a row's rank from its joined key and when it was added.

    Both are looked up by row; `NEVER` stands for no date. Joined keys compare as their fields do
    one by one, because the separator is below every character in them.
    """
    if by is SortKey.LAST_NAME:
        return lambda row: (keys[row][0] == SEPARATOR, "", keys[row], row)
    if by is SortKey.ADDED:
        return lambda row: (added[row] == NEVER, added[row], keys[row], row)
    field = TEXT_FIELDS[by]

    def rank(row: int) -> SortRank:
        key = keys[row]
        value = key.split(SEPARATOR, field + 1)[field]
        return not value, value, key, row

    return rank


class SortedRows:
    """Rows in ascending order. Each change makes a new array: whoever reads the old one may."""

    def __init__(
        self,
        rows: Rows,
        rank: Callable[[int], SortRank],
        keys: Callable[[], Callable[[int], Text]] | None = None,
    ) -> None:
        """`rows` as SQLite sorted them; `rank` tells each one's rank as it is known now.

        `keys`: asked at each change, what gives in UTF-8 the field of a row that it is sorted by
        and the joined key, where `rank` sorts by nothing else: comparing bytes takes half of what
        comparing ranks does.
        """
        self._ascending = rows
        self._rank = rank
        self._keys = keys
        self._descending: Rows | None = None

    def shown(self, *, descending: bool) -> Rows:
        """All rows as they are shown; not to be changed."""
        if not descending:
            return self._ascending
        if self._descending is None:
            blank = self._first_blank()
            self._descending = self._ascending[:blank][::-1] + self._ascending[blank:][::-1]
        return self._descending

    def position_in(self, rows: Sequence[int], row: int, *, descending: bool) -> int | None:
        """Where `row` stands in `rows`, all or some of these as they are shown; None for nowhere.

        Among a million people some twenty are looked at.
        """
        blank, *rest = self._rank(row)

        def is_behind(other: int) -> bool:
            other_blank, *others = self._rank(other)
            if blank != other_blank or not descending:
                return (other_blank, *others) >= (blank, *rest)
            return others <= rest

        at = bisect_left(rows, 1, key=is_behind)
        return at if at < len(rows) and rows[at] == row else None

    def take_out(self, rows: Collection[int]) -> None:
        """Forget `rows`, whose ranks are still those they were put in by."""
        if len(rows) * _MANY > len(self._ascending):
            gone = frozenset(rows)
            self._become(array(ROW, (row for row in self._ascending if row not in gone)))
            return
        kept = array(ROW)
        start = 0
        for position in sorted(self._find(row) for row in rows):
            kept += self._ascending[start:position]
            start = position + 1
        self._become(kept + self._ascending[start:])

    def put_in(self, rows: Iterable[int]) -> None:
        """Put `rows`, which are not there yet, where they belong."""
        key_of = None if self._keys is None else self._keys()
        named, others = ([], rows) if key_of is None else self._told_apart(rows, key_of)
        fresh = sorted(self._rank(row) for row in others)
        merged = array(ROW)
        start = 0
        ranks = chain(
            self._positions_of_named(named, key_of) if key_of is not None else (),
            zip((rank[-1] for rank in fresh), self._positions(fresh), strict=True),
        )
        for row, position in ranks:
            merged += self._ascending[start:position]
            merged.append(row)
            start = position
        self._become(merged + self._ascending[start:])

    @staticmethod
    def _told_apart(
        rows: Iterable[int], key_of: Callable[[int], Text]
    ) -> tuple[list[int], list[int]]:
        """Those with a value, in order, and those without one."""
        in_order = sorted(rows)
        in_order.sort(key=key_of)
        # The separator is below every character: those without a value are in front.
        first = bisect_left(in_order, 1, key=lambda row: int(key_of(row)[:1] != _NO_NAME))
        return in_order[first:], in_order[:first]

    def _positions_of_named(
        self, rows: list[int], key_of: Callable[[int], Text]
    ) -> Iterator[tuple[int, int]]:
        """Where each of these belongs, which all have a value and are in order, by key alone.

        From one to the next it is about as far as there are rows for each: looked for from there
        on, each takes few comparisons, however long the list is.
        """
        if not rows:
            return
        ascending = self._ascending
        low, blank = 0, self._first_blank()
        stride = 2 * blank // len(rows) + 1
        for row in rows:
            key, step = key_of(row), stride
            high = low + step
            while high < blank and key_of(ascending[high]) <= key:
                low, step = high + 1, 2 * step
                high = low + step
            at = bisect_right(ascending, key, low, min(high, blank), key=key_of)
            if at and ascending[at - 1] > row and key_of(ascending[at - 1]) == key:
                # Of those with one key the row decides.
                same = bisect_left(ascending, key, 0, at, key=key_of)
                at = bisect_left(ascending, row, same, at)
            low = at
            yield row, at

    def _positions(self, ranks: list[SortRank]) -> list[int]:
        """Where each of the ascending `ranks` belongs among the rows that are there.

        The middle one is looked for first: the others then lie on a known side of it, which halves
        the comparisons for a page of a long list.
        """
        positions = [0] * len(ranks)
        parts = [(0, len(ranks), 0, len(self._ascending))]
        while parts:
            first, end, low, high = parts.pop()
            if first < end:
                middle = (first + end) // 2
                at = bisect_left(self._ascending, ranks[middle], low, high, key=self._rank)
                positions[middle] = at
                parts += [(first, middle, low, at), (middle + 1, end, at, high)]
        return positions

    def _first_blank(self) -> int:
        return bisect_left(self._ascending, 1, key=self._is_blank)

    def _find(self, row: int) -> int:
        rank = bisect_left(self._ascending, self._rank(row), key=self._rank)
        if rank == len(self._ascending) or self._ascending[rank] != row:
            raise KeyError(row)
        return rank

    def _is_blank(self, row: int) -> int:
        return int(self._rank(row)[0])

    def _become(self, rows: Rows) -> None:
        self._ascending = rows
        self._descending = None
