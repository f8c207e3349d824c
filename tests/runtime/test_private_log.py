"""The log is for its owner's eyes only, the older part of it too."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runtime.logging import close_log, write_log_to

posix = pytest.mark.skipif(os.name != "posix", reason="these are POSIX permissions")


@pytest.fixture(autouse=True)
def _as_everybody_may_read() -> Iterator[None]:
    before = os.umask(0o022)
    level = logging.getLogger().level
    yield
    os.umask(before)
    close_log()
    logging.getLogger().setLevel(level)


def rights(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@posix
def test_nobody_else_may_read_the_log(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    write_log_to(folder)
    logging.getLogger("desk").info("a line")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert rights(folder) == {"frontdesk.log": 0o600}


@posix
def test_nobody_else_may_read_what_is_rotated_away_nor_what_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.runtime.logging._BYTES", 100)
    write_log_to(tmp_path)
    for number in range(6):
        logging.getLogger("desk").info("line %d", number)
    assert rights(tmp_path) == {"frontdesk.log": 0o600, "frontdesk.log.1": 0o600}


@posix
def test_what_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    for name in ("frontdesk.log", "frontdesk.log.1"):
        (tmp_path / name).write_text("a line\n")
        (tmp_path / name).chmod(0o644)
    write_log_to(tmp_path)
    assert rights(tmp_path) == {"frontdesk.log": 0o600, "frontdesk.log.1": 0o600}
    logging.getLogger("desk").info("another")
    assert (tmp_path / "frontdesk.log").read_text().startswith("a line\n")
