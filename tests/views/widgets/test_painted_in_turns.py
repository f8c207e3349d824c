"""Texts that take long to paint hold no turn of the loop, and all of them are painted."""

from time import thread_time

import pytest
from PySide6.QtCore import QRect

from app.model.flow import PeopleFlow
from app.views.cell_table import cell_delegate
from app.views.flows import flows_page
from tests.benchmarks.turns import Turns
from tests.views.flows.flows_page_fixture import FlowsPageFixture, Run
from tests.views.flows.flows_page_fixture import with_flows_page as with_flows
from tests.views.people.people_tab_fixture import PeopleTabFixture, crowd
from tests.views.people.people_tab_fixture import with_people_tab as with_people

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
    async def work(subject: PeopleTabFixture) -> None:
        texts = SlowTexts()
        monkeypatch.setattr(cell_delegate, "draw_plain", texts)
        turns = Turns()
        subject.view.viewport().update()
        await subject.account.until(lambda: {f"P{n:03}" for n in range(8)} <= {*texts.painted})
        turns.stop()
        assert turns.busiest < len(texts.painted) * SLOW / 2

    with_people(run, work, *crowd(10))


def test_rows_of_flows_that_take_long_are_painted_in_turns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        texts = SlowTexts()
        monkeypatch.setattr(flows_page, "draw_line", texts)
        turns = Turns()
        subject.tab.list.viewport().update()
        await subject.account.until(lambda: {f"Flow {n}" for n in range(8)} <= {*texts.painted})
        turns.stop()
        assert turns.busiest < len(texts.painted) * SLOW / 2

    with_flows(run, work, *(PeopleFlow(id=str(n), name=f"Flow {n}") for n in range(10)))
