"""Two organisations at one address, each with its own key: nobody goes to the other one."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.container import Container
from app.demo.people import People
from app.demo.server import DemoAccess, DemoServer
from app.outbox.account_matching import AccountMatch, recognise_service
from app.store.outbox.outbox import OutboxStore
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press
from app.workspace.workspace import Workspace
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Serve,
    Visit,
    choose_in_menu,
    enter_with_key,
    gone,
    the,
    write,
)
from tests.loopback import NO_CERTIFICATES


class Answers(Protocol):
    """Which organisation answers from now on."""

    def __call__(self, organisation: str, *, elsewhere: bool = False) -> DemoAccess:
        """`elsewhere`: at an address of its own."""


@pytest.fixture
def answers(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Have this organisation answer from now on, at the address of the last one, or at one of its
    own; the one before ends, and forgets whoever was added.

    The people of "one" are those of the demo service; each other has as many, and none of theirs.
    """
    page, running, port = People.page, list[DemoServer](), [0]

    def of(name: str) -> Callable[..., list[dict[str, str]]]:
        def people(
            self: People, start: int, size: int, *, archived: bool | None = None
        ) -> list[dict[str, str]]:
            return [
                one | {"id": f"{one['id'][::-1]}{name}", "lastname": f"{one['lastname']} {name}"}
                for one in page(self, start, size, archived=archived)
            ]

        return people

    def answer(organisation: str, *, elsewhere: bool = False) -> DemoAccess:
        for server in running:
            server.stop()
        name = organisation.capitalize()
        monkeypatch.setattr(People, "page", page if organisation == "one" else of(name))
        running[:] = [serve(port=0 if elsewhere else port[0])]
        access = running[0].start()
        port[0] = urlsplit(access.base_url).port or 0
        return access

    return answer


def named(access: DemoAccess, lastname: str) -> int:
    answer = httpx.get(
        f"{access.base_url}/v1/people/getAll.json?page_size=1000",
        auth=(access.api_key, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    return sum(lastname in one["lastname"] for one in answer.json()["people"]["person"])


def type_line(text: str) -> None:
    press(Qt.Key.Key_N, CTRL)
    write(text)


def typed_line() -> str:
    line = the("Add a person", QLineEdit)
    assert isinstance(line, QLineEdit)
    return line.text()


def leave_with_eve_waiting(
    container: Container, access: DemoAccess, name: str, *, half_typed: str = ""
) -> Script:
    yield from enter_with_key(access, name=name)
    yield shown("80 people", "Up to date")
    type_line("Eve Waits")
    press(Qt.Key.Key_Return)
    write(half_typed)
    yield from choose_in_menu(container, "Sign out")
    yield shown("1 person is not sent yet")
    click(the("Sign out anyway"))
    yield shown("Eve Waits is not sent yet", f"for {name}")


def given_key(folder: Path, access: DemoAccess) -> dict[str, object]:
    """The start of a computer that is given its key at each start."""
    file = folder / "riverside.json"
    file.write_text(json.dumps({"name": "Riverside", "base_url": access.base_url}))
    return {"connection": file, "api_key": access.api_key}


def damage_cache(folder: Path) -> None:
    (cache,) = folder.glob("accounts/*/cache.sqlite3")
    cache.write_bytes(b"\x00" * 200 + cache.read_bytes()[200:])


def keep_nothing(folder: Path) -> None:
    settings = {"keep_on_this_computer": False, "hold_seconds": 30}
    (folder / "settings.json").write_text(json.dumps(settings))


def forget_people_known(folder: Path) -> None:
    """As an earlier version left them: the lists are gone, and nothing is noted of them."""
    damage_cache(folder)
    (outbox,) = folder.glob("accounts/*/outbox.sqlite3")
    store = OutboxStore.open(outbox)
    store.set_metadata("known people", None)
    store.close_now()


LOSSES: tuple[tuple[Callable[[Path], None], str], ...] = (
    (forget_people_known, "Front Desk cannot tell by its people"),
    (damage_cache, "None of the people known here are in this account."),
    (keep_nothing, "None of the people known here are in this account."),
)


def test_when_the_lists_are_lost_who_waits_goes_to_no_other_organisation_unless_somebody_says_so(
    visit: Visit, answers: Answers, tmp_path: Path, hold_for: HoldFor
) -> None:
    hold_for(30)
    access = answers("one")
    data, left = tmp_path / "data", tmp_path / "left"

    def add(_container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_line("Max Waits")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    def ask(question: str, container: Container) -> Script:
        yield shown(question, "1 person is waiting to be sent there.")
        type_line("Nia New")
        press(Qt.Key.Key_Return)
        yield shown("First say whether this is the right account.")
        assert typed_line() == "Nia New"
        container.window.close()
        yield shown("1 person is not sent yet.", "until that is certain")
        assert "next start" not in text_on_screen()
        asked.append(question)

    def ask_and_be_told_to_send(question: str, container: Container) -> Script:
        yield from ask(question, container)
        assert named(other, "Waits") == 0
        click(the("Stay"))
        yield shown(question)
        click(the("Send there anyway"))
        yield gone(question)
        yield gone("1 waiting")
        # From then on they are on their way, which takes as long as it takes.
        yield Until("Max in the account", lambda: named(other, "Waits") == 1)
        assert typed_line() == "Nia New"
        sent.append(question)

    def back(_container: Container) -> Script:
        yield Until("Max in the account", lambda: named(access, "Waits") == 1)
        assert "Is it" not in text_on_screen()

    visit(add, **given_key(tmp_path, access))
    data.rename(left)
    asked: list[str] = []
    sent: list[str] = []
    for lose, question in LOSSES:
        copytree(left, data)
        lose(data)
        other = answers("two")
        if lose is forget_people_known:
            visit(partial(ask_and_be_told_to_send, question), **given_key(tmp_path, other))
            assert named(other, "New") == 0
        else:
            visit(partial(ask, question), **given_key(tmp_path, other))
            assert (named(other, "Waits"), named(other, "New")) == (0, 0)
            assert named(answers("one"), "Waits") == 0
            visit(back, **given_key(tmp_path, access))
        rmtree(data)
    assert asked == [question for _, question in LOSSES]
    assert sent == asked[:1]


def test_nobody_is_asked_about_an_account_without_a_past_nor_typed_for_one_still_compared(
    visit: Visit,
    answers: Answers,
    tmp_path: Path,
    hold_for: HoldFor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However early somebody is typed."""
    hold_for(1)
    access = answers("one")
    typed, opened, compared = asyncio.Event(), Workspace.open, asyncio.Event()

    async def late(workspace: Workspace) -> None:
        await typed.wait()
        await opened(workspace)

    def add_early(container: Container) -> Script:
        yield shown("Add a person")
        type_line("Early Bird")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")
        typed.set()
        yield shown("80 people", "Up to date")
        assert "Is it" not in text_on_screen()
        type_line("Next Bird")
        press(Qt.Key.Key_Return)
        yield Until("both in the account", lambda: named(access, "Bird") == 2)
        container._settings.change(hold_seconds=30)
        type_line("Max Waits")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")

    async def slowly(*args: Any) -> AccountMatch:
        await compared.wait()
        return await recognise_service(*args)

    def type_early(_container: Container) -> Script:
        # Before that begins, whoever is typed waits with the others.
        yield shown("Max Waits", "until it is certain whose list this is")
        type_line("Nia New")
        press(Qt.Key.Key_Return)
        yield shown("still comparing this account")
        assert typed_line() == "Nia New"
        compared.set()
        yield shown("Up to date")
        press(Qt.Key.Key_Return)
        yield Until("an empty line", lambda: typed_line() == "")

    monkeypatch.setattr(Workspace, "open", late)
    visit(add_early, **given_key(tmp_path, access))
    monkeypatch.setattr(Workspace, "open", opened)
    monkeypatch.setattr("app.workspace.account_check.recognise_service", slowly)
    visit(type_early, **given_key(tmp_path, access))


def accounts(folder: Path, access: DemoAccess) -> list[str]:
    """Those of this address."""
    listed = json.loads((folder / "accounts.json").read_text())["accounts"]
    return sorted(one["name"] for one in listed if one["base_url"] == access.base_url)


def sign_out(container: Container) -> Script:
    yield from choose_in_menu(container, "Sign out")
    yield shown("Welcome to Front Desk")


def test_a_key_of_another_organisation_is_the_account_that_its_people_or_somebody_say(
    visit: Visit, answers: Answers, tmp_path: Path, hold_for: HoldFor
) -> None:
    """At an address of its own each time, so that none knows the accounts of another."""
    hold_for(30)
    data = tmp_path / "data"

    def script(container: Container) -> Script:
        yield from where_nobody_waits_a_clear_difference_makes_it_an_account_of_its_own(
            container, answers, data
        )
        yield from it_is_the_same_renames_and_goes_on(container, answers, data)
        yield from it_is_another_account_shows_nothing_of_either(container, answers, data)
        yield from typed_in_an_open_account_leaves_that_as_it_is(container, answers, data)

    visit(script)


def where_nobody_waits_a_clear_difference_makes_it_an_account_of_its_own(
    container: Container, answers: Answers, data: Path
) -> Script:
    access = answers("one")
    yield from enter_with_key(access, name="Riverside")
    yield shown("80 people", "Up to date")
    yield from sign_out(container)
    answers("two")
    yield from enter_with_key(access, name="Riverside")
    yield shown(
        "It is kept as an account of its own, Riverside 2.", "Alice Ashworth Two", "Up to date"
    )
    assert "80 people" in text_on_screen()
    click(the("Close"))
    yield from sign_out(container)
    # Known by its people, whatever name is typed.
    yield from enter_with_key(access, name="Riverside")
    yield shown("Alice Ashworth Two", "Up to date")
    yield gone("Riverside 3")
    assert accounts(data, access) == ["Riverside", "Riverside 2"]
    yield from sign_out(container)


def it_is_the_same_renames_and_goes_on(
    container: Container, answers: Answers, data: Path
) -> Script:
    access = answers("one", elsewhere=True)
    yield from leave_with_eve_waiting(container, access, "Hall one")
    answers("two")
    yield from enter_with_key(access, name="New name")
    yield shown("None of the people known in Hall one are in the account")
    click(the("Close"))
    yield shown("Eve Waits is not sent yet", "for Hall one")
    assert accounts(data, access) == ["Hall one"]
    yield from enter_with_key(access, name="New name")
    yield shown("None of the people known in Hall one are in the account")
    click(the("Yes, it is the same"))
    yield shown("New name", "Up to date")
    yield Until("Eve in the account", lambda: named(access, "Waits") == 1)
    assert accounts(data, access) == ["New name"]
    yield from sign_out(container)


def it_is_another_account_shows_nothing_of_either(
    container: Container, answers: Answers, data: Path
) -> Script:
    one = answers("one", elsewhere=True)
    yield from leave_with_eve_waiting(container, one, "Org one", half_typed="Half typ")
    two = answers("two")
    yield from enter_with_key(two, name="Org two")
    yield shown("None of the people known in Org one are in the account", "the 1 person who")
    # Nothing of either is shown or renamed before that is said.
    assert accounts(data, one) == ["Org one"]
    assert "80 people" not in text_on_screen()
    click(the("It is another account"))
    yield shown("80 people", "Up to date", "Org two", "Alice Ashworth Two")
    assert "Eve Waits" not in text_on_screen()
    assert typed_line() == ""
    yield shown("1 person is not sent yet and stays on this computer for Org one")
    click(the("Close"))
    type_line("Tia Tower")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    yield from choose_in_menu(container, "Sign out")
    click(the("Sign out anyway"))
    said = ""
    for _ in range(2):
        yield shown("is not sent yet")
        said += text_on_screen()
        click(the("Close"))
    assert "Eve Waits is not sent yet and stays on this computer for Org one" in said
    assert "Tia Tower is not sent yet and stays on this computer for Org two" in said
    assert accounts(data, one) == ["Org one", "Org two"]
    assert named(two, "Waits") == 0
    answers("one")
    yield from enter_with_key(one, name="Org one")
    yield shown("Eve Waits", "You had typed this")
    assert typed_line() == "Half typ"
    yield Until("Eve in the account", lambda: named(one, "Waits") == 1)
    assert named(one, "Tower") == 0
    assert accounts(data, one) == ["Org one", "Org two"]


def typed_in_an_open_account_leaves_that_as_it_is(
    container: Container, answers: Answers, data: Path
) -> Script:
    """One that nobody here knows."""
    yield shown("Org one")
    press(Qt.Key.Key_A, CTRL)
    write("Kay Waits")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    access = answers("three")
    container.session_screen.replace_key(access.api_key)
    yield shown("None of the people known in Org one are in the account")
    # It is still Org one's window, and whoever is typed in it is for Org one.
    type_line("Fay Waits")
    press(Qt.Key.Key_Return)
    yield shown("2 waiting")
    click(the("It is another account"))
    yield shown("Org one 2", "Alice Ashworth Three", "Up to date")
    assert "Kay Waits" not in text_on_screen()
    assert named(access, "Waits") == 0
    assert accounts(data, access) == ["Org one", "Org one 2", "Org two"]
