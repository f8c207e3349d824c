"""What the icon in the tray says, and whether closing the window leaves the program there."""

import contextlib
from collections.abc import Callable

import msgspec

from app.accounts.session import SessionState
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr
from app.settings.settings import SettingsChanged, SettingsStore
from app.viewmodels.screen import Screen
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.status_bar import StatusBarScreen


class TrayState(msgspec.Struct, frozen=True):
    """What the icon shows; no name from outside, for a tip is more than words to some trays."""

    shown: bool = False
    tip: str = ""
    """Who waits or needs somebody, a line each, below the name of the program."""
    waits: bool = False
    needs_person: bool = False


class TrayScreen(Screen[TrayState]):
    """Follows the account that is shown, once somebody has chosen to have an icon."""

    def __init__(
        self,
        store: SettingsStore,
        session: SessionScreen,
        events: EventBus,
        scope: TaskScope,
        *,
        available: Callable[[], bool],
    ) -> None:
        """`available`: whether this desktop has a tray now."""
        super().__init__(TrayState())
        self._store = store
        self._session = session
        self._available = available
        self._status: StatusBarScreen | None = None
        events.subscribe(SettingsChanged, self._tell, scope)
        session.state_changed.connect(self._tell)
        self._tell()

    @property
    def hides(self) -> bool:
        """Whether closing the window leaves the program in the tray."""
        return self._store.settings.tray and self._available()

    def follow(self, status: StatusBarScreen | None) -> None:
        """Tell of the people of this account; None: of nobody."""
        if self._status is not None:
            self._status.state_changed.disconnect(self._tell)
        self._status = status
        if status is not None:
            status.state_changed.connect(self._tell)
        self._tell()

    def leaving_words(self) -> str:
        """What is said where closing leaves the program there: the first time, and blank later."""
        if self._store.settings.tray_told:
            return ""
        # Where that cannot be written down, it is said once more in the next run.
        with contextlib.suppress(ExpectedError):
            self._store.change(tray_told=True)
        return tr("Front Desk is still open here. Quit in this menu ends it.")

    def say_anew(self) -> None:
        """Another language is spoken."""
        self._tell()

    def _tell(self, _event: object = None) -> None:
        if not self._store.settings.tray:
            self._set_state(TrayState())
            return
        expired = self._session.state.session is SessionState.EXPIRED
        lines = [tr("Front Desk"), tr("Sign in again") if expired else ""]
        waiting = needed = ""
        if self._status is not None:
            waiting, needed = self._status.state.waiting_words, self._status.state.needed_words
        self._set_state(
            TrayState(
                shown=True,
                tip="\n".join(filter(None, (*lines, waiting, needed))),
                waits=bool(waiting),
                needs_person=bool(needed) or expired,
            )
        )
