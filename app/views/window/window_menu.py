"""What the window does by key or from its menu, each with its words, and that menu: said here and
nowhere else, so that the palette offers it and the help tells its keys.

By itself: the header only has the button that opens the menu, while its keys act wherever somebody
is.
"""

from collections.abc import Callable

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.views.look.icons import icon
from app.views.widgets.buttons import set_flag
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import literal, native_keys
from app.views.widgets.menus import Menu
from app.views.window.page_stack import PageStack

Keys = QKeySequence | QKeySequence.StandardKey | str | None
SIZE_KEYS = QKeySequence("Ctrl+Shift+M")
"""From the large window to the small one, and back."""


class WindowAction(GuardedOverrides, QAction):
    """Its keys act in the whole of the window."""

    def __init__(
        self,
        parent: QWidget,
        name: str,
        words: str,
        keys: Keys,
        act: Callable[[], object],
        *,
        picture: str = "",
        further_words: str = "",
        can_be_done: Callable[[], bool] | None = None,
    ) -> None:
        """`name` is what it is remembered by, whatever the language; it is found by `further_words`
        too; `can_be_done` is asked by whoever offers it, while its keys are heard either way.
        """
        super().__init__(literal(words), parent)
        self.setObjectName(name)
        self.picture = picture
        self.further_words = further_words
        self._can_be_done = can_be_done
        if picture:
            self.setIcon(icon(picture))
        if keys is not None:
            self.setShortcut(QKeySequence(keys))
        self.triggered.connect(act)

    @property
    def offered(self) -> bool:
        """Whether it leads anywhere now."""
        if not (self.isVisible() and self.isEnabled()):
            return False
        return self._can_be_done is None or self._can_be_done()

    @property
    def words(self) -> str:
        """What it is called, as it is read."""
        return self.text().replace("&&", "&")

    @property
    def keys_text(self) -> str:
        """Its keys as they are written on this system; blank for none."""
        return native_keys(self.shortcut())


class WindowMenu(Menu):
    """Entries for lists are there only while an account is shown."""

    list_wanted = Signal()
    """A list of people, from a file that is to be chosen."""
    begun_list_wanted = Signal()
    """The list that somebody has begun to look over."""
    table_wanted = Signal()
    """A spreadsheet of what is shown."""
    cards_wanted = Signal()
    """Contact cards of people."""
    refresh_wanted = Signal()
    history_wanted = Signal()
    print_wanted = Signal()
    """What the view in hand shows, on paper."""
    print_all_wanted = Signal()
    """All flows, as a booklet."""
    picture_copy_wanted = Signal()
    """The flow in sight as a picture, to paste."""
    """The same as a file."""
    save_wanted = Signal()
    """A connection file for a colleague."""
    size_wanted = Signal()
    """The small window, or the large one again."""
    settings_wanted = Signal()
    help_wanted = Signal()
    about_wanted = Signal()
    sign_out_wanted = Signal()
    quit_wanted = Signal()
    palette_wanted = Signal()
    """Everything, by a few letters of its name."""

    def __init__(self, window: QWidget, pages: PageStack, files: ConnectionFiles) -> None:
        """The keys act in the whole of `window`, the menu being open or not."""
        super().__init__(window)
        self._window = window
        self._pages = pages
        self._files = files
        keys = QKeySequence.StandardKey
        self._entry(
            "palette", tr("Find anything…"), "search", self.palette_wanted, QKeySequence("Ctrl+K")
        )
        self._list = self._entry(
            "list",
            tr("Add from a list…"),
            "add",
            self.list_wanted,
            keys.Open,
            further_words=tr("import excel csv file upload many"),
        )
        self._begun_list = self._entry(
            "begun-list", tr("Go on with a list"), "file", self.begun_list_wanted
        )
        self._begun_list.setVisible(False)
        self._table = self._entry(
            "table",
            tr("Save as a spreadsheet…"),
            "file",
            self.table_wanted,
            QKeySequence("Ctrl+Shift+S"),
            further_words=tr("export excel csv download"),
        )
        self._cards = self._entry(
            "cards",
            tr("Save as contact cards…"),
            "person",
            self.cards_wanted,
            further_words=tr("export vcard phone download"),
        )
        self._refresh = self._entry(
            "refresh",
            tr("Read both lists again"),
            "refresh",
            self.refresh_wanted,
            keys.Refresh,
            further_words=tr("reload update sync"),
        )
        self._history = self._entry(
            "history",
            tr("History"),
            "history",
            self.history_wanted,
            QKeySequence("Ctrl+Shift+H"),
            further_words=tr("sent past"),
        )
        self._print = self._entry(
            "print",
            tr("Print…"),
            "print",
            self.print_wanted,
            keys.Print,
            further_words=tr("pdf paper"),
        )
        self._print_all = self._entry(
            "print-all",
            tr("Print all flows…"),
            "print",
            self.print_all_wanted,
            further_words=tr("pdf paper"),
        )
        self._copy_picture = self._entry(
            "copy-picture", tr("Copy flow as a picture"), "copy", self.picture_copy_wanted
        )
        self._save = self._entry(
            "connection",
            tr("Save a connection file for a colleague"),
            "file",
            self.save_wanted,
            further_words=tr("share export"),
        )
        self._between = self.addSeparator()
        self._size = self._entry(
            "window-size",
            tr("Small window"),
            "small-window",
            self.size_wanted,
            SIZE_KEYS,
            further_words=tr("mini compact"),
        )
        self._entry(
            "settings",
            tr("Settings"),
            "settings",
            self.settings_wanted,
            QKeySequence("Ctrl+,"),
            further_words=tr("options preferences"),
        )
        self._entry(
            "help",
            tr("Keys and help"),
            "help",
            self.help_wanted,
            keys.HelpContents,
            further_words=tr("shortcuts manual"),
        )
        self._entry(
            "about",
            tr("About Front Desk"),
            "help",
            self.about_wanted,
            further_words=tr("version licence license problem error bug support"),
        )
        self.addSeparator()
        self._sign_out = self._entry(
            "sign-out",
            tr("Sign out"),
            "sign-out",
            self.sign_out_wanted,
            further_words=tr("log out off switch"),
        )
        self._entry(
            "quit",
            tr("Quit"),
            "close",
            self.quit_wanted,
            QKeySequence("Ctrl+Q"),
            further_words=tr("exit close end"),
        )
        # Which flow is in sight is known to its tab alone.
        self.aboutToShow.connect(self.fit)

    def fit(self) -> None:
        """Show what can be done now: with an account, with what is in sight, which may be printed,
        and with the flow that is.
        """
        account = self._pages.workspace is not None
        page = self._pages.inner_page
        lists = self._pages.workspace if page is None else None
        can_print = page is None or (isinstance(page, InnerPage) and page.can_print)
        flow_in_sight = lists is not None and lists.flow_in_sight is not None
        for action in (
            self._list,
            self._table,
            self._cards,
            self._refresh,
            self._history,
            self._between,
            self._sign_out,
        ):
            action.setVisible(account)
        self._save.setVisible(account and self._files.can_save)
        self._print.setVisible(account and can_print)
        self._print_all.setVisible(account)
        self._copy_picture.setVisible(flow_in_sight)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        set_flag(self, "low", on)

    def shrink(self, *, on: bool) -> None:
        """Whether the window is small, so that its size is changed to the large one."""
        self._size.setText(literal(tr("Large window") if on else tr("Small window")))

    def show_begun_list(self, words: str) -> None:
        """Offer to go on with a list; blank for none."""
        self._begun_list.setText(literal(words or tr("Go on with a list")))
        self._begun_list.setVisible(bool(words))

    def _entry(
        self,
        name: str,
        words: str,
        picture: str,
        wanted: SignalInstance,
        keys: QKeySequence | QKeySequence.StandardKey | None = None,
        *,
        further_words: str = "",
    ) -> WindowAction:
        action = WindowAction(
            self, name, words, keys, wanted.emit, picture=picture, further_words=further_words
        )
        self.addAction(action)
        # Known to the window too, its keys act while the menu is closed.
        self._window.addAction(action)
        return action
