"""Closing the window into the tray and bringing it back to the front: neither the window nor
the icon in the tray knows the other.
"""

from typing import TYPE_CHECKING

from app.viewmodels.tray.tray import TrayScreen, TrayState
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.views.window.main_window import MainWindow
from app.workspace.closing import Closing
from app.workspace.update_notice import UpdateNotice

if TYPE_CHECKING:
    from app.views.tray.tray_icon import TrayIcon


def has_tray() -> bool:
    """Whether this desktop has a tray now."""
    from app.views.tray.tray_icon import tray_available  # noqa: PLC0415 - where it is chosen

    return tray_available()


class WindowAndTray:
    """Closes the window and brings it back, with an icon in the tray where one was chosen."""

    def __init__(
        self, window: MainWindow, tray: TrayScreen, closing: Closing, updates: UpdateNotice
    ) -> None:
        """The icon is built when it is first shown."""
        self._window = window
        self._tray = tray
        self._closing = closing
        self._updates = updates
        self._icon: TrayIcon | None = None
        self._is_in_tray = False
        window.close_wanted.connect(self.close_window)
        window.quit_wanted.connect(closing.ask_to_quit)
        window.sign_out_wanted.connect(closing.ask_to_sign_out)
        window.lists_shown.connect(self._follow)
        window.lists_left.connect(self._follow)
        tray.state_changed.connect(self._show_icon)
        self._show_icon(tray.state)

    def close_window(self) -> None:
        """Leave the program in the tray, if somebody wants that and there is one; else end it."""
        if self._icon is None or not self._tray.hides:
            self._closing.ask_to_quit()
            return
        self._is_in_tray = True
        self._window.hide()
        if words := self._tray.leaving_words():
            self._icon.say(words)

    def come_to_front(self) -> None:
        """Somebody started the program again: this is its window, also where it was just closed.

        What was asked about closing is answered by that: it is not to close, nor by itself later.
        """
        self._closing.take_question_back()
        self._show_window()

    def say_anew(self) -> None:
        """Another language is spoken."""
        self._tray.say_anew()
        if self._icon is not None:
            self._icon.say_anew()

    def end(self) -> None:
        """Take the icon away; the window is closed by whoever ends the program."""
        if self._icon is not None:
            self._icon.close()

    def _show_window(self) -> None:
        self._updates.tell_if_updated()
        if self._closing.stay() or self._is_in_tray:
            self._window.show()
        self._is_in_tray = False
        self._window.come_to_front()

    def _follow(self, screens: WorkspaceScreens | None = None) -> None:
        self._tray.follow(screens.status if screens is not None else None)

    def _show_icon(self, state: TrayState) -> None:
        if not state.shown or self._icon is not None:
            return
        from app.views.tray.tray_icon import TrayIcon  # noqa: PLC0415 - where it is chosen

        self._icon = TrayIcon(self._tray)
        self._icon.add_wanted.connect(self._add)
        self._icon.open_wanted.connect(self.come_to_front)
        self._icon.quit_wanted.connect(self._quit)

    def _add(self) -> None:
        if not self._window.isVisible() and self._window.screens is not None:
            self._window.show_small(lent=True)
        self.come_to_front()
        self._window.type_person()

    def _quit(self) -> None:
        self._closing.ask_to_quit()
        if self._closing.asks:
            # There is something to be asked first.
            self._show_window()
