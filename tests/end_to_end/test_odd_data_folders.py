"""A data folder that cannot be used, or not wholly: the window opens and says so, and nothing else
does.
"""

import errno
import os
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, press, type_text
from tests.end_to_end.later_start import LaterStart
from tests.end_to_end.steps import CTRL, Visit, choose_in_menu, enter_with_key, gone

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="these are POSIX names"),
    pytest.mark.usefixtures("settles_sooner"),
]


@pytest.mark.parametrize("name", ["settings.json", "accounts.json", "frontdesk.log"])
def test_a_folder_in_place_of_a_file_is_said_and_nothing_is_called_damaged(
    visit: Visit, tmp_path: Path, name: str
) -> None:
    (tmp_path / "data" / name / "something").mkdir(parents=True)

    def script(_container: Container) -> Script:
        yield shown("something else stands in the place of", name, "Welcome to Front Desk")
        assert "damaged" not in text_on_screen()

    visit(script)
    assert (tmp_path / "data" / name / "something").is_dir()


def test_a_half_typed_line_that_finds_no_room_is_not_lost_without_a_word(
    visit: Visit, access: DemoAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where the window is closed nor where somebody signs out."""

    def full(**_: object) -> object:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    lost = ("The line for adding a person is not empty.", "loses what is typed there")
    said: list[str] = []

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_N, CTRL)
        type_text("Zora Half")
        monkeypatch.setattr(tempfile, "TemporaryFile", full)
        container.window.close()
        yield shown(*lost, "Close Front Desk")
        said.append("closing")
        press(Qt.Key.Key_Escape)
        yield gone(lost[1])
        yield from choose_in_menu(container, "Sign out")
        yield shown(*lost, "Sign out anyway")
        said.append("signing out")

    visit(script)
    assert said == ["closing", "signing out"]


@pytest.mark.parametrize(
    ("name", "said"), [(b"caf\xe9", "Welcome to Front Desk"), (b"x" * 300, "its name is too long")]
)
def test_a_name_that_is_no_text_or_too_long_keeps_nobody_out(
    tmp_path: Path, name: bytes, said: str
) -> None:
    start = LaterStart(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)))
    try:
        assert said in start.says()
        assert start.closed() == (0, "")
    finally:
        start.kill()
