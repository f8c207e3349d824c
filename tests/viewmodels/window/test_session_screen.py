"""Who is signed in and how the line is, in words; a sign-in that ends, anew and out."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.session import ConnectionChanged, SessionState
from app.api.errors import ServiceFault
from app.api.sign_in.oauth import Grant
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.viewmodels.formatting import clock
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.form import SignInForm
from app.viewmodels.window.session import SessionScreen
from tests.viewmodels.conftest import Told
from tests.viewmodels.sign_in.sign_in_fixture import (
    ADDRESS,
    AWAY,
    BY_PAGE,
    ENDED,
    REFUSED,
    WEEK,
    SignInFixture,
)


class KeyringLocked(Exception):
    """What keyring says of a vault that nobody has unlocked."""


async def test_nobody_is_in_at_the_start(sign_in: SignInFixture) -> None:
    screen = sign_in.screen
    assert (screen.state.session, screen.account, screen.state.account_name) == (
        SessionState.SIGNED_OUT,
        None,
        "",
    )
    assert (screen.state.busy, screen.state.notice, sign_in.sign_in_form) == (
        False,
        None,
        SignInForm(),
    )
    assert sign_in.sign_in_form.redirect_uri == DEFAULT_REDIRECT_ADDRESS


async def test_the_demo_account_is_marked_as_not_real_and_never_kept(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_demo()
    assert "nothing here is real" in sign_in.screen.state.state_words
    assert sign_in.screen.state.notice is None
    assert sign_in.registry.accounts() == ()


async def test_a_computer_without_a_vault_is_told_calmly(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key()
    notice = sign_in.screen.state.notice
    assert notice is not None
    assert "lasts until you close the window" in notice.sentence
    assert (notice.calm, notice.action) == (True, NoticeAction.NOTHING)


async def test_a_key_from_outside_is_for_this_run_only(sign_in: SignInFixture) -> None:
    account = Account(id="k", name="Kiosk", base_url=ADDRESS, auth_method=AuthMethod.KEY)
    sign_in.screen.use_key(account, "a-key")
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    assert sign_in.registry.accounts() == ()


async def test_a_sign_in_that_ends_says_so_and_offers_to_sign_in_again(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    told = Told(sign_in.screen.state_changed)
    sign_in.hear(REFUSED)
    assert sign_in.screen.state.notice == Notice(ENDED, NoticeAction.SIGN_IN_AGAIN)
    assert (sign_in.screen.state.state_words, sign_in.screen.state.needs_attention) == (
        "Sign in again",
        True,
    )
    assert sign_in.screen.state.account_name == "St Anselm"
    assert told.times == 1


async def test_signing_in_again_repeats_the_page_of_the_same_account(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    account = sign_in.account.id
    sign_in.hear(REFUSED)
    assert sign_in.screen.sign_in_again()
    await sign_in.ended()
    assert sign_in.asked[0] == sign_in.asked[1]
    assert sign_in.account.id == account
    assert sign_in.said != ENDED


async def test_signing_in_again_that_fails_still_offers_to_sign_in(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    sign_in.hear(REFUSED)
    sign_in.error = AWAY
    sign_in.screen.sign_in_again()
    await sign_in.ended()
    assert (sign_in.said, sign_in.action) == (AWAY.message, NoticeAction.SIGN_IN_AGAIN)
    assert sign_in.screen.state.session is SessionState.EXPIRED


async def test_signing_in_again_that_was_given_up_still_offers_to_sign_in(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    sign_in.hear(REFUSED)
    sign_in.granted = None
    sign_in.screen.sign_in_again()
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.EXPIRED
    assert sign_in.action is NoticeAction.SIGN_IN_AGAIN


async def test_a_key_has_to_be_typed_to_sign_in_again(sign_in: SignInFixture) -> None:
    assert not sign_in.screen.sign_in_again()
    await sign_in.enter_by_key()
    account = sign_in.account.id
    sign_in.hear(REFUSED)
    assert not sign_in.screen.sign_in_again()
    sign_in.screen.replace_key("another-key")
    await sign_in.ended()
    assert (sign_in.account.id, sign_in.screen.state.session) == (
        account,
        SessionState.SIGNED_IN,
    )
    assert sign_in.credentials == ["a-key", "another-key"]


async def test_another_key_to_sign_in_again_takes_the_place_of_one_that_is_still_asked_about(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_key()
    sign_in.hear(REFUSED)
    sign_in.error, sign_in.answer_gate = REFUSED, asyncio.Event()
    sign_in.screen.replace_key("a-wrong-key")
    await asyncio.sleep(0)
    sign_in.error = sign_in.answer_gate = None
    sign_in.screen.replace_key("another-key")
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    assert sign_in.credentials == ["a-key", "a-wrong-key", "another-key"]


async def test_there_is_no_key_to_replace_while_nobody_is_in(sign_in: SignInFixture) -> None:
    sign_in.screen.replace_key("a-key")
    assert not sign_in.screen.state.busy


async def test_the_demo_account_is_signed_in_to_again_by_itself(sign_in: SignInFixture) -> None:
    await sign_in.enter_demo()
    sign_in.hear(REFUSED)
    assert sign_in.screen.sign_in_again()
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    assert sign_in.screen.state.notice is None
    assert (sign_in.credentials, sign_in.asked) == (["demo-key", "demo-key"], [])


async def test_an_account_that_cannot_be_restored_says_what_the_vault_said(
    sign_in: SignInFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locked:
        def get_password(self, *_: str) -> str:
            raise KeyringLocked

    sign_in.registry.keep(Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY))
    monkeypatch.setattr("app.accounts.vault._real_backend", Locked)
    await sign_in.session.restore()
    notice = sign_in.screen.state.notice
    assert notice is not None
    assert notice.sentence.startswith("The vault of this computer is locked.")
    assert (notice.action, notice.also) == (NoticeAction.SIGN_IN_AGAIN, NoticeAction.TRY_AGAIN)


async def test_an_account_whose_time_was_over_at_the_start_asks_to_sign_in_again(
    sign_in: SignInFixture,
) -> None:
    over = datetime.now(UTC) - WEEK
    sign_in.registry.keep(
        Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.PAGE, expires_at=over)
    )
    await sign_in.session.restore()
    assert (sign_in.said, sign_in.action) == (ENDED, NoticeAction.SIGN_IN_AGAIN)


@pytest.mark.parametrize(
    "something",
    [
        lambda screen: screen.shows_lists_of(datetime.now(UTC)),
        lambda screen: screen.dismiss(),
        lambda screen: screen.say(None),
    ],
)
async def test_an_end_that_came_while_the_computer_slept_is_said_by_whatever_happens_next(
    sign_in: SignInFixture, something: Callable[[SessionScreen], None]
) -> None:
    await sign_in.enter_by_page()
    sign_in.slept = WEEK
    something(sign_in.screen)
    assert (sign_in.said, sign_in.action) == (ENDED, NoticeAction.SIGN_IN_AGAIN)
    assert sign_in.screen.state.session is SessionState.EXPIRED


async def test_an_error_said_once_a_sign_in_has_ended_stays_when_the_connection_is_back(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    sign_in.hear(AWAY)
    sign_in.slept = WEEK
    sign_in.screen.say_error(AWAY)
    sign_in.events.publish(ConnectionChanged(online=True))
    assert (sign_in.said, sign_in.action) == (AWAY.message, NoticeAction.SIGN_IN_AGAIN)


async def test_the_end_of_a_sign_in_is_named_during_its_last_day(sign_in: SignInFixture) -> None:
    until = datetime.now(UTC) + timedelta(minutes=40)
    sign_in.granted = Grant("a-token", until)
    await sign_in.enter_by_page()
    assert sign_in.screen.state.state_words == f"Sign in again before {clock(until)}"
    assert sign_in.screen.state.state_action is NoticeAction.SIGN_IN_AGAIN
    assert not sign_in.screen.state.needs_attention


async def test_an_end_that_is_days_away_is_not_named(sign_in: SignInFixture) -> None:
    sign_in.granted = Grant("a-token", datetime.now(UTC) + timedelta(hours=25))
    await sign_in.enter_by_page()
    assert sign_in.screen.state.state_words == "Signed in"


async def test_a_line_that_is_down_says_since_when_and_is_back_by_itself(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_demo()
    told = Told(sign_in.screen.state_changed)
    sign_in.hear(AWAY)
    heard = sign_in.session.last_heard
    assert heard is not None
    assert sign_in.screen.state.state_words == f"Offline, as of {clock(heard)}"
    assert (sign_in.screen.state.needs_attention, told.since()) == (True, 1)
    # One moment for the lists, which the status bar names too.
    lists_of = heard - timedelta(minutes=2)
    sign_in.screen.shows_lists_of(lists_of)
    assert sign_in.screen.state.state_words == f"Offline, as of {clock(lists_of)}"
    assert told.since() == 1
    sign_in.hear(None)
    assert "nothing here is real" in sign_in.screen.state.state_words
    assert (sign_in.screen.state.needs_attention, told.since()) == (False, 1)


async def test_what_was_said_about_the_line_is_taken_back_once_it_is_there_again(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_demo()
    sign_in.hear(AWAY)
    sign_in.screen.report(AWAY)
    assert sign_in.said == AWAY.message
    sign_in.hear(None)
    assert sign_in.screen.state.notice is None


async def test_what_was_said_about_something_else_stays_when_the_line_is_back(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_demo()
    sign_in.screen.say(Notice("Something."))
    sign_in.hear(AWAY)
    sign_in.hear(None)
    assert sign_in.said == "Something."


async def test_a_line_that_was_never_up_is_offline_without_a_time(
    sign_in: SignInFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Open:
        def get_password(self, *_: str) -> str:
            return f"{ADDRESS} a-key"

    sign_in.registry.keep(Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY))
    monkeypatch.setattr("app.accounts.vault._real_backend", Open)
    await sign_in.session.restore()
    assert sign_in.screen.state.state_words == "Signed in"
    sign_in.hear(AWAY)
    assert sign_in.screen.state.state_words == "Offline"


async def test_signing_out_forgets_the_page_and_fills_the_first_page_with_the_account(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    sign_in.screen.dismiss()
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert (sign_in.screen.state.session, sign_in.forgotten) == (SessionState.SIGNED_OUT, 1)
    assert (sign_in.screen.state.notice, sign_in.sign_in_form) == (None, BY_PAGE)


async def test_signing_out_says_so_when_the_vault_did_not_confirm(sign_in: SignInFixture) -> None:
    earlier = Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY, in_vault=True)
    sign_in.registry.keep(earlier)
    await sign_in.enter_by_key()
    assert sign_in.account.id == "a"
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert sign_in.said.startswith("You are signed out here, but")
    assert sign_in.screen.state.session is SessionState.SIGNED_OUT


async def test_signing_out_puts_away_what_was_said_about_the_ended_sign_in(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    sign_in.hear(REFUSED)
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert sign_in.screen.state.notice is None


async def test_an_error_of_the_lists_is_said_only_while_signed_in(sign_in: SignInFixture) -> None:
    fault = ServiceFault("Fault", "The account's service failed.", details="status: 500")
    sign_in.screen.report(fault)
    assert sign_in.screen.state.notice is None
    await sign_in.enter_demo()
    sign_in.screen.report(fault)
    assert (sign_in.said, sign_in.action) == (fault.message, NoticeAction.COPY_DETAILS)
    sign_in.hear(REFUSED)
    sign_in.screen.report(REFUSED)
    assert sign_in.said == ENDED


async def test_a_sentence_can_be_put_away(sign_in: SignInFixture) -> None:
    sign_in.screen.say(Notice("Something.", NoticeAction.CLOSE_ANYWAY))
    told = Told(sign_in.screen.state_changed)
    sign_in.screen.dismiss()
    assert (sign_in.screen.state.notice, told.times) == (None, 1)


async def test_the_question_about_leaving_stays_whatever_goes_wrong_meanwhile(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_demo()
    question = Notice("Close all the same?", NoticeAction.CLOSE_ANYWAY)
    sign_in.screen.ask_before_leaving(question)
    sign_in.screen.report(AWAY)
    assert sign_in.screen.state.notice is question
    sign_in.screen.dismiss()
    assert sign_in.said == AWAY.message
    sign_in.screen.ask_before_leaving(question)
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert sign_in.screen.state.notice is None


async def test_a_sentence_that_stands_there_is_not_told_anew(sign_in: SignInFixture) -> None:
    told, again = Told(sign_in.screen.state_changed), Notice("Something.")
    sign_in.screen.say(Notice("Something."))
    sign_in.screen.say(again)
    assert told.times == 1
    # Whoever said it last knows it again.
    assert sign_in.screen.state.notice is again
