"""Where somebody was in each account, so that the next start brings them back there.

It holds numbers, widths and ids, never a name or an email address. What a filter or a sort order
is called, and whether a person still exists, is left to the screens.
"""

import logging
from pathlib import Path

import msgspec

from app.runtime.files import KeptFile

_log = logging.getLogger(__name__)
_MOST = 20
"""Accounts. A kiosk that is given its key at each start has a new one every time."""
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_Views = dict[str, msgspec.Raw]
"""The views by account id, each read only when it is asked for."""


class SavedView(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody was in one account; the defaults are where a newcomer begins.

    `tab` counts from 0. `columns` has widths in device independent pixels by column name.
    `top_person` is the first one on the screen. `flows_view` is how the flows are read;
    `by_person_order` and `by_person_chosen` are of those who administer them; `only_gaps` lists
    flows with gaps alone, `gaps_kind` gaps of one kind. `window` is the geometry as base64 text.
    """

    tab: int = 0
    columns: dict[str, int] = {}
    sort: str = ""
    descending: bool = False
    filter: str = ""
    chosen_person: str | None = None
    top_person: str | None = None
    chosen_flow: str | None = None
    flows_view: str = ""
    by_person_order: str = ""
    by_person_chosen: str | None = None
    only_gaps: bool = False
    gaps_kind: str = ""
    window: str | None = None


class SavedViewStore:
    """The views of every account. Each call reads the file: two windows may share it.

    To lose a place is no harm that anybody has to be told of, so nothing here raises.
    """

    def __init__(self, folder: Path | None, *, on_disk: bool = True) -> None:
        """`folder` holds the file; without it, or not `on_disk`, they end with this run."""
        self._file = KeptFile(folder, "places.json")
        self._can_be_on_disk = folder is not None
        self._on_disk = on_disk and self._can_be_on_disk
        self._in_memory: _Views = {}
        self._forgotten: set[str] = set()
        if not self._on_disk:
            self._file.delete()

    def of(self, account_id: str) -> SavedView:
        """Where somebody was in the account."""
        written = self._read().get(account_id)
        if written is None:
            return SavedView()
        try:
            return msgspec.json.decode(written, type=SavedView)
        except _UNREADABLE:
            return SavedView()

    def keep(self, account_id: str, view: SavedView) -> None:
        """Remember where somebody is; not in an account that was forgotten while it was shown."""
        views = self._read()
        written = msgspec.Raw(msgspec.json.encode(view))
        if account_id in self._forgotten or views.get(account_id) == written:
            return
        views.pop(account_id, None)
        newest = [*views.items(), (account_id, written)][-_MOST:]
        self._write(dict(newest))

    def forget(self, account_id: str) -> bool:
        """Strike the account out for good; False when the file may still have it."""
        self._forgotten.add(account_id)
        views = self._read()
        return views.pop(account_id, None) is None or self._write(views)

    def keep_on_disk(self, *, on: bool) -> bool:
        """Whether views outlive this run from now on; False when the file could not follow.

        Not `on` deletes the file; those of this run stay until its end.
        """
        if on is self._on_disk or not self._can_be_on_disk:
            return True
        views = self._read()
        self._on_disk = on
        self._in_memory = {} if on else views
        return self._write(views) if on else self._file.delete()

    def _read(self) -> _Views:
        if not self._on_disk:
            return dict(self._in_memory)
        content = self._file.read()
        if content is None:
            return {}
        try:
            return msgspec.json.decode(content, type=_Views)
        except _UNREADABLE:
            self._file.set_aside()
            return {}

    def _write(self, views: _Views) -> bool:
        if not self._on_disk:
            self._in_memory = views
            return True
        try:
            self._file.write(msgspec.json.encode(views))
        except OSError as error:
            _log.warning("where somebody was cannot be written down: %s", error.strerror)
            return False
        return True
