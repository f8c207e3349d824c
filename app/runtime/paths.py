"""Where things lie: what the program carries with it, and what it keeps on this computer."""

import os
import sys
from pathlib import Path

import platformdirs

CONNECTION_FILE = ".frontdesk"
"""How the names of connection files end: a desktop opens those with this program."""
_PACKAGE = Path(__file__).resolve().parent.parent


def resource(name: str) -> Path:
    """The path of a carried file or folder: in a frozen build, an installed wheel or a checkout.

    Raises FileNotFoundError when none of them has it.
    """
    for folder in _resource_folders():
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(name)


def _resource_folders() -> list[Path]:
    frozen = getattr(sys, "_MEIPASS", None)
    folders = [Path(frozen) / "resources"] if frozen else []
    return [*folders, _PACKAGE / "resources", _PACKAGE.parent / "resources"]


def default_data_folder() -> Path:
    """The platform's folder for this program's own data (not created here)."""
    return Path(platformdirs.user_data_dir("Front Desk", appauthor=False))


def shown(path: Path) -> str:
    """The path to be read by a person: every text can hold it, though it may not lead there."""
    return os.fsencode(path).decode("utf-8", "replace")


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; not where its name is one that cannot be."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def make_private_folder(folder: Path) -> Path:
    """Create `folder`, and those above it, so that only their owner can look inside; give it back.

    One that was there is somebody else's to open or close, and stays as it is: every file that is
    put there is its owner's alone. Raises OSError where it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder
