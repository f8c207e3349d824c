"""The settings page as its view-model tells it: choices that act, and what is kept."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.accounts.session import SessionChanged, SessionState
from app.accounts.vault import VaultReport
from app.settings.settings import NameOrderChoice, SettingsChanged, SettingsStore, ThemeChoice
from app.viewmodels.formatting import day
from tests.viewmodels.settings.settings_desk import ANSELM, RIVERSIDE, SettingsDesk


@pytest.fixture
async def desk(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[SettingsDesk]:
    desk = SettingsDesk(tmp_path / "desk")
    await desk.open()
    yield desk
    await desk.close()
    assert desk.crashes == []


async def test_each_choice_is_published_when_it_is_made(desk: SettingsDesk) -> None:
    heard: list[SettingsChanged] = []
    desk.events.subscribe(SettingsChanged, heard.append, desk.scope)
    desk.screen.choose_theme(ThemeChoice.DARK)
    desk.screen.choose_name_order(NameOrderChoice.LAST_FIRST)
    desk.screen.hold(0)
    desk.screen.set_motion(False)
    desk.screen.keep_nothing(True)
    assert len(heard) == 5
    last = heard[-1].settings
    assert last == desk.screen.state.settings == SettingsStore(desk.folder, desk.events).settings
    assert (last.theme, last.name_order) == (ThemeChoice.DARK, NameOrderChoice.LAST_FIRST)
    assert (last.hold_seconds, last.motion, last.keep_on_this_computer) == (0, False, False)


async def test_choices_are_offered_in_words_for_every_value(desk: SettingsDesk) -> None:
    assert [choice.value for choice in desk.screen.themes] == list(ThemeChoice)
    assert [choice.value for choice in desk.screen.name_orders] == list(NameOrderChoice)
    assert all(choice.words for choice in (*desk.screen.themes, *desk.screen.name_orders))


@pytest.mark.parametrize(
    ("wanted", "seconds", "words"),
    [
        (0, 0, "sent at once and cannot be undone"),
        (1, 1, "can be undone for 1 second."),
        (30, 30, "can be undone for 30 seconds."),
        (-3, 0, "sent at once and cannot be undone"),
        (99, 30, "can be undone for 30 seconds."),
    ],
)
async def test_the_page_says_what_holding_means(
    desk: SettingsDesk, wanted: int, seconds: int, words: str
) -> None:
    desk.screen.hold(wanted)
    assert desk.screen.state.settings.hold_seconds == seconds
    assert words in desk.screen.state.hold_words


async def test_a_choice_that_cannot_be_written_is_told_until_one_can(desk: SettingsDesk) -> None:
    away = desk.folder.rename(desk.folder.with_name("away"))
    desk.folder.write_text("a file where the folder belongs")
    desk.screen.hold(7)
    assert desk.screen.state.settings.hold_seconds == 7
    assert (desk.screen.state.said, desk.screen.state.trouble) == (
        "This holds until you close the window: Front Desk could not write to its folder.",
        True,
    )
    desk.folder.unlink()
    away.rename(desk.folder)
    desk.screen.hold(8)
    assert desk.screen.state.said == ""


async def test_a_choice_made_elsewhere_is_shown(desk: SettingsDesk) -> None:
    told: list[str] = []
    desk.screen.state_changed.connect(lambda: told.append("changed"))
    desk.book.change(theme=ThemeChoice.LIGHT)
    assert told
    assert desk.screen.state.settings.theme is ThemeChoice.LIGHT


async def test_what_is_kept_follows_the_choice_to_keep_nothing(desk: SettingsDesk) -> None:
    assert "No names and no email addresses." in desk.sentence_about("Where you were")
    desk.screen.keep_nothing(True)
    assert desk.sentence_about("Where you were").startswith("Not kept")
    assert desk.sentence_about("People and flows").startswith("Not kept")


async def test_the_vault_is_named_once_it_was_found(tmp_path: Path) -> None:
    desk = SettingsDesk(tmp_path)
    assert desk.sentence_about("Sign-ins") == "Looking for the vault of this computer."
    await desk.open()
    assert "Secret Service" in desk.sentence_about("Sign-ins")
    desk.vault = VaultReport("", real=False, problem="This computer has no vault.")
    await desk.open()
    assert desk.sentence_about("Sign-ins") == "This computer has no vault."
    assert desk.looked == 2
    await desk.close()


async def test_accounts_are_listed_with_their_way_in_and_their_sign_in(desk: SettingsDesk) -> None:
    assert [
        (row.name, row.address, row.auth_method, row.in_use) for row in desk.screen.state.accounts
    ] == [
        ("Riverside", "https://riverside.example.org", "Signed in with its account page", True),
        ("St Anselm", "https://anselm.example.org", "Signed in with an API key", False),
        ("Grace Chapel", "https://grace.example.org", "Signed in with an API key", False),
    ]
    assert [row.sign_in for row in desk.screen.state.accounts] == [
        f"sign-in kept until {day(RIVERSIDE.expires_at)}",
        "sign-in kept",
        "no sign-in kept",
    ]


async def test_a_sign_in_whose_time_is_over_is_said_to_have_ended(desk: SettingsDesk) -> None:
    past = datetime.now(UTC) - timedelta(days=1)
    desk.registry.keep(msgspec.structs.replace(RIVERSIDE, expires_at=past))
    await desk.open()
    assert desk.screen.state.accounts[0].sign_in == "the sign-in that is kept has ended"


async def test_signing_in_and_out_is_seen_on_the_page(desk: SettingsDesk) -> None:
    desk.registry.keep(msgspec.structs.replace(ANSELM, name="St Anselm's"))
    desk.in_use = ANSELM.id
    desk.events.publish(SessionChanged(SessionState.SIGNED_IN, ANSELM))
    assert [(row.name, row.in_use) for row in desk.screen.state.accounts[:2]] == [
        ("St Anselm's", True),
        ("Riverside", False),
    ]


async def test_a_folder_that_stays_shut_is_told_and_can_be_put_away(desk: SettingsDesk) -> None:
    assert desk.screen.data_folder == str(desk.folder)
    desk.screen.folder_stayed_shut()
    assert (desk.screen.state.trouble, "Copy its path" in desk.screen.state.said) == (True, True)
    desk.screen.dismiss()
    assert desk.screen.state.said == ""
