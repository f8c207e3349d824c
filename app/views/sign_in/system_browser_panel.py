"""What the sign-in window shows while somebody signs in with the system's browser instead."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.system_browser import BrowserStep, SystemBrowser
from app.views.theme import SPACE
from app.views.widgets.announcing import announce
from app.views.widgets.basics import button, label
from app.views.widgets.wrapping import wrapping_box


class SystemBrowserPanel(Guarded, QFrame):
    """Says what to do in the other window, with the ways on and back; asks who it was."""

    def __init__(self, browser: SystemBrowser, parent: QWidget | None = None) -> None:
        """Nothing is opened before `browser` says so."""
        super().__init__(parent)
        self._browser = browser
        self._step = BrowserStep.UNUSED
        self._note = ""
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
        browser.changed.connect(self._show)
        browser.open_wanted.connect(self._open)
        self._show()

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

    def _show(self) -> None:
        browser, step = self._browser, self._browser.step
        new_step, new_note = step is not self._step, browser.note != self._note
        self._step, self._note = step, browser.note
        self._said.setText(browser.note)
        self._said.setVisible(bool(browser.note))
        if step is BrowserStep.UNUSED:
            return
        if new_step:
            self._show_step(step)
        if new_note and browser.note:
            announce(self, browser.note, urgent=True)

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
            self._sentence.setText(
                tr(
                    "The page of {host} opens in your own browser. Sign in there and choose Allow; "
                    "this window notices by itself.",
                    host=host,
                )
            )
            self._where.setText(
                tr(
                    "Front Desk waits for the answer at {address}, for {minutes} minutes at most.",
                    address=self._browser.redirect_uri,
                    minutes=str(self._browser.minutes),
                )
            )
        announce(self, f"{self._heading.text()}. {self._sentence.text()}", urgent=asks)
        # A key that was meant for the browser must not say yes.
        (self._no if asks else self._again).setFocus()

    def _open(self, address: object) -> None:
        self._copy.setText(tr("Copy the address"))
        if not QDesktopServices.openUrl(QUrl(str(address), QUrl.ParsingMode.StrictMode)):
            self._browser.could_not_open()

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._browser.address)
        self._copy.setText(tr("Copied"))
        announce(self, tr("Copied"))
