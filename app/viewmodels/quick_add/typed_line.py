"""What stands in the quick-add line at one moment, and how it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from app.model.outbox import NewPerson, OutboxEntry
from app.people.parsing.entry_parser import with_kept_last_name

Field = Literal["firstname", "lastname", "email"]
FIELDS: tuple[Field, ...] = ("firstname", "lastname", "email")
Read = Callable[[str], NewPerson]


class ReadOnce:
    """Reads a text once, however often it is asked for: by each key press, then by Enter."""

    def __init__(self, read: Read) -> None:
        """`read` reads a line."""
        self._read = read
        self._last: tuple[str, NewPerson] | None = None

    def __call__(self, text: str) -> NewPerson:
        """The person that the text says."""
        if self._last is None or self._last[0] != text:
            self._last = text, self._read(text)
        return self._last[1]

    def forget(self) -> None:
        """From now on it may be read otherwise."""
        self._last = None


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The typed text, the fields corrected by hand, and a last name kept from the person before."""

    typed: str = ""
    edited: Mapping[Field, str] = field(default_factory=dict)
    kept: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to save; a last name that was kept is nobody yet."""
        return not self.typed.strip() and not self.edited

    def saying(self, text: str) -> "TypedLine":
        """The line with another text; emptied, it forgets what was corrected by hand."""
        return replace(self, typed=text, edited=self.edited if text.strip() else {})

    def with_field(self, name: Field, value: str, read: Read) -> "TypedLine":
        """The line with one field of its reading as somebody corrected it by hand.

        The last name that is kept is corrected where it stands; emptied, it is kept no longer, and
        the first name stays as it was read with it.
        """
        if name != "lastname" or not self.kept:
            return replace(self, edited={**self.edited, name: value})
        if value.strip():
            return replace(self, kept=value)
        if self.empty:
            return replace(self, kept="")
        first = self.reading(read).firstname
        return replace(self, kept="", edited={**self.edited, "firstname": first, "lastname": ""})

    def reading(self, read: Read) -> NewPerson:
        """The person this line says."""
        person = with_kept_last_name(read(self.typed), self.typed, self.kept)
        by_hand: dict[str, str] = dict(self.edited.items())
        return msgspec.structs.replace(person, **by_hand)


def line_of(entry: OutboxEntry, read: Read) -> TypedLine:
    """The line that says `entry`: what was typed, and where that would be read otherwise, what not.

    Nothing is kept in it: the entry's last name is its own now.
    """
    plain = read(entry.typed)
    edited: dict[Field, str] = {
        name: value
        for name in FIELDS
        if (value := getattr(entry.new_person, name)) != getattr(plain, name)
    }
    return TypedLine(entry.typed, edited)
