"""The lines of this run, newest last, and which of them stands in the quick-add line again.

Lines that were saved and lines that were put away, as a shell remembers its commands. What became
of a saved one is the outbox's to say.
"""

from dataclasses import dataclass, replace

from app.viewmodels.typed_line import TypedLine


@dataclass(frozen=True, slots=True)
class Remembered:
    """One line. `entry_id` is the entry it became; None while it is not, or no longer, in the list.

    `changed` is how the line stood when it was brought back, corrected, and left without saving.
    """

    line: TypedLine
    entry_id: str | None = None
    changed: TypedLine | None = None


class LineMemory:
    """Going back and forward; `current` is None while a new line is being typed."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._lines: list[Remembered] = []
        self._place: int | None = None

    @property
    def current(self) -> Remembered | None:
        """The line that was brought back, or None."""
        return None if self._place is None else self._lines[self._place]

    @property
    def newest(self) -> Remembered | None:
        """The line that was remembered last, or None."""
        return self._lines[-1] if self._lines else None

    def newest_first(self) -> tuple[Remembered, ...]:
        """Every line, the newest first."""
        return tuple(reversed(self._lines))

    def remember(self, line: TypedLine, entry_id: str | None = None) -> None:
        """Put a line behind the others."""
        self._lines.append(Remembered(line, entry_id))

    @property
    def can_go_back(self) -> bool:
        """Whether there is an older line than the current one."""
        return bool(self._lines) and self._place != 0

    def back(self) -> Remembered:
        """Go to the line before; raises LookupError where there is none."""
        if not self.can_go_back:
            raise LookupError
        self._place = (len(self._lines) if self._place is None else self._place) - 1
        return self._lines[self._place]

    def forward(self) -> Remembered | None:
        """Go to the line after; None behind the newest, where a new line is typed."""
        after = None if self._place is None else self._place + 1
        self._place = after if after is not None and after < len(self._lines) else None
        return self.current

    def bring(self, entry_id: str, line: TypedLine) -> Remembered:
        """Go to the line that became this entry; `line` is remembered when none did."""
        places = [place for place, one in enumerate(self._lines) if one.entry_id == entry_id]
        if not places:
            self.remember(line, entry_id)
        self._place = places[-1] if places else len(self._lines) - 1
        return self._lines[self._place]

    def leave(self) -> None:
        """A new line is typed again."""
        self._place = None

    def update(
        self, *, line: TypedLine | None = None, entry_id: str | None, changed: TypedLine | None
    ) -> None:
        """The current line is another one; without `line` its words stay. No-op when none is."""
        if self._place is not None:
            one = self._lines[self._place]
            self._lines[self._place] = replace(
                one, line=line or one.line, entry_id=entry_id, changed=changed
            )

    def drop(self) -> None:
        """Forget the current line: it is about to be remembered as something else."""
        if self._place is not None:
            del self._lines[self._place]
            self._place = None

    def taken_back(self, entry_id: str, line: TypedLine) -> None:
        """The line that became this entry is in the list no longer; it is the newest now."""
        here = self.current
        self._lines = [one for one in self._lines if one.entry_id != entry_id]
        self.remember(line)
        self._place = next((n for n, one in enumerate(self._lines) if one is here), None)
