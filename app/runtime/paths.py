"""Where things lie: what the program carries with it, and what it keeps on this computer."""

import os
import sys
from pathlib import Path

import platformdirs

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


def make_private_folder(folder: Path) -> Path:
    """Create `folder` so that only its owner can look inside, and give it back.

    Raises OSError where it cannot be made or written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        folder.chmod(0o700)
    return folder
