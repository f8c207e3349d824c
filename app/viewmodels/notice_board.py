"""The sentences across the window: one that the next may replace, and those that stay until read.

What they say, and when they are said, is decided by whoever puts them up.
"""

from collections.abc import Callable

from app.viewmodels.notice import Notice


class NoticeBoard:
    """`said` is about the moment; what was `put_up` waits behind it and is never lost."""

    def __init__(self) -> None:
        """Nothing is said."""
        self.said: Notice | None = None
        self._up: list[tuple[Notice, Callable[[], None], Callable[[], None]]] = []

    @property
    def shown(self) -> Notice | None:
        """The one to show: trouble of the moment, then what has to be read, then the rest."""
        if self._up and (self.said is None or self.said.calm):
            return self._up[0][0]
        return self.said

    def put_up(
        self, notice: Notice, on_read: Callable[[], None], on_yes: Callable[[], None]
    ) -> None:
        """Show `notice` until somebody puts it away (`on_read`) or agrees to it (`on_yes`)."""
        self._up.append((notice, on_read, on_yes))

    def take_down(self, notice: Notice) -> None:
        """It is no longer true; nobody has read it."""
        self._up = [one for one in self._up if one[0] is not notice]
        if self.said is notice:
            self.said = None

    def read(self) -> None:
        """Somebody put away the one that is shown."""
        if self._up and self.shown is self._up[0][0]:
            _, on_read, _ = self._up.pop(0)
            on_read()
        else:
            self.said = None

    def agree(self) -> None:
        """Somebody says yes to the one that is shown."""
        if self._up and self.shown is self._up[0][0]:
            _, _, on_yes = self._up.pop(0)
            on_yes()
