"""Where on this computer the local copy of each account lies: one folder per account.

What is in the files is left to those who open them; here they are named and taken away.
"""

import logging
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from app.runtime.paths import is_there, make_private_folder

_log = logging.getLogger(__name__)
_PLAIN = re.compile(r"[0-9A-Za-z_-]{1,64}")
CACHE = "cache.sqlite3"
OUTBOX = "outbox.sqlite3"


def id_of_address(base_url: str) -> str:
    """The id of an account of which only the address is known: the same at every start.

    A key that was given at the start is not kept, but what was typed with it is found again.
    """
    return uuid5(NAMESPACE_URL, base_url).hex


class AccountFolders:
    """The folders below `<data folder>/accounts`, for their owner's eyes only."""

    def __init__(self, data_folder: Path) -> None:
        """Nothing is made before somebody needs it."""
        self.root = data_folder / "accounts"
        """What all of them are in, made or not."""

    def of(self, account_id: str) -> Path:
        """The folder of an account, made or not."""
        # An id comes out of a file that anybody may have edited: it must not lead elsewhere.
        plain = _PLAIN.fullmatch(account_id) is not None
        return self.root / (account_id if plain else sha256(account_id.encode()).hexdigest())

    def make(self, account_id: str) -> Path:
        """The same, made. Raises OSError."""
        make_private_folder(self.root.parent)
        make_private_folder(self.root)
        return make_private_folder(self.of(account_id))

    def has(self, account_id: str) -> bool:
        """Whether something of the account is kept here."""
        return is_there(self.of(account_id) / OUTBOX)

    def all(self) -> Iterator[Path]:
        """The folders that are there."""
        try:
            yield from sorted(one for one in self.root.iterdir() if one.is_dir())
        except OSError:
            return

    def forget(self, account_id: str) -> bool:
        """Delete all that is kept of the account; False when something may still be there."""
        return self.remove(self.of(account_id))

    def remove(self, folder: Path) -> bool:
        """Delete one of these folders with everything in it; False as in `forget`."""
        shutil.rmtree(folder, ignore_errors=True)
        if is_there(folder):
            _log.warning("a folder of the local copy could not be deleted")
            return False
        if is_there(self.root) and not any(self.root.iterdir()):
            self.root.rmdir()
        return True
