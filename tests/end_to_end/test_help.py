"""F1 in the real window: the keys of the page in hand first, and back to that page."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QTextEdit, QWidget

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Script, Until, press, type_text
from app.viewmodels.help.help import PageKind, keys_of
from app.viewmodels.importing.list_import import CopiedList
from app.views.help.help_page import HelpPage
from app.views.importing.review_page import ReviewPage
from app.views.outbox.history_page import HistoryPage
from app.views.window.workspace_page import WorkspacePage
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, the, write

SHIFT = Qt.KeyboardModifier.ShiftModifier


def help_text() -> str:
    page = next(iter(visible(HelpPage)), None)
    return page.text.toPlainText() if isinstance(page, HelpPage) else ""


def keys_everywhere() -> str:
    text = help_text()
    return text[text.index("Keys everywhere") : text.index("Adding people")]


def keys_bound_on(page: QWidget) -> set[str]:
    """Those that a page itself has, wherever the keyboard is on it."""
    bound = page.findChildren(QShortcut)
    seen = [each for each in bound if each.isEnabled() and _stands(each)]
    return {each.key().toString() for each in seen}


def _stands(shortcut: QShortcut) -> bool:
    owner = shortcut.parent()
    return isinstance(owner, QWidget) and owner.isVisible()


def told(page_kind: PageKind) -> set[str]:
    return {QKeySequence(key).toString() for line in keys_of(page_kind) for key in line.keys}


def is_shown(kind: type[QWidget]) -> bool:
    return next(iter(visible(kind)), None) is not None


def go_to_history() -> Script:
    press(Qt.Key.Key_H, CTRL | SHIFT)
    yield Until("the history", lambda: is_shown(HistoryPage))


def ask_for_help() -> Script:
    press(Qt.Key.Key_F1)
    yield Until("the help", lambda: bool(help_text()))


def the_first_page_has_few_keys() -> Script:
    yield shown("Welcome to Front Desk")
    yield from ask_for_help()
    assert "Settings" in keys_everywhere()
    told = QAccessible.queryAccessibleInterface(the("Keys and help", QTextEdit)).textInterface()
    heard = told.text(0, told.characterCount())
    assert "Find anything" in heard
    assert not {"\ufdd0", "\ufdd1"} & {*heard}, "Qt's marks of where a table begins and ends"
    for dead in ("Add a person", "History", "Search", "Ctrl+1", "F6"):
        assert dead not in keys_everywhere()
    press(Qt.Key.Key_Escape)


def back_to_the_page_as_it_was() -> Script:
    # From a page of the window.
    yield from go_to_history()
    history = the("History", HistoryPage)
    assert keys_bound_on(history) <= {QKeySequence(key).toString() for key in told(PageKind.ROWS)}
    type_text("Ada")
    search = QApplication.focusWidget()
    yield from ask_for_help()
    assert "Save the rows as a file" in help_text()
    press(Qt.Key.Key_Escape)
    yield Until("the history again", lambda: is_shown(HistoryPage))
    assert search is QApplication.focusWidget()
    assert isinstance(search, QLineEdit)
    assert search.text() == "Ada"
    # Who goes elsewhere from the help has left both, and the page begins anew.
    yield from ask_for_help()
    press(Qt.Key.Key_1, CTRL)
    yield Until("the lists", lambda: is_shown(WorkspacePage))
    yield from go_to_history()
    assert search.text() == ""
    press(Qt.Key.Key_Escape)
    yield Until("the lists", lambda: is_shown(WorkspacePage))


def each_key_of_a_page_is_told_and_found(container: Container) -> Script:
    container.window.list_given.emit(CopiedList("First name\tLast name\nZora\tNeale\nBo\tQuispe"))
    yield Until("the review", lambda: is_shown(ReviewPage))
    review = next(iter(visible(ReviewPage)))
    # A key does the same on the keypad.
    bound = {keys.replace("Return", "Enter") for keys in keys_bound_on(review)}
    assert {"Ctrl+S", "Ctrl+Y", "Ctrl+Enter"} <= bound
    assert bound - {"Up", "Down"} <= told(PageKind.REVIEW), "those look at the rows from the button"
    press(Qt.Key.Key_K, CTRL)
    write("save the rows")
    yield shown("Save the rows as a file")
    assert "Ctrl+S" in text_on_screen()
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Escape)


def test_the_keys_of_the_page_in_hand_come_first(visit: Visit, access: DemoAccess) -> None:
    def script(container: Container) -> Script:
        yield from the_first_page_has_few_keys()
        yield from enter_with_key(access)
        yield shown("Up to date")
        lists = next(iter(visible(WorkspacePage)))
        # Escape leads on from the details, as it does everywhere.
        assert keys_bound_on(lists) - told(PageKind.PEOPLE) <= {"Esc", "Ctrl+C"}
        with_keys = [each for each in container.window.available.offered if each.keys_text]
        assert len(with_keys) > 10
        press(Qt.Key.Key_N, CTRL)
        type_text("Ada")
        line = QApplication.focusWidget()
        yield from ask_for_help()
        shown_text = QApplication.focusWidget()
        assert isinstance(shown_text, QTextEdit)
        bar = shown_text.verticalScrollBar()
        press(Qt.Key.Key_PageDown)
        assert bar.value() >= min(bar.pageStep(), bar.maximum())
        text = help_text()
        assert text.startswith("Keys on this page")
        assert text.index("keep the last name") < text.index("Keys everywhere")
        # All keys of the window that lead somewhere, from where they are said for the menu.
        for action in with_keys:
            assert action.words in keys_everywhere()
            assert action.shortcut().toString() in keys_everywhere()
        assert "Find anything" in keys_everywhere()
        assert "Back to where you were" not in keys_everywhere()
        press(Qt.Key.Key_Escape)
        yield Until("the line", lambda: QApplication.focusWidget() is line)

        press(Qt.Key.Key_2, CTRL)
        assert keys_bound_on(lists) - told(PageKind.FLOWS) <= {"Esc"}
        yield from ask_for_help()
        assert "Read the flows in another way" in help_text()
        press(Qt.Key.Key_Escape)

        yield from back_to_the_page_as_it_was()
        yield from each_key_of_a_page_is_told_and_found(container)

    visit(script)
