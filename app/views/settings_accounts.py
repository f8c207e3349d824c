"""The accounts this computer knows; the question before one is forgotten opens below its row."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.settings import SettingsScreen
from app.viewmodels.settings_rows import AccountRow, Question
from app.views.widgets.basics import button, label, rule
from app.views.widgets.wrapping import wrapping_box


class AccountList(Guarded, QWidget):
    """Built anew when the accounts or the question change; the keyboard goes where one reads."""

    def __init__(
        self, screen: SettingsScreen, fallback: QWidget, parent: QWidget | None = None
    ) -> None:
        """`fallback` gets the keyboard when the last account is gone."""
        super().__init__(parent)
        self._screen = screen
        self._fallback = fallback
        self._shown: tuple[tuple[AccountRow, ...], Question | None] | None = None
        self._moment: QLabel | None = None
        self._page: QWidget | None = None
        self._forget: list[QPushButton] = []
        self.question: QFrame | None = None
        self._keep: QPushButton | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        screen.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        wanted = (self._screen.accounts, self._screen.question)
        if wanted == self._shown:
            self._show_busy()
            return
        before = self._place_of_question()
        asked_before = self._shown[1] if self._shown else None
        self._shown = wanted
        self._build()
        if self._keep is not None and self._screen.question != asked_before:
            self._keep.setFocus(Qt.FocusReason.OtherFocusReason)
        elif asked_before is not None and self._screen.question is None:
            self._focus_row(before)

    def _show_busy(self) -> None:
        # The buttons stay as they are: one that is switched off loses the keyboard.
        if self._moment is not None:
            self._moment.setVisible(self._screen.busy)

    def _place_of_question(self) -> int:
        if self._shown is None or self._shown[1] is None:
            return 0
        ids = [row.id for row in self._shown[0]]
        asked = self._shown[1].account_id
        return ids.index(asked) if asked in ids else 0

    def _focus_row(self, place: int) -> None:
        """After an answer: the row it was about, or the one that stands there now."""
        target = self._forget[min(place, len(self._forget) - 1)] if self._forget else self._fallback
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self) -> None:
        if self._page is not None:
            self._rows.removeWidget(self._page)
            self._page.hide()
            self._page.deleteLater()
        self._forget.clear()
        self.question = self._keep = self._moment = None
        self._page = QWidget()
        rows = QVBoxLayout(self._page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        for place, account in enumerate(self._screen.accounts):
            if place:
                rows.addWidget(rule())
            rows.addLayout(self._row(account))
            if self._screen.question and self._screen.question.account_id == account.id:
                rows.addWidget(self._question(self._screen.question))
        if not self._screen.accounts:
            rows.addWidget(label(tr("None yet: sign in to one first."), "soft", wraps=True))
        self._rows.addWidget(self._page)
        # A layout shows what it is given later, and what is not shown yet takes no keyboard.
        self._page.show()

    def _row(self, account: AccountRow) -> QHBoxLayout:
        across = QHBoxLayout()
        across.setSpacing(12)
        words = QVBoxLayout()
        words.setSpacing(2)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(label(account.name, "strong", wraps=True), 1)
        if account.in_use:
            top.addWidget(label(tr("in use"), "badge"), 0, Qt.AlignmentFlag.AlignTop)
        words.addLayout(top)
        words.addWidget(label(account.address, "soft", wraps=True))
        how = tr("{way_in}; {sign_in}", way_in=account.way_in, sign_in=account.sign_in)
        words.addWidget(label(how, "small", wraps=True))
        forget = button(tr("Forget this account"), partial(self._screen.ask_to_forget, account.id))
        forget.setAccessibleName(tr("Forget the account {name}", name=account.name))
        self._forget.append(forget)
        across.addLayout(words, 1)
        across.addWidget(forget, 0, Qt.AlignmentFlag.AlignTop)
        return across

    def _question(self, question: Question) -> QFrame:
        self.question = frame = QFrame()
        frame.setProperty("role", "banner")
        rows = QVBoxLayout(frame)
        rows.setContentsMargins(14, 10, 14, 10)
        rows.setSpacing(8)
        rows.addWidget(label(question.sentence, wraps=True))
        box, wrapping = wrapping_box()
        self._keep = button(tr("Keep it"), self._screen.keep_account)
        self._keep.setAccessibleDescription(question.sentence)
        wrapping.insert_widget(self._keep)
        wrapping.insert_widget(button(question.act, self._screen.forget_account))
        if question.anyway:
            wrapping.insert_widget(button(question.anyway, self._screen.forget_anyway))
        rows.addWidget(box)
        self._moment = label(tr("One moment: the vault of this computer is asked."), wraps=True)
        rows.addWidget(self._moment)
        self._show_busy()
        return frame
