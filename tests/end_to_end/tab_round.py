"""Pressing Tab all the way round a window, and what is wrong with the way it leads."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.tour.script import press
from app.views.people.person_pane import PersonPaneView
from tests.end_to_end.layout_rules import path, seen

LIMIT = 200
"""More presses than there are controls: whoever needs them goes in circles elsewhere."""


def tab_round(start: QWidget) -> list[QWidget]:
    """The controls that Tab leads to, from `start` until it is there again, each in sight."""
    way = [start]
    for _ in range(LIMIT):
        press(Qt.Key.Key_Tab)
        at = QApplication.focusWidget()
        if at is None or at is start:
            break
        for card in at.window().findChildren(PersonPaneView):
            # It comes a moment later, and nobody presses as fast as this.
            card.catch_up()
        assert not at.visibleRegion().isEmpty(), f"out of sight: {path(at)}"
        way.append(at)
    return way


def problems_of(window: QWidget, way: list[QWidget]) -> list[str]:
    """What is never reached, and where the way goes back up more than the once it has to."""
    problems = [] if len(way) <= LIMIT else ["Tab does not come back"]
    missed = [each for each in _stops(window) if each not in way]
    problems += [f"never reached: {path(each)}" for each in missed]
    back = [
        f"{path(one)} goes back to {path(other)}"
        for one, other in zip(way, [*way[1:], way[0]], strict=True)
        if not _ends_a_form(other) and _goes_back(_place(one, other), _place(other, one))
    ]
    # Once round, the way has to begin again at the top.
    return problems + (back if len(back) > 1 else [])


def _stops(window: QWidget) -> list[QWidget]:
    return [
        each
        for each in seen(window)
        if each.isEnabled()
        and each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and each.focusProxy() is None
    ]


def _place(widget: QWidget, beside: QWidget) -> QRect:
    """Where it stands when nothing is scrolled; for `beside` outside, where what scrolls does."""
    place = _on_the_screen(widget)
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, QScrollArea):
            if at.isAncestorOf(beside):
                place.translate(0, at.verticalScrollBar().value())
            else:
                place = _on_the_screen(at)
        at = at.parentWidget()
    return place


def _on_the_screen(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint()), widget.size())


def _ends_a_form(widget: QWidget) -> bool:
    """Add stands beside the line, and is reached after the fields that it sends."""
    return bool(widget.property("role") == "primary")


def _goes_back(one: QRect, other: QRect) -> bool:
    """Whether `other` is read before `one`: above it, or before it in the same line.

    What begins where `one` ends is another column, which may begin at its own top.
    """
    if other.bottom() <= one.top():
        return other.left() < one.right()
    shared = min(one.bottom(), other.bottom()) - max(one.top(), other.top())
    same_line = shared > min(one.height(), other.height()) / 2
    return bool(same_line and other.right() <= one.left())
