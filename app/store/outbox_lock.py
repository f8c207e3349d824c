"""One program at a time for an outbox: a lock beside it, which ends with the program."""

from collections.abc import Callable
from pathlib import Path

from app.runtime.paths import make_private_folder
from app.runtime.words import tr
from app.store.errors import StoreError, store_error


class OutboxInUse(StoreError):
    """Another window or program has this outbox open; two would send everybody twice."""


def take_lock(path: Path) -> Callable[[], None]:
    """Lock the outbox at `path` at once; gives what unlocks it. Raises OutboxInUse, StoreError."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - not before somebody signs in

    lock = FileLock(
        path.with_suffix(".lock"),
        mode=0o600,
        thread_local=False,
        blocking=False,
        # A mere file would outlive a killed program and lock everybody out.
        fallback_to_soft=False,
    )
    try:
        make_private_folder(path.parent)
        lock.acquire()
    except Timeout as error:
        raise OutboxInUse(
            tr("Front Desk is open already"),
            tr("Another Front Desk on this computer is using this account. Close it first."),
        ) from error
    except OSError as error:
        said = store_error(error)
        raise (said or error) from error
    return lock.release
