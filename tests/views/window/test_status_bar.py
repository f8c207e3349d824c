"""The status bar as it is seen and used: each part of it leads to those it speaks of."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from app.model.outbox import Doubt, EntryState
from app.people.events import PeopleProgress
from app.runtime.paths import resource
from app.runtime.words import languages, use_language
from app.tour.screen_reader import named, visible
from app.tour.script import click
from app.viewmodels.window.status_bar import StatusBarScreen
from app.views.widgets.labels import ElidingLabel
from app.views.window.status_bar import StatusBar
from tests.viewmodels.conftest import ADA
from tests.viewmodels.people.people_room import screen_of
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture


class Bottom:
    """The status bar of an account with a real outbox."""

    def __init__(self, account: ReconcilingAccountFixture, sign_in: SignInFixture) -> None:
        self.account = account
        self.people = screen_of(account)
        self.status = status = StatusBarScreen(
            self.people, account.directory, account.outbox, account.events, account.scope
        )
        self.status_bar = StatusBar(sign_in.screen)
        self.status_bar.bind(status)
        self.status_bar.resize(1100, 40)
        self.status_bar.show()
        self.status_bar.activateWindow()
        self.led: list[str] = []
        self.status_bar.entry_chosen.connect(self._hear_entry)
        self.status_bar.history_wanted.connect(self._hear_history)
        assert QTest.qWaitForWindowActive(self.status_bar)

    def _hear_entry(self) -> None:
        self.led.append(str(self.people.selection.first))

    def _hear_history(self) -> None:
        self.led.append("history")

    @property
    def links(self) -> list[str]:
        return [one.text() for one in visible(QPushButton)]  # type: ignore[attr-defined]  # buttons


@pytest.fixture
async def bottom(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[Bottom]:
    account = ReconcilingAccountFixture(tmp_path / "private" / "outbox.db")
    await account.open()
    await account.list_people(ADA)
    sign_in = SignInFixture(tmp_path / "desk")
    bottom = Bottom(account, sign_in)
    yield bottom
    shiboken6.delete(bottom.status_bar)
    await sign_in.scope.close()
    await sign_in.session.close()
    await account.close()
    assert account.crashes == []


async def test_with_nobody_under_way_only_the_history_is_offered(bottom: Bottom) -> None:
    assert bottom.links == ["History"]
    click(the("History"))
    assert bottom.led == ["history"]


async def test_who_waits_and_who_needs_somebody_are_one_sentence_of_two_links(
    bottom: Bottom,
) -> None:
    account = bottom.account
    lost = await account.lose("Eva")
    await account.doubted(lost, Doubt.ABSENT)
    first, _ = account.add("Ann"), account.add("Ben")
    assert bottom.links == ["2 waiting,", "1 needs you", "History"]
    click(the("1 needs you"))
    click(the("2 waiting"))
    assert bottom.led == [lost.id, first.id]


async def test_no_link_moves_from_under_the_pointer_as_others_come_to_an_end(
    bottom: Bottom,
) -> None:
    account = bottom.account
    lost = await account.lose("Eva")
    await account.doubted(lost, Doubt.ABSENT)
    entries = [account.add(name) for name in ("Ann", "Ben")]
    QTest.qWait(20)
    needs = the("1 needs you")
    before = needs.mapTo(bottom.status_bar, QPoint())
    QCursor.setPos(needs.mapToGlobal(needs.rect().center()))
    QTest.qWait(50)
    for entry in entries:
        account.outbox.undo(entry.id)
        QTest.qWait(20)
        assert needs.mapTo(bottom.status_bar, QPoint()) == before
    assert bottom.links == ["1 needs you", "History"]
    click(needs)
    assert bottom.led == [lost.id]
    QCursor.setPos(bottom.status_bar.mapToGlobal(QPoint(1000, 100)))
    QTest.qWait(50)
    assert needs.mapTo(bottom.status_bar, QPoint()) != before


async def test_the_links_are_reached_and_pressed_by_keyboard(bottom: Bottom) -> None:
    account = bottom.account
    entry = account.add("Ann")
    the("1 waiting").setFocus()
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert bottom.led == [entry.id]
    QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is the("History")
    await account.sent(entry, EntryState.ADDED)
    assert bottom.links == ["History"]


class Paintings(QObject):
    """What is painted of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.many = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.many += event.type() is QEvent.Type.Paint
        return False


async def test_how_far_a_reading_has_come_is_painted_with_what_else_is_new(bottom: Bottom) -> None:
    bottom.status.follow_lists(reading=True, in_touch=True)
    bottom.account.events.publish(PeopleProgress(100, 1000))
    QApplication.processEvents()
    (bar,) = (one for one in visible(QProgressBar) if isinstance(one, QProgressBar))
    painted = Paintings(bar)
    bottom.account.events.publish(PeopleProgress(600, 1000))
    assert (bar.isVisible(), bar.value(), painted.many) == (True, 600, 0)
    QApplication.processEvents()
    assert painted.many == 1


async def test_the_longest_words_still_fit_the_smallest_window(bottom: Bottom) -> None:
    account = bottom.account
    account.outbox.hold_until_recognised()
    for name in ("Eva", "Flo", "Kim"):
        account.add(name)
    assert bottom.links[0] == "3 waiting until it is certain whose list this is"
    assert bottom.status_bar.minimumSizeHint().width() <= 800


@pytest.mark.parametrize("language", languages(resource("translations")))
def test_of_the_keys_those_that_have_no_room_are_left_out_whole(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
    language: str,
) -> None:
    use_language(resource("translations"), [language])
    sign_in = SignInFixture(tmp_path)
    status_bar = StatusBar(sign_in.screen)
    use_language(resource("translations"), ["en"])
    keys = next(each for each in status_bar.findChildren(ElidingLabel) if "F5" in each.text())
    hints, seen = keys.text().split(" · "), set()
    assert len(hints) == 3
    for width in range(keys.sizeHint().width(), 0, -5):
        keys.resize(width, keys.sizeHint().height())
        seen.add(keys._shown())
    assert seen == {" · ".join(hints[:many]) for many in range(4)}
    shiboken6.delete(status_bar)


def the(name: str) -> QPushButton:
    """The visible link of that accessible name."""
    found = named(name, QPushButton)
    assert isinstance(found, QPushButton), name
    return found
