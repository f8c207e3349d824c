"""What the program is made of: the versions in this process, and each part with its licence.

Parts are read from what is installed. The embedded browser is asked in a process of its own: to
load it here for its version alone would cost memory and time.
"""

import json
import os
import platform
import re
import sqlite3
import subprocess
import threading
from importlib import metadata
from typing import Any

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import qVersion

from app import __version__
from app.runtime.installation import own_command
from app.runtime.words import tr
from app.runtime.worker_thread import NoAnswerError, WorkerThread
from app.viewmodels.settings.about import BuildInfo, Component

DIRECT = (
    "PySide6",
    "charset-normalizer",
    "defusedxml",
    "filelock",
    "h11",
    "httpx",
    "jinja2",
    "keyring",
    "msgspec",
    "platformdirs",
    "publicsuffixlist",
    "python-calamine",
    "python-multipart",
    "qasync",
    "rapidfuzz",
    "starlette",
    "truststore",
    "uvicorn",
    "xlsxwriter",
)
"""The distributions that the program asks for; theirs are found through them."""
_SECONDS = 20.0
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LONGEST_LICENCE = 80
"""Characters. Some have the whole text where its name belongs."""


async def build_info() -> BuildInfo:
    """Versions and parts; reading what is installed is slow enough not to be done on the loop."""
    return await WorkerThread("build info").run(_build_info, _SECONDS)


async def browser_and_vault() -> tuple[str, str]:
    """The version of the embedded browser and the name of the vault in use, asked in a process
    apart; blank where there is none.
    """
    doctor = DoctorProcess()
    try:
        said = await WorkerThread("build info").run(doctor.ask, _SECONDS)
        return str(said["versions"]["chromium"] or ""), str(said["vault"]["name"] or "")
    except (NoAnswerError, OSError, ValueError, KeyError):
        return "", ""
    finally:
        # Loading the browser takes long, and would go on after the window is gone.
        doctor.give_up()


def _build_info() -> BuildInfo:
    versions = (
        (tr("Front Desk"), __version__),
        ("Python", platform.python_version()),
        ("Qt", qVersion() or ""),
        ("PySide6", pyside_version),
        (tr("System"), platform.platform()),
    )
    return BuildInfo(versions, parts())


def parts() -> tuple[Component, ...]:
    """Everything the program needs in order to run, by name; what only tests need is left out."""
    carried = [
        Component("Python", platform.python_version(), "PSF-2.0"),
        Component("Qt", qVersion() or "", "LGPL-3.0-only"),
        Component("SQLite", sqlite3.sqlite_version, tr("public domain")),
    ]
    found: dict[str, Component] = {}
    waiting = list(DIRECT)
    while waiting:
        name = waiting.pop()
        if _plain(name) in found:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            # Of what others ask for, some is for another system or another Python.
            if name in DIRECT:
                found[_plain(name)] = Component(name, "", "")
            continue
        found[_plain(name)] = _part(distribution)
        waiting += _needs(distribution)
    return tuple(sorted([*carried, *found.values()], key=lambda part: part.name.casefold()))


def _part(distribution: metadata.Distribution) -> Component:
    return Component(distribution.name, distribution.version, _licence(distribution.metadata))


def _licence(about: metadata.PackageMetadata) -> str:
    """The licence's name, from the newest of the three places where it may stand."""
    for field in ("License-Expression", "License"):
        text = about[field].strip() if field in about else ""
        if text and text != "UNKNOWN" and "\n" not in text and len(text) <= _LONGEST_LICENCE:
            return text
    classifiers = about.get_all("Classifier") or ()
    return ", ".join(line.rpartition(" :: ")[2] for line in classifiers if _names_licence(line))


def _names_licence(classifier: str) -> bool:
    return classifier.startswith("License :: ") and classifier.count(" :: ") > 1


def _needs(distribution: metadata.Distribution) -> list[str]:
    """What it asks for by itself; what it would ask for with an extra is not carried."""
    found = []
    for requirement in distribution.requires or ():
        name = _NAME.match(requirement)
        if name is not None and "extra ==" not in requirement.partition(";")[2]:
            found.append(name[0])
    return found


def _plain(name: str) -> str:
    """One distribution is asked for as `Jinja2`, `jinja2`, `typing_extensions`, ..."""
    return re.sub(r"[-_.]+", "-", name).lower()


class DoctorProcess:
    """One process that is asked what `doctor` knows, and ended when nobody waits for it."""

    def __init__(self) -> None:
        """Nothing is started before `ask`."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._given_up = False

    def ask(self) -> dict[str, Any]:
        """The facts by what they are of; none where nobody waits, ValueError where the process
        said nothing.
        """
        with self._lock:
            if self._given_up:
                return {}
            self._process = self._started()
        with self._process as process:
            said, _ = process.communicate()
        facts: dict[str, Any] = json.loads(said)
        return facts

    def give_up(self) -> None:
        """Nobody waits any longer."""
        with self._lock:
            self._given_up = True
            if self._process is not None:
                self._process.kill()

    def _started(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(  # noqa: S603 - this program itself, with arguments of our own
            own_command("doctor", "--json"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONUTF8": "1", "LANGUAGE": "en"},
            # Without this a black window flashes up on Windows; elsewhere there is no such flag.
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
