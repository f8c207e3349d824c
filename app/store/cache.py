"""What the service told last, people and flows, kept so that the window has it at once.

It is disposable: a file that cannot be read is made anew, and the next reading fills it. Who asks
the service, and what is held in memory, is decided above.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from app.model.flow import PeopleFlow
from app.model.person import Person
from app.store import flow_table, people_table
from app.store.database import Database, Result, Work, has_tables_of, remove_files
from app.store.errors import StoreDamaged, StoreTooNew, damaged
from app.store.folding import FOLDING
from app.store.ordering import Rows, SortKey
from app.store.passes import Passes
from app.store.people_table import IndexRow, PeopleDelta
from app.store.schema import MIGRATIONS

_log = logging.getLogger(__name__)
_PEOPLE_AS_OF = "people as of"
_PEOPLE_WHOLE = "people whole"
_FLOWS_AS_OF = "flows as of"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Cache:
    """People under stable row numbers, and flows in the service's order.

    What is awaited is done on the database's thread, in the order it was asked for, and ends even
    when the caller is cancelled. The rest reads a little, at once, and is meant for painting: it
    does not wait for a save. Everything may raise StoreError; awaited work that finds the file
    damaged makes it anew, empty, before it raises StoreDamaged.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """Use `open`."""
        self._database = database
        self._now = now
        self._passes = Passes()
        self._forgetters: list[Callable[[], None]] = []

    @classmethod
    def open(
        cls, path: Path | None, account: str = "", *, now: Callable[[], datetime] = _utc_now
    ) -> "Cache":
        """The cache in the file `path`, or in memory when there is none.

        The folder is made for its owner alone. A damaged file, one of a newer version, one with
        keys of another folding and one of another `account` (unless that is blank) are replaced by
        an empty one. Raises StoreError where the file cannot be made.
        """
        try:
            database = _open(path, account)
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise  # a mistake of ours is no reason to give up a good file
        except (StoreDamaged, StoreTooNew, sqlite3.Error, UnicodeDecodeError) as error:
            _log.warning("the cache is made anew: %s", type(error).__name__)
            remove_files(path)
            database = _open(path, account)
        return cls(database, now)

    async def close(self) -> None:
        """Finish what was asked for and let go of the file."""
        await self._database.close()

    def close_now(self) -> None:
        """The same where there is nothing else to do meanwhile."""
        self._database.close_now()

    def when_made_anew(self, forget: Callable[[], None]) -> None:
        """Call `forget` whenever damage was found and everything kept here is gone."""
        self._forgetters.append(forget)

    async def begin_pass(self) -> int:
        """A reading of the whole list of people begins; gives its number."""
        return await self._do(lambda _: self._passes.begin())

    async def save_people(self, people: Sequence[Person]) -> PeopleDelta:
        """Put `people` in; every pass under way has now seen them.

        A field that was not given (None) leaves what is known of it. Somebody of whom nothing has
        changed is not in the answer.
        """
        return await self._do(partial(self._save_people, people))

    async def finish_pass(self, number: int, *, complete: bool) -> tuple[int, ...]:
        """The reading came to its end; gives the rows of those who are gone.

        Nobody is gone unless it was `complete`. Raises KeyError for a pass that is not under way.
        """
        return await self._do(partial(self._finish_pass, number, complete=complete))

    async def give_up_pass(self, number: int) -> None:
        """The reading was broken off: it says nothing about those it had not met yet."""
        await self._do(lambda _: self._passes.give_up(number))

    async def order(self, by: SortKey, *, descending: bool = False) -> Rows:
        """All rows sorted; those without a value come last in either direction."""
        return await self._do(partial(people_table.sort, by=by, descending=descending))

    async def search_keys(self, after: int, limit: int) -> list[IndexRow]:
        """What memory holds of the next `limit` people behind the row `after`, by row number.

        In parts, because the whole of a long list would be held twice for a moment.
        """
        return await self._do(partial(people_table.read_index_after, row=after, limit=limit))

    async def people_by_id(self, ids: Iterable[str]) -> dict[str, Person]:
        """Many people at once, by id; an id that matches nobody is not in the answer."""
        return await self._do(partial(people_table.read_ids, ids=tuple(ids)))

    def read_people(self, rows: Sequence[int]) -> dict[int, Person]:
        """One screenful, by row; a row that is gone meanwhile is not in the answer."""
        return self._database.read(partial(people_table.read_rows, rows=rows))

    def row_of(self, person_id: str) -> int | None:
        """The row of a person; None when nobody has that id."""
        return self._database.read(partial(people_table.row_of, person_id=person_id))

    def person(self, person_id: str) -> Person | None:
        """The person with that id, or None."""
        found = self._database.read(partial(people_table.read_ids, ids=(person_id,)))
        return found.get(person_id)

    @property
    def people_as_of(self) -> datetime | None:
        """When the list of people was last read to its end, UTC."""
        return self._database.read(partial(flow_table.recall_time, name=_PEOPLE_AS_OF))

    @property
    def people_whole(self) -> bool:
        """Whether that reading was `complete`, so that nobody the service has is unknown here."""
        return self._database.read(partial(flow_table.recall, name=_PEOPLE_WHOLE)) == 1

    async def save_flows(self, flows: Sequence[PeopleFlow]) -> None:
        """Keep `flows`, in their order, in the place of those kept before."""
        await self._do(partial(self._save_flows, flows))

    async def flows(self) -> tuple[PeopleFlow, ...]:
        """The flows in the service's order."""
        return await self._do(flow_table.read)

    @property
    def flows_as_of(self) -> datetime | None:
        """When the flows were last read, UTC."""
        return self._database.read(partial(flow_table.recall_time, name=_FLOWS_AS_OF))

    async def _do(self, work: Work[Result]) -> Result:
        try:
            return await self._database.run(work)
        except StoreDamaged:
            _log.warning("the cache was damaged and is made anew")
            await self._database.start_afresh()
            for forget in self._forgetters:
                forget()
            raise

    def _save_people(self, people: Sequence[Person], connection: sqlite3.Connection) -> PeopleDelta:
        delta, met = people_table.save(connection, people)
        self._passes.saw(met)
        return delta

    def _finish_pass(
        self, number: int, connection: sqlite3.Connection, *, complete: bool
    ) -> tuple[int, ...]:
        seen = self._passes.end(number)
        gone = people_table.delete_unseen(connection, seen) if complete else ()
        flow_table.remember(connection, _PEOPLE_WHOLE, int(complete))
        self._note_time(connection, _PEOPLE_AS_OF)
        return gone

    def _save_flows(self, flows: Sequence[PeopleFlow], connection: sqlite3.Connection) -> None:
        flow_table.save(connection, flows)
        self._note_time(connection, _FLOWS_AS_OF)

    def _note_time(self, connection: sqlite3.Connection, name: str) -> None:
        flow_table.remember(connection, name, int(self._now().timestamp()))


def _open(path: Path | None, account: str) -> Database:
    return Database(path, MIGRATIONS, durable=False, check=partial(_check, account=account))


def _check(connection: sqlite3.Connection, *, account: str) -> None:
    """One whose tables are not ours, whose keys were folded by another rule, or that says it is
    another account's, is damaged. One that names no account is this one's from now on.
    """
    if not has_tables_of(connection, MIGRATIONS):
        raise damaged("its tables are others")
    for name, meant in (("folding", FOLDING), ("account", account)):
        kept = flow_table.recall(connection, name)
        if kept is None and meant:
            flow_table.remember(connection, name, meant)
        elif meant and kept != meant:
            raise damaged(f"its {name} is another")
