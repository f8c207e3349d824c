"""The tour as a person starts it: a process of its own, a picture per station, exit code 0."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.runtime.paths import resource
from app.runtime.words import tr, use_language
from app.tour.script import Runner, Until

STATIONS = (
    "first-start",
    "account-page",
    "consent",
    "people",
    "quick-add",
    "waiting",
    "in-the-list",
    "already-here",
    "maybe-twice",
    "review",
    "flows",
    "by-person",
    "gaps",
    "person",
    "search",
    "progress",
    "result",
    "what-is-new",
    "small",
    "settings",
    "people-dark",
    "flows-dark",
)


@pytest.fixture
def german() -> Iterator[None]:
    use_language(resource("translations"), ["de"])
    yield
    use_language(resource("translations"), [])


@pytest.mark.usefixtures("german")
def test_what_the_tour_has_not_seen_is_told_in_the_language_of_the_window(qtbot: QtBot) -> None:
    problems: list[str] = []
    nothing = Until(tr("the consent page"), lambda: False, seconds=0.01, settled=False)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    runner = Runner((each for each in (nothing,)), problems.append)
    qtbot.waitUntil(lambda: bool(problems))
    runner.stop()
    assert problems == ["nicht gesehen in 0 s: die Seite mit der Zustimmung"]


def test_the_tour_sees_every_station_and_keeps_a_picture_of_each(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "tour", "--out", str(tmp_path / "pictures")],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    taken = sorted(path.name for path in (tmp_path / "pictures").glob("*.png"))
    assert taken == [f"{number:02}-{name}.png" for number, name in enumerate(STATIONS, 1)]
