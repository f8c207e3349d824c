"""What is said of one kind of work that failed, for as long as it is true: until it succeeds."""

from collections.abc import Callable

from app.viewmodels.notices import Notice


class FailureNotice:
    """Of this kind alone: what is said of another, or has to be read, stays where it is."""

    def __init__(
        self, say: Callable[[Exception], Notice | None], take_back: Callable[[Notice], None]
    ) -> None:
        """`say` gives what it has said of an expected error, None where nothing is to be said."""
        self._say = say
        self._take_back = take_back
        self._said: Notice | None = None

    def failed(self, error: Exception) -> None:
        """Say it, in place of what was said of an earlier one."""
        self._said = self._say(error)

    def succeeded(self) -> None:
        """What was said is no longer true."""
        said, self._said = self._said, None
        if said is not None:
            self._take_back(said)
