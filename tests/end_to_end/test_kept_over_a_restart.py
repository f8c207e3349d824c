"""What was typed and seen is there at the next start, whatever ended the last one."""

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from app.container import Container
from app.demo.options import Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer
from app.model.outbox import EntryState, NewPerson
from app.store.outbox.outbox import OutboxStore
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press, type_text
from app.views.widgets.chips import Chip
from tests.end_to_end.lossy_line import LossyLine
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Serve,
    Visit,
    choose_in_menu,
    enter_with_key,
    gone,
    the,
)
from tests.loopback import NO_CERTIFICATES
from tests.store.outbox_entries import entry

Kiosk = Callable[[DemoAccess], dict[str, object]]


@pytest.fixture
def kiosk(tmp_path: Path) -> Kiosk:
    """The start options of a computer that is given its key at each start."""

    def options(access: DemoAccess) -> dict[str, object]:
        file = tmp_path / "riverside.json"
        file.write_text(json.dumps({"name": "Riverside", "base_url": access.base_url}))
        return {"connection": file, "api_key": access.api_key}

    return options


def named(access: DemoAccess, lastname: str) -> int:
    """How many people of this last name the service has."""
    answer = httpx.get(
        f"{access.base_url}/v1/people/getAll.json?page_size=1000",
        auth=(access.api_key, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    return sum(one["lastname"] == lastname for one in answer.json()["people"]["person"])


def typed_line() -> str:
    line = the("Add a person", QLineEdit)
    assert isinstance(line, QLineEdit)
    return line.text()


def type_person(text: str) -> None:
    press(Qt.Key.Key_N, CTRL)
    type_text(text)


def tab_to(name: str) -> None:
    """Go on by keyboard to what carries this name."""
    for _ in range(40):
        if QApplication.focusWidget() is the(name):
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


def files_with(folder: Path, word: str) -> list[str]:
    """The files below `folder` in which these letters stand."""
    wanted = word.encode()
    return sorted(one.name for one in folder.rglob("*") if wanted in content(one))


def content(file: Path) -> bytes:
    """What stands in a file, unless it goes this moment."""
    try:
        return file.read_bytes() if file.is_file() else b""
    except FileNotFoundError:
        return b""


def until_closed(container: Container) -> Script:
    container.window.close()
    yield Until("the end", lambda: False)


def test_closing_sends_who_is_held_without_a_word(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)

    def add_and_close(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")
        container.window.close()
        assert not container.window.isVisible()
        yield Until("the end", lambda: False)

    def come_back(_container: Container) -> Script:
        yield shown("241 people", "Up to date")
        assert "waiting" not in text_on_screen()

    visit(add_and_close, **kiosk(access))
    assert named(access, "Waiting") == 1
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


def test_closing_cuts_nobody_off_who_is_on_the_way(
    visit: Visit,
    serve: Serve,
    hold_for: HoldFor,
    kiosk: Kiosk,
    tmp_path: Path,
) -> None:
    hold_for(30)
    slow = serve(faults=(Fault(FaultKind.SLOW),), slow_seconds=1.5).start()

    def add_and_close(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        for text in ("Zora Sent", "Ada Held"):
            type_person(text)
            press(Qt.Key.Key_Return)
        yield shown("2 waiting")
        container.window.close()
        assert not container.window.isVisible()
        yield Until("the end", lambda: False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.container._SENDING_MILLISECONDS", 100)
        visit(add_and_close, **kiosk(slow))
    assert (named(slow, "Sent"), named(slow, "Held")) == (1, 0)
    (outbox,) = tmp_path.rglob("outbox.sqlite3")
    store = OutboxStore.open(outbox)
    states = {one.new_person.lastname: one.state for one in store.entries()}
    store.close_now()
    assert states == {"Held": EntryState.WAITING}


def test_closing_without_a_line_says_who_stays_and_the_next_start_sends_them(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()
    told: list[str] = []

    def add_and_close(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        service.stop()
        press(Qt.Key.Key_F5)
        yield shown("Offline")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        container.window.close()
        yield shown("1 person is not sent yet. There is no connection.", "the next start")
        told.append("before closing")
        click(the("Close Front Desk"))
        yield Until("the end", lambda: False)

    def come_back(_container: Container) -> Script:
        yield shown("241 people", "1 person was waiting and is sent now.")

    visit(add_and_close, **kiosk(access))
    assert told
    service.start()
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


def test_a_question_that_goes_as_it_comes_lets_the_window_close(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk, tmp_path: Path
) -> None:
    hold_for(30)
    with LossyLine(access.base_url, lost="nothing") as line:

        def add_and_close(container: Container) -> Script:
            yield shown("240 people", "Up to date")
            line.lost = ""
            press(Qt.Key.Key_F5)
            yield shown("Offline")
            type_person("Zora Lost")
            press(Qt.Key.Key_Return)
            # Closing tries once more, and that reply is lost as well.
            container.window.close()
            yield Until("the end", lambda: False)

        visit(add_and_close, **kiosk(replace(access, base_url=line.base_url)))
    (outbox,) = tmp_path.rglob("outbox.sqlite3")
    store = OutboxStore.open(outbox)
    assert [one.state for one in store.entries()] == [EntryState.NOT_SURE]
    store.close_now()


def test_a_line_that_goes_while_the_window_closes_holds_the_program_for_nobody(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()

    def add_and_close(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        service.stop()
        yield from until_closed(container)

    def come_back(_container: Container) -> Script:
        yield shown("241 people", "1 person was waiting and is sent now.")

    visit(add_and_close, **kiosk(access))
    service.start()
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


def test_who_was_refused_stands_above_both_lists_until_it_is_dealt_with(
    visit: Visit, access: DemoAccess, kiosk: Kiosk, tmp_path: Path
) -> None:
    def look(_container: Container) -> Script:
        yield shown("240 people", "Up to date")

    def told(_container: Container) -> Script:
        said = "Zora Neale was not added. This plan has ended."
        yield shown("240 people", "Up to date", said, "1 needs you")
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
        yield shown("240 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        yield shown("241 people", "Zora Waiting added")

    def come_back(_container: Container) -> Script:
        yield shown("241 people", "Up to date")

    visit(add, **kiosk(access))
    (cache,) = (tmp_path / "data").glob("accounts/*/cache.sqlite3")
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        connection.execute("DELETE FROM people WHERE lastname = 'Waiting'")
        connection.execute("DELETE FROM changes")
        connection.commit()
    visit(come_back, **kiosk(access))
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        assert connection.execute("SELECT kind FROM changes").fetchall() == [("added here",)]


def test_starting_again_while_the_last_are_sent_brings_the_window_back(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    reached: list[str] = []

    def close_and_start(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        container.window.close()
        container.come_to_front()
        yield shown("241 people")
        yield gone("1 waiting")
        reached.append("still open")

    visit(close_and_start, **kiosk(access))
    assert reached


def test_with_no_line_at_the_start_the_lists_are_there_and_people_wait(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(0)
    access = service.start()

    def look(_container: Container) -> Script:
        yield shown("240 people", "Up to date")

    def offline(_container: Container) -> Script:
        yield shown("240 people", "Offline, as of", "List as of")
        type_person("Zora Offline")
        press(Qt.Key.Key_Return)
        yield shown("Zora Offline", "1 waiting")

    def offline_again(_container: Container) -> Script:
        yield shown("Zora Offline", "1 waiting", "Offline, as of")

    def back(_container: Container) -> Script:
        yield shown("241 people", "Signed in")
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
        yield shown("240 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_3)
        yield shown("Nobody administers this step")
        yield from until_closed(container)

    def again(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        yield shown("Nobody administers this step")

    visit(gaps, **kiosk(access))
    visit(again, **kiosk(access))


def test_a_half_typed_line_is_there_at_the_next_start(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def half(container: Container) -> Script:
        yield shown("240 people")
        type_person("Zora Half-Typed zora@exa")
        yield from until_closed(container)

    def there_again(_container: Container) -> Script:
        yield shown("240 people", "You had typed this", "Up to date")
        assert typed_line() == "Zora Half-Typed zora@exa"
        type_text("mple.org")
        press(Qt.Key.Key_Return)
        yield shown("zora@example.org")
        assert typed_line() == ""

    def nothing(_container: Container) -> Script:
        yield shown("241 people")
        assert typed_line() == ""

    visit(half, **kiosk(access))
    visit(there_again, **kiosk(access))
    visit(nothing, **kiosk(access))


def test_who_was_looked_at_by_person_and_their_order_are_there_at_the_next_start(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def by_name(container: Container) -> Script:
        yield shown("240 people", "Up to date")
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
        yield shown("240 people", "Up to date")
        press(Qt.Key.Key_2, CTRL)
        yield shown("If Daniel is away")
        said = text_on_screen()
        assert said.index("Amélie Brandt, ") < said.index("Daniel Kim, ")

    visit(by_name, **kiosk(access))
    visit(there_again, **kiosk(access))


def test_signing_out_with_somebody_unsent_asks_and_keeps_them(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()

    def leave(container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Kept")
        press(Qt.Key.Key_Return)
        yield from choose_in_menu(container, "Sign out")
        yield shown("1 person is not sent yet. They stay on this computer")
        click(the("Sign out anyway"))
        yield shown("Welcome to Front Desk", "Zora Kept is not sent yet", "for Riverside")
        assert named(access, "Kept") == 0

    def look(_container: Container) -> Script:
        yield shown("Welcome to Front Desk", "Zora Kept is not sent yet", "key was given")

    def come_back(_container: Container) -> Script:
        yield shown("241 people", "Up to date")
        yield gone("Zora Kept is not sent yet")

    visit(leave, **kiosk(access))
    visit(look)
    visit(come_back, **kiosk(access))
    assert named(access, "Kept") == 1


def test_the_first_page_says_who_is_kept_for_which_account_until_it_is_forgotten(
    visit: Visit, access: DemoAccess, hold_for: HoldFor
) -> None:
    hold_for(30)

    def leave(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("240 people", "Up to date")
        for name in ("One", "Two", "Three", "Four", "Five"):
            type_person(f"Zora {name}")
            press(Qt.Key.Key_Return)
        yield shown("5 waiting")
        yield from choose_in_menu(container, "Sign out")
        yield shown("5 people are not sent yet")
        click(the("Sign out anyway"))
        yield shown("Zora One, Zora Two, Zora Three and 2 more are not sent yet", "for Riverside")

    def forget(_container: Container) -> Script:
        yield shown("Zora One, Zora Two, Zora Three and 2 more are not sent yet", "for Riverside")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        tab_to("Forget the account Riverside")
        press(Qt.Key.Key_Space)
        yield shown("5 people are not sent yet and would be lost.")
        tab_to("Forget it")
        press(Qt.Key.Key_Space)
        yield shown("no longer knows Riverside")
        yield gone("Zora One")

    def nothing(_container: Container) -> Script:
        yield shown("Welcome to Front Desk")
        assert "Zora" not in text_on_screen()

    visit(leave)
    visit(forget)
    visit(nothing)


def test_people_who_wait_go_to_no_other_account_unless_somebody_says_so(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk, tmp_path: Path
) -> None:
    hold_for(30)

    def add(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Stranger")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def asked(_container: Container) -> Script:
        yield shown("None of the people known here are in this account. Is it the right one?")
        assert named(access, "Stranger") == 0
        click(the("Send there anyway"))
        yield gone("Is it the right one?")
        yield gone("1 waiting")
        # From then on they are on their way, which takes as long as it takes.
        yield Until("Zora in the account", lambda: named(access, "Stranger") == 1)

    visit(add, **kiosk(access))
    know_others(tmp_path / "data")
    visit(asked, **kiosk(access))
    assert named(access, "Stranger") == 1


def know_others(folder: Path) -> None:
    """This computer knows the people of another organisation than the one that answers now."""
    (cache,) = folder.glob("accounts/*/cache.sqlite3")
    with contextlib.closing(sqlite3.connect(cache)) as connection:
        connection.execute("UPDATE people SET id = 'other ' || id")
        connection.commit()
    (outbox,) = folder.glob("accounts/*/outbox.sqlite3")
    store = OutboxStore.open(outbox)
    store.set_metadata("known people", '["somebody else"]')
    store.close_now()


def test_keep_nothing_leaves_no_name_on_the_disk(
    visit: Visit, access: DemoAccess, tmp_path: Path, kiosk: Kiosk
) -> None:
    folder = tmp_path / "data"

    def choose(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Half-Typed")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Keep nothing of my work on this computer")
        assert files_with(folder, "Ashworth")
        click(the("Keep nothing of my work on this computer", QCheckBox))
        yield Until("the files going", lambda: not files_with(folder, "Ashworth"))
        yield shown("Keep nothing of my work on this computer")
        assert not (folder / "accounts").exists()
        click(the("Back"))
        yield shown("240 people", "Up to date")
        assert typed_line() == "Half-Typed"

    visit(choose, **kiosk(access))
    assert not files_with(folder, "Half-Typed")


def test_the_lists_stay_on_the_screen_while_the_service_is_away_and_that_choice_changes(
    visit: Visit, service: DemoServer, tmp_path: Path, kiosk: Kiosk
) -> None:
    folder, access = tmp_path / "data", service.start()
    keep_nothing = "Keep nothing of my work on this computer"

    def change_twice(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        service.stop()
        press(Qt.Key.Key_Comma, CTRL)
        yield shown(keep_nothing)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files going", lambda: not files_with(folder, "Ashworth"))
        click(the("Back"))
        yield shown("240 people", "Alice Ashworth", "as of")
        press(Qt.Key.Key_Comma, CTRL)
        click(the(keep_nothing, QCheckBox))
        yield Until("the files coming", lambda: bool(files_with(folder, "Ashworth")))
        click(the("Back"))
        yield shown("240 people", "Alice Ashworth", "as of")

    def still_away(_container: Container) -> Script:
        yield shown("240 people", "Alice Ashworth")

    visit(change_twice, **kiosk(access))
    visit(still_away, **kiosk(access))


def test_forgetting_the_account_in_use_leaves_no_byte_of_it(
    visit: Visit, access: DemoAccess, tmp_path: Path, kiosk: Kiosk, hold_for: HoldFor
) -> None:
    hold_for(30)
    folder = tmp_path / "data"

    def forget(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Unsent")
        press(Qt.Key.Key_Return)
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        for _ in range(20):
            press(Qt.Key.Key_Tab)
            if the("Forget this account").hasFocus():
                break
        press(Qt.Key.Key_Space)
        yield shown("1 person is not sent yet and would be lost.")
        press(Qt.Key.Key_Tab)
        press(Qt.Key.Key_Space)
        yield shown("Welcome to Front Desk")
        yield Until("the folder going", lambda: not (folder / "accounts").exists())

    visit(forget, **kiosk(access))
    for word in ("Ashworth", "Unsent", access.api_key):
        assert files_with(folder, word) == []


def test_a_damaged_outbox_is_told_until_somebody_has_read_it(
    visit: Visit, service: DemoServer, tmp_path: Path, kiosk: Kiosk, hold_for: HoldFor
) -> None:
    hold_for(30)
    access = service.start()

    def add(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
        type_person("Zora Rescued")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def unread(_container: Container) -> Script:
        yield shown("was damaged. It is kept as", "1 entry was read from it.")

    def read(_container: Container) -> Script:
        yield shown("was damaged. It is kept as", "Zora Rescued")
        click(the("Close"))
        yield gone("was damaged")

    def told(_container: Container) -> Script:
        yield shown("Up to date", "Zora Rescued")
        yield gone("was damaged")

    visit(add, **kiosk(access))
    service.stop()
    damage(tmp_path / "data")
    visit(unread, **kiosk(access))
    service.start()
    visit(read, **kiosk(access))
    visit(told, **kiosk(access))


def test_a_file_of_another_account_is_told_and_nobody_in_it_is_sent(
    visit: Visit, access: DemoAccess, tmp_path: Path, kiosk: Kiosk, hold_for: HoldFor
) -> None:
    hold_for(0)

    def look(_container: Container) -> Script:
        yield shown("240 people", "Up to date")

    def told(_container: Container) -> Script:
        yield shown("Łucja1 Lovelace is not sent", "typed for another account", "Up to date")
        type_person("Zora Ours")
        press(Qt.Key.Key_Return)
        yield shown("241 people")
        click(the("Close"))
        yield gone("another account")

    visit(look, **kiosk(access))
    (ours,) = (tmp_path / "data").glob("accounts/*/outbox.sqlite3")
    ours.unlink()
    store = OutboxStore.open(ours, "another https://example.org")
    store.write(entry(1))
    store.close_now()
    visit(told, **kiosk(access))
    assert (named(access, "Lovelace"), named(access, "Ours")) == (0, 1)


def test_an_outbox_of_a_newer_version_is_told_on_the_first_page_and_before_it_is_forgotten(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    def look(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("240 people", "Up to date")
        yield from choose_in_menu(container, "Sign out")
        yield shown("Welcome to Front Desk")

    def told(_container: Container) -> Script:
        yield shown("People for Riverside may be waiting", "written by a newer version")
        yield from enter_with_key(access)
        # The window goes on in memory, and the file is there all the same.
        yield shown("240 people", "Up to date")
        press(Qt.Key.Key_Comma, CTRL)
        yield shown("Forget this account")
        tab_to("Forget the account Riverside")
        press(Qt.Key.Key_Space)
        yield shown("whom Front Desk cannot read now; they would be lost.")

    visit(look)
    (outbox,) = (tmp_path / "data").glob("accounts/*/outbox.sqlite3")
    with contextlib.closing(sqlite3.connect(outbox)) as connection:
        connection.execute("UPDATE facts SET value = '999' WHERE name = 'version'")
        connection.execute("PRAGMA user_version = 999")
        connection.commit()
    visit(told)


def damage(folder: Path) -> None:
    """The disk has lost the beginning of the file."""
    (outbox,) = folder.glob("accounts/*/outbox.sqlite3")
    content = bytearray(outbox.read_bytes())
    content[:100] = bytes(100)
    outbox.write_bytes(content)


def test_the_kind_of_gap_and_the_filter_of_the_flows_are_as_they_were(
    visit: Visit, access: DemoAccess, kiosk: Kiosk
) -> None:
    def chips_on() -> str:
        chips = [each for each in QApplication.allWidgets() if isinstance(each, Chip)]
        return " ".join(each.text() for each in chips if each.isVisible() and each.isChecked())

    def choose(_container: Container) -> Script:
        yield shown("240 people", "Up to date")
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
        yield shown("240 people")
        press(Qt.Key.Key_2, CTRL)
        yield Until("the kind", lambda: "Nobody " in chips_on())
        press(Qt.Key.Key_1)
        yield Until("the filter", lambda: "With gaps" in chips_on())

    visit(choose, **kiosk(access))
    visit(come_back, **kiosk(access))
