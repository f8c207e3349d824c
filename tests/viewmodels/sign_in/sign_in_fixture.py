"""A session screen over a real session and registry, before a page that a test scripts."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import Session, SessionState, utc_now
from app.accounts.vault import Vault
from app.api.errors import ApiError, NotAuthorised, Unreachable
from app.api.service import Service
from app.api.sign_in.oauth import Grant, SignInAnswer, SignInRequest
from app.api.sign_in.token_refresh import RefreshableAccess
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.viewmodels import notices
from app.viewmodels.notices import NoticeAction
from app.viewmodels.sign_in.form import SignInForm
from app.viewmodels.window.session import SessionScreen

ADDRESS = "https://anselm.example.org"
BY_PAGE = SignInForm(name="St Anselm", base_url=ADDRESS, client_id="front-desk")
BY_KEY = SignInForm(name="St Anselm", base_url=ADDRESS)
REFUSED = NotAuthorised("Not accepted", "The key is not accepted.", details="status: 401")
AWAY = Unreachable("No connection", "No connection to anselm.example.org.")
ENDED = notices.ended("").sentence
CANCELLED = notices.given_up(SessionState.SIGNED_OUT, given=None).sentence
WEEK = timedelta(days=7)
DEMO = Account(id="demo", name="Demo", base_url="http://127.0.0.1:1", auth_method=AuthMethod.DEMO)


class AService:
    """A service that accepts every credential, unless `error`, once `gate` is open."""

    def __init__(
        self,
        told: Callable[[ApiError | None], None],
        error: ApiError | None,
        gate: asyncio.Event | None = None,
    ) -> None:
        self.told = told
        self.error = error
        self.gate = gate

    async def check(self) -> None:
        await (self.gate.wait() if self.gate is not None else asyncio.sleep(0))
        self.told(self.error)
        if self.error is not None:
            raise self.error

    async def aclose(self) -> None:
        """There is no line to end."""


class SignInFixture(ServiceConnector):
    """A session screen over a real session and registry, before a page that a test scripts.

    It stands for the services, the browser and the demo account itself.
    """

    def __init__(self, folder: Path) -> None:
        self.crashes: list[BaseException] = []
        self.registry = AccountRegistry(folder)
        self.events = EventBus(self.crashes.append)
        self.scope = TaskScope("sign-in", self.crashes.append, ExpectedError)
        self.error: ApiError | None = None
        self.credentials: list[str] = []
        self.services: list[AService] = []
        self.slept = timedelta()
        self.session = Session(
            self.registry,
            Vault(),
            self.events,
            self,
            now=lambda: utc_now() + self.slept,
        )
        self.asked: list[SignInRequest] = []
        self.granted: SignInAnswer | ApiError | None = Grant("a-token", datetime.now(UTC) + WEEK)
        self.gate: asyncio.Event | None = None
        self.answer_gate: asyncio.Event | None = None
        self.forgotten = 0
        self.screen = SessionScreen(
            self.session,
            self.events,
            self.scope,
            browser=self,
            demo=self,
            registry=self.registry,
        )

    def connect(
        self,
        account: Account,  # noqa: ARG002 - of the contract
        credential: str,
        on_outcome: Callable[[ApiError | None], None],
        access: RefreshableAccess | None,
    ) -> Service:
        self.credentials.append(credential)
        self.access = access
        self.services.append(AService(on_outcome, self.error, self.answer_gate))
        return cast("Service", self.services[-1])

    async def authorise(self, request: SignInRequest) -> SignInAnswer | None:
        self.asked.append(request)
        if self.gate is not None:
            await self.gate.wait()
        if isinstance(self.granted, ApiError):
            raise self.granted
        return self.granted

    async def start(self) -> tuple[Account, str]:
        return DEMO, "demo-key"

    def forget(self) -> None:
        self.forgotten += 1

    async def ended(self) -> None:
        """Wait until signing in or out has ended."""
        async with asyncio.timeout(20):
            while self.scope.busy:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def enter_by_page(self, sign_in_form: SignInForm = BY_PAGE) -> None:
        self.screen.sign_in_with_page(sign_in_form)
        await self.ended()

    async def enter_by_key(self, sign_in_form: SignInForm = BY_KEY, key: str = "a-key") -> None:
        self.screen.sign_in_with_key(sign_in_form, key)
        await self.ended()

    async def enter_demo(self) -> None:
        self.screen.try_demo()
        await self.ended()

    def hear(self, error: ApiError | None) -> None:
        """The service tells how an operation ended."""
        self.services[-1].told(error)

    @property
    def account(self) -> Account:
        account = self.screen.account
        assert account is not None
        return account

    @property
    def sign_in_form(self) -> SignInForm:
        """What the fields for signing in with the account's page say."""
        return self.screen.first_page.sign_in_form(AuthMethod.PAGE)

    @property
    def said(self) -> str:
        return self.screen.state.notice.sentence if self.screen.state.notice else ""

    @property
    def action(self) -> NoticeAction:
        return self.screen.state.notice.action if self.screen.state.notice else NoticeAction.NOTHING
