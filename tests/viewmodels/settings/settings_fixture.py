"""A settings screen over a real book and registry; what it is given from outside a test scripts."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.vault import VaultReport
from app.model.errors import ExpectedError
from app.outbox.unsent_people import UnsentPeople
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.settings import SettingsStore
from app.viewmodels.settings.settings import SettingsScreen

RIVERSIDE = Account(
    id="riverside",
    name="Riverside",
    base_url="https://riverside.example.org",
    auth_method=AuthMethod.PAGE,
    expires_at=datetime.now(UTC) + timedelta(days=9),
)
ANSELM = Account(
    id="anselm",
    name="St Anselm",
    base_url="https://anselm.example.org",
    auth_method=AuthMethod.KEY,
)
GRACE = Account(
    id="grace",
    name="Grace Chapel",
    base_url="https://grace.example.org",
    auth_method=AuthMethod.KEY,
    in_vault=False,
)


class SettingsFixture:
    """The screen, and the three accounts of this computer, Riverside in use."""

    def __init__(self, folder: Path) -> None:
        self.crashes: list[BaseException] = []
        self.folder = folder
        self.events = EventBus(self.crashes.append)
        self.scope = TaskScope("settings desk", self.crashes.append, ExpectedError)
        self.book = SettingsStore(folder, self.events)
        self.registry = AccountRegistry(folder)
        for account in (GRACE, ANSELM, RIVERSIDE):
            self.registry.keep(account)
        self.in_use: str | None = RIVERSIDE.id
        self.unsent = UnsentPeople()
        self.vault = VaultReport("Secret Service", real=True, problem="")
        self.looked = 0
        self.asked_to_forget: list[tuple[str, bool]] = []
        self.sure = True
        self.gate: asyncio.Event | None = None
        self.error: ExpectedError | None = None
        self.screen = SettingsScreen(
            self.book,
            self.events,
            self.scope,
            self,
            folder,
            languages=["de", "en", "es", "pt_BR"],
        )

    def all(self) -> Sequence[Account]:
        return self.registry.accounts()

    def unsent_of(self, account: Account) -> UnsentPeople:
        return self.unsent if account.id == RIVERSIDE.id else UnsentPeople()

    async def forget(self, account_id: str, *, even_unsure: bool) -> bool:
        self.asked_to_forget.append((account_id, even_unsure))
        if self.gate is not None:
            await self.gate.wait()
        if self.error is not None:
            raise self.error
        if not (self.sure or even_unsure):
            return False
        self.registry.forget(account_id)
        return True

    async def vault_in_use(self) -> VaultReport:
        self.looked += 1
        await asyncio.sleep(0)
        return self.vault

    async def settle(self) -> None:
        """Wait until nothing is under way."""
        async with asyncio.timeout(20):
            while self.scope.busy:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def open(self) -> None:
        """Go to the page."""
        self.screen.open()
        await self.settle()

    async def close(self) -> None:
        await self.scope.close()

    def sentence_about(self, name: str) -> str:
        """What the page says of one kind of thing that may be kept."""
        return next(thing.sentence for thing in self.screen.state.kept if thing.name == name)

    def names(self) -> list[str]:
        return [row.name for row in self.screen.state.accounts]
