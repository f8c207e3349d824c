"""Forgetting an account on the settings page: asked first, told truly, tried again."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.model.errors import ExpectedError
from app.outbox.kept_people import KeptPeople
from app.store.outbox import Rescue
from tests.store.outbox_entries import entry
from tests.viewmodels.settings.settings_desk import ANSELM, GRACE, RIVERSIDE, SettingsDesk


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


def question(desk: SettingsDesk) -> str:
    return desk.screen.state.question.sentence if desk.screen.state.question else ""


async def test_nothing_is_forgotten_before_the_answer(desk: SettingsDesk) -> None:
    desk.screen.forget_account()
    desk.screen.ask_to_forget(ANSELM.id)
    assert question(desk).startswith("Forget St Anselm?")
    assert "signed out" not in question(desk)
    desk.screen.keep_account()
    desk.screen.forget_account()
    await desk.settle()
    assert (desk.screen.state.question, desk.asked_to_forget) == (None, [])
    assert desk.names() == ["Riverside", "St Anselm", "Grace Chapel"]


async def test_the_answer_takes_the_account_off_the_list_and_says_so(desk: SettingsDesk) -> None:
    desk.screen.ask_to_forget(ANSELM.id)
    desk.screen.forget_account()
    await desk.settle()
    assert desk.asked_to_forget == [(ANSELM.id, False)]
    assert desk.names() == ["Riverside", "Grace Chapel"]
    assert (desk.screen.state.question, desk.screen.state.trouble) == (None, False)
    assert desk.screen.state.said == "This computer no longer knows St Anselm."


@pytest.mark.parametrize(
    ("unsent", "warning"),
    [
        (0, ""),
        (1, "1 person is not sent yet and would be lost."),
        (3, "3 people are not sent yet and would be lost."),
    ],
)
async def test_the_account_in_use_is_asked_about_with_what_would_be_lost(
    desk: SettingsDesk, unsent: int, warning: str
) -> None:
    desk.unsent = KeptPeople(tuple(entry(number) for number in range(unsent)))
    desk.screen.ask_to_forget(RIVERSIDE.id)
    assert "You will be signed out." in question(desk)
    assert question(desk).endswith(warning or "You will be signed out.")
    desk.screen.ask_to_forget(GRACE.id)
    assert "not sent" not in question(desk)


@pytest.mark.parametrize(
    ("unsent", "warning"),
    [
        (
            KeptPeople(unread="It is of a newer version."),
            (
                "It is of a newer version. People may be waiting whom Front Desk cannot read now; "
                "they would be lost."
            ),
        ),
        (
            KeptPeople((entry(1),), elsewhere="https://other.example.org"),
            (
                "1 person in its file is for another account or another address, "
                "https://other.example.org, is not sent yet and would be lost."
            ),
        ),
        (
            KeptPeople((entry(1),), set_aside=(entry(2), entry(3))),
            (
                "1 person is not sent yet and would be lost. 2 people who were set aside in other "
                "files are not sent yet and would be lost."
            ),
        ),
        (
            KeptPeople((entry(1),), rescue=Rescue("/aside", 1, may_miss=True)),
            (
                "The file for people who are not sent yet was damaged. It is kept as /aside. "
                "1 entry was read from it. There may have been more: please compare with your "
                "notes. That file is removed, too. 1 person is not sent yet and would be lost."
            ),
        ),
    ],
)
async def test_who_cannot_be_read_or_is_somebody_elses_is_named_before_they_are_lost(
    desk: SettingsDesk, unsent: KeptPeople, warning: str
) -> None:
    desk.unsent = unsent
    desk.screen.ask_to_forget(RIVERSIDE.id)
    assert question(desk).endswith(f"You will be signed out. {warning}")


@pytest.mark.parametrize(
    ("in_vault", "with_secret", "told"),
    [(True, True, True), (True, False, False), (False, True, False)],
)
async def test_a_client_secret_that_signing_out_has_left_is_named(
    desk: SettingsDesk, *, in_vault: bool, with_secret: bool, told: bool
) -> None:
    left = msgspec.structs.replace(
        RIVERSIDE, with_secret=with_secret, in_vault=in_vault, expires_at=None
    )
    desk.registry.keep(left)
    desk.screen.ask_to_forget(left.id)
    assert ("client secret" in question(desk)) is told


async def test_an_unsure_vault_leaves_the_account_and_offers_to_try_again(
    desk: SettingsDesk,
) -> None:
    desk.sure = False
    desk.screen.ask_to_forget(ANSELM.id)
    desk.screen.forget_anyway()  # is not offered before the vault was asked
    desk.screen.forget_account()
    await desk.settle()
    asked = desk.screen.state.question
    assert asked is not None
    assert (asked.act, asked.anyway) == ("Try again", "Take it off the list")
    assert "did not confirm" in asked.sentence
    assert "St Anselm" in desk.names()
    desk.sure = True
    desk.screen.forget_account()
    await desk.settle()
    assert desk.asked_to_forget == [(ANSELM.id, False)] * 2
    assert "St Anselm" not in desk.names()


async def test_an_account_can_be_taken_off_the_list_all_the_same(desk: SettingsDesk) -> None:
    desk.sure = False
    desk.screen.ask_to_forget(ANSELM.id)
    desk.screen.forget_account()
    await desk.settle()
    desk.screen.forget_anyway()
    await desk.settle()
    assert desk.asked_to_forget[-1] == (ANSELM.id, True)
    assert "St Anselm" not in desk.names()


async def test_while_the_vault_is_asked_a_second_answer_changes_nothing(desk: SettingsDesk) -> None:
    desk.gate = asyncio.Event()
    desk.screen.ask_to_forget(ANSELM.id)
    desk.screen.forget_account()
    await asyncio.sleep(0)
    assert desk.screen.state.busy
    desk.screen.forget_account()
    desk.screen.keep_account()
    desk.screen.ask_to_forget(GRACE.id)
    assert question(desk).startswith("Forget St Anselm?")
    desk.gate.set()
    await desk.settle()
    assert desk.asked_to_forget == [(ANSELM.id, False)]
    assert not desk.screen.state.busy


async def test_what_keeps_an_account_from_being_forgotten_is_told(desk: SettingsDesk) -> None:
    desk.error = ExpectedError("No", "Front Desk could not write to its folder.")
    desk.screen.ask_to_forget(ANSELM.id)
    desk.screen.forget_account()
    await desk.settle()
    assert (desk.screen.state.question, desk.screen.state.trouble) == (None, True)
    assert desk.screen.state.said == (
        "St Anselm could not be forgotten. Front Desk could not write to its folder."
    )


async def test_an_account_that_another_window_forgot_is_only_taken_off(desk: SettingsDesk) -> None:
    desk.registry.forget(ANSELM.id)
    desk.screen.ask_to_forget(ANSELM.id)
    assert desk.screen.state.question is None
    assert desk.names() == ["Riverside", "Grace Chapel"]


async def test_coming_back_to_the_page_finds_no_old_question(desk: SettingsDesk) -> None:
    desk.screen.ask_to_forget(ANSELM.id)
    await desk.open()
    assert (desk.screen.state.question, desk.screen.state.said) == (None, "")
