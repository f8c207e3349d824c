"""The top of the window: whose account this is, how the line is, the two tabs and the search."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTabBar, QToolButton, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.notice import Offer
from app.viewmodels.session import SessionScreen
from app.views.search_line import SearchLine
from app.views.theme import ICON, colour, tokens
from app.views.widgets.basics import button, label
from app.views.widgets.eliding import ElidingLabel
from app.views.widgets.icons import icon
from app.views.widgets.pressing import ToolButton

_NAME_LETTERS = 48
"""How many letters wide the account's name is at most; longer ones end in dots."""


class Header(Guarded, QWidget):
    """Bound to the session; tabs and search are shown once there are lists to show."""

    searched = Signal(str)
    tab_clicked = Signal()
    """A tab was clicked, chosen already or not."""
    sign_in_wanted = Signal()

    def __init__(self, session: SessionScreen, menu: QMenu, parent: QWidget | None = None) -> None:
        """`menu` opens at the end of the line."""
        super().__init__(parent)
        self._session = session
        self._name = ElidingLabel("heading")
        self._dot = _Dot()
        self._state = label("", "small")
        self._offer = button("", self._act, "link")
        self._offer.setProperty("small", "true")
        self.tabs = QTabBar()
        self.tabs.setProperty("role", "tabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("People or flows"))
        for words, keys in ((tr("People"), "Ctrl+1"), (tr("Flows"), "Ctrl+2")):
            self.tabs.setTabToolTip(self.tabs.addTab(words), keys)
        self.tabs.tabBarClicked.connect(self._tab_clicked)
        self.search = SearchLine()
        policy = self.search.sizePolicy()
        # The tabs do not move when a page is shown that cannot be searched.
        policy.setRetainSizeWhenHidden(True)
        self.search.setSizePolicy(policy)
        self.search.textChanged.connect(self.searched)
        self.menu_button = _menu_button(menu)
        self.controls = (self._offer, self.tabs, self.search, self.menu_button)
        """What takes the keyboard, in reading order."""
        self._lay_out()
        session.changed.connect(self._show)
        self._show()

    def show_lists(self, shown: bool, *, searchable: bool = True) -> None:  # noqa: FBT001 - a plain switch, like setVisible
        """Show or hide what only makes sense with lists below; `searchable`: they are in sight."""
        self.tabs.setVisible(shown)
        self.search.setVisible(shown and searchable)
        self._state_row.setVisible(shown)
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 12, 20, 8)
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
        state.addWidget(self._offer)
        state.addStretch(1)
        # The link may come and go; what lies below must not move.
        self._state_row.setMinimumHeight(self._offer.sizeHint().height())
        names.addWidget(self._state_row)
        # The tabs stay where they are, whatever is said beside them.
        row.addWidget(whose, 3)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.search, 5)
        row.addWidget(self.menu_button)

    def _show(self) -> None:
        offer = self._session.state_offer
        words = self._session.state_words
        # To sign in again the words themselves are the link: "Sign in again before noon".
        itself = offer is Offer.SIGN_IN_AGAIN
        self._name.setText(self._session.account_name or tr("Front Desk"))
        self._state.setText("" if itself else words)
        self._state.setVisible(not itself)
        self._offer.setText(words if itself else tr("Try now"))
        self._offer.setVisible(offer is not Offer.NOTHING)
        self._offer.setEnabled(not self._session.work_words)
        self._dot.set_attention(needed=self._session.needs_attention)

    def _tab_clicked(self, _index: int) -> None:
        self.tab_clicked.emit()

    def _act(self) -> None:
        if self._session.state_offer is Offer.TRY_LINE:
            self._session.try_line()
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
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(ink)
        if not self._attention:
            painter.setBrush(ink)
        painter.drawEllipse(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
