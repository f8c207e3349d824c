"""What was typed and seen is there at the next start, whatever ended the last one."""

import contextlib
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox

from app.container import Container
from app.demo.options import Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer
from app.model.outbox import EntryState, NewPerson
from app.store.cache import Cache
from app.store.outbox.outbox import OutboxStore
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press, type_text
from app.views.flows.gaps_page import GapListView
from app.views.widgets.chips import Chip
from tests.end_to_end.kept_files import (
    Kiosk,
    files_with,
    named,
    type_person,
    typed_line,
    until_closed,
)
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Serve,
    Visit,
    gone,
    the,
)
from tests.store.outbox_entries import entry


def test_who_was_refused_stands_above_both_lists_until_it_is_dealt_with(
    visit: Visit, access: DemoAccess, kiosk: Kiosk, tmp_path: Path
) -> None:
    def look(_container: Container) -> Script:
        yield shown("80 people", "Up to date")

    def told(_container: Container) -> Script:
        said = "Zora Neale was not added. This plan has ended."
        yield shown("80 people", "Up to date", said, "1 needs you")
        press(Qt.Key.Key_2, CTRL)
        yield shown("Run by", said)
        click(the("Show"))
        yield shown("Correct and send", said)
        click(the("Take off the list"))
        yield gone(said)

    visit(look, **kiosk(access))
    (outbox,) = (tmp_path / "data").glob("accounts/*/outbox.sqlite3")
    store = OutboxStore.open(outbox)
    zora = NewPerson(firstname="Zora", lastname="Neale")
    why = "This plan has ended."
    store.write(entry(1, EntryState.REFUSED, new_person=zora, reason=why))
    store.close_now()
    visit(told, **kiosk(access))


def test_who_was_added_here_is_no_news_where_the_program_was_killed_before_it_listed_them(
    visit: Visit, access: DemoAccess, tmp_path: Path, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(0)

    def add(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        yield shown("81 people", "Zora Waiting added")

    def come_back(_container: Container) -> Script:
        yield shown("81 people", "Up to date")

    visit(add, **kiosk(access))
    (cache,) = (tmp_path / "data").glob("accounts/*/cache.sqlite3")
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        connection.execute("DELETE FROM people WHERE lastname = 'Waiting'")
        connection.execute("DELETE FROM changes")
        connection.commit()
    visit(come_back, **kiosk(access))
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        assert connection.execute("SELECT kind FROM changes").fetchall() == [("added here",)]


def test_with_no_line_at_the_start_the_lists_are_there_and_people_wait(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(0)
    access = service.start()

    def look(_container: Container) -> Script:
        yield shown("80 people", "Up to date")

    def offline(_container: Container) -> Script:
        yield shown("80 people", "Offline, as of", "List as of")
        type_person("Zora Offline")
        press(Qt.Key.Key_Return)
        yield shown("Zora Offline", "1 waiting")

    def offline_again(_container: Container) -> Script:
        yield shown("Zora Offline", "1 waiting", "Offline, as of")

    def back(_container: Container) -> Script:
        yield shown("81 people", "Signed in")
        yield gone("1 waiting")

    visit(look, **kiosk(access))
    service.stop()
    visit(offline, **kiosk(access))
    visit(offline_again, **kiosk(access))
    service.start()
    visit(back, **kiosk(access))
    assert named(access, "Offline") == 1


def test_the_flows_are_there_at_a_start_at_which_the_service_gives_no_lists(
    visit: Visit, serve: Serve, kiosk: Kiosk
) -> None:
    good = serve(people=20, flows=1)
    access = good.start()

    def look(_container: Container) -> Script:
        yield shown("20 people", "Up to date")

    def without(_container: Container) -> Script:
        yield shown("20 people", "List as of")
        press(Qt.Key.Key_2, CTRL)
        yield Until("a flow", lambda: "Reading the flows" not in text_on_screen())
        yield shown("Run by", "List as of")
        assert "Up to date" not in text_on_screen()

    visit(look, **kiosk(access))
    good.stop()
    serve(port=urlsplit(access.base_url).port, faults=(Fault(FaultKind.BROKEN),)).start()
    visit(without, **kiosk(access))


def test_the_flows_are_read_as_they_were_when_the_window_was_closed(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def gaps(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_3)
        yield shown("Nobody administers this step")
        yield from until_closed(container)

    def again(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        yield shown("Nobody administers this step")

    visit(gaps, **kiosk(access))
    visit(again, **kiosk(access))


def test_a_half_typed_line_is_there_at_the_next_start(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def half(container: Container) -> Script:
        yield shown("80 people")
        type_person("Zora Half-Typed zora@exa")
        yield from until_closed(container)

    def there_again(_container: Container) -> Script:
        yield shown("80 people", "You had typed this", "Up to date")
        assert typed_line() == "Zora Half-Typed zora@exa"
        type_text("mple.org")
        press(Qt.Key.Key_Return)
        yield shown("zora@example.org")
        assert typed_line() == ""

    def nothing(_container: Container) -> Script:
        yield shown("81 people")
        assert typed_line() == ""

    visit(half, **kiosk(access))
    visit(there_again, **kiosk(access))
    visit(nothing, **kiosk(access))


def test_who_was_looked_at_by_person_and_their_order_are_there_at_the_next_start(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def by_name(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_2)
        yield shown("If Harriet is away")
        press(Qt.Key.Key_Backtab)
        press(Qt.Key.Key_Right)
        press(Qt.Key.Key_Tab)
        press(Qt.Key.Key_Home)
        press(Qt.Key.Key_Down)
        press(Qt.Key.Key_Down)
        yield shown("If Daniel is away")
        yield from until_closed(container)

    def there_again(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        yield shown("If Daniel is away")
        said = text_on_screen()
        assert said.index("Amélie Brandt, ") < said.index("Daniel Kim, ")

    visit(by_name, **kiosk(access))
    visit(there_again, **kiosk(access))


def test_the_lists_stay_on_the_screen_while_the_service_is_away_and_that_choice_changes(
    visit: Visit,
    service: DemoServer,
    tmp_path: Path,
    kiosk: Kiosk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, access = tmp_path / "data", service.start()
    keep_nothing = "Keep nothing of my work on this computer"
    copies: list[Cache] = []
    in_memory = Cache.in_memory

    async def copied(cache: Cache) -> Cache:
        copies.append(await in_memory(cache))
        return copies[-1]

    monkeypatch.setattr(Cache, "in_memory", copied)

    def change_twice(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        service.stop()
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files going", lambda: not files_with(folder, "Ashworth"))
        click(the("Back"))
        yield shown("80 people", "Alice Ashworth", "as of")
        press(Qt.Key.Key_Comma, CTRL)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files coming", lambda: bool(files_with(folder, "Ashworth")))
        click(the("Back"))
        yield shown("80 people", "Alice Ashworth", "as of")

    def still_away(_container: Container) -> Script:
        yield shown("80 people", "Alice Ashworth")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        click(the(keep_nothing, QCheckBox))
        # And the window ends at once.

    visit(change_twice, **kiosk(access))
    visit(still_away, **kiosk(access))
    assert len(copies) > 2
    assert all(copy._database.closed for copy in copies), "what nobody took over stays open"


def test_the_kind_of_gap_and_the_filter_of_the_flows_are_as_they_were(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def chips_on() -> str:
        chips = [each for each in QApplication.allWidgets() if isinstance(each, Chip)]
        return " ".join(each.text() for each in chips if each.isVisible() and each.isChecked())

    def choose(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        yield shown("Run by", "With gaps")
        press(Qt.Key.Key_Backtab)
        press(Qt.Key.Key_Right)
        yield Until("the filter", lambda: "With gaps" in chips_on())
        press(Qt.Key.Key_3)
        yield Until("the gaps", lambda: "All " in chips_on())
        for _ in range(3):
            press(Qt.Key.Key_Backtab)
        press(Qt.Key.Key_Right)
        yield Until("the kind", lambda: "Nobody " in chips_on())

    def come_back(_container: Container) -> Script:
        yield shown("80 people")
        press(Qt.Key.Key_2, CTRL)
        yield Until("the kind", lambda: "Nobody " in chips_on())
        # They may not have been there yet when somebody came to them.
        yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), GapListView))
        press(Qt.Key.Key_1)
        yield Until("the filter", lambda: "With gaps" in chips_on())

    visit(choose, **kiosk(access))
    visit(come_back, **kiosk(access))
