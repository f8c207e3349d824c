"""Which field is wrong, what fills the fields, and that nothing typed is taken away."""

import asyncio

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import ConnectionDetails
from app.accounts.session import SessionState
from app.api.errors import AuthorisationFailed
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.form import Field, FieldProblem, Filled, SignInForm
from tests.viewmodels.sign_in.sign_in_fixture import (
    ADDRESS,
    AWAY,
    BY_KEY,
    BY_PAGE,
    CANCELLED,
    REFUSED,
    SignInFixture,
)


def problem(sign_in: SignInFixture) -> tuple[AuthMethod, Field] | None:
    found = sign_in.screen.first_page.state.problem
    return (found.auth_method, found.field) if found else None


@pytest.mark.parametrize(
    ("sign_in_form", "field"),
    [
        (SignInForm(client_id="c"), Field.ADDRESS),
        (SignInForm(base_url="ftp://x.org", client_id="c"), Field.ADDRESS),
        (SignInForm(base_url=ADDRESS), Field.CLIENT_ID),
        (SignInForm("", ADDRESS, "c", "frontdesk:/x"), Field.REDIRECT),
    ],
)
async def test_what_cannot_be_right_is_said_at_its_field_too(
    sign_in: SignInFixture, sign_in_form: SignInForm, field: Field
) -> None:
    await sign_in.enter_by_page(sign_in_form)
    assert sign_in.screen.first_page.state.problem == FieldProblem(
        AuthMethod.PAGE, field, sign_in.said
    )


async def test_a_missing_or_refused_key_is_said_at_its_field(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key(key=" ")
    assert problem(sign_in) == (AuthMethod.KEY, Field.KEY)
    sign_in.error = REFUSED
    await sign_in.enter_by_key()
    assert problem(sign_in) == (AuthMethod.KEY, Field.KEY)
    assert sign_in.screen.first_page.state.problem
    assert sign_in.screen.first_page.state.problem.sentence.startswith("This key is not accepted.")


@pytest.mark.parametrize(
    ("value", "field"),
    [("unknown_client", Field.CLIENT_ID), ("invalid_redirect_uri", Field.REDIRECT)],
)
async def test_what_the_accounts_page_does_not_know_is_said_at_its_field(
    sign_in: SignInFixture, value: str, field: Field
) -> None:
    sign_in.granted = AuthorisationFailed("Not signed in", "Not known.", value=value)
    await sign_in.enter_by_page()
    assert problem(sign_in) == (AuthMethod.PAGE, field)


async def test_no_field_is_to_blame_for_a_refusal_on_the_page(sign_in: SignInFixture) -> None:
    sign_in.granted = AuthorisationFailed("Not signed in", "Refused.", value="access_denied")
    await sign_in.enter_by_page()
    assert problem(sign_in) is None


async def test_no_field_is_to_blame_when_a_known_account_was_entered(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_key()
    sign_in.hear(REFUSED)
    sign_in.error = REFUSED
    sign_in.screen.replace_key("another")
    await sign_in.ended()
    assert problem(sign_in) is None
    assert sign_in.said.startswith("This key is not accepted.")


async def test_typing_into_the_wrong_field_answers_what_was_said(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page(SignInForm())
    sign_in.screen.correct()
    assert problem(sign_in) is None
    assert sign_in.screen.state.notice is None


async def test_typing_leaves_a_sentence_about_something_else(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page(SignInForm())
    sign_in.screen.say(Notice("Something else."))
    sign_in.screen.correct()
    assert sign_in.said == "Something else."


async def test_a_known_account_is_one_click_away(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page()
    sign_in.screen.sign_out()
    await sign_in.ended()
    known = sign_in.screen.first_page.state.known
    assert [account.name for account in known] == ["St Anselm"]
    sign_in.screen.sign_in_to(known[0])
    await sign_in.ended()
    assert sign_in.screen.state.session is SessionState.SIGNED_IN
    assert sign_in.account.id == known[0].id


async def test_a_known_account_with_a_key_asks_for_nothing_but_the_key(
    sign_in: SignInFixture,
) -> None:
    filled: list[Filled] = []
    sign_in.screen.first_page.filled.connect(filled.append)
    sign_in.screen.sign_in_to(
        Account(id="a", name="St Anselm", base_url=ADDRESS, auth_method=AuthMethod.KEY)
    )
    assert filled == [Filled(AuthMethod.KEY, BY_KEY, Field.KEY)]
    assert not sign_in.screen.state.busy
    assert sign_in.said == "Type or paste the key of St Anselm again."
    await sign_in.enter_by_key()
    assert "Type or paste" not in sign_in.said


async def test_leaving_the_demo_account_takes_nothing_away_that_was_typed(
    sign_in: SignInFixture,
) -> None:
    sign_in.granted = None
    await sign_in.enter_by_page()
    await sign_in.enter_demo()
    filled: list[Filled] = []
    sign_in.screen.first_page.filled.connect(filled.append)
    sign_in.screen.sign_out()
    await sign_in.ended()
    assert filled == []
    assert sign_in.sign_in_form == BY_PAGE


async def test_a_connection_without_a_client_is_for_a_key(sign_in: SignInFixture) -> None:
    filled: list[Filled] = []
    sign_in.screen.first_page.filled.connect(filled.append)
    sign_in.screen.take_connection(ConnectionDetails(name="St Anselm", base_url=ADDRESS))
    assert filled == [
        Filled(AuthMethod.PAGE, SignInForm("St Anselm", ADDRESS, "", DEFAULT_REDIRECT_ADDRESS)),
        Filled(AuthMethod.KEY, BY_KEY, Field.KEY),
    ]


async def test_signing_in_can_be_stopped(sign_in: SignInFixture) -> None:
    sign_in.gate = asyncio.Event()
    sign_in.screen.sign_in_with_page(BY_PAGE)
    await asyncio.sleep(0)
    sign_in.screen.stop()
    await sign_in.ended()
    assert sign_in.screen.state.notice == Notice(CANCELLED, calm=True)
    assert not sign_in.screen.state.busy
    assert sign_in.screen.state.work_words == ""
    assert sign_in.screen.state.session is SessionState.SIGNED_OUT


async def test_what_is_waited_for_is_said_in_words(sign_in: SignInFixture) -> None:
    words: list[str] = []
    sign_in.screen.state_changed.connect(lambda: words.append(sign_in.screen.state.work_words))
    await sign_in.enter_demo()
    assert "Starting the demo account" in words
    assert "Signing in to Demo" in words
    assert words[-1] == ""


async def test_trying_the_line_asks_the_service_at_once(sign_in: SignInFixture) -> None:
    await sign_in.enter_demo()
    sign_in.hear(AWAY)
    offers = [sign_in.screen.state.state_action]
    sign_in.screen.check_connection()
    await sign_in.ended()
    offers.append(sign_in.screen.state.state_action)
    assert offers == [NoticeAction.CHECK_CONNECTION, NoticeAction.NOTHING]


async def test_an_account_that_was_forgotten_goes_from_the_list_and_from_its_fields(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    account = sign_in.account
    sign_in.screen.sign_out()
    await sign_in.ended()
    first_page = sign_in.screen.first_page
    assert ([each.id for each in first_page.state.known], sign_in.sign_in_form) == (
        [account.id],
        BY_PAGE,
    )
    filled: list[Filled] = []
    first_page.filled.connect(filled.append)
    sign_in.registry.forget(account.id)
    first_page.reread_known()
    assert first_page.state.known == ()
    assert filled == [Filled(AuthMethod.PAGE, SignInForm(), in_place_of=BY_PAGE)]
    assert sign_in.sign_in_form == SignInForm()


async def test_forgetting_another_account_leaves_the_fields_alone(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page()
    sign_in.registry.keep(Account(id="b", name="B", base_url=ADDRESS, auth_method=AuthMethod.PAGE))
    sign_in.screen.sign_out()
    await sign_in.ended()
    sign_in.registry.forget("b")
    sign_in.screen.first_page.reread_known()
    assert sign_in.sign_in_form == BY_PAGE
