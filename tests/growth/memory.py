"""What hostile and many inputs hold in memory, against what they are: of some the most that is held
meanwhile, of some what stays.
"""

import asyncio
import gc
import platform
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from app.importing.reading import UnreadableList, read_content
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.duplicates.people_index import PeopleIndex
from app.runtime.events import EventBus
from app.runtime.memory import give_back_free_memory
from app.store.cache import Cache
from tests.api.test_what_decoding_may_cost import BOMBS, PIECE, small_budget
from tests.api.test_xml_reader import HEAVY, LONG_NAMESPACE
from tests.growth.bounds import Bound, measured_memory
from tests.importing.formats.test_delimited_text import MANY_LINES
from tests.people.duplicates.test_duplicate_groups import one_email_twice
from tests.people.duplicates.test_people_index import Known


def _answer(body: bytes) -> float:
    with measured_memory() as memory:
        with suppress(UnreadableAnswer):
            decode(body, "xml")
        return memory.peak / len(body)


def _bomb(name: str, body: bytes) -> float:
    budget = small_budget()
    whole = budget.memory
    # A piece as small as the budget is: it may be a tree before it is weighed.
    with patch("app.api.formats.json._PIECE", PIECE // 4), measured_memory() as memory:
        with suppress(UnreadableAnswer):
            decode(body, name, budget=budget)
        return memory.peak / whole


def _lines() -> float:
    with patch("app.importing.formats.delimited.MOST_LINES", 1_000):
        _read_lines(MANY_LINES[:1_000])  # loads what it needs
        with measured_memory() as memory:
            _read_lines(MANY_LINES)
            return memory.peak / len(MANY_LINES)


def _read_lines(content: bytes) -> None:
    with suppress(UnreadableList):
        read_content(content, "list.csv")


def _index() -> float:
    many = 1_500
    random = Random(12)  # noqa: S311 - the same names each time
    halves = [[f"{letter}{end}" for end in range(40)] for letter in "fl"]
    names = [tuple(map(random.choice, halves)) for _ in range(many)]
    PeopleIndex().add(Known(0))  # loads what it needs
    with measured_memory() as memory:
        index = PeopleIndex()
        for number, (first, last) in enumerate(names):
            index.add(Known(number, first, last, f"{number}@example.org"))
        return memory.held / len(index)


def _pairs() -> float:
    many = 3_000
    known = one_email_twice(many)
    known.pairs_of(["1"])  # loads what it needs
    with measured_memory() as memory:
        known.pairs()
        return memory.peak / many


class _Keys:
    """The keys of everybody: at rest, after a search that finds all, and once that is forgotten."""

    def __init__(self, many: int = 4_000) -> None:
        self._many = many
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(self._measure(Path(folder) / "cache.sqlite3"))

    async def _measure(self, path: Path) -> None:
        cache = Cache.open(path)
        number = await cache.begin_full_read()
        await cache.save_people(
            [
                Person(id=f"{n}", firstname=f"first{n}", lastname=f"last{n}", email=f"{n}@x.org")
                for n in range(self._many)
            ]
        )
        await cache.finish_full_read(number, complete=True)
        faults = list[BaseException]()
        warm, directory = (PeopleDirectory(cache, EventBus(faults.append)) for _ in range(2))
        await warm.open()
        await warm.read_keys()
        self.letters = sum(len(warm.key(row)) for row in warm.ordered_rows())
        with measured_memory() as memory:
            await directory.open()
            await directory.read_keys()
            gc.collect()  # lets go of tuples that are kept for others
            self._search(directory, "first17 last17")
            self.at_rest = memory.held
            self._search(directory, "l")
            self.searched = memory.held
            directory.forget_searches()
            directory.put_keys_together()
            self.afterwards = memory.held
        await cache.close()

    @staticmethod
    def _search(directory: PeopleDirectory, query: str) -> None:
        for _ in directory.slices(query):
            pass

    @property
    def at_rest_for_each(self) -> float:
        """Bytes, without 1.2 times the letters."""
        return (self.at_rest - 1.2 * self.letters) / self._many

    @property
    def left_of_a_search(self) -> float:
        """The part of what the search held that is held once it is forgotten."""
        return (self.afterwards - self.at_rest) / (self.searched - self.at_rest)


_PIECE, _PIECES = 2_000, 20_000


def _freed() -> float:
    pieces = [bytearray(_PIECE) for _ in range(_PIECES)]
    kept = pieces[::1_000]
    del pieces
    before = _resident()
    give_back_free_memory()
    given_back = before - _resident()
    freed = _PIECE * (_PIECES - len(kept))
    return freed / max(1, given_back)


def _resident() -> int:
    """Bytes of this process that are in memory."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) * 1024


def _bounds() -> Iterator[Bound]:
    if platform.libc_ver()[0] == "glibc":
        yield Bound("bytes freed between what stays, for each that is given back", _freed, 4)
    yield Bound("XML with a long namespace, for each byte", partial(_answer, LONG_NAMESPACE), 20)
    for name, body in HEAVY.items():
        most = 8 * 1024 * 1024 / len(body)
        yield Bound(f"XML with {name}, refused, for each byte", partial(_answer, body), most)
    for name, bomb in BOMBS.items():
        yield Bound(f"{name}, refused, for each byte of the budget", partial(_bomb, *bomb), 12)
    yield Bound("a list of too many lines, for each byte", _lines, 25)
    yield Bound("keys for the search, for each person, letters aside", _at_rest, 32)
    yield Bound("what a search leaves once it is forgotten, of what it held", _left, 0.25)
    yield Bound("the index for duplicates, for each person", _index, 110)
    yield Bound("looking for all who are twice, for each person", _pairs, 60)


def _at_rest() -> float:
    return _Keys().at_rest_for_each


def _left() -> float:
    return _Keys().left_of_a_search


MEMORY = tuple(_bounds())
