"""Tells whoever comes back to an open window that the program was updated meanwhile, and explains
by that what no longer fits: nothing of the window decides it, only the file that was started.
"""

from app.runtime.installation import Executable
from app.viewmodels.notices import Notice, program_updated, unfit_since_update
from app.viewmodels.window.session import SessionScreen


class UpdateNotice:
    """Said until it is read, and once more for each further update."""

    def __init__(self, session_screen: SessionScreen) -> None:
        """The program as it is now is the one that was started."""
        self._session_screen = session_screen
        self._executable = Executable()
        self._told: Notice | None = None

    def tell_if_updated(self) -> None:
        """Ask for it when somebody comes back to the window: whoever installed it does so then."""
        if self._executable.was_replaced():
            if self._told is not None:  # it may be up still, and is said anew
                self._session_screen.take_back(self._told)
            self._told = program_updated()
            self._session_screen.say_until_read(self._told)

    def explains_error(self) -> bool:
        """Whether an error nobody expected is told by this instead of by a report: a page that was
        not loaded yet does not fit what was.
        """
        if not self._executable.is_another:
            return False
        self._session_screen.say(unfit_since_update())
        return True
