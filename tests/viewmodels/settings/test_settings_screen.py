"""The settings page as its view-model tells it: choices that act, and what is kept."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QLocale

from app.accounts.session import SessionChanged, SessionState
from app.accounts.vault import VaultReport
from app.runtime.paths import resource
from app.runtime.words import languages, tr, use_language
from app.settings.settings import NameOrderChoice, SettingsChanged, SettingsStore, ThemeChoice
from app.viewmodels.command_palette.name_fit import fits, folded
from app.viewmodels.formatting import day
from app.viewmodels.settings.settings_choices import SettingsChoice, further_words_of, name_of
from tests.viewmodels.settings.settings_fixture import ANSELM, RIVERSIDE, SettingsFixture


async def test_each_choice_is_published_when_it_is_made(subject: SettingsFixture) -> None:
    heard: list[SettingsChanged] = []
    subject.events.subscribe(SettingsChanged, heard.append, subject.scope)
    subject.screen.choose_theme(ThemeChoice.DARK)
    subject.screen.choose_name_order(NameOrderChoice.LAST_FIRST)
    subject.screen.hold(0)
    subject.screen.set_motion(False)
    subject.screen.choose_language("de")
    subject.screen.keep_nothing(True)
    assert len(heard) == 6
    last = heard[-1].settings
    assert (
        last
        == subject.screen.state.settings
        == SettingsStore(subject.folder, subject.events).settings
    )
    assert (last.theme, last.name_order) == (ThemeChoice.DARK, NameOrderChoice.LAST_FIRST)
    assert last.language == "de"
    assert (last.hold_seconds, last.motion, last.keep_on_this_computer) == (0, False, False)


async def test_choices_are_offered_in_words_for_every_value(subject: SettingsFixture) -> None:
    assert [choice.value for choice in subject.screen.themes] == list(ThemeChoice)
    assert [choice.value for choice in subject.screen.name_orders] == list(NameOrderChoice)
    assert all(choice.words for choice in subject.screen.themes)
    assert all(choice.words for choice in subject.screen.name_orders)


async def test_a_language_is_offered_by_the_name_it_has_in_itself(
    subject: SettingsFixture,
) -> None:
    offered = [(choice.value, choice.words) for choice in subject.screen.languages]
    assert offered[0] == ("", "The language of the system")
    assert offered[1:] == [
        ("de", "Deutsch"),
        ("en", "English"),
        ("es", "Español"),
        ("pt_BR", "Português (Brasil)"),
    ]


@pytest.mark.parametrize("shown", ["en", "ar"])
def test_the_language_is_found_by_who_reads_only_another_than_the_one_shown(shown: str) -> None:
    folder, typed = resource("translations"), dict[str, list[str]]()
    for code in languages(folder):
        use_language(folder, [code])
        typed[tr("Language")] = [tr("Language")]
        # Qt has two words for some: “American English”.
        typed[code] = QLocale(code).nativeLanguageName().split()
    use_language(folder, [shown])
    choice = SettingsChoice.LANGUAGE
    name, further = folded(name_of(choice)), folded(further_words_of(choice))
    use_language(folder, ["en"])
    found = {
        one
        for one, words in typed.items()
        if any(fits([folded(word)], [(name, further)])[0] >= 90 for word in words)
    }
    assert found == {*typed}


async def test_a_language_that_there_is_no_more_is_that_of_the_system(
    subject: SettingsFixture,
) -> None:
    subject.screen.choose_language("de")
    assert subject.screen.state.language == "de"
    subject.screen.choose_language("xx")
    assert subject.screen.state.language == ""


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
    subject: SettingsFixture, wanted: int, seconds: int, words: str
) -> None:
    subject.screen.hold(wanted)
    assert subject.screen.state.settings.hold_seconds == seconds
    assert words in subject.screen.state.hold_words


async def test_a_choice_that_cannot_be_written_is_told_until_one_can(
    subject: SettingsFixture,
) -> None:
    away = subject.folder.rename(subject.folder.with_name("away"))
    subject.folder.write_text("a file where the folder belongs")
    subject.screen.hold(7)
    assert subject.screen.state.settings.hold_seconds == 7
    assert (subject.screen.state.said, subject.screen.state.is_error) == (
        "This holds until you close the window: Front Desk could not write to its folder.",
        True,
    )
    subject.folder.unlink()
    away.rename(subject.folder)
    subject.screen.hold(8)
    assert subject.screen.state.said == ""


async def test_a_choice_made_elsewhere_is_shown(subject: SettingsFixture) -> None:
    told: list[str] = []
    subject.screen.state_changed.connect(lambda: told.append("changed"))
    subject.book.change(theme=ThemeChoice.LIGHT)
    assert told
    assert subject.screen.state.settings.theme is ThemeChoice.LIGHT


async def test_what_is_kept_follows_the_choice_to_keep_nothing(subject: SettingsFixture) -> None:
    assert "No names and no email addresses." in subject.sentence_about("Where you were")
    subject.screen.keep_nothing(True)
    assert subject.sentence_about("Where you were").startswith("Not kept")
    assert subject.sentence_about("People and flows").startswith("Not kept")


async def test_the_vault_is_named_once_it_was_found(tmp_path: Path) -> None:
    subject = SettingsFixture(tmp_path)
    assert subject.sentence_about("Sign-ins") == "Looking for the vault of this computer."
    await subject.open()
    assert "Secret Service" in subject.sentence_about("Sign-ins")
    subject.vault = VaultReport("", real=False, problem="This computer has no vault.")
    await subject.open()
    assert subject.sentence_about("Sign-ins") == "This computer has no vault."
    assert subject.looked == 2
    await subject.close()


async def test_accounts_are_listed_with_their_way_in_and_their_sign_in(
    subject: SettingsFixture,
) -> None:
    assert [
        (row.name, row.address, row.auth_method, row.in_use)
        for row in subject.screen.state.accounts
    ] == [
        ("Riverside", "https://riverside.example.org", "Signed in with its account page", True),
        ("St Anselm", "https://anselm.example.org", "Signed in with an API key", False),
        ("Grace Chapel", "https://grace.example.org", "Signed in with an API key", False),
    ]
    assert [row.sign_in for row in subject.screen.state.accounts] == [
        f"sign-in kept until {day(RIVERSIDE.expires_at)}",
        "sign-in kept",
        "no sign-in kept",
    ]


async def test_a_sign_in_whose_time_is_over_is_said_to_have_ended(subject: SettingsFixture) -> None:
    past = datetime.now(UTC) - timedelta(days=1)
    subject.registry.keep(msgspec.structs.replace(RIVERSIDE, expires_at=past))
    await subject.open()
    assert subject.screen.state.accounts[0].sign_in == "the sign-in that is kept has ended"


async def test_signing_in_and_out_is_seen_on_the_page(subject: SettingsFixture) -> None:
    subject.registry.keep(msgspec.structs.replace(ANSELM, name="St Anselm's"))
    subject.in_use = ANSELM.id
    subject.events.publish(SessionChanged(SessionState.SIGNED_IN, ANSELM))
    assert [(row.name, row.in_use) for row in subject.screen.state.accounts[:2]] == [
        ("St Anselm's", True),
        ("Riverside", False),
    ]


async def test_a_folder_that_stays_shut_is_told_and_can_be_put_away(
    subject: SettingsFixture,
) -> None:
    assert subject.screen.data_folder == str(subject.folder)
    subject.screen.folder_stayed_shut()
    assert (subject.screen.state.is_error, "Copy its path" in subject.screen.state.said) == (
        True,
        True,
    )
    subject.screen.dismiss()
    assert subject.screen.state.said == ""
