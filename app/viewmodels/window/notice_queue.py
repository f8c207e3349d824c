"""Which of several sentences stands across the window, until it is read, answered, taken back, or
the work that failed succeeds.

What each says is `notices`'; a remark on what somebody has just done goes when they go on, or had
the time to read it: `session` knows when that is.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from app.viewmodels.notices import Notice


def _nothing() -> None:
    """This answer is not offered."""


class _PutUp(NamedTuple):
    notice: Notice
    on_read: Callable[[], None]
    on_yes: Callable[[], None]
    on_no: Callable[[], None]


class NoticeQueue:
    """`said` is about the moment; what was `put_up` waits behind it and is never lost."""

    def __init__(self) -> None:
        """Nothing is said."""
        self.said: Notice | None = None
        self.said_in_form: Notice | None = None
        """What of that the first page says itself: something else may stand across the window."""
        self.question: Notice | None = None
        """Whether to leave all the same; it answers what somebody has just done, and comes before
        all that happens meanwhile."""
        self.pinned: Notice | None = None
        """What is true until somebody has dealt with it; shown where nothing graver is."""
        self._behind: Notice | None = None
        self._up: list[_PutUp] = []

    @property
    def shown(self) -> Notice | None:
        """The one to show: a question, trouble of the moment, what has to be read, the rest."""
        if self.question is not None:
            return self.question
        trouble = self.said is not None and not self.said.calm
        if self.said is not None and self.said is self.said_in_form:
            trouble = False
        if self._up:
            up = self._up[0].notice
            if not trouble or (up.first and self.said is self._behind):
                return up
        return self.said if trouble else self.pinned or self.said

    @property
    def beside(self) -> Notice | None:
        """What is told below the one that is shown, which keeps its place: what is true until
        somebody has dealt with it, or the answer to what they have just asked for, or both in one
        line, where the answer comes first and has no more to offer.
        """
        shown = self.shown
        if shown is None:
            return None
        calm = self.said is not None and self.said.calm and self.question is None
        answer = self.said if calm and self.said is not shown else None
        stands = self.pinned if shown is not self.pinned else None
        if answer is None or stands is None:
            return stands or answer
        return replace(stands, sentence=f"{answer.words} {stands.words}")

    def put_up(
        self,
        notice: Notice,
        on_read: Callable[[], None],
        on_yes: Callable[[], None],
        on_no: Callable[[], None] = _nothing,
    ) -> None:
        """Show `notice` until somebody puts it away (`on_read`), agrees to it (`on_yes`) or says
        no to it (`on_no`).
        """
        up = _PutUp(notice, on_read, on_yes, on_no)
        if notice.first:
            self._behind = self.said
            place = sum(one.notice.first for one in self._up)
            self._up.insert(place, up)
        else:
            self._up.append(up)

    def say_behind(self, notice: Notice) -> None:
        """Say it behind what somebody has to read first, as if it had been said before that."""
        self.said = self._behind = notice

    def take_down(self, notice: Notice) -> None:
        """It is no longer true; nobody has read it."""
        self._up = [one for one in self._up if one.notice is not notice]
        if self.said is notice:
            self.said = None
        if self.question is notice:
            self.question = None

    def read(self) -> None:
        """Somebody put away the one that is shown."""
        if self.question is not None:
            self.question = None
        elif self._shows_one_put_up:
            self._up.pop(0).on_read()
        elif self.pinned is not None and self.shown is self.pinned:
            self.pinned = None
        else:
            self.said = None

    def agree(self) -> None:
        """Somebody says yes to the one that is shown."""
        if self._shows_one_put_up:
            self._up.pop(0).on_yes()

    def decline(self) -> None:
        """Somebody says no to the one that is shown."""
        if self._shows_one_put_up:
            self._up.pop(0).on_no()

    @property
    def _shows_one_put_up(self) -> bool:
        return bool(self._up) and self.shown is self._up[0].notice


class FailureNotice:
    """What is said of one kind of work that failed, for as long as it is true: until it succeeds.

    Of this kind alone: what is said of another, or has to be read, stays where it is.
    """

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
