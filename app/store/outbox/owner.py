"""Which outbox file is another account's. Such a one is set aside (see `rescue`) under a name that
tells whose it is, and found by that name until its own account takes it back.

A file is signed with the id of its account and its address, or the id alone for any address.
"""

import contextlib
import logging
import re
from collections.abc import Collection
from hashlib import blake2s
from pathlib import Path

from app.model.outbox import OutboxEntry
from app.runtime.files import is_file
from app.store.errors import StoreError
from app.store.outbox.damaged_file import connected, copy_of, metadata_of, read_out
from app.store.outbox.rows import unsigned

_log = logging.getLogger(__name__)
ACCOUNT = "account"
"""What a file keeps its owner under."""
_LONGEST_GLANCE = 0.2
"""Seconds for the one row that says for whom a file is."""
_OTHER_ACCOUNT = "other-account"
_MARK = re.compile(r"\b[0-9a-f]{12}\b")


def belongs_elsewhere(kept: str | None, account: str) -> bool:
    """Whether another account than this was signed; where none was, or it is damaged, not."""
    return account not in {"", unsigned(kept) or account}


def why_aside(signed: str) -> str:
    """What stands in the name of a file that was `signed` for another account."""
    return f"{_OTHER_ACCOUNT}-{'.'.join(_marks(signed))}"


def set_aside_for(path: Path, account: str) -> list[Path]:
    """Every file that was set aside beside the folder of `path` and is signed for this account: an
    id, a blank and its address, or the id alone for any address.
    """
    found = _all_set_aside(path.parent.parent, path.name)
    return [aside for aside in found if _mark(account) in _marks_of(aside)]


def set_aside_for_others(above: Path, name: str, account_ids: Collection[str]) -> list[Path]:
    """Those that are for none of these accounts, or nobody can say for whom.

    `above` has the accounts' folders, `name` is what the outbox in each is called.
    """
    marks = {_mark(account_id) for account_id in account_ids}
    return [aside for aside in _all_set_aside(above, name) if marks.isdisjoint(_marks_of(aside))]


def unsent_aside(aside: Path) -> tuple[tuple[OutboxEntry, ...], bool]:
    """Who is not done in a file that was set aside, and whether that is surely everybody.

    Raises OSError and StoreError.
    """
    found = read_out(aside)
    unsent = (record.entry for record in found.records if not record.entry.done)
    return tuple(unsent), found.whole and not found.newer


def _marks(account: str) -> list[str]:
    """Of the account and of that at its address."""
    return [_mark(account.partition(" ")[0]), _mark(account)]


def _mark(account: str) -> str:
    """Stands in a file's name for an account, or it at its address."""
    return blake2s(account.encode(), digest_size=6).hexdigest()


def _all_set_aside(above: Path, name: str) -> list[Path]:
    with contextlib.suppress(OSError):  # a folder that cannot be, or be looked into, has none
        found = above.glob(f"{Path(name).stem}-{_OTHER_ACCOUNT}-*{Path(name).suffix}")
        return sorted(filter(_is_plain_file, found))
    return []


def _is_plain_file(aside: Path) -> bool:
    with contextlib.suppress(OSError):
        return is_file(aside)
    return False


def _marks_of(aside: Path) -> list[str]:
    """For whom it is signed; where that cannot be read, it is known by its name."""
    try:
        with copy_of(aside) as copy, connected(copy, _LONGEST_GLANCE) as connection:
            if owner := unsigned(metadata_of(connection).get(ACCOUNT)):
                return _marks(owner)
    except (StoreError, OSError) as error:
        _log.warning("a file that was set aside cannot be read: %s", error)
    return _MARK.findall(aside.name)
