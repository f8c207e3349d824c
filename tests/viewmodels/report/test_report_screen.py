"""What is saved is the very text that is shown."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.model.errors import ExpectedError
from app.runtime.tasks import TaskScope
from app.viewmodels.report.report import ReportScreen, ReportState


@pytest.fixture
async def scope(qapp: QApplication) -> AsyncIterator[TaskScope]:  # noqa: ARG001 - Qt must be there
    crashes: list[BaseException] = []
    scope = TaskScope("report", crashes.append, ExpectedError)
    yield scope
    await scope.close()
    assert crashes == []


async def settle(scope: TaskScope) -> None:
    async with asyncio.timeout(20):
        while scope.busy:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.001)


async def test_what_is_shown_is_saved_and_nothing_before(scope: TaskScope, tmp_path: Path) -> None:
    let_go = asyncio.Event()

    async def read() -> str:
        await let_go.wait()
        return "Front Desk, über alles\n"

    screen = ReportScreen(scope, read=read)
    screen.open()
    screen.save(str(tmp_path / "early.txt"))
    let_go.set()
    await settle(scope)
    assert screen.state.text == "Front Desk, über alles\n"
    screen.save(str(tmp_path / "report.txt"))
    await settle(scope)
    assert not (tmp_path / "early.txt").exists()
    assert (tmp_path / "report.txt").read_text("utf-8") == screen.state.text
    assert "report.txt" in screen.feedback.sentence


@pytest.mark.parametrize("known", [True, False])
async def test_a_report_that_cannot_be_put_together_is_not_waited_for(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    known: bool,
) -> None:
    crashes: list[BaseException] = []
    scope = TaskScope("report", crashes.append, ExpectedError)
    error = ExpectedError("Full", "The disk is full.") if known else RuntimeError("boom")
    errors: list[Exception] = [error]

    async def read() -> str:
        if errors:
            raise errors.pop()
        return "text"

    screen = ReportScreen(scope, read=read)
    screen.open()
    await settle(scope)
    assert screen.state == ReportState(failed=True)
    assert crashes == ([] if known else [error])
    assert screen.feedback.is_error is known
    screen.open()
    await settle(scope)
    assert screen.state == ReportState("text")
    await scope.close()


async def test_what_cannot_be_written_is_said(scope: TaskScope, tmp_path: Path) -> None:
    async def read() -> str:
        return "text"

    screen = ReportScreen(scope, read=read)
    screen.open()
    await settle(scope)
    screen.save(str(tmp_path / "not there" / "report.txt"))
    await settle(scope)
    assert screen.feedback.is_error
