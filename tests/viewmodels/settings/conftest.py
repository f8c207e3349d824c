"""A settings page that is open, with three accounts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.viewmodels.settings.settings_fixture import SettingsFixture


@pytest.fixture
async def subject(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[SettingsFixture]:
    subject = SettingsFixture(tmp_path / "desk")
    await subject.open()
    yield subject
    await subject.close()
    assert subject.crashes == []
