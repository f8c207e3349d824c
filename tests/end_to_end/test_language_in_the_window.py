"""Another language is chosen in the settings: at once, without a restart, and nothing is lost."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QRadioButton

from app import container as composition
from app.container import Container
from app.demo.server import DemoAccess
from app.model.outbox import EntryState
from app.outbox.outbox import Outbox
from app.runtime.paths import resource
from app.runtime.words import tr, use_language
from app.single_instance import WindowRequest
from app.tour.main_job import shown
from app.tour.screen_reader import named, text_on_screen, visible
from app.tour.script import Script, Until, click, press, type_text
from app.viewmodels.notices import ended
from app.viewmodels.quick_add.typed_line import lines_of
from app.views.importing.review_list import ReviewList
from app.views.look.language import speak
from app.views.people.people_table import PeopleTableView
from app.views.people.person_pane import PersonPaneView
from app.views.quick_add.quick_add import QuickLine
from app.views.sign_in.first_start import FirstStart
from app.views.widgets.chips import Chip
from app.views.widgets.inner_page import InnerPage
from app.views.window.workspace_page import FLOWS, PEOPLE
from app.workspace import inner_pages
from app.workspace.workspace import Workspace
from tests.catalogues import write_catalogue
from tests.end_to_end.steps import (
    CTRL,
    Serve,
    Visit,
    click_row,
    enter_with_key,
    fill,
    gone,
    the,
    unfold,
    write,
)

_ENDED = "Your sign-in has ended. Sign in again to go on where you are."
_STAYS = (
    "{n} person is not sent yet. They stay on this computer and are sent once somebody "
    "signs in to this account again.\0"
    "{n} people are not sent yet. They stay on this computer and are sent once somebody "
    "signs in to this account again."
)
_NO_KEY = "Please paste the API key of the account."
LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


@pytest.fixture(autouse=True)
def _two_languages(
    dressed: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """German and Arabic, of a few words each; English is spoken again afterwards."""
    german = {"Settings": "Einstellungen", "People": "Personen", "Back": "Zurück", "First": "Vorn"}
    german |= {"Newcomers": "Neue", "Riverside Community (demo)": "Gemeinde (Demo)"}
    german |= {_ENDED: "Ihre Anmeldung ist abgelaufen.", _NO_KEY: "Der Schlüssel fehlt."}
    german |= {_STAYS: "Noch {n} Person.\0Noch {n} Personen.", "Stay signed in": "Bleiben"}
    german |= {"Bells": "Glocken", "Bells of the account": "Glocken des Kontos"}
    german |= {"What was copied": "Was kopiert wurde", "what was copied": "was kopiert wurde"}
    write_catalogue(tmp_path / "words", "de", german | {"Welcome to Front Desk": "Willkommen"})
    write_catalogue(tmp_path / "words", "ar", {"Settings": "الإعدادات", "People": "الأشخاص"})
    places = {"translations": tmp_path / "words"}
    for module in (composition, inner_pages):
        monkeypatch.setattr(module, "resource", lambda name: places.get(name) or resource(name))
    written = QLocale()
    yield
    speak(dressed, tmp_path / "nothing", [])
    use_language(tmp_path / "nothing", [])
    QLocale.setDefault(written)


def open_settings(words: str = "Settings") -> Script:
    press(Qt.Key.Key_Comma, CTRL)
    yield shown(words)


def choose(name: str) -> None:
    click(the(name, QRadioButton))


def led_to(name: str) -> Until:
    """The page in the other language has come, with what was chosen in sight."""

    def seen() -> bool:
        chosen = named(name, QRadioButton)
        return (
            chosen is not None
            and chosen.hasFocus()
            and chosen.visibleRegion().boundingRect() == chosen.rect()
        )

    return Until(f"{name} in sight", seen)


def lists_again(container: Container) -> Until:
    return Until("the lists again", lambda: container.window.screens is not None)


class _Bells(InnerPage):
    """Any page that somebody may add."""

    def __init__(self) -> None:
        super().__init__(tr("Bells"))


class _BellsOfAccount(InnerPage):
    def __init__(self) -> None:
        super().__init__(tr("Bells of the account"))


def visit_new_pages(container: Container, *titles: str) -> Script:
    pages = container._inner_pages
    for title, page in zip(
        titles,
        (
            pages.page(_Bells, _Bells),
            pages.page(_BellsOfAccount, _BellsOfAccount, of_account=True),
        ),
        strict=True,
    ):
        container.window.show_page(page)
        yield shown(title)
        press(Qt.Key.Key_Escape)
        yield gone(title)


def test_the_window_speaks_it_at_once_with_what_was_typed_and_where_one_was(
    visit: Visit, access: DemoAccess, dressed: QApplication
) -> None:
    def first(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("Up to date")
        yield from visit_new_pages(container, "Bells", "Bells of the account")
        press(Qt.Key.Key_N, CTRL)
        write("Ada Lovel")
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_F, CTRL)
        write("welcome")
        container.session_screen.say(ended(""))
        yield shown(_ENDED)
        yield from open_settings()
        choose("العربية")
        yield shown("الإعدادات")
        assert dressed.layoutDirection() is RIGHT
        yield led_to("العربية")
        yield lists_again(container)
        choose("English")
        yield shown("Settings")
        assert dressed.layoutDirection() is LEFT
        yield led_to("English")
        yield lists_again(container)
        choose("Deutsch")
        yield shown("Einstellungen", "Personen", "Ihre Anmeldung ist abgelaufen.")
        yield lists_again(container)
        yield led_to("Deutsch")
        # What lies behind the lists waits until somebody signs out.
        assert container.window.findChild(FirstStart) is None
        press(Qt.Key.Key_Escape)
        yield gone("Einstellungen")
        yield from visit_new_pages(container, "Glocken", "Glocken des Kontos")
        assert container.window.header.tabs.currentIndex() == 1
        assert container.window.header.search.text() == "welcome"
        assert dressed.focusWidget() is container.window.header.search
        press(Qt.Key.Key_1, CTRL)
        yield shown("80", "Vorn")
        screens = container.window.screens
        assert screens is not None
        assert screens.quick_add.state.typed == "Ada Lovel"

    def second(_container: Container) -> Script:
        yield shown("Personen")
        assert QLocale().language() is QLocale.Language.German

    visit(first)
    visit(second)


def test_on_the_first_page_what_is_typed_chosen_and_unfolded_stays_as_well(visit: Visit) -> None:
    def script(container: Container) -> Script:
        yield shown("Welcome to Front Desk")
        yield from what_is_typed_and_said_stays()
        yield from what_is_chosen_and_unfolded_stays(container)

    visit(script)


def what_is_typed_and_said_stays() -> Script:
    unfold("Use an API key", "Address, to use an API key")
    fill("Address, to use an API key", "https://riverside.example.org")
    click(the("Use this key"))
    yield shown(_NO_KEY)
    unfold()
    fill("Address", "https://riverside.example.org")
    yield from open_settings()
    choose("Deutsch")
    yield shown("Einstellungen")
    press(Qt.Key.Key_Escape)
    yield shown("Willkommen", "Der Schlüssel fehlt.")
    assert stands_in("Address") == "https://riverside.example.org"


def what_is_chosen_and_unfolded_stays(container: Container) -> Script:
    secret_and_permissions = "Client secret and permissions"

    def another_language(words: str, name: str, then: str) -> Script:
        before = container.window.first_start
        yield from open_settings(words)
        choose(name)
        yield Until("another page", lambda: container.window.first_start is not before)
        yield shown(then)
        press(Qt.Key.Key_Escape)
        yield shown(secret_and_permissions)

    fill("API key, to use an API key", "k3y")
    click(the(secret_and_permissions))
    fill("Client secret", "s3cret")
    box = next(each for each in visible(QCheckBox) if each.isEnabled())
    assert isinstance(box, QCheckBox)
    chosen = box.text()
    box.click()
    yield from another_language("Einstellungen", "English", "Settings")
    assert stands_in("API key, to use an API key") == "k3y"
    assert stands_in("Client secret") == "s3cret"
    on = [each.text() for each in visible(QCheckBox) if each.isChecked()]  # type: ignore[attr-defined]
    assert chosen in on
    click(the(secret_and_permissions))
    yield gone("Front Desk asks the account to allow:")
    click(the("For the administrator"))
    yield from another_language("Settings", "Deutsch", "Einstellungen")
    assert stands_in("Client secret") == "not to be seen"
    assert named("Close the help for the administrator") is not None
    click(the("Close the help for the administrator"))
    assert stands_in("API key, to use an API key") == "k3y"


def stands_in(name: str) -> str:
    line = named(name, QLineEdit)
    return line.text() if isinstance(line, QLineEdit) else "not to be seen"


def test_an_account_that_is_being_left_comes_back_for_who_goes_there_and_not_for_what_is_changed(
    visit: Visit, access: DemoAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    close, closing, may_close = Workspace.close, list[Workspace](), asyncio.Event()

    async def close_slowly(self: Workspace, **kept: bool) -> None:
        closing.append(self)
        await may_close.wait()
        await close(self, **kept)

    def left_meanwhile(container: Container, words: str, change: Callable[[], object]) -> Script:
        switcher = container._switcher
        yield from enter_with_key(access)
        yield shown("Up to date")
        closing.clear()
        may_close.clear()
        container.session_screen.sign_out()
        yield Until("leaving", lambda: bool(closing))
        change()
        yield Until("asked anew", lambda: switcher._build is not None or not switcher._keeps)
        may_close.set()
        yield Until("left", lambda: switcher.shown is not closing[0])
        yield shown(words)
        assert switcher.shown is None

    def script(container: Container) -> Script:
        change = container._settings.change
        monkeypatch.setattr(Workspace, "close", close_slowly)
        yield from left_meanwhile(
            container, "Welcome to Front Desk", lambda: change(keep_on_this_computer=False)
        )
        change(keep_on_this_computer=True)
        yield from left_meanwhile(container, "Willkommen", lambda: change(language="de"))
        screen, window, switcher = container.session_screen, container.window, container._switcher
        screen.try_demo()
        yield shown("Up to date")
        closing.clear()
        may_close.clear()
        screen.sign_out()
        yield Until("leaving", lambda: bool(closing))
        screen.try_demo()
        yield Until("in again", lambda: screen.account is not None and not screen.state.busy)
        type_text("Ada")
        may_close.set()
        yield Until("the lists", lambda: window.screens is not None and switcher._is_shown.is_set())
        assert switcher.shown is not closing[0]
        workspace = window._workspace
        assert workspace is not None
        assert workspace.people.quick_add.line.text() == "Ada"
        yield shown("Up to date")

    visit(script)


def test_the_demo_account_speaks_it_too_and_its_list_is_as_it_was(visit: Visit) -> None:
    def arranged(container: Container) -> str:
        screens = container.window.screens
        return str(screens.people.saved_state()["filter"]) if screens is not None else ""

    def chosen(container: Container) -> str:
        screens = container.window.screens
        person = screens.people.chosen_person if screens is not None else None
        return person.full_name if person is not None else ""

    def script(container: Container) -> Script:
        yield shown("Try the demo account")
        click(the("Try the demo account"))
        yield shown("Up to date")
        click(next(chip for chip in visible(Chip) if "Volunteers" in chip.accessibleName()))
        yield Until("volunteers alone", lambda: arranged(container) != "everybody")
        alone = arranged(container)
        before = container.window.screens
        click_row("Aroha Te Kanawa")
        yield Until("somebody chosen", lambda: chosen(container) == "Aroha Te Kanawa")
        yield from open_settings()
        choose("Deutsch")
        yield shown("Einstellungen")
        yield Until("other screens", lambda: container.window.screens not in {None, before})
        assert arranged(container) == alone
        yield Until("the same one", lambda: chosen(container) == "Aroha Te Kanawa")
        table = container.window.findChild(PeopleTableView)
        assert isinstance(table, PeopleTableView)
        assert table.selectionModel().hasSelection()
        press(Qt.Key.Key_Escape)
        yield shown("Gemeinde (Demo)")
        press(Qt.Key.Key_2, CTRL)
        yield shown("Neue")
        press(Qt.Key.Key_4)
        yield shown("Nothing has changed since")

    visit(script)


def test_whoever_is_held_waits_on_and_whoever_was_added_is_remembered(
    visit: Visit, serve: Serve
) -> None:
    """In the demo account, in one of which nothing is kept, and in one of which it is."""

    def script(container: Container) -> Script:
        for account in ("the demo", "nothing kept", "kept"):
            yield shown("Welcome to Front Desk")
            keeps = account != "nothing kept"
            container._settings.change(hold_seconds=1, keep_on_this_computer=keeps)
            if account == "the demo":
                click(the("Try the demo account"))
            else:
                yield from enter_with_key(serve().start(), name=account)
            yield from waits_on_and_is_remembered(container)
            yield from leave_in_english(container)
            left.append(account)

    left: list[str] = []
    visit(script)
    assert left == ["the demo", "nothing kept", "kept"]


def leave_in_english(container: Container) -> Script:
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Backspace)
    container._settings.change(language="en")
    yield shown("People")
    yield lists_again(container)
    container.session_screen.sign_out()
    yield shown("Welcome to Front Desk")
    container.window.resize(1180, 760)


def details_of(container: Container) -> PersonPaneView:
    pane = container.window.findChild(PersonPaneView)
    assert pane is not None
    return pane


def open_outbox(container: Container) -> Outbox:
    workspace = container._switcher.shown
    assert workspace is not None
    return workspace._outbox


def waits_on_and_is_remembered(container: Container) -> Script:
    yield shown("Up to date")
    press(Qt.Key.Key_N, CTRL)
    write("Zora Neale zora@example.org")
    press(Qt.Key.Key_Return)
    yield Until("sent", lambda: not open_outbox(container).to_send_count)
    container._settings.change(hold_seconds=30)
    write("Mary Seacole mary@example.org")
    press(Qt.Key.Key_Return)
    write("Ada Lovel")
    yield shown("Zora Neale added", "1 waiting")
    # Where the details lie above the list, whoever is chosen is seen in them.
    container.window.resize(784, 552)
    yield Until("the list alone", lambda: not details_of(container).isVisible())
    click(the("1 waiting"))
    yield Until("Mary's details", details_of(container).isVisible)
    before = container.window.screens
    assert before is not None
    chosen = before.people.chosen_entry
    assert chosen is not None
    container._settings.change(language="de")
    yield Until("other screens", lambda: container.window.screens not in {None, before})
    yield shown("Ada Lovel", "Zora Neale added")
    now = container.window.screens
    assert now is not None
    assert now.people.chosen_entry == chosen
    yield Until("her details again", details_of(container).isVisible)
    assert open_outbox(container).to_send_count == 1
    assert "You had typed this" not in text_on_screen()
    added = [one.new_person.firstname for one in open_outbox(container).entries()]
    assert "Zora" in added
    waits = next(one for one in open_outbox(container).entries() if one.state is EntryState.WAITING)
    assert open_outbox(container).undo(waits.id) is not None


def test_a_language_that_is_changed_while_another_comes_loses_nothing(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    rows = "".join(f"Zora{number},Neale,z{number}@example.org\n" for number in range(300))
    (tmp_path / "choir.csv").write_text(f"First name,Last name,Email\n{rows}")

    def script(container: Container) -> Script:
        yield shown("Try the demo account")
        container._settings.change(keep_on_this_computer=False)
        yield from enter_with_key(access)
        yield shown("Up to date")
        press(Qt.Key.Key_N, CTRL)
        write("Ada Lovel")
        for turns, language in enumerate(("de", "ar", "en", "de"), 1):
            if turns in {2, 3}:
                container.take(WindowRequest(list_file=tmp_path / "choir.csv"))
            container._settings.change(language=language)
            for _ in range(turns):
                yield Until("a turn", lambda: True, settled=False)
            if turns in {2, 3}:
                container.take(WindowRequest(people="Mary Seacole"))
        yield shown("Personen", "Up to date")

        def everything() -> bool:
            screens, workspace = container.window.screens, container._switcher.shown
            if screens is None or workspace is None:
                return False
            lines = {line.typed for line in lines_of(workspace._outbox.store.draft())}
            return bool(screens.lists.begun_lists) and {"Ada Lovel", "Mary Seacole"} <= lines

        yield Until("the list and both lines", everything)
        window, switcher = container.window, container._switcher
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_F, CTRL)
        write("coffee")
        container._settings.change(language="en")
        yield Until("none of the lists", lambda: window.screens is None, settled=False)
        container._settings.change(language="de")
        yield Until("the lists", switcher._is_shown.is_set)
        yield shown("Personen", "Up to date")
        at = (window.header.tabs.currentIndex(), window.header.search.text())
        assert at == (FLOWS, "coffee")
        assert window.focusWidget() is window.header.search
        container._settings.change(language="en")
        yield Until("none of the lists", lambda: window.screens is None, settled=False)
        container.session_screen.sign_out()
        yield shown("Try the demo account")
        container.session_screen.try_demo()
        yield Until("the lists", lambda: window.screens is not None)
        at = (window.header.tabs.currentIndex(), window.header.search.text())
        assert at == (PEOPLE, "")
        assert isinstance(window.focusWidget(), QuickLine)

    visit(script)


def the_settings_lead_back_to_the_very_cell(container: Container) -> Script:
    yield shown("Add 60 people")
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_End, CTRL)
    press(Qt.Key.Key_Delete)
    yield shown("Add 59 people")
    at = rows().currentIndex()
    assert at.row() == 59
    yield from open_settings()
    for name, words in (("Deutsch", "Einstellungen"), ("English", "Settings")):
        choose(name)
        yield shown(words)
        yield lists_again(container)
    press(Qt.Key.Key_Escape)
    yield shown("Add 59 people")
    again = rows().currentIndex()
    assert (again.row(), again.column()) == (at.row(), at.column())
    assert rows().viewport().rect().contains(rows().visualRect(again).center())
    press(Qt.Key.Key_Escape)
    yield shown("Go on with", "80 people")


def rows() -> ReviewList:
    focused = QApplication.focusWidget()
    assert isinstance(focused, ReviewList)
    return focused


def begun_lists(container: Container) -> int:
    screens = container.window.screens
    assert screens is not None
    return len(screens.lists.begun_lists)


def what_is_asked_before_leaving_is_asked_in_it_and_stands_about_what_is_shown_then(
    container: Container,
) -> Script:
    container._settings.change(hold_seconds=30)
    press(Qt.Key.Key_N, CTRL)
    write("Vera Quickly")
    press(Qt.Key.Key_Return)
    container.window.sign_out_wanted.emit()
    yield shown("1 person is not sent yet.", "Stay signed in")
    container._settings.change(language="de")
    yield shown("Noch 1 Person.", "Bleiben", "Personen")
    yield lists_again(container)
    # Nobody waits, and she was not taken back: what was asked for goes on.
    open_outbox(container).send_now()
    yield shown("Willkommen")


def test_a_list_stays_one_of_its_account_and_leaving_is_asked_about_in_what_is_chosen_meanwhile(
    visit: Visit, access: DemoAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(container: Container) -> Script:
        switcher, close, read_list = container._switcher, Workspace.close, Workspace.read_list
        while_closing: list[str] = []
        while_opening: list[Callable[[], object]] = []

        def speak_language(name: str) -> None:
            container._settings.change(language=name)

        async def close_slowly(workspace: Workspace, **how: bool) -> None:
            if while_closing:
                speak_language(while_closing.pop())
                while switcher._build is None:  # noqa: ASYNC110 - a test looks from outside
                    await asyncio.sleep(0)
            await close(workspace, **how)

        async def read_slowly(workspace: Workspace) -> None:
            if while_opening:
                while_opening.pop()()
                await asyncio.sleep(10)  # until whoever comes next has this one cancelled
            await read_list(workspace)

        yield from enter_with_key(access)
        yield shown("Up to date")
        press(Qt.Key.Key_N, CTRL)
        QApplication.clipboard().setText("\n".join(f"Iolo Prydderch{n}" for n in range(60)))
        press(Qt.Key.Key_V, CTRL)
        yield shown("Add 60 people")
        monkeypatch.setattr(Workspace, "close", close_slowly)
        monkeypatch.setattr(Workspace, "read_list", read_slowly)
        while_closing.append("ar")
        while_opening.append(partial(speak_language, "en"))
        speak_language("de")
        yield Until("both on the way", lambda: not (while_closing or while_opening))
        yield Until("the lists", switcher._is_shown.is_set)
        yield shown("Up to date")
        assert begun_lists(container) == 1
        yield from the_settings_lead_back_to_the_very_cell(container)
        while_opening.append(container.session_screen.sign_out)
        speak_language("de")
        yield shown("Willkommen")
        speak_language("en")
        yield shown("Welcome to Front Desk")
        yield from enter_with_key(access)
        yield shown("Up to date")
        assert begun_lists(container) == 0
        yield from what_is_asked_before_leaving_is_asked_in_it_and_stands_about_what_is_shown_then(
            container
        )

    visit(script)
