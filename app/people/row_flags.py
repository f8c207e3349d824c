"""A byte for each row of the list, without any order or name: what it can be filtered by, how many
carry that, and who was added here lately.
"""

from collections.abc import Mapping, Sequence

from app.store.ordering import IndexRow
from app.store.person_flags import FILTERS, PersonFlags

_WITHOUT_RECENTLY_ADDED = bytes(flags & ~PersonFlags.RECENTLY_ADDED for flags in range(256))
_FILTERS_ALONE = bytes(flags & FILTERS for flags in range(256))
# Every value that these can have.
_ALL_FILTERS = range(FILTERS + 1)
_HAS_NUMBER = {
    flag: bytes(flags for flags in range(256) if flags & flag)
    for flag in (PersonFlags.HAS_PHONE, PersonFlags.HAS_MOBILE)
}
_LOOKED_AT = 4_096
_NUMBERS_GIVEN = bytes(flags for flags in range(256) if flags & PersonFlags.NUMBERS_GIVEN)


class RowFlags:
    """By row number; rows that are gone carry nothing."""

    def __init__(self) -> None:
        """Nobody."""
        self.by_row = bytearray()
        """`PersonFlags` of each row; not to be changed from outside."""
        self.recently_added: dict[int, float] = {}
        """Who was added from this computer lately: row, and when (seconds, UTC)."""
        self._many: list[int] | None = None
        self._blank: frozenset[PersonFlags] | None = None

    def take_over(self, flags: bytearray) -> None:
        """These are the rows from now on; who was added lately is marked among them."""
        self.by_row = flags
        self._many = self._blank = None
        for row in self.recently_added:
            flags[row] |= PersonFlags.RECENTLY_ADDED

    def make_room(self, end: int) -> None:
        """Have all rows below `end`; those that were not there carry nothing."""
        self.by_row.extend(bytes(max(0, end - len(self.by_row))))

    def put(self, index: Sequence[IndexRow]) -> None:
        """Note what these rows, for which there is room, carry by now."""
        self._many = self._blank = None
        recently, mark = self.recently_added, int(PersonFlags.RECENTLY_ADDED)
        for row, _, flags, _ in index:
            self.by_row[row] = flags | mark if row in recently else flags

    def discard(self, rows: Sequence[int]) -> None:
        """These are gone."""
        self._many = self._blank = None
        for row in rows:
            self.by_row[row] = 0
            self.recently_added.pop(row, None)

    def mark_recently_added(self, rows: Mapping[int, float]) -> None:
        """These were, too."""
        self._many = self._blank = None
        self.recently_added.update(rows)
        for row in rows:
            # The database may have somebody already whom memory is about to take in.
            if row < len(self.by_row):
                self.by_row[row] |= PersonFlags.RECENTLY_ADDED

    def of(self, row: int) -> PersonFlags:
        """What a row can be filtered by; nothing for one that is gone."""
        return PersonFlags(self.by_row[row] if row < len(self.by_row) else 0)

    def to_be_kept(self) -> bytearray:
        """As they are kept on disk: who was added lately another time finds out anew."""
        return self.by_row.translate(_WITHOUT_RECENTLY_ADDED)

    def count(self, flag: PersonFlags) -> int:
        """How many carry `flag`, one of `FILTERS`."""
        if self._many is None:
            self._many = _counted(self.by_row)
        wanted = int(flag)
        return sum(self._many[flags] for flags in _ALL_FILTERS if flags & wanted)

    def blank_for_all(self, people: int) -> frozenset[PersonFlags]:
        """Of `HAS_PHONE` and `HAS_MOBILE` what is said of none of so many `people`, where the list
        tells of them.
        """
        if self._blank is None:
            nobody = {flag for flag, has in _HAS_NUMBER.items() if not _any_of(self.by_row, has)}
            # Of somebody who was just added it may not be known before the list is read again.
            given = nobody and 2 * _carriers(self.by_row, _NUMBERS_GIVEN) > people
            self._blank = frozenset(nobody if given else ())
        return self._blank


def _counted(flags: bytearray) -> list[int]:
    """How many rows have each value, counted among those that are left: few values are there at
    all, and a start waits for this.
    """
    many, left = [], flags.translate(_FILTERS_ALONE)
    for value in _ALL_FILTERS:
        others = left.translate(None, bytes((value,))) if left else left
        many.append(len(left) - len(others))
        left = others
    return many


def _any_of(flags: bytearray, values: bytes) -> bool:
    """Mostly somebody at the beginning is: then nobody else is looked at."""
    parts = (flags[at : at + _LOOKED_AT] for at in range(0, len(flags), _LOOKED_AT))
    return any(_carriers(part, values) for part in parts)


def _carriers(flags: bytearray, values: bytes) -> int:
    return len(flags) - len(flags.translate(None, values))
