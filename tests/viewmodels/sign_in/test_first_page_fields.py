"""Which field is wrong, what fills the fields, and that nothing typed is taken away."""

import asyncio

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import ConnectionDetails
from app.accounts.session import SessionState
from app.api.errors import AuthorisationFailed
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS
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


def problem(reception: SignInFixture) -> tuple[AuthMethod, Field] | None:
    found = reception.screen.first_page.state.problem
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
    reception: SignInFixture, sign_in_form: SignInForm, field: Field
) -> None:
    await reception.enter_by_page(sign_in_form)
    assert reception.screen.first_page.state.problem == FieldProblem(
        AuthMethod.PAGE, field, reception.said
    )


async def test_a_missing_or_refused_key_is_said_at_its_field(reception: SignInFixture) -> None:
    await reception.enter_by_key(key=" ")
    assert problem(reception) == (AuthMethod.KEY, Field.KEY)
    reception.error = REFUSED
    await reception.enter_by_key()
    assert problem(reception) == (AuthMethod.KEY, Field.KEY)
    assert reception.screen.first_page.state.problem
    assert reception.screen.first_page.state.problem.sentence.startswith(
        "This key is not accepted."
    )


@pytest.mark.parametrize(
    ("value", "field"),
    [("unknown_client", Field.CLIENT_ID), ("invalid_redirect_uri", Field.REDIRECT)],
)
async def test_what_the_accounts_page_does_not_know_is_said_at_its_field(
    reception: SignInFixture, value: str, field: Field
) -> None:
    reception.granted = AuthorisationFailed("Not signed in", "Not known.", value=value)
    await reception.enter_by_page()
    assert problem(reception) == (AuthMethod.PAGE, field)


async def test_no_field_is_to_blame_for_a_refusal_on_the_page(reception: SignInFixture) -> None:
    reception.granted = AuthorisationFailed("Not signed in", "Refused.", value="access_denied")
    await reception.enter_by_page()
    assert problem(reception) is None


async def test_no_field_is_to_blame_when_a_known_account_was_entered(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_key()
    reception.hear(REFUSED)
    reception.error = REFUSED
    reception.screen.replace_key("another")
    await reception.ended()
    assert problem(reception) is None
    assert reception.said.startswith("This key is not accepted.")


async def test_typing_into_the_wrong_field_answers_what_was_said(reception: SignInFixture) -> None:
    await reception.enter_by_page(SignInForm())
    reception.screen.correct()
    assert problem(reception) is None
    assert reception.screen.state.notice is None


async def test_typing_leaves_a_sentence_about_something_else(reception: SignInFixture) -> None:
    await reception.enter_by_page(SignInForm())
    reception.screen.say(Notice("Something else."))
    reception.screen.correct()
    assert reception.said == "Something else."


async def test_a_known_account_is_one_click_away(reception: SignInFixture) -> None:
    await reception.enter_by_page()
    reception.screen.sign_out()
    await reception.ended()
    known = reception.screen.first_page.state.known
    assert [account.name for account in known] == ["St Anselm"]
    reception.screen.sign_in_to(known[0])
    await reception.ended()
    assert reception.screen.state.session is SessionState.SIGNED_IN
    assert reception.account.id == known[0].id


async def test_a_known_account_with_a_key_asks_for_nothing_but_the_key(
    reception: SignInFixture,
) -> None:
    filled: list[Filled] = []
    reception.screen.first_page.filled.connect(filled.append)
    reception.screen.sign_in_to(
        Account(id="a", name="St Anselm", base_url=ADDRESS, auth_method=AuthMethod.KEY)
    )
    assert filled == [Filled(AuthMethod.KEY, BY_KEY, Field.KEY)]
    assert not reception.screen.state.busy
    assert reception.said == "Type or paste the key of St Anselm again."
    await reception.enter_by_key()
    assert "Type or paste" not in reception.said


async def test_leaving_the_demo_account_takes_nothing_away_that_was_typed(
    reception: SignInFixture,
) -> None:
    reception.granted = None
    await reception.enter_by_page()
    await reception.enter_demo()
    filled: list[Filled] = []
    reception.screen.first_page.filled.connect(filled.append)
    reception.screen.sign_out()
    await reception.ended()
    assert filled == []
    assert reception.sign_in_form == BY_PAGE


async def test_a_connection_without_a_client_is_for_a_key(reception: SignInFixture) -> None:
    filled: list[Filled] = []
    reception.screen.first_page.filled.connect(filled.append)
    reception.screen.take_connection(ConnectionDetails(name="St Anselm", base_url=ADDRESS))
    assert filled == [
        Filled(AuthMethod.PAGE, SignInForm("St Anselm", ADDRESS, "", DEFAULT_REDIRECT_ADDRESS)),
        Filled(AuthMethod.KEY, BY_KEY, Field.KEY),
    ]


async def test_signing_in_can_be_stopped(reception: SignInFixture) -> None:
    reception.gate = asyncio.Event()
    reception.screen.sign_in_with_page(BY_PAGE)
    await asyncio.sleep(0)
    reception.screen.stop()
    await reception.ended()
    assert reception.screen.state.notice == Notice(CANCELLED, calm=True)
    assert not reception.screen.state.busy
    assert reception.screen.state.work_words == ""
    assert reception.screen.state.session is SessionState.SIGNED_OUT


async def test_what_is_waited_for_is_said_in_words(reception: SignInFixture) -> None:
    words: list[str] = []
    reception.screen.state_changed.connect(lambda: words.append(reception.screen.state.work_words))
    await reception.enter_demo()
    assert "Starting the demo account" in words
    assert "Signing in to Demo" in words
    assert words[-1] == ""


async def test_trying_the_line_asks_the_service_at_once(reception: SignInFixture) -> None:
    await reception.enter_demo()
    reception.hear(AWAY)
    offers = [reception.screen.state.state_action]
    reception.screen.try_line()
    await reception.ended()
    offers.append(reception.screen.state.state_action)
    assert offers == [NoticeAction.TRY_LINE, NoticeAction.NOTHING]


async def test_an_account_that_was_forgotten_goes_from_the_list_and_from_its_fields(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    account = reception.account
    reception.screen.sign_out()
    await reception.ended()
    first_page = reception.screen.first_page
    assert ([each.id for each in first_page.state.known], reception.sign_in_form) == (
        [account.id],
        BY_PAGE,
    )
    filled: list[Filled] = []
    first_page.filled.connect(filled.append)
    reception.registry.forget(account.id)
    first_page.reread_known()
    assert first_page.state.known == ()
    assert filled == [Filled(AuthMethod.PAGE, SignInForm(), in_place_of=BY_PAGE)]
    assert reception.sign_in_form == SignInForm()


async def test_forgetting_another_account_leaves_the_fields_alone(reception: SignInFixture) -> None:
    await reception.enter_by_page()
    reception.registry.keep(
        Account(id="b", name="B", base_url=ADDRESS, auth_method=AuthMethod.PAGE)
    )
    reception.screen.sign_out()
    await reception.ended()
    reception.registry.forget("b")
    reception.screen.first_page.reread_known()
    assert reception.sign_in_form == BY_PAGE
