"""What the settings' tests share: somebody who hears of changes, and a folder that is full."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.settings import Settings, SettingsChanged


class Listener:
    """Hears of every change; nothing that hears may fail."""

    def __init__(self) -> None:
        self.failed: list[BaseException] = []
        self.events = EventBus(self.failed.append)
        self.heard: list[Settings] = []
        self._scope = TaskScope("listener", self.failed.append, ExpectedError)
        self.events.subscribe(SettingsChanged, self._hear, self._scope)

    def _hear(self, event: SettingsChanged) -> None:
        self.heard.append(event.settings)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the files lie; it is made when something is written."""
    return tmp_path / "desk"


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on nothing can be written to the end (root may write anywhere)."""

    def fill() -> None:
        def fail(_descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)

    return fill
