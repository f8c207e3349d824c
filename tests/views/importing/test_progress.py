"""The strip of lists on their way, by mouse and keyboard, over a real outbox."""

from collections.abc import AsyncIterator, Callable

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from app.model.outbox import BatchRow, NewPerson
from app.tour.screen_reader import named, text_on_screen, visible
from app.tour.script import click
from app.viewmodels.importing.progress import ProgressScreen
from app.views.importing import progress
from app.views.importing.progress import ProgressStrip
from app.views.widgets.labels import ElidingLabel
from tests.viewmodels.conftest import AccountFixture


class Room:
    """The strip above something that stands for the lists."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.screen = ProgressScreen(account.outbox, account.events, account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        rows = QVBoxLayout(self.window)
        self.strip = ProgressStrip()
        self.strip.bind(self.screen)
        self.strip.stand_above_lists(on=True)
        self.below = QLabel("the lists")
        rows.addWidget(self.strip)
        rows.addWidget(self.below, 1)
        self.window.resize(900, 400)
        self.led: list[object] = []
        self.strip.result_wanted.connect(self.led.append)
        self.strip.lists_wanted.connect(self._hear_lists)

    def _hear_lists(self) -> None:
        self.led.append("lists")

    def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)
        self.point_away()

    def point_away(self) -> None:
        QCursor.setPos(self.window.mapToGlobal(QPoint(450, 390)))
        QTest.qWait(20)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """While it waits the timers of the window run, as its own loop has them do."""
        for _ in range(200):
            if condition():
                return
            QTest.qWait(20)
        pytest.fail("it never came")

    async def take(self, name: str = "lunch.xlsx", count: int = 4) -> str:
        rows = [
            BatchRow(at, (f"Ada{at}",), NewPerson(firstname=f"Ada{at}", lastname=name))
            for at in range(2, count + 2)
        ]
        return (await self.account.outbox.batches.take(name, ("Name",), rows)).id

    async def put_away_by_hand(self) -> QPoint:
        """Have all be added and click on Close; gives where the page stood before."""
        self.account.outbox.send_now()
        await self.account.until(lambda: "4 of 4 added" in text_on_screen())
        close = named("Close", QPushButton)
        assert close is not None
        QTest.qWait(700)
        before = self.below.mapTo(self.window, QPoint())
        QCursor.setPos(close.mapToGlobal(close.rect().center()))
        click(close)
        return before


@pytest.fixture
async def room(account: AccountFixture) -> AsyncIterator[Room]:
    room = Room(account)
    room.show()
    yield room
    shiboken6.delete(room.window)


async def test_a_list_is_paused_gone_on_with_and_looked_at(room: Room) -> None:
    assert not room.strip.isVisible()
    batch = await room.take()
    assert "Adding from lunch.xlsx" in text_on_screen()
    pause = named("Pause", QPushButton)
    assert pause is not None
    click(pause)
    assert "paused" in text_on_screen()
    QTest.keyClick(pause, Qt.Key.Key_Return)
    assert "paused" not in text_on_screen()
    click(named("See each", QPushButton) or pause)
    assert room.led == [batch]


async def test_what_is_put_away_leaves_its_place_blank_until_the_pointer_is_elsewhere(
    room: Room,
) -> None:
    batch = await room.take()
    before = await room.put_away_by_hand()
    await room.account.settle()
    assert "4 of 4 added" not in text_on_screen()
    assert room.below.mapTo(room.window, QPoint()) == before
    room.point_away()
    room.wait_for(lambda: not room.strip.isVisible())
    assert batch not in [one.id for one in room.screen.state.lists]


async def test_the_place_of_what_was_put_away_is_gone_once_somebody_types(room: Room) -> None:
    await room.take()
    await room.put_away_by_hand()
    assert room.strip.isVisible()
    frame = room.window.windowHandle()
    assert frame is not None
    QTest.keyClick(frame, Qt.Key.Key_A)
    assert not room.strip.isVisible()


async def test_what_stands_below_does_not_get_the_keyboard_for_coming_next(room: Room) -> None:
    write = QPushButton("Write")
    layout = room.window.layout()
    assert layout is not None
    layout.addWidget(write)
    had: list[object] = []
    room.strip.left.connect(lambda: had.append(QApplication.focusWidget()))
    await room.take()
    room.account.outbox.send_now()
    await room.account.until(lambda: "4 of 4 added" in text_on_screen())
    close = named("Close", QPushButton)
    assert close is not None
    QTest.qWait(700)
    close.setFocus()
    QTest.keyClick(close, Qt.Key.Key_Space)
    assert len(had) == 1
    assert write not in had


async def test_the_page_does_not_move_below_a_pointer_on_its_way(room: Room) -> None:
    await room.take()
    before = await room.put_away_by_hand()
    for step in range(6):
        QCursor.setPos(room.window.mapToGlobal(QPoint(450, 330 + 10 * step)))
        QTest.qWait(60)
        assert room.below.mapTo(room.window, QPoint()) == before
    room.wait_for(lambda: not room.strip.isVisible())


@pytest.mark.parametrize("folded", [False, True])
async def test_no_button_moves_when_its_words_change(
    account: AccountFixture, qapp: QApplication, *, folded: bool
) -> None:
    # Without a style of ours every button is as wide as the next.
    qapp.setStyleSheet("QPushButton { padding: 2px; font-size: 30px; }")
    room = Room(account)
    room.strip.fold(on=folded)
    room.show()
    await room.take()
    held = named("Take back", QPushButton)
    see = named("See each", QPushButton)
    assert held is not None
    assert see is not None
    places = [each.mapTo(room.window, QPoint()) for each in (held, see)]
    account.outbox.send_now()
    await account.until(lambda: "4 of 4 added" in text_on_screen())
    QTest.qWait(20)
    assert named("Close", QPushButton) is held
    assert [each.mapTo(room.window, QPoint()) for each in (held, see)] == places
    shiboken6.delete(room.window)
    qapp.setStyleSheet("")


async def test_the_keyboard_stays_in_the_strip_when_what_it_was_on_goes(room: Room) -> None:
    await room.take()
    pause = named("Pause", QPushButton)
    assert pause is not None
    pause.setFocus()
    room.account.outbox.send_now()
    await room.account.until(lambda: "4 of 4 added" in text_on_screen())
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPushButton)
    assert focus.text() == "Close"


async def test_the_keyboard_is_given_back_when_all_it_could_be_on_goes(room: Room) -> None:
    left: list[bool] = []
    room.strip.left.connect(lambda: left.append(True))
    await room.take()
    take_back = named("Take back", QPushButton)
    assert take_back is not None
    click(take_back)
    await room.account.until(lambda: not room.strip.isVisible())
    assert left == [True]


async def test_where_the_pointer_is_is_asked_once_at_each_step(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.take()
    asked: list[bool] = []

    class Desktop:
        @staticmethod
        def pos() -> QPoint:
            asked.append(True)
            return QCursor.pos()

    monkeypatch.setattr(progress, "QCursor", Desktop)
    room.screen.state_changed.emit(room.screen.state)
    assert asked == [True]


async def test_a_click_meant_for_stop_does_not_close(room: Room) -> None:
    await room.take()
    room.account.outbox.send_now()
    await room.account.until(lambda: "4 of 4 added" in text_on_screen())
    close = named("Close", QPushButton)
    assert close is not None
    click(close)
    QTest.keyClick(close, Qt.Key.Key_Return)
    await room.account.settle()
    assert "4 of 4 added" in text_on_screen()
    QTest.qWait(700)
    QTest.keyClick(close, Qt.Key.Key_Return)
    assert "4 of 4 added" not in text_on_screen()


async def test_two_lists_have_a_line_each_and_stay_in_their_places(room: Room) -> None:
    for name in ("one.csv", "two.csv", "three.csv"):
        await room.take(name)
    assert "and 1 more list" in text_on_screen()
    texts = [label.text() for label in visible(QLabel) if isinstance(label, QLabel)]
    names = [text for text in texts if text.startswith("Adding from")]
    assert names == ["Adding from one.csv", "Adding from two.csv"]
    click(named("Pause", QPushButton) or room.strip)
    texts = [label.text() for label in visible(QLabel) if isinstance(label, QLabel)]
    assert [text for text in texts if text.startswith("Adding from")] == names


def lines(room: Room) -> list[tuple[str, int]]:
    """The names of the lists, from above, and how high each stands."""
    QTest.qWait(20)
    # A line that came gets its room one layout after the other; until then it is squeezed in.
    room.wait_for(lambda: room.strip.height() >= room.strip.sizeHint().height())
    labels = [each for each in visible(QLabel) if isinstance(each, QLabel)]
    named = [each for each in labels if " from " in each.text()]
    return sorted(
        ((each.text(), each.mapTo(room.window, QPoint()).y()) for each in named),
        key=lambda line: line[1],
    )


@pytest.mark.parametrize("pointed_at", [False, True])
async def test_a_list_that_ends_by_itself_keeps_its_place(room: Room, *, pointed_at: bool) -> None:
    await room.take("one.csv")
    room.screen.pause_or_go_on(await room.take("two.csv"))
    (_, high), (_, low) = lines(room)
    if pointed_at:
        QCursor.setPos(room.window.mapToGlobal(QPoint(450, low)))
        QTest.qWait(20)
    room.account.outbox.send_now()
    await room.account.until(lambda: "4 of 4 added" in text_on_screen())
    room.point_away()
    assert lines(room) == [("Added from one.csv", high), ("Adding from two.csv", low)]


async def test_what_comes_takes_no_place_under_the_pointer(room: Room) -> None:
    first = await room.take("one.csv")
    for name in ("two.csv", "three.csv"):
        await room.take(name)
    (_, high), (_, low) = lines(room)
    QCursor.setPos(room.window.mapToGlobal(QPoint(450, high)))
    QTest.qWait(20)
    room.screen.stop(first)
    await room.account.until(lambda: "one.csv" not in text_on_screen())
    assert lines(room) == [("Adding from two.csv", low)]
    room.point_away()
    room.wait_for(lambda: "Adding from three.csv" in text_on_screen())


async def test_no_list_moves_up_below_a_pointer_on_its_way(room: Room) -> None:
    first = await room.take("one.csv")
    await room.take("two.csv")
    _, (_, low) = lines(room)
    QCursor.setPos(room.window.mapToGlobal(QPoint(450, 385)))
    room.screen.stop(first)
    await room.account.until(lambda: "one.csv" not in text_on_screen())
    for step in range(6):
        QCursor.setPos(room.window.mapToGlobal(QPoint(450, 380 - 10 * step)))
        QTest.qWait(60)
        assert lines(room) == [("Adding from two.csv", low)]
    room.wait_for(lambda: lines(room)[0][1] < low)


async def test_where_there_is_one_line_it_is_not_another_list_under_the_pointer(
    room: Room,
) -> None:
    room.strip.fold(on=True)
    await room.take("one.csv")
    room.screen.pause_or_go_on(await room.take("two.csv"))
    ((_, high),) = lines(room)
    QCursor.setPos(room.window.mapToGlobal(QPoint(450, high)))
    QTest.qWait(20)
    room.account.outbox.send_now()
    await room.account.until(lambda: "4 of 4 added" in text_on_screen())
    assert lines(room) == [("Added from one.csv", high)]
    room.point_away()
    room.wait_for(lambda: "Adding from two.csv" in text_on_screen())
    assert len(lines(room)) == 1


async def test_the_lists_without_a_line_are_led_to(room: Room) -> None:
    for name in ("one.csv", "two.csv", "three.csv"):
        await room.take(name)
    more = named("and 1 more list", QPushButton)
    assert more is not None
    assert more in room.strip.controls
    QTest.keyClick(more, Qt.Key.Key_Return)
    assert room.led == ["lists"]


async def test_what_became_of_a_list_that_gave_its_line_away_is_still_told(room: Room) -> None:
    await room.take("one.csv")
    for name in ("two.csv", "three.csv"):
        room.account.outbox.batches.pause(await room.take(name))
    room.account.outbox.send_now()
    await room.account.until(lambda: "Adding from three.csv" in text_on_screen())
    assert "Added from one.csv" not in text_on_screen()
    more = named("and 1 more list", QPushButton)
    assert more is not None
    assert "Added from one.csv: 4 of 4 added" in more.toolTip()
    assert "Added from one.csv: 4 of 4 added" in more.accessibleDescription()


async def test_a_press_below_a_line_that_came_by_itself_does_nothing(room: Room) -> None:
    pressed: list[bool] = []
    below = QPushButton("Ada", room.below)
    below.clicked.connect(lambda: pressed.append(True))
    below.resize(room.below.size())
    below.show()
    room.strip.stand_above(room.below)
    QCursor.setPos(room.window.mapToGlobal(QPoint(450, 200)))
    await room.take()
    for seconds in (0, 500):
        QTest.qWait(seconds)
        click(below)
        assert bool(pressed) is bool(seconds)


async def test_in_a_low_window_one_list_has_a_line_and_the_others_are_counted_in_it(
    room: Room,
) -> None:
    for name in ("one.csv", "two.csv", "three.csv"):
        await room.take(name)
    room.wait_for(lambda: named("and 1 more list", QPushButton) is not None)
    # What is below begins where it ends, once all of it is laid out.
    room.wait_for(lambda: room.below.y() > room.strip.geometry().bottom())
    high = room.strip.height()
    room.strip.fold(on=True)
    room.wait_for(lambda: room.strip.height() < high / 2)
    texts = [label.text() for label in visible(QLabel) if isinstance(label, QLabel)]
    assert [text for text in texts if text.startswith("Adding from")] == ["Adding from one.csv"]
    assert named("and 2 more lists", QPushButton) is not None
    room.strip.fold(on=False)
    room.wait_for(lambda: room.strip.height() == high)
    assert "Adding from two.csv" in text_on_screen()


@pytest.mark.parametrize("folded", [True, False])
async def test_in_a_narrow_window_all_that_is_said_of_a_list_is_read(
    room: Room, *, folded: bool
) -> None:
    room.strip.fold(on=folded)
    await room.take("A list of everybody who came to lunch last spring.csv")

    def said() -> tuple[ElidingLabel, ElidingLabel]:
        QTest.qWait(20)
        name, words, *_ = (each for each in visible(ElidingLabel) if room.strip.isAncestorOf(each))
        assert isinstance(name, ElidingLabel)
        assert isinstance(words, ElidingLabel)
        assert "Ctrl+Z takes all of them back" in words.text()
        assert words.width() >= words.sizeHint().width()
        return name, words

    room.window.resize(760, 400)
    name, words = said()
    assert words.y() > name.geometry().bottom()
    assert name.x() == words.x() == 0
    room.window.resize(1_400, 400)
    name, words = said()
    assert words.y() == name.y()
    assert words.x() - name.geometry().right() < 10


async def test_no_button_moves_when_the_other_lists_go(room: Room) -> None:
    room.strip.fold(on=True)
    await room.take("one.csv")
    other = await room.take("two.csv")
    pause = named("Pause", QPushButton)
    assert pause is not None
    QTest.qWait(20)
    before = pause.mapTo(room.window, QPoint())
    QCursor.setPos(pause.mapToGlobal(pause.rect().center()))
    room.screen.stop(other)
    await room.account.until(lambda: "more list" not in text_on_screen())
    QTest.qWait(20)
    assert pause.mapTo(room.window, QPoint()) == before
    room.point_away()
    room.wait_for(lambda: pause.mapTo(room.window, QPoint()) != before)


async def test_it_is_not_shown_where_the_lists_are_not(room: Room) -> None:
    await room.take()
    room.strip.stand_above_lists(on=False)
    assert not room.strip.isVisible()
    room.strip.stand_above_lists(on=True)
    assert room.strip.isVisible()
    room.strip.bind(None)
    assert not room.strip.isVisible()


async def test_a_screen_reader_hears_of_quarters(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(progress, "announce", lambda _widget, words: heard.append(words))

    await room.take(count=12)
    room.account.outbox.send_now()
    await room.account.until(lambda: "12 of 12 added" in text_on_screen())

    assert heard[0].startswith("Adding from lunch.xlsx: 0 of 12 added")
    assert heard[-1] == "Added from lunch.xlsx: 12 of 12 added."
    assert len(heard) <= 6
