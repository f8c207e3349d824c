"""Whoever was typed last, in the small window: what opens below one of them is seen."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea

from app.viewmodels.outbox.entry_actions import EntryActions
from app.viewmodels.screen import ActionFeedback
from app.viewmodels.small_window.recent_entries import MOST, RecentEntries
from app.views.small_window.small_page import RecentEntryList
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.importing.lists import Lists
from tests.viewmodels.quick_add.typing_room import quick_add, refused


@pytest.fixture
def shown(account: AccountFixture) -> Iterator[RecentEntryList]:
    actions = EntryActions(account.outbox, account.scope, ActionFeedback())
    line = quick_add(account)
    recent = RecentEntries(
        account.outbox, line, actions, account.events, account.scope, lists=Lists(account).lists
    )
    view = RecentEntryList(recent)
    view.resize(360, 260)
    view.show()
    recent.look(on=True)
    yield view
    shiboken6.delete(view)


async def test_the_sentence_below_the_last_of_them_is_scrolled_into_sight(
    account: AccountFixture, shown: RecentEntryList
) -> None:
    first = await refused(account, "Mary Smith")
    for number in range(MOST - 1):
        account.add("Person", str(number))
    shown.recent.ask_why(first.id)
    QTest.qWait(50)
    sentence = shown.recent.state.entries[-1].sentence
    (label,) = [one for one in shown.findChildren(QLabel) if one.text() == sentence]
    (area,) = [one.viewport() for one in shown.findChildren(QScrollArea)]
    top = label.mapTo(area, label.rect().topLeft()).y()
    assert 0 <= top <= area.height() - label.height()
