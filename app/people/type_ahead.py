"""Going to a name by typing its first letters, through the keys that memory holds anyway."""

from collections.abc import Iterator, Sequence

from app.store.keys import SEPARATOR

_PART = 2_000
"""Rows looked at in one go."""


def position_starting(
    rows: Sequence[int], keys: Sequence[str], begin: int, prefix: str, *, by_last_name: bool
) -> int | None:
    """Where in `rows` the first name from `begin` on, round the end, starts with `prefix`.

    `prefix` is folded and not blank; `keys` holds joined keys, looked up by row; a blank one is of
    somebody who is gone. First names lead, as they are shown, or last names where the list is
    sorted by them; only where nobody fits, the other way round is tried. None when nobody fits.
    """
    head = prefix.split(" ", 1)[0]
    for search in (_by_last, _by_first) if by_last_name else (_by_first, _by_last):
        for start, end in _parts(begin, len(rows)):
            for at in search(rows[start:end], keys, head, prefix):
                return start + at
    return None


def _by_first(rows: Sequence[int], keys: Sequence[str], head: str, prefix: str) -> Iterator[int]:
    # A first name follows the separator; so may others, which are looked at more closely.
    behind = SEPARATOR + head
    for at in [at for at, row in enumerate(rows) if behind in keys[row]]:
        last, first, _ = keys[rows[at]].split(SEPARATOR, 2)
        if f"{first} {last}".startswith(prefix):
            yield at


def _by_last(rows: Sequence[int], keys: Sequence[str], head: str, prefix: str) -> Iterator[int]:
    for at in [at for at, row in enumerate(rows) if keys[row].startswith(head)]:
        last, first, _ = keys[rows[at]].split(SEPARATOR, 2)
        if f"{last} {first}".startswith(prefix):
            yield at


def _parts(begin: int, count: int) -> Iterator[tuple[int, int]]:
    """Round the end: looked at in parts, so that a name nearby is not waited for."""
    for first, behind_last in ((begin, count), (0, begin)):
        for start in range(first, behind_last, _PART):
            yield start, min(start + _PART, behind_last)
