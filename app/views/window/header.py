"""The header: account, connection, tabs, search, and the button of the menu.

By itself: it follows the session alone, and finds room for all this by its own width.
"""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.notices import NoticeAction
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.session_state import SessionScreenState
from app.views.look.icons import icon
from app.views.look.theme import ICON, colour, tokens
from app.views.widgets.buttons import ElidingLink, ToolButton, button
from app.views.widgets.labels import ElidingLabel, native_keys, set_tip
from app.views.widgets.layouts import FocusInset
from app.views.widgets.search_field import SearchField
from app.views.window.window_menu import SIZE_KEYS

_MARGINS, _TIGHT_MARGINS, _SMALL_MARGINS = (20, 12, 20, 8), (20, 3, 20, 2), (14, 8, 14, 6)
_NAME_LETTERS = 48
"""How many letters wide the account's name is at most; longer ones end in dots."""


class Header(GuardedOverrides, QWidget):
    """Bound to the session; tabs and search are shown once there are lists to show."""

    searched = Signal(str)
    tab_clicked = Signal()
    """A tab was clicked, chosen already or not."""
    sign_in_wanted = Signal()
    large_wanted = Signal()
    """Somebody goes back from the small window."""

    def __init__(self, session: SessionScreen, menu: QMenu) -> None:
        """`menu` opens at the end of the header."""
        super().__init__()
        self._session = session
        self._name = ElidingLabel("heading")
        self._dot = _Dot()
        self._state = ElidingLabel("small")
        self._state_action = ElidingLink("", self._act)
        self._state_action.setProperty("small", "true")
        self.tabs = QTabBar()
        self.tabs.setProperty("role", "tabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        # What is said beside them gives way: buttons to scroll them by would hide their names.
        self.tabs.setUsesScrollButtons(False)
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is said of the connection has what room the tabs and the search leave."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        row = self.layout()
        if row is not None:
            # Qt asks them only once, which may have been before they were dressed.
            self.tabs.ensurePolished()
            self.tabs.updateGeometry()
            taken = row.minimumSize().width() - self._whose.minimumWidth()
            said, room = self._state_row.sizeHint().width(), max(self.width() - taken, 1)
            self._whose.setMinimumWidth(min(said, room))
            set_tip(self._state_action, self._state_action.text() if said > room else "")

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS)
        row.setSpacing(16)
        self._whose = whose = QWidget()
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
        self._make_room()

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


class _Dot(GuardedOverrides, QWidget):
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
