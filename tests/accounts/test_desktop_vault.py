"""The watch over the desktop's Secret Service: one test fails where it ends, not all after it."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from app.accounts.vault import open_collection
from tests.secret_service import DesktopVault, is_open

LOST = pytest.fail.Exception


@pytest.fixture
def watched(own_daemon: object, tmp_path: Path) -> Iterator[DesktopVault]:  # noqa: ARG001 - this one
    """The watch over a Secret Service of this test alone."""

    def make_folder() -> Path:
        (made := tmp_path / "another").mkdir()
        return made

    with ExitStack() as parts:
        yield DesktopVault(parts, make_folder)


def test_an_open_vault_is_left_alone(watched: DesktopVault, own_bus: str) -> None:
    watched.expect_alive()
    watched.expect_open()
    assert watched.open_address() == own_bus


def test_where_its_daemon_ends_one_test_fails_and_the_next_has_another(
    watched: DesktopVault, own_daemon: subprocess.Popen[bytes], own_bus: str
) -> None:
    own_daemon.kill()
    own_daemon.wait()
    with pytest.raises(LOST, match="ended in this test"):
        watched.expect_alive()
    watched.expect_alive()
    watched.expect_open()
    assert watched.open_address() != own_bus
    assert is_open(watched.open_address())


def test_where_it_is_shut_one_test_fails_and_the_next_has_another(watched: DesktopVault) -> None:
    collection = open_collection()
    with closing(collection.connection):
        collection.lock()
    watched.expect_alive()
    with pytest.raises(LOST, match="shut in this test"):
        watched.expect_open()
    watched.expect_open()
    # What programs find from now on, too.
    collection = open_collection()
    with closing(collection.connection):
        assert not collection.is_locked()
