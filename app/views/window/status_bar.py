"""The status bar: what is under way, who is waiting to be sent, and the keys that help.

By itself: it follows a screen of its own, whichever page stands above it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.window.status_bar import StatusBarScreen, StatusBarState
from app.views.widgets.banner import WorkNote
from app.views.widgets.buttons import button, label
from app.views.widgets.labels import ElidingLabel, announce, elided, set_tip
from app.views.widgets.layouts import FocusInset
from app.views.widgets.pointer import PressGuard

_BAR_WIDTH = 120
_BETWEEN_HINTS = " · "
"""As it stands in the sentence in every language."""


class StatusBar(GuardedOverrides, QWidget):
    """Bound to a `StatusBarScreen`; hidden until there is one."""

    entry_chosen = Signal()
    """Somebody followed the words to the first row they speak of."""
    history_wanted = Signal()
    news_wanted = Signal()
    """Somebody followed the words on what has changed."""
    list_wanted = Signal()
    """Somebody wants to go on with the list that was begun."""
    line_wanted = Signal()
    """Somebody wants to see the lines that are not added yet."""
    result_wanted = Signal(object)
    """Carries the id of a list of which somebody wants to see each row."""

    def __init__(self, session: SessionScreen) -> None:
        """Nothing under way."""
        super().__init__()
        self.setProperty("role", "status-bar")
        # A bare QWidget paints its style sheet's background only when told to.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._status: StatusBarScreen | None = None
        self._small = False
        self._lists = _link(self._show_list, tr("Show every row of the list"))
        self._waiting = _link(self._choose_waiting, tr("Show the first of them"))
        self._looked_for = _link(self._choose_looked_for, tr("Show the first of them"))
        self._needed = _link(self._choose_needed, tr("Show what there is to decide"))
        self._begun_list = _link(self.list_wanted.emit, tr("Go on looking over this list"))
        self._unadded = _link(self.line_wanted.emit, tr("Show the first of them"))
        self.news = _link(self.news_wanted.emit, tr("Show what is new"))
        self._links = (self._lists, self._waiting, self._looked_for, self._needed)
        self._added = ElidingLabel("small")
        self._list = label("", "small")
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedWidth(_BAR_WIDTH)
        self._progress.setAccessibleName(tr("People read so far"))
        self._progress.hide()
        self._work = WorkNote(session)
        # Of all that stands here the easiest to do without where there is little room.
        self._keys = _KeyHints("small")
        self._keys.setText(tr("Ctrl+N add · Ctrl+F search · F5 read again"))
        self._history = _link(
            self.history_wanted.emit, tr("Everybody typed here, and what became of them")
        )
        self._history.setText(tr("History"))
        self.controls = (
            *self._links, self.news, self._work.stop, self._unadded, self._begun_list, self._history
        )  # fmt: skip
        """What takes the keyboard, in reading order."""
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 20, 6)
        row.setSpacing(12)
        said = QHBoxLayout()
        said.setSpacing(0)
        for link in self._links:
            said.addLayout(FocusInset(link))
        row.addLayout(said)
        row.addLayout(FocusInset(self.news))
        for widget in (self._added, self._list, self._progress, self._work):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._unadded)
        row.addWidget(self._begun_list)
        row.addWidget(self._history)
        # Not before it stands here: it would be a window of its own for a moment.
        self._history.show()
        row.addWidget(self._keys)
        self._guard = PressGuard((self,), self)
        # The links come and go; the lists above must not move.
        self._keys.setMinimumHeight(self._needed.sizeHint().height())
        self.hide()

    def bind(self, status: StatusBarScreen | None) -> None:
        """Show `status` from now on, or nothing."""
        if self._status is not None:
            self._status.state_changed.disconnect(self._show)
        self._status = status
        self.setVisible(status is not None)
        if status is not None:
            status.state_changed.connect(self._show)
            self._show(status.state)

    def leaveEvent(self, event: QEvent) -> None:
        """What has gone from under the pointer keeps its place no longer."""
        super().leaveEvent(event)
        self._keep_places(on=False)

    def show_news(self, words: str) -> None:
        """Lead to what has changed since somebody looked; blank for nothing."""
        with self._in_place():
            self.news.setText(words)
            self.news.setVisible(bool(words) and not self._small)

    def show_unadded_lines(self, words: str) -> None:
        """Lead to the lines that were given and are not added yet; blank for none."""
        with self._in_place():
            self._unadded.setText(words)
            self._unadded.setVisible(bool(words))

    def show_begun_list(self, words: str) -> None:
        """Lead to the list that somebody has begun; blank for none."""
        self._begun_list.setText(words)
        self._begun_list.setVisible(bool(words) and not self._small)

    def shrink(self, *, on: bool) -> None:
        """Whether it stands below the small window: then it leads to what needs somebody alone."""
        self._small = on
        # Whoever waits stands above, and how the connection is.
        self._keys.setText(
            tr("Enter adds") if on else tr("Ctrl+N add · Ctrl+F search · F5 read again")
        )
        self._history.setVisible(not on)
        for link in (self.news, self._begun_list):
            link.setVisible(bool(link.text()) and not on)
        if self._status is not None:
            self._show(self._status.state)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """While somebody points here a link keeps its place when its words get shorter or go; where
        one has moved all the same, a press that may be meant for another does nothing.
        """
        if not self.underMouse():
            yield
            return
        self._keep_places(on=True)
        with self._guard.watched(*(link for link in self.controls if not link.isHidden())):
            yield

    def _keep_places(self, *, on: bool) -> None:
        for link in (*self._links, self.news):
            if not on or not link.isHidden():
                link.setMinimumWidth(link.width() if on else 0)
                size = link.sizePolicy()
                size.setRetainSizeWhenHidden(on)
                link.setSizePolicy(size)

    def _show(self, state: StatusBarState) -> None:
        with self._in_place():
            self._show_state(state)

    def _show_state(self, state: StatusBarState) -> None:
        said = (
            state.batches_words,
            state.waiting_words,
            state.looked_for_words,
            state.needed_words,
        )
        self._show_links(("", "", "", state.needed_words) if self._small else said)
        self._waiting.setAccessibleDescription(state.waiting_details)
        set_tip(self._waiting, state.waiting_details)
        self._show_added(state.added_words)
        self._list.setText(state.freshness_words)
        self._list.setVisible(not self._small)
        self._show_progress(state.progress if state.under_way else (0, 1))
        self._progress.setVisible(state.under_way and not self._small)

    def _show_links(self, said: tuple[str, ...]) -> None:
        """As one sentence, "2 waiting, 1 needs you", of which each part leads somewhere."""
        last = max((at for at, words in enumerate(said) if words), default=0)
        for at, (link, words) in enumerate(zip(self._links, said, strict=True)):
            link.setText(words if at == last else tr("{words},", words=words))
            link.setAccessibleName(words)
            link.setVisible(bool(words))

    def _show_added(self, words: str) -> None:
        if words and words != self._added.text():
            announce(self, words)
        self._added.setText(words)
        self._added.setVisible(bool(words) and not self._small)

    def _show_progress(self, progress: tuple[int, int] | None) -> None:
        """A bar that only says "not yet" while nobody knows how many there are; hidden it rests."""
        received, total = progress or (0, 0)
        # A bar that has moved is painted at once, and with it all of the window that is other than
        # before: the whole list for each page of people, in the turn that puts them in.
        self._progress.setUpdatesEnabled(False)
        self._progress.setRange(0, max(total, 1) if progress else 0)
        self._progress.setValue(min(received, max(total, 1)))
        self._progress.setUpdatesEnabled(True)

    def _show_list(self) -> None:
        under_way = self._status.list_under_way if self._status is not None else None
        if under_way is not None:
            self.result_wanted.emit(under_way)

    def _choose_waiting(self) -> None:
        if self._status is not None and self._status.choose_waiting():
            self.entry_chosen.emit()

    def _choose_looked_for(self) -> None:
        if self._status is not None and self._status.choose_looked_for():
            self.entry_chosen.emit()

    def _choose_needed(self) -> None:
        if self._status is not None and self._status.choose_needed():
            self.entry_chosen.emit()


class _KeyHints(ElidingLabel):
    """Keys and what each does; as many of them as there is room for, none of them cut."""

    def _shown(self) -> str:
        hints = self.text().split(_BETWEEN_HINTS)
        while hints and not self._has_room(_BETWEEN_HINTS.join(hints)):
            hints.pop()
        return _BETWEEN_HINTS.join(hints)

    def _has_room(self, text: str) -> bool:
        return elided(text, self.fontMetrics(), self.contentsRect().width()) == text


def _link(act: Callable[[], object], tip: str) -> QPushButton:
    made = button("", act, "link")
    made.setProperty("small", "true")
    set_tip(made, tip)
    made.hide()
    return made
