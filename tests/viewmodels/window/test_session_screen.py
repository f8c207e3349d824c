"""Who is signed in and how the line is, in words; a sign-in that ends, anew and out."""

from datetime import UTC, datetime, timedelta

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionState
from app.api.errors import ServiceFault
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS, Grant
from app.viewmodels.formatting import clock
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.form import SignInForm
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


async def test_nobody_is_in_at_the_start(reception: SignInFixture) -> None:
    screen = reception.screen
    assert (screen.state.session, screen.account, screen.state.account_name) == (
        SessionState.SIGNED_OUT,
        None,
        "",
    )
    assert (screen.state.busy, screen.state.notice, reception.sign_in_form) == (
        False,
        None,
        SignInForm(),
    )
    assert reception.sign_in_form.redirect_uri == DEFAULT_REDIRECT_ADDRESS


async def test_the_demo_account_is_marked_as_not_real_and_never_kept(
    reception: SignInFixture,
) -> None:
    await reception.enter_demo()
    assert "nothing here is real" in reception.screen.state.state_words
    assert reception.screen.state.notice is None
    assert reception.registry.accounts() == ()


async def test_a_computer_without_a_vault_is_told_calmly(reception: SignInFixture) -> None:
    await reception.enter_by_key()
    notice = reception.screen.state.notice
    assert notice is not None
    assert "lasts until you close the window" in notice.sentence
    assert (notice.calm, notice.action) == (True, NoticeAction.NOTHING)


async def test_a_key_from_outside_is_for_this_run_only(reception: SignInFixture) -> None:
    account = Account(id="k", name="Kiosk", base_url=ADDRESS, auth_method=AuthMethod.KEY)
    reception.screen.use_key(account, "a-key")
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_IN
    assert reception.session.this_run_only
    assert reception.registry.accounts() == ()


async def test_a_sign_in_that_ends_says_so_and_offers_to_sign_in_again(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    told = Told(reception.screen.state_changed)
    reception.hear(REFUSED)
    assert reception.screen.state.notice == Notice(ENDED, NoticeAction.SIGN_IN_AGAIN)
    assert (reception.screen.state.state_words, reception.screen.state.needs_attention) == (
        "Sign in again",
        True,
    )
    assert reception.screen.state.account_name == "St Anselm"
    assert told.times == 1


async def test_signing_in_again_repeats_the_page_of_the_same_account(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    account = reception.account.id
    reception.hear(REFUSED)
    assert reception.screen.sign_in_again()
    await reception.ended()
    assert reception.asked[0] == reception.asked[1]
    assert reception.account.id == account
    assert reception.said != ENDED


async def test_signing_in_again_that_fails_still_offers_to_sign_in(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    reception.hear(REFUSED)
    reception.error = AWAY
    reception.screen.sign_in_again()
    await reception.ended()
    assert (reception.said, reception.action) == (AWAY.message, NoticeAction.SIGN_IN_AGAIN)
    assert reception.screen.state.session is SessionState.EXPIRED


async def test_signing_in_again_that_was_given_up_still_offers_to_sign_in(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    reception.hear(REFUSED)
    reception.granted = None
    reception.screen.sign_in_again()
    await reception.ended()
    assert reception.screen.state.session is SessionState.EXPIRED
    assert reception.action is NoticeAction.SIGN_IN_AGAIN


async def test_a_key_has_to_be_typed_to_sign_in_again(reception: SignInFixture) -> None:
    assert not reception.screen.sign_in_again()
    await reception.enter_by_key()
    account = reception.account.id
    reception.hear(REFUSED)
    assert not reception.screen.sign_in_again()
    reception.screen.replace_key("another-key")
    await reception.ended()
    assert (reception.account.id, reception.screen.state.session) == (
        account,
        SessionState.SIGNED_IN,
    )
    assert reception.credentials == ["a-key", "another-key"]


async def test_there_is_no_key_to_replace_while_nobody_is_in(reception: SignInFixture) -> None:
    reception.screen.replace_key("a-key")
    assert not reception.screen.state.busy


async def test_the_demo_account_is_signed_in_to_again_by_itself(reception: SignInFixture) -> None:
    await reception.enter_demo()
    reception.hear(REFUSED)
    assert reception.screen.sign_in_again()
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_IN
    assert reception.screen.state.notice is None
    assert (reception.credentials, reception.asked) == (["demo-key", "demo-key"], [])


async def test_an_account_that_cannot_be_restored_says_what_the_vault_said(
    reception: SignInFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locked:
        def get_password(self, *_: str) -> str:
            raise KeyringLocked

    reception.registry.keep(Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY))
    monkeypatch.setattr("app.accounts.vault._real_backend", Locked)
    await reception.session.restore()
    notice = reception.screen.state.notice
    assert notice is not None
    assert notice.sentence.startswith("The vault of this computer is locked.")
    assert (notice.action, notice.also) == (NoticeAction.SIGN_IN_AGAIN, NoticeAction.TRY_AGAIN)


async def test_an_account_whose_time_was_over_at_the_start_asks_to_sign_in_again(
    reception: SignInFixture,
) -> None:
    over = datetime.now(UTC) - WEEK
    reception.registry.keep(
        Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.PAGE, expires_at=over)
    )
    await reception.session.restore()
    assert (reception.said, reception.action) == (ENDED, NoticeAction.SIGN_IN_AGAIN)


async def test_the_end_of_a_sign_in_is_named_during_its_last_day(reception: SignInFixture) -> None:
    until = datetime.now(UTC) + timedelta(minutes=40)
    reception.granted = Grant("a-token", until)
    await reception.enter_by_page()
    assert reception.screen.state.state_words == f"Sign in again before {clock(until)}"
    assert reception.screen.state.state_action is NoticeAction.SIGN_IN_AGAIN
    assert not reception.screen.state.needs_attention


async def test_an_end_that_is_days_away_is_not_named(reception: SignInFixture) -> None:
    reception.granted = Grant("a-token", datetime.now(UTC) + timedelta(hours=25))
    await reception.enter_by_page()
    assert reception.screen.state.state_words == "Signed in"


async def test_a_line_that_is_down_says_since_when_and_is_back_by_itself(
    reception: SignInFixture,
) -> None:
    await reception.enter_demo()
    told = Told(reception.screen.state_changed)
    reception.hear(AWAY)
    heard = reception.session.last_heard
    assert heard is not None
    assert reception.screen.state.state_words == f"Offline, as of {clock(heard)}"
    assert (reception.screen.state.needs_attention, told.since()) == (True, 1)
    reception.hear(None)
    assert "nothing here is real" in reception.screen.state.state_words
    assert (reception.screen.state.needs_attention, told.since()) == (False, 1)


async def test_what_was_said_about_the_line_is_taken_back_once_it_is_there_again(
    reception: SignInFixture,
) -> None:
    await reception.enter_demo()
    reception.hear(AWAY)
    reception.screen.report(AWAY)
    assert reception.said == AWAY.message
    reception.hear(None)
    assert reception.screen.state.notice is None


async def test_what_was_said_about_something_else_stays_when_the_line_is_back(
    reception: SignInFixture,
) -> None:
    await reception.enter_demo()
    reception.screen.say(Notice("Something."))
    reception.hear(AWAY)
    reception.hear(None)
    assert reception.said == "Something."


async def test_a_line_that_was_never_up_is_offline_without_a_time(
    reception: SignInFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Open:
        def get_password(self, *_: str) -> str:
            return "a-key"

    reception.registry.keep(Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY))
    monkeypatch.setattr("app.accounts.vault._real_backend", Open)
    await reception.session.restore()
    assert reception.screen.state.state_words == "Signed in"
    reception.hear(AWAY)
    assert reception.screen.state.state_words == "Offline"


async def test_signing_out_forgets_the_page_and_fills_the_first_page_with_the_account(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    reception.screen.dismiss()
    reception.screen.sign_out()
    await reception.ended()
    assert (reception.screen.state.session, reception.forgotten) == (SessionState.SIGNED_OUT, 1)
    assert (reception.screen.state.notice, reception.sign_in_form) == (None, BY_PAGE)


async def test_signing_out_says_so_when_the_vault_did_not_confirm(reception: SignInFixture) -> None:
    earlier = Account(id="a", name="A", base_url=ADDRESS, auth_method=AuthMethod.KEY, in_vault=True)
    reception.registry.keep(earlier)
    await reception.enter_by_key()
    assert reception.account.id == "a"
    reception.screen.sign_out()
    await reception.ended()
    assert reception.said.startswith("You are signed out here, but")
    assert reception.screen.state.session is SessionState.SIGNED_OUT


async def test_signing_out_puts_away_what_was_said_about_the_ended_sign_in(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    reception.hear(REFUSED)
    reception.screen.sign_out()
    await reception.ended()
    assert reception.screen.state.notice is None


async def test_an_error_of_the_lists_is_said_only_while_signed_in(reception: SignInFixture) -> None:
    fault = ServiceFault("Fault", "The account's service failed.", details="status: 500")
    reception.screen.report(fault)
    assert reception.screen.state.notice is None
    await reception.enter_demo()
    reception.screen.report(fault)
    assert (reception.said, reception.action) == (fault.message, NoticeAction.COPY_DETAILS)
    reception.hear(REFUSED)
    reception.screen.report(REFUSED)
    assert reception.said == ENDED


async def test_a_sentence_can_be_put_away(reception: SignInFixture) -> None:
    reception.screen.say(Notice("Something.", NoticeAction.CLOSE_ANYWAY))
    told = Told(reception.screen.state_changed)
    reception.screen.dismiss()
    assert (reception.screen.state.notice, told.times) == (None, 1)


async def test_a_sentence_that_stands_there_is_not_told_anew(reception: SignInFixture) -> None:
    told, again = Told(reception.screen.state_changed), Notice("Something.")
    reception.screen.say(Notice("Something."))
    reception.screen.say(again)
    assert told.times == 1
    # Whoever said it last knows it again.
    assert reception.screen.state.notice is again
