"""Coming back into an account at the start: nobody is asked meanwhile, and nobody waits in vain."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionState
from app.accounts.vault import Vault
from app.viewmodels.notices import NoticeAction
from app.viewmodels.window import session
from tests.viewmodels.sign_in.sign_in_fixture import (
    ADDRESS,
    AWAY,
    CANCELLED,
    REFUSED,
    SignInFixture,
)

KEPT = Account(
    id="a", name="St Anselm", base_url=ADDRESS, auth_method=AuthMethod.KEY, in_vault=True
)
KIOSK = Account(id="k", name="Kiosk", base_url=ADDRESS, auth_method=AuthMethod.KEY)
AT_ONCE = (0.0,)


class SlowVault:
    """Answers once it is let go; what it has is a key."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def get_password(self, *_: str) -> str:
        self.let_go.wait(20)
        return "a-key"


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowVault]:
    slow = SlowVault()
    monkeypatch.setattr("app.accounts.vault._real_backend", lambda: slow)
    yield slow
    slow.let_go.set()


@pytest.fixture
def _knocks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "WAITS", AT_ONCE)


@pytest.fixture
def _knocks_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "WAITS", (600.0,))


async def said(reception: SignInFixture) -> None:
    async with asyncio.timeout(20):
        while not reception.said or reception.screen.state.busy:  # noqa: ASYNC110 - from outside
            await asyncio.sleep(0.001)


async def signed_in(reception: SignInFixture) -> None:
    async with asyncio.timeout(20):
        while reception.screen.state.session is not SessionState.SIGNED_IN:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.001)


async def tries(reception: SignInFixture, many: int) -> None:
    async with asyncio.timeout(20):
        while len(reception.services) < many:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.001)


async def test_while_the_vault_is_asked_at_the_start_it_is_not_the_first_pages_turn(
    reception: SignInFixture, vault: SlowVault
) -> None:
    reception.registry.keep(KEPT)
    screen = reception.screen
    turns = []
    screen.state_changed.connect(lambda: turns.append(screen.state.asks_to_sign_in))
    assert screen.state.asks_to_sign_in
    screen.begin(screen.restore)
    assert (screen.state.asks_to_sign_in, screen.state.busy) == (False, True)
    vault.let_go.set()
    await reception.ended()
    assert screen.state.session is SessionState.SIGNED_IN
    assert True not in turns


async def test_with_nobody_to_come_back_to_it_is_the_first_pages_turn_at_once(
    reception: SignInFixture,
) -> None:
    reception.screen.begin(lambda: None)
    assert reception.screen.state.asks_to_sign_in


async def test_signing_in_by_the_first_page_leaves_it_where_it_is(reception: SignInFixture) -> None:
    reception.screen.try_demo()
    assert reception.screen.state.asks_to_sign_in
    await reception.ended()
    assert not reception.screen.state.asks_to_sign_in


async def test_a_vault_that_hangs_need_not_be_waited_for(
    reception: SignInFixture, vault: SlowVault
) -> None:
    reception.registry.keep(KEPT)
    screen = reception.screen
    screen.begin(screen.restore)
    screen.stop()
    await reception.ended()
    assert (screen.state.asks_to_sign_in, screen.state.busy, screen.state.work_words) == (
        True,
        False,
        "",
    )
    assert reception.action is NoticeAction.TRY_AGAIN
    vault.let_go.set()
    screen.restore()
    await reception.ended()
    assert screen.state.session is SessionState.SIGNED_IN


async def test_a_vault_that_hung_is_asked_again_and_then_opens_the_account(
    reception: SignInFixture, vault: SlowVault
) -> None:
    reception.registry.keep(KEPT)
    reception.session._credential_store._vault = Vault(
        deadline=0.05
    )  # the usual five seconds are long
    reception.screen.begin(reception.screen.restore)
    await reception.ended()
    notice = reception.screen.state.notice
    assert notice is not None
    assert (notice.action, notice.also) == (NoticeAction.SIGN_IN_AGAIN, NoticeAction.TRY_AGAIN)
    assert notice.sentence.startswith("The vault of this computer does not answer.")
    reception.screen.restore()
    reception.screen.stop()
    assert reception.screen.state.notice == notice
    vault.let_go.set()
    reception.session._credential_store._vault = Vault()
    reception.screen.restore()
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_IN
    assert reception.screen.state.notice is None


@pytest.mark.usefixtures("_knocks_late")
async def test_a_key_given_at_the_start_can_be_tried_again_when_the_service_was_away(
    reception: SignInFixture,
) -> None:
    reception.error = AWAY
    screen = reception.screen
    screen.begin(lambda: screen.use_key(KIOSK, "a-key"))
    assert not screen.state.asks_to_sign_in
    await said(reception)
    assert reception.said == f"{AWAY.message} Front Desk goes on trying."
    assert (reception.action, screen.state.asks_to_sign_in) == (NoticeAction.TRY_AGAIN, True)
    reception.error = None
    screen.restore()
    await signed_in(reception)
    assert (reception.account.id, reception.credentials) == ("k", ["a-key", "a-key"])
    assert reception.registry.accounts() == ()


@pytest.mark.usefixtures("_knocks_at_once")
async def test_a_key_given_at_the_start_is_taken_once_the_line_is_back(
    reception: SignInFixture,
) -> None:
    reception.error = AWAY
    reception.screen.use_key(KIOSK, "a-key")
    await tries(reception, 4)
    assert reception.screen.state.session is SessionState.SIGNED_OUT
    reception.error = None
    await signed_in(reception)
    await reception.ended()
    assert reception.account.id == "k"


def assert_says_whose_key_is_refused_by_whom(reception: SignInFixture) -> None:
    assert reception.said.startswith("Kiosk ")
    assert "FRONTDESK_API_KEY" in reception.said


async def test_a_key_given_for_lists_that_are_here_is_named_when_it_is_refused(
    reception: SignInFixture,
) -> None:
    reception.screen.use_key(KIOSK, "a-key", known=True)
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_IN
    reception.hear(REFUSED)
    assert_says_whose_key_is_refused_by_whom(reception)
    reception.screen.replace_key("another-key")
    await reception.ended()
    reception.hear(REFUSED)
    assert "FRONTDESK_API_KEY" not in reception.said


@pytest.mark.usefixtures("_knocks_at_once")
async def test_a_key_that_is_refused_after_all_is_not_tried_any_more(
    reception: SignInFixture,
) -> None:
    reception.error = AWAY
    reception.screen.use_key(KIOSK, "a-key")
    await tries(reception, 2)
    reception.error = REFUSED
    await reception.ended()
    assert_says_whose_key_is_refused_by_whom(reception)
    assert reception.action is NoticeAction.COPY_DETAILS


@pytest.mark.usefixtures("_knocks_late")
async def test_a_key_that_is_refused_at_once_is_not_tried_again(reception: SignInFixture) -> None:
    reception.error = REFUSED
    reception.screen.use_key(KIOSK, "a-key")
    await reception.ended()
    assert_says_whose_key_is_refused_by_whom(reception)
    assert reception.action is NoticeAction.COPY_DETAILS


@pytest.mark.usefixtures("_knocks_at_once")
async def test_nobody_knocks_while_somebody_signs_in_another_way_nor_afterwards(
    reception: SignInFixture,
) -> None:
    reception.error = AWAY
    reception.screen.use_key(KIOSK, "a-key")
    await tries(reception, 2)
    reception.error = None
    reception.gate = asyncio.Event()
    reception.screen.sign_in_to(
        Account(
            id="p",
            name="Page",
            base_url=ADDRESS,
            auth_method=AuthMethod.PAGE,
            client_id="c",
            redirect_uri="http://127.0.0.1:1/x",
        )
    )
    before = len(reception.services)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(reception.services) <= before + 1
    reception.gate.set()
    await reception.ended()
    assert reception.account.id == "p"
    reception.screen.sign_out()
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_OUT


@pytest.mark.usefixtures("_knocks_late")
async def test_signing_in_with_a_given_key_that_was_stopped_can_be_tried_again(
    reception: SignInFixture,
) -> None:
    screen = reception.screen
    screen.begin(lambda: screen.use_key(KIOSK, "a-key"))
    screen.stop()
    await reception.ended()
    assert (reception.said, reception.action) == (CANCELLED, NoticeAction.TRY_AGAIN)
    screen.restore()
    await reception.ended()
    assert screen.state.session is SessionState.SIGNED_IN
