"""The top of the window: whose account this is, how the line is, the two tabs and the search."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QShortcut
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
from app.viewmodels.session import SessionScreen
from app.views.theme import colour, tokens
from app.views.widgets.basics import label

_SEARCH_WIDTH = 280


class Header(QWidget):
    """Bound to the session; tabs and search are shown once there are lists to show."""

    searched = Signal(str)

    def __init__(self, session: SessionScreen, menu: QMenu, parent: QWidget | None = None) -> None:
        """`menu` opens beside the account's name."""
        super().__init__(parent)
        self._session = session
        self._name = label("", "heading")
        self._dot = _Dot()
        self._state = label("", "small")
        self.tabs = QTabBar()
        self.tabs.setProperty("role", "tabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("People or flows"))
        self.tabs.addTab(tr("People"))
        self.tabs.addTab(tr("Flows"))
        self.search = QLineEdit()
        self.search.setFixedWidth(_SEARCH_WIDTH)
        self.search.textChanged.connect(self.searched)
        clear = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search)
        clear.setContext(Qt.ShortcutContext.WidgetShortcut)
        clear.activated.connect(self.search.clear)
        self._menu_button = QToolButton()
        self._menu_button.setText(tr("Menu"))
        self._menu_button.setMenu(menu)
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        session.changed.connect(self._show)
        self._show()

    def show_lists(self, shown: bool) -> None:  # noqa: FBT001 - a plain switch, like setVisible
        """Show or hide what only makes sense with lists below."""
        self.tabs.setVisible(shown)
        self.search.setVisible(shown)
        self._menu_button.setVisible(shown)
        self._state_row.setVisible(shown)
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 12, 20, 8)
        row.setSpacing(16)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(self._name)
        self._state_row = QWidget()
        state = QHBoxLayout(self._state_row)
        state.setContentsMargins(0, 0, 0, 0)
        state.setSpacing(6)
        state.addWidget(self._dot)
        state.addWidget(self._state)
        state.addStretch(1)
        names.addWidget(self._state_row)
        row.addLayout(names)
        row.addSpacing(20)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.search)
        row.addWidget(self._menu_button)

    def _show(self) -> None:
        self._name.setText(self._session.account_name or tr("Front Desk"))
        self._state.setText(self._session.state_words)
        self._dot.set_attention(needed=self._session.needs_attention)


class _Dot(QWidget):
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
