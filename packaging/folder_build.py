"""Building the program as a folder that needs no Python, and what its parts weigh."""

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path, PurePosixPath

import launch
from speech import SetUpError, say

OUT = Path("packaging", "out")
_NAME = "frontdesk"
_ICONS = {"win32": ".ico", "darwin": ".icns"}
"""Where the program's file itself holds its icon."""
_LIGHT = 2_000_000
"""Bytes: what weighs less is told together."""


def build(root: Path, python: Path) -> Path:
    """The folder with the program in it, made anew. Raises SetUpError where that fails."""
    out = root / OUT
    description = str(root / "packaging" / "frontdesk.spec")
    say("Building the program; this takes a few minutes.")
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as work:
        environment = launch.environment(root, browser=False)
        if sys.platform in _ICONS:
            environment["FRONTDESK_ICON"] = str(
                drawn_icon(root, python, Path(work, "frontdesk" + _ICONS[sys.platform]))
            )
        folders = ["--distpath", str(out), "--workpath", work]
        options = ["--noconfirm", "--log-level", "WARN", *folders]
        code = launch.run_to_its_end(
            [str(python), "-m", "PyInstaller", *options, description],
            environment,
            root,
        )
    if code != 0 or not (out / _NAME).is_dir():
        raise SetUpError("The program could not be built; the lines above say why.")
    return out / _NAME


def drawn_icon(root: Path, python: Path, place: Path) -> Path:
    """The program's icon, drawn at `place`. Raises SetUpError where that fails."""
    command = [str(python), str(root / "packaging" / "app_icons.py"), str(place)]
    if launch.run_to_its_end(command, dict(os.environ), root) != 0:
        raise SetUpError("The icon could not be drawn; the lines above say why.")
    return place


def weights(folder: Path) -> list[tuple[str, int]]:
    """What weighs most in the folder, in bytes: single files, then each part's others together."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            size, place = path.stat().st_size, PurePosixPath(path.relative_to(folder).as_posix())
            found[str(place) if size > _LIGHT else f"{_part(place)} (smaller files)"] += size
    return [("altogether", found.total()), *found.most_common(15)]


def _part(place: PurePosixPath) -> str:
    """The folder of the library that a file belongs to."""
    return "/".join(place.parent.parts[:3]) or "."
