"""The keys of the window and of its pages: Qt does nothing at all where two things have one key."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtGui import QKeySequence

from app.viewmodels.help.help import PageKind, keys_of
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.views.window.main_window import MainWindow
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

BACK = "Alt+Left"
"""Lets a page of the window have it: the window's own is off while one is shown."""


@pytest.fixture
def keys_of_window(run: Callable[..., Any], tmp_path: Path) -> list[str]:
    async def read() -> list[str]:
        sign_in = SignInFixture(tmp_path / "desk")
        window = MainWindow(sign_in.screen, ConnectionFiles(sign_in.screen))
        found = [key.toString() for each in window.actions() for key in each.shortcuts()]
        shiboken6.delete(window)
        await sign_in.scope.close()
        await sign_in.session.close()
        return found

    found: list[str] = run(read())
    return found


def test_no_two_have_one_key(keys_of_window: list[str]) -> None:
    assert {"Ctrl+K", "Ctrl+Shift+H", BACK} <= {*keys_of_window}
    for kind in PageKind:
        of_page = [QKeySequence(key).toString() for line in keys_of(kind) for key in line.keys]
        bound = Counter([*of_page, *keys_of_window])
        if BACK in of_page:
            bound[BACK] -= 1
        assert [key for key, times in bound.items() if times > 1] == [], kind
