"""The window killed at the worst moments, with no chance to write anything down."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from app.container import Container
from app.demo.server import DemoAccess
from app.runtime.paths import make_private_folder
from app.tour.main_job import shown
from app.tour.script import Script, Until, press
from tests.end_to_end.kept_files import typed_line
from tests.end_to_end.steps import HoldFor, Visit, gone
from tests.loopback import NO_CERTIFICATES

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def connection(tmp_path: Path, access: DemoAccess) -> Path:
    file = tmp_path / "riverside.json"
    file.write_text(json.dumps({"name": "Riverside", "base_url": access.base_url}))
    return file


def killed(
    step: str,
    folder: Path,
    connection: Path,
    access: DemoAccess,
    *,
    ends_with: int = -signal.SIGKILL,
) -> None:
    """Run the program until `step` has killed it, or made it end with another code."""
    command = [sys.executable, "-m", "tests.end_to_end.killed_window"]
    done = subprocess.run(
        [*command, str(folder), str(connection), step],
        cwd=ROOT,
        env=os.environ | {"FRONTDESK_API_KEY": access.api_key},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == ends_with, done.stderr


def lastnames(access: DemoAccess) -> list[str]:
    answer = httpx.get(
        f"{access.base_url}/v1/people/getAll.json?page_size=1000",
        auth=(access.api_key, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    return [one["lastname"] for one in answer.json()["people"]["person"]]


def test_killed_at_its_worst_moments_one_start_after_another_nobody_and_nothing_typed_is_lost(
    visit: Visit, access: DemoAccess, connection: Path, tmp_path: Path, hold_for: HoldFor
) -> None:
    """Each start but the last looks for what the one before has left, and is killed itself."""
    hold_for(30)
    folder = tmp_path / "data"
    killed("after_enter", folder, connection, access)
    assert "Acknowledged" not in lastnames(access)
    killed("while_editing", folder, connection, access)
    assert lastnames(access).count("Acknowledged") == 1
    killed("looking_over_a_list_and_between_two_keys", folder, connection, access)
    assert lastnames(access).count("Waiting") == 1
    assert not {"Nowhere", "Quimby"} & {*lastnames(access)}

    def script(container: Container) -> Script:
        yield shown("82 people", "Up to date", "You had typed this")
        assert typed_line() in {"Zora Half-Typed zora@exampleX", "Zora Half-Typed zora@example"}
        yield shown("Go on with “What was copied (")
        container.window._go_on_with_list()
        yield shown("Add 2 people", "1 row is left out", "Zelda")
        yield Until("the button", lambda: isinstance(QApplication.focusWidget(), QPushButton))
        container._settings.change(hold_seconds=0)
        press(Qt.Key.Key_Return)
        yield shown("84 people")
        yield gone("Go on with")

    visit(script, connection=connection, api_key=access.api_key)

    def come_back(_container: Container) -> Script:
        yield shown("84 people", "Up to date")
        yield gone("Go on with")

    visit(come_back, connection=connection, api_key=access.api_key)
    everybody = lastnames(access)
    assert [everybody.count(name) for name in ("Acknowledged", "Waiting", "Quimby")] == [1, 1, 2]


def test_where_nothing_is_kept_a_logout_which_asks_nobody_loses_nobody(
    visit: Visit, access: DemoAccess, connection: Path, tmp_path: Path
) -> None:
    folder = make_private_folder(tmp_path / "data")
    chosen = {"hold_seconds": 30, "keep_on_this_computer": False}
    (folder / "settings.json").write_text(json.dumps(chosen))
    killed("told_to_end", folder, connection, access, ends_with=0)
    assert "Logged-Out" not in lastnames(access)
    assert not list(folder.glob("accounts/*/cache.sqlite3"))

    def come_back(_container: Container) -> Script:
        yield shown("Zora Logged-Out")
        yield Until("Zora sent", lambda: lastnames(access).count("Logged-Out") == 1)
        yield shown("81 people")

    visit(come_back, connection=connection, api_key=access.api_key)
    assert lastnames(access).count("Logged-Out") == 1
    assert not (folder / "accounts").exists()
