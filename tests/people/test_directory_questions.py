"""What is asked of the list beside its order: who carries a mark, whose name starts how."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.search import PeopleFilter
from app.runtime.events import EventBus
from app.runtime.words import tr, use_language
from app.store.cache import Cache
from app.store.person_flags import PersonFlags
from tests.catalogues import write_catalogue
from tests.people.test_directory import service

ADA = Person(id="ada", firstname="Ada", lastname="Lovelace", email="ada@x.org", admin=True)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", volunteer=True)
EVE = Person(id="eve", firstname="Eve", lastname="Adams", archived=True, volunteer=True)


def fail(error: BaseException) -> None:
    raise error


@pytest.fixture
async def directory() -> AsyncIterator[PeopleDirectory]:
    """Eve Adams, Ada Lovelace and Bob Øst, in this order, in the rows 3, 1 and 2."""
    cache = Cache.open(None)
    await cache.save_people([ADA, BOB, EVE])
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open()
    yield directory
    await cache.close()


@pytest.mark.parametrize(
    ("only", "rows"),
    [
        (PeopleFilter.EVERYBODY, [3, 1, 2]),
        (PeopleFilter.VOLUNTEERS, [3, 2]),
        (PeopleFilter.ADMINISTRATORS, [1]),
        (PeopleFilter.WITHOUT_EMAIL, [2]),
        (PeopleFilter.ARCHIVED, [3]),
    ],
)
def test_a_filter_leaves_those_who_carry_its_mark_and_counts_them(
    directory: PeopleDirectory, only: PeopleFilter, rows: Sequence[int]
) -> None:
    assert list(directory.slices("", flag=only.flag)) == [rows]
    assert directory.count(only.flag) == len(rows)


def test_a_filter_and_a_search_leave_those_who_pass_both(directory: PeopleDirectory) -> None:
    assert list(directory.slices("adams", flag=PersonFlags.VOLUNTEER)) == [[3]]
    assert list(directory.slices("ada l", flag=PersonFlags.VOLUNTEER)) == [[]]


def test_a_search_can_be_kept_to_those_found_before(directory: PeopleDirectory) -> None:
    assert list(directory.slices("ada", among=[2, 3])) == [[3]]


def test_a_name_is_found_by_how_it_starts(directory: PeopleDirectory) -> None:
    rows = directory.ordered_rows()
    assert directory.position_starting(rows, 0, "Øs") == 2
    assert directory.position_starting(rows, 0, " ") is None


@pytest.fixture
def languages(tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Has a language spoken, of which one word is known; English again afterwards."""
    for code, word in {"de": "verstorben", "es": "ha fallecido"}.items():
        write_catalogue(tmp_path, code, {"deceased": word})
    yield lambda code: use_language(tmp_path, [code])
    use_language(tmp_path, ["en"])


async def test_who_has_died_is_found_by_the_word_that_is_shown_in_any_language(
    languages: Callable[[str], None],
) -> None:
    cache = Cache.open(None)

    async def found(*queries: str) -> list[int]:
        directory = PeopleDirectory(cache, EventBus(fail))
        await directory.open()
        return [sum(map(len, directory.slices(each))) for each in queries]

    for code, person in {"de": ADA, "es": BOB, "en": EVE}.items():
        languages(code)
        directory = PeopleDirectory(cache, EventBus(fail))
        await directory.open()
        # Who comes is told of; who was there is read.
        await directory.refresh(service([replace(person, deceased=True)]))
        everybody = [list(directory.ordered_rows())]
        assert list(directory.slices("deceased")) == everybody
        assert list(directory.slices(tr("deceased"))) == everybody
    languages("de")
    assert await found("Verstorben", "deceased", "fallecido", "lovelace verst") == [3, 3, 0, 1]
    languages("es")
    assert await found("verstorben", "ha fallecido", "deceased") == [0, 3, 3]
    languages("en")
    assert await found("verstorben", "fallecido", "deceased") == [0, 0, 3]
    await cache.close()
