"""The strip that comes above both lists while people of a list are on their way: how far it is, its
buttons.

By itself: it belongs to the account and not to a tab, and nothing may move under somebody's hands
when it comes or goes.
"""

from collections.abc import Callable, Sequence
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QResizeEvent, QWindow
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.importing.progress import (
    MOST_SHOWN,
    ListProgress,
    ProgressScreen,
    ProgressState,
)
from app.views.look.theme import colour, tokens
from app.views.widgets.buttons import button, card, set_flag
from app.views.widgets.labels import ElidingLabel, advance, announce, set_tip
from app.views.widgets.layouts import FocusInset
from app.views.widgets.pointer import PointerRest, PressGuard

_BAR_HEIGHT = 6
_IN_ONE_LINE = "n" * 135
"""In a page so wide what is said of a list has room between its name and its buttons."""
_MEANT_FOR_STOP = 0.6
"""Seconds: who presses Close sooner after it took the place of Stop meant that."""


class ProgressStrip(GuardedOverrides, QWidget):
    """Bound to a `ProgressScreen`; hidden until there is one that shows a list.

    It comes with a page that is gone to and goes when it is put away, so that nothing moves on its
    own; a list keeps its line as long as it is shown. What goes under the pointer leaves its place
    blank until the pointer is elsewhere, and has come to rest where something would move below it;
    or until somebody types, who does not aim at anything.
    """

    result_wanted = Signal(object)
    """Carries the id of the list of which somebody wants to see each row."""
    lists_wanted = Signal()
    """Somebody wants to see the lists that are not shown here."""
    left = Signal()
    """What had the keyboard is gone, with all that could have it here."""

    def __init__(self) -> None:
        """Nothing on its way."""
        super().__init__()
        self.setAccessibleName(tr("Lists being added"))
        self._screen: ProgressScreen | None = None
        self._on_lists = self._folded = False
        self._spoken = ""
        self._rest: PointerRest | None = None
        self._guard: PressGuard | None = None
        self._below: PressGuard | None = None
        self._waits_for_rest = False
        self._keys_of: QWindow | None = None
        """The window whose keys are heard while there is a blank place."""
        self._kinds: object = None
        """What of the lists that are shown decides which controls there are."""
        self._more = button("", self.lists_wanted.emit, "link")
        self._surface = card()
        self._across = QHBoxLayout(self._surface)
        self._across.setSpacing(12)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(10)
        self._rows: list[_Row] = []
        self._across.addLayout(self._lines, 1)
        self._across.addLayout(FocusInset(self._more, air=False))
        self._around = QVBoxLayout(self)
        self._around.addWidget(self._surface)
        self._set_margins()
        self.controls: list[QWidget] = [self._more]
        """What takes the keyboard, in reading order; more of it once there is a list."""
        self.hide()

    def bind(self, screen: ProgressScreen | None) -> None:
        """Show `screen` from now on, or nothing."""
        if self._screen is not None:
            self._screen.state_changed.disconnect(self._show)
        self._screen = screen
        for row in self._rows:
            row.put_away()
        if screen is not None:
            screen.state_changed.connect(self._show)
            self._show(screen.state)
        self._show_or_hide()

    def stand_above(self, *below: QWidget) -> None:
        """`below` move when a list comes or goes: a press that comes before anybody can have seen
        that does nothing.
        """
        self._below = PressGuard(below, self)

    def stand_above_lists(self, *, on: bool) -> None:
        """Whether the lists are what the window shows."""
        self._on_lists = on
        self._close_ranks()
        self._show_or_hide()

    def fold(self, *, on: bool) -> None:
        """Whether there is little room: then the first list alone has a line."""
        if on is not self._folded:
            self._folded = on
            self._set_margins()
            for row in self._rows:
                row.fold(on=on)
            self._close_ranks()
            self._show_or_hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where a line is too short for all that is said of a list, it has two."""
        super().resizeEvent(event)
        self._break_lines()

    def _break_lines(self) -> None:
        # What is shown is given its own width only once Qt has asked how high it is.
        page = self.parentWidget() or self
        narrow = page.width() < advance(_IN_ONE_LINE, self.fontMetrics())
        for row in self._rows:
            row.break_line(on=narrow)

    def _set_margins(self) -> None:
        self._around.setContentsMargins(0, 0, 0, 0 if self._folded else 4)
        across, air = (12, 2) if self._folded else (18, 12)
        self._across.setContentsMargins(across, air, across, air)

    def leaveEvent(self, event: QEvent) -> None:
        """What went under the pointer leaves its place blank only until the pointer rests."""
        super().leaveEvent(event)
        page = self.parentWidget()
        if page is None or not self._has_blank_place:
            self._close_ranks()
            self._show_or_hide()
        else:
            self._wait_for_rest(page)

    def _wait_for_rest(self, page: QWidget) -> None:
        if self._rest is None or self._guard is None:
            self._rest, self._guard = PointerRest((page,), self), PressGuard((page,), self)
        self._waits_for_rest = True
        self._rest.then(self._fill_blank_place)

    def _fill_blank_place(self) -> None:
        self._waits_for_rest = False
        if self._is_pointed_at:
            return  # it is left once more
        self._close_ranks()
        self._show_or_hide()
        if self._guard is not None:
            self._guard.moved()

    def _make_rows(self) -> None:
        """Once there is a list: most windows never see one."""
        for _ in range(MOST_SHOWN):
            row = _Row(self._stop, self._put_away, self._pause, self.result_wanted.emit)
            row.fold(on=self._folded)
            self._rows.append(row)
            self._lines.addWidget(row)
            self.controls[-1:-1] = row.controls

    def _show(self, state: ProgressState) -> None:
        if state.lists and not self._rows:
            self._make_rows()
        kinds = [(one.id, bool(one.pause_words)) for one in state.lists], bool(state.more_words)
        had_keyboard, lines = self._has_keyboard, self._lines_seen
        focused = self.window().focusWidget() if had_keyboard and kinds != self._kinds else None
        self._kinds = kinds
        if focused is not None:
            # Of what is hidden with the keyboard on it Qt gives it to whatever comes next.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        # Where the pointer is only the desktop knows, which takes its time.
        is_pointed_at = self._is_pointed_at or self._waits_for_rest
        page = self.parentWidget()
        would_move = page is not None and not is_pointed_at and self._would_move(state)
        if is_pointed_at or would_move:
            self._show_in_place(state)
        else:
            self._close_ranks()
        self._show_more(state, keep_place=is_pointed_at)
        if focused is not None:
            self._give_keyboard_back(focused)
        self._show_or_hide()
        if self._below is not None and lines != self._lines_seen:
            self._below.moved()
        if would_move and page is not None:
            self._wait_for_rest(page)
        if state.spoken != self._spoken:
            self._spoken = state.spoken
            announce(self, state.spoken)

    def _give_keyboard_back(self, focused: QWidget) -> None:
        """To what had it, or to what comes next in here; else it is for others to say."""
        at = self.controls.index(focused) if focused in self.controls else 0
        behind = (*self.controls[at:], *self.controls[:at])
        here = next((each for each in behind if each.isVisibleTo(self)), None)
        if here is not None:
            here.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.left.emit()

    def _show_in_place(self, state: ProgressState) -> None:
        """Nothing moves or takes the place of another; what comes has a line below, or none yet."""
        lists = {one.id: one for one in state.lists}
        for row in self._rows:
            one = lists.pop(row.list_id, None)
            if one is None:
                row.put_away(keep_place=True)
            else:
                row.show_list(one)
        free = (row for row in self._rows[: 1 if self._folded else MOST_SHOWN] if not row.has_place)
        new = (one for one in self._with_a_line(state) if one.id in lists)
        for row, one in zip(free, new, strict=False):
            row.show_list(one)

    def _would_move(self, state: ProgressState) -> bool:
        """Whether one that is shown has its place elsewhere now: one above it has gone."""
        places = {one.id: at for at, one in enumerate(self._with_a_line(state))}
        return any(places.get(row.list_id, at) != at for at, row in enumerate(self._rows))

    def _close_ranks(self) -> None:
        """Those that are left stand on top, in their order."""
        if self._screen is None:
            return
        state = self._screen.state
        self._show_more(state)
        lists = self._with_a_line(state)
        for at, row in enumerate(self._rows):
            if at < len(lists):
                row.show_list(lists[at])
            else:
                row.put_away()

    def _with_a_line(self, state: ProgressState) -> Sequence[ListProgress]:
        if not self._folded:
            return state.lists
        return [one for one in state.lists if one.id == state.in_front]

    def _show_more(self, state: ProgressState, *, keep_place: bool = False) -> None:
        """The way to the other lists; the buttons beside it stay where they are meanwhile."""
        words, details = (
            (state.more_than_one_words, state.more_than_one_details)
            if self._folded
            else (state.more_words, state.more_details)
        )
        keep_size = self._more.sizePolicy()
        keep_size.setRetainSizeWhenHidden(keep_place and not self._more.isHidden())
        self._more.setSizePolicy(keep_size)
        if words:
            self._more.setText(words)
            set_tip(self._more, "\n".join((tr("All lists that were added"), details)))
            self._more.setAccessibleDescription(details)
        self._more.setVisible(bool(words))

    def _show_or_hide(self) -> None:
        self._break_lines()
        self.setVisible(self._on_lists and any(row.has_place for row in self._rows))
        wanted = self.window().windowHandle() if self._has_blank_place else None
        if wanted is not self._keys_of:
            if self._keys_of is not None:
                self._keys_of.removeEventFilter(self)
            if wanted is not None:
                wanted.installEventFilter(self)
            self._keys_of = wanted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Whoever types has done with what was under the pointer."""
        if event.type() is QEvent.Type.KeyPress and self._has_blank_place:
            self._close_ranks()
            self._show_or_hide()
            if self._below is not None:
                self._below.moved()
        return super().eventFilter(watched, event)

    @property
    def _lines_seen(self) -> int:
        return sum(row.isVisible() for row in self._rows)

    @property
    def _has_blank_place(self) -> bool:
        blank = any(row.has_place and not row.list_id for row in self._rows)
        return blank or (self._more.isHidden() and self._more.sizePolicy().retainSizeWhenHidden())

    @property
    def _has_keyboard(self) -> bool:
        here = self.window().focusWidget()
        return self.isAncestorOf(here) and here.isVisible()

    @property
    def _is_pointed_at(self) -> bool:
        return self.isVisible() and self.rect().contains(self.mapFromGlobal(QCursor.pos()))

    def _pause(self, list_id: str) -> None:
        if self._screen is not None:
            self._screen.pause_or_go_on(list_id)

    def _stop(self, list_id: str) -> None:
        if self._screen is not None:
            self._screen.stop(list_id)

    def _put_away(self, list_id: str) -> None:
        if self._screen is not None:
            self._screen.put_away(list_id)


class _Row(GuardedOverrides, QWidget):
    """One list: its name, how far it is in words and as a bar, and what can be done about it."""

    def __init__(
        self,
        stop: Callable[[str], object],
        put_away: Callable[[str], object],
        pause: Callable[[str], object],
        see_each: Callable[[str], object],
    ) -> None:
        super().__init__()
        self.list_id = ""
        self.has_place = False
        self._name = ElidingLabel("strong")
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._words = ElidingLabel("soft")
        self._bar = _Bar()
        self._pause = button("", lambda: pause(self.list_id))
        self._stop = button("", self._press_stop)
        self._act_stop, self._act_close = stop, put_away
        self._ended_at: float | None = None
        """When its list ended before somebody's eyes, or None while it has not."""
        self._see = button(tr("See each"), lambda: see_each(self.list_id), "link")
        set_tip(self._see, tr("Every row of the list, and what became of it"))
        self.controls = (self._pause, self._stop, self._see)
        self._content = QWidget()
        self._beside, self._said = QHBoxLayout(), QVBoxLayout()
        self._first, self._below = QHBoxLayout(), QVBoxLayout()
        self._lay_out()
        self.fold(on=False)
        self.hide()

    def show_list(self, one: ListProgress) -> None:
        """Show this list."""
        if not one.ended:
            self._ended_at = None
        elif self._ended_at is None or one.id != self.list_id:
            self._ended_at = monotonic()
        self.list_id, self.has_place = one.id, True
        self._name.setText(one.name_words)
        words = (one.progress_words, one.pace_words)
        self._words.setText(" · ".join(each for each in words if each))
        self._bar.show_progress(one.done, one.total, f"{one.name_words}: {one.progress_words}")
        for control, text in ((self._pause, one.pause_words), (self._stop, one.stop_words)):
            if text and control.text() != text:
                control.setText(text)
                control.setAccessibleDescription(one.name_words)
        self._pause.setVisible(bool(one.pause_words))
        self._content.show()
        self.show()

    def fold(self, *, on: bool) -> None:
        """Whether there is little room: then the buttons are as low as the words."""
        self._said.setSpacing(0 if on else 8)
        self._beside.setSpacing(2 if on else 12)
        for control, texts in (
            (self._pause, (tr("Pause"), tr("Go on"))),
            (self._stop, (tr("Stop"), tr("Take back"), tr("Close"))),
        ):
            set_flag(control, "role", "link" if on else "")
            _as_wide_as_any(control, texts)
        for each in (self._content, self):
            each.updateGeometry()

    def break_line(self, *, on: bool) -> None:
        """Whether what is said of the list stands below its name and the buttons."""
        if on and self._below.isEmpty():
            self._below.addWidget(self._words)
        elif not on and not self._below.isEmpty():
            self._first.insertWidget(1, self._words, 1)

    def put_away(self, *, keep_place: bool = False) -> None:
        """Show no list; its place may stay, blank."""
        self.list_id = ""
        self.has_place = keep_place and self.has_place
        self._content.hide()
        self.setVisible(self.has_place)

    def _press_stop(self) -> None:
        if self._ended_at is None:
            self._act_stop(self.list_id)
        elif monotonic() - self._ended_at > _MEANT_FOR_STOP:
            self._act_close(self.list_id)

    def _lay_out(self) -> None:
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._content)
        lines = QVBoxLayout(self._content)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addLayout(self._beside)
        lines.addLayout(self._below)
        across = self._beside
        self._first.setSpacing(6)
        self._first.addWidget(self._name)
        self._first.addWidget(self._words, 1)
        self._first.addStretch()
        self._said.addLayout(self._first)
        self._said.addWidget(self._bar)
        across.addLayout(self._said, 1)
        across.addWidget(self._pause)
        across.addWidget(self._stop)
        across.addLayout(FocusInset(self._see, air=False))
        for widget in (self._pause, self._content):
            kept = widget.sizePolicy()
            kept.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(kept)


def _as_wide_as_any(control: QPushButton, texts: Sequence[str]) -> None:
    """The words change under the pointer; nothing beside them may move."""
    shown, widths = control.text(), []
    for text in texts:
        control.setText(text)
        widths.append(control.sizeHint().width())
    control.setText(shown)
    control.setMinimumWidth(max(widths))


class _Bar(GuardedOverrides, QFrame):
    """Painted whole at each step: Qt's own bar would redraw and animate many times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.setFixedHeight(_BAR_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_progress(self, done: int, total: int, spoken: str) -> None:
        share = done / total if total else 1.0
        self.setAccessibleName(spoken)
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The part that is done begins where the lines of the window begin."""
        look = tokens()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            radius = _BAR_HEIGHT / 2
            painter.setBrush(colour(look.track))
            painter.drawRoundedRect(self.rect(), radius, radius)
            done = round(self.width() * self._share)
            if done:
                mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
                left = self.width() - done if mirrored else 0
                painter.setBrush(colour(look.accent))
                painter.drawRoundedRect(
                    QRect(left, 0, max(done, _BAR_HEIGHT), _BAR_HEIGHT), radius, radius
                )
