"""What keeps the folder for this program's data from being used, in one sentence.

It looks before anything is read or written there; what is done without the folder is left to those
who would have used it.
"""

import errno
import os
import tempfile
from pathlib import Path

import msgspec

from app.runtime.files import refuse_other_than_file
from app.runtime.paths import make_private_folder, shown
from app.runtime.words import tr

_FILES = ("accounts.json", "settings.json", "places.json", "frontdesk.log", "window.lock")
_FOLDER = "accounts"
_LONGEST = 200
_TRIED = bytes(8192)
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_FOLDER = frozenset({errno.ENOTDIR, errno.EEXIST})


class FolderTrouble(msgspec.Struct, frozen=True):
    """A sentence for the person, and what the system said."""

    sentence: str
    details: str


def trouble_with(folder: Path) -> FolderTrouble | None:
    """Make the folder, and look at what stands there under the names that this program uses.

    None where all can be read and written.
    """
    try:
        make_private_folder(folder)
        odd = [name for name in _FILES if not _is_usable(folder / name)]
        keeps = not _is_in_the_way(folder / _FOLDER)
        if not keeps:
            odd.append(_FOLDER)
        _write_something(folder)
    except (OSError, ValueError) as error:
        return FolderTrouble(_unusable(folder, error), str(error))
    if not odd:
        return None
    sentence = tr(
        "In the folder {folder}, something else stands in the place of {names}. Move it away and "
        "start Front Desk again; until then it works without.",
        folder=_name_shown(folder),
        names=", ".join(odd),
    )
    if not keeps:
        sentence = f"{sentence} {tr('What you type is not kept when this window closes.')}"
    return FolderTrouble(sentence, "")


def takes_more(folder: Path) -> bool:
    """Whether there is room for another line in the folder, and it can be written at all."""
    try:
        _write_something(folder)
    except (OSError, ValueError):
        return False
    return True


def _write_something(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as tried:
        tried.write(_TRIED)


def _name_shown(folder: Path) -> str:
    name = shown(folder)
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _is_usable(path: Path) -> bool:
    """Nothing is opened: another window may hold it, and a lock goes with its file."""
    try:
        refuse_other_than_file(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return os.access(path, os.R_OK | os.W_OK)


def _is_in_the_way(path: Path) -> bool:
    try:
        return (path.is_symlink() or path.exists()) and not path.is_dir()
    except OSError:
        return True


def _unusable(folder: Path, error: OSError | ValueError) -> str:
    name = _name_shown(folder)
    number = error.errno if isinstance(error, OSError) else None
    if number in _NO_ROOM:
        return tr(
            "There is no room left on the disk of the folder {folder}. What you type is not kept "
            "when this window closes; free some room and start Front Desk again.",
            folder=name,
        )
    if number == errno.ENAMETOOLONG:
        why = tr("its name is too long")
    elif number in _NO_FOLDER:
        why = tr("there is a file of that name")
    else:
        why = tr("it cannot be made or written to")
    return tr(
        "Front Desk cannot use the folder {folder}: {reason}. What you type is not kept when this "
        "window closes.",
        folder=name,
        reason=why,
    )
