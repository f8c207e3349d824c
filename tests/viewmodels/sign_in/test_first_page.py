"""The three ways in: what is asked of whom, what is refused before, and each way ends once."""

import asyncio
import json
from pathlib import Path

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.session import SessionState
from app.api.errors import AuthorisationFailed
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS, PERMISSIONS, AuthorisationRequest, Grant
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.sign_in.form import FirstStartForm, SignInForm, no_key
from app.viewmodels.window.session import SessionScreen
from tests.viewmodels.conftest import Told
from tests.viewmodels.sign_in.sign_in_fixture import (
    ADDRESS,
    AWAY,
    BY_KEY,
    BY_PAGE,
    CANCELLED,
    REFUSED,
    SignInFixture,
)


async def test_the_page_is_asked_for_what_the_fields_say(reception: SignInFixture) -> None:
    await reception.enter_by_page()
    assert reception.asked == [
        AuthorisationRequest(ADDRESS, "front-desk", DEFAULT_REDIRECT_ADDRESS)
    ]
    assert reception.credentials == ["a-token"]
    assert isinstance(reception.granted, Grant)
    assert reception.account.expires_at == reception.granted.expires_at
    assert (reception.screen.state.session, reception.screen.state.account_name) == (
        SessionState.SIGNED_IN,
        "St Anselm",
    )
    assert (reception.screen.state.state_words, reception.screen.state.needs_attention) == (
        "Signed in",
        False,
    )


async def test_a_key_signs_in_without_the_blanks_that_were_pasted(reception: SignInFixture) -> None:
    await reception.enter_by_key(key="  a-key\n")
    assert reception.credentials == ["a-key"]
    assert reception.account.auth_method is AuthMethod.KEY
    assert (reception.account.client_id, reception.account.redirect_uri) == (None, None)
    assert reception.asked == []


@pytest.mark.parametrize(
    "pasted",
    [
        "API key: rck-9d4b7e21",
        "API key:rck-9d4b7e21",
        "Key:\n  rck-9d4b7e21\n",
        "api_key = rck-9d4b7e21",
        "Unser Schlüssel: “rck-9d4b7e21”",
        "'rck-9d4b7e21'",
    ],
)
async def test_a_key_is_taken_out_of_what_was_pasted_around_it(
    reception: SignInFixture, pasted: str
) -> None:
    await reception.enter_by_key(key=pasted)
    reception.hear(REFUSED)
    reception.screen.replace_key(pasted)
    await reception.ended()
    assert reception.credentials == ["rck-9d4b7e21"] * 2


@pytest.mark.parametrize("key", ["bW9ua2V5==", "a=b-c", "key", "two words", "API key:", "x:y"])
async def test_a_key_without_a_label_is_sent_as_it_was_typed(
    reception: SignInFixture, key: str
) -> None:
    await reception.enter_by_key(key=key)
    assert reception.credentials == [key]


@pytest.mark.parametrize(
    ("sign_in_form", "sentence"),
    [
        (SignInForm(client_id="front-desk"), "Type the address"),
        (SignInForm(base_url="ftp://x.org", client_id="c"), "The address begins with https://"),
        (SignInForm(base_url=ADDRESS, client_id="  "), "Please type the client ID"),
        (SignInForm("", ADDRESS, "front-desk", ""), "Type the redirect address"),
        (
            SignInForm("", ADDRESS, "front-desk", "frontdesk:/x"),
            "A redirect address begins with http",
        ),
    ],
)
async def test_fields_that_cannot_be_right_are_said_before_anything_is_asked(
    reception: SignInFixture, sign_in_form: SignInForm, sentence: str
) -> None:
    await reception.enter_by_page(sign_in_form)
    assert reception.said.startswith(sentence)
    assert reception.asked == []
    assert reception.sign_in_form == sign_in_form
    assert reception.screen.state.session is SessionState.SIGNED_OUT


async def test_a_key_needs_no_client_and_no_redirect_address(reception: SignInFixture) -> None:
    await reception.enter_by_key(SignInForm(base_url=ADDRESS, redirect_uri="nonsense"))
    assert reception.screen.state.session is SessionState.SIGNED_IN


@pytest.mark.parametrize("key", ["", "  "])
async def test_a_missing_key_is_said(reception: SignInFixture, key: str) -> None:
    await reception.enter_by_key(key=key)
    assert reception.said == no_key().message
    assert (reception.services, reception.screen.first_page.sign_in_form(AuthMethod.KEY)) == (
        [],
        BY_KEY,
    )


async def test_an_account_without_a_name_is_called_by_its_address(reception: SignInFixture) -> None:
    await reception.enter_by_key(SignInForm(name=" ", base_url="anselm.example.org/v1/people"))
    assert reception.account.name == "anselm.example.org"
    assert reception.account.base_url == ADDRESS


async def test_a_new_try_puts_the_sentence_of_the_last_away(reception: SignInFixture) -> None:
    await reception.enter_by_key(key="")
    reception.gate = asyncio.Event()
    reception.screen.sign_in_with_page(BY_PAGE)
    assert reception.screen.state.notice is None
    reception.gate.set()
    await reception.ended()


async def test_a_refused_key_is_said_with_details_to_copy(reception: SignInFixture) -> None:
    reception.error = REFUSED
    await reception.enter_by_key()
    assert reception.said.startswith("This key is not accepted. Copy the whole key once more")
    notice = reception.screen.state.notice
    assert notice is not None
    assert (notice.action, notice.details) == (NoticeAction.COPY_DETAILS, "status: 401")
    assert (reception.screen.state.session, reception.screen.account) == (
        SessionState.SIGNED_OUT,
        None,
    )
    assert reception.screen.first_page.sign_in_form(AuthMethod.KEY) == BY_KEY


async def test_an_error_without_details_offers_nothing_to_copy(reception: SignInFixture) -> None:
    reception.error = AWAY
    await reception.enter_by_key()
    assert (reception.said, reception.action) == (AWAY.message, NoticeAction.NOTHING)


async def test_closing_the_page_changes_nothing_and_says_so_calmly(
    reception: SignInFixture,
) -> None:
    reception.granted = None
    await reception.enter_by_page()
    assert reception.screen.state.notice == Notice(CANCELLED, calm=True)
    assert (reception.screen.state.session, reception.services) == (SessionState.SIGNED_OUT, [])
    assert reception.sign_in_form == BY_PAGE


async def test_a_page_that_refuses_is_said(reception: SignInFixture) -> None:
    reception.granted = AuthorisationFailed("Refused", "Access was refused.", value="access_denied")
    await reception.enter_by_page()
    assert (reception.said, reception.action) == ("Access was refused.", NoticeAction.COPY_DETAILS)
    assert not reception.screen.state.busy


async def test_a_second_click_while_signing_in_is_dropped(reception: SignInFixture) -> None:
    reception.gate = asyncio.Event()
    told = Told(reception.screen.state_changed)
    reception.screen.sign_in_with_page(BY_PAGE)
    assert (reception.screen.state.busy, bool(told.since())) == (True, True)
    await asyncio.sleep(0)
    reception.screen.sign_in_with_page(BY_PAGE)
    reception.screen.try_demo()
    await asyncio.sleep(0)
    reception.gate.set()
    await reception.ended()
    assert len(reception.asked) == 1
    assert reception.credentials == ["a-token"]
    assert not reception.screen.state.busy


async def test_the_end_of_a_sign_in_is_told_after_it_is_no_longer_busy(
    reception: SignInFixture,
) -> None:
    busy: list[bool] = []
    reception.screen.state_changed.connect(lambda: busy.append(reception.screen.state.busy))
    reception.granted = None
    await reception.enter_by_page()
    assert busy[-1] is False


async def test_signing_in_anew_to_the_same_place_is_the_same_account(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    first = reception.account
    reception.screen.sign_out()
    await reception.ended()
    await reception.enter_by_page(SignInForm("Anselm's", f" {ADDRESS}/ ", "front-desk"))
    assert (reception.account.id, reception.account.name) == (first.id, "Anselm's")
    assert len(reception.registry.accounts()) == 1


async def test_a_corrected_redirect_address_is_used_for_a_known_account(
    reception: SignInFixture,
) -> None:
    await reception.enter_by_page()
    corrected = "http://127.0.0.1:38973/other"
    await reception.enter_by_page(SignInForm("St Anselm", ADDRESS, "front-desk", corrected))
    assert reception.asked[-1].redirect_uri == corrected
    assert reception.registry.accounts()[0].redirect_uri == corrected


@pytest.mark.parametrize(
    "other",
    [
        SignInForm("St Anselm", "https://other.example.org", "front-desk"),
        SignInForm("St Anselm", ADDRESS, "another"),
    ],
)
async def test_another_place_is_another_account(
    reception: SignInFixture, other: SignInForm
) -> None:
    await reception.enter_by_page()
    first = reception.account.id
    await reception.enter_by_page(other)
    assert reception.account.id != first


async def test_another_way_into_the_same_place_is_another_account(reception: SignInFixture) -> None:
    await reception.enter_by_page()
    first = reception.account.id
    await reception.enter_by_key()
    assert reception.account.id != first


async def test_the_first_page_begins_with_the_account_used_last(reception: SignInFixture) -> None:
    for name in ("old", "new"):
        reception.registry.keep(
            Account(
                id=name,
                name=name,
                base_url=f"https://{name}.example.org",
                auth_method=AuthMethod.PAGE,
                client_id=f"client-{name}",
                redirect_uri="http://127.0.0.1:1/x",
            )
        )
    screen = SessionScreen(
        reception.session,
        reception.events,
        reception.scope,
        authorise=reception._authorise,
        start_demo=reception._start_demo,
        forget_browser=reception._forget,
        registry=reception.registry,
    )
    assert screen.first_page.sign_in_form(AuthMethod.PAGE) == SignInForm(
        "new", "https://new.example.org", "client-new", "http://127.0.0.1:1/x"
    )


async def test_a_connection_file_fills_the_first_page_and_puts_the_sentence_away(
    reception: SignInFixture, tmp_path: Path
) -> None:
    file = tmp_path / "anselm.json"
    file.write_text(json.dumps({"name": "St Anselm", "base_url": ADDRESS, "client_id": "c"}))
    reception.screen.say(Notice("Something."))
    ConnectionFiles(reception.screen).open(str(file))
    assert reception.sign_in_form == SignInForm("St Anselm", ADDRESS, "c", DEFAULT_REDIRECT_ADDRESS)
    assert reception.screen.state.notice is None


async def test_a_file_that_is_no_connection_is_said_and_the_fields_stay(
    reception: SignInFixture, tmp_path: Path
) -> None:
    await reception.enter_by_key(key="")
    ConnectionFiles(reception.screen).open(str(tmp_path / "missing.json"))
    assert reception.said
    assert reception.said != no_key().message
    assert reception.screen.first_page.sign_in_form(AuthMethod.KEY) == BY_KEY


def on_the_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("ending", ["killed", "refused", "given up"])
async def test_what_was_typed_is_there_at_the_next_start_and_no_secret_on_the_disk(
    reception: SignInFixture, tmp_path: Path, ending: str
) -> None:
    typed = SignInForm(
        "Anselm", ADDRESS, "client-77", "http://127.0.0.1:7/done", tuple(PERMISSIONS)
    )
    reception.gate = asyncio.Event()
    reception.granted = AuthorisationFailed("No", "No.") if ending == "refused" else None
    reception.screen.sign_in_with_page(typed, "canary-secret")
    while not reception.asked:  # noqa: ASYNC110 - a test looks from outside
        await asyncio.sleep(0)
    if ending != "killed":
        reception.gate.set()
        await reception.ended()
    next_start = FirstStartForm(AccountRegistry(tmp_path / "desk"))
    assert next_start.sign_in_form(AuthMethod.PAGE) == typed
    assert next_start.sign_in_form(AuthMethod.KEY) == SignInForm()
    assert next_start.state.known == ()
    assert b"client-77" in on_the_disk(tmp_path)
    assert b"canary" not in on_the_disk(tmp_path)
    reception.gate.set()
    await reception.ended()


async def test_a_key_that_did_not_get_in_leaves_its_address_and_not_itself(
    reception: SignInFixture, tmp_path: Path
) -> None:
    reception.error = REFUSED
    await reception.enter_by_key(SignInForm("", ADDRESS), "canary-key")
    next_start = FirstStartForm(AccountRegistry(tmp_path / "desk"))
    assert next_start.sign_in_form(AuthMethod.KEY).base_url == ADDRESS
    assert b"canary" not in on_the_disk(tmp_path)


async def test_what_has_worked_is_an_account_and_nothing_begun_any_more(
    reception: SignInFixture, tmp_path: Path
) -> None:
    await reception.enter_by_page()
    registry = AccountRegistry(tmp_path / "desk")
    assert registry.begun() is None
    registry.forget(registry.accounts()[0].id)
    assert FirstStartForm(registry).sign_in_form(AuthMethod.PAGE) == SignInForm()
