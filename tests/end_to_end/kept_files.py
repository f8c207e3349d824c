"""What the window keeps on this computer, and what somebody types into it."""

from collections.abc import Callable
from pathlib import Path

import httpx
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.script import Script, Until, press
from tests.end_to_end.steps import (
    CTRL,
    the,
    write,
)
from tests.loopback import NO_CERTIFICATES

Kiosk = Callable[[DemoAccess], dict[str, object]]


def named(access: DemoAccess, lastname: str) -> int:
    """How many people of this last name the service has."""
    answer = httpx.get(
        f"{access.base_url}/v1/people/getAll.json?page_size=1000",
        auth=(access.api_key, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    return sum(one["lastname"] == lastname for one in answer.json()["people"]["person"])


def typed_line() -> str:
    line = the("Add a person", QLineEdit)
    assert isinstance(line, QLineEdit)
    return line.text()


def type_person(text: str) -> None:
    press(Qt.Key.Key_N, CTRL)
    write(text)


def files_with(folder: Path, word: str) -> list[str]:
    """The files below `folder` in which these letters stand."""
    wanted = word.encode()
    return sorted(one.name for one in folder.rglob("*") if wanted in content(one))


def content(file: Path) -> bytes:
    """What stands in a file, unless it goes this moment."""
    try:
        return file.read_bytes() if file.is_file() else b""
    except FileNotFoundError:
        return b""


def until_closed(container: Container) -> Script:
    container.window.close()
    yield Until("the end", lambda: False)
