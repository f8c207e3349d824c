"""What the icon in the tray says, and when closing the window leaves the program there."""

import pytest

from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.tray.tray import TrayScreen, TrayState
from app.viewmodels.window.status_bar import StatusBarScreen
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.quick_add.typing_room import refused
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture


class Desktop:
    """Whether it has a tray."""

    def __init__(self) -> None:
        self.has_tray = True

    def answer(self) -> bool:
        return self.has_tray


@pytest.fixture
def desktop() -> Desktop:
    return Desktop()


@pytest.fixture
def tray(account: AccountFixture, sign_in: SignInFixture, desktop: Desktop) -> TrayScreen:
    people = PeopleScreen(account.directory, account.outbox, account.events, account.scope)
    screen = TrayScreen(
        account.settings, sign_in.screen, account.events, account.scope, available=desktop.answer
    )
    screen.follow(
        StatusBarScreen(people, account.directory, account.outbox, account.events, account.scope)
    )
    return screen


async def test_there_is_no_icon_before_somebody_chooses_to_have_one(
    account: AccountFixture, tray: TrayScreen, desktop: Desktop
) -> None:
    account.add("Ada", "Lovelace")
    assert (tray.state, tray.hides) == (TrayState(), False)
    account.settings.change(tray=True)
    assert (tray.state.shown, tray.hides) == (True, True)
    desktop.has_tray = False
    assert not tray.hides
    account.settings.change(tray=False)
    assert tray.state == TrayState()


async def test_it_tells_who_waits_and_who_needs_somebody(
    account: AccountFixture, tray: TrayScreen
) -> None:
    account.settings.change(tray=True)
    assert tray.state == TrayState(shown=True, tip="Front Desk")
    await refused(account, "Mary Smith")
    assert tray.state == TrayState(shown=True, tip="Front Desk\n1 needs you", needs_person=True)
    account.add("Ada", "Lovelace")
    assert (tray.state.tip, tray.state.waits) == ("Front Desk\n1 waiting\n1 needs you", True)
    tray.follow(None)
    assert tray.state == TrayState(shown=True, tip="Front Desk")


async def test_that_the_program_goes_on_there_is_said_once(
    account: AccountFixture, tray: TrayScreen
) -> None:
    said = "Front Desk is still open here. Quit in this menu ends it."
    assert [tray.leaving_words(), tray.leaving_words()] == [said, ""]
    assert account.settings.settings.tray_told
