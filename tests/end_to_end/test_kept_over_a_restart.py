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
from app.demo.server import DemoServer
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


def killed_before_it_listed_whom_it_had_added(folder: Path) -> Path:
    """As if it had been; and as if somebody had been refused. Where the lists are kept."""
    (cache,) = folder.glob("accounts/*/cache.sqlite3")
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        connection.execute("DELETE FROM people WHERE lastname = 'Waiting'")
        connection.execute("DELETE FROM changes")
        connection.commit()
    store = OutboxStore.open(cache.with_name("outbox.sqlite3"))
    zora = NewPerson(firstname="Zora", lastname="Neale")
    why = "This plan has ended."
    store.write(entry(1, EntryState.REFUSED, new_person=zora, reason=why))
    store.close_now()
    return cache


def who_was_refused_stands_above_both_lists_until_it_is_dealt_with(_container: Container) -> Script:
    said = "Zora Neale was not added. This plan has ended."
    yield shown("81 people", "Up to date", said, "1 needs you")
    press(Qt.Key.Key_2, CTRL)
    yield shown("Run by", said)
    click(the("Show"))
    yield shown("Correct and send", said)
    click(the("Take off the list"))
    yield gone(said)


def test_offline_or_without_lists_what_was_read_is_there_and_who_waits_or_was_refused_is_told(
    visit: Visit, serve: Serve, hold_for: HoldFor, kiosk: Kiosk, tmp_path: Path
) -> None:
    hold_for(0)
    service = serve()
    access = service.start()

    def add(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        yield shown("81 people", "Zora Waiting added")

    def the_service_gives_no_lists(_container: Container) -> Script:
        yield shown("81 people", "List as of")
        press(Qt.Key.Key_2, CTRL)
        yield Until("a flow", lambda: "Reading the flows" not in text_on_screen())
        yield shown("Run by", "List as of")
        assert "Up to date" not in text_on_screen()

    def offline(_container: Container) -> Script:
        yield shown("81 people", "Offline, as of", "List as of")
        type_person("Zora Offline")
        press(Qt.Key.Key_Return)
        yield shown("Zora Offline", "1 waiting")

    def offline_again_and_back(_container: Container) -> Script:
        yield shown("Zora Offline", "1 waiting", "Offline, as of")
        service.start()
        press(Qt.Key.Key_F5)
        yield shown("82 people", "Signed in")
        yield gone("1 waiting")

    visit(add, **kiosk(access))
    cache = killed_before_it_listed_whom_it_had_added(tmp_path / "data")
    visit(who_was_refused_stands_above_both_lists_until_it_is_dealt_with, **kiosk(access))
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        # Whom one has added oneself is no news.
        assert connection.execute("SELECT kind FROM changes").fetchall() == [("added here",)]
    service.stop()
    broken = serve(port=urlsplit(access.base_url).port, faults=(Fault(FaultKind.BROKEN),))
    broken.start()
    visit(the_service_gives_no_lists, **kiosk(access))
    broken.stop()
    visit(offline, **kiosk(access))
    visit(offline_again_and_back, **kiosk(access))
    assert named(access, "Offline") == 1


def chips_on() -> str:
    chips = [each for each in QApplication.allWidgets() if isinstance(each, Chip)]
    return " ".join(each.text() for each in chips if each.isVisible() and each.isChecked())


def choose_how_the_flows_are_read() -> Script:
    """Those with gaps alone, by person in another order, and the gaps that have nobody."""
    press(Qt.Key.Key_2, CTRL)
    yield shown("Run by", "With gaps")
    press(Qt.Key.Key_Backtab)
    press(Qt.Key.Key_Right)
    yield Until("the filter", lambda: "With gaps" in chips_on())
    press(Qt.Key.Key_2)
    yield shown("If Harriet is away")
    press(Qt.Key.Key_Backtab)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Down)
    yield shown("If Daniel is away")
    press(Qt.Key.Key_3)
    yield Until("the gaps", lambda: "All " in chips_on())
    yield shown("Nobody administers this step")
    for _ in range(3):
        press(Qt.Key.Key_Backtab)
    press(Qt.Key.Key_Right)
    yield Until("the kind", lambda: "Nobody " in chips_on())


def the_flows_are_read_as_they_were() -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield shown("Nobody administers this step")
    yield Until("the kind", lambda: "Nobody " in chips_on())
    # They may not have been there yet when somebody came to them.
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), GapListView))
    press(Qt.Key.Key_1)
    yield Until("the filter", lambda: "With gaps" in chips_on())
    press(Qt.Key.Key_2)
    yield shown("If Daniel is away")
    said = text_on_screen()
    assert said.index("Amélie Brandt, ") < said.index("Daniel Kim, ")


def test_a_half_typed_line_how_the_flows_were_read_and_the_lists_are_there_with_the_service_away(
    visit: Visit,
    service: DemoServer,
    tmp_path: Path,
    kiosk: Kiosk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    access = service.start()
    copies = copies_in_memory(monkeypatch)

    def half(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Half-Typed zora@exa")
        yield from choose_how_the_flows_are_read()
        yield from until_closed(container)

    def there_again(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        yield from the_flows_are_read_as_they_were()
        press(Qt.Key.Key_N, CTRL)
        yield shown("You had typed this")
        assert typed_line() == "Zora Half-Typed zora@exa"
        press(Qt.Key.Key_End)
        type_text("mple.org")
        press(Qt.Key.Key_Return)
        yield shown("zora@example.org")
        assert typed_line() == ""

    folder = tmp_path / "data"
    keep_nothing = "Keep nothing of my work on this computer"

    def nothing_and_that_choice_changed_twice(_container: Container) -> Script:
        yield shown("81 people", "Up to date")
        assert typed_line() == ""
        yield Until("her in the account", lambda: named(access, "Half-Typed") == 1)
        service.stop()
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files going", lambda: not files_with(folder, "Ashworth"))
        click(the("Back"))
        yield shown("81 people", "Alice Ashworth", "as of")
        press(Qt.Key.Key_Comma, CTRL)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files coming", lambda: bool(files_with(folder, "Ashworth")))
        click(the("Back"))
        yield shown("81 people", "Alice Ashworth", "as of")

    def still_away(_container: Container) -> Script:
        yield shown("81 people", "Alice Ashworth")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        click(the(keep_nothing, QCheckBox))
        # And the window ends at once.

    visit(half, **kiosk(access))
    visit(there_again, **kiosk(access))
    visit(nothing_and_that_choice_changed_twice, **kiosk(access))
    visit(still_away, **kiosk(access))
    assert len(copies) > 2
    assert all(copy._database.closed for copy in copies), "what nobody took over stays open"


def copies_in_memory(monkeypatch: pytest.MonkeyPatch) -> list[Cache]:
    """The lists that are copied there from now on."""
    copies: list[Cache] = []
    in_memory = Cache.in_memory

    async def copied(cache: Cache) -> Cache:
        copies.append(await in_memory(cache))
        return copies[-1]

    monkeypatch.setattr(Cache, "in_memory", copied)
    return copies
