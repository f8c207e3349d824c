"""What a double click does in the whole window where the first click leads elsewhere."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from app.container import Container
from app.demo.server import DemoAccess
from app.people.search import PeopleFilter
from app.tour.main_job import shown
from app.tour.script import Script, press
from app.views.widgets.pill import NamePill
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, the

ALT = Qt.KeyboardModifier.AltModifier


def double_click(widget: QWidget) -> None:
    """As it comes from the desktop: at the window, whatever stands there by the second press."""
    window = widget.window().windowHandle()
    assert window is not None
    where = widget.mapTo(widget.window(), widget.rect().center())
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(window, Qt.MouseButton.LeftButton, none, where)


def in_sight(widget: QWidget) -> bool:
    return widget.visibleRegion().boundingRect() == widget.rect()


def test_two_clicks_on_a_name_or_a_link_lead_where_one_does(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        screens = container.window.screens
        assert screens is not None
        press(Qt.Key.Key_2, CTRL)
        yield shown("Newcomers", "Welcome call", "Grace Lindqvist")
        pills = [p for p in container.window.findChildren(NamePill) if in_sight(p)]
        assert len(pills) > 5
        for pill in (pills[0], pills[-1]):
            double_click(pill)
            yield shown("Back to Newcomers", "Administers", pill.text())
            left = screens.flows_tab.last_visit
            assert left is not None
            assert left.name is not None
            assert screens.people.chosen_ids(2) == (left.name.person_id,)
            assert screens.people.state.filter is PeopleFilter.EVERYBODY
            press(Qt.Key.Key_Left, ALT)
            yield shown("Newcomers", "Welcome call")
        press(Qt.Key.Key_Right, ALT)
        yield shown("Back to Newcomers", "Administers")
        chosen = screens.people.chosen_ids(2)
        double_click(the("Show the flow Newcomers", QPushButton))
        yield shown("Back to People", "Welcome call")
        assert screens.people.chosen_ids(2) == chosen

    visit(script)
