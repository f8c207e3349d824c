"""Connection files opened, dropped and saved: what the window says of each."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.accounts.account import AuthMethod
from app.accounts.connection_file import ConnectionDetails, read_connection
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.sign_in.connection_files import ConnectionFiles, file_name
from app.viewmodels.sign_in.form import Field, SignInForm
from tests.viewmodels.sign_in.sign_in_fixture import ADDRESS, BY_PAGE, SignInFixture


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A connection file of a colleague."""
    path = tmp_path / "anselm.json"
    path.write_text(json.dumps({"name": "St Anselm", "base_url": ADDRESS, "client_id": "c"}))
    return path


async def test_a_file_that_is_let_go_over_the_window_is_opened(
    sign_in: SignInFixture, file: Path
) -> None:
    ConnectionFiles(sign_in.screen).drop([str(file)])
    assert sign_in.sign_in_form.base_url == ADDRESS
    assert sign_in.screen.state.notice is None


async def test_while_signed_in_a_dropped_file_is_not_opened_and_says_why(
    sign_in: SignInFixture, file: Path
) -> None:
    await sign_in.enter_demo()
    ConnectionFiles(sign_in.screen).drop([str(file)])
    assert sign_in.said == "Sign out first to open a connection file."
    assert sign_in.action is NoticeAction.SIGN_OUT
    assert sign_in.sign_in_form == SignInForm()


async def test_one_file_at_a_time(sign_in: SignInFixture, file: Path) -> None:
    ConnectionFiles(sign_in.screen).drop([str(file), str(file)])
    assert sign_in.said == "Drop one connection file at a time."
    assert sign_in.sign_in_form == SignInForm()


async def test_what_was_wrong_with_a_drop_goes_when_somebody_goes_on(
    sign_in: SignInFixture, file: Path
) -> None:
    await sign_in.enter_demo()
    ConnectionFiles(sign_in.screen).drop([str(file), str(file)])
    assert sign_in.said == "Drop one list at a time."
    sign_in.screen.went_on.emit()
    assert sign_in.screen.state.notice is None


async def test_what_is_done_is_said_for_as_long_as_it_takes_to_read(
    sign_in: SignInFixture, file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.notices.REMARK_SECONDS", 0.05)
    await sign_in.enter_demo()
    ConnectionFiles(sign_in.screen).drop([str(file), str(file)])
    assert sign_in.screen.state.notice is not None
    qtbot.waitUntil(lambda: sign_in.screen.state.notice is None)
    sign_in.screen.say(Notice("The service could not be reached."))
    qtbot.wait(100)
    assert sign_in.screen.state.notice is not None


async def test_a_folder_is_no_connection_file(sign_in: SignInFixture, tmp_path: Path) -> None:
    ConnectionFiles(sign_in.screen).drop([str(tmp_path)])
    assert "could not be opened" in sign_in.said


async def test_the_account_shown_is_saved_without_a_secret(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    await sign_in.enter_by_page()
    connection = ConnectionFiles(sign_in.screen).of_account()
    assert connection is not None
    path = tmp_path / "for-ada.json"
    ConnectionFiles(sign_in.screen).save(str(path), connection)
    assert read_connection(path).client_id == BY_PAGE.client_id
    assert "a-token" not in path.read_text()
    assert sign_in.said.startswith("for-ada.json is saved. It holds no secret")
    assert sign_in.screen.state.notice
    assert sign_in.screen.state.notice.calm


async def test_the_demo_account_is_of_no_use_to_a_colleague(sign_in: SignInFixture) -> None:
    assert not ConnectionFiles(sign_in.screen).can_save
    await sign_in.enter_demo()
    assert not ConnectionFiles(sign_in.screen).can_save


async def test_the_fields_are_saved_when_they_can_be_right(sign_in: SignInFixture) -> None:
    connection = ConnectionFiles(sign_in.screen).of_fields(BY_PAGE)
    assert connection is not None
    assert (connection.base_url, connection.client_id) == (ADDRESS, "front-desk")


async def test_a_wrong_field_is_said_instead_of_saving_it(sign_in: SignInFixture) -> None:
    assert ConnectionFiles(sign_in.screen).of_fields(SignInForm(base_url="ftp://x")) is None
    problem = sign_in.screen.first_page.state.problem
    assert problem is not None
    assert (problem.auth_method, problem.field) == (AuthMethod.PAGE, Field.ADDRESS)


async def test_a_place_where_nothing_can_be_saved_is_said(
    sign_in: SignInFixture, tmp_path: Path
) -> None:
    connection = ConnectionDetails(name="A", base_url=ADDRESS)
    ConnectionFiles(sign_in.screen).save(str(tmp_path / "no" / "such" / "folder.json"), connection)
    assert sign_in.said.startswith("The connection file could not be saved there.")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Riverside Community", "riverside-community.frontdesk"),
        ("St. Anselm's / Søndre", "st-anselm-s-sondre.frontdesk"),
        ("../../etc", "etc.frontdesk"),
        ("***", "front-desk.frontdesk"),
        ("x" * 300, "x" * 60 + ".frontdesk"),
    ],
)
def test_a_file_is_named_for_its_account(name: str, expected: str) -> None:
    assert file_name(ConnectionDetails(name=name, base_url=ADDRESS)) == expected
