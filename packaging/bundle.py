"""What the folder build carries: of Qt only what a window, a sign-in page and paper need.

Asked by frontdesk.spec, where PyInstaller has found everything that might be needed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from pathlib import Path, PurePosixPath

import icu_data

Entry = tuple[str, str, str]
"""A file of the build: where it goes, where it lies now, and its kind."""

LOADED_BY_NAME = ["app.api.sign_in.refreshing_client", "uvicorn.lifespan.off"]
"""Modules that no import statement names."""
LEFT_OUT_MODULES = [
    "PIL",
    "PySide6.QtOpenGL",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "_pytest",
    "markdown_it",
    "pip",
    "pydoc_data",
    "pygments",
    "pytest",
    # Not faster than those for every processor, where two names are compared and not thousands.
    "rapidfuzz.distance.metrics_cpp_avx2",
    "rapidfuzz.fuzz_cpp_avx2",
    "rich",
    "setuptools",
    "tkinter",
    "urllib3",
    "uvloop",
    "yaml",
]
"""Modules that a library would take where they are, and does without."""

_STARTED_BEFORE = ("pyi_rth_pyside6",)
"""What PyInstaller may run before the program: one of its scripts switches Chromium's sandbox off,
and others load modules for what is never asked of them.
"""

QT_MODULES = (
    "QtCore",
    "QtDBus",
    "QtGui",
    "QtNetwork",
    "QtPrintSupport",
    "QtSvg",
    "QtTest",
    "QtWebChannel",
    "QtWebEngineCore",
    "QtWebEngineWidgets",
    "QtWidgets",
)
"""Those that the program imports, and those that these import."""
PLUGINS = {
    "iconengines": ("svgicon",),
    "imageformats": ("gif", "icns", "ico", "jpeg", "svg", "webp"),
    "networkinformation": ("",),
    "platforminputcontexts": ("compose", "ibus"),
    "platforms": ("cocoa", "offscreen", "wayland", "windows", "xcb"),
    "platformthemes": ("xdgdesktopportal",),
    "printsupport": ("",),
    "styles": ("",),
    "tls": ("",),
    "wayland-decoration-client": ("",),
    "wayland-graphics-integration-client": ("",),
    "wayland-shell-integration": ("",),
    "xcbglintegrations": ("",),
}
"""By folder, how the names of those begin that are carried, behind `libq` or `q`."""


def languages(translations: Path) -> frozenset[str]:
    """English, and what the window speaks besides, by the catalogues in this folder: Qt's own
    sentences, and Chromium's, are carried in these alone.
    """
    spoken = (each.parent.parent.name for each in translations.glob("*/*/*.mo"))
    return frozenset({"en", *(re.split("[-_]", code)[0] for code in spoken)})


LANGUAGES = languages(Path(__file__).resolve().parent.parent / "resources" / "translations")

_DEVELOPERS_TOOLS = "qtwebengine_devtools_resources.pak"
_TRANSLATORS_FILES = (".md", ".po", ".pot")
_LANGUAGE = re.compile(r"(?:qt\w*?_|/)(?P<code>[a-z]{2,3}(?:[-_][A-Za-z0-9]+)?)\.(?:qm|pak)")


def carried_files(root: Path) -> list[tuple[str, str]]:
    """The checkout's files that are no modules: where each lies, and the folder it goes to."""
    return [
        (str(root / "resources"), "resources"),
        (str(root / "app" / "demo" / "pages"), "app/demo/pages"),
        (str(root / "app" / "demo" / "*.csv"), "app/demo"),
        (str(root / "app" / "demo" / "*.toml"), "app/demo"),
    ]


def told_to_macos() -> dict[str, object]:
    """What macOS is told of the program besides its name: which files are its own."""
    kind = "org.example.frontdesk.connection"
    return {
        "CFBundleDisplayName": "Front Desk",
        "NSHighResolutionCapable": True,
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": kind,
                "UTTypeDescription": "Front Desk connection file",
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {"public.filename-extension": ["frontdesk"]},
            }
        ],
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Front Desk connection file",
                "CFBundleTypeRole": "Viewer",
                "LSItemContentTypes": [kind],
            }
        ],
    }


def distributions(names: Iterable[str]) -> list[str]:
    """These and all that they ask for, as far as it is installed: *About* shows their licences."""
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        match = re.match(r"[A-Za-z0-9._-]+", waiting.pop())
        name = re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""
        if not name or name in found:
            continue
        try:
            asked = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        found[name] = name
        waiting += [each for each in asked if "extra ==" not in each.partition(";")[2]]
    return sorted(found)


def wanted(
    binaries: Sequence[Entry], needed_by: Callable[[str], Iterable[str]]
) -> tuple[list[Entry], list[Entry]]:
    """Of these libraries those that are carried, and those that are left out.

    `needed_by` gives the paths of the libraries that the one at a path asks its loader for. What
    nobody asks for is loaded by its name while the program runs, and carried unless it is Qt's.
    """
    needs = {source: set(needed_by(source)) for _, source, _ in binaries}
    asked_for = set().union(*needs.values())
    waiting = [
        source
        for place, source, _ in binaries
        if _is_root(PurePosixPath(place.replace("\\", "/")), asked=source in asked_for)
    ]
    kept: set[str] = set()
    while waiting:
        source = waiting.pop()
        if source not in kept:
            kept.add(source)
            waiting += needs.get(source, ())
    carried = [each for each in binaries if each[1] in kept]
    return carried, [each for each in binaries if each[1] not in kept]


def _is_root(place: PurePosixPath, *, asked: bool) -> bool:
    """Whether the library that goes to `place` is carried whoever asks for it."""
    if "PySide6" not in place.parts:
        return not asked
    if "plugins" in place.parts:
        beginnings = PLUGINS.get(place.parent.name, ())
        name = place.stem.removeprefix("lib").removeprefix("q")
        return any(name.startswith(each) for each in beginnings)
    if "qml" in place.parts:
        return False
    name = place.name.partition(".")[0]
    return name in QT_MODULES or name.startswith("QtWebEngineProcess")


def in_our_languages(entries: Iterable[Entry], folder: Path) -> list[Entry]:
    """The entries, ICU's data in `LANGUAGES` alone; what is made for that is put into `folder`."""
    return [
        (place, str(icu_data.reduced(Path(source), LANGUAGES, folder)), kind)
        if kind != "SYMLINK"
        else (place, source, kind)
        for place, source, kind in entries
    ]


def is_started(script: str) -> bool:
    """Whether this script is run when the program starts; the last of all is the program's own."""
    return not script.startswith("pyi_rth_") or script in _STARTED_BEFORE


def is_carried(place: str) -> bool:
    """Whether the data file that goes to `place` is needed by somebody who speaks `LANGUAGES` and
    translates nothing.
    """
    path = PurePosixPath(place.replace("\\", "/"))
    if path.parts[:2] == ("resources", "translations"):
        # One of them at least: the folder is looked for, also while no language is whole.
        return path.name == "README.md" or path.suffix not in _TRANSLATORS_FILES
    if "PySide6" not in path.parts:
        # What a library was built from tells nobody here anything that its licence does not. Time
        # zones are in calendars, which nobody reads here; cards of people have none.
        return "sboms" not in path.parts and path.parts[:2] != ("pytz", "zoneinfo")
    if "qml" in path.parts or path.name == _DEVELOPERS_TOOLS or ".debug." in path.name:
        return False
    language = _LANGUAGE.search(str(path))
    return language is None or re.split("[-_]", language["code"])[0] in LANGUAGES
