"""The mail program of this computer: whether there is one, and having it begin a mail."""

import os
import re
import sys
from pathlib import Path

_KNOWS_MAIL = re.compile(rb"^x-scheme-handler/mailto=[ \t]*[^\s;]", re.MULTILINE)
_DESKTOPS = re.compile(r"[a-z0-9-]+")


def open_mail(link: str) -> bool:
    """Have it begin the mail of a `mailto:` link; False where there is none.

    Without one, a Linux desktop hands the link to a web browser, which may search the web for the
    addresses: so that is found out first, where the desktop notes it (freedesktop.org, MIME
    associations).
    """
    if sys.platform.startswith("linux") and not _is_known():
        return False
    from PySide6.QtCore import QUrl  # noqa: PLC0415 - no start needs it
    from PySide6.QtGui import QDesktopServices  # noqa: PLC0415 - as above

    return QDesktopServices.openUrl(QUrl(link, QUrl.ParsingMode.StrictMode))


def _is_known() -> bool:
    if "FLATPAK_ID" in os.environ or "SNAP" in os.environ:
        # The desktop outside knows, and asks.
        return True
    return any(_KNOWS_MAIL.search(_content(path)) for path in _notes())


def _notes() -> list[Path]:
    """Where a desktop notes which program opens what."""
    variables = os.environ
    home = Path.home()
    config = [
        variables.get("XDG_CONFIG_HOME") or str(home / ".config"),
        *(variables.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":"),
    ]
    data = [
        variables.get("XDG_DATA_HOME") or str(home / ".local/share"),
        *(variables.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"),
    ]
    desktops = _DESKTOPS.findall(variables.get("XDG_CURRENT_DESKTOP", "").lower())
    lists = [*(f"{desktop}-mimeapps.list" for desktop in desktops), "mimeapps.list"]
    folders = [*config, *(f"{each}/applications" for each in data)]
    noted = [Path(folder, name) for folder in folders for name in lists]
    cached = [Path(each, "applications", "mimeinfo.cache") for each in data]
    return [*noted, *cached, *(Path(each, "applications", "defaults.list") for each in data)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
