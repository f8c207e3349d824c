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
        return f"{ADDRESS} a-key"


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


async def said(sign_in: SignInFixture) -> None:
    async with asyncio.timeout(20):
        while not sign_in.said or sign_in.screen.state.busy:  # noqa: ASYNC110 - from outside
            await asyncio.sleep(0.001)


async def signed_in(sign_in: SignInFixture) -> None:
    async with asyncio.timeout(20):
        while sign_in.screen.state.session is not SessionState.SIGNED_IN:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.001)


async def tries(sign_in: SignInFixture, many: int) -> None:
    async with asyncio.timeout(20):
        while len(sign_in.services) < many:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.001)


async def test_while_the_vault_is_asked_at_the_start_it_is_not_the_first_pages_turn(
    sign_in: SignInFixture, vault: SlowVault
) -> None:
    sign_in.registry.keep(KEPT)
    screen = sign_in.screen
    turns = []
    screen.state_changed.connect(lambda: turns.append(screen.state.asks_to_sign_in))
    assert screen.state.asks_to_sign_in
    screen.begin(screen.restore)
    assert (screen.state.asks_to_sign_in, screen.state.busy) == (False, True)
    vault.let_go.set()
    await sign_in.ended()
    assert screen.state.session is SessionState.SIGNED_IN
    assert True not in turns


async def test_with_nobody_to_come_back_to_it_is_the_first_pages_turn_at_once(
    sign_in: SignInFixture,
) -> None:
    sign_in.screen.begin(lambda: None)
    assert sign_in.screen.state.asks_to_sign_in


async def test_signing_in_by_the_first_page_leaves_it_where_it_is(sign_in: SignInFixture) -> None:
    sign_in.screen.try_demo()
    assert sign_in.screen.state.asks_to_sign_in
    await sign_in.ended()
    assert not sign_in.screen.state.asks_to_sign_in


async def test_a_vault_that_hangs_need_not_be_waited_for(
    sign_in: SignInFixture, vault: SlowVault
) -> None:
    sign_in.registry.keep(KEPT)
    screen = sign_in.screen
    screen.begin(screen.restore)
    screen.stop()
    await sign_in.ended()
    assert (screen.state.asks_to_sign_in, screen.state.busy, screen.state.work_words) == (
        True,
        False,
        "",
    )
    assert sign_in.action is NoticeAction.TRY_AGAIN
    vault.let_go.set()
    screen.restore()
    await sign_in.ended()
    assert screen.state.session is SessionState.SIGNED_IN


async def test_a_vault_that_hung_is_asked_again_and_then_opens_the_account(
    sign_in: SignInFixture, vault: SlowVault
) -> None:
    sign_in.registry.keep(KEPT)
    sign_in.session._credential_store._vault = Vault(
        deadline=0.05
    )  # the usual five seconds are long
    sign_in.screen.begin(sign_in.screen.restore)
    await sign_in.ended()
    notice = sign_in.screen.state.notice
    assert notice is not None
    assert (notice.action, notice.also) == (NoticeAction.SIGN_IN_AGAIN, NoticeAction.TRY_AGAIN)
    assert notice.sentence.startswith("The vault of this computer does not answer.")
    sign_in.screen.restore()
    sign_in.screen.stop()
    assert sign_in.screen.state.notice == notice
    vault.let_go.set()
    sign_in.session._credential_store._vault = Vault()
    sign_in.screen.restore()
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    assert sign_in.screen.state.notice is None


@pytest.mark.usefixtures("_knocks_late")
async def test_a_key_given_at_the_start_can_be_tried_again_when_the_service_was_away(
    sign_in: SignInFixture,
) -> None:
    sign_in.error = AWAY
    screen = sign_in.screen
    screen.begin(lambda: screen.use_key(KIOSK, "a-key"))
    assert not screen.state.asks_to_sign_in
    await said(sign_in)
    assert sign_in.said == f"{AWAY.message} Front Desk goes on trying."
    assert (sign_in.action, screen.state.asks_to_sign_in) == (NoticeAction.TRY_AGAIN, True)
    sign_in.error = None
    screen.restore()
    await signed_in(sign_in)
    assert (sign_in.account.id, sign_in.credentials) == ("k", ["a-key", "a-key"])
    assert sign_in.registry.accounts() == ()


@pytest.mark.usefixtures("_knocks_at_once")
async def test_a_key_given_at_the_start_is_taken_once_the_line_is_back(
    sign_in: SignInFixture,
) -> None:
    sign_in.error = AWAY
    sign_in.screen.use_key(KIOSK, "a-key")
    await tries(sign_in, 4)
    assert sign_in.screen.state.session is SessionState.SIGNED_OUT
    sign_in.error = None
    await signed_in(sign_in)
    await sign_in.ended()
    assert sign_in.account.id == "k"


def assert_says_whose_key_is_refused_by_whom(sign_in: SignInFixture) -> None:
    assert sign_in.said.startswith("Kiosk ")
    assert "FRONTDESK_API_KEY" in sign_in.said


async def test_a_key_given_for_lists_that_are_here_is_named_when_it_is_refused(
    sign_in: SignInFixture,
) -> None:
    sign_in.screen.use_key(KIOSK, "a-key", known=True)
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    sign_in.hear(REFUSED)
    assert_says_whose_key_is_refused_by_whom(sign_in)
    sign_in.screen.replace_key("another-key")
    await sign_in.ended()
    sign_in.hear(REFUSED)
    assert "FRONTDESK_API_KEY" not in sign_in.said


@pytest.mark.usefixtures("_knocks_at_once")
async def test_a_key_that_is_refused_after_all_is_not_tried_any_more(
    sign_in: SignInFixture,
) -> None:
    sign_in.error = AWAY
    sign_in.screen.use_key(KIOSK, "a-key")
    await tries(sign_in, 2)
    sign_in.error = REFUSED
    await sign_in.ended()
    assert_says_whose_key_is_refused_by_whom(sign_in)
    assert sign_in.action is NoticeAction.COPY_DETAILS


@pytest.mark.usefixtures("_knocks_late")
async def test_a_key_that_is_refused_at_once_is_not_tried_again(sign_in: SignInFixture) -> None:
    sign_in.error = REFUSED
    sign_in.screen.use_key(KIOSK, "a-key")
    await sign_in.ended()
    assert_says_whose_key_is_refused_by_whom(sign_in)
    assert sign_in.action is NoticeAction.COPY_DETAILS


@pytest.mark.usefixtures("_knocks_at_once")
async def test_nobody_knocks_while_somebody_signs_in_another_way_nor_afterwards(
    sign_in: SignInFixture,
) -> None:
    sign_in.error = AWAY
    sign_in.screen.use_key(KIOSK, "a-key")
    await tries(sign_in, 2)
    sign_in.error = None
    sign_in.gate = asyncio.Event()
    sign_in.screen.sign_in_to(
        Account(
            id="p",
            name="Page",
            base_url=ADDRESS,
            auth_method=AuthMethod.PAGE,
            client_id="c",
            redirect_uri="http://127.0.0.1:1/x",
        )
    )
    before = len(sign_in.services)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(sign_in.services) <= before + 1
    sign_in.gate.set()
    await sign_in.ended()
    assert sign_in.account.id == "p"
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_OUT


@pytest.mark.usefixtures("_knocks_late")
async def test_signing_in_with_a_given_key_that_was_stopped_can_be_tried_again(
    sign_in: SignInFixture,
) -> None:
    screen = sign_in.screen
    screen.begin(lambda: screen.use_key(KIOSK, "a-key"))
    screen.stop()
    await sign_in.ended()
    assert (sign_in.said, sign_in.action) == (CANCELLED, NoticeAction.TRY_AGAIN)
    screen.restore()
    await sign_in.ended()
    assert screen.state.session is SessionState.SIGNED_IN
