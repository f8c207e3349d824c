"""What stands in the quick-add line at one moment, how it is read, and how it is kept meanwhile."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from app.model.outbox import NewPerson, OutboxEntry
from app.outbox.new_entry import whole
from app.settings.settings import SettingsStore

if TYPE_CHECKING:
    from app.people.parsing.entry_parser import NameOrder

Field = Literal["firstname", "lastname", "email"]
FIELDS: tuple[Field, ...] = ("firstname", "lastname", "email")


_NAMES: tuple[Field, ...] = ("firstname", "lastname")
_AT_SIGNS = frozenset("@\uff20\ufe6b")


def has_at_sign(name: str) -> bool:
    """Whether this is no name, but an email or a part of one."""
    return not _AT_SIGNS.isdisjoint(name)


def same_at_start(one: str, other: str) -> int:
    """How many letters at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


class LineReader:
    """Reads lines in the order of names that is set, and what is asked for again only once: each
    key press asks, then Enter.
    """

    def __init__(self, settings: SettingsStore) -> None:
        """Nothing has been read yet."""
        self._settings = settings
        self._last: tuple[str, NameOrder, NewPerson] | None = None

    @staticmethod
    def load() -> None:
        """Have ready what reads a line, for which the first key would wait otherwise."""
        import app.people.parsing.entry_parser  # noqa: F401, PLC0415 - not to start

    def read(self, text: str) -> NewPerson:
        """The person that the text says."""
        if not text.strip():
            return NewPerson()
        from app.people.parsing.entry_parser import NameOrder, read_entry  # noqa: PLC0415 - not to start

        order = NameOrder[self._settings.settings.name_order.name]
        if self._last is None or self._last[:2] != (text, order):
            self._last = text, order, read_entry(text, order)
        return self._last[2]


class TypedLine(msgspec.Struct, frozen=True):
    """The typed text, the fields corrected by hand, and a last name kept from the person before;
    `given`: who it says was named outside of the window.
    """

    typed: str = ""
    edited: Mapping[Field, str] = msgspec.field(default_factory=dict)
    kept: str = ""
    given: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to save; a last name that was kept is nobody yet."""
        return not self.typed.strip() and not self.edited

    def saying(self, text: str) -> "TypedLine":
        """The line with another text; emptied, it forgets what was corrected by hand."""
        if not text.strip():
            return TypedLine(text, kept=self.kept)
        return replace(self, typed=text)

    def with_field(self, name: Field, value: str, reader: LineReader) -> "TypedLine":
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
        first = self.reading(reader).firstname
        return replace(self, kept="", edited={**self.edited, "firstname": first, "lastname": ""})

    def with_email_in_its_field(self, reader: LineReader) -> "TypedLine":
        """The line with an address that stands in the field of a name put where it belongs.

        The same line where there is none, or an email besides.
        """
        person = self.reading(reader)
        name = next((each for each in _NAMES if has_at_sign(getattr(person, each))), None)
        if name is None or person.email:
            return self
        return replace(
            self, edited={**self.edited, name: "", "email": getattr(person, name).strip()}
        )

    def reading(self, reader: LineReader) -> NewPerson:
        """The person this line says."""
        person = reader.read(self.typed)
        if self.kept:
            from app.people.parsing.entry_parser import with_kept_last_name  # noqa: PLC0415 - as above

            person = with_kept_last_name(person, self.typed, self.kept)
        by_hand: dict[str, str] = dict(self.edited.items())
        return msgspec.structs.replace(person, **by_hand)


def line_of(entry: OutboxEntry, reader: LineReader) -> TypedLine:
    """The line that says `entry`: what was typed, and where that would be read otherwise, what not.

    Nothing is kept in it: the entry's last name is its own now.
    """
    plain = reader.read(entry.typed)
    edited: dict[Field, str] = {
        name: value
        for name in FIELDS
        if (value := getattr(entry.new_person, name)) != getattr(plain, name)
    }
    return TypedLine(entry.typed, edited)


_MARK = "\x1f"
"""Cannot be typed, so no line begins with it."""


class _Draft(msgspec.Struct, omit_defaults=True):
    typed: str = ""
    edited: dict[str, str] = {}
    kept: str = ""
    given: bool = False


def draft_of(lines: Sequence[TypedLine]) -> str:
    """`lines` as one text that outlives the program, the one that stands there first.

    Plain where only words were typed; with fields corrected by hand, a last name kept or a second
    line waiting behind, those are written out. Blank lines are left out.
    """
    said = [_whole(line) for line in lines if not line.empty or line.kept]
    if not said:
        return ""
    if len(said) == 1 and said[0] == TypedLine(said[0].typed):
        return said[0].typed
    rows = [_Draft(line.typed, _by_name(line), line.kept, line.given) for line in said]
    return _MARK + msgspec.json.encode(rows).decode()


def lines_of(text: str) -> tuple[TypedLine, ...]:
    """The lines of such a text; one that is damaged is a line as it stands."""
    if not text.startswith(_MARK):
        return (TypedLine(text),) if text.strip() else ()
    try:
        rows = msgspec.json.decode(text[len(_MARK) :], type=list[_Draft])
    except (msgspec.MsgspecError, RecursionError):
        return (TypedLine(text.lstrip(_MARK)),)
    return tuple(TypedLine(row.typed, _fields(row.edited), row.kept, row.given) for row in rows)


def _whole(line: TypedLine) -> TypedLine:
    edited = {name: whole(value) for name, value in line.edited.items()}
    return TypedLine(whole(line.typed), edited, whole(line.kept), line.given)


def _by_name(line: TypedLine) -> dict[str, str]:
    return {str(name): value for name, value in line.edited.items()}


def _fields(edited: dict[str, str]) -> dict[Field, str]:
    return {name: edited[name] for name in FIELDS if name in edited}
