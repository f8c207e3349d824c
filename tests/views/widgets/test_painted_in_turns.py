"""Texts that take long to paint hold no turn of the loop, and all of them are painted."""

from time import thread_time

import pytest
from PySide6.QtCore import QRect

from app.model.flow import PeopleFlow
from app.views.flows import flow_list
from app.views.people import row_delegate
from tests.benchmarks.turns import Turns
from tests.views.flows.flows_desk import FlowsDesk, Run
from tests.views.flows.flows_desk import with_desk as with_flows
from tests.views.people.people_desk import PeopleDesk, crowd
from tests.views.people.people_desk import with_desk as with_people

SLOW = 0.02
"""Seconds of the processor that a text takes."""


class SlowTexts:
    """Stands where a text is painted, and knows which were."""

    def __init__(self) -> None:
        self.painted: list[str] = []

    def __call__(
        self, _painter: object, _place: QRect, text: str, *_more: object, **_: object
    ) -> None:
        until = thread_time() + SLOW
        while thread_time() < until:
            pass
        self.painted.append(text)


def test_rows_of_people_that_take_long_are_painted_in_turns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(desk: PeopleDesk) -> None:
        texts = SlowTexts()
        monkeypatch.setattr(row_delegate, "draw_plain", texts)
        turns = Turns()
        desk.view.viewport().update()
        await desk.office.until(lambda: {f"P{n:03}" for n in range(8)} <= {*texts.painted})
        turns.stop()
        assert turns.busiest < len(texts.painted) * SLOW / 2

    with_people(run, work, *crowd(10))


def test_rows_of_flows_that_take_long_are_painted_in_turns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(desk: FlowsDesk) -> None:
        texts = SlowTexts()
        monkeypatch.setattr(flow_list, "draw_line", texts)
        turns = Turns()
        desk.tab.list.viewport().update()
        await desk.office.until(lambda: {f"Flow {n}" for n in range(8)} <= {*texts.painted})
        turns.stop()
        assert turns.busiest < len(texts.painted) * SLOW / 2

    with_flows(run, work, *(PeopleFlow(id=str(n), name=f"Flow {n}") for n in range(10)))
