"""The settings page by keyboard and mouse: what is chosen acts, nothing is forgotten unasked."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from app.settings.settings import NameOrderChoice, Settings, ThemeChoice
from app.viewmodels.settings.settings_choices import SettingsChoice
from app.views.settings.settings_page import SettingsPage
from tests.viewmodels.settings.settings_fixture import ANSELM, SettingsFixture

CONTROLS = (QCheckBox, QLineEdit, QPushButton, QRadioButton, QSpinBox)


class Visit:
    """Somebody in front of the page."""

    def __init__(self, subject: SettingsFixture, page: SettingsPage) -> None:
        self.subject = subject
        self.page = page
        self.closed = 0
        page.closed.connect(self._hear)

    def _hear(self) -> None:
        self.closed += 1

    @property
    def focused(self) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None
        return widget

    @property
    def focused_name(self) -> str:
        return name_of(self.focused)

    def press(self, key: Qt.Key, times: int = 1) -> None:
        for _ in range(times):
            QTest.keyClick(self.focused, key)

    def click(self, name: str) -> None:
        QTest.mouseClick(self.the(name), Qt.MouseButton.LeftButton)

    def the(self, name: str) -> QWidget:
        controls = [w for w in self.page.findChildren(QWidget) if isinstance(w, CONTROLS)]
        found = [w for w in controls if w.isVisible() and name_of(w) == name]
        assert found, f"no {name}"
        return found[0]

    def sentences(self) -> str:
        return "\n".join(w.text() for w in self.page.findChildren(QLabel) if w.isVisible())

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.005)

    async def answered(self) -> None:
        """The answer to a question has ended."""
        await self.subject.settle()


def name_of(widget: QWidget) -> str:
    if widget.accessibleName():
        return widget.accessibleName()
    text = getattr(widget, "text", None)
    return str(text()) if callable(text) else ""


@asynccontextmanager
async def visiting(folder: Path) -> AsyncIterator[Visit]:
    subject = SettingsFixture(folder)
    window = QWidget()
    window.resize(900, 600)
    page = SettingsPage(subject.screen)
    page.setParent(window)
    page.resize(900, 600)
    visit = Visit(subject, page)
    window.show()
    window.activateWindow()
    try:
        await visit.until(lambda: QApplication.activeWindow() is window)
        await subject.settle()
        yield visit
    finally:
        shiboken6.delete(window)
        await subject.close()
    assert subject.crashes == []


@pytest.fixture
def visit(
    run: Callable[[Any], Any], tmp_path: Path
) -> Callable[[Callable[[Visit], Awaitable[None]]], None]:
    """Shows the page and lets a coroutine use it."""

    def show(script: Callable[[Visit], Awaitable[None]]) -> None:
        async def use() -> None:
            async with visiting(tmp_path / "desk") as visit:
                await script(visit)

        run(use())

    return show


Show = Callable[[Callable[[Visit], Awaitable[None]]], None]


def test_the_page_begins_at_the_theme_that_is_chosen_and_the_arrows_choose(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        assert visit.focused_name == "Follow the system"
        visit.press(Qt.Key.Key_Right, 2)
        assert visit.focused_name == "Dark"
        assert visit.subject.book.settings == Settings(theme=ThemeChoice.DARK)
        visit.press(Qt.Key.Key_Left)
        assert visit.subject.book.settings == Settings(theme=ThemeChoice.LIGHT)

    visit(script)


def test_tab_reaches_every_control_from_top_to_bottom(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        seen: list[QWidget] = []
        while visit.focused not in seen:
            seen.append(visit.focused)
            visit.press(Qt.Key.Key_Tab)
        assert [name_of(widget) for widget in seen] == [
            "Follow the system",
            "More contrast",
            "Let things on the screen move",
            "First name first, as in Ada Lovelace",
            "Hold a new person for",
            "Put semicolons between copied addresses, for Outlook",
            "The language of the system",
            "Keep nothing of my work on this computer",
            "Folder of Front Desk",
            "Copy the folder's path",
            "Open folder",
            "Forget the account Riverside",
            "Forget the account St Anselm",
            "Forget the account Grace Chapel",
            "Back",
        ]

    visit(script)


def test_every_control_has_a_name_to_be_spoken(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.click("Forget the account St Anselm")
        visit.subject.screen.say("A sentence.")
        controls = [w for w in visit.page.findChildren(QWidget) if isinstance(w, CONTROLS)]
        shown = [w for w in controls if w.isVisible() and not isinstance(w.parent(), QSpinBox)]
        assert len(shown) > 15
        assert [w for w in shown if not name_of(w)] == []

    visit(script)


def test_switches_act_when_they_are_pressed(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        for name in (
            "Let things on the screen move",
            "Put semicolons between copied addresses, for Outlook",
            "Keep nothing of my work on this computer",
        ):
            visit.the(name).setFocus()
            visit.press(Qt.Key.Key_Space)
        visit.click("Last name first, as in Lovelace Ada")
        settings = visit.subject.book.settings
        assert (settings.motion, settings.keep_on_this_computer) == (False, False)
        assert settings.semicolons
        assert settings.name_order is NameOrderChoice.LAST_FIRST
        assert "Not kept: where you were" in visit.sentences()

    visit(script)


def test_seconds_can_be_typed_or_stepped_and_are_told_in_words(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        spin = visit.the("Hold a new person for")
        assert isinstance(spin, QSpinBox)
        spin.setFocus()
        spin.selectAll()
        QTest.keyClicks(spin, "12")
        assert visit.subject.book.settings.hold_seconds == 5, "not before it is typed to the end"
        visit.press(Qt.Key.Key_Return)
        assert visit.subject.book.settings.hold_seconds == 12
        visit.press(Qt.Key.Key_Down)
        assert "can be undone for 11 seconds" in visit.sentences()
        spin.setValue(1)
        assert spin.text() == "1 second"
        visit.press(Qt.Key.Key_Down)
        assert "sent at once and cannot be undone" in visit.sentences()

    visit(script)


def test_the_wheel_scrolls_past_the_seconds_without_changing_them(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        spin = visit.the("Hold a new person for")
        turn = QWheelEvent(
            QPointF(5, 5),
            QPointF(spin.mapToGlobal(QPoint(5, 5))),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(spin, turn)
        assert visit.subject.book.settings.hold_seconds == 5

    visit(script)


def test_a_choice_made_elsewhere_is_shown_without_choosing_again(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.subject.book.change(theme=ThemeChoice.DARK, hold_seconds=0, motion=False)
        dark, motion = visit.the("Dark"), visit.the("Let things on the screen move")
        assert isinstance(dark, QRadioButton)
        assert isinstance(motion, QCheckBox)
        assert (dark.isChecked(), motion.isChecked()) == (True, False)

    visit(script)


def test_escape_and_back_leave_the_page(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.press(Qt.Key.Key_Escape)
        assert visit.closed == 1
        visit.the("Hold a new person for").setFocus()
        visit.press(Qt.Key.Key_Escape)
        visit.click("Back")
        QTest.keyClick(visit.focused, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert visit.closed == 4

    visit(script)


def test_seconds_that_were_typed_count_when_the_page_is_left(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        spin = visit.the("Hold a new person for")
        assert isinstance(spin, QSpinBox)
        spin.setFocus()
        spin.selectAll()
        QTest.keyClicks(spin, "21")
        visit.page.hide()
        assert visit.subject.book.settings.hold_seconds == 21

    visit(script)


def test_forgetting_is_asked_below_the_account_and_escape_takes_it_back(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.the("Forget the account St Anselm").setFocus()
        visit.press(Qt.Key.Key_Space)
        assert "Forget St Anselm?" in visit.sentences()
        assert visit.focused_name == "Keep it"
        visit.press(Qt.Key.Key_Escape)
        assert (visit.closed, visit.subject.asked_to_forget) == (0, [])
        assert "Forget St Anselm?" not in visit.sentences()
        assert visit.focused_name == "Forget the account St Anselm"

    visit(script)


def test_an_account_is_forgotten_by_keyboard_and_the_keyboard_stays_in_the_list(
    visit: Show,
) -> None:
    async def script(visit: Visit) -> None:
        visit.the("Forget the account St Anselm").setFocus()
        visit.press(Qt.Key.Key_Space)
        visit.press(Qt.Key.Key_Tab)
        assert visit.focused_name == "Forget it"
        visit.press(Qt.Key.Key_Space)
        await visit.answered()
        assert visit.subject.asked_to_forget == [(ANSELM.id, False)]
        assert "This computer no longer knows St Anselm." in visit.sentences()
        assert visit.focused_name == "Forget the account Grace Chapel"

    visit(script)


def test_after_the_last_account_the_keyboard_is_on_back(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        for name in ("Grace Chapel", "Riverside", "St Anselm"):
            visit.click(f"Forget the account {name}")
            visit.click("Forget it")
            await visit.answered()
        assert "None yet: sign in to one first." in visit.sentences()
        assert visit.focused_name == "Back"

    visit(script)


def test_waiting_for_the_vault_is_said_and_an_unsure_answer_can_be_overruled(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.subject.sure = False
        visit.subject.gate = asyncio.Event()
        visit.click("Forget the account St Anselm")
        visit.click("Forget it")
        assert "One moment" in visit.sentences()
        visit.subject.gate.set()
        await visit.answered()
        assert "One moment" not in visit.sentences()
        assert "did not confirm" in visit.sentences()
        visit.click("Take it off the list")
        await visit.answered()
        assert visit.subject.asked_to_forget == [(ANSELM.id, False), (ANSELM.id, True)]

    visit(script)


def test_a_question_is_wholly_on_the_screen(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.click("Forget the account Grace Chapel")
        keep = visit.the("Keep it")

        def seen() -> bool:
            return keep.visibleRegion().boundingRect() == keep.rect()

        await visit.until(seen)

    visit(script)


def test_where_somebody_is_led_its_card_is_seen_whole_also_once_it_has_grown(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        assert visit.sentences().count("Language") == 1
        heading = next(w for w in visit.page.findChildren(QLabel) if w.text() == "Language")
        around = heading.parentWidget()
        assert around is not None

        def seen() -> bool:
            return around.visibleRegion().boundingRect() == around.rect()

        visit.page.begin_at(SettingsChoice.LANGUAGE)
        await visit.until(seen)
        low = around.height()
        # As many languages as need another line.
        visit.page.resize(480, 460)
        await visit.until(lambda: around.height() > low)
        await visit.until(seen)

    visit(script)


class Folders(QObject):
    """Opens folders instead of the desktop."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        """A folder is wanted."""
        self.opened.append(address.toLocalFile())


def test_the_folder_can_be_copied_and_opened(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        folders = Folders()
        QDesktopServices.setUrlHandler("file", folders, "open")  # type: ignore[arg-type]  # its stub is wrong
        try:
            visit.click("Copy the folder's path")
            visit.click("Open folder")
        finally:
            QDesktopServices.unsetUrlHandler("file")
        assert QGuiApplication.clipboard().text() == str(visit.subject.folder)
        assert [Path(opened) for opened in folders.opened] == [visit.subject.folder]
        assert visit.subject.screen.state.said == ""

    visit(script)


def test_a_folder_that_cannot_be_opened_is_told(
    visit: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(visit: Visit) -> None:
        monkeypatch.setattr(QDesktopServices, "openUrl", lambda _address: False)
        visit.click("Open folder")
        assert "The folder could not be opened from here." in visit.sentences()
        visit.click("Close")
        assert "The folder could not be opened from here." not in visit.sentences()

    visit(script)


def test_coming_back_to_the_page_begins_anew(visit: Show) -> None:
    async def script(visit: Visit) -> None:
        visit.click("Forget the account St Anselm")
        visit.page.hide()
        visit.subject.registry.forget(ANSELM.id)
        visit.page.show()
        await visit.subject.settle()
        assert "Forget St Anselm?" not in visit.sentences()
        assert "https://anselm.example.org" not in visit.sentences()
        assert visit.focused_name == "Follow the system"

    visit(script)
