"""The list of shared libraries, held against what the installed Qt asks for."""

import platform
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo

from tests.packaging.elf import asked_for

NEEDS = Path(__file__).resolve().parents[2] / "resources" / "system" / "debian.toml"


@pytest.mark.skipif(platform.system() != "Linux", reason="reads Linux's libraries")
def test_every_library_that_qt_asks_for_is_in_the_list() -> None:
    """The parts of Qt a window, a page, a picture and a print need, by the names they ask for."""
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.LibrariesPath))
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
    patterns = ("platforms/libqxcb*", "platforms/libqwayland*", "xcbglintegrations/*", "tls/*")
    parts = [part for pattern in patterns for part in plugins.glob(pattern)]
    parts += [*plugins.glob("imageformats/*"), *plugins.glob("printsupport/*")]
    parts += [qt / f"libQt6{name}.so.6" for name in ("WebEngineCore", "Widgets", "XcbQpa", "Svg")]
    parts += [qt / f"libQt6{name}.so.6" for name in ("PrintSupport", "Network", "WaylandClient")]
    asked = {name for part in parts for name in asked_for(part)}
    brought = {path.name for path in qt.iterdir()}
    of_the_c_library = {"c", "dl", "m", "pthread", "resolv", "rt", "gcc_s", "stdc++"}
    basic = {name for name in asked if name.split(".")[0].removeprefix("lib") in of_the_c_library}
    listed = set(tomllib.loads(NEEDS.read_text("utf-8"))["libraries"].values())
    # These come in one package with a name that is in the list.
    same_package = {"libbrotlicommon.so.1", "libgthread-2.0.so.0", "libnssutil3.so", "libsmime3.so"}
    unlisted = asked - brought - basic - listed - same_package
    assert {name for name in unlisted if not name.startswith("ld-linux")} == set()
