"""Where cycles are collected: Qt objects in them end on the thread they live on."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.guarded_overrides import GuardedOverrides


class Widget(QObject):
    """Holds itself, as a widget whose own method is one of its callbacks does."""

    def __init__(self) -> None:
        super().__init__()
        self.timer = QTimer(self)
        self.itself = self


@pytest.fixture
def ended_on() -> Iterator[list[threading.Thread]]:
    """The thread on which a dropped widget came to its end, once it has."""
    gc.collect()
    threads: list[threading.Thread] = []
    widget = Widget()
    weakref.finalize(widget, lambda: threads.append(threading.current_thread()))
    del widget
    yield threads
    gc.collect()


def read_a_long_answer() -> list[list[int]]:
    """On another thread; what was read passes every threshold, and is there to stay."""
    read: list[list[int]] = []
    thread = threading.Thread(target=lambda: read.extend([number] for number in range(200_000)))
    thread.start()
    thread.join()
    return read


@pytest.mark.usefixtures("qapp", "by_itself")
def test_work_on_another_thread_ends_no_widget(ended_on: list[threading.Thread]) -> None:
    with cycles_collected_by_the_event_loop():
        read = read_a_long_answer()
        assert ended_on == []
    assert read


def test_the_event_loop_ends_it_when_it_has_nothing_else_to_do(
    qapp: QApplication, ended_on: list[threading.Thread]
) -> None:
    with cycles_collected_by_the_event_loop():
        read = read_a_long_answer()
        QTimer.singleShot(50, qapp.quit)
        qapp.exec()
        assert ended_on == [threading.main_thread()]
    assert read


class Reader(GuardedOverrides, QObject):
    """Makes garbage in answer to an event, as a search does, and then is to be painted."""

    def __init__(self, ended_on: list[threading.Thread]) -> None:
        super().__init__()
        self.ended_on = ended_on
        self.ended_before_painting: bool | None = None
        self.read: list[list[int]] = []

    def answer(self) -> None:
        self.read = read_a_long_answer()
        QCoreApplication.postEvent(
            self, QEvent(QEvent.Type.User), Qt.EventPriority.LowEventPriority.value
        )

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.User:
            self.ended_before_painting = bool(self.ended_on)
            return True
        return super().event(event)


def test_what_waits_to_be_painted_comes_before_it(
    qapp: QApplication, ended_on: list[threading.Thread]
) -> None:
    reader = Reader(ended_on)
    with cycles_collected_by_the_event_loop():
        QTimer.singleShot(0, reader.answer)
        QTimer.singleShot(50, qapp.quit)
        qapp.exec()
    assert (reader.ended_before_painting, ended_on) == (False, [threading.main_thread()])


@pytest.fixture
def by_itself() -> Iterator[None]:
    """As Python begins."""
    gc.enable()
    yield
    gc.disable()


@pytest.mark.usefixtures("by_itself")
def test_python_collects_by_itself_before_and_after(qapp: QApplication) -> None:
    assert gc.isenabled()
    with cycles_collected_by_the_event_loop():
        assert not gc.isenabled()
        qapp.processEvents()
    assert gc.isenabled()


@pytest.fixture
def full_collections() -> Iterator[list[int]]:
    """A note for each; they are due very soon here."""
    noted: list[int] = []
    # What was made before counts for nothing.
    gc.collect()
    gc.freeze()

    def note(phase: str, found: dict[str, int]) -> None:
        if phase == "stop" and found["generation"] == 2:
            noted.append(found["collected"])

    thresholds = gc.get_threshold()
    gc.set_threshold(10, 1, 1)
    gc.callbacks.append(note)
    yield noted
    gc.callbacks.remove(note)
    gc.set_threshold(*thresholds)


def turn_by_turn(application: QApplication, made: list[list[int]], turns: int = 100) -> None:
    """So many turns of the event loop, of which each makes twenty objects."""
    for _ in range(turns):
        made += ([] for _ in range(20))
        QTimer.singleShot(0, application.quit)
        application.exec()


def test_what_is_old_is_looked_through_again_only_once_a_quarter_has_come_to_it(
    qapp: QApplication, full_collections: list[int]
) -> None:
    """With a long list in memory that takes longer than a frame, and finds nothing."""
    old = [[number] for number in range(20_000)]
    with cycles_collected_by_the_event_loop():
        turn_by_turn(qapp, [])
        full_collections.clear()
        turn_by_turn(qapp, [])
        assert len(full_collections) <= 1
        widget = Widget()
        ended = weakref.ref(widget)
        turn_by_turn(qapp, [])
        del widget
        turn_by_turn(qapp, old, turns=500)
        assert ended() is None


def test_those_that_are_left_out_do_not_keep_others_waiting(
    qapp: QApplication, full_collections: list[int]
) -> None:
    old = [[number] for number in range(20_000)]
    with cycles_collected_by_the_event_loop():
        turn_by_turn(qapp, [])
        assert full_collections
        gc.freeze()
        widget = Widget()
        ended = weakref.ref(widget)
        turn_by_turn(qapp, [])
        del widget
        turn_by_turn(qapp, old)
        assert ended() is None
