"""What somebody chose for this computer. Who acts on a choice is not known here: it is published.

The choices hold for every account; where somebody was in one account is left to `saved_states`.
"""

import logging
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack

import msgspec

from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.files import KeptFile
from app.runtime.words import tr

_log = logging.getLogger(__name__)
LONGEST_HOLD = 30
"""Seconds. Longer, and people would close the window on entries that never left."""


class ThemeChoice(StrEnum):
    """Which of the two palettes is shown."""

    SYSTEM = "system"
    """The one the system shows, changing with it."""
    LIGHT = "light"
    DARK = "dark"


class NameOrderChoice(StrEnum):
    """How a typed name is read when nothing in it says which word is which."""

    FIRST_LAST = "first last"
    LAST_FIRST = "last first"


class PaperSize(StrEnum):
    """What is printed on."""

    A4 = "A4"
    LETTER = "Letter"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every choice.

    `hold_seconds`: how long a new entry can still be undone before it is sent.

    `keep_on_this_computer`: whether what was seen and done in an account may outlive this run.
    `motion`: whether things on the screen may move. `contrast`: whether there is more of it also
    where the system does not ask for it. `semicolons`: whether copied addresses stand
    apart by these, as Outlook takes them. `paper`: None for that of the country. `language`: the
    code of the one that is spoken, blank for the system's. `small_above`: whether the small window
    stays above other windows.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    name_order: NameOrderChoice = NameOrderChoice.FIRST_LAST
    hold_seconds: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_HOLD)] = 5
    keep_on_this_computer: bool = True
    motion: bool = True
    contrast: bool = False
    semicolons: bool = False
    paper: PaperSize | None = None
    language: str = ""
    small_above: bool = False


class Changes(TypedDict, total=False):
    """Some of the choices, by the names they have in `Settings`."""

    theme: ThemeChoice
    name_order: NameOrderChoice
    hold_seconds: int
    keep_on_this_computer: bool
    motion: bool
    contrast: bool
    semicolons: bool
    paper: PaperSize | None
    language: str
    small_above: bool


class SettingsChanged(msgspec.Struct, frozen=True):
    """Published when a choice has become another one; it holds from now on."""

    settings: Settings


class SettingsError(ExpectedError):
    """A choice holds now, but could not be written down, so the next start will not know it."""


class SettingsStore:
    """The choices in force, and the file that brings them to the next start."""

    def __init__(self, folder: Path | None, events: EventBus) -> None:
        """Read the file in `folder`; None keeps nothing. What cannot be read has its default."""
        self._file = KeptFile(folder, "settings.json")
        self._events = events
        self._unwritten = False
        self._not_understood: dict[str, Any] = {}
        self._settings = self._read() or Settings()

    @property
    def settings(self) -> Settings:
        """The choices in force."""
        return self._settings

    def change(self, **changes: Unpack[Changes]) -> Settings:
        """Choose anew; gives the choices now in force, which are also published.

        Raises SettingsError when the file cannot be written (the choice holds until the end of
        this run all the same), and ValueError for a value outside its range.
        """
        before = self._settings
        # Another window may have written in the meantime: its choices are not undone by this one.
        latest = before if self._unwritten else self._read() or before
        wanted = _checked(msgspec.structs.replace(latest, **changes))
        chosen_anew = self._not_understood.keys() & changes.keys()
        for name in chosen_anew:
            del self._not_understood[name]
        try:
            if wanted != latest or self._unwritten or chosen_anew:
                self._write(wanted)
        finally:
            self._settings = wanted
            if wanted != before:
                self._events.publish(SettingsChanged(wanted))
        return wanted

    def _read(self) -> Settings | None:
        content = self._file.read()
        if content is None:
            return None
        try:
            chosen = msgspec.json.decode(content, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._file.set_aside()
            return None
        read = _understood(chosen)
        self._not_understood = {name: value for name, value in chosen.items() if name not in read}
        return Settings(**read)

    def _write(self, settings: Settings) -> None:
        # A newer version wrote the others, and finds them again.
        content = {**msgspec.to_builtins(settings), **self._not_understood}
        try:
            self._file.write(msgspec.json.format(msgspec.json.encode(content)))
        except OSError as error:
            self._unwritten = True
            raise SettingsError(
                tr("The setting could not be kept"),
                tr(
                    "This holds until you close the window: "
                    "Front Desk could not write to its folder."
                ),
                details=str(error),
            ) from error
        self._unwritten = False


def _understood(chosen: dict[str, Any]) -> dict[str, Any]:
    """The choices that can be read: one bad line does not cost the rest."""
    read: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        if field.name not in chosen:
            continue
        try:
            read[field.name] = msgspec.convert(chosen[field.name], field.type)
        except msgspec.ValidationError:
            _log.warning("the setting %s cannot be read and has its default", field.name)
    return read


def _checked(settings: Settings) -> Settings:
    """The same; raises ValueError (msgspec.ValidationError) for a value outside its range."""
    return msgspec.convert(msgspec.to_builtins(settings), Settings)
