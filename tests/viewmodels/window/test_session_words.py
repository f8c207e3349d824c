"""When to sign in again, in words as coarse as they may be; and waking up only to change them."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import pytest
from pytestqt.qtbot import QtBot

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import Session, SessionChanged, SessionState
from app.accounts.vault import Vault
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.viewmodels.formatting import clock
from app.viewmodels.window.session_state import (
    ExpiryTimer,
    end_words,
    seconds_until_other_words,
)
from tests.viewmodels.sign_in.sign_in_fixture import ADDRESS, AService

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.api.errors import ApiError
    from app.api.service import Service


def local(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of May 2024 where this test runs, as UTC."""
    return datetime(2024, 5, day, hour, minute).astimezone().astimezone(UTC)


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (local(3, 14, 35), f"Sign in again before {clock(local(3, 14))}"),
        (local(3, 12, 10), "Sign in again before noon"),
        (local(3, 11, 59), f"Sign in again before {clock(local(3, 11))}"),
        (local(3, 10, 5), f"Sign in again before {clock(local(3, 10, 5))}"),
        (local(4, 0, 20), "Sign in again before midnight"),
        (local(4, 8, 30), f"Sign in again before {clock(local(4, 8))} tomorrow"),
    ],
)
def test_the_hour_is_rounded_to_the_safe_side(until: datetime, words: str) -> None:
    assert end_words(until, local(3, 9, 20)) == words


def test_noon_of_the_next_day_is_said_to_be_tomorrow() -> None:
    assert end_words(local(4, 12, 30), local(3, 13)) == "Sign in again before noon tomorrow"


class AConnector(ServiceConnector):
    """Every service accepts every credential."""

    def connect(
        self,
        account: Account,  # noqa: ARG002 - of the contract
        credential: str,  # noqa: ARG002 - as above
        on_outcome: "Callable[[ApiError | None], None]",
        access: object,  # noqa: ARG002 - as above
    ) -> "Service":
        return cast("Service", AService(on_outcome, None))


def signed_in(until: datetime | None, events: EventBus | None = None) -> Session:
    """A session whose access ends at `until`."""
    session = Session(
        AccountRegistry(None),
        Vault(),
        events or EventBus(lambda _error: None),
        AConnector(),
    )
    auth_method = AuthMethod.PAGE if until else AuthMethod.KEY
    account = Account(id="a", name="A", base_url=ADDRESS, auth_method=auth_method, expires_at=until)
    asyncio.run(session.sign_in(account, "x", remember=False))
    return session


def test_nothing_changes_by_itself_before_the_last_day() -> None:
    now = datetime.now(UTC)
    session = signed_in(now + timedelta(days=3))
    seconds = seconds_until_other_words(session, now)
    assert seconds == pytest.approx(timedelta(days=2).total_seconds())


def test_in_the_last_hour_only_the_end_itself_or_midnight_changes_anything() -> None:
    now = datetime.now(UTC)
    session = signed_in(now + timedelta(minutes=40))
    seconds = seconds_until_other_words(session, now)
    assert seconds is not None
    assert 0 < seconds <= timedelta(minutes=40).total_seconds()


def test_a_key_has_no_end_to_wait_for() -> None:
    assert seconds_until_other_words(signed_in(None), datetime.now(UTC)) is None


def test_the_end_is_noticed_when_it_comes_without_anybody_asking(qtbot: QtBot) -> None:
    errors: list[BaseException] = []
    events = EventBus(errors.append)
    scope = TaskScope("clock", errors.append, ExpectedError)
    heard: list[SessionState] = []
    told: list[int] = []
    session = signed_in(datetime.now(UTC) + timedelta(seconds=0.3), events)
    events.subscribe(SessionChanged, lambda event: heard.append(event.state), scope)
    watch = ExpiryTimer(session, scope)
    watch.passed.connect(lambda: told.append(1))
    watch.restart()
    qtbot.waitUntil(lambda: bool(told), timeout=5000)
    assert heard == [SessionState.EXPIRED]
    asyncio.run(scope.close())
    assert not errors
