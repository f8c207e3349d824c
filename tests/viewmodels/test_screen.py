"""What every screen has."""

from app.viewmodels.screen import Screen


class Counting(Screen[int]):
    def count(self, number: int) -> None:
        self._set_state(number)


def test_a_state_is_told_once_and_then_only_when_it_is_another() -> None:
    screen = Counting(0)
    told: list[object] = []
    screen.state_changed.connect(told.append)

    for number in (0, 1, 1, 2, 1):
        screen.count(number)

    assert told == [1, 2, 1]
    assert screen.state == 1
