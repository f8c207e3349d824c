"""A data folder that cannot be used, or not wholly: the window opens and says so, and nothing else
does.
"""

import os
import sys
from pathlib import Path

import pytest

from app.container import Container
from app.tour.eyes import text_on_screen
from app.tour.script import Script
from app.tour.stations import shown
from tests.end_to_end.later_start import LaterStart
from tests.end_to_end.steps import Visit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are POSIX names")


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
