"""Sentences that stand out: the banner across the window with the one thing to do, what is missing,
work under way.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import NamedTuple

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
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
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.session_state import SessionScreenState
from app.views.look.icons import Badge, icon
from app.views.look.theme import colour, motion, tokens
from app.views.widgets.buttons import button, label, set_flag
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.labels import ElidingLabel, announce, set_tip
from app.views.widgets.pointer import PointerRest, PressGuard

MILLISECONDS = 120


def slide_in(widget: QWidget) -> None:
    """Let `widget`, which has its place already, come out of the ground, if anything may move.

    Only a veil above it changes: it can be read, clicked and spoken from the first moment.
    """
    if motion() and widget.isVisible():
        _Veil(widget).lift()


class _Veil(GuardedOverrides, QWidget):
    """Lies over a widget in the colour of the ground, thins out, and is gone."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setProperty("stands_above", True)  # noqa: FBT003 - Qt's way to set a property
        self._thickness = QVariantAnimation(self)
        self._thickness.setDuration(MILLISECONDS)
        self._thickness.setStartValue(1.0)
        self._thickness.setEndValue(0.0)
        self._thickness.valueChanged.connect(self.update)
        self._thickness.finished.connect(self.deleteLater)
        over.installEventFilter(self)

    def lift(self) -> None:
        """Begin."""
        self.setGeometry(self._over.rect())
        self.show()
        self._thickness.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover it when it grows, and go with it when it goes."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        elif event.type() == QEvent.Type.Hide:
            self._thickness.stop()
            self.deleteLater()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, as thick as it still is."""
        with QPainter(self) as painter:
            painter.setOpacity(float(self._thickness.currentValue()))
            painter.fillRect(self.rect(), colour(tokens().ground))


Act = Callable[[], object]


class _Message(NamedTuple):
    sentence: str
    actions: tuple[str, ...]
    calm: bool
    close: str


class Banner(GuardedOverrides, QFrame):
    """Hidden until it has something to say; Escape or Close puts it away.

    It never takes the keyboard. When the person went to it and it goes, they are where they were.
    """

    closed = Signal()
    """The person has put the sentence away."""

    def __init__(self) -> None:
        """Nothing is said."""
        super().__init__()
        self.setProperty("role", "banner")
        self._acts: list[Act] = []
        self._guard: PressGuard | None = None
        self._answers: PressGuard | None = None
        self._said: _Message | None = None
        self._came_from: QWidget | None = None
        # A problem is told from a calm word by more than colour.
        self._mark = Badge("warning", "amber")
        self._text = label("", wraps=True)
        self._actions = [_action(self._run_first), _action(self._run_second)]
        self._close = _action(self.closed.emit)
        self._beside = ElidingLabel()
        self._beside_action = _action(self._run_beside)
        self._act_beside: Act | None = None
        self.controls = (*self._actions, self._close, self._beside_action)
        """What takes the keyboard, in reading order."""
        self._rows = QVBoxLayout(self)
        row, below = QHBoxLayout(), QHBoxLayout()
        said, acts = QHBoxLayout(), QHBoxLayout()
        for line in (row, below, said, acts):
            line.setSpacing(4)
        said.addWidget(self._mark)
        said.addWidget(self._text, 1)
        acts.addStretch(1)
        for each in (*self._actions, self._close):
            acts.addWidget(each)
        row.addLayout(said, 1)
        row.addLayout(acts)
        self._row = row
        below.addWidget(self._beside, 1)
        below.addWidget(self._beside_action)
        self._rows.addLayout(row)
        self._rows.addLayout(below)
        self.fold(on=False)
        self.say_beside("")
        QApplication.instance().focusChanged.connect(self._focus_moved)  # type: ignore[union-attr]  # there is one before any widget
        self.hide()

    def stand_above(self, *below: QWidget) -> None:
        """`below` move when this comes, goes or takes more lines: a press that comes before anybody
        can have seen that does nothing.
        """
        self._guard = PressGuard((self, *below), self)
        self._answers = PressGuard((self,), self)

    def say(
        self,
        sentence: str,
        action: str = "",
        act: Act | None = None,
        *,
        also: tuple[str, Act] | None = None,
        calm: bool = False,
        close: str = "",
    ) -> None:
        """Show `sentence`, with a button named `action` that runs `act`, and rarely a second.

        `close` is what the button says that puts it away, where that is no mere closing.
        """
        actions = [(action, act)] if act is not None else []
        actions += [also] if also is not None else []
        self._acts = [each for _, each in actions]
        message = _Message(
            sentence, tuple(words for words, _ in actions), calm, close or tr("Close")
        )
        before, self._said = self._said, message
        if message != before or self.isHidden():
            new = before is None or before.sentence != sentence or self.isHidden()
            if new:
                self.leave()  # no key answers a sentence that was not there when it was aimed
            replaces = new and self.isVisible()
            with self._watched():
                self._show(message)
            if replaces and self._answers is not None:
                # The same button may stand in the same place, and is about something else.
                self._answers.moved()
            if new:
                slide_in(self)
                announce(self, sentence, urgent=not calm)

    def say_beside(self, sentence: str, action: str = "", act: Act | None = None) -> None:
        """Show in a line below what is true beside what is said; blank for nothing."""
        new = sentence and sentence != self._beside.text()
        self._act_beside = act
        if not sentence and self._beside_action is self.window().focusWidget():
            self.leave()
        self._beside.setText(sentence)
        self._beside_action.setText(action)
        self._beside.setVisible(bool(sentence))
        self._beside_action.setVisible(bool(sentence and action))
        if new:
            announce(self, sentence)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        air = 2 if on else 8
        self._rows.setContentsMargins(14, air, 8, air)
        self._rows.setSpacing(0 if on else 4)

    def shrink(self, *, on: bool) -> None:
        """Whether it stands in the small window: what can be done stands below the sentence."""
        way = QBoxLayout.Direction.TopToBottom if on else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(way)

    def setVisible(self, visible: bool) -> None:  # noqa: FBT001 - as Qt has it
        """Before it goes, the keyboard goes back to where it was."""
        if not visible:
            self.leave()
        with self._watched():
            super().setVisible(visible)

    def _watched(self) -> AbstractContextManager[None]:
        if self._guard is None:
            return nullcontext()
        return self._guard.watched(*self.controls, by_words=True)

    def enter(self) -> bool:
        """Take the keyboard, because the person asked for it; False when nothing is said."""
        if self.isHidden():
            return False
        first = next((each for each in self._actions if not each.isHidden()), self._close)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def leave(self) -> bool:
        """Give the keyboard back to where it was; False when it is not here.

        While a dialog has it, it is where it will be once that is closed.
        """
        here = self.window().focusWidget()
        before = self._came_from
        if not self.isAncestorOf(here):
            return False
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            here.clearFocus()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape puts the sentence away."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _show(self, message: _Message) -> None:
        self._text.setText(message.sentence)
        self.setAccessibleName(message.sentence)
        for index, each in enumerate(self._actions):
            words = message.actions[index] if index < len(message.actions) else ""
            if not words and each is self.window().focusWidget():
                self.leave()
            each.setText(words)
            each.setVisible(bool(words))
        self._close.setText(message.close)
        self._mark.setVisible(not message.calm)
        set_flag(self, "kind", "calm" if message.calm else "problem")
        # The label's colour hangs on the frame's kind, and is not looked up again by itself.
        self._text.style().polish(self._text)
        self.show()

    def _focus_moved(self, old: QWidget | None, now: QWidget | None) -> None:
        came = now is not None and self.isAncestorOf(now)
        if came and old is not None and not self.isAncestorOf(old):
            self._came_from = old

    def _run_first(self) -> None:
        self._acts[0]()

    def _run_second(self) -> None:
        self._acts[1]()

    def _run_beside(self) -> None:
        if self._act_beside is not None:
            self._act_beside()


def _action(act: Act) -> QPushButton:
    return button("", act, "link")


_LINES = 4
_AIR = 3
_RADIUS = 10
_SET_ANEW = frozenset(
    {QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
)


class GapLabel(HighlightedLabel):
    """No wider than its words; it wraps where there is less room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Says nothing yet."""
        super().__init__("problem", _LINES, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_margins()

    def say(self, words: str, tip: str = "") -> None:
        """Show `words`; `tip` says more."""
        # The dots before the end of an id stay with it when the line breaks.
        self.show_text(words.replace("…", "…\N{WORD JOINER}"), ())
        self.setAccessibleName(words)
        if tip:
            set_tip(self, tip)

    def changeEvent(self, event: QEvent) -> None:
        """Room for the sign, on the side where the line begins."""
        super().changeEvent(event)
        if event.type() in _SET_ANEW:
            self._set_margins()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and sign, then the words."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(tokens().amber_ground))
            painter.drawRoundedRect(self.rect(), _RADIUS, _RADIUS)
            side = self.fontMetrics().height()
            start = self.width() - 8 - side if self.is_mirrored() else 8
            icon("warning", "amber").paint(painter, QRect(start, _AIR, side, side))
            super().paintEvent(event)

    def _set_margins(self) -> None:
        sign = self.fontMetrics().height() + 14
        mirrored = self.is_mirrored()
        self.setContentsMargins(10 if mirrored else sign, _AIR, sign if mirrored else 10, _AIR)


_DELAY_MS = 1000
"""What is over sooner needs no words; they would only flicker."""
_BAR_WIDTH = 96


class WorkNote(GuardedOverrides, QWidget):
    """Bound to a `SessionScreen`: words, a bar that only says "not yet", and Stop."""

    def __init__(self, session: SessionScreen) -> None:
        """Nothing under way."""
        super().__init__()
        self._session = session
        self._words = label("", "small")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_BAR_WIDTH)
        self.stop = button(tr("Stop"), session.stop, "link")
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self._appear)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for widget in (self._words, self._bar, self.stop):
            row.addWidget(widget)
        row.addStretch(1)
        self.hide()
        session.state_changed.connect(self._show)
        self._show(session.state)

    def hideEvent(self, event: QHideEvent) -> None:
        """A bar that nobody sees does not turn."""
        super().hideEvent(event)
        self._bar.setRange(0, 1)

    def _show(self, state: SessionScreenState) -> None:
        words = state.work_words
        self._words.setText(words)
        self._bar.setAccessibleName(words)
        self.stop.setVisible(state.busy)
        if not words:
            self._delay.stop()
            self.hide()
        elif self.isHidden() and not self._delay.isActive():
            self._delay.start()

    def _appear(self) -> None:
        self._bar.setRange(0, 0)
        self.show()
        # Each page where somebody may wait has one of these.
        if self.isVisible():
            announce(self, self._session.state.work_words)


class NoticeBanner(Banner):
    """One sentence at a time: a newer one takes the place of the older."""

    def __init__(self, session: SessionScreen, acts: Mapping[NoticeAction, Act]) -> None:
        """`acts` are the window's own; what the session itself can do is known here."""
        super().__init__()
        self.closed.connect(self._dismiss)
        self._session = session
        self._copied: Notice | None = None
        self._acts_of: dict[NoticeAction, Act] = {
            NoticeAction.TRY_AGAIN: session.restore,
            NoticeAction.CHECK_CONNECTION: session.check_connection,
            NoticeAction.SIGN_OUT_ANYWAY: session.sign_out,
            NoticeAction.SEND_THERE: session.agree,
            NoticeAction.SEND_UNCOMPARED: session.agree,
            NoticeAction.SAME_ACCOUNT: session.agree,
            NoticeAction.OTHER_ACCOUNT: session.decline,
            **acts,
        }
        self._rest: PointerRest | None = None
        self._shown: tuple[Notice | None, Notice | None] = (None, None)
        """What is said, and what beside it; the session may have come to say another meanwhile."""
        session.state_changed.connect(self._notice_changed)
        self._show_notice()

    def stand_above(self, *below: QWidget) -> None:
        """Nor do they move while the pointer is on its way over them."""
        super().stand_above(*below)
        self._rest = PointerRest(below, self)

    def _notice_changed(self) -> None:
        if self._rest is None:
            self._show_notice()
        elif (self._notice, self._session.state.beside) == self._shown:
            self._rest.forget()
        else:
            self._rest.then(self._come_or_go)

    def _come_or_go(self) -> None:
        stands_nowhere = self.isHidden() and self._notice is None
        with nullcontext() if stands_nowhere else self._watched():
            self._show_notice()

    def _show_notice(self) -> None:
        notice, beside = self._shown = self._notice, self._session.state.beside
        if notice is None:
            self._copied = None
            if not self.isHidden():
                self.hide()
            return
        first, also = self._action(notice, notice.action), self._action(notice, notice.also)
        words, act = first or ("", None)
        stay = _STAY[notice.action]() if notice.action in _STAY else ""
        self.say(notice.words, words, act, also=also, calm=notice.calm, close=stay)
        if beside is None:
            self.say_beside("")
        else:
            self.say_beside(beside.words, *(self._action(beside, beside.action) or ("", None)))

    def _action(self, notice: Notice, action: NoticeAction) -> tuple[str, Act] | None:
        if action is NoticeAction.NOTHING:
            return None
        if action is NoticeAction.COPY_DETAILS:
            words = tr("Copied") if self._copied == notice else _WORDS[action]()
            return words, partial(self._copy_details, notice)
        return _WORDS[action](), partial(self._answer, action)

    def _answer(self, action: NoticeAction) -> None:
        if self._is_of_now:
            self._acts_of[action]()

    def _dismiss(self) -> None:
        if self._is_of_now:
            self._session.dismiss()

    @property
    def _is_of_now(self) -> bool:
        """Not so while another waits for the pointer: nobody answers what they have not read."""
        return self._notice == self._shown[0]

    @property
    def _notice(self) -> Notice | None:
        """What is said twice is read twice: not what the first page says itself."""
        state = self._session.state
        return None if state.notice == state.said_in_form else state.notice

    def _copy_details(self, notice: Notice) -> None:
        if self._is_of_now:
            QGuiApplication.clipboard().setText(notice.details)
            self._copied = notice
            self._show_notice()
            announce(self, tr("Copied"))


_WORDS: Mapping[NoticeAction, Callable[[], str]] = {
    NoticeAction.SIGN_IN_AGAIN: lambda: tr("Sign in again"),
    NoticeAction.TRY_AGAIN: lambda: tr("Try again"),
    NoticeAction.CHECK_CONNECTION: lambda: tr("Try now"),
    NoticeAction.COPY_DETAILS: lambda: tr("Copy details"),
    NoticeAction.SIGN_OUT: lambda: tr("Sign out"),
    NoticeAction.CLOSE_ANYWAY: lambda: tr("Close Front Desk"),
    NoticeAction.SIGN_OUT_ANYWAY: lambda: tr("Sign out anyway"),
    NoticeAction.SEND_THERE: lambda: tr("Send there anyway"),
    NoticeAction.SEND_UNCOMPARED: lambda: tr("Send all the same"),
    NoticeAction.SHOW_NEEDED: lambda: tr("Show"),
    NoticeAction.SAME_ACCOUNT: lambda: tr("Yes, it is the same"),
    NoticeAction.OTHER_ACCOUNT: lambda: tr("It is another account"),
}
_STAY: Mapping[NoticeAction, Callable[[], str]] = {
    NoticeAction.CLOSE_ANYWAY: lambda: tr("Stay"),
    NoticeAction.SIGN_OUT_ANYWAY: lambda: tr("Stay signed in"),
}
"""What putting the sentence away means, beside an action that leaves."""
