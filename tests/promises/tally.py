"""Compares what was typed and acknowledged with what the service has, and adds up the figures.

It knows people by what can be told apart in the list: names and email. How they got there it does
not know.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Self

from tests.promises.plan import Person

if TYPE_CHECKING:
    # Each program under trial is started with this file, and needs no service of its own.
    from tests.promises.service import Listed


@dataclass(slots=True)
class Typed:
    """Somebody who was typed. `undone`: taken back in time. `open`: known to have failed.

    `batch` numbers the batch they came with; `ending`: it was told to stop and died of it, so that
    only the file says whether they were taken back.
    """

    person: Person
    acknowledged: bool = False
    undone: bool = False
    open: bool = False
    batch: int | None = None
    ending: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What the list shows of them."""
        return self.person.firstname, self.person.lastname, self.person.email


@dataclass(frozen=True, slots=True)
class Kept:
    """What the program's own file says at the end: whom it added under which id; or not yet."""

    number: int
    person_id: str | None
    open: bool
    taken_off: bool = False
    """Before it was sent."""


@dataclass(slots=True)
class Figures:
    """Of one account or many. The first seven are broken promises and must be 0.

    `torn` batches are in the file in part.
    """

    lost: int = 0
    duplicated: int = 0
    forgotten: int = 0
    mistaken: int = 0
    strangers: int = 0
    torn: int = 0
    crashes: list[str] = field(default_factory=list)
    rounds: int = 0
    typed: int = 0
    acknowledged: int = 0
    undone: int = 0
    batches: int = 0
    in_the_list: int = 0
    gave_up: int = 0
    still_open: int = 0
    starts: int = 0
    lines_dropped: int = 0
    lists_forgotten: int = 0
    tokens_expired: int = 0
    orderly_ends: int = 0
    clocks_moved: int = 0
    lost_replies: int = 0
    side_by_side: int = 0
    """Creates that came while another was under way."""
    kills: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def __iadd__(self, other: "Figures") -> Self:
        """With those of another account."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self

    @property
    def broken(self) -> int:
        """How often a promise was broken."""
        of_people = (self.lost, self.duplicated, self.forgotten, self.mistaken, self.strangers)
        return sum(of_people) + self.torn + len(self.crashes)


def compare(
    typed: Sequence[Typed], listed: "Sequence[Listed]", kept: Mapping[int, Kept] | None
) -> Figures:
    """What became of `typed`; `listed` without those who were there before.

    `kept` is None for a program that keeps nothing: then who was not acknowledged may be there.
    """
    there = Counter((one.firstname, one.lastname, one.email) for one in listed)
    least: Counter[tuple[str, str, str]] = Counter()
    most: Counter[tuple[str, str, str]] = Counter()
    for one in typed:
        low, high = _expected(one, kept)
        least[one.key] += low
        most[one.key] += high
    return Figures(
        lost=sum(max(0, least[key] - there[key]) for key in least),
        duplicated=sum(max(0, there[key] - most[key]) for key in most),
        strangers=sum(there[key] for key in there if key not in most),
        forgotten=_forgotten(typed, kept),
        mistaken=_mistaken(typed, listed, kept or {}),
        torn=_torn(typed, kept or {}),
        batches=len({one.batch for one in typed if one.batch is not None}),
        typed=len(typed),
        acknowledged=sum(one.acknowledged for one in typed),
        undone=sum(one.undone for one in typed),
        still_open=sum(one.open for one in (kept or {}).values()),
        gave_up=sum(one.open for one in typed),
        in_the_list=there.total(),
    )


def _expected(one: Typed, kept: Mapping[int, Kept] | None) -> tuple[int, int]:
    """How often somebody has to be in the list at least, and at the most."""
    if one.undone or one.person.known:
        return 0, 0
    if kept is None:
        return int(one.acknowledged and not one.open), 1
    entry = kept.get(one.person.number)
    if entry is not None and one.ending and entry.taken_off:
        return 0, 0
    if entry is not None:
        return int(not entry.open), 1
    return int(one.acknowledged), int(one.acknowledged)


def _torn(typed: Iterable[Typed], kept: Mapping[int, Kept]) -> int:
    there: dict[int, set[bool]] = {}
    for one in typed:
        # Whoever was seen to be in the account was left out of it.
        if one.batch is not None and not one.person.known:
            is_there = one.undone or one.person.number in kept
            there.setdefault(one.batch, set()).add(is_there)
    return sum(len(one) > 1 for one in there.values())


def _forgotten(typed: Iterable[Typed], kept: Mapping[int, Kept] | None) -> int:
    if kept is None:
        return 0
    due = (one for one in typed if one.acknowledged and not one.undone)
    return sum(one.person.number not in kept for one in due)


def _mistaken(typed: Iterable[Typed], listed: "Iterable[Listed]", kept: Mapping[int, Kept]) -> int:
    """How many are said to be somebody in the list who is not them, or is another's already."""
    there = {one.id: (one.firstname, one.lastname, one.email) for one in listed}
    keys = {one.person.number: one.key for one in typed}
    said = [one for one in kept.values() if one.person_id is not None]
    wrong = sum(there.get(one.person_id or "") != keys[one.number] for one in said)
    return wrong + len(said) - len({one.person_id for one in said})
