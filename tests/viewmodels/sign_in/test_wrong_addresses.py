"""An address that is not the service: said at its field, and what was typed stays."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.accounts.account import AuthMethod
from app.api.errors import ApiError, NotEncrypted, NotFound, Unreachable, UnreadableAnswer
from app.viewmodels.sign_in.form import Field, FieldProblem
from tests.viewmodels.sign_in.sign_in_fixture import BY_KEY, BY_PAGE, REFUSED, SignInFixture


@pytest.fixture
async def sign_in(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
) -> AsyncIterator[SignInFixture]:
    made = SignInFixture(tmp_path)
    yield made
    await made.scope.close()
    await made.session.close()
    assert made.crashes == []


@pytest.mark.parametrize(
    "error",
    [
        NotFound("Nothing there", "Not there."),
        UnreadableAnswer("Not it", "Not it."),
        NotEncrypted("Connection not safe", "No safe connection."),
    ],
)
async def test_what_another_address_would_mend_is_said_at_the_address_in_both_ways(
    sign_in: SignInFixture, error: ApiError
) -> None:
    sign_in.error = error
    await sign_in.enter_by_key(BY_KEY)
    problem = sign_in.screen.first_page.state.problem
    assert problem == FieldProblem(AuthMethod.KEY, Field.ADDRESS, error.message)
    await sign_in.enter_by_page(BY_PAGE)
    problem = sign_in.screen.first_page.state.problem
    assert problem == FieldProblem(AuthMethod.PAGE, Field.ADDRESS, error.message)
    assert sign_in.sign_in_form.base_url == BY_PAGE.base_url


@pytest.mark.parametrize(
    "error",
    [REFUSED, Unreachable("No connection", "Away."), UnreadableAnswer("x", "x", transient=True)],
)
async def test_the_address_is_not_blamed_for_what_another_one_would_not_mend(
    sign_in: SignInFixture, error: ApiError
) -> None:
    sign_in.error = error
    await sign_in.enter_by_key(BY_KEY)
    found = sign_in.screen.first_page.state.problem
    assert found is None or found.field is not Field.ADDRESS
