"""A report for whoever helps: what `doctor` knows, the choices that were made, the end of the log.

No secret, no person and no account stands in it: nothing is copied that may hold one, and what is
left goes through the filter for secrets as well.
"""

import getpass
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TypeVar

from msgspec.structs import fields

from app import __version__
from app.accounts.worker_thread import NoAnswerError, WorkerThread
from app.diagnostics.components import DoctorProcess
from app.diagnostics.log_excerpt import log_excerpt
from app.runtime.paths import default_data_folder, resource
from app.runtime.secrets import redact
from app.runtime.words import languages
from app.settings.settings import Settings

_Found = TypeVar("_Found")
_SECONDS = 30.0
_HIDDEN = "•••"
_EMAIL = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+")
_ADDRESS = re.compile(r"\b[a-z][a-z+.-]*://[^\s\"']+", re.IGNORECASE)
_PATH = re.compile(r"(?:\b[A-Za-z]:|~|(?<![\w.)]))[/\\][^\"',;:()]*")
"""From where a path begins to what no name of a folder has: such names have blanks."""
_SHORTEST_NAME = 3


async def report_text(folder: Path, settings: Settings) -> str:
    """The report, in lines. Takes seconds: the browser is asked for its version."""
    doctor = DoctorProcess("--data-folder", str(folder))
    nothing: Mapping[str, object] = {}
    try:
        found = await _answer(doctor.ask, nothing)
    finally:
        doctor.give_up()
    return composed(found, folder, settings, await _answer(lambda: log_excerpt(folder), []))


async def _answer(work: Callable[[], _Found], otherwise: _Found) -> _Found:
    """What `work` finds, or `otherwise` where it cannot or takes too long: the rest is told."""
    try:
        return await WorkerThread("report").run(work, _SECONDS)
    except (NoAnswerError, OSError, ValueError):
        return otherwise


def composed(
    found: Mapping[str, object], folder: Path, settings: Settings, log_lines: list[str]
) -> str:
    """The text of what was found; see the module for what is in it."""
    begun = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    told = [f"Front Desk {__version__}, {begun}", "", "doctor", *_doctor_lines(found, folder)]
    text = "\n".join(_private(line, folder) for line in told)
    chosen = ["", "settings", *_settings_lines(settings)]
    log = ["", "log", *(log_lines or ["-"])]
    return redact("\n".join([text, *chosen, *log])) + "\n"


def _doctor_lines(found: Mapping[str, object], folder: Path) -> list[str]:
    lines = ["-"] if not found else []
    for name, facts in found.items():
        if name == "missing" and isinstance(facts, list):
            lines += [f"missing: {one.get('what')} ({one.get('mend')})" for one in facts]
        elif name == "resources" and isinstance(facts, Mapping):
            lost = [key for key, path in facts.items() if path is None]
            lines.append(f"resources: {', '.join(lost) or 'all there'}")
        elif isinstance(facts, Mapping):
            # Where the folder lies says who somebody is; whether it is the usual one does not.
            usual = {"path": "the usual one" if folder == default_data_folder() else "another"}
            known = {**facts, **usual} if "path" in facts else facts
            lines.append(f"{name}: " + ", ".join(f"{key} {fact}" for key, fact in known.items()))
        else:
            lines.append(f"{name}: {facts}")
    return lines


def _settings_lines(settings: Settings) -> list[str]:
    """Each choice that is one of a few; a word that somebody wrote into the file is none."""
    lines = []
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if field.name == "language":
            value = value if value in {"", *languages(resource("translations"))} else _HIDDEN
        elif isinstance(value, Enum):
            value = value.value
        elif not (value is None or isinstance(value, (bool, int))):
            value = _HIDDEN
        lines.append(f"{field.name}: {value}")
    return lines


def _private(line: str, folder: Path) -> str:
    """Without where the person's folders lie, what they are called there, or any address."""
    for path in (str(folder.absolute()), str(folder), str(Path.home())):
        if len(path) > 1:
            line = line.replace(path, _HIDDEN)
    line = _PATH.sub(f"{_HIDDEN} ", _ADDRESS.sub(_HIDDEN, line))
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = ""
    if len(name) >= _SHORTEST_NAME and name != "root":
        line = re.sub(rf"\b{re.escape(name)}\b", _HIDDEN, line)
    return _EMAIL.sub(_HIDDEN, line)
