"""What can be done now, by the menu, by keys and with the chosen rows: the palette offers it, and
the help tells its keys.

By itself: both ask the same of whatever is shown, and nothing of what stands around it.
"""

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.runtime.words import tr
from app.viewmodels.command_palette.command import Command, CommandKind, commands_of
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.help.help import KeyBinding, PageKind, help_of
from app.viewmodels.settings.settings_choices import SettingsChoice, further_words_of, name_of
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import native_keys
from app.views.window.page_stack import PageStack
from app.views.window.window_menu import WindowAction, WindowMenu
from app.views.window.workspace_page import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.views.command_palette.command_palette import CommandPalette, Offer

_PALETTE = "palette"
"""What opens the palette is not in it."""


class AvailableActions(GuardedOverrides, QObject):
    """Made once the window has all of its actions; goes with its menu."""

    help_wanted = Signal(object)
    """Carries the `Help` for where somebody is."""
    destination_chosen = Signal(object)
    """Carries the `Command` of a person or a flow to be gone to."""
    setting_wanted = Signal(object)
    """Carries the `SettingsChoice` to be gone to."""

    def __init__(self, window: QMainWindow, menu: WindowMenu, pages: PageStack) -> None:
        """Those of `window` that are in `menu` come behind the others."""
        super().__init__(menu)
        self._window = window
        self._menu = menu
        self._pages = pages
        self._palette: CommandPalette | None = None
        for each in self._all():
            if each.objectName() != _PALETTE:
                each.triggered.connect(self.close_palette)

    @property
    def offered(self) -> list[WindowAction]:
        """Everything that menu and keys of the window do and that leads somewhere now."""
        return [each for each in self._all() if each.offered and each.objectName() != _PALETTE]

    def open_palette(self) -> None:
        """One field for everything; from wherever the keyboard is, which comes back there. Asked
        for once more, it closes.
        """
        if self._palette is not None and self._palette.isVisible():
            self._palette.close_again()
        else:
            self._open()

    @property
    def typed_in_palette(self) -> tuple[str, Command | None] | None:
        """What stands in the palette, and the row that somebody has gone down to; None where it is
        not open.
        """
        if self._palette is None or not self._palette.isVisible():
            return None
        return self._palette.field.text(), self._palette.went_down_to

    def reopen_palette(self, typed: str, chosen: Command | None) -> None:
        """It was open before there were lists: offer what is in them as well for what was typed,
        with the row still chosen that was.
        """
        self.close_palette()
        palette = self._open(typed)
        if chosen is not None:
            palette.go_down_to(chosen)

    def _open(self, typed: str = "") -> "CommandPalette":
        self._menu.fit()
        if self._palette is None:
            from app.viewmodels.command_palette.command_palette import (  # noqa: PLC0415 - when asked for
                CommandPaletteScreen,
            )
            from app.views.command_palette.command_palette import (  # noqa: PLC0415 - as above
                CommandPalette,
            )

            self._palette = CommandPalette(CommandPaletteScreen(), self._window)
            self._palette.destination_chosen.connect(self.destination_chosen)
        lists = self._pages.workspace
        account = lists.screens.named if lists is not None else None
        offers = [(_command(each), each.trigger) for each in self.offered]
        said = {command.words for command, _ in offers}
        # What both say is done by either: of a flow that is in sight, say.
        of_rows = [one for one in self._offers_of_rows() if one[0].words not in said]
        of_page = [*self._offers_of_page(), *of_rows]
        self._palette.open([*offers, *of_page, *self._offers_of_settings()], account)
        self._palette.field.setText(typed)
        return self._palette

    def close_palette(self) -> None:
        """A key of the window did something else; where that moved the keyboard, it stays there."""
        if self._palette is not None:
            self._palette.close_again()

    def drop_palette(self) -> None:
        """It is to be built again, in another language."""
        if self._palette is not None:
            self._palette.deleteLater()
            self._palette = None

    def ask_for_help(self) -> None:
        """Tell the keys that do something now, and those of the page that is shown."""
        self._menu.fit()
        keys = [
            KeyBinding((each.shortcut().toString(),), each.words)
            for each in self._all()
            if each.offered and not each.shortcut().isEmpty()
        ]
        self.help_wanted.emit(help_of(self._page_kind(), keys))

    def _all(self) -> list[WindowAction]:
        in_menu = set(self._menu.actions())
        actions = [each for each in self._window.actions() if isinstance(each, WindowAction)]
        # What is done most has keys, and no line in the menu.
        return sorted(actions, key=in_menu.__contains__)

    def _offers_of_rows(self) -> "Iterator[Offer]":
        """What the menu of the chosen rows offers, or the first page."""
        first_start = self._pages.first_start_if_built
        if first_start is not None and self._pages.currentWidget() is first_start:
            yield from first_start.offers()
        shown = self._inner_page or self._pages.lists_in_sight
        menu = shown.row_menu() if shown is not None else None
        if menu is None:
            return
        groups, act = menu
        for command, item in commands_of(groups):
            keys = native_keys(QKeySequence(command.keys))
            yield replace(command, keys=keys), partial(act, item)

    @property
    def _inner_page(self) -> InnerPage | None:
        in_sight = self._pages.currentWidget()
        return in_sight if isinstance(in_sight, InnerPage) else None

    def _offers_of_page(self) -> "Iterator[Offer]":
        """What the keys of the page that is shown do."""
        if self._inner_page is not None:
            yield from self._inner_page.offers()

    def _offers_of_settings(self) -> "Iterator[Offer]":
        for choice in SettingsChoice:
            # That they are settings is one of the further words: whoever types a name that begins
            # so is not to find all of them first.
            further = f"{tr('Settings')} {further_words_of(choice)}"
            command = Command(
                CommandKind.SETTING,
                choice.value,
                name_of(choice),
                icon="settings",
                further_words=further,
            )
            yield command, partial(self.setting_wanted.emit, choice)

    def _page_kind(self) -> PageKind:
        if isinstance(self._pages.inner_page, InnerPage):
            return self._pages.inner_page.page_kind
        if self._pages.workspace is None:
            return PageKind.NO_ACCOUNT
        return PageKind.PEOPLE if self._pages.workspace.currentIndex() == PEOPLE else PageKind.FLOWS


def _command(action: WindowAction) -> Command:
    return Command(
        CommandKind.ACTION,
        action.objectName(),
        action.words,
        keys=action.keys_text,
        icon=action.picture,
        further_words=action.further_words,
    )
