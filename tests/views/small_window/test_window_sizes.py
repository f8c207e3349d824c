"""The two sizes of the one window, and where each of them stands."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QMainWindow
from shiboken6 import delete

from app.views.small_window.window_sizes import SMALL, WindowSizes

LARGE, LEAST = QSize(1000, 620), QSize(900, 560)


class Desk:
    """A window in one of its sizes."""

    def __init__(self) -> None:
        self.window = QMainWindow()
        self.sizes = WindowSizes(self.window, LARGE, LEAST)

    def is_above(self) -> bool:
        """Whether the system is told to keep it above others."""
        hint = Qt.WindowType.WindowStaysOnTopHint
        told = bool(self.window.windowHandle().flags() & hint)
        assert told is bool(self.window.windowFlags() & hint)
        return told

    def is_chosen(self) -> bool:
        """Whether somebody wants the small one."""
        return self.sizes.small_chosen


@pytest.fixture
def desk(qapp: QApplication) -> Iterator[Desk]:  # noqa: ARG001 - Qt must be there
    desk = Desk()
    yield desk
    delete(desk.window)


@pytest.fixture
def later(qapp: QApplication) -> Iterator[Desk]:  # noqa: ARG001 - as above
    desk = Desk()
    yield desk
    delete(desk.window)


def test_each_size_has_its_own_place_which_a_later_start_has_again(desk: Desk, later: Desk) -> None:
    desk.window.show()
    desk.window.setGeometry(QRect(40, 60, 950, 600))
    desk.sizes.change(small=True)
    assert desk.window.size() == SMALL
    desk.window.setGeometry(QRect(300, 120, 400, 500))
    desk.sizes.change(small=False)
    assert desk.window.size() == QSize(950, 600)
    desk.sizes.change(small=True)
    assert desk.window.geometry() == QRect(300, 120, 400, 500)
    later.sizes.restore(*desk.sizes.kept())
    assert later.window.size() == QSize(950, 600)
    later.sizes.change(small=True)
    assert later.window.geometry() == QRect(300, 120, 400, 500)
    assert later.sizes.kept() == desk.sizes.kept()


def test_the_small_one_comes_back_from_a_screen_that_is_gone(desk: Desk, later: Desk) -> None:
    desk.window.show()
    desk.sizes.change(small=True)
    desk.window.move(9_000, 7_000)
    later.sizes.restore(*desk.sizes.kept())
    later.sizes.change(small=True)
    later.window.show()
    assert later.window.screen().availableGeometry().contains(later.window.geometry())


def test_what_is_no_place_is_passed_over(desk: Desk) -> None:
    desk.sizes.restore("no such place", "nor this")
    assert desk.window.size() == LARGE
    desk.sizes.change(small=True)
    assert desk.window.size() == SMALL


def test_the_small_one_stays_above_others_where_that_is_wanted_and_the_large_one_never(
    desk: Desk,
) -> None:
    desk.window.show()
    desk.sizes.stay_above(on=True)
    assert not desk.is_above()
    desk.sizes.change(small=True)
    assert desk.is_above()
    assert desk.window.isVisible()
    desk.sizes.change(small=False)
    assert not desk.is_above()
    desk.sizes.change(small=True)
    desk.sizes.stay_above(on=False)
    assert not desk.is_above()


def test_the_large_one_has_its_size_also_where_the_small_one_was_seen_first(desk: Desk) -> None:
    desk.sizes.change(small=True)
    desk.window.show()
    desk.sizes.change(small=False)
    assert desk.window.size() == LARGE
    assert desk.window.screen().availableGeometry().contains(desk.window.geometry())


def test_it_is_chosen_once_somebody_asks_for_the_small_one_that_was_lent(desk: Desk) -> None:
    desk.sizes.change(small=True, lent=True)
    assert (desk.sizes.small, desk.is_chosen()) == (True, False)
    desk.sizes.change(small=True, lent=True)
    assert not desk.is_chosen()
    desk.sizes.change(small=True)
    assert desk.is_chosen()
    desk.sizes.change(small=True, lent=True)
    assert desk.is_chosen()
    desk.sizes.change(small=False)
    desk.sizes.change(small=True, lent=True)
    assert not desk.is_chosen()
    desk.sizes.change(small=False)
    desk.sizes.change(small=True)
    assert desk.is_chosen()
