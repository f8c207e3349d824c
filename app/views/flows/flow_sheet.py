"""The chosen flow as a sheet that scrolls by itself beside the list: its name, what is known of it,
who runs it, the strip of its steps, and where the arrow keys lead among them.
"""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.exporting.print_requests import PrintFlow
from app.viewmodels.flows.cards import FlowPage, FlowPlace
from app.viewmodels.flows.flows import FlowsScreen, FlowsState, ReturnPoint
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.flows.step_body import AdministratorLine, StepBody
from app.views.flows.step_strip import StepCardView, StepStrip
from app.views.widgets.buttons import bind_keys, button, label
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.menus import asks_for_menu, by_mouse
from app.views.widgets.pill import NamePill

_TITLE_LINES, _SUMMARY_LINES, _FACTS_LINES = 3, 4, 8
_AROUND = 22
_ABOVE = 8
"""Pixels that are left above what begins at the top of the view."""
_WAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
_WEIGHT_ACROSS = 3
"""How much less near something is to the side than straight above or below."""


class FlowSheet(GuardedOverrides, QScrollArea):
    """Bound to a `FlowsScreen`; it follows the chosen flow only while it is seen."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""
    print_wanted = Signal(object)
    """Carries a `PrintRequest` for the flow."""
    menu_wanted = Signal(object, object, object)
    """Carries the `FlowPlace` a menu is asked for, the id of somebody named there or None, and the
    point of the screen where it belongs.
    """
    copy_wanted = Signal(object, object)
    """Carries the `FlowPlace` that is to be copied, and the point where that is said."""
    left = Signal()
    """Escape: somebody wants to go back to the list."""

    def __init__(self, screen: FlowsScreen) -> None:
        """Bind to `screen`."""
        super().__init__()
        self._screen = screen
        self._shown = FlowsState()
        self._return_to: ReturnPoint | None = None
        self._point_out = False
        self._chain: list[QWidget] = []
        self._page = _ScrolledPage(self)
        self._rows = QVBoxLayout(self._page)
        self._title = HighlightedLabel("title", _TITLE_LINES)
        self._print = button(tr("Print"), self._print_flow, icon="print")
        self._summary = HighlightedLabel("soft", _SUMMARY_LINES)
        self._facts = HighlightedLabel("soft", _FACTS_LINES)
        run_by = label(tr("Run by"), "soft")
        self._administrators = AdministratorLine(self._followed_administrator, run_by)
        self._empty = label("", "soft", wraps=True)
        self._action = button("", screen.refresh)
        self._strip = StepStrip(self._follow)
        self._strip.grown.connect(self._chain_stops)
        self._other_steps = label("", "soft")
        self._lay_out()
        screen.state_changed.connect(self._state_changed)
        screen.step_wanted.connect(self._step_wanted)
        bind_keys(self, QKeySequence.StandardKey.Copy, self._copy)

    def focus_first(self) -> None:
        """Put the keyboard on the first name or step: of the step somebody came for, if any."""
        stop = self._strip.stop_of(self._screen.state.step_id)
        if stop is not None and stop in self._chain:
            self._focus(stop)
        elif self._chain:
            self._focus(self._chain[0])

    def return_to(self, place: ReturnPoint) -> None:
        """Show the page as it was when somebody followed a name from it, the name with the keys."""
        self._return_to = place
        if self.isVisible():
            self._come_back()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what has changed while nobody looked."""
        super().showEvent(event)
        self._catch_up()
        self._come_back()
        self._show_step()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows lead from name to name, Home and End to the first and the last, Escape out."""
        if asks_for_menu(event):
            self._ask_for_menu(QApplication.focusWidget(), None)
            return
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.left.emit()
            return
        focused = QApplication.focusWidget()
        if focused in self._chain and not event.modifiers():
            stop = _next_stop(self._chain, focused, Qt.Key(event.key()))
            if stop is not None:
                self._focus(stop)
                return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - as Qt has it
        """Tab shows what it leads to, and of a step that is higher than the view its name."""
        moved = super().focusNextPrevChild(forward)
        focused = QApplication.focusWidget()
        if focused is not None and focused in self._chain:
            self._show_stop(focused)
        return moved

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Of what the mouse is at, or the keyboard: a name, a step, or the flow around them."""
        if by_mouse(event):
            at = event.globalPos()
            self._ask_for_menu(self._page.childAt(self._page.mapFromGlobal(at)), at)
        else:
            self._ask_for_menu(QApplication.focusWidget(), None)

    def _ask_for_menu(self, widget: QWidget | None, at: QPoint | None) -> None:
        place, person_id = self._what(widget)
        if place is not None:
            self.menu_wanted.emit(place, person_id, at or self._middle_of(widget))

    def _copy(self) -> None:
        focused = QApplication.focusWidget()
        place, _ = self._what(focused)
        if place is not None:
            self.copy_wanted.emit(place, self._middle_of(focused))

    def in_hand(self) -> tuple[FlowPlace | None, str | None]:
        """The step that has the keyboard, and whose name in it; while nothing here has it, the step
        that somebody came for, or the flow.
        """
        focused, flow = QApplication.focusWidget(), self._shown.flow
        if flow is not None and not (focused is not None and self.isAncestorOf(focused)):
            return FlowPlace(flow.flow_id, self._shown.step_id), None
        return self._what(focused)

    def _what(self, widget: QWidget | None) -> tuple[FlowPlace | None, str | None]:
        """The place that `widget` shows, and whose name it is."""
        flow, person_id = self._shown.flow, None
        if flow is None:
            return None, None
        while widget is not None and widget is not self:
            if isinstance(widget, NamePill) and widget.pill is not None:
                person_id = widget.pill.person_id
            elif isinstance(widget, StepBody | StepCardView) and widget.step is not None:
                return FlowPlace(flow.flow_id, widget.step.step_id), person_id
            widget = widget.parentWidget()
        return FlowPlace(flow.flow_id), person_id

    def _middle_of(self, widget: QWidget | None) -> QPoint:
        if widget is None or not self.isAncestorOf(widget):
            widget = self.viewport()
        return widget.mapToGlobal(widget.rect().center())

    # How it is put together

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The names and cards inside take the keyboard; a frame around them would be one more stop.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = self._page
        page.setProperty("role", "page")
        self.setWidget(page)
        rows = self._rows
        rows.setContentsMargins(_AROUND, 18, _AROUND, 18)
        rows.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._title, 1)
        head.addWidget(self._print, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(head)
        for widget in (self._summary, self._facts, self._administrators):
            rows.addWidget(widget)
        rows.addSpacing(4)
        rows.addWidget(self._empty)
        rows.addWidget(self._action, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addWidget(self._strip)
        rows.addWidget(self._other_steps)
        rows.addStretch(1)

    # What is shown

    def _state_changed(self, _state: FlowsState) -> None:
        if self.isVisible():
            self._catch_up()

    def _catch_up(self) -> None:
        state = self._screen.state
        if _of_the_page(state) != _of_the_page(self._shown):
            self._show_page(state)
        self._shown = state

    def _show_page(self, state: FlowsState) -> None:
        flow, before = state.flow, self._shown.flow
        if flow is not None and before is not None and self._marked_anew(flow, before):
            return
        focused = QApplication.focusWidget()
        at = self._chain.index(focused) if focused in self._chain else None
        self._shown = state
        # Once for the whole page, not once for each thing that appears.
        self._rows.setEnabled(False)
        self._show_head(flow)
        self._show_empty(state)
        another = flow is not None and before is not None and flow.flow_id != before.flow_id
        in_sight = self._room_for_steps() if another and self._strip.isVisible() else None
        self._strip.show_steps(flow.steps if flow else (), in_sight)
        self._strip.setVisible(bool(flow and flow.steps))
        self._other_steps.setText(flow.other_steps_words if flow else "")
        self._other_steps.setVisible(bool(flow and flow.other_steps_words))
        self._rows.setEnabled(True)
        self._settle()
        self._strip.point_out(state.step_id)
        self._chain_stops()
        if at is not None and not (focused and focused in self._chain and focused.isVisible()):
            self._focus_near(at)
        if before is not None and (flow is None or flow.flow_id != before.flow_id):
            self.verticalScrollBar().setValue(0)

    def _room_for_steps(self) -> int:
        """At most so much of the strip is in sight at the top of a flow, in pixels."""
        head = self._title.sizeHint().height() + self._summary.sizeHint().height()
        return self.viewport().height() - head - self._rows.contentsMargins().top()

    def _marked_anew(self, flow: FlowPage, before: FlowPage) -> bool:
        """Mark what was searched where nothing else is another: nothing moves then."""
        if not flow.differs_in_marks_alone(before) or not self._strip.mark(flow.steps):
            return False
        self._title.show_text(flow.name, flow.highlights)
        self._administrators.box.mark(flow.pills)
        self._strip.point_out(self._screen.state.step_id)
        return True

    def _show_head(self, flow: FlowPage | None) -> None:
        self._title.show_text(flow.name if flow else "", flow.highlights if flow else ())
        self._summary.show_text(flow.summary if flow else "", ())
        facts = [
            tr("{name}: {value}", name=fact.name, value=fact.value)
            for fact in (flow.facts if flow else ())
        ]
        self._facts.show_text("\n".join(facts), ())
        self._facts.setVisible(bool(facts))
        name = flow.name if flow else ""
        where = tr("Runs the flow {flow}. Press Enter to show this person.", flow=name)
        others = flow.others_words if flow else ""
        self._administrators.show_all(flow.pills if flow else (), where, others)
        self._title.setVisible(flow is not None)
        self._print.setVisible(flow is not None)
        self._summary.setVisible(flow is not None)

    def _show_empty(self, state: FlowsState) -> None:
        flow, action = state.flow, state.empty_action
        self._empty.setText(state.empty_words)
        self._empty.setVisible(bool(state.empty_words))
        centre = Qt.AlignmentFlag.AlignCenter
        self._empty.setAlignment(Qt.AlignmentFlag.AlignLeading if flow else centre)
        self._empty.setContentsMargins(0, 0 if flow else 60, 0, 8)
        self._action.setText(action)
        self._action.setVisible(bool(action))

    # Where the keyboard is

    def _chain_stops(self) -> None:
        """Tab goes in reading order, whichever views were built first."""
        chain = [*self._administrators.box.names(), *self._strip.stops()]
        if chain != self._chain:
            self._chain = chain
            for one, following in pairwise(chain):
                QWidget.setTabOrder(one, following)

    def _focus_near(self, at: int) -> None:
        if self._chain:
            self._focus(self._chain[min(at, len(self._chain) - 1)])
        else:
            self.left.emit()

    def _focus(self, stop: QWidget) -> None:
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        self._show_stop(stop)

    def _show_stop(self, stop: QWidget) -> None:
        if stop.height() > self.viewport().height():
            self._bring_into_sight(stop)  # Qt would show the middle
        else:
            self.ensureWidgetVisible(stop, 0, 30)

    def _come_back(self) -> None:
        place, self._return_to = self._return_to, None
        flow = self._shown.flow
        if place is None or flow is None or flow.flow_id != place.flow_id:
            return
        view = self._view_of(place)
        self._settle()
        # There is nothing to scroll to before the page is as long as it was.
        seen = self.viewport().height()
        while self._strip.growing and self._page.height() < place.scrolled + seen:
            self._strip.show_more()
            self._settle()
        if view is not None:
            self._focus(view)
        else:
            self.left.emit()
        self.verticalScrollBar().setValue(place.scrolled)

    def _view_of(self, place: ReturnPoint) -> NamePill | None:
        if place.step_id is not None:
            return self._strip.pill_of(place.step_id, place.person_id)
        return self._administrators.box.name_of(place.person_id)

    def _step_wanted(self) -> None:
        self._point_out = True
        if self.isVisible():
            self._show_step()

    def _show_step(self) -> None:
        """Mark the step somebody came for, and bring it into sight."""
        wanted, self._point_out = self._point_out, False
        view = self._strip.point_out(self._screen.state.step_id) if wanted else None
        if view is not None:
            self._settle()
            self._bring_into_sight(view)

    def _bring_into_sight(self, view: QWidget) -> None:
        """Scroll to the middle of what is not wholly seen; of what is higher than the view, to the
        top, where its name stands, and who administers it.
        """
        place = QRect(view.mapTo(self._page, view.rect().topLeft()), view.size())
        bar, seen = self.verticalScrollBar(), self.viewport().height()
        if place.top() < bar.value() or place.bottom() > bar.value() + seen:
            bar.setValue(min(place.center().y() - seen // 2, place.top() - _ABOVE))

    def _settle(self) -> None:
        """Have everything stand where it will, beside a scroll bar or not: left to Qt, it would be
        painted once on the way there, and there is nothing to scroll before.
        """
        self._rows.invalidate()
        QApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))
        self._rows.activate()
        self._strip.set_out()

    # Following a name

    def _followed_administrator(self, person_id: object) -> None:
        self._follow(None, str(person_id))

    def _print_flow(self) -> None:
        flow = self._shown.flow
        if flow is not None:
            self.print_wanted.emit(PrintFlow(flow.flow_id))

    def _follow(self, step_id: str | None, person_id: str) -> None:
        flow = self._shown.flow
        if flow is not None:
            scrolled = self.verticalScrollBar().value()
            place = ReturnPoint(flow.flow_id, step_id, person_id, scrolled)
            self._screen.follow_from(place)
            self.person_wanted.emit(person_id)


class _ScrolledPage(GuardedOverrides, QWidget):
    """What is scrolled; its layout is asked once for the height beside a scroll bar."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__()
        self._area = area
        # What stands is not painted again when more comes below.
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)

    def heightForWidth(self, width: int) -> int:
        """Qt asks for each width between that of the whole area and that beside the bar, in turn,
        as long as the page is higher than the area: a flow would be laid out fifteen times.
        """
        whole = self._area.maximumViewportSize().width()
        beside = whole - self._area.verticalScrollBar().sizeHint().width()
        return super().heightForWidth(beside if beside < width < whole else width)


def _of_the_page(state: FlowsState) -> tuple[object, ...]:
    return state.flow, state.empty_words, state.empty_action


def _next_stop(stops: Sequence[QWidget], at: QWidget, key: Qt.Key) -> QWidget | None:
    """Where `key` leads from `at`; None for a key that leads nowhere. `at` is one of `stops`.

    Left and Right go one by one in reading order, mirrored where the window is; Up and Down to
    what is nearest in that direction; Home and End to the first and the last.
    """
    if key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        return stops[0 if key == Qt.Key.Key_Home else -1]
    if key in _WAYS:
        mirrored = at.layoutDirection() is Qt.LayoutDirection.RightToLeft
        index = stops.index(at) + (-_WAYS[key] if mirrored else _WAYS[key])
        return stops[max(0, min(index, len(stops) - 1))]
    if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
        return _nearest(stops, at, down=key == Qt.Key.Key_Down)
    return None


def _nearest(stops: Sequence[QWidget], at: QWidget, *, down: bool) -> QWidget:
    here = _middle(at)

    def apart(stop: QWidget) -> int:
        there = _middle(stop)
        return abs(there.y() - here.y()) + _WEIGHT_ACROSS * abs(there.x() - here.x())

    beyond = [
        stop
        for stop in stops
        if stop is not at
        and ((_middle(stop).y() - here.y()) * (1 if down else -1) > at.height() // 2)
    ]
    return min(beyond, key=apart, default=at)


def _middle(widget: QWidget) -> QPoint:
    return widget.mapTo(widget.window(), widget.rect().center())
