"""The window around the account's page, without the browser in it: whose page it is, and the way
to one's own browser.
"""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.authorisation import AttemptState, Authorisation, AuthorisationState
from app.viewmodels.sign_in.page_origin import PageOrigin, Safety
from app.viewmodels.sign_in.system_browser import (
    BrowserStep,
    SystemBrowser,
    SystemBrowserState,
)
from app.views.look.theme import SPACE, colour, tokens
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, label, rule, set_flag
from app.views.widgets.labels import PlainLabel, announce, set_tip
from app.views.widgets.layouts import wrapping_box


class SystemBrowserPanel(GuardedOverrides, QFrame):
    """Says what to do in the other window, with the ways on and back; asks who it was."""

    def __init__(self, browser: SystemBrowser) -> None:
        """Nothing is opened before `browser` says so."""
        super().__init__()
        self._browser = browser
        self._shown = SystemBrowserState()
        self._heading = label("", "title", wraps=True)
        self._sentence = label("", wraps=True)
        self._said = label("", "problem", wraps=True)
        self._again = button(tr("Open it again"), browser.open_again, "primary")
        self._copy = button(tr("Copy the address"), self._copy_address, icon="copy")
        self._back = button(tr("Back to this window"), browser.back)
        self._yes = button(tr("Yes, sign in"), browser.confirm, "primary")
        self._no = button(tr("No, that was not me"), browser.deny)
        self._where = label("", "small", wraps=True)
        self._build()
        browser.state_changed.connect(self._show)
        browser.open_wanted.connect(self._open)
        self._show(browser.state)

    def _build(self) -> None:
        buttons, box = wrapping_box(2 * SPACE)
        for each in (*self._waiting, *self._asking):
            box.insert_widget(each)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8 * SPACE, 6 * SPACE, 8 * SPACE, 6 * SPACE)
        rows.setSpacing(3 * SPACE)
        rows.addStretch(1)
        for part in (self._heading, self._sentence, self._said, buttons, self._where):
            rows.addWidget(part)
        rows.addStretch(2)

    @property
    def _waiting(self) -> tuple[QPushButton, ...]:
        return self._again, self._copy, self._back

    @property
    def _asking(self) -> tuple[QPushButton, ...]:
        return self._yes, self._no

    def _show(self, state: SystemBrowserState) -> None:
        before, self._shown = self._shown, state
        self._said.setText(state.note)
        self._said.setVisible(bool(state.note))
        if state.step is BrowserStep.UNUSED:
            return
        if (state.step, state.opened) != (before.step, before.opened):
            self._show_step(state.step)
        if state.note and state.note != before.note:
            announce(self, state.note, urgent=True)

    def _show_step(self, step: BrowserStep) -> None:
        asks, host = step is BrowserStep.ASKING, self._browser.host
        for each in self._waiting:
            each.setVisible(not asks)
        for each in self._asking:
            each.setVisible(asks)
        self._where.setVisible(not asks)
        if asks:
            self._heading.setText(tr("Was that you?"))
            self._sentence.setText(
                tr(
                    "Your browser says that the sign-in at {host} is finished. Any page that is "
                    "open in it could say so: go on only if you have just chosen Allow on the "
                    "account's page.",
                    host=host,
                )
            )
        else:
            self._heading.setText(tr("Finish signing in in your browser"))
            self._sentence.setText(self._what_to_do(host))
            self._where.setText(
                tr(
                    "Front Desk waits for the answer at {address}, until {minutes} minutes after "
                    "the page was last opened.",
                    address=self._browser.redirect_uri,
                    minutes=str(self._browser.minutes),
                )
            )
        announce(self, f"{self._heading.text()}. {self._sentence.text()}", urgent=asks)
        # A key that was meant for the browser must not say yes.
        on = self._again if self._shown.opened else self._copy
        (self._no if asks else on).setFocus()

    def _what_to_do(self, host: str) -> str:
        if self._shown.opened:
            return tr(
                "The page of {host} opens in your own browser. Sign in there and choose Allow; "
                "this window notices by itself.",
                host=host,
            )
        return tr(
            "Your browser could not be opened. Copy the address of {host}, open it in any browser "
            "on this computer, sign in there and choose Allow; this window notices by itself.",
            host=host,
        )

    def _open(self, address: object) -> None:
        self._copy.setText(tr("Copy the address"))
        if not QDesktopServices.openUrl(QUrl(str(address), QUrl.ParsingMode.StrictMode)):
            self._browser.could_not_open()

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._browser.address)
        self._copy.setText(tr("Copied"))
        announce(self, tr("Copied"))


_WIDTH, _HEIGHT = 600, 800
_PRESSES = frozenset(
    {QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress}
)
_INPUT = _PRESSES | {
    QEvent.Type.ContextMenu,
    QEvent.Type.DragEnter,
    QEvent.Type.DragMove,
    QEvent.Type.Drop,
    QEvent.Type.KeyPress,
    QEvent.Type.KeyRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseMove,
    QEvent.Type.NativeGesture,
    QEvent.Type.TabletMove,
    QEvent.Type.TabletRelease,
    QEvent.Type.TouchEnd,
    QEvent.Type.TouchUpdate,
    QEvent.Type.Wheel,
}


class AuthorisationDialog(GuardedOverrides, QDialog):
    """Shows one attempt to sign in. Escape, Cancel and the window's own button close it."""

    def __init__(
        self,
        attempt: Authorisation,
        page: QWidget,
        back: QAction,
        reload: QAction,
        parent: QWidget | None = None,
        *,
        system_browser: SystemBrowser,
    ) -> None:
        """`page` shows the account's page; `back` and `reload` steer it.

        `system_browser` is the other way for the same attempt.
        """
        super().__init__(parent)
        self._attempt = attempt
        self._page = page
        self._panel = SystemBrowserPanel(system_browser)
        self._promise = label("", "small", wraps=True)
        self._elsewhere = button(tr("Use my own browser"), system_browser.use, "link")
        self._below: QWidget | None = None
        self._seen = False
        self._host = _HostLabel()
        self._safety = label("", "badge")
        self._progress = _thin_line()
        self._banner = Banner()
        self._banner.closed.connect(attempt.put_note_away)
        self._reload = reload
        self.setWindowTitle(tr("Sign in"))
        self._steering = (
            _steering(back, tr("Back"), "back", "Alt+Left"),
            _steering(reload, tr("Reload"), "refresh", "F5"),
        )
        self._build(*self._steering)
        attempt.state_changed.connect(self._show_attempt)
        system_browser.answered.connect(self._come_to_front)
        self._show_attempt(attempt.state)
        # A shortcut, because the browser never passes the key on. A list that is open in the page
        # is a window of its own and hears it first.
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.reject)
        if parent is not None:
            self._stand_over(parent.window())

    def _stand_over(self, below: QWidget) -> None:
        """Keep `below` still while this is open, but let it be closed.

        Qt's modality would do the first, and swallow the second without a word.
        """
        self._below = below
        QShortcut(QKeySequence("Ctrl+Q"), self).activated.connect(below.close)
        below.installEventFilter(self)
        frame = below.windowHandle()
        if frame is not None:
            frame.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What the window below hears: nothing but that it is to be closed, which closes both."""
        kind = event.type()
        if watched is self._below:
            if kind == QEvent.Type.Close:
                self.reject()
            elif kind == QEvent.Type.WindowActivate and self.isVisible():
                self._come_forward()
            return False
        if kind in _PRESSES:
            self._come_forward()
        return kind in _INPUT and self.isVisible()

    def _come_forward(self) -> None:
        self.raise_()
        self.activateWindow()

    def _build(self, back: QPushButton, reload: QPushButton) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(self._safety)
        head.addWidget(self._host, 1)
        head.addWidget(back)
        head.addWidget(reload)
        footer = QHBoxLayout()
        footer.setContentsMargins(4 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        footer.setSpacing(2 * SPACE)
        footer.addWidget(self._promise, 1)
        footer.addWidget(self._elsewhere)
        footer.addWidget(button(tr("Cancel"), self.reject))
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._progress)
        column.addWidget(self._banner)
        column.addWidget(self._page, 1)
        column.addWidget(self._panel, 1)
        column.addWidget(rule())
        column.addLayout(footer)
        self._page.setAccessibleName(tr("The account's page"))
        parent = self.parentWidget()
        room = parent.window().size() if parent is not None else self.screen().availableSize()
        self.resize(QSize(_WIDTH, _HEIGHT).boundedTo(room))

    def paintEvent(self, event: QPaintEvent) -> None:
        """An edge of its own: it stands over a page of the same ground, not always in a frame."""
        super().paintEvent(event)
        if not self._seen:
            # Not when it is shown: without a window manager nothing that cannot be seen gets keys.
            self._seen = True
            self._come_forward()
        with QPainter(self) as painter:
            painter.setPen(colour(tokens().shadow))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def reject(self) -> None:
        """The person gives up; closing the window ends here too."""
        super().reject()
        self._attempt.close()

    def _come_to_front(self) -> None:
        self._come_forward()
        # Where the system lets no window take the front, it is at least marked.
        QApplication.alert(self)

    def _show_attempt(self, state: AuthorisationState) -> None:
        here = state.step is not AttemptState.ELSEWHERE
        for part in (*self._steering, self._page, self._elsewhere):
            part.setVisible(here)
        self._panel.setVisible(not here)
        self._promise.setText(
            tr("What you type goes to this page alone. Front Desk neither reads nor keeps it.")
            if here
            else tr("What you type goes to your browser. Front Desk neither reads nor keeps it.")
        )
        self._show_origin(state.origin)
        self._progress.setRange(0, 100 if state.progress else 0)
        self._progress.setValue(state.progress or 0)
        self._progress.setVisible(state.progress is not None)
        self._reload.setEnabled(state.step is AttemptState.SHOWN)
        if state.note is None:
            self._banner.hide()
        elif state.note.reload:
            self._banner.say(state.note.sentence, tr("Load it again"), self._reload.trigger)
        elif state.note.elsewhere:
            self._banner.say(state.note.sentence, tr("Use my own browser"), self._elsewhere.click)
        elif state.note.take:
            self._banner.say(state.note.sentence, tr("Sign in with it"), self._attempt.take)
        else:
            self._banner.say(state.note.sentence)

    def _show_origin(self, origin: PageOrigin | None) -> None:
        self._host.say(origin.host if origin else tr("Opening the account's page…"))
        self._safety.setVisible(
            origin is not None and self._attempt.state.step is not AttemptState.ELSEWHERE
        )
        if origin is None:
            return
        words = {
            Safety.ENCRYPTED: tr("Secure"),
            Safety.THIS_COMPUTER: tr("On this computer"),
            Safety.OPEN: tr("Not secure"),
        }
        self._safety.setText(words[origin.safety])
        set_flag(self._safety, "role", "missing" if origin.safety is Safety.OPEN else "badge")
        self.setAccessibleDescription(
            tr("Page of {host}. {safety}.", host=origin.host, safety=words[origin.safety])
        )


class _HostLabel(PlainLabel):
    """A host in one line. Too long a name loses its beginning: its end says whose it is."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setProperty("role", "strong")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        # A host reads from left to right in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def say(self, host: str) -> None:
        self._whole = host
        self.setAccessibleName(host)
        set_tip(self, host)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideLeft, self.width()))


def _thin_line() -> QProgressBar:
    line = QProgressBar()
    line.setTextVisible(False)
    line.setFixedHeight(3)
    line.setAccessibleName(tr("Loading the page"))
    policy = line.sizePolicy()
    # The page below must not jump when the line comes and goes.
    policy.setRetainSizeWhenHidden(True)
    line.setSizePolicy(policy)
    return line


def _steering(action: QAction, text: str, picture: str, keys: str) -> QPushButton:
    made = button(text, action.trigger, "link", icon=picture)
    made.setShortcut(QKeySequence(keys))
    made.setEnabled(action.isEnabled())
    action.enabledChanged.connect(made.setEnabled)
    return made
