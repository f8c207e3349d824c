"""Texts that take long to paint hold no turn of the loop, and all of them are painted."""

import pytest

from app.model.flow import PeopleFlow
from app.views.cell_table import cell_delegate
from app.views.flows import flows_page
from tests.views.flows.flows_page_fixture import FlowsPageFixture, Run
from tests.views.flows.flows_page_fixture import with_flows_page as with_flows
from tests.views.people.people_tab_fixture import PeopleTabFixture, crowd
from tests.views.people.people_tab_fixture import with_people_tab as with_people
from tests.views.slow_texts import SlowTexts


def test_rows_of_people_that_take_long_are_painted_in_turns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        texts = SlowTexts(monkeypatch)
        monkeypatch.setattr(cell_delegate, "draw_plain", texts)
        subject.view.viewport().update()
        await subject.account.until(lambda: {f"P{n:03}" for n in range(8)} <= {*texts.painted})
        texts.stop()
        assert texts.most_in_a_turn < len(texts.painted) / 2

    with_people(run, work, *crowd(10))


def test_rows_of_flows_that_take_long_are_painted_in_turns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        texts = SlowTexts(monkeypatch)
        monkeypatch.setattr(flows_page, "draw_line", texts)
        subject.tab.list.viewport().update()
        await subject.account.until(lambda: {f"Flow {n}" for n in range(8)} <= {*texts.painted})
        texts.stop()
        assert texts.most_in_a_turn < len(texts.painted) / 2

    with_flows(run, work, *(PeopleFlow(id=str(n), name=f"Flow {n}") for n in range(10)))
