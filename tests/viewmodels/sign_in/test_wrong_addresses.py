"""An address that is not the service: said before its page is shown, with the one that is."""

import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.accounts.account import AuthMethod
from app.accounts.service_connector import AddressCheck
from app.accounts.session import SessionState
from app.api.errors import ApiError, NotEncrypted, NotFound, Unreachable, UnreadableAnswer
from app.demo.server import DemoAccess, DemoServer
from app.viewmodels.sign_in.form import Field, FieldProblem, SignInForm
from tests.viewmodels.sign_in.sign_in_fixture import REFUSED, SignInFixture


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoAccess]:
    server = DemoServer()
    yield server.start()
    server.stop()


@pytest.fixture
async def sign_in(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
) -> AsyncIterator[SignInFixture]:
    made = SignInFixture(tmp_path, AddressCheck())
    yield made
    await made.scope.close()
    await made.session.close()
    assert made.crashes == []


def fields(base_url: str) -> SignInForm:
    return SignInForm(name="Riverside", base_url=base_url, client_id="front-desk")


def problem(sign_in: SignInFixture) -> FieldProblem:
    found = sign_in.screen.first_page.state.problem
    assert found is not None
    return found


@pytest.mark.parametrize("path", ["/people/list", "/index.php"])
async def test_a_page_of_the_account_is_not_shown_and_the_account_is_offered(
    sign_in: SignInFixture, demo: DemoAccess, path: str
) -> None:
    await sign_in.enter_by_page(fields(demo.base_url + path))
    assert sign_in.asked == []
    found = problem(sign_in)
    assert (found.auth_method, found.field) == (AuthMethod.PAGE, Field.ADDRESS)
    assert found.suggestion == demo.base_url
    assert "does not answer the way an account's service does" in sign_in.said
    assert sign_in.sign_in_form.base_url == demo.base_url + path
    await sign_in.enter_by_page(fields(found.suggestion))
    assert sign_in.screen.state.session is SessionState.SIGNED_IN


@pytest.mark.parametrize("typed", ["", "/", "/v1", "/oauth", "/v1/people/getAll.json"])
async def test_the_account_itself_is_asked_on_its_page(
    sign_in: SignInFixture, demo: DemoAccess, typed: str
) -> None:
    await sign_in.enter_by_page(fields(demo.base_url + typed))
    assert [request.base_url for request in sign_in.asked] == [demo.base_url]


async def test_where_nobody_answers_the_page_is_shown(sign_in: SignInFixture) -> None:
    await sign_in.enter_by_page(fields("http://127.0.0.1:1/church"))
    assert len(sign_in.asked) == 1


@pytest.mark.parametrize(
    "error", [NotFound("Nothing there", "Not there."), UnreadableAnswer("Not it", "Not it.")]
)
async def test_with_a_key_the_shorter_address_is_offered_beside_what_went_wrong(
    sign_in: SignInFixture, demo: DemoAccess, error: ApiError
) -> None:
    sign_in.error = error
    await sign_in.enter_by_key(fields(f"{demo.base_url}/people/list"))
    expected = FieldProblem(AuthMethod.KEY, Field.ADDRESS, error.message, demo.base_url)
    assert problem(sign_in) == expected
    await sign_in.enter_by_key(fields("http://127.0.0.1:1/people"))
    assert problem(sign_in) == FieldProblem(AuthMethod.KEY, Field.ADDRESS, error.message)


@pytest.mark.parametrize(
    "error",
    [REFUSED, Unreachable("No connection", "Away."), UnreadableAnswer("x", "x", transient=True)],
)
async def test_no_other_address_is_offered_for_what_another_address_would_not_mend(
    sign_in: SignInFixture, demo: DemoAccess, error: ApiError
) -> None:
    sign_in.error = error
    await sign_in.enter_by_key(fields(f"{demo.base_url}/people/list"))
    found = sign_in.screen.first_page.state.problem
    assert found is None or not found.suggestion


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_on_this_computer_the_address_without_encryption_is_offered_in_both_ways(
    sign_in: SignInFixture, demo: DemoAccess, host: str
) -> None:
    place = f"{host}:{demo.base_url.rpartition(':')[2]}"
    sign_in.error = NotEncrypted("Connection not safe", "No safe connection.")
    await sign_in.enter_by_page(fields(place))
    assert sign_in.asked == []
    found = problem(sign_in)
    assert (found.auth_method, found.field) == (AuthMethod.PAGE, Field.ADDRESS)
    assert found.suggestion == f"http://{place}"
    assert "could not make a safe connection" in found.sentence
    await sign_in.enter_by_key(fields(place))
    expected = FieldProblem(AuthMethod.KEY, Field.ADDRESS, "No safe connection.", f"http://{place}")
    assert problem(sign_in) == expected


async def test_nothing_without_encryption_is_offered_elsewhere(
    sign_in: SignInFixture, demo: DemoAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the name is one from elsewhere: it leads to this computer all the same.
    place = f"office.test:{demo.base_url.rpartition(':')[2]}"
    known = socket.getaddrinfo

    def here(host: object, *more: object, **named: object) -> object:
        elsewhere = host in {"office.test", b"office.test"}
        return known("127.0.0.1" if elsewhere else host, *more, **named)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(socket, "getaddrinfo", here)
    sign_in.error = NotEncrypted("Connection not safe", "No safe connection.")
    await sign_in.enter_by_page(fields(place))
    assert (problem(sign_in).field, problem(sign_in).suggestion) == (Field.ADDRESS, "")
    assert "could not make a safe connection" in problem(sign_in).sentence
    await sign_in.enter_by_key(fields(place))
    assert (problem(sign_in).field, problem(sign_in).suggestion) == (Field.ADDRESS, "")
    assert sign_in.asked == []
