"""What this computer offers the program, and what is missing: looked at, and told by
`frontdesk doctor` with what mends it.

It needs no display, starts no browser and changes nothing.
"""

import contextlib
import ctypes
import json
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from app import __version__
from app.runtime.installation import is_of_qt, load_words
from app.runtime.paths import is_there, resource, shown
from app.runtime.terminal import CommandParser, add_data_folder, write_out
from app.runtime.words import damaged_catalogues, tr, without_direction_marks

QT_MODULES = (
    "QtCore",
    "QtGui",
    "QtWidgets",
    "QtSvg",
    "QtPrintSupport",
    "QtWebEngineCore",
    "QtWebEngineWidgets",
)
RESOURCES = ("icons/frontdesk.svg", "style/frontdesk.qss", "system/debian.toml", "translations")
USER_NAMESPACE_SETTINGS = (  # Debian's and Ubuntu's name, its forbidding and its allowing value
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
)
APT = "sudo apt-get install --no-install-recommends"
_NOT_THERE = "cannot open shared object file"
"""How the loader says of a library that there is none."""


class Missing(msgspec.Struct, frozen=True):
    """Something that is not there; `needed` when the window cannot work without it."""

    what: str
    mend: str
    needed: bool


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at: its name, what was found, and what is missing in it."""

    name: str
    facts: dict[str, str | bool | None]
    sentence: str
    missing: tuple[Missing, ...] = ()


def of_this_computer(folder: Path) -> list[Finding]:
    """Everything looked at, with `folder` for what is kept here; in the order to tell it."""
    found = [versions(), resources(), data_folder(folder), vault(), sandbox(), display()]
    return [*found, fonts()]


def versions() -> Finding:
    """What is installed; a part of Qt that cannot be loaded is missing."""
    facts: dict[str, str | bool | None] = {
        "app": __version__,
        "python": platform.python_version(),
        "sqlite": None,
        "system": platform.platform(),
    }
    for name in ("PySide6", "httpx", "keyring"):
        facts[name.lower()] = installed_version(name)
    of_qt = tuple(
        trouble for name in QT_MODULES if (trouble := load_trouble(f"PySide6.{name}")) is not None
    )
    facts["qt"] = facts["chromium"] = None
    if not of_qt:
        facts["qt"] = import_module("PySide6.QtCore").qVersion()
        facts["chromium"] = import_module("PySide6.QtWebEngineCore").qWebEngineChromiumVersion()
    missing = of_qt
    try:
        import sqlite3  # noqa: PLC0415 - it may be what is missing

        facts["sqlite"] = sqlite3.sqlite_version
    except ImportError as problem:
        missing = (*of_qt, not_loaded(problem))
    sentence = tr(
        "Front Desk {app} with Python {python}, Qt {qt}, PySide6 {pyside6}, Chromium {chromium}, "
        "httpx {httpx}, keyring {keyring} and SQLite {sqlite}, on {system}.",
        **{name: fact or tr("(not found)") for name, fact in facts.items()},
    )
    return Finding("versions", facts, sentence, missing)


def installed_version(name: str) -> str | None:
    """The version of an installed distribution, found without importing it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def load_trouble(module: str) -> Missing | None:
    """What keeps a part of Qt from being loaded; None when it loads."""
    try:
        import_module(module)
    except ImportError as problem:
        return missing_library(str(problem))
    return None


def not_loaded(problem: ImportError) -> Missing:
    """A module that could not be loaded for want of a library, with what mends it."""
    if is_of_qt(problem):
        return missing_library(str(problem))
    return Missing(load_words(problem), _mend(str(problem)), needed=True)


def missing_library(problem: str) -> Missing:
    """The loader's complaint of a part of Qt (`libX.so.1: cannot open shared object file`) with
    what mends it, and all that is missing besides: the loader stops at the first, another one for
    each part of Qt, and installing them one by one would take as many tries.
    """
    path, colon, why = problem.partition(":")
    library = Path(path).name
    lacking = [library]
    if packages_with(lacking):
        others = (_not_found(each) for each in _known()["libraries"].values())
        lacking = sorted({library, *filter(None, others)})
    what = tr(
        "A part of Qt cannot be loaded: {problem}.", problem=f"{', '.join(lacking)}{colon}{why}"
    )
    return Missing(what, _mend(problem, lacking), needed=True)


def _mend(problem: str, lacking: Sequence[str] = ()) -> str:
    """What brings the library that the loader complains of, and those that are `lacking` besides;
    one that is damaged is there already, perhaps among the program's own.
    """
    path, _, why = problem.partition(":")
    if is_carried(Path(path)):
        return tr("install Front Desk again")
    packages = " ".join(dict.fromkeys(packages_with(lacking)))
    if not packages:
        library = Path(path).name
        return tr("install the package of your system that has {library}", library=library)
    return f"{APT} {packages}" if _NOT_THERE in why else f"{APT} --reinstall {packages}"


def is_carried(library: Path) -> bool:
    """Whether it lies among what the program brings with it: in the folder build beside `app`, else
    in its environment or beside it there.
    """
    folders = [Path(__file__).parents[2]]
    if sys.prefix != sys.base_prefix:
        folders.append(Path(sys.prefix))
    there = Path(os.path.normpath(library))
    return any(there.is_relative_to(folder) for folder in folders)


def packages_with(libraries: Iterable[str]) -> list[str]:
    """The packages of this system that bring these shared libraries, as far as that is known."""
    try:
        known = _known()
        release = platform.freedesktop_os_release()
    except OSError:
        return []
    of_library = {name: package for package, name in known["libraries"].items()}
    found = [of_library[library] for library in libraries if library in of_library]
    since = known["renamed_since"].get(release.get("ID", ""))
    if since and float(release.get("VERSION_ID", "inf")) >= since:
        return [str(known["renamed"].get(package, package)) for package in found]
    return found


def _known() -> dict[str, dict[str, Any]]:
    """What this program needs of Debian and its relatives. Raises OSError."""
    return tomllib.loads(resource("system/debian.toml").read_text("utf-8"))


def _not_found(library: str) -> str:
    """The one that the loader misses for `library`: itself, or another that it asks for, as those
    of the folder build ask the system; blank where it loads.
    """
    try:
        ctypes.CDLL(library)
    except OSError as problem:
        return Path(_said_by_loader(problem).partition(":")[0]).name
    return ""


def _said_by_loader(problem: OSError) -> str:
    """In the folder build it stands behind what PyInstaller makes of it."""
    return str(problem.__cause__ or problem)


def resources() -> Finding:
    """The files that the program carries with it."""
    facts: dict[str, str | bool | None] = {}
    for name in RESOURCES:
        try:
            facts[name] = str(resource(name))
        except FileNotFoundError:
            facts[name] = None
    lost = [name for name, path in facts.items() if path is None]
    said = [tr("The program's own file {name} is missing.", name=name) for name in lost]
    if "translations" not in lost:
        damaged = damaged_catalogues(resource("translations"))
        said += [
            tr("The program's own file {name} is damaged.", name=shown(each)) for each in damaged
        ]
    again = tr("install Front Desk again")
    missing = tuple(Missing(sentence, again, needed=True) for sentence in said)
    if lost:
        return Finding("resources", facts, tr("Some files are missing."), missing)
    found = tr("Icons, style and the other files of the program are there.")
    return Finding("resources", facts, said[0] if said else found, missing)


def data_folder(folder: Path) -> Finding:
    """Where everything local lives, and whether it can be written (or made, and then written)."""
    try:
        whole = folder.absolute()  # none where the folder that this was started in was removed
        there = next(path for path in (whole, *whole.parents) if is_there(path))
        with contextlib.suppress(FileNotFoundError):
            folder.lstat()
        with tempfile.TemporaryFile(dir=there):
            problem = None
    except OSError as error:
        problem = error.strerror or str(error)
    facts: dict[str, str | bool | None] = {"path": shown(folder), "writable": problem is None}
    place = shown(folder)
    sentence = tr("What is kept on this computer lies in {folder}.", folder=place)
    if problem is None:
        return Finding("data_folder", facts, sentence, _open_to_others(folder))
    what = tr("The folder {folder} cannot be written: {problem}.", folder=place, problem=problem)
    mend = "frontdesk --data-folder FOLDER"
    return Finding("data_folder", facts, sentence, (Missing(what, mend, needed=True),))


def _open_to_others(folder: Path) -> tuple[Missing, ...]:
    """A folder that was there keeps the rights that it was given, so somebody has to look."""
    if sys.platform == "win32" or not folder.is_dir():
        return ()
    if not folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return ()
    what = tr(
        "Other people on this computer can write to the folder {folder}.", folder=shown(folder)
    )
    return (Missing(what, f"chmod go-w {shlex.quote(shown(folder))}", needed=False),)


def vault() -> Finding:
    """Where a sign-in would be kept; without a real vault it is kept for one run only."""
    from app.accounts.vault import vault_in_use  # noqa: PLC0415 - a broken Qt must be told as well

    report = vault_in_use()
    facts: dict[str, str | bool | None] = {
        "name": report.name,
        "real": report.real,
        "problem": report.problem or None,
    }
    if report.real:
        return Finding("vault", facts, tr("Sign-ins are kept in {name}.", name=report.name))
    mend = tr("start Front Desk from the desktop, where the system's vault is at hand")
    if shutil.which("apt-get") and not shutil.which("gnome-keyring-daemon"):
        mend = f"{APT} gnome-keyring"
    missing = Missing(report.problem or "", mend, needed=False)
    return Finding("vault", facts, tr("Sign-ins are not kept."), (missing,))


def sandbox() -> Finding:
    """Whether the embedded browser would run in its sandbox, and why or why not."""
    on, why, mend = sandbox_state()
    facts: dict[str, str | bool | None] = {"on": on, "why": why}
    sentence = tr("The embedded browser runs in its sandbox: {why}", why=why)
    if not on:
        sentence = tr("The embedded browser runs without its sandbox: {why}", why=why)
    missing = (Missing(sentence, mend, needed=False),) if mend else ()
    return Finding("sandbox", facts, sentence, missing)


def sandbox_state() -> tuple[bool, str, str]:
    """Whether the sandbox is on, a sentence why, and a command where something should be mended."""
    if os.environ.get("QTWEBENGINE_DISABLE_SANDBOX", "0") not in {"", "0"}:
        return False, tr("it was switched off from outside when the program was started."), ""
    if platform.system() != "Linux":
        return True, tr("this system has what it is built from."), ""
    if sys.platform != "win32" and os.geteuid() == 0:
        why = tr("as root that fails, and so would signing in.")
        return True, why, tr("start Front Desk as an ordinary user")
    if may_make_namespaces():
        return True, tr("this system has what it is built from."), ""
    why = tr("this system does not let it build one.")
    return False, why, way_to_namespaces()


def may_make_namespaces() -> bool:
    """Whether an ordinary program may make what Chromium's sandbox is built from."""
    try:
        tried = subprocess.run(
            ["unshare", "--user", "--map-root-user", "true"],  # noqa: S607 - of every Linux system
            capture_output=True,
            check=False,
            timeout=5,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return tried.returncode == 0


def way_to_namespaces() -> str:
    """The command that lifts the limit this system has set, or whom to ask."""
    for setting, wrong, right in USER_NAMESPACE_SETTINGS:
        path = Path("/proc/sys", *setting.split("."))
        if path.exists() and path.read_text("ascii").strip() == wrong:
            return f"sudo sysctl -w {setting}={right}"
    return tr("ask whoever looks after this computer to allow user namespaces")


def plugin_that_cannot_be_loaded() -> Missing | None:
    """What keeps Qt's part for the display that is named from being loaded; None when it loads."""
    plugin = platform_plugin()
    return plugin_trouble(plugin) if plugin is not None else None


def display() -> Finding:
    """Where a window would be shown, and whether Qt's own part for that can be loaded."""
    plugin = platform_plugin()
    facts: dict[str, str | bool | None] = {"platform": plugin, "available": plugin is not None}
    if plugin is None:
        what = tr("There is no display here, so no window can be shown.")
        # A terminal without a desktop is no fault of the installation.
        missing = Missing(what, tr("start Front Desk from the desktop"), needed=False)
        return Finding("display", facts, what, (missing,))
    sentence = tr("Windows are shown through {plugin}.", plugin=plugin)
    trouble = plugin_trouble(plugin) or display_trouble(plugin)
    facts["available"] = trouble is None
    return Finding("display", facts, sentence, (trouble,) if trouble else ())


def fonts() -> Finding:
    """Whether there is any font; without one a window shows no letters."""
    there = platform.system() != "Linux" or _has_fonts()
    sentence, mend = tr("Fonts are installed."), tr("install a font, for example DejaVu Sans")
    missing: tuple[Missing, ...] = ()
    if not there:
        if shutil.which("apt-get"):
            mend = f"{APT} fontconfig fonts-dejavu-core"
        sentence = tr("No font is installed, so windows show no letters.")
        missing = (Missing(sentence, mend, needed=True),)
    return Finding("fonts", {"installed": there}, sentence, missing)


def _has_fonts() -> bool:
    """Asked of what Qt asks."""
    try:
        fontconfig = ctypes.CDLL("libfontconfig.so.1")
    except OSError:
        return True  # said already, with the part of Qt that needs it
    fontconfig.FcInit()
    fontconfig.FcConfigGetFonts.restype = ctypes.POINTER(ctypes.c_int)
    # The set begins with how many are in it; there is none where nothing was found.
    of_the_system = fontconfig.FcConfigGetFonts(None, 0)
    return bool(of_the_system) and of_the_system[0] > 0


def platform_plugin() -> str | None:
    """The name of the part of Qt that would show the window; None without a display."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(";")[0].partition(":")[0]
    if chosen:
        return chosen
    if platform.system() != "Linux":
        return {"darwin": "cocoa", "win32": "windows"}.get(sys.platform)
    if os.environ.get("WAYLAND_DISPLAY") and os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return "wayland"
    return "xcb" if os.environ.get("DISPLAY") else None


def plugin_trouble(plugin: str) -> Missing | None:
    """What keeps a platform part of Qt from being loaded; None when it loads."""
    try:
        core = import_module("PySide6.QtCore")
    except ImportError:
        return None  # said already, with the versions
    folder = Path(core.QLibraryInfo.path(core.QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    library = next(folder.glob(f"*q{plugin}.*"), None)
    if library is None:
        what = tr("Qt has no part named {plugin}.", plugin=plugin)
        return Missing(what, "unset QT_QPA_PLATFORM", needed=True)
    try:
        ctypes.CDLL(str(library))
    except OSError as problem:
        return missing_library(_said_by_loader(problem))
    return None


def display_trouble(plugin: str) -> Missing | None:
    """What keeps a window from the display that is named; only an X server can be asked."""
    if plugin != "xcb" or x_server_answers():
        return None
    what = tr("The display {name} does not answer.", name=os.environ.get("DISPLAY", ""))
    return Missing(what, tr("start Front Desk from the desktop"), needed=True)


def x_server_answers() -> bool:
    """Whether the X server in DISPLAY lets this program in, asked as Qt will ask it."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # what is missing then is said with the part of Qt that needs it
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    answers = not xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return answers


def run(arguments: Sequence[str]) -> int:
    """Print what was found, in sentences or as JSON; 1 when something needed is missing, else 0."""
    parser = CommandParser(
        "frontdesk doctor",
        lambda: tr("Tell what Front Desk needs, and what mends what is missing."),
    )
    parser.add("--json", action="store_true", tells=lambda: tr("print one JSON object"))
    add_data_folder(parser)
    options = parser.read(arguments)
    findings = of_this_computer(options.data_folder)
    works = not any(missing.needed for finding in findings for missing in finding.missing)
    told = (as_json if options.json else as_sentences)(findings, works=works)
    return 0 if write_out(told, is_json=options.json) and works else 1


def as_json(findings: Sequence[Finding], *, works: bool) -> str:
    """One object: the facts under the name of each finding, `missing` (a list) and `works`."""
    missing = [asdict(missing) for missing in _all_missing(findings)]
    facts = {finding.name: finding.facts for finding in findings}
    return json.dumps({**facts, "missing": missing, "works": works}, indent=2, ensure_ascii=False)


def as_sentences(findings: Sequence[Finding], *, works: bool) -> str:
    """A line per finding, then a line and a command for each thing that is missing."""
    everything = _all_missing(findings)
    said_below = {missing.what for missing in everything}
    lines = [finding.sentence for finding in findings if finding.sentence not in said_below]
    for missing in everything:
        lines += ["", with_what_mends(missing)]
    return "\n".join([*lines, "", _closing_words(everything, works=works)])


def with_what_mends(missing: Missing) -> str:
    """What is missing, and in a line below it what mends that."""
    mend = tr("  To mend it: {command}", command=missing.mend)
    return "\n".join((missing.what, without_direction_marks(mend)))


def _all_missing(findings: Sequence[Finding]) -> list[Missing]:
    """Each once: several parts of Qt may lack the same library."""
    return list(dict.fromkeys(missing for finding in findings for missing in finding.missing))


def _closing_words(missing: Sequence[Missing], *, works: bool) -> str:
    if not works:
        return tr("Something that is needed is missing.")
    if missing:
        return tr("What is installed is whole; what is missing above cannot be used here.")
    return tr("Everything that is needed is here.")
