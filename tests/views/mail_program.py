"""A mail program as a desktop has one: noted where programs are noted, and opened by its links."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication


class MailProgram(QObject):
    """What the computer opens for a mail link."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, link: QUrl) -> None:
        self.opened.append(link.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@pytest.fixture
def bare_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder a desktop without any program notes its programs in; each kind of place has one of
    its own there.
    """
    folder = tmp_path / "desktop"
    for name in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS"):
        (folder / name.lower()).mkdir(parents=True)
        monkeypatch.setenv(name, str(folder / name.lower()))
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    for name in ("FLATPAK_ID", "SNAP"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def mail_links(qapp: QApplication) -> Iterator[MailProgram]:  # noqa: ARG001 - Qt must be there
    """Gets what Qt hands to whatever the desktop has, whether it has noted anything or not."""
    program = MailProgram()
    QDesktopServices.setUrlHandler("mailto", program, "open")  # type: ignore[arg-type]  # takes a str, whatever the stubs say
    yield program
    QDesktopServices.unsetUrlHandler("mailto")


@pytest.fixture
def mail_program(bare_desktop: Path, mail_links: MailProgram) -> MailProgram:
    """One that the desktop has noted."""
    note = bare_desktop / "xdg_config_home" / "mimeapps.list"
    note.write_text("[Default Applications]\nx-scheme-handler/mailto=evolution.desktop;\n")
    return mail_links
