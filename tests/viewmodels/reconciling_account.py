"""An account with its outbox in a real file that makes sure of what it sent."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.api.errors import Unreachable
from app.model.outbox import Doubt, OutboxEntry
from app.model.person import Person
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from tests.viewmodels.conftest import HOLD, AccountFixture, Listing

if TYPE_CHECKING:
    from app.api.service import Service

LOST = Unreachable("No connection", "No connection.", outcome_unknown=True)
FULL = StoreError("No room left", "The disk of this computer is full.")


class ReconcilingAccountFixture(AccountFixture):
    """`looks`: seconds before each reading of the list for an entry nobody is sure of."""

    def __init__(self, path: Path, looks: tuple[float, ...] = (0.0, 0.0)) -> None:
        super().__init__()
        self.store.close_now()
        self.store = OutboxStore.open(path)
        self.there: tuple[Person, ...] = ()
        self.outbox = Outbox(
            self.events,
            self.scope,
            self,
            store=self.store,
            people=DirectoryPeople(self.directory, self.events, self.scope, self._read),
            hold_seconds=HOLD,
            looks=looks,
        )

    async def list_people(self, *people: Person, total: int | None = None) -> None:
        self.there = people
        await super().list_people(*people, total=total)

    async def _read(self) -> bool:
        self.scripted.listing = Listing(self.there, total=len(self.there))
        return (await self.directory.refresh(cast("Service", self.scripted))).complete

    async def lose(
        self, firstname: str, lastname: str = "", email: str = "", *, there: Person | None = None
    ) -> OutboxEntry:
        """An entry whose reply got lost; `there` is in the list from then on."""
        entry = self.add(firstname, lastname, email)
        self.scripted.answers = [LOST]
        if there is not None:
            self.there = (*self.there, there)
        self.outbox.send_now()
        return entry

    async def doubted(self, entry: OutboxEntry, doubt: Doubt) -> OutboxEntry:
        """The entry, once it is as doubtful as this."""
        await self.until(
            lambda: self.entry(entry.id).state == "not sure" and self.entry(entry.id).doubt is doubt
        )
        return self.entry(entry.id)

    def fill_the_disk(self) -> None:
        """From now on nothing can be kept."""

        def full(*_entries: OutboxEntry, **_also: bool) -> None:
            raise FULL

        self.store.write = full  # type: ignore[method-assign]  # a full disk, as the store reports it
