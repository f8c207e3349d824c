"""The header: account, connection, tabs, search, and the menu of what concerns the whole window."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.notices import NoticeAction
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.session_state import SessionScreenState
from app.views.widgets.buttons import ToolButton, button, label, set_flag
from app.views.widgets.icons import Badge, icon
from app.views.widgets.labels import (
    ElidingLabel,
    literal,
    native_keys,
    set_tip,
)
from app.views.widgets.layouts import FocusInset
from app.views.widgets.menus import Menu
from app.views.widgets.theme import ICON, SPACE, colour, tokens
from app.views.window.window_action import WindowAction

SIZE_KEYS = QKeySequence("Ctrl+Shift+M")
"""From the large window to the small one, and back."""


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
    picture_file_wanted = Signal()
    """The same as a file."""
    save_wanted = Signal()
    """A connection file for a colleague."""
    size_wanted = Signal()
    """The small window, or the large one again."""
    settings_wanted = Signal()
    help_wanted = Signal()
    report_wanted = Signal()
    """What whoever helps has to know, to be read and saved."""
    about_wanted = Signal()
    sign_out_wanted = Signal()
    quit_wanted = Signal()
    palette_wanted = Signal()
    """Everything, by a few letters of its name."""

    def __init__(self, window: QWidget) -> None:
        """The keys act in the whole of `window`, the menu being open or not."""
        super().__init__(window)
        self._window = window
        keys = QKeySequence.StandardKey
        self._entry(
            "palette", tr("Find anything…"), "search", self.palette_wanted, QKeySequence("Ctrl+K")
        )
        self._list = self._entry("list", tr("Add from a list…"), "add", self.list_wanted, keys.Open)
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
        )
        self._cards = self._entry(
            "cards", tr("Save as contact cards…"), "person", self.cards_wanted
        )
        self._refresh = self._entry(
            "refresh", tr("Read both lists again"), "refresh", self.refresh_wanted, keys.Refresh
        )
        self._history = self._entry(
            "history", tr("History"), "history", self.history_wanted, QKeySequence("Ctrl+Shift+H")
        )
        self._print = self._entry("print", tr("Print…"), "print", self.print_wanted, keys.Print)
        self._print_all = self._entry(
            "print-all", tr("Print all flows…"), "print", self.print_all_wanted
        )
        self._copy_picture = self._entry(
            "copy-picture", tr("Copy flow as a picture"), "copy", self.picture_copy_wanted
        )
        self._save_picture = self._entry(
            "save-picture", tr("Save flow as a picture…"), "file", self.picture_file_wanted
        )
        self._save = self._entry(
            "connection", tr("Save a connection file for a colleague"), "file", self.save_wanted
        )
        self._between = self.addSeparator()
        self._entry("window-size", tr("Small window"), "small-window", self.size_wanted, SIZE_KEYS)
        self._entry(
            "settings", tr("Settings"), "settings", self.settings_wanted, QKeySequence("Ctrl+,")
        )
        self._entry(
            "help",
            tr("Keys and help"),
            "help",
            self.help_wanted,
            keys.HelpContents,
        )
        self._entry("report", tr("Save a report…"), "file", self.report_wanted)
        self._entry("about", tr("About Front Desk"), "help", self.about_wanted)
        self.addSeparator()
        self._sign_out = self._entry("sign-out", tr("Sign out"), "sign-out", self.sign_out_wanted)
        self._entry("quit", tr("Quit"), "close", self.quit_wanted, QKeySequence("Ctrl+Q"))

    def fit(self, *, account: bool, can_save: bool, can_print: bool, flow_in_sight: bool) -> None:
        """Show what can be done: `account` is shown, a colleague could use a file of it, what is in
        sight can be printed, and is one flow.
        """
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
        self._save.setVisible(can_save)
        self._print.setVisible(can_print)
        self._print_all.setVisible(account)
        self._copy_picture.setVisible(flow_in_sight)
        self._save_picture.setVisible(flow_in_sight)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        set_flag(self, "low", on)

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
    ) -> WindowAction:
        action = WindowAction(self, name, words, keys, wanted.emit, picture=picture)
        self.addAction(action)
        # Known to the window too, its keys act while the menu is closed.
        self._window.addAction(action)
        return action


_LETTERS = 42
"""How many letters wide it is at most, what stands at its ends included."""
_LEAST_LETTERS = 26
_EDGE = 6
_DOWN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class SearchField(Guarded, QLineEdit):
    """An ordinary line with an icon, a hint of its keys and, with text in it, a way to clear it."""

    entered = Signal()
    """Enter, before `left`: somebody means what was found."""
    left = Signal()
    """Enter, the key downwards, or Escape in an empty line: on to what was found."""

    def __init__(self, parent: QWidget | None = None, *, on_a_page: bool = False) -> None:
        """Empty. `on_a_page`: Escape in an empty line is the page's, which is left by it."""
        super().__init__(parent)
        self._on_a_page = on_a_page
        self._mark = Badge("search", "soft", 4 * SPACE)
        self._keys = label(_keys(), "badge")
        self._keys.setAccessibleName(tr("Search: {keys}", keys=_keys()))
        self._clear = QToolButton()
        self._clear.setProperty("role", "inner")
        self._clear.setIcon(icon("close", "soft"))
        self._clear.setAccessibleName(tr("Clear the search"))
        set_tip(self._clear, tr("Clear the search (Escape)"))
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.clicked.connect(self.clear)
        within = QHBoxLayout(self)
        within.setContentsMargins(2 * _EDGE, 0, _EDGE, 0)
        within.addWidget(self._mark)
        within.addStretch(1)
        for each in (self._keys, self._clear):
            within.addWidget(each, 0, Qt.AlignmentFlag.AlignVCenter)
        letter = self.fontMetrics().averageCharWidth()
        self.setMinimumWidth(letter * _LEAST_LETTERS)
        self.setMaximumWidth(letter * _LETTERS)
        self.textChanged.connect(self._show)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text ends before what stands at its end."""
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        """In a mirrored language the text ends on the other side."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._make_room()

    def event(self, event: QEvent) -> bool:
        """Escape is the search field's before it is that of what stands around it."""
        override = event.type() is QEvent.Type.ShortcutOverride
        its_own = bool(self.text()) or not self._on_a_page
        if (
            override
            and its_own
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From the field down into the list, or the field is emptied."""
        if event.key() in _DOWN:
            if event.key() != Qt.Key.Key_Down:
                self.entered.emit()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
        else:
            self.left.emit()

    def _show(self) -> None:
        self._keys.setVisible(not self.text())
        self._clear.setVisible(bool(self.text()))
        self._make_room()

    def _make_room(self) -> None:
        shown = self._clear if self.text() else self._keys
        before, behind = self._mark.width() + _EDGE, shown.sizeHint().width()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left, right = (behind, before) if mirrored else (before, behind)
        self.setTextMargins(left, 0, right, 0)


def _keys() -> str:
    return native_keys(QKeySequence(QKeySequence.StandardKey.Find)).replace("+", " ")


_MARGINS, _TIGHT_MARGINS, _SMALL_MARGINS = (20, 12, 20, 8), (20, 3, 20, 2), (14, 8, 14, 6)
_NAME_LETTERS = 48
"""How many letters wide the account's name is at most; longer ones end in dots."""


class Header(Guarded, QWidget):
    """Bound to the session; tabs and search are shown once there are lists to show."""

    searched = Signal(str)
    tab_clicked = Signal()
    """A tab was clicked, chosen already or not."""
    sign_in_wanted = Signal()
    large_wanted = Signal()
    """Somebody goes back from the small window."""

    def __init__(self, session: SessionScreen, menu: QMenu, parent: QWidget | None = None) -> None:
        """`menu` opens at the end of the header."""
        super().__init__(parent)
        self._session = session
        self._name = ElidingLabel("heading")
        self._dot = _Dot()
        self._state = label("", "small")
        self._state_action = button("", self._act, "link")
        self._state_action.setProperty("small", "true")
        self.tabs = QTabBar()
        self.tabs.setProperty("role", "tabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("People or flows"))
        for words, keys in ((tr("People"), "Ctrl+1"), (tr("Flows"), "Ctrl+2")):
            self.tabs.setTabToolTip(self.tabs.addTab(words), keys)
        self.tabs.tabBarClicked.connect(self._tab_clicked)
        self.search = SearchField()
        policy = self.search.sizePolicy()
        # The tabs do not move when a page is shown that cannot be searched.
        policy.setRetainSizeWhenHidden(True)
        self.search.setSizePolicy(policy)
        self.search.textChanged.connect(self.searched)
        self.menu_button = _menu_button(menu)
        self.to_large = button(tr("Large window"), self.large_wanted.emit, "link")
        set_tip(self.to_large, native_keys(SIZE_KEYS))
        self._lists_shown = self._searchable = self._small = False
        self.controls = (
            self._state_action,
            self.tabs,
            self.search,
            self.menu_button,
            self.to_large,
        )
        """What takes the keyboard, in reading order."""
        self._lay_out()
        session.state_changed.connect(self._show)
        self._show(session.state)

    def show_lists(self, shown: bool, *, searchable: bool = True) -> None:  # noqa: FBT001 - a plain switch, like setVisible
        """Show or hide what only makes sense with lists below; `searchable`: they are in sight."""
        self._lists_shown, self._searchable = shown, searchable
        self.tabs.setVisible(shown and not self._small)
        self.search.setVisible(shown and searchable and not self._small)
        self._state_row.setVisible(shown)

    def shrink(self, *, on: bool) -> None:
        """Whether it stands above the small window: then it leads back to the large one."""
        self._small = on
        policy = self.search.sizePolicy()
        policy.setRetainSizeWhenHidden(not on)
        self.search.setSizePolicy(policy)
        self.menu_button.setVisible(not on)
        self._lead_to_large()
        self.show_lists(self._lists_shown, searchable=self._searchable)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        layout = self.layout()
        if layout is not None:
            tight = _SMALL_MARGINS if self._small else _TIGHT_MARGINS
            layout.setContentsMargins(*(tight if on else _MARGINS))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS)
        row.setSpacing(16)
        whose = QWidget()
        whose.setMaximumWidth(self.fontMetrics().averageCharWidth() * _NAME_LETTERS)
        names = QVBoxLayout(whose)
        names.setContentsMargins(0, 0, 0, 0)
        names.setSpacing(1)
        names.addWidget(self._name)
        self._state_row = QWidget()
        state = QHBoxLayout(self._state_row)
        state.setContentsMargins(0, 0, 0, 0)
        state.setSpacing(6)
        state.addWidget(self._dot)
        state.addWidget(self._state)
        state.addWidget(self._state_action)
        state.addStretch(1)
        # The link may come and go; what lies below must not move.
        self._state_row.setMinimumHeight(self._state_action.sizeHint().height())
        names.addWidget(self._state_row)
        # The tabs stay where they are, whatever is said beside them.
        row.addWidget(whose, 3)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.search, 5)
        row.addWidget(self.menu_button)
        row.addLayout(FocusInset(self.to_large, air=False))
        self.to_large.hide()

    def _show(self, state: SessionScreenState) -> None:
        action, words = state.state_action, state.state_words
        # To sign in again the words themselves are the link: "Sign in again before noon".
        itself = action is NoticeAction.SIGN_IN_AGAIN
        self._name.setText(state.account_name or tr("Front Desk"))
        self._state.setText("" if itself else words)
        self._state.setVisible(not itself)
        self._state_action.setText(words if itself else tr("Try now"))
        self._state_action.setVisible(action is not NoticeAction.NOTHING)
        self._state_action.setEnabled(not state.work_words)
        self._dot.set_attention(needed=state.needs_attention)
        self._lead_to_large()

    def _lead_to_large(self) -> None:
        # Where nobody is signed in the page below leads there.
        out = self._session.state.asks_to_sign_in
        self.to_large.setVisible(self._small and not out)

    def _tab_clicked(self, _index: int) -> None:
        self.tab_clicked.emit()

    def _act(self) -> None:
        if self._session.state.state_action is NoticeAction.CHECK_CONNECTION:
            self._session.check_connection()
        else:
            self.sign_in_wanted.emit()


def _menu_button(menu: QMenu) -> QToolButton:
    made = ToolButton()
    made.setText(tr("Menu"))
    made.setIcon(icon("menu"))
    made.setIconSize(QSize(ICON, ICON))
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    made.setMenu(menu)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


class _Dot(Guarded, QWidget):
    """A small round mark beside the words that say the same."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(8, 8)
        self._attention = False

    def set_attention(self, *, needed: bool) -> None:
        """Amber when something is needed from the person."""
        self._attention = needed
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A filled circle when all is well, a ring when not: told apart without colour too."""
        look = tokens()
        ink: QColor = colour(look.amber if self._attention else look.accent)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(ink)
            if not self._attention:
                painter.setBrush(ink)
            painter.drawEllipse(self.rect().adjusted(0, 0, -1, -1))
