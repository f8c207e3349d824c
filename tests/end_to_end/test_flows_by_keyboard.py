"""From a name in a flow to the person and back, by keyboard alone, in the whole window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import add_elsewhere, shown
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Script, Until, click, press, type_text
from app.views.people.people_tab import PeopleTab
from app.views.widgets.pill import NamePill
from tests.end_to_end.steps import CTRL, Serve, Visit, click_row, enter_with_key, the, write

ALT = Qt.KeyboardModifier.AltModifier


def focused() -> str:
    widget = QApplication.focusWidget()
    return widget.text() if isinstance(widget, QPushButton) else ""


def go_to_flows() -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield shown("Newcomers", "6 steps", "Welcome call")


def go_to_the_welcome_call() -> Script:
    """Look among the people for who administers a step, and go to it from there."""
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_A, CTRL)
    type_text("kaito mori")
    yield shown("1 of")
    click_row("Kaito Mori")
    yield shown("Administers")
    click(the("Show 2 · Welcome call in the flow Newcomers"))


def a_name_is_followed_and_come_back_to() -> Script:
    click_row("Newcomers")
    yield shown("Grace Lindqvist", "Kaito Mori", "Imani Mwangi")
    press(Qt.Key.Key_Return)
    for _ in range(4):
        press(Qt.Key.Key_Right)
    yield Until("the name with the keyboard", lambda: focused() == "Kaito Mori")
    press(Qt.Key.Key_Return)
    yield shown("Back to Newcomers", "Kaito Mori", "Administers")
    press(Qt.Key.Key_Left, ALT)
    yield Until("the same name", lambda: focused() == "Kaito Mori")
    assert "Back to Newcomers" not in text_on_screen()


def a_search_says_why_a_flow_was_found() -> Script:
    press(Qt.Key.Key_F, CTRL)
    write("background")
    yield shown("step: Background check", "Volunteer screening")
    press(Qt.Key.Key_A, CTRL)
    write("siobhan")
    yield shown("Siobhán Ní Dhomhnaill", "Pastoral care")
    press(Qt.Key.Key_A, CTRL)
    write("no such flow")
    yield shown("Empty the search line")
    press(Qt.Key.Key_Escape)
    yield shown("Newcomers", "6 steps")


def who_administers_is_read_after_its_name_alone() -> Script:
    click_row("Pastoral care")
    yield shown("Meals arranged")
    press(Qt.Key.Key_F, CTRL)
    write("first month review")
    yield shown("First month review", "Wanjiku Kamau", "Анна Коваленко")


def steps_inside_steps_and_what_is_known_of_a_flow_are_seen() -> Script:
    yield shown("4.1  Dietary needs", "people join here", "pending, after step 5")
    click_row("Building bookings")
    yield shown("Locations: Riverside North, Riverside South", "people may join at any step")
    click_row("Pastoral care")
    yield shown("for administrators only")
    click_row("Summer camp 2027")
    yield shown("This flow has no steps yet", "Demographics: Young people")


def a_gap_leads_to_its_step_and_back() -> Script:
    press(Qt.Key.Key_Down)
    yield shown("First conversation")
    press(Qt.Key.Key_3)
    yield shown("3 · Coffee with staff", "the flow is run by Grace Lindqvist and Imani Mwangi")
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    yield shown("Back to Gaps", "Serving conversation")
    press(Qt.Key.Key_Left, ALT)
    yield shown("alone on this step", "3 · Coffee with staff")
    assert "Back to Gaps" not in text_on_screen()
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Return)
    yield shown("Back to Gaps", "Welcome call")
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Right)
    yield Until("the view beside", lambda: "Welcome call" not in text_on_screen())


def a_step_and_somebody_are_gone_to() -> Script:
    """A step is gone to from among the people, somebody from a search over the flows."""
    yield from go_to_the_welcome_call()
    yield shown("Coffee with staff", "Back to People")
    press(Qt.Key.Key_2)
    press(Qt.Key.Key_1)
    yield Until("no way back", lambda: "Back to People" not in text_on_screen())
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_A, CTRL)
    write("imani")
    # Where the second comes later, the first may move under the press, which is then no press.
    yield shown("1 in “By person”", "1 in “Gaps”")
    click(the("1 in “By person”"))
    yield shown("Imani Mwangi", "If Imani is away")


def the_way_from_a_step_leads_through_several_places(container: Container) -> Script:
    """From the people to a step, on to who administers it, and to and fro between them."""
    yield from go_to_the_welcome_call()
    yield shown("Back to People", "Welcome call")
    press(Qt.Key.Key_Return)
    yield Until("a name with the keyboard", lambda: focused() == "Grace Lindqvist")
    press(Qt.Key.Key_Return)
    yield shown("Back to Newcomers", "grace@lindqvist.example")
    press(Qt.Key.Key_Left, ALT)
    yield Until("the same name", lambda: focused() == "Grace Lindqvist")
    assert "Back to People" in text_on_screen()
    press(Qt.Key.Key_Left, ALT)
    yield shown("On to Flows", "Administers")
    press(Qt.Key.Key_Right, ALT)
    yield shown("Back to People", "Welcome call")
    press(Qt.Key.Key_Right, ALT)
    yield shown("Back to Newcomers", "grace@lindqvist.example")
    people = container.window.findChild(PeopleTab)
    assert people is not None
    assert people.list.hasFocus()
    press(Qt.Key.Key_Left, ALT)
    yield shown("Back to People", "Welcome call")
    click(the("On to People"))
    yield shown("Back to Newcomers", "grace@lindqvist.example")
    assert people.list.hasFocus()
    for _ in range(2):
        press(Qt.Key.Key_Left, ALT)
    yield shown("On to Flows", "Administers")
    click(the("On to Flows"))
    yield shown("Back to People", "Welcome call")
    assert the("On to People").isVisible()


def back_forward_and_back_ends_at_the_name_that_was_followed(container: Container) -> Script:
    click_row("Newcomers")
    yield shown("Grace Lindqvist", "Kaito Mori", "Imani Mwangi")
    kaito = next(
        p for p in visible(NamePill) if isinstance(p, NamePill) and p.text() == "Kaito Mori"
    )
    click(kaito)
    yield shown("Back to Newcomers", "Administers")
    for _ in range(2):
        press(Qt.Key.Key_Left, ALT)
        yield Until("the name with the keyboard", lambda: focused() == "Kaito Mori")
        press(Qt.Key.Key_Right, ALT)
        yield shown("Back to Newcomers", "Administers")
    for link in ("Show the flow Newcomers", "Show 2 · Welcome call in the flow Newcomers"):
        click(the(link))
        yield shown("Back to People")
        press(Qt.Key.Key_Left, ALT)
        yield shown("Back to Newcomers", "Administers")
        press(Qt.Key.Key_Left, ALT)
        yield Until("the name with the keyboard", lambda: focused() == "Kaito Mori")
        press(Qt.Key.Key_Right, ALT)
        yield shown("Back to Newcomers", "Administers")
    # Somebody whom a filter hides by now is shown all the same.
    chips = [b for b in visible(QAbstractButton) if isinstance(b, QAbstractButton)]
    click(next(b for b in chips if b.text().startswith("Without email")))
    yield shown("The search or the filter hides whom you chose.")
    press(Qt.Key.Key_Left, ALT)
    yield Until("the name with the keyboard", lambda: focused() == "Kaito Mori")
    press(Qt.Key.Key_Right, ALT)
    yield shown("81 people", "Back to Newcomers", "Administers")
    screens = container.window.screens
    assert screens is not None
    left = screens.flows_tab.last_visit
    assert left is not None
    assert left.name is not None
    assert screens.people.chosen_ids(2) == (left.name.person_id,)


def what_is_new_is_told_in_the_status_bar_and_leads_to_its_place_and_back(
    container: Container, access: DemoAccess
) -> Script:
    # What was searched for among the flows before hides nothing of it.
    yield from go_to_flows()
    press(Qt.Key.Key_F, CTRL)
    write("welcome call")
    yield shown("step: Welcome call")
    press(Qt.Key.Key_1, CTRL)
    add_elsewhere(access.base_url, access.api_key, "Ines Carvalho")
    press(Qt.Key.Key_F5)
    yield shown("81 people", "1 person new")
    click(container.window.status_bar.news)
    yield shown("Ines Carvalho came", "People added", "What is new")
    assert "1 person new" not in text_on_screen()
    press(Qt.Key.Key_Return)
    yield shown("Back to What is new", "Ines Carvalho")
    press(Qt.Key.Key_Left, ALT)
    yield shown("Ines Carvalho came")
    press(Qt.Key.Key_F, CTRL)
    write("today")
    yield shown("Ines Carvalho came")
    press(Qt.Key.Key_A, CTRL)
    write("carvalho tomorrow")
    yield shown("Nothing new matches “carvalho tomorrow”.")


def test_flows_are_looked_through_by_keyboard_and_each_way_leads_back(
    visit: Visit, serve: Serve
) -> None:
    access = serve(nested_steps=True).start()

    def script(_container: Container) -> Script:
        yield from enter_with_key(access)
        # Until both lists were read: what comes then may take a click.
        yield shown("80 people", "Up to date")
        yield from go_to_flows()
        yield from steps_inside_steps_and_what_is_known_of_a_flow_are_seen()
        yield from a_name_is_followed_and_come_back_to()
        yield from a_search_says_why_a_flow_was_found()
        yield from who_administers_is_read_after_its_name_alone()
        press(Qt.Key.Key_Escape)
        click_row("Newcomers")
        yield from a_gap_leads_to_its_step_and_back()

    visit(script)


def nothing_is_searched() -> Script:
    for tab in (Qt.Key.Key_2, Qt.Key.Key_1):
        press(tab, CTRL)
        press(Qt.Key.Key_F, CTRL)
        press(Qt.Key.Key_A, CTRL)
        press(Qt.Key.Key_Delete)
    yield shown("81 people", "Up to date")


def test_from_what_is_new_people_steps_and_names_each_way_leads_through_several_places_and_back(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        yield from what_is_new_is_told_in_the_status_bar_and_leads_to_its_place_and_back(
            container, access
        )
        yield from nothing_is_searched()
        yield from a_step_and_somebody_are_gone_to()
        press(Qt.Key.Key_1, CTRL)
        yield shown("Administers", "Kaito Mori")
        yield from the_way_from_a_step_leads_through_several_places(container)
        yield from nothing_is_searched()
        yield from go_to_flows()
        yield from back_forward_and_back_ends_at_the_name_that_was_followed(container)

    visit(script)
