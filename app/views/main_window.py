"""The window: header, one sentence when there is one, the page, the line at the foot."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.runtime.paths import resource
from app.runtime.words import tr
from app.viewmodels.desk import DeskScreens
from app.viewmodels.notice import Offer
from app.viewmodels.session import SessionScreen
from app.views.desk_page import FLOWS, PEOPLE, DeskPage
from app.views.foot import Foot
from app.views.header import Header
from app.views.sign_in.first_start import FirstStart
from app.views.sign_in.key_question import ask_key
from app.views.widgets.banner import Banner


class MainWindow(QMainWindow):
    """Shows the first page, or the two tabs of the account that is signed in."""

    close_wanted = Signal()
    closing_confirmed = Signal()
    sign_out_wanted = Signal()

    def __init__(self, session: SessionScreen) -> None:
        """Bind to `session`; lists come with `show_desk`."""
        super().__init__()
        self._session = session
        self._desk: DeskPage | None = None
        self._may_close = False
        self.setWindowTitle(tr("Front Desk"))
        self.setWindowIcon(QIcon(str(resource("icons") / "frontdesk.svg")))
        self.setMinimumSize(900, 600)
        self.resize(QSize(1180, 760).boundedTo(self.screen().availableSize()))
        self.header = Header(session, self._menu())
        self.banner = Banner(session.dismiss)
        self.first_start = FirstStart(session)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.first_start)
        self.foot = Foot()
        self._lay_out()
        self._bind_keys()
        self.header.tabs.currentChanged.connect(self._show_tab)
        self.header.searched.connect(self._search)
        session.changed.connect(self._show_notice)
        self.show_first_start()
        self._show_notice()

    # What is shown

    def show_first_start(self) -> None:
        """Show the three ways in."""
        self._drop_desk()
        self.header.show_lists(shown=False)
        self._pages.setCurrentWidget(self.first_start)

    def show_desk(self, screens: DeskScreens) -> None:
        """Show the two tabs of an account."""
        self._drop_desk()
        self._desk = DeskPage(screens)
        self._desk.people_wanted.connect(self._show_people)
        self._desk.flows_wanted.connect(self._show_flows)
        screens.people.changed.connect(self._show_search_hint)
        self._pages.addWidget(self._desk)
        self._pages.setCurrentWidget(self._desk)
        self.foot.bind(screens.status)
        self.header.show_lists(shown=True)
        self.header.tabs.setCurrentIndex(PEOPLE)
        self._show_tab(PEOPLE)
        self._desk.people.quick_add.focus_line()

    def close_for_good(self) -> None:
        """Close without asking anybody again."""
        self._may_close = True
        self._drop_desk()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for an orderly end first; the work under way is not known here."""
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_wanted.emit()

    # How it is put together

    def _lay_out(self) -> None:
        ground = QWidget()
        ground.setProperty("role", "ground")
        rows = QVBoxLayout(ground)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.header)
        inset = QVBoxLayout()
        inset.setContentsMargins(20, 0, 20, 8)
        inset.addWidget(self.banner)
        rows.addLayout(inset)
        rows.addWidget(self._pages, 1)
        rows.addWidget(self.foot)
        self.setCentralWidget(ground)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(tr("Read both lists again"), self._refresh)
        menu.addSeparator()
        menu.addAction(tr("Sign out"), self.sign_out_wanted.emit)
        menu.addAction(tr("Quit"), self.close)
        return menu

    def _bind_keys(self) -> None:
        for keys, act in (
            (QKeySequence(QKeySequence.StandardKey.New), self._quick_add),
            (QKeySequence(QKeySequence.StandardKey.Find), self._focus_search),
            (QKeySequence(QKeySequence.StandardKey.Refresh), self._refresh),
            (QKeySequence(QKeySequence.StandardKey.Undo), self._undo),
            (QKeySequence(QKeySequence.StandardKey.Quit), self.close),
            (QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_1), self._show_people),
            (QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_2), self._show_flows),
        ):
            QShortcut(keys, self).activated.connect(act)

    def _drop_desk(self) -> None:
        if self._desk is not None:
            self.foot.bind(None)
            self._pages.removeWidget(self._desk)
            self._desk.deleteLater()
            self._desk = None

    # What the person does

    def _show_tab(self, tab: int) -> None:
        if self._desk is None:
            return
        self._desk.setCurrentIndex(tab)
        self.header.search.setText(self._desk.search_text())
        self._show_search_hint()

    def _search(self, text: str) -> None:
        if self._desk is not None:
            self._desk.search(text)

    def _show_search_hint(self) -> None:
        if self._desk is None:
            return
        hint = (
            self._desk.screens.people.search_hint
            if self._desk.currentIndex() == PEOPLE
            else self._desk.screens.flows.search_hint
        )
        self.header.search.setPlaceholderText(hint)
        self.header.search.setAccessibleName(hint)

    def _quick_add(self) -> None:
        if self._desk is not None:
            self._show_people()
            self._desk.people.quick_add.focus_line()

    def _focus_search(self) -> None:
        self.header.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.header.search.selectAll()

    def _refresh(self) -> None:
        if self._desk is not None:
            self._desk.screens.people.refresh()

    def _undo(self) -> None:
        if self._desk is not None:
            self._desk.screens.quick_add.undo_last()

    def _show_people(self) -> None:
        self.header.tabs.setCurrentIndex(PEOPLE)

    def _show_flows(self) -> None:
        self.header.tabs.setCurrentIndex(FLOWS)

    def _sign_in_again(self) -> None:
        if not self._session.sign_in_again():
            ask_key(self, self._session.account_name, self._session.replace_key)

    def _show_notice(self) -> None:
        notice = self._session.notice
        if notice is None:
            self.banner.hide()
            return
        words, act = {
            Offer.NOTHING: ("", None),
            Offer.SIGN_IN_AGAIN: (tr("Sign in again"), self._sign_in_again),
            Offer.COPY_DETAILS: (tr("Copy details"), self._copy_details),
            Offer.SIGN_OUT_ANYWAY: (tr("Sign out without them"), self._session.sign_out),
            Offer.CLOSE_ANYWAY: (tr("Close without them"), self.closing_confirmed.emit),
        }[notice.offer]
        self.banner.say(notice.sentence, words, act, calm=notice.calm)

    def _copy_details(self) -> None:
        if self._session.notice is not None:
            QGuiApplication.clipboard().setText(self._session.notice.details)
