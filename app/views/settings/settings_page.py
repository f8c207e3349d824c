"""The settings as a page, built when first opened; the question before an account is forgotten
opens below its row.
"""

from functools import partial

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr, trn
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.settings.settings import AccountRow, Question, SettingsScreen, SettingsState
from app.viewmodels.settings.settings_choices import SettingsChoice, name_of
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, label, rule
from app.views.widgets.choices import RadioGroup
from app.views.widgets.inner_page import InnerPage, scrolled_column, section
from app.views.widgets.layouts import FocusInset, wrapping_box


class AccountList(GuardedOverrides, QWidget):
    """Built anew when the accounts or the question change; the keyboard goes where one reads."""

    def __init__(self, screen: SettingsScreen, fallback: QWidget) -> None:
        """`fallback` gets the keyboard when the last account is gone."""
        super().__init__()
        self._screen = screen
        self._fallback = fallback
        self._shown: SettingsState | None = None
        self._moment: QLabel | None = None
        self._page: QWidget | None = None
        self._forget: list[QPushButton] = []
        self.question: QFrame | None = None
        self._keep: QPushButton | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def _show(self, state: SettingsState) -> None:
        before, self._shown = self._shown, state
        if before is None or (before.accounts, before.question) != (state.accounts, state.question):
            self._build(state)
        # The buttons stay as they are: one that is switched off loses the keyboard.
        if self._moment is not None:
            self._moment.setVisible(state.busy)
        asked_before = before.question if before is not None else None
        if state.question == asked_before:
            return
        if self._keep is not None:
            self._keep.setFocus(Qt.FocusReason.OtherFocusReason)
        elif before is not None and state.question is None:
            self._focus_row(self._row_of_question(before))

    @staticmethod
    def _row_of_question(before: SettingsState) -> int:
        ids = [row.id for row in before.accounts]
        asked = before.question.account_id if before.question is not None else ""
        return ids.index(asked) if asked in ids else 0

    def focus(self) -> None:
        """Put the keyboard on the first account."""
        self._focus_row(0)

    def _focus_row(self, row: int) -> None:
        """After an answer: the row it was about, or the one that stands there now."""
        target = self._forget[min(row, len(self._forget) - 1)] if self._forget else self._fallback
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, state: SettingsState) -> None:
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
        for row, account in enumerate(state.accounts):
            if row:
                rows.addWidget(rule())
            rows.addLayout(self._row(account))
            if state.question and state.question.account_id == account.id:
                rows.addWidget(self._question(state.question))
        if not state.accounts:
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
        how = tr("{way_in}; {sign_in}", way_in=account.auth_method, sign_in=account.sign_in)
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
        return frame


_AIR = 24
"""Pixels between a question and the edge of what is seen of the page."""


class SettingsPage(InnerPage):
    """Bound to a `SettingsScreen`."""

    def __init__(self, screen: SettingsScreen) -> None:
        """Show what is chosen; what is kept is read each time the page is gone to."""
        super().__init__(tr("Settings"))
        self._screen = screen
        self._banner = Banner()
        self._begins = self._led_to = SettingsChoice.COLOURS
        self._scrolled_to = 0
        """As far as the page was when somebody was led there."""
        self._theme = RadioGroup(name_of(SettingsChoice.COLOURS), screen.themes)
        self._language = RadioGroup(
            name_of(SettingsChoice.LANGUAGE), screen.languages, captioned=False
        )
        self._contrast = QCheckBox(name_of(SettingsChoice.CONTRAST))
        self._motion = QCheckBox(name_of(SettingsChoice.MOTION))
        self._order = RadioGroup(name_of(SettingsChoice.NAME_ORDER), screen.name_orders)
        self._hold = _Seconds(screen.longest_hold)
        self._hold_words = label("", "soft", wraps=True)
        self._semicolons = QCheckBox(name_of(SettingsChoice.SEMICOLONS))
        self._nothing = QCheckBox(name_of(SettingsChoice.KEPT))
        self._kept = QGridLayout()
        self._kept_words: list[QLabel] = []
        self._folder = QLineEdit(screen.data_folder)
        self._accounts = AccountList(screen, self.back)
        self._lay_out()
        self._banner.closed.connect(screen.dismiss)
        self._theme.chosen.connect(screen.choose_theme)
        self._language.chosen.connect(screen.choose_language)
        self._order.chosen.connect(screen.choose_name_order)
        self._contrast.toggled.connect(screen.set_contrast)
        self._motion.toggled.connect(screen.set_motion)
        self._hold.valueChanged.connect(screen.hold)
        self._semicolons.toggled.connect(screen.separate_by_semicolons)
        self._nothing.toggled.connect(screen.keep_nothing)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._page_grew)
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def opened(self) -> None:
        """Read anew, and begin at the top, or where somebody is led to."""
        self._screen.open()
        self._scroll.verticalScrollBar().setValue(0)
        begins, self._begins = self._begins, SettingsChoice.COLOURS
        self._lead_to(begins)

    def begin_at(self, choice: SettingsChoice) -> None:
        """When next gone to, lead to this; at once where the page is shown."""
        if self.isVisible():
            self._lead_to(choice)
        else:
            self._begins = choice

    def _lead_to(self, choice: SettingsChoice) -> None:
        self._led_to = choice
        place = self._place_of(choice)
        if isinstance(place, RadioGroup | AccountList):
            place.focus()
        else:
            place.setFocus(Qt.FocusReason.OtherFocusReason)
        # What is on the page finds its place after it is shown.
        QTimer.singleShot(0, self, self._show_place)

    def _show_place(self) -> None:
        """With its card, where there is room for that."""
        place, bar = self._place_of(self._led_to), self._scroll.verticalScrollBar()
        around = place.parentWidget()
        if self._led_to is SettingsChoice.COLOURS:
            bar.setValue(0)
        elif around is not None and around.height() <= self._scroll.viewport().height():
            self._scroll.ensureWidgetVisible(around, 0, _AIR // 2)
        else:
            self._scroll.ensureWidgetVisible(place, 0, _AIR)
        self._scrolled_to = bar.value()

    def _place_of(self, choice: SettingsChoice) -> QWidget:
        return {
            SettingsChoice.COLOURS: self._theme,
            SettingsChoice.CONTRAST: self._contrast,
            SettingsChoice.MOTION: self._motion,
            SettingsChoice.NAME_ORDER: self._order,
            SettingsChoice.HOLD: self._hold,
            SettingsChoice.SEMICOLONS: self._semicolons,
            SettingsChoice.LANGUAGE: self._language,
            SettingsChoice.KEPT: self._nothing,
            SettingsChoice.ACCOUNTS: self._accounts,
        }[choice]

    def escape(self) -> None:
        """Take a question back first; with none open, leave the page."""
        if self._screen.state.question is not None:
            self._screen.keep_account()
        else:
            super().escape()

    # How it is put together

    def _lay_out(self) -> None:
        self._scroll, rows = scrolled_column()
        self.stand_over(self._scroll)
        said = QVBoxLayout()
        said.setContentsMargins(20, 0, 20, 0)
        said.addWidget(self._banner)
        self.body.addLayout(said)
        self.body.addWidget(self._scroll, 1)
        self._banner.stand_above(self._scroll)
        rows.addWidget(self._look_card())
        rows.addWidget(self._adding_card())
        rows.addWidget(self._mail_card())
        language, inside = section(name_of(SettingsChoice.LANGUAGE))
        inside.addLayout(FocusInset(self._language, air=False))
        rows.addWidget(language)
        window, inside = section(tr("Window"))
        rows.addWidget(window)
        rows.addWidget(self._kept_card())
        accounts, inside = section(name_of(SettingsChoice.ACCOUNTS))
        inside.addWidget(self._accounts)
        rows.addWidget(accounts)
        rows.addStretch(1)

    def _look_card(self) -> QFrame:
        surface, rows = section(tr("Look"))
        rows.addLayout(FocusInset(self._theme, air=False))
        for box, words in (
            (self._contrast, tr("Where the system asks for high contrast, it is there anyway.")),
            (self._motion, tr("Without it, everything appears and goes at once.")),
        ):
            rows.addWidget(rule())
            rows.addLayout(FocusInset(box))
            rows.addWidget(label(words, "soft", wraps=True))
        return surface

    def _adding_card(self) -> QFrame:
        surface, rows = section(tr("Adding people"))
        rows.addLayout(FocusInset(self._order, air=False))
        rows.addWidget(
            label(
                tr("Used when nothing in the line says which is which. A comma always does."),
                "soft",
                wraps=True,
            )
        )
        rows.addWidget(rule())
        across = QHBoxLayout()
        across.setSpacing(12)
        caption = label(name_of(SettingsChoice.HOLD))
        caption.setBuddy(self._hold)
        self._hold.setAccessibleName(caption.text())
        across.addWidget(caption)
        across.addWidget(self._hold)
        across.addStretch(1)
        rows.addLayout(across)
        rows.addWidget(self._hold_words)
        return surface

    def _mail_card(self) -> QFrame:
        surface, rows = section(tr("Mail lists"))
        rows.addLayout(FocusInset(self._semicolons, air=False))
        rows.addWidget(
            label(
                tr("Without it, a comma stands between them, as other mail programs take it."),
                "soft",
                wraps=True,
            )
        )
        return surface

    def _kept_card(self) -> QFrame:
        surface, rows = section(tr("What is kept on this computer"))
        self._kept.setHorizontalSpacing(20)
        self._kept.setVerticalSpacing(8)
        self._kept.setColumnStretch(1, 1)
        for row, thing in enumerate(self._screen.state.kept):
            words = label("", "soft", wraps=True)
            self._kept.addWidget(label(thing.name), row, 0, Qt.AlignmentFlag.AlignTop)
            self._kept.addWidget(words, row, 1)
            self._kept_words.append(words)
        rows.addLayout(FocusInset(self._nothing))
        rows.addLayout(self._kept)
        rows.addWidget(rule())
        caption = label(tr("It lies in this folder"))
        caption.setBuddy(self._folder)
        self._folder.setReadOnly(True)
        self._folder.setAccessibleName(tr("Folder of Front Desk"))
        self._folder.setCursorPosition(0)
        rows.addWidget(caption)
        across = QHBoxLayout()
        across.setSpacing(8)
        copy = button(tr("Copy"), self._copy_folder)
        copy.setAccessibleName(tr("Copy the folder's path"))
        across.addWidget(self._folder, 1)
        across.addWidget(copy)
        across.addWidget(button(tr("Open folder"), self._open_folder))
        rows.addLayout(across)
        return surface

    # What is shown

    def _show(self, state: SettingsState) -> None:
        settings = state.settings
        self._theme.show_value(settings.theme)
        self._language.show_value(state.language)
        self._order.show_value(settings.name_order)
        self._contrast.setChecked(settings.contrast)
        self._motion.setChecked(settings.motion)
        self._semicolons.setChecked(settings.semicolons)
        self._nothing.setChecked(not settings.keep_on_this_computer)
        self._hold.show_value(settings.hold_seconds)
        self._hold_words.setText(state.hold_words)
        for words, thing in zip(self._kept_words, state.kept, strict=True):
            words.setText(thing.sentence)
        if state.said:
            self._banner.say(state.said, calm=not state.is_error)
        else:
            self._banner.hide()

    def _page_grew(self) -> None:
        # What is on the page finds its place after the page has found its length.
        QTimer.singleShot(0, self, self._show_again)

    def _show_again(self) -> None:
        """What is asked, or where somebody was led to who has not gone on from there."""
        asked, page = self._accounts.question, self._scroll.widget()
        if asked is not None and page is not None:
            end = asked.mapTo(page, asked.rect().bottomLeft())
            self._scroll.ensureVisible(end.x(), end.y(), 0, _AIR)
        elif self._scroll.verticalScrollBar().value() == self._scrolled_to:
            self._show_place()

    # What the person does

    def _copy_folder(self) -> None:
        QGuiApplication.clipboard().setText(self._screen.data_folder)

    def _open_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(self._screen.data_folder)):
            self._screen.folder_stayed_shut()


class _Seconds(GuardedOverrides, QSpinBox):
    """Whole seconds, told when they are typed to the end; the wheel scrolls the page instead."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.setRange(0, most)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._name_unit)

    def show_value(self, value: int) -> None:
        """Show `value`, without taking away what is being typed."""
        if self.value() != value:
            self.setValue(value)
        self._name_unit()

    def _name_unit(self) -> None:
        self.setSuffix(trn(" second", " seconds", self.value()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Whoever scrolls past with the wheel does not mean to change anything."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
