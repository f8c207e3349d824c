"""Where somebody was in each account, so that the next start brings them back there.

It holds numbers, widths and ids, never a name or an email address. What a filter or a sort order
is called, and whether a person still exists, is left to the screens.
"""

from pathlib import Path

import msgspec

from app.settings.key_value_store import KeyValueStore

_MOST = 20
"""Accounts. A kiosk that is given its key at each start has a new one every time."""


class SavedState(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody was in one account; the defaults are where a newcomer begins.

    `tab` counts from 0. `columns` has widths in device independent pixels by column name.
    `chosen_entry` is whoever was chosen who is not in the account yet.
    `top_person` is the first one on the screen. `flows_view` is how the flows are read;
    `by_person_order` and `by_person_chosen` are of those who administer them; `only_gaps` lists
    flows with gaps alone, `gaps_kind` gaps of one kind. `recent_commands` are what was chosen in
    the palette, the newest first. `window` and `small_window` are the geometries of the window in
    its two sizes as base64 text, `small` which of them it had.
    """

    tab: int = 0
    columns: dict[str, int] = {}
    sort: str = ""
    descending: bool = False
    filter: str = ""
    chosen_person: str | None = None
    chosen_entry: str | None = None
    top_person: str | None = None
    chosen_flow: str | None = None
    flows_view: str = ""
    by_person_order: str = ""
    by_person_chosen: str | None = None
    only_gaps: bool = False
    gaps_kind: str = ""
    recent_commands: tuple[str, ...] = ()
    window: str | None = None
    small_window: str | None = None
    small: bool = False


class SavedStateStore:
    """The saved states of all accounts, each read only when it is asked for."""

    def __init__(self, folder: Path | None, *, on_disk: bool = True) -> None:
        """`folder` holds the file; without it, or not `on_disk`, they end with this run."""
        self._kept = KeyValueStore(folder, "places.json", msgspec.Raw, most=_MOST, on_disk=on_disk)
        self.keep_on_disk = self._kept.keep_on_disk
        self._forgotten: set[str] = set()

    def of(self, account_id: str) -> SavedState:
        """Where somebody was in the account."""
        written = self._kept.all().get(account_id)
        if written is None:
            return SavedState()
        try:
            return msgspec.json.decode(written, type=SavedState)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return SavedState()

    def keep(self, account_id: str, state: SavedState) -> None:
        """Remember where somebody is; not in an account that was forgotten while it was shown."""
        if account_id not in self._forgotten:
            self._kept.keep(account_id, msgspec.Raw(msgspec.json.encode(state)))

    def forget(self, account_id: str) -> bool:
        """Strike the account out for good; False when the file may still have it."""
        self._forgotten.add(account_id)
        return self._kept.forget(account_id)
