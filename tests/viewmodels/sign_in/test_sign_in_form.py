"""The three ways in: what is asked of whom, what is refused before, and each way ends once."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.session import SessionState
from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import PERMISSIONS, AuthorisationRequest, Grant
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
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


async def test_the_page_is_asked_for_what_the_fields_say(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page()
    assert sign_in.asked == [AuthorisationRequest(ADDRESS, "front-desk", DEFAULT_REDIRECT_ADDRESS)]
    assert sign_in.credentials == ["a-token"]
    assert isinstance(sign_in.granted, Grant)
    assert sign_in.account.expires_at == sign_in.granted.expires_at
    assert (sign_in.screen.state.session, sign_in.screen.state.account_name) == (
        SessionState.SIGNED_IN,
        "St Anselm",
    )
    assert (sign_in.screen.state.state_words, sign_in.screen.state.needs_attention) == (
        "Signed in",
        False,
    )


async def test_a_key_signs_in_without_the_blanks_that_were_pasted(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key(key="  a-key\n")
    assert sign_in.credentials == ["a-key"]
    assert sign_in.account.auth_method is AuthMethod.KEY
    assert (sign_in.account.client_id, sign_in.account.redirect_uri) == (None, None)
    assert sign_in.asked == []


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
    sign_in: SignInFixture, pasted: str
) -> None:
    await sign_in.enter_by_key(key=pasted)
    sign_in.hear(REFUSED)
    sign_in.screen.replace_key(pasted)
    await sign_in.ended()
    assert sign_in.credentials == ["rck-9d4b7e21"] * 2


@pytest.mark.parametrize("key", ["bW9ua2V5==", "a=b-c", "key", "two words", "API key:", "x:y"])
async def test_a_key_without_a_label_is_sent_as_it_was_typed(
    sign_in: SignInFixture, key: str
) -> None:
    await sign_in.enter_by_key(key=key)
    assert sign_in.credentials == [key]


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
    sign_in: SignInFixture, sign_in_form: SignInForm, sentence: str
) -> None:
    await sign_in.enter_by_page(sign_in_form)
    assert sign_in.said.startswith(sentence)
    assert sign_in.asked == []
    assert sign_in.sign_in_form == sign_in_form
    assert sign_in.screen.state.session is SessionState.SIGNED_OUT


async def test_a_key_needs_no_client_and_no_redirect_address(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key(SignInForm(base_url=ADDRESS, redirect_uri="nonsense"))
    assert sign_in.screen.state.session is SessionState.SIGNED_IN


@pytest.mark.parametrize("key", ["", "  "])
async def test_a_missing_key_is_said(sign_in: SignInFixture, key: str) -> None:
    await sign_in.enter_by_key(key=key)
    assert sign_in.said == no_key().message
    assert (sign_in.services, sign_in.screen.first_page.sign_in_form(AuthMethod.KEY)) == (
        [],
        BY_KEY,
    )


async def test_an_account_without_a_name_is_called_by_its_address(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key(SignInForm(name=" ", base_url="anselm.example.org/v1/people"))
    assert sign_in.account.name == "anselm.example.org"
    assert sign_in.account.base_url == ADDRESS


async def test_a_new_try_puts_the_sentence_of_the_last_away(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_key(key="")
    sign_in.gate = asyncio.Event()
    sign_in.screen.sign_in_with_page(BY_PAGE)
    assert sign_in.screen.state.notice is None
    sign_in.gate.set()
    await sign_in.ended()


async def test_a_refused_key_is_said_with_details_to_copy(sign_in: SignInFixture) -> None:
    sign_in.error = REFUSED
    await sign_in.enter_by_key()
    assert sign_in.said.startswith("This key is not accepted. Copy the whole key once more")
    notice = sign_in.screen.state.notice
    assert notice is not None
    assert (notice.action, notice.details) == (NoticeAction.COPY_DETAILS, "status: 401")
    assert (sign_in.screen.state.session, sign_in.screen.account) == (
        SessionState.SIGNED_OUT,
        None,
    )
    assert sign_in.screen.first_page.sign_in_form(AuthMethod.KEY) == BY_KEY


async def test_an_error_without_details_offers_nothing_to_copy(sign_in: SignInFixture) -> None:
    sign_in.error = AWAY
    await sign_in.enter_by_key()
    assert (sign_in.said, sign_in.action) == (AWAY.message, NoticeAction.NOTHING)


async def test_closing_the_page_changes_nothing_and_says_so_calmly(
    sign_in: SignInFixture,
) -> None:
    sign_in.granted = None
    await sign_in.enter_by_page()
    assert sign_in.screen.state.notice == Notice(CANCELLED, calm=True)
    assert (sign_in.screen.state.session, sign_in.services) == (SessionState.SIGNED_OUT, [])
    assert sign_in.sign_in_form == BY_PAGE


async def test_a_page_that_refuses_is_said(sign_in: SignInFixture) -> None:
    sign_in.granted = AuthorisationFailed("Refused", "Access was refused.", value="access_denied")
    await sign_in.enter_by_page()
    assert (sign_in.said, sign_in.action) == ("Access was refused.", NoticeAction.COPY_DETAILS)
    assert not sign_in.screen.state.busy


async def test_a_second_click_while_signing_in_is_dropped(sign_in: SignInFixture) -> None:
    sign_in.gate = asyncio.Event()
    told = Told(sign_in.screen.state_changed)
    sign_in.screen.sign_in_with_page(BY_PAGE)
    assert (sign_in.screen.state.busy, bool(told.since())) == (True, True)
    await asyncio.sleep(0)
    sign_in.screen.sign_in_with_page(BY_PAGE)
    sign_in.screen.try_demo()
    await asyncio.sleep(0)
    sign_in.gate.set()
    await sign_in.ended()
    assert len(sign_in.asked) == 1
    assert sign_in.credentials == ["a-token"]
    assert not sign_in.screen.state.busy


async def test_the_end_of_a_sign_in_is_told_after_it_is_no_longer_busy(
    sign_in: SignInFixture,
) -> None:
    busy: list[bool] = []
    sign_in.screen.state_changed.connect(lambda: busy.append(sign_in.screen.state.busy))
    sign_in.granted = None
    await sign_in.enter_by_page()
    assert busy[-1] is False


async def test_signing_in_anew_to_the_same_place_is_the_same_account(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    first = sign_in.account
    sign_in.screen.sign_out()
    await sign_in.ended()
    await sign_in.enter_by_page(SignInForm("Anselm's", f" {ADDRESS}/ ", "front-desk"))
    assert (sign_in.account.id, sign_in.account.name) == (first.id, "Anselm's")
    assert len(sign_in.registry.accounts()) == 1


async def test_a_corrected_redirect_address_is_used_for_a_known_account(
    sign_in: SignInFixture,
) -> None:
    await sign_in.enter_by_page()
    corrected = "http://127.0.0.1:38973/other"
    await sign_in.enter_by_page(SignInForm("St Anselm", ADDRESS, "front-desk", corrected))
    assert sign_in.asked[-1].redirect_uri == corrected
    assert sign_in.registry.accounts()[0].redirect_uri == corrected


@pytest.mark.parametrize(
    "other",
    [
        SignInForm("St Anselm", "https://other.example.org", "front-desk"),
        SignInForm("St Anselm", ADDRESS, "another"),
    ],
)
async def test_another_place_is_another_account(sign_in: SignInFixture, other: SignInForm) -> None:
    await sign_in.enter_by_page()
    first = sign_in.account.id
    await sign_in.enter_by_page(other)
    assert sign_in.account.id != first


async def test_another_way_into_the_same_place_is_another_account(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page()
    first = sign_in.account.id
    await sign_in.enter_by_key()
    assert sign_in.account.id != first


async def test_the_first_page_begins_with_the_account_used_last(sign_in: SignInFixture) -> None:
    for name in ("old", "new"):
        sign_in.registry.keep(
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
        sign_in.session,
        sign_in.events,
        sign_in.scope,
        browser=sign_in,
        demo=sign_in,
        registry=sign_in.registry,
    )
    assert screen.first_page.sign_in_form(AuthMethod.PAGE) == SignInForm(
        "new", "https://new.example.org", "client-new", "http://127.0.0.1:1/x"
    )


async def test_a_connection_file_fills_the_first_page_and_puts_the_sentence_away(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    file = tmp_path / "anselm.json"
    file.write_text(json.dumps({"name": "St Anselm", "base_url": ADDRESS, "client_id": "c"}))
    sign_in.screen.say(Notice("Something."))
    ConnectionFiles(sign_in.screen).open(str(file))
    assert sign_in.sign_in_form == SignInForm("St Anselm", ADDRESS, "c", DEFAULT_REDIRECT_ADDRESS)
    assert sign_in.screen.state.notice is None


async def test_a_file_that_is_no_connection_is_said_and_the_fields_stay(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    await sign_in.enter_by_key(key="")
    ConnectionFiles(sign_in.screen).open(str(tmp_path / "missing.json"))
    assert sign_in.said
    assert sign_in.said != no_key().message
    assert sign_in.screen.first_page.sign_in_form(AuthMethod.KEY) == BY_KEY


def on_the_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("ending", ["killed", "refused", "given up"])
async def test_what_was_typed_is_there_at_the_next_start_and_no_secret_on_the_disk(
    sign_in: SignInFixture, tmp_path: Path, ending: str
) -> None:
    typed = SignInForm(
        "Anselm", ADDRESS, "client-77", "http://127.0.0.1:7/done", tuple(PERMISSIONS)
    )
    sign_in.gate = asyncio.Event()
    sign_in.granted = AuthorisationFailed("No", "No.") if ending == "refused" else None
    sign_in.screen.sign_in_with_page(typed, "canary-secret")
    while not sign_in.asked:  # noqa: ASYNC110 - a test looks from outside
        await asyncio.sleep(0)
    if ending != "killed":
        sign_in.gate.set()
        await sign_in.ended()
    next_start = FirstStartForm(AccountRegistry(tmp_path / "desk"))
    assert next_start.sign_in_form(AuthMethod.PAGE) == typed
    assert next_start.sign_in_form(AuthMethod.KEY) == SignInForm()
    assert next_start.state.known == ()
    assert b"client-77" in on_the_disk(tmp_path)
    assert b"canary" not in on_the_disk(tmp_path)
    sign_in.gate.set()
    await sign_in.ended()


async def test_a_key_that_did_not_get_in_leaves_its_address_and_not_itself(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    sign_in.error = REFUSED
    await sign_in.enter_by_key(SignInForm("", ADDRESS), "canary-key")
    next_start = FirstStartForm(AccountRegistry(tmp_path / "desk"))
    assert next_start.sign_in_form(AuthMethod.KEY).base_url == ADDRESS
    assert b"canary" not in on_the_disk(tmp_path)


async def test_a_name_nobody_typed_stays_empty_and_follows_the_address(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    sign_in.error = REFUSED
    await sign_in.enter_by_key(SignInForm("", "http://127.0.0.1:8472"), "a-key")
    next_start = FirstStartForm(AccountRegistry(tmp_path / "desk"))
    again = next_start.sign_in_form(AuthMethod.KEY)
    assert (again.name, again.base_url) == ("", "http://127.0.0.1:8472")
    corrected = next_start.account(replace(again, base_url=ADDRESS), AuthMethod.KEY, "a-key")
    assert corrected.name == ADDRESS.split("://")[-1]


async def test_what_has_worked_is_an_account_and_nothing_begun_any_more(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    await sign_in.enter_by_page()
    registry = AccountRegistry(tmp_path / "desk")
    assert registry.begun() is None
    registry.forget(registry.accounts()[0].id)
    assert FirstStartForm(registry).sign_in_form(AuthMethod.PAGE) == SignInForm()
